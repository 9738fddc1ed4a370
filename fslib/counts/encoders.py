"""Ways to give the distinct values of columns small integer codes; `fslib.counts.levels` chooses among them.

All return a pair: codes, unsigned and of shape (d, n), dense or CSR; and the numbers of levels (d,).
"""

import numbers
from functools import partial

import numpy as np
import scipy.sparse as sp

from fslib.counts.stretches import stretches
from fslib.counts.threads import run

MAX_FLOAT_LEVELS = 32
"""A float column with fractional values and more distinct values than this is a measurement, not a code."""

_BESIDE = 1 << 10  # values side by side in a reduction
_SHARE = 1 << 14  # samples that are worth a thread
_BYTES = 1 << 20  # of values compared at a time
_VALUES = 1 << 17  # values handled at a time: a block of rows stays in cache while it is checked or transposed


def encode_array(X, n_threads=1):
    """Encode a numeric array: small whole numbers all columns at once, the others one by one."""
    if X.dtype == bool:
        X = X.view(np.uint8)
    if 0 in X.shape:
        raise ValueError(f"X is empty: {X.shape[0]} sample(s) and {X.shape[1]} feature(s).")
    low, high = _ranges(X, n_threads)
    if X.dtype.kind == "f":
        _refuse_non_finite(low, high)
        small = high - low < 256
        for rows in stretches(len(X), max(1, _VALUES // X.shape[1])):
            if not small.any():
                break
            small &= (X[rows] == np.trunc(X[rows])).all(axis=0)
    else:
        small = (high - low).astype(f"u{X.itemsize}") < 256  # unsigned: exact where the difference itself overflows
    if not small.any():
        return encode_columns(X.T)
    if small.all():
        return _encode_small(X, low, high, n_threads)
    # Both kinds: encode apart, then put the rows of codes back in the order of the columns.
    return _interleave(
        small,
        _encode_small(X, low, high, n_threads, np.flatnonzero(small)),
        encode_columns([X[:, j] for j in np.flatnonzero(~small)]),
    )


def _ranges(X, n_threads):
    """Smallest and largest value of every column; X is read once."""

    def find(rows):
        found = []
        for block in (X[rows][part] for part in stretches(rows.stop - rows.start, max(1, _BYTES // X[0].nbytes))):
            # Rows side by side: reductions along the first axis are quicker where the second one is long.
            beside = max(1, _BESIDE // X.shape[1]) if X.flags.c_contiguous else 1
            wide = block[: len(block) // beside * beside].reshape(-1, beside * X.shape[1])
            rest = block[len(wide) * beside :]
            for reduce in (np.minimum.reduce, np.maximum.reduce):
                parts = [reduce(wide, axis=0).reshape(beside, -1)] if len(wide) else []
                found.append(reduce(np.concatenate([*parts, rest]), axis=0))
        return np.minimum.reduce(found[::2]), np.maximum.reduce(found[1::2])

    low, high = zip(*run([partial(find, rows) for rows in _shares(len(X), n_threads)], n_threads), strict=True)
    return np.minimum.reduce(low), np.maximum.reduce(high)


def _shares(n, n_threads):
    """Slices of the samples for threads."""
    return list(stretches(n, n if n_threads == 1 else max(_SHARE, -(-n // (2 * n_threads)))))


def _encode_small(X, low, high, n_threads, columns=slice(None)):
    """Whole numbers at most 255 above ``low`` in every column; X is read once, a block of rows at a time."""
    low, spread = low[columns], (high - low)[columns]
    if X.dtype.kind != "f":
        spread = spread.astype(f"u{X.itemsize}")
    n, d, span = len(X), len(low), int(spread.max()) + 1
    codes = np.empty((d, n), dtype=np.uint8)
    every = ((2 << spread.astype(np.intp).clip(max=7)) - 1).astype(np.uint8)  # one bit per level, where there are few
    is_code = X.dtype == np.uint8 and not low.any()

    def fill(share):
        """Write the codes of some samples, and return the levels that occur among them."""
        batch = min(share.stop - share.start, max(64, _VALUES // d))
        scratch = np.empty((batch, d), dtype=np.uint8)
        occurring = np.zeros(d, dtype=np.uint8)
        for part in stretches(share.stop - share.start, batch):
            rows = slice(share.start + part.start, share.start + part.stop)
            block = X[rows][:, columns]
            if not is_code:
                block = np.subtract(block, low, out=scratch[: len(block)], casting="unsafe")
            if span <= 8 and len(open_ := np.flatnonzero(occurring != every)):
                some = block if len(open_) == d else block[:, open_]
                occurring[open_] |= np.bitwise_or.reduce(np.left_shift(np.uint8(1), some), axis=0)
            codes[:, rows] = block.T
        return occurring

    occurring = np.bitwise_or.reduce(list(run([partial(fill, share) for share in _shares(n, n_threads)], n_threads)))
    if span <= 8:
        present = np.unpackbits(occurring[:, None], axis=1, count=span, bitorder="little").astype(bool)
    else:
        present = np.stack([_occurring(row, span) for row in codes])  # (d, L)
    n_levels = present.sum(axis=1)
    gaps = np.flatnonzero(n_levels < present.shape[1] - present[:, ::-1].argmax(axis=1))
    rank = (np.cumsum(present[gaps], axis=1) - 1).astype(np.uint8)
    for row, j in enumerate(gaps):
        for part in stretches(n, _VALUES):
            codes[j, part] = rank[row][codes[j, part]]
    return codes, n_levels


def _occurring(row, span):
    """Which codes below ``span`` occur in a row, bool (span,)."""
    occurring = np.zeros(span, dtype=bool)
    occurring[row] = True
    return occurring


def encode_columns(columns, names=None):
    """Encode each column by itself; the way for strings, mixed values and wide numbers."""
    pairs = [_encode_column(column, j if names is None else repr(names[j])) for j, column in enumerate(columns)]
    if not pairs or not len(pairs[0][0]):
        raise ValueError("X is empty: it needs at least one sample and one feature.")
    n_levels = np.array([n for _, n in pairs])
    dtype = np.min_scalar_type(int(n_levels.max()) - 1)
    return np.stack([code.astype(dtype, copy=False) for code, _ in pairs]), n_levels


def _encode_column(column, name):
    """Code of every sample of one column, by sorted value, and the number of levels."""
    if column.dtype.kind in "biufUS":
        if column.dtype.kind == "f":
            _refuse_non_finite(column.min(keepdims=True), column.max(keepdims=True), names=[name])
        values, codes = np.unique(column, return_inverse=True)
    else:
        items = column.tolist()
        try:
            distinct = set(items)
        except TypeError as error:  # lists, for instance
            raise TypeError(f"Column {name} of X holds no levels ({error}): make text of its cells.") from error
        refuse_missing(distinct, name)
        values = order_values(distinct)
        code = {value: c for c, value in enumerate(values)}
        codes = np.fromiter((code[v] for v in items), dtype=np.intp, count=len(items))
    refuse_measurements(values, name)
    return codes.astype(np.min_scalar_type(len(values) - 1)), len(values)


def order_values(values):
    """Sort values of any types: numbers first, then type by type, since different types have no common order."""
    return sorted(values, key=lambda v: ("" if isinstance(v, numbers.Real) else type(v).__name__, v))


def distinct_values(column):
    """Distinct values of a column of numbers, sorted."""
    if column.dtype.kind == "f" and not np.isfinite(column).all():
        return column[~np.isfinite(column)][:1]  # for the message of `refuse_missing`
    if column.dtype.kind == "b":
        column = column.view(np.uint8)
    low, high = int(column.min()), int(column.max())
    if high - low < max(256, len(column)) and max(abs(low), abs(high)) < 2**52:
        offset = column.astype(np.int64) - low
        if column.dtype.kind != "f" or (column == np.trunc(column)).all():
            return np.flatnonzero(np.bincount(offset)).astype(column.dtype) + column.dtype.type(low)
    return np.unique(column)


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
    distinct, code = _distinct(X.data)
    # One number per (column, value); those that occur, in order, are the levels of the columns.
    n_stored = np.diff(X.indptr)
    base = max(1, len(distinct))
    kind = np.int32 if d * base < 2**31 else np.int64
    pair = np.repeat(np.arange(d, dtype=kind) * kind(base), n_stored)
    pair += code.astype(kind, copy=False)
    del code
    occurring, pair = _distinct(pair)
    owner = occurring // base
    n_levels = np.bincount(owner, minlength=d) + 1
    pair -= np.repeat((np.cumsum(n_levels - 1) - n_levels).astype(pair.dtype), n_stored)  # the first one becomes 1
    for j in np.flatnonzero(n_levels > MAX_FLOAT_LEVELS):
        refuse_measurements([X.dtype.type(0), *distinct[occurring[owner == j] % base]], j)
    codes = pair.astype(np.min_scalar_type(int(n_levels.max()) - 1))
    return sp.csr_array((codes, X.indices, X.indptr), shape=(d, n)), n_levels


def _distinct(values):
    """Distinct values, sorted, and the position of each value among them; by marking where their range allows."""
    if len(values) and values.dtype.kind in "biuf":
        low, high = float(values.min()), float(values.max())
        n, furthest = high - low + 1, max(abs(low), abs(high))
        whole = values.dtype.kind != "f" or (values == np.trunc(values)).all()
        if whole and n <= max(4 * len(values), 1 << 16) and furthest < 2**52:  # where a float is exact
            offset = values.astype(np.int32 if furthest < 2**30 else np.int64)
            offset -= int(low)
            seen = np.zeros(int(n), dtype=bool)
            seen[offset] = True
            occurring = np.flatnonzero(seen)
            if len(occurring) < len(seen):
                offset = (np.cumsum(seen, dtype=np.int32) - 1).take(offset)
            return (occurring + int(low)).astype(values.dtype), offset
    return np.unique(values, return_inverse=True)


def _interleave(first, a, b):
    """Put two encodings of parts of the columns together; ``first`` (d,) marks the columns of ``a``."""
    order = np.argsort(np.argsort(~first, kind="stable"), kind="stable")
    return np.concatenate([a[0], b[0]])[order], np.concatenate([a[1], b[1]])[order]


def refuse_missing(values, name):
    """Raise if one of the values is missing or infinite."""
    if any(_is_missing(v) for v in values):
        raise ValueError(
            f"Input X contains NaN, None or infinity in column {name}: drop these rows or impute them first."
        )


def _is_missing(value):
    same = value == value  # False for NaN, neither True nor False for pandas' NA
    infinite = isinstance(value, numbers.Number) and value in (np.inf, -np.inf)
    return value is None or infinite or not (isinstance(same, bool | np.bool_) and same)


def _refuse_non_finite(low, high, names=None):
    bad = np.flatnonzero(~(np.isfinite(low) & np.isfinite(high)))
    if len(bad):
        name = bad[0] if names is None else names[bad[0]]
        raise ValueError(f"Input X contains NaN or infinity in column {name}: drop these rows or impute them first.")


def refuse_measurements(values, name):
    """Raise if a float column has many fractional values: it would get a level per sample."""
    if len(values) <= MAX_FLOAT_LEVELS or not isinstance(values[0], float | np.floating):
        return
    if any(v != int(v) for v in values if isinstance(v, float | np.floating)):
        raise ValueError(
            f"Column {name} of X holds {len(values)} different values with fractions, too many for a discrete feature. "
            "Put fslib.counts.discretize.ThreeLevelDiscretizer in front, or pass codes."
        )
