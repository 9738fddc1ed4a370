"""Arguments that name columns: lists that are no lists, and names that do not exist."""

import difflib

from fslib.tables.defects import Defect, TableError
from fslib.tables.target import TASKS

MISSING_TARGET = ("error", "drop_rows", "unknown")
MISSING_FEATURES = ("error", "drop_rows", "median")


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
        return [item if isinstance(item, str) else str(item) for item in value]
    except TypeError:
        raise TableError(f"{name}={value!r}", [Defect("", "is no list of names.", "")]) from None


def check_choices(task, missing_target, missing_features, decimal):
    """Refuse values of `fslib.tables.read_table`'s settings that do not exist."""
    check_choice_of("task", task, tuple(TASKS))
    check_choice_of("missing_target", missing_target, (None, *MISSING_TARGET))
    check_choice_of("missing_features", missing_features, MISSING_FEATURES)
    check_choice_of("decimal", decimal, (None, ".", ","))


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
    if isinstance(target, str) and target:
        if target not in source.columns and target.strip().startswith("["):
            return list_of_names("target", target)
        return [target]
    names = list_of_names("target", target or ()) or source.labels
    if not names:
        what = "needs a target: name at least one target column (the file does not say which columns are labels)."
        raise TableError(source.name, [Defect("", what, f"It has {', '.join(list(source.columns)[:12])}.")])
    return names


def unknown_names(columns, roles):
    """Defects of names that are no columns, that occur twice, or that have two roles.

    Parameters
    ----------
    columns : dict or set of str
    roles : dict of str to list of str

    Returns
    -------
    list of Defect

    Examples
    --------
    >>> unknown_names({"ripe": 0}, {"target": ["rip"]})[0].advice
    "Did you mean 'ripe'?"
    """
    defects, exclusive = [], {}
    for role, names in roles.items():
        twice = [name for i, name in enumerate(names) if name in names[:i]] if len(names) < 1000 else []
        if twice:
            defects.append(Defect("", f"{role} names a column twice: {', '.join(map(repr, names))}.", ""))
        for name in dict.fromkeys(names):
            if name not in columns:
                defects.append(Defect("", f"has no column {name!r} ({role}).", _nearest(name, columns)))
            elif role in ("target", "drop", "groups", "time"):
                if name in exclusive:
                    what = f"is named both as {exclusive[name]} and as {role}."
                    defects.append(Defect(name, what, "Name it once."))
                exclusive.setdefault(name, role)
    return defects


def _nearest(name, columns):
    by_fold = {column.casefold(): column for column in columns}
    near = [by_fold[name.strip().casefold()]] if name.strip().casefold() in by_fold else []
    near = near or difflib.get_close_matches(name, list(columns)[:5000], n=3, cutoff=0.5)
    if near:
        return f"Did you mean {' or '.join(map(repr, near))}?"
    return f"It has {', '.join(list(columns)[:12])}{', ...' if len(columns) > 12 else ''}."
