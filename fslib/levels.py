"""Identity encoding of discrete columns: every distinct value becomes a small integer code, no more."""

import numbers
import warnings
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

MAX_FLOAT_LEVELS = 32
"""A float column with fractional values and more distinct values than this is a measurement, not a code."""

ID_SHARE, ID_MIN_SAMPLES = 0.9, 20
"""A column with more levels than this share of at least so many samples identifies rows: it is reported."""

_ROWS = 512  # rows handled at a time: a block of codes stays in cache while it is transposed


@dataclass(frozen=True)
class Levels:
    """Discrete data as codes, one row per column of X.

    Attributes
    ----------
    codes : array of unsigned int, shape (d, n), or CSR array of the same shape
        ``codes[j, i]`` is the level of sample i in column j, below ``n_levels[j]``. Note the transposed layout: what
        selectors read together, a column of X, lies together in memory. If X was sparse, only levels other than 0 are
        stored, and level 0 is the value zero.
    n_levels : array of int, shape (d,)
    values : array
        The original values of all levels, column after column; see `values_of`.
    offsets : array of int, shape (d + 1,)
        Column j owns ``values[offsets[j]:offsets[j + 1]]``.
    """

    codes: np.ndarray | sp.csr_array
    n_levels: np.ndarray
    values: np.ndarray
    offsets: np.ndarray

    @property
    def is_sparse(self):
        """Whether level 0 is implicit."""
        return sp.issparse(self.codes)

    @property
    def shape(self):
        """Number of samples and of columns, as X has them."""
        return self.codes.shape[::-1]

    @property
    def is_constant(self):
        """Which columns have one level among the samples that were encoded, bool (d,)."""
        n_occurring = self.n_levels
        if self.is_sparse:  # level 0 is always there by name, but a column without zeros does not use it
            n_occurring = n_occurring - (np.diff(self.codes.indptr) == self.codes.shape[1])
        return n_occurring == 1

    def column(self, j):
        """Codes of column j as a dense array of int, shape (n,)."""
        if not self.is_sparse:
            return self.codes[j].astype(np.intp)
        column = np.zeros(self.codes.shape[1], dtype=np.intp)
        entries = slice(*self.codes.indptr[j : j + 2])
        column[self.codes.indices[entries]] = self.codes.data[entries]
        return column

    def values_of(self, j):
        """Original values of column j: code c stands for ``values_of(j)[c]``."""
        return self.values[self.offsets[j] : self.offsets[j + 1]]

    def columns(self, chosen):
        """Levels of some of the columns (an index or boolean array), in that order."""
        chosen = np.arange(len(self.n_levels))[chosen]
        values = np.concatenate([self.values_of(j) for j in chosen])
        return Levels(self.codes[chosen], self.n_levels[chosen], values, _offsets(self.n_levels[chosen]))

    def take(self, samples):
        """Levels of some of the samples (an index or boolean array); codes keep their meaning."""
        codes = self.codes[:, samples]
        if not self.is_sparse:
            codes = np.ascontiguousarray(codes)  # indexing leaves columns of X strided
        return Levels(codes, self.n_levels, self.values, self.offsets)


def encode_levels(X):
    """Encode discrete columns by identity.

    Parameters
    ----------
    X : array, DataFrame or scipy sparse, shape (n, d)
        Integers (negative ones too), booleans, strings, categories, mixed columns, or floats that stand for codes.
        In a sparse X the value zero is level 0 of every column and is never stored.

    Returns
    -------
    Levels

    Raises
    ------
    ValueError
        If a value is missing or infinite, or a float column with fractional values has more than
        ``MAX_FLOAT_LEVELS`` distinct values.

    Warns
    -----
    UserWarning
        If a column has nearly as many levels as there are rows.

    Notes
    -----
    Levels are numbered by sorted value. Integers that span less than 256 are encoded column-parallel in O(n d) with
    one byte per value; other columns are sorted one by one. Peak memory is that of the codes.

    Examples
    --------
    >>> levels = encode_levels(np.array([[-1, 7], [3, 7], [-1, 9]]))
    >>> levels.codes
    array([[0, 1, 0],
           [0, 0, 1]], dtype=uint8)
    >>> levels.values_of(0)
    array([-1,  3])
    """
    if sp.issparse(X):
        levels = _encode_sparse(X)
    elif hasattr(X, "iloc"):
        levels = _encode_frame(X)
    else:
        X = np.asarray(X)
        if X.ndim != 2:
            raise ValueError(f"X must be two-dimensional (samples, features), got {X.ndim} dimension(s).")
        levels = _encode_array(X) if X.dtype.kind in "biuf" else _from_columns(X.T)
    _warn_ids(levels)
    return levels


def _encode_array(X):
    """Numeric array: small whole numbers all columns at once, the others one by one."""
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
        return _from_columns(X.T)
    if small.all():
        return _encode_small(X, low)
    # Both kinds: encode apart, then put the rows of codes back in the order of the columns.
    return _interleave(small, _encode_small(X[:, small], low[small]), _from_columns(X[:, ~small].T))


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
    values = (low[:, None] + np.arange(present.shape[1]).astype(X.dtype))[present]  # wraps around exactly as codes did
    return Levels(codes, n_levels, values, _offsets(n_levels))


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


def _encode_frame(X):
    """Encode a frame as an array if its columns share a numeric type, else column by column."""
    kinds = {getattr(dtype, "kind", "O") for dtype in X.dtypes}
    if len(set(X.dtypes)) == 1 and kinds <= set("biuf") and isinstance(X.dtypes.iloc[0], np.dtype):
        return _encode_array(X.to_numpy())
    return _from_columns([X.iloc[:, j].to_numpy() for j in range(X.shape[1])], names=X.columns)


def _from_columns(columns, names=None):
    """Encode each column by itself; the way for strings, mixed values and wide numbers."""
    pairs = [_encode_column(column, j if names is None else repr(names[j])) for j, column in enumerate(columns)]
    if not pairs or not len(pairs[0][1]):
        raise ValueError("X is empty: it needs at least one sample and one feature.")
    n_levels = np.array([len(values) for values, _ in pairs])
    kinds = {values.dtype for values, _ in pairs}
    values = np.concatenate([v if len(kinds) == 1 else v.astype(object) for v, _ in pairs])
    dtype = np.min_scalar_type(int(n_levels.max()) - 1)
    return Levels(np.stack([code.astype(dtype) for _, code in pairs]), n_levels, values, _offsets(n_levels))


def _encode_column(column, name):
    """Sorted distinct values of one column, and the code of every sample."""
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
        values = np.empty(len(ordered), dtype=object)
        values[:] = ordered
    _refuse_measurements(values, name)
    return values, codes


def _encode_sparse(X):
    """Sparse matrix: level 0 is the value zero, stored values follow in order. Works on the stored entries only."""
    X = sp.csc_array(X)
    if 0 in X.shape:
        raise ValueError(f"X is empty: {X.shape[0]} sample(s) and {X.shape[1]} feature(s).")
    if not X.has_canonical_format or (X.data == 0).any():
        X = X.copy()
        X.sum_duplicates()
        X.eliminate_zeros()
    n, d = X.shape
    if X.dtype.kind == "f":
        _refuse_non_finite(*(f(X.data, initial=0, keepdims=True) for f in (np.min, np.max)), names=["(sparse)"])
    distinct, code = np.unique(X.data, return_inverse=True)
    # One number per (column, value); those that occur, in order, are the levels of the columns.
    n_stored = np.diff(X.indptr)
    base = max(1, len(distinct))
    occurring, pair = np.unique(np.repeat(np.arange(d) * base, n_stored) + code, return_inverse=True)
    owner = occurring // base
    n_levels = np.bincount(owner, minlength=d) + 1
    codes = pair + 1 - np.repeat(_offsets(n_levels - 1)[:-1], n_stored)
    values = np.zeros(n_levels.sum(), dtype=X.dtype)
    values[np.arange(len(occurring)) + owner + 1] = distinct[occurring % base]
    offsets = _offsets(n_levels)
    for j in np.flatnonzero(n_levels > MAX_FLOAT_LEVELS):
        _refuse_measurements(values[offsets[j] : offsets[j + 1]], j)
    codes = codes.astype(np.min_scalar_type(int(n_levels.max()) - 1))
    return Levels(sp.csr_array((codes, X.indices, X.indptr), shape=(d, n)), n_levels, values, offsets)


def _interleave(first, a, b):
    """Put two encodings of parts of the columns together; ``first`` (d,) marks the columns of ``a``."""
    order = np.argsort(np.argsort(~first, kind="stable"), kind="stable")
    codes = np.concatenate([a.codes, b.codes])[order]
    parts = [part.values_of(j) for part in (a, b) for j in range(len(part.n_levels))]
    n_levels = np.concatenate([a.n_levels, b.n_levels])[order]
    return Levels(codes, n_levels, np.concatenate([parts[j] for j in order]), _offsets(n_levels))


def _offsets(n_levels):
    return np.concatenate([[0], np.cumsum(n_levels)])


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
            "Put fslib.discretize.ThreeLevelDiscretizer in front, or pass codes."
        )


def _warn_ids(levels):
    n = levels.shape[0]
    ids = np.flatnonzero(levels.n_levels >= max(ID_SHARE * n, ID_MIN_SAMPLES))
    if len(ids):
        j = ids[0]
        warnings.warn(
            f"{len(ids)} column(s) of X have nearly as many levels as rows (column {j}: {levels.n_levels[j]}). "
            "Such a column names rows instead of describing them: drop it, or discretise it.",
            UserWarning,
            stacklevel=3,
        )
