"""Many columns at once: a table may have tens of thousands, of which hardly any needs a closer look."""

import numpy as np

CELLS = 1 << 22
"""Cells copied at a time."""


def blocks(columns, n_rows, most=512):
    """Lists of at most ``most`` columns and about :data:`CELLS` cells.

    Examples
    --------
    >>> [len(block) for block in blocks(["a"] * 5, 2**21)]
    [2, 2, 1]
    """
    size = max(1, min(most, CELLS // max(1, n_rows)))
    for start in range(0, len(columns), size):
        yield columns[start : start + size]


def matrix(columns, rows=slice(None)):
    """Values as floats, one row per column; NaN is an empty cell.

    Parameters
    ----------
    columns : list of Column
    rows : slice
        Of the table.

    Returns
    -------
    array of shape (columns, rows)
    """
    X = np.array([column.values[rows] for column in columns], dtype=float)
    text = [column.kind == "text" for column in columns]
    if any(text):
        X[np.array(text)[:, None] & (X < 0)] = np.nan
    return X


def n_distinct(columns, n_rows):
    """Number of different filled cells in the first rows of each column, as far as floats tell them apart.

    Examples
    --------
    >>> from fslib.tables.columns import Column
    >>> n_distinct([Column("x", "number", np.array([3.0, np.nan, 3, 4])), Column("z", "number", np.array([1] * 4))], 4)
    array([2, 1])
    """
    found = [np.empty(0, dtype=np.intp)]
    for block in blocks(columns, n_rows):
        X = np.sort(matrix(block, slice(n_rows)), axis=1)  # NaN last
        new = np.ones(X.shape, dtype=bool)
        new[:, 1:] = X[:, 1:] != X[:, :-1]
        found.append((new & ~np.isnan(X)).sum(axis=1))
    return np.concatenate(found)


def plainly_measured(columns, codes):
    """Which columns are numbers with fractions that vary, are all filled, do not rise in even steps and end at no code.

    Parameters
    ----------
    columns : list of Column
    codes : collection of float
        Numbers that may stand for an empty cell.

    Returns
    -------
    array of bool, one per column

    Examples
    --------
    >>> from fslib.tables.columns import Column
    >>> columns = [Column("x", "number", np.array(cells)) for cells in ([1.5, 2, 4], [1, 2, 4], [1.5, 2, 2.5])]
    >>> plainly_measured(columns, {-999.0})
    array([ True, False, False])
    """
    plain = np.array([c.kind == "number" and c.values.dtype.kind == "f" and len(c.values) > 2 for c in columns], bool)
    codes, at = np.array(list(codes)), np.flatnonzero(plain)
    for block in blocks(at, len(columns[at[0]].values) if len(at) else 0):
        X = matrix([columns[j] for j in block])
        low, high = X.min(axis=1), X.max(axis=1)  # NaN where a cell is empty
        even = np.isclose(X[:, 2] - X[:, 1], X[:, 1] - X[:, 0], rtol=1e-6)
        fractions = (X != np.trunc(X)).any(axis=1)
        plain[block] = (low < high) & fractions & ~even & ~np.isin(low, codes) & ~np.isin(high, codes)
    return plain
