"""Arguments that name columns: lists that are not lists, and names that do not exist."""

import difflib

import numpy as np

from fslib.tables.defects import Defect, TableError
from fslib.tables.target import TASKS
from fslib.tables.words import tidy

MISSING_TARGET = ("error", "drop_rows", "unknown")
MISSING_FEATURES = ("error", "drop_rows", "median")
HEADERS = ("auto", "first", "none")


def list_of_names(name, value):
    """Names as a list; text where a list is meant is refused.

    Raises
    ------
    TableError
        If it is text: its letters would be taken for names.

    Examples
    --------
    >>> list_of_names("drop", ("a", 3))
    ['a', '3']
    >>> list_of_names("drop", "ab")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    fslib.tables.defects.TableError: drop='ab' is text, where a list of names is meant. Write drop=['ab']; ...
    """
    if value is None:
        return []
    if isinstance(value, str):
        items = [item.strip(" '\"") for item in value.strip("[]() ").split(",") if item.strip(" '\"")]
        what = "is text, where a list of names is meant."
        advice = f'Write {name}={items}; for papermill, -y "{{{name}: {items}}}" (-p passes text).'
        raise TableError(f"{name}={value!r}", [Defect("", what, advice)])
    try:
        return [name_of(item) for item in value]
    except TypeError:
        raise TableError(f"{name}={value!r}", [Defect("", "is not a list of names.", "")]) from None


def name_of(value):
    """Name of a column as tidy text, as names of columns are read.

    Examples
    --------
    >>> name_of(" my  target "), name_of(3), name_of(("size", "mean"))
    ('my target', '3', 'size mean')
    """
    return tidy(" ".join(map(str, value)) if isinstance(value, tuple) else str(value))


def one_name(role, value):
    """Name of the one column of a role, or None.

    Raises
    ------
    TableError
        If it is a list or anything else that is not a name.

    Examples
    --------
    >>> one_name("groups", "patient"), one_name("groups", 3), one_name("time", None)
    ('patient', '3', None)
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, str | int | np.integer):
        return name_of(value)
    what = "must be the name of one column."
    raise TableError(f"{role}={_shown(value)}", [Defect("", what, "Make one column of several.")])


def views_of_names(views):
    """Prefixes, or names of views with lists of columns.

    Raises
    ------
    TableError
        If text stands where a list is meant.
    """
    if not isinstance(views, dict):
        return list_of_names("views", views)
    return {str(view): list_of_names(f"views[{view!r}]", members) for view, members in views.items()}


def cells_for_empty(empty):
    """Words and numbers that stand for an empty cell, as a tuple.

    Raises
    ------
    TableError
        If it is a dict, or no list.

    Examples
    --------
    >>> cells_for_empty("n/k"), cells_for_empty([-999, "x"]), cells_for_empty(None)
    (('n/k',), (-999, 'x'), ())
    """
    if empty is None:
        return ()
    if isinstance(empty, str | int | float | np.number):
        return (empty,)
    if isinstance(empty, dict) or not hasattr(empty, "__iter__"):
        what = "is not a list of words and numbers, which apply to all columns."
        raise TableError(f"empty={_shown(empty)}", [Defect("", what, "Empty cells of one column before reading.")])
    return tuple(tidy(cell) if isinstance(cell, str) else cell for cell in empty)


def _shown(value):
    text = repr(value).splitlines()[0]
    return text if len(text) <= 40 else f"{text[:40]}..."


def check_choices(task, missing_target, missing_features, decimal, header):
    """Refuse values of `fslib.tables.read_table`'s settings that do not exist."""
    check_choice_of("task", task, tuple(TASKS))
    check_choice_of("missing_target", missing_target, (None, *MISSING_TARGET))
    check_choice_of("missing_features", missing_features, MISSING_FEATURES)
    check_choice_of("decimal", decimal, (None, ".", ","))
    check_choice_of("header", header, HEADERS)


def check_choice_of(name, value, known):
    """Refuse a value that is none of those known.

    Raises
    ------
    TableError
    """
    if not (value is None and None in known) and not (isinstance(value, str) and value in known):
        what = f"must be one of {', '.join(map(repr, known))}, got {value!r}."
        raise TableError(name, [Defect("", what, "")])


def target_names(target, source):
    """Names of the targets: those given, or those that the file itself calls labels.

    Raises
    ------
    TableError
        If there are none, or a list was given as text.
    """
    if isinstance(target, str) and target.strip():
        name = name_of(target)
        if name not in source.columns and name.startswith("["):
            return list_of_names("target", target)
        return [name]
    if isinstance(target, int | np.integer) and not isinstance(target, bool):
        return [name_of(target)]
    if isinstance(target, tuple) and name_of(target) in source.columns:  # of columns with several levels
        return [name_of(target)]
    if hasattr(target, "dtype") or hasattr(target, "columns"):
        what = f"is to be a name, not the target itself ({type(target).__name__})."
        raise TableError("target", [Defect("", what, "Make it a column of the table, and name that.")])
    names = list_of_names("target", target or ()) or source.labels
    if not names:
        what = "needs a target: name at least one target column (the file does not say which columns are labels)."
        raise TableError(source.name, [Defect("", what, f"It has {', '.join(list(source.columns)[:12])}.")])
    return names


ONE_ROLE = ("target", "drop", "groups", "time")
CLASHES = [{*ONE_ROLE}, {"keep", *ONE_ROLE}, {"text", "drop"}]
"""Roles of which a column can have one."""


def unknown_names(source, roles):
    """Defects of names that are not columns, that occur twice, or whose roles exclude each other.

    Parameters
    ----------
    source : Source
    roles : dict of str to list of str

    Returns
    -------
    list of Defect

    Examples
    --------
    >>> from fslib.tables.source import Source
    >>> unknown_names(Source("t.csv", {"ripe": 0}), {"target": ["rip"]})[0].advice
    "Did you mean 'ripe'?"
    """
    defects, roles_of = [], {}
    for role, names in roles.items():
        twice = len(set(names)) < len(names)
        if twice:
            shown = ", ".join(map(repr, names[:12]))
            defects.append(Defect("", f"{role} names a column twice: {shown}.", ""))
        for name in dict.fromkeys(names):
            if name in source.columns:
                roles_of.setdefault(name, []).append(role)
            elif name not in source.twice:
                advice = " ".join([_nearest(name, source.columns), *source.hints])
                defects.append(Defect("", f"has no column {name!r} ({role}).", advice))
    for name, found in roles_of.items():
        if any(len(clash.intersection(found)) > 1 for clash in CLASHES):
            what = f"is named both as {found[0]} and as {found[-1]}."
            defects.append(Defect(name, what, "Name it once."))
    for name, columns in source.twice.items():
        if name not in roles.get("drop", ()):
            what = f"has several columns called {name!r}; rename them, or leave all of them out."
            defects.append(Defect("", f"{what} ({len(columns)} columns.)", ""))
    return defects


def _nearest(name, columns):
    by_fold = {column.casefold(): column for column in columns}
    near = [by_fold[name.strip().casefold()]] if name.strip().casefold() in by_fold else []
    near = near or difflib.get_close_matches(name, list(columns)[:5000], n=3, cutoff=0.5)
    if near:
        return f"Did you mean {' or '.join(map(repr, near))}?"
    return f"It has {', '.join(list(columns)[:12])}{', ...' if len(columns) > 12 else ''}."
