"""The target of a table: classes, a number, or several labels."""

import numpy as np

from fslib.tables.defects import Defect, counted
from fslib.tables.suspects import missing_codes

MAX_CLASSES = 20
"""A whole-number target with more values than this is a number, not a class."""

TASKS = {
    "auto": "auto",
    "classes": "classification",
    "classification": "classification",
    "number": "regression",
    "regression": "regression",
    "labels": "multilabel",
    "multilabel": "multilabel",
}
"""What ``task`` may be, and what it stands for."""

PRESENT = {"true": 1.0, "yes": 1.0, "y": 1.0, "t": 1.0, "present": 1.0}
ABSENT = {"false": 0.0, "no": 0.0, "n": 0.0, "f": 0.0, "absent": 0.0}


def single_target(column, task, missing, notes):
    """Target of one column.

    Parameters
    ----------
    column : Column
    task : {"auto", "classification", "regression"}
    missing : {"error", "drop_rows"}
    notes : list of str
        Appended to.

    Returns
    -------
    y : array
        Of the rows that are kept.
    task : {"classification", "regression"}
    keep : array of bool, shape (n,)
        Rows with a target.
    defects : list of Defect

    Examples
    --------
    >>> from fslib.tables.columns import Column
    >>> single_target(Column("y", "number", np.array([3.0, np.nan, 4.0])), "auto", "drop_rows", [])
    (array([3, 4]), 'classification', array([ True, False,  True]), [])
    """
    name, empty = column.name, column.empty
    defects = [defect._replace(advice="Correct the cells.", drop=False) for defect in column.defects]
    if column.kind in ("date", "unusable"):
        what = "holds dates, which are neither classes nor numbers." if column.kind == "date" else "cannot be a target."
        return None, task, ~empty, [*defects, Defect(name, what, "Name another target.")]
    if empty.any() and column.defects:
        pass  # these cells were named already
    elif empty.any() and missing != "drop_rows":
        advice = "Fill them, or leave these rows out. (Only several label columns may have unknown cells.)"
        what = f"is the target and empty in {counted(empty.sum(), 'row')}."
        defects.append(Defect(name, what, advice, setting="missing_target='drop_rows'"))
    elif empty.any():
        notes.append(f"{counted(empty.sum(), 'row')} without a target left out.")
    column = column.take(~empty)
    if not len(column.values):
        return None, task, ~empty, [*defects, Defect(name, "is the target and empty throughout.", "Name another.")]
    if column.values.min() == column.values.max():
        defects.append(Defect(name, "is the target and has one value only: there is nothing to predict.", ""))
    if column.kind == "text":
        y, task = _words(column, task, defects, notes)
    else:
        y, task = _numbers(column, task, notes)
    return y, task, ~empty, defects


def _words(column, task, defects, notes):
    name, words = column.name, np.array(column.words, dtype=object)
    n, n_classes = len(column.values), len(np.unique(column.values))
    if task == "regression":
        what = f"is the target and holds words, such as {words[0]!r}; a number was asked for."
        defects.append(Defect(name, what, "Pass task='classes', or name another target."))
    if n_classes > max(MAX_CLASSES, n / 2):
        what = f"is the target and holds {n_classes} different words in {counted(n, 'row')}: these are not classes."
        defects.append(Defect(name, what, "Name another target."))
    counts = np.bincount(column.values, minlength=len(words))
    alone = [words[i] for i in np.flatnonzero(counts == 1)] if n > MAX_CLASSES else []
    if alone:
        notes.append(f"The target {name!r} has classes of one row: {', '.join(map(repr, alone[:6]))}.")
    for note in column.notes:
        if "are taken for different words" in note:
            defects.append(Defect(name, f"is the target; {note}.", f"Write them alike, or pass text=[{name!r}]."))
    return words[column.values], "classification"


def _numbers(column, task, notes):
    y, name = column.values, column.name
    codes = missing_codes(y)
    if codes:
        shown = ", ".join(f"{code:.10g}" for code in codes)
        notes.append(
            f"The target {name!r} is {shown} in {counted(np.isin(y, codes).sum(), 'row')}, far from all others; "
            f"empty=[{shown}] reads {'it' if len(codes) == 1 else 'them'} as an empty cell."
        )
    whole = y.dtype.kind != "f" or bool((y == np.trunc(y)).all() and np.abs(y).max() < 2**53)
    values, counts = np.unique(y, return_counts=True)
    if task == "auto":
        task = "classification" if whole and len(values) <= MAX_CLASSES else "regression"
        if not whole and len(values) <= MAX_CLASSES and counts.min() > 1:
            notes.append(
                f"The target {name!r} holds fractions, so it is predicted as a number, though it has only "
                f"{len(values)} different values; task='classes' takes them for classes."
            )
        elif whole and task == "classification" and len(values) > 4:
            notes.append(
                f"The target {name!r} has {len(values)} different whole numbers, taken for classes; "
                "task='number' predicts a number."
            )
    if task == "regression":
        return y.astype(float), task
    if whole:
        return y.astype(np.int64) if y.dtype.kind == "f" else y, task
    return np.array([f"{value:.15g}" for value in y], dtype=object), task


def label_targets(columns, missing, notes):
    """Targets of several label columns.

    Parameters
    ----------
    columns : list of Column
    missing : {"error", "drop_rows", "unknown"}
    notes : list of str
        Appended to.

    Returns
    -------
    y : array of shape (rows that are kept, c)
        0, 1, and NaN for unknown.
    task : "multilabel"
    keep : array of bool, shape (n,)
    defects : list of Defect

    Examples
    --------
    >>> from fslib.tables.columns import Column
    >>> yes_no = Column("a", "text", np.array([1, 0, -1]), ["no", "yes"])
    >>> label_targets([yes_no], "unknown", [])[0].ravel()
    array([ 1.,  0., nan])
    """
    defects = []
    y = np.full((len(columns[0].values), len(columns)), np.nan)
    for j, column in enumerate(columns):
        found = _label(column)
        if column.empty.all():
            what = "is a label column and empty throughout."
            defects.append(Defect(column.name, what, "Name it no target, and leave it out."))
        elif found is None:
            shown = column.words[:5] if column.kind == "text" else [f"{v:g}" for v in np.unique(column.values)[:5]]
            what = f"is a label column and holds {', '.join(shown)}; labels are 1, 0 or empty (= unknown)."
            defects.append(Defect(column.name, what, "Recode it, or name one target only."))
        else:
            y[:, j] = found
            known = found[~np.isnan(found)]
            if known.min() == known.max():
                notes.append(f"Label {column.name!r} is {known[0]:g} wherever it is known.")
    unknown = np.isnan(y)
    keep = np.ones(len(y), dtype=bool)
    if missing == "error" and unknown.any() and not defects:
        what = f"has {counted(unknown.sum(), 'unknown label')} in {counted(unknown.any(axis=1).sum(), 'row')}."
        defects.append(Defect("", what, "Fill them, or keep them unknown.", setting="missing_target='unknown'"))
    if missing == "drop_rows" and not defects:
        keep = ~unknown.any(axis=1)
        if not keep.any():
            defects.append(Defect("", "has an unknown label in every row.", "", setting="missing_target='unknown'"))
        elif not keep.all():
            notes.append(f"{counted((~keep).sum(), 'row')} with an unknown label left out.")
    return y[keep], "multilabel", keep, defects


def _label(column):
    """Entries 0, 1, NaN of a label column, or None."""
    if column.kind == "number":
        known = column.values[~column.empty]
        return column.values.astype(float) if ((known == 0) | (known == 1)).all() else None
    codes = [(PRESENT | ABSENT).get(word.lower()) for word in column.words]
    if column.kind != "text" or None in codes or len(codes) > 2:
        return None
    return np.array([*codes, np.nan])[column.values]
