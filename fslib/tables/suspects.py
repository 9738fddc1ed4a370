"""Columns to look at before anything is chosen: row numbers, copies of the target, duplicates, and so on."""

import re

import numpy as np

from fslib.tables.bulk import plainly_measured
from fslib.tables.defects import counted
from fslib.tables.duplicates import duplicates
from fslib.tables.leaks import target_copies

NEARLY_EMPTY = 0.95
"""A column in which at least this share of the cells is empty says little."""

MIN_ROWS = 20
"""Numbers of fewer rows are in some order by chance."""

OWN_WORD = 0.8
"""A column with at least this many words per row names the rows."""

NINES = {sign * (float("9" * n) - less) for n in range(2, 9) for sign in (1, -1) for less in (0, 1, 2)}
CODES = NINES | {-1.0, -9.0, -8.0, 88.0, 888.0, 8888.0, -88.0, -888.0, -8888.0, 1e20, 1e30, -1e20, -1e30, 1e36, -1e36}
CODES |= {float(np.float32(value)) for value in (1e20, 1e30, -1e30, 9.96921e36, 3.4028235e38, -3.4028235e38)}
"""Numbers that often stand for an empty cell; -998 beside -999 says why."""

ID_WORD = re.compile(
    r"(?:^|[\W_])(?:id|ids|idx|index|uuid|guid|nr|no|number|key|code|row|record|serial|zip|postcode|plz|rownames?)$|"
    r"^(?:unnamed: \d+|level_0|case|subject|patient|household|customer|client|user|household_?id)$",
    re.IGNORECASE,
)
ID_CAMEL = re.compile(r"[a-z](?:ID|Id|Nr|No)$")
BRING_BACK = "left out; keep=[{0!r}] brings it back"


def find_suspects(columns, y, task, *, view_of=None):
    """Look at all columns.

    Parameters
    ----------
    columns : list of Column
        Those that can be used, with the rows that are kept.
    y : array of shape (n,) or (n, c)
    task : {"classification", "regression", "multilabel"}
    view_of : dict of str to str, or None
        View of each column; copies in different views are named but not left out.

    Returns
    -------
    list of tuple
        (column, kind, seen, action, left_out), at most one that leaves a column out, in the order of the columns.
    """
    found = {column.name: [] for column in columns}
    left = set()

    def suspect(name, kind, seen, action=BRING_BACK, left_out=True):
        if left_out and name in left:
            return
        left.update([name] if left_out else [])
        found[name].append((name, kind, seen, action.format(name), left_out))

    with np.errstate(over="ignore", invalid="ignore"):  # differences of numbers near the largest
        for column, plain in zip(columns, plainly_measured(columns, CODES), strict=True):
            if not plain:
                _one_column(column, suspect)
        rest = [column for column in columns if column.name not in left]
        for name, kind, seen, is_left_out in target_copies(rest, y, task):
            action = BRING_BACK if is_left_out else "kept; drop it if it is known only once the target is"
            suspect(name, kind, seen, action, is_left_out)
        rest = [column for column in columns if column.name not in left]
        for name, other, seen in duplicates(rest):
            if view_of and view_of.get(name) != view_of.get(other):
                suspect(name, "duplicate", seen, "kept, for it is in another view", False)
            else:
                suspect(
                    name, "duplicate", seen, f"left out; {_braced(other)} stands for it, keep=[{{0!r}}] brings it back"
                )
    return [one for suspects in found.values() for one in suspects]


def _braced(name):
    return repr(name).replace("{", "{{").replace("}", "}}")


def _one_column(column, suspect):
    name, empty = column.name, column.empty
    n, n_empty = len(empty), int(empty.sum())
    if n_empty == n:
        return suspect(name, "empty", "no cell is filled")
    if n_empty >= NEARLY_EMPTY * n and n >= MIN_ROWS:
        return suspect(name, "nearly empty", f"{counted(n - n_empty, 'cell')} of {n} filled")
    known = column.values[~empty] if n_empty else column.values
    if known.min() == known.max():
        shown = repr(column.words[known[0]]) if column.kind == "text" else f"{known[0]:g}"
        others = f", {counted(n_empty, 'cell')} empty" if n_empty else ""
        return suspect(name, "constant", f"every filled cell is {shown}{others}")
    if column.kind == "date":
        note = f" ({column.notes[-1]})" if column.notes else ""
        return suspect(name, "date", f"holds dates{note}", "left out; keep=[{0!r}] reads it as days")
    if column.kind == "number":
        return _numbers(name, known, n_empty, suspect)
    n_words = len(np.unique(known))
    if len(known) >= MIN_ROWS / 2 and n_words >= OWN_WORD * len(known):
        return suspect(name, "identifier-like", f"{n_words} different words in {counted(len(known), 'row')}")
    return None


def _numbers(name, known, n_empty, suspect):
    whole = known.dtype.kind != "f" or (known[0] == np.trunc(known[0]) and (known == np.trunc(known)).all())
    if whole:
        if _are_days(known):
            return suspect(name, "date", f"whole numbers such as {known[0]:.0f} are dates")
        kind, seen = _numbering(name, known, n_empty)
        if kind:
            return suspect(name, kind, seen)
    elif n_empty == 0 and len(known) >= MIN_ROWS and _is_even(known):
        return suspect(name, "row number", f"numbers from {known[0]:g} to {known[-1]:g} in even steps, row by row")
    codes = missing_codes(known)
    if codes:
        shown = ", ".join(f"{code:.10g}" for code in codes)
        seen = f"{shown} in {counted(np.isin(known, codes).sum(), 'cell')}, far from all others"
        action = f"kept as a number; empty=[{shown}] reads {'it' if len(codes) == 1 else 'them'} as an empty cell"
        suspect(name, "missing code", seen, action, False)
    return None


def _numbering(name, known, n_empty):
    """Whether whole numbers number the rows, or what the rows belong to."""
    n = len(known)
    named = ID_WORD.search(name) is not None or ID_CAMEL.search(name) is not None
    if n < (5 if named else MIN_ROWS):
        return None, ""
    low, high = known.min(), known.max()
    if n_empty == 0 and int(high) - int(low) == n - 1 and len(np.unique(known)) == n:
        steps = np.diff(known.astype(np.int64))
        order = "in order" if (steps == 1).all() or (steps == -1).all() else "each once"
        return "row number", f"the numbers {int(low)} to {int(high)}, {order}"
    values, counts = np.unique(known, return_counts=True)
    m = len(values)
    steps = np.diff(known.astype(float))
    if m == n >= MIN_ROWS and ((steps > 0).all() or (steps < 0).all()):
        return "row number", f"{n} different whole numbers that rise or fall from row to row"
    if m == n and named:
        return "identifier-like", "another whole number in every row, and a name like that of an identifier"
    if m < MIN_ROWS or m < n / 10 or m == n:
        return None, ""
    if counts.min() == counts.max():
        return "identifier-like", f"{m} different whole numbers, each in {counts[0]} rows"
    if named:
        return "identifier-like", f"{m} different whole numbers in {n} rows"
    return None, ""


def _is_even(known):
    """Whether numbers rise or fall by the same step from row to row."""
    step = known[1] - known[0]
    if step == 0 or not np.isclose(known[2] - known[1], step, rtol=1e-6):
        return False
    return bool(np.allclose(np.diff(known), step, rtol=1e-6, atol=1e-9 * np.abs(known).max()))


def _are_days(known):
    """Whether whole numbers are dates written as 20240131."""
    if known.min() < 19000101 or known.max() > 21001231 or len(np.unique(known[:1000])) < 3:
        return False
    month, day = known // 100 % 100, known % 100
    return bool(((month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)).all())


def missing_codes(known):
    """Numbers that often mean an empty cell, at one end and far from all others.

    Examples
    --------
    >>> missing_codes(np.array([5, -999, 3, 7, 4])), missing_codes(np.array([5, -999, -998, 7, 4, 2, 6]))
    ([-999.0], [-999.0, -998.0])
    """
    low, high = float(known.min()), float(known.max())
    if low not in CODES and high not in CODES:
        return []
    values = np.unique(known).astype(float)
    for ordered in (values, values[::-1]):
        n = next((i for i, value in enumerate(ordered) if value not in CODES), len(ordered))
        for found in (ordered[:i] for i in range(n, 0, -1)):
            rest = ordered[len(found) :]
            if len(rest) and np.sum(~np.isin(known, found)) > 2 and _far(found, rest):
                return found.tolist()
    return []


def _far(codes, rest):
    gap, spread, code = np.abs(rest - codes[-1]).min(), np.ptp(rest), codes[-1]
    if (np.abs(codes) >= 77).all():
        return gap > 2 * spread
    return bool((codes < 0).all() and rest.min() >= 0 and gap > max(spread, 1) and code < 0)
