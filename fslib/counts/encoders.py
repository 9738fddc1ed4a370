"""Ways to give the distinct values of columns small integer codes; `fslib.counts.levels` chooses among them.

All return a pair: codes, unsigned and of shape (d, n), dense or CSR; and the numbers of levels (d,).
"""

import numbers

import numpy as np
import scipy.sparse as sp

MAX_FLOAT_LEVELS = 32
"""A float column with fractional values and more distinct values than this is a measurement, not a code."""

_ROWS = 64  # rows handled at a time: a block stays in cache while it is checked and transposed


def encode_array(X):
    """Encode a numeric array: small whole numbers all columns at once, the others one by one."""
    if X.dtype == bool:
        X = X.view(np.uint8)
    if 0 in X.shape:
        raise ValueError(f"X is empty: {X.shape[0]} sample(s) and {X.shape[1]} feature(s).")
    low, high = X.min(axis=0), X.max(axis=0)
    if X.dtype.kind == "f":
        _refuse_non_finite(low, high)
        small = high - low < 256
        for start in range(0, len(X), _ROWS):
            if not small.any():
                break
            rows = X[start : start + _ROWS]
            small &= (rows == np.trunc(rows)).all(axis=0)
    else:
        small = (high - low).astype(f"u{X.itemsize}") < 256  # unsigned: exact where the difference itself overflows
    if not small.any():
        return encode_columns(X.T)
    if small.all():
        return _encode_small(X, low)
    # Both kinds: encode apart, then put the rows of codes back in the order of the columns.
    return _interleave(small, _encode_small(X[:, small], low[small]), encode_columns(X[:, ~small].T))


def _encode_small(X, low):
    """Whole numbers at most 255 above ``low`` in every column."""
    n, d = X.shape
    codes = np.empty((d, n), dtype=np.uint8)
    scratch = np.empty((min(n, _ROWS), d), dtype=np.uint8)
    for start in range(0, n, _ROWS):
        rows = X[start : start + _ROWS]
        np.subtract(rows, low, out=scratch[: len(rows)], casting="unsafe")
        codes[:, start : start + _ROWS] = scratch[: len(rows)].T
    present = _present(codes)  # (d, L)
    n_levels = present.sum(axis=1)
    gaps = np.flatnonzero(n_levels < present.shape[1] - present[:, ::-1].argmax(axis=1))
    rank = (np.cumsum(present[gaps], axis=1) - 1).astype(np.uint8)
    for row, j in enumerate(gaps):
        codes[j] = rank[row][codes[j]]
    return codes, n_levels


def _present(codes):
    """Which codes occur in each row, bool (d, L)."""
    L = int(codes.max()) + 1
    if L <= 8:  # one bit per level in a byte
        bits = np.empty(len(codes), dtype=np.uint8)
        for start in range(0, len(codes), _ROWS):
            block = codes[start : start + _ROWS]
            bits[start : start + _ROWS] = np.bitwise_or.reduce(np.left_shift(np.uint8(1), block), axis=1)
        return np.unpackbits(bits[:, None], axis=1, count=L, bitorder="little").astype(bool)
    return np.stack([np.bincount(row, minlength=L) > 0 for row in codes])


def encode_columns(columns, names=None):
    """Encode each column by itself; the way for strings, mixed values and wide numbers."""
    pairs = [_encode_column(column, j if names is None else repr(names[j])) for j, column in enumerate(columns)]
    if not pairs or not len(pairs[0][0]):
        raise ValueError("X is empty: it needs at least one sample and one feature.")
    n_levels = np.array([n for _, n in pairs])
    dtype = np.min_scalar_type(int(n_levels.max()) - 1)
    return np.stack([code.astype(dtype) for code, _ in pairs]), n_levels


def _encode_column(column, name):
    """Code of every sample of one column, by sorted value, and the number of levels."""
    if column.dtype.kind in "biufUS":
        if column.dtype.kind == "f":
            _refuse_non_finite(column.min(keepdims=True), column.max(keepdims=True), names=[name])
        values, codes = np.unique(column, return_inverse=True)
    else:
        items = column.tolist()
        distinct = set(items)
        if any(_is_missing(v) for v in distinct):
            raise ValueError(
                f"Input X contains NaN, None or infinity in column {name}: drop these rows or impute them first."
            )
        # Values of different types have no common order: numbers first, then type by type.
        ordered = sorted(distinct, key=lambda v: ("" if isinstance(v, numbers.Real) else type(v).__name__, v))
        code = {value: c for c, value in enumerate(ordered)}
        codes = np.fromiter((code[v] for v in items), dtype=np.intp, count=len(items))
        values = ordered
    _refuse_measurements(values, name)
    return codes, len(values)


def encode_sparse(X):
    """Encode stored entries only: level 0 is the value zero, the other values follow in order."""
    X = sp.csc_array(X)
    if 0 in X.shape:
        raise ValueError(f"X is empty: {X.shape[0]} sample(s) and {X.shape[1]} feature(s).")
    if not X.has_canonical_format or (X.data == 0).any():
        X = X.copy()
        X.sum_duplicates()
        X.eliminate_zeros()
    n, d = X.shape
    if X.dtype.kind == "f":
        bad = np.flatnonzero(~np.isfinite(X.data))[:1]
        _refuse_non_finite(X.data[bad], X.data[bad], names=np.searchsorted(X.indptr, bad, side="right") - 1)
    distinct, code = np.unique(X.data, return_inverse=True)
    # One number per (column, value); those that occur, in order, are the levels of the columns.
    n_stored = np.diff(X.indptr)
    base = max(1, len(distinct))
    occurring, pair = np.unique(np.repeat(np.arange(d) * base, n_stored) + code, return_inverse=True)
    owner = occurring // base
    n_levels = np.bincount(owner, minlength=d) + 1
    codes = pair + 1 - np.repeat(np.cumsum(n_levels - 1) - (n_levels - 1), n_stored)
    for j in np.flatnonzero(n_levels > MAX_FLOAT_LEVELS):
        _refuse_measurements([X.dtype.type(0), *distinct[occurring[owner == j] % base]], j)
    codes = codes.astype(np.min_scalar_type(int(n_levels.max()) - 1))
    return sp.csr_array((codes, X.indices, X.indptr), shape=(d, n)), n_levels


def _interleave(first, a, b):
    """Put two encodings of parts of the columns together; ``first`` (d,) marks the columns of ``a``."""
    order = np.argsort(np.argsort(~first, kind="stable"), kind="stable")
    return np.concatenate([a[0], b[0]])[order], np.concatenate([a[1], b[1]])[order]


def _is_missing(value):
    same = value == value  # False for NaN, neither True nor False for pandas' NA
    infinite = isinstance(value, float) and np.isinf(value)
    return value is None or infinite or not (isinstance(same, bool | np.bool_) and same)


def _refuse_non_finite(low, high, names=None):
    bad = np.flatnonzero(~(np.isfinite(low) & np.isfinite(high)))
    if len(bad):
        name = bad[0] if names is None else names[bad[0]]
        raise ValueError(f"Input X contains NaN or infinity in column {name}: drop these rows or impute them first.")


def _refuse_measurements(values, name):
    """Raise if a float column has many fractional values: it would get a level per sample."""
    if len(values) <= MAX_FLOAT_LEVELS or not isinstance(values[0], float | np.floating):
        return
    if any(v != int(v) for v in values if isinstance(v, float | np.floating)):
        raise ValueError(
            f"Column {name} of X holds {len(values)} different values with fractions, too many for a discrete feature. "
            "Put fslib.counts.discretize.ThreeLevelDiscretizer in front, or pass codes."
        )
