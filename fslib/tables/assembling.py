"""From columns to a checked table, or to one list of all problems."""

from dataclasses import dataclass, replace

import numpy as np

from fslib.tables.features import numbers_frame, unusable, views_of
from fslib.tables.problems import Problem, TableError, counted
from fslib.tables.suspects import find_suspects
from fslib.tables.target import label_targets, single_target
from fslib.tables.text import OPEN
from fslib.tables.typed import column_of, columns_of
from fslib.tables.usertable import SUSPECT_COLUMNS, UserTable

SHOWN = 6
"""Columns named in one sentence."""

AS_ASKED = "kept, as asked"
NEVER_ALONE = ("empty", "constant", "date")
"""Suspects that stay out even if nothing else is left."""


@dataclass(frozen=True)
class Request:
    """What is asked of a table: the arguments of `fslib.tables.read_table`, checked."""

    targets: list
    drop: list
    keep: list | str
    views: list | dict
    groups: str | None
    time: str | None
    task: str
    missing_target: str | None
    missing_features: str

    @property
    def side(self):
        """Columns beside features and target, by role."""
        return {role: name for role, name in (("groups", self.groups), ("time", self.time)) if name is not None}

    def roles(self):
        """Names of columns by the argument that gives them."""
        roles = {"target": self.targets, "drop": self.drop, "keep": [] if self.keep == "all" else self.keep}
        if isinstance(self.views, dict):
            roles["views"] = [name for members in self.views.values() for name in members]
        return roles | {role: [name] for role, name in self.side.items()}


def assemble(source, request, reading):
    """Make a table of columns.

    Parameters
    ----------
    source : Source
    request : Request
    reading : Reading

    Returns
    -------
    UserTable

    Raises
    ------
    TableError
        With all problems at once.
    """
    import pandas as pd

    notes, problems = list(source.notes), []
    columns = _read_columns(source, request, reading)
    y, task, rows = _target([columns.pop(name) for name in request.targets], request, notes, problems)
    side = {role: columns.pop(name) for role, name in request.side.items()}
    for role, column in side.items():
        problems += _side_problems(role, column)
    usable = []
    for column in columns.values():
        found = unusable(column, source.n_rows)
        problems += found
        if not found:
            usable.append(column if rows.all() else column.take(rows))
    suspects = _suspects(usable, y, task, request)
    left_out = {name for name, *_, gone in suspects if gone}
    features = [column for column in usable if column.name not in left_out]
    if not features and not problems:
        advice = (
            f"Suspects: {', '.join(f'{name!r} ({kind})' for name, kind, *_ in suspects[:SHOWN])}." if suspects else ""
        )
        problems.append(Problem("", "has no column left beside the target.", advice))
    kept = _complete(features, int(rows.sum()), request.missing_features, notes, problems)
    features = [column.take(kept) for column in features]
    notes += _how_read([column for column in columns.values() if column.name not in left_out])
    notes += _about(suspects)
    X, origin, made, clashes = numbers_frame(features, len(kept))
    problems += clashes
    by_view = None
    if len(request.views) and not problems:
        by_view, lost = views_of(origin, request.views)
        problems += lost
    if not problems and task == "classification" and len(kept) < len(y) and len(np.unique(y[kept])) < 2:
        what = "has one class only once rows with empty cells are left out."
        problems.append(Problem("", what, "", setting="missing_features='median'"))
    if problems:
        raise TableError(source.name, problems, drop=request.drop)
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


def _read_columns(source, request, reading):
    """All columns; those that a comma may change are read again if others show that commas separate decimals."""
    dropped = set(request.drop)
    raw = {name: cells for name, cells in source.columns.items() if name not in dropped}
    columns = columns_of(raw, reading)
    if any(problem.advice == OPEN for column in columns.values() for problem in column.problems):
        columns = columns_of(raw, replace(reading, semicolons=True))  # which looks for points that decide
    shown = {column.comma for column in columns.values()} - {None}
    if reading.decimal is None and shown == {True}:
        by_comma = columns_of(raw, replace(reading, comma_file=True))
        if not any(column.comma is False for column in by_comma.values()):
            return by_comma
        again = replace(reading, semicolons=True)  # both signs before decimals: what is open stays open
        columns = columns_of(raw, again)
    elif reading.decimal is None and shown == {False}:
        again = replace(reading, comma_file=False)
        columns |= {name: column_of(name, raw[name], again) for name, column in columns.items() if column.problems}
    return columns


def _target(columns, request, notes, problems):
    """Target, task and the rows to keep; problems are appended."""
    many = len(columns) > 1 or request.task == "multilabel"
    if many and request.task not in ("auto", "multilabel"):
        problems.append(
            Problem("", f"has {len(columns)} targets, which are labels.", "Name one target, or pass task='labels'.")
        )
    if many:
        y, task, rows, found = label_targets(columns, request.missing_target or "unknown", notes)
    else:
        if request.missing_target == "unknown":
            what = "is the only target; unknown rows are of use with several label columns only."
            problems.append(Problem(columns[0].name, what, "", setting="missing_target='drop_rows'"))
        y, task, rows, found = single_target(columns[0], request.task, request.missing_target or "error", notes)
    problems += found
    notes += _how_read(columns)
    if y is None or len(y) != rows.sum():
        y = np.full(int(rows.sum()), np.nan)
        task = "unknown"
    return y, task, rows


def _side_problems(role, column):
    if column.problems or column.kind == "unusable":
        return list(column.problems)
    if column.empty.any():
        what = f"is to give the {role} and empty in {counted(column.empty.sum(), 'row')}."
        return [Problem(column.name, what, "Fill these cells.")]
    if role == "time" and column.kind == "text":
        what = f"is to give the order in time and holds words, such as {column.words[0]!r}."
        return [Problem(column.name, what, "Name a column of numbers or dates.")]
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


def _complete(columns, n, missing, notes, problems):
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
        problems.append(Problem("", what, advice, setting="missing_features='median'"))
    elif missing == "drop_rows":
        some = np.any(list(empty.values()), axis=0)
        if some.all():
            worst = max(empty, key=lambda name: empty[name].sum())
            what = "has an empty cell in every row; leaving those out would leave nothing."
            advice = f"Most are in {worst!r} ({empty[worst].sum()})."
            problems.append(Problem("", what, advice, setting="missing_features='median'"))
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
    by_note = {}
    for column in columns:
        for note in column.notes:
            by_note.setdefault(note, []).append(column.name)
    return [f"{_named(names)}: {note}." for note, names in by_note.items()]


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
