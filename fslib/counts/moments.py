"""Mean and standard deviation of columns whose rows lie in parts: exact sums, so that the parts do not matter.

A value becomes a whole number of 2**-52 of its column's range, and whole numbers are added up without rounding.
"""

import math

import numpy as np

from fslib.counts.stretches import stretches

_BITS = 26  # of half a value; squares of 512 halves fit into 63 bits
_ROWS, _VALUES = 512, 1 << 15  # at most, of a block that stays in cache
_LOW = (1 << 32) - 1


class Moments:
    """Extremes and moments of the columns of a table.

    Parameters
    ----------
    each_part : callable
        Takes a function of (values (m, b), columns) and gives pairs (columns, what it returned) for all parts of the
        table, in any order. It is called twice.
    d : int
        Number of columns.
    ddof : {0, 1}
        Divisor of the variance is n - ddof.
    name : callable
        Name of a column, for messages.

    Attributes
    ----------
    low, high : arrays of shape (d,)
        Smallest and largest value.
    two_valued : array of bool, shape (d,)
        Whether there are no others.
    exponent : array of int, shape (d,)
        The unit of the moments is 2**exponent, at least the range; no square overflows in it, or becomes zero.
    mean, std : arrays of shape (d,)
        Of (x - low) / 2**exponent. Exact but for the rounding of x to 2**-52 in that unit.

    Raises
    ------
    ValueError
        If a value is missing or infinite, or there are no rows.

    Examples
    --------
    >>> X = np.array([[1.0], [2.0], [6.0]])
    >>> parts = lambda function: [(slice(0, 1), function(X[rows], slice(0, 1))) for rows in (slice(0, 1), slice(1, 3))]
    >>> found = Moments(parts, 1, 0, str)
    >>> found.low + found.mean * 2.0**found.exponent, found.std * 2.0**found.exponent      # 3, and the root of 14 / 3
    (array([3.]), array([2.1602469]))
    """

    def __init__(self, each_part, d, ddof, name):
        self.low, self.high = np.full(d, np.inf), np.full(d, -np.inf)
        self.two_valued = np.ones(d, dtype=bool)
        self._n, self._n_missing, self._n_infinite = (np.zeros(d, dtype=np.int64) for _ in range(3))
        for columns, found in each_part(_extremes):
            self._add_extremes(columns, *found)
        self._refuse_not_finite(name)
        self.exponent = range_exponent(self.low, self.high)
        sums, power_sums = np.zeros((8, d), dtype=np.int64), _PowerSums(self.low, self.exponent)
        for columns, part in each_part(power_sums):
            sums[:, columns] += part
        n = int(self._n[0])
        moments = [_mean_and_std(n, max(1, n - ddof), *column) for column in sums.T.tolist()]
        self.mean, self.std = np.array(moments).T

    def _add_extremes(self, columns, n, low, high, two_valued, n_missing, n_infinite):
        self._n[columns] += n
        self._n_missing[columns] += n_missing
        self._n_infinite[columns] += n_infinite
        if not n:
            return
        ends = np.stack([self.low[columns], self.high[columns], low, high])
        self.low[columns], self.high[columns] = np.minimum(ends[0], low), np.maximum(ends[1], high)
        known = (ends == self.low[columns]) | (ends == self.high[columns]) | (np.abs(ends) == np.inf)
        self.two_valued[columns] &= two_valued & known.all(axis=0)

    def _refuse_not_finite(self, name):
        for kind, n_cells in (("NaN", self._n_missing), ("infinity", self._n_infinite)):
            for j in np.flatnonzero(n_cells)[:1]:
                cells = "1 cell" if n_cells[j] == 1 else f"{n_cells[j]} cells"
                raise ValueError(
                    f"Input X contains {kind} in column {name(j)} ({cells}): leave these rows out, or impute them "
                    "first."
                )
        if not self._n.all():
            raise ValueError("X is empty: it needs at least one sample.")


def range_exponent(low, high):
    """Exponent of the power of two just above the range.

    Examples
    --------
    >>> range_exponent(np.array([1.0, -1e308]), np.array([6.0, 1e308]))
    array([   3, 1024], dtype=int32)
    """
    with np.errstate(over="ignore"):
        return np.frexp(np.minimum(high - low, np.finfo(float).max))[1]


def _extremes(values, columns):
    """Number of rows; smallest and largest values, whether there are no others, and what is not finite, per column."""
    b = values.shape[1]
    if not len(values):
        return 0, np.full(b, np.inf), np.full(b, -np.inf), np.ones(b, dtype=bool), 0, 0
    low, high = values.min(axis=0), values.max(axis=0)
    n_missing = n_infinite = 0
    if not (np.isfinite(low) & np.isfinite(high)).all():
        n_missing, n_infinite = np.isnan(values).sum(axis=0), np.isinf(values).sum(axis=0)
    two_valued = np.ones(b, dtype=bool)
    for rows in stretches(len(values), _ROWS):
        if not two_valued.any():
            break
        two_valued &= ((values[rows] == low) | (values[rows] == high)).all(axis=0)
    return len(values), low.astype(float), high.astype(float), two_valued, n_missing, n_infinite


class _PowerSums:
    """Sums of the whole numbers that stand for values, and of their squares, in pieces of 64 bits."""

    def __init__(self, low, exponent):
        self.low, self.exponent = low, exponent

    def __call__(self, values, columns):
        low, exponent = self.low[columns], self.exponent[columns]
        out = np.zeros((8, values.shape[1]), dtype=np.int64)
        for some in stretches(values.shape[1], _VALUES // min(_ROWS, len(values) + 1)):
            origin = np.ldexp(low[some], -exponent[some])
            for rows in stretches(len(values), _ROWS):
                unit = np.ldexp(values[rows, some].astype(float), -exponent[some])
                unit -= origin
                unit *= 2.0 ** (2 * _BITS)
                k = np.rint(unit, out=unit).astype(np.int64)
                a, b = k >> _BITS, k & ((1 << _BITS) - 1)
                out[0, some] += a.sum(axis=0)
                out[1, some] += b.sum(axis=0)
                for i, (x, y) in enumerate(((a, a), (a, b), (b, b))):
                    product = np.einsum("ij,ij->j", x, y)
                    out[2 + 2 * i, some] += product >> 32
                    out[3 + 2 * i, some] += product & _LOW
        return out


def _mean_and_std(n, n_free, a, b, aa, aa_low, ab, ab_low, bb, bb_low):
    """Moments in Python's whole numbers; one division of each rounds."""
    total = (a << _BITS) + b
    squares = (((aa << 32) + aa_low) << 2 * _BITS) + (((ab << 32) + ab_low) << _BITS + 1) + (bb << 32) + bb_low
    return total / (n << 2 * _BITS), math.sqrt((n * squares - total * total) / (n * n_free << 4 * _BITS))
