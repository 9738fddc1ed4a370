"""Columns that tell the same as an earlier one."""

import hashlib

import numpy as np

from fslib.tables.bulk import blocks, matrix, n_distinct

FEW_LEVELS = 20
"""Columns with more levels are compared by value, not by which rows they tell apart."""

MIN_ROWS = 10
"""With fewer rows, columns are equal only if their values are."""


def duplicates(columns):
    """Find copies: equal values, equal values but for unit and sign, or levels that tell the same rows apart.

    Parameters
    ----------
    columns : list of Column
        None of them constant.

    Yields
    ------
    tuple
        Name of a column, name of the first one that it repeats, and what was seen.

    Examples
    --------
    >>> from fslib.tables.columns import Column
    >>> grams = np.array([3.0, 9, 27, 4, 8, 15, 16, 23, 42, 5])
    >>> list(duplicates([Column("g", "number", grams), Column("kg", "number", grams / 1000)]))
    [('kg', 'g', "equals 'g' but for unit or sign")]
    """
    seen = {}
    n_rows = len(columns[0].values) if columns else 0
    for block in blocks(columns, n_rows):
        few = n_distinct(block, 4 * FEW_LEVELS) <= FEW_LEVELS
        on_a_line = _on_a_line([c for c in block if c.kind != "text"]) if n_rows >= MIN_ROWS else {}
        for column, has_few in zip(block, few, strict=True):
            keys = [*_by_value(column), *(_by_levels(column) if has_few else ()), *on_a_line.get(column.name, ())]
            for key, what in keys:
                if key in seen:
                    yield column.name, seen[key], what.replace("{}", repr(seen[key]))
                    break
            else:
                seen.update((key, column.name) for key, _ in keys)


def _by_value(column):
    if column.kind == "text":
        words = np.array(column.words).astype("U").tobytes()
        yield _key("text", words + column.values.tobytes()), "equals {}"
    else:
        yield _key("number", (column.values.astype(float) + 0.0).tobytes()), "equals {}"  # no -0.0


def _by_levels(column):
    """Key of columns of few levels that share the rows of each level."""
    n, empty = len(column.values), column.empty
    if n < MIN_ROWS:
        return
    levels, first, codes = np.unique(column.values[~empty], return_index=True, return_inverse=True)
    if len(levels) <= min(FEW_LEVELS, n // 2):
        full = np.full(n, -1, dtype=np.int16)
        full[~empty] = np.argsort(np.argsort(first))[codes]
        yield _key("levels", full.tobytes()), "tells the same rows apart as {}"


def _on_a_line(block):
    """Keys of columns of numbers that are equal up to multiplication and shift, by name."""
    if not block:
        return {}
    X = matrix(block)
    empty = np.isnan(X)
    any_empty = empty.any()
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        X -= np.nanmean(X, axis=1, keepdims=True) if any_empty else X.mean(axis=1, keepdims=True)
        X[empty] = 0.0
        X /= np.abs(X).max(axis=1, keepdims=True)
    usable = np.isfinite(X).all(axis=1) & (X != 0).any(axis=1)  # not where numbers are too large for a difference
    block, X, empty = [c for c, fine in zip(block, usable, strict=True) if fine], X[usable], empty[usable]
    np.round(X, 7, out=X)
    X *= np.sign(X[np.arange(len(X)), (X != 0).argmax(axis=1)])[:, None]
    X += 0.0  # no -0.0
    X[empty] = 9.0
    what = "equals {} but for unit or sign"
    return {c.name: [(_key("line", row.tobytes()), what)] for c, row in zip(block, X, strict=True)}


def _key(kind, data):
    return kind, hashlib.blake2b(data, digest_size=16).digest()
