"""Counts of rows with weights: what a sample weight means, and a `LevelCounter` that adds weights up.

A whole number w stands for w equal rows, so all counts are whole numbers and every result is that of the repeated rows.
Other weights are added up in double precision; as everywhere, values within 1e-12 of each other count as equal.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from sklearn.utils.validation import _check_sample_weight

from fslib.counts.counter import LevelCounter
from fslib.counts.levels import Levels
from fslib.counts.stretches import split, stretches
from fslib.counts.ways import Task
from fslib.inputs import refuse_masked

_LARGEST_TOTAL = 2**53
"""Sum of whole weights below which counts are integers: up to here `numpy.bincount` adds them without rounding."""

_SAMPLES = 1 << 17  # samples whose keys are made at a time: 1 MB
_FEW = 8  # keys up to which comparing is faster than to add one at a time
_TABLE = 1 << 17  # cells of counts per block: 1 MB


def check_weights(sample_weight, X):
    """Validate sample weights.

    Parameters
    ----------
    sample_weight : None, number or array of shape (n,)
    X : array, DataFrame or sparse matrix of shape (n, d)

    Returns
    -------
    array of int64 or float, shape (n,), or None
        None if all rows weigh 1. int64 if all weights are whole numbers whose sum is below 2^53; otherwise multiplied
        by a power of two, which rounds nothing, so that the mean of the positive ones lies in [1, 2).

    Raises
    ------
    ValueError
        If a weight is negative or no finite number, all are zero, or there is not one for each row.

    Examples
    --------
    >>> check_weights([2, 0, 1.0], np.zeros((3, 1)))
    array([2, 0, 1])
    >>> check_weights(0.25, np.zeros((3, 1)))
    array([1., 1., 1.])
    """
    if sample_weight is None:
        return None
    refuse_masked(sample_weight, "sample_weight")
    given = np.asarray(sample_weight)
    if given.dtype.kind in "USmMc" or type(sample_weight) is dict:
        raise ValueError("sample_weight must hold a number for each row of X, or be one number.")
    if given.size == 0:
        raise ValueError("sample_weight is empty: give every row of X a weight.")
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
    if not np.isfinite(weights).all():
        raise ValueError("sample_weight holds NaN or infinity: give every row a finite weight, 0 to leave it out.")
    if (weights < 0).any():
        row = int(np.argmax(weights < 0))
        raise ValueError(
            f"sample_weight holds a negative number ({weights[row]:g} for row {row}): weights say how often a row "
            "counts and must not be negative."
        )
    if not weights.any():
        raise ValueError("all weights in sample_weight are zero: at least one row must count.")
    if (weights == 1).all():
        return None
    with np.errstate(over="ignore"):
        total = weights.sum()
    if (weights == np.floor(weights)).all() and total < _LARGEST_TOTAL:
        return weights.astype(np.int64)
    weights = np.ldexp(weights, -np.frexp(weights.max())[1])  # below 1 first: the sum of huge weights is infinite
    return np.ldexp(weights, 1 - np.frexp(weights[weights > 0].mean())[1])


def effective_size(weights, n):
    """Number of samples that weights stand for; what a correction for small samples divides by.

    Parameters
    ----------
    weights : array as returned by `check_weights`, or None
    n : int
        Number of rows.

    Returns
    -------
    int or float
        n without weights; the sum of whole weights, since they count rows; otherwise Kish's ``(sum w)^2 / sum w^2``,
        which does not depend on the scale of the weights.

    Notes
    -----
    A share p of the weight has the variance ``p (1 - p) sum w^2 / (sum w)^2`` if weights do not depend on the level, as
    it has in ``(sum w)^2 / sum w^2`` samples of equal weight. So this is the n of Miller and Madow's correction, which
    comes from that variance, and of the divisor n - 1 of an unbiased one.

    Examples
    --------
    >>> effective_size(np.array([2, 1]), 2), effective_size(np.array([1.5, 0.5]), 2)
    (3, 1.6)
    """
    if weights is None:
        return n
    if weights.dtype.kind == "i":
        return int(weights.sum())
    return float(weights.sum() ** 2 / (weights**2).sum())


def tally(key, weights=None, n_keys=0):
    """How often each key occurs, or its summed weight: `numpy.bincount` that keeps whole numbers whole.

    Examples
    --------
    >>> tally(np.array([0, 2, 2]), np.array([3, 1, 1])), tally(np.array([0, 2, 2]), np.array([0.5, 1, 1]))
    (array([3, 0, 2]), array([0.5, 0. , 2. ]))
    """
    if weights is None and key.dtype.itemsize == 1 and len(key) and key.min() >= 0:
        n_keys = max(n_keys, int(key.max()) + 1)
        if n_keys <= _FEW:
            return np.array([np.count_nonzero(key == k) for k in range(n_keys)])
    counts = np.bincount(key, weights, n_keys)
    return counts if weights is None else counts.astype(weights.dtype, copy=False)  # without keys NumPy returns int


def moments(y, weights=None):
    """Mean and population standard deviation of a target.

    Examples
    --------
    >>> moments(np.array([0.0, 3.0]), np.array([2, 1]))
    (1.0, 1.4142135623730951)
    """
    if weights is None:
        return y.mean(), y.std()
    mean = np.average(y, weights=weights)
    return float(mean), float(np.sqrt(np.average((y - mean) ** 2, weights=weights)))


@dataclass(eq=False)
class WeightedLevels(Levels):
    """Levels of samples that have weights.

    Attributes
    ----------
    weights : array of int64 or float, shape (n,)
        Positive, as returned by `check_weights`.
    """

    weights: np.ndarray
    kernels = None

    def counter(self, *, n_jobs=None):
        """`WeightedCounter` of these levels."""
        return WeightedCounter(self, n_jobs=n_jobs)

    def columns(self, chosen):
        """Levels of some of the columns (an index or boolean array), in that order."""
        some = super().columns(chosen)
        return WeightedLevels(some.codes, some.n_levels, self.weights)

    def take(self, samples, n_threads=1):
        """Levels and weights of some of the samples (an index or boolean array)."""
        some = super().take(samples, n_threads)
        return WeightedLevels(some.codes, some.n_levels, self.weights[samples])


class WeightedCounter(LevelCounter):
    """`LevelCounter` whose counts are sums of the weights of samples, int64 or float as these are.

    Notes
    -----
    One pass over the samples per feature, or over the entries of sparse features; bits serve for equal weights only.

    Examples
    --------
    >>> from fslib.counts.levels import encode_levels
    >>> levels = encode_levels(np.array([[0, 1], [1, 1], [1, 2], [0, 1]]))
    >>> counter = WeightedLevels(levels.codes, levels.n_levels, np.array([1, 2, 3, 4])).counter()
    >>> counter.count(np.array([0, 0, 1, 1]), 2)[1]
    array([[4, 3],
           [4, 3]])
    """

    def count(self, group, n_groups, columns=None):
        """Count into one array; levels that a feature does not have are counted as 0."""
        if columns is not None:
            return self.levels.columns(columns).counter(n_jobs=self.n_jobs).count(group, n_groups)
        levels = self.levels
        out = np.zeros((n_groups, levels.shape[1], int(levels.n_levels.max())), dtype=levels.weights.dtype)
        for block, counts in self.blocks(group, n_groups):
            out[:, block, : counts.shape[2]] = counts
        return out

    def is_tall(self, n_groups):
        """Never: tables of weighted samples are made whole, so there is no `fold` here."""
        return False

    def sort_by(self, classes, n_classes, n_counts):
        """Do nothing: weighted samples are not counted by bits."""

    def width(self, n_levels, n_groups):
        """Features of so many levels in a block."""
        return max(1, _TABLE // (n_groups * n_levels))

    def _tasks(self, group, n_groups, n_pieces):
        count = self._count_entries if self.levels.is_sparse else self._count_keys
        return [
            Task(part, [partial(count, part, n_levels, group, n_groups)], lambda counts: counts)
            for n_levels, columns in self._bins
            for part in split(columns, self.width(n_levels, n_groups))
        ]

    def _pieces(self, n_groups):
        return 1  # sums of floats depend on where samples are cut

    def _count_keys(self, columns, n_levels, group, n_groups):
        """Count all samples, feature by feature."""
        weights = self.levels.weights
        out = np.zeros(((n_groups + 1) * n_levels, len(columns)), dtype=weights.dtype)  # the first table is thrown away
        for part in stretches(len(group), max(_SAMPLES, len(out))):
            base = (group[part] + np.int64(1)) * n_levels
            for j, column in enumerate(columns):
                out[:, j] += tally(base + self.levels.codes[column, part], weights[part], len(out))
        return out[n_levels:].reshape(n_groups, n_levels, len(columns)).transpose(0, 2, 1)

    def _count_entries(self, columns, n_levels, group, n_groups):
        """Count the stored entries of sparse features; level 0 is what they leave of each group."""
        weights, codes = self.levels.weights, self.levels.codes
        base = (group + np.int64(1)) * n_levels
        n_keys = (n_groups + 1) * n_levels
        by_group = partial(tally, group + np.int64(1), n_keys=n_groups + 1)
        sizes, n_samples = by_group(weights), by_group()
        out = np.empty((n_groups + 1, n_levels, len(columns)), dtype=weights.dtype)
        for j, column in enumerate(columns):
            entries = slice(*codes.indptr[column : column + 2])
            samples = codes.indices[entries]
            key = base.take(samples)
            key += codes.data[entries]
            table = tally(key, weights.take(samples), n_keys).reshape(-1, n_levels)
            table[:, 0] += sizes - table.sum(axis=1)
            if weights.dtype.kind == "f":  # what is left of a difference is not a weight where no sample is left
                left = n_samples - tally(key, n_keys=n_keys).reshape(-1, n_levels).sum(axis=1)
                table[:, 0] = np.where(left > 0, np.maximum(table[:, 0], np.finfo(float).tiny), 0.0)
            out[:, :, j] = table
        return out[1:].transpose(0, 2, 1)


def weigh(levels, weights):
    """`WeightedLevels`, or the levels themselves without weights."""
    return levels if weights is None else WeightedLevels(levels.codes, levels.n_levels, weights)
