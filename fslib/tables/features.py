"""Columns that passed the checks, as a frame of numbers."""

import numpy as np

from fslib.tables.defects import Defect, counted

MAX_TEXT_LEVELS = 20
"""A text column with more levels than this is taken for an identifier or free text, and refused."""

EMPTY_LEVEL = "missing"
SECONDS_PER_DAY = 86400.0


def unusable(column, n_rows):
    """Defects that keep a feature from being used, besides those found on reading.

    Examples
    --------
    >>> from fslib.tables.columns import Column
    >>> column = Column("name", "text", np.arange(30), [f"person {i}" for i in range(30)])
    >>> unusable(column, 30)[0].what
    "holds text with 30 different values, such as 'person 0'."
    """
    defects = list(column.defects)
    if column.kind == "text" and len(column.words) > MAX_TEXT_LEVELS:
        n_levels = len(column.words)
        what = f"holds text with {n_levels} different values, such as {column.words[0][:40]!r}."
        advice = "Drop it, or make numbers or a few levels of it."
        if 2 * n_levels <= n_rows:
            advice += f" If rows of one value belong together, pass groups={column.name!r}."
        defects.append(Defect(column.name, what, advice, drop=True))
    return defects


def numbers_frame(columns, n_rows, taken=None):
    """One feature per column, text one feature of 0 and 1 per level; dates are days since 1970.

    Parameters
    ----------
    columns : list of Column
    n_rows : int
    taken : dict of str to str, or None
        Names of other columns, and what these are.

    Returns
    -------
    X : DataFrame
    origin : dict of str to str
        For each feature the column it was made from.
    notes : list of str
    defects : list of Defect
        Made-up names that meet existing ones.

    Examples
    --------
    >>> from fslib.tables.columns import Column
    >>> X, origin, _, _ = numbers_frame([Column("colour", "text", np.array([1, 0]), ["blue", "red"])], 2)
    >>> X.to_dict("list"), origin["colour=red"]
    ({'colour=blue': [0, 1], 'colour=red': [1, 0]}, 'colour')
    """
    names, taken = {column.name for column in columns}, taken or {}
    pieces, origin, notes, defects = {}, {}, [], []
    for column in columns:
        if column.kind == "text":
            made, n_levels = _levels(column), 0
            for name, values in made:
                if name in names or name in pieces:
                    what = f"has the name that a level of the text column {column.name!r} would get."
                    defects.append(Defect(name, what, "Rename it, or leave it out.", drop=True))
                elif name in taken:
                    what = (
                        f"is {taken[name]} and has the name that a level of the text column {column.name!r} would get."
                    )
                    defects.append(Defect(name, what, "Rename one of the two."))
                pieces[name], origin[name] = values, column.name
                n_levels += 1
            notes.append(f"Text column {column.name!r} became {counted(n_levels, 'column')} of 0 and 1.")
            continue
        days = column.kind == "date"
        pieces[column.name] = column.values / SECONDS_PER_DAY if days else column.values
        origin[column.name] = column.name
        if days:
            notes.append(f"Column {column.name!r} was read as days since 1970.")
    return _frame(pieces, n_rows), origin, notes, defects


def _frame(pieces, n_rows):
    """Frame of columns, those of one type at once; pandas takes a dict column by column."""
    import pandas as pd

    by_type = {}
    for name, values in pieces.items():
        by_type.setdefault(values.dtype, []).append(name)
    index = pd.RangeIndex(n_rows)
    parts = [pd.DataFrame(np.array([pieces[c] for c in some]).T, index, some) for some in by_type.values()]
    if len(parts) == 1:
        return parts[0]
    return pd.concat(parts, axis=1)[list(pieces)] if parts else pd.DataFrame(index=index)


def _levels(column):
    present = np.unique(column.values[column.values >= 0])
    for code in present:
        yield f"{column.name}={column.words[code]}", (column.values == code).astype(np.int64)
    if column.empty.any():
        taken = {column.words[code] for code in present}
        level = EMPTY_LEVEL if EMPTY_LEVEL not in taken else "empty cell"
        yield f"{column.name}={level}", column.empty.astype(np.int64)


def views_of(origin, views):
    """Features of each view, from prefixes of column names or lists of columns.

    Parameters
    ----------
    origin : dict of str to str
        Column of each feature.
    views : sequence of str, or dict of str to list of str
        Prefixes; or names of views with their columns.

    Returns
    -------
    dict of str to list of str
    defects : list of Defect

    Examples
    --------
    >>> views_of({"a1": "a1", "a2": "a2", "b": "b"}, ["a", "b"])
    ({'a': ['a1', 'a2'], 'b': ['b']}, [])
    """
    listed = {name: set(members) for name, members in views.items()} if isinstance(views, dict) else None
    owners = {}
    for column in dict.fromkeys(origin.values()):
        if listed is not None:
            owners[column] = [name for name, members in listed.items() if column in members]
        else:
            owners[column] = [prefix for prefix in views if column.startswith(prefix)]
    defects = []
    lost = [column for column, found in owners.items() if not found]
    if lost:
        shown = ", ".join(map(repr, lost[:6])) + (f" and {len(lost) - 6} more" if len(lost) > 6 else "")
        plural = "belong" if len(lost) > 1 else "belongs"
        defects.append(
            Defect(
                "",
                f"has columns outside the views: {shown} {plural} to no view.",
                "Name a view for them, or drop them.",
            )
        )
    for column, found in owners.items():
        if len(found) > 1:
            what = f"belongs to the views {' and '.join(map(repr, found))}."
            defects.append(Defect(column, what, "Every column must belong to exactly one."))
    by_view = {name: [] for name in views}
    for feature, column in origin.items():
        for name in owners[column][:1]:
            by_view[name].append(feature)
    empty = [name for name, members in by_view.items() if not members]
    if empty:
        shown = ", ".join(map(repr, empty))
        what = f"has no usable column in the view {shown}."
        if listed is None:
            what = f"has no usable column in the view {shown}: No column starts with the view prefix {shown}."
        defects.append(Defect("", what, f"Columns: {', '.join(list(owners)[:12])}."))
    return by_view, defects
