"""From columns to a checked table, or to one list of all defects."""

import re

import numpy as np

from fslib.tables.dates import AMBIGUOUS
from fslib.tables.defects import Defect, TableError, counted
from fslib.tables.features import numbers_frame, unusable, views_of
from fslib.tables.interpreting import interpreted
from fslib.tables.suspects import find_suspects
from fslib.tables.target import label_targets, single_target
from fslib.tables.usertable import SUSPECT_COLUMNS, UserTable

SHOWN = 6
"""Columns named in one sentence."""

READ_AS = re.compile(r"""(['"])(.*)\1 was read as (\S+)""")

AS_ASKED = "kept, as asked"
NEVER_ALONE = ("empty", "constant", "date")
"""Suspects that stay out even if nothing else is left."""


def assemble(source, request, reading, defects=()):
    """Make a table of columns.

    Parameters
    ----------
    source : Source
    request : Request
    reading : Reading
    defects : list of Defect
        Those found before.

    Returns
    -------
    UserTable

    Raises
    ------
    TableError
        With all defects at once.
    """
    import pandas as pd

    notes, defects = list(source.notes), list(defects)
    source, columns = interpreted(source, request.drop, reading, notes)
    y, task, rows = _target(source, [columns.pop(name) for name in request.targets], request, notes, defects)
    side = {role: columns.pop(name) for role, name in request.side.items()}
    for role, column in side.items():
        defects += _side_defects(role, column)
    usable, n_rows = [], source.n_rows
    for column in columns.values():
        found = unusable(column, n_rows)
        defects += found
        if not found:
            usable.append(column if rows.all() else column.take(rows))
    suspects = _suspects(usable, y, task, request)
    left_out = {name for name, *_, gone in suspects if gone}
    features = [column for column in usable if column.name not in left_out]
    if not features and not defects:
        advice = (
            f"Suspects: {', '.join(f'{name!r} ({kind})' for name, kind, *_ in suspects[:SHOWN])}." if suspects else ""
        )
        defects.append(Defect("", "has no column left beside the target.", advice))
    kept = _complete(features, int(rows.sum()), request.missing_features, notes, defects)
    if len(kept) < rows.sum():
        features = [column.take(kept) for column in features]
        features, more = _still_fit(features, y[kept], task, request)
        suspects += more
        left_out |= {name for name, *_ in more}
    notes += _how_read([column for column in columns.values() if column.name not in left_out])
    notes += _about(suspects)
    taken = {name: "the target" for name in request.targets} | {name: role for role, name in request.side.items()}
    X, origin, made, clashes = numbers_frame(features, len(kept), taken)
    defects += clashes
    by_view = None
    if len(request.views) and not defects:
        by_view, lost = views_of(origin, request.views)
        defects += lost
    if not defects and task == "classification" and len(kept) < len(y) and len(np.unique(y[kept])) < 2:
        what = "has one class only once rows with empty cells are left out."
        defects.append(Defect("", what, "", setting="missing_features='median'"))
    if defects:
        raise TableError(source.name, defects, drop=request.drop)
    where = np.flatnonzero(rows)[kept]
    return UserTable(
        X=X,
        y=y[kept],
        task=task,
        label_names=request.targets if task == "multilabel" else None,
        target=None if task == "multilabel" else request.targets[0],
        views=by_view,
        groups=_as_values(side["groups"])[where] if "groups" in side else None,
        time=side["time"].values[where] if "time" in side else None,
        origin=origin,
        notes=notes + made,
        suspects=pd.DataFrame(suspects, columns=SUSPECT_COLUMNS).astype({"left_out": bool}),
    )


def _still_fit(features, y, task, request):
    """Features that still vary and say something of their own once rows are left out, and suspects of the others."""
    more = [one for one in _suspects(features, y, task, request) if one[-1]]
    gone = {name for name, *_ in more}
    return [column for column in features if column.name not in gone], more


def _target(source, columns, request, notes, defects):
    """Target, task and the rows to keep; defects are appended."""
    if not columns:  # a defect already
        return np.full(source.n_rows, np.nan), "unknown", np.ones(source.n_rows, dtype=bool)
    many = len(columns) > 1 or request.task == "multilabel"
    if many and request.task not in ("auto", "multilabel"):
        defects.append(
            Defect("", f"has {len(columns)} targets, which are labels.", "Name one target, or pass task='labels'.")
        )
    if many:
        y, task, rows, found = label_targets(columns, request.missing_target or "unknown", notes)
    else:
        if request.missing_target == "unknown":
            what = "is the only target; unknown rows are of use with several label columns only."
            defects.append(Defect(columns[0].name, what, "", setting="missing_target='drop_rows'"))
        y, task, rows, found = single_target(columns[0], request.task, request.missing_target or "error", notes)
    defects += found
    notes += _how_read(columns)
    if y is None or len(y) != rows.sum():
        y = np.full(int(rows.sum()), np.nan)
        task = "unknown"
    return y, task, rows


def _side_defects(role, column):
    if column.defects or column.kind == "unusable":
        return list(column.defects)
    if column.empty.any():
        what = f"is to give the {role} and empty in {counted(column.empty.sum(), 'row')}."
        return [Defect(column.name, what, "Fill these cells.")]
    if role == "time" and column.kind == "text":
        what = f"is to give the order in time and holds words, such as {column.words[0]!r}."
        return [Defect(column.name, what, "Name a column of numbers or dates.")]
    if role == "time" and AMBIGUOUS in column.notes:
        what = "is to give the order in time, and its dates may be day first or month first."
        return [Defect(column.name, what, "Write them as 2024-01-31.")]
    return []


def _as_values(column):
    return np.array(column.words, dtype=object)[column.values] if column.kind == "text" else column.values


def _suspects(columns, y, task, request):
    """Suspects, of which those asked for are kept; if nothing else is left, they are kept too."""
    view_of = None
    if isinstance(request.views, dict):
        view_of = {name: view for view, members in request.views.items() for name in members}
    elif request.views:
        view_of = {c.name: next((v for v in request.views if c.name.startswith(v)), None) for c in columns}
    found = find_suspects(columns, y, task, view_of=view_of)
    names = {column.name for column in columns}
    keep = names if request.keep == "all" else set(request.keep)
    found = [(n, k, s, AS_ASKED, False) if n in keep and gone else (n, k, s, a, gone) for n, k, s, a, gone in found]
    if names and names == {name for name, *_, gone in found if gone}:
        found = [
            (n, k, s, a, gone) if k in NEVER_ALONE else (n, k, s, "kept, for nothing else is left", False)
            for n, k, s, a, gone in found
        ]
    return found


def _complete(columns, n, missing, notes, defects):
    """Rows to keep, by position, as empty cells of features demand."""
    empty = {column.name: column.empty for column in columns}
    empty = {name: cells for name, cells in empty.items() if cells.any()}
    everything = np.arange(n)
    if not empty:
        return everything
    if missing == "error":
        worst = ", ".join(f"{name!r} ({cells.sum()})" for name, cells in list(empty.items())[:SHOWN])
        more = f" and {len(empty) - SHOWN} more" if len(empty) > SHOWN else ""
        what = f"has empty cells in {counted(len(empty), 'column')}: {worst}{more}."
        advice = "Fill them, or pass missing_features='median' or missing_features='drop_rows'."
        defects.append(Defect("", what, advice, setting="missing_features='median'"))
    elif missing == "drop_rows":
        some = np.any(list(empty.values()), axis=0)
        if some.all():
            worst = max(empty, key=lambda name: empty[name].sum())
            what = "has an empty cell in every row; leaving those out would leave nothing."
            advice = f"Most are in {worst!r} ({empty[worst].sum()})."
            defects.append(Defect("", what, advice, setting="missing_features='median'"))
            return everything
        notes.append(f"{counted(some.sum(), 'row')} with an empty cell left out.")
        return everything[~some]
    else:
        notes.append(
            f"{counted(len(empty), 'column')} with empty cells, to be filled inside each training part "
            "(text: level 'missing')."
        )
    return everything


def _how_read(columns):
    """One sentence for each thing that was done to cells."""
    by_kind = {}
    for column in columns:
        for note in column.notes:
            by_kind.setdefault(_notation(note), []).append((column.name, note))
    said = []
    for found in by_kind.values():
        names, notes = zip(*found, strict=True)
        alike = " (the others alike)" if len(set(notes)) > 1 else ""
        said.append(f"{_named(names)}: {notes[0]}{alike}.")
    return said


def _notation(note):
    """What a note on a number has in common with others: the signs in it, and whether it has decimals."""
    found = READ_AS.fullmatch(note)
    if not found:
        return note
    word, value = found[2], found[3]
    digits = lambda text: re.sub(r"\D", "", text)
    return re.sub(r"\d+", "", word), "." in value or digits(word) != digits(value)


def _about(suspects):
    """One sentence for all suspects of a kind that are left out, and one for each that is not."""
    by_kind, notes = {}, []
    for name, kind, seen, action, gone in suspects:
        if gone:
            by_kind.setdefault(kind, []).append(name)
        elif action != AS_ASKED and len(notes) < 2 * SHOWN:
            notes.append(f"Column {name!r}, {kind}: {seen}; {action}.")
    return notes + [
        f"{_named(names)} left out of the choice ({kind}); see suspects." for kind, names in by_kind.items()
    ]


def _named(names):
    shown = ", ".join(map(repr, names[:SHOWN])) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
    return f"Column {shown}" if len(names) == 1 else f"Columns {shown}"
