"""Criteria of losses that add up over samples: 0-1, costs, balanced, logarithmic, and the one of Yang and Hu.

Source: Ahmed, Narasimhan and Agarwal (UAI 2015), section 3.1, Examples 2 to 5, in their plug-in form (section 3.2).
"""

from dataclasses import dataclass
from functools import lru_cache, reduce

import numpy as np

from fslib.counts.counter import xlogx
from fslib.filters.criteria.base import AdditiveCriterion, BinaryCriterion


@dataclass(frozen=True)
class ZeroOne(AdditiveCriterion):
    """Minus the smallest share of misclassified samples (Example 2); any number of classes.

    Examples
    --------
    >>> ZeroOne().value([[3, 1], [0, 4]])
    -0.125
    """

    name = "zero_one"

    def cell_loss(self, counts, totals):
        """Count all but the majority class."""
        if len(counts) == 2:
            return np.minimum(counts[0], counts[1])  # bayes Example 2
        return counts.sum(axis=0) - counts.max(axis=0)

    def _loss_table(self, counts, totals):
        return None if len(counts) == 2 else super()._loss_table(counts, totals)

    def _loss_of_bytes(self, counts, totals):
        return np.minimum(counts[0], counts[1]) if len(counts) == 2 else super()._loss_of_bytes(counts, totals)


@dataclass(frozen=True)
class CostSensitive(BinaryCriterion, AdditiveCriterion):
    """Minus the smallest mean cost when a false positive costs c and a false negative 1 - c (Example 3).

    Parameters
    ----------
    c : float
        Cost of a false positive, in (0, 1). At 1/2 the criterion is half of the 0-1 criterion.

    Examples
    --------
    >>> CostSensitive(0.25).value([[3, 1], [0, 4]])     # calling the first cell positive costs 3/4, negative 3/4
    -0.09375
    """

    c: float = 0.5
    name = "cost_sensitive"

    def __post_init__(self):
        if not 0 < self.c < 1:
            raise ValueError(f"c={self.c} is the cost of a false positive and must lie strictly between 0 and 1.")

    def cell_loss(self, counts, totals):
        """Charge the cheaper of the two decisions."""
        return np.minimum((1 - self.c) * counts[1], self.c * counts[0])  # bayes Example 3


@dataclass(frozen=True)
class CostMatrix(AdditiveCriterion):
    """Minus the smallest mean cost for any table of costs.

    Parameters
    ----------
    costs : array-like of shape (classes, decisions)
        ``costs[c][d]`` is paid when decision d is taken for a sample of class c. There may be more decisions than
        classes: a further column is a price for abstaining.

    Examples
    --------
    >>> CostMatrix([[0, 0.25], [0.75, 0]]).value([[3, 1], [0, 4]]) == CostSensitive(0.25).value([[3, 1], [0, 4]])
    True
    """

    costs: tuple = ((0.0, 1.0), (1.0, 0.0))
    name = "cost_matrix"

    def __post_init__(self):
        costs = np.asarray(self.costs, dtype=float)
        if costs.ndim != 2 or costs.size == 0 or not np.isfinite(costs).all():
            raise ValueError(f"costs must be finite numbers of shape (classes, decisions), got shape {costs.shape}.")
        object.__setattr__(self, "costs", tuple(map(tuple, costs.tolist())))  # comparable and hashable

    def check_classes(self, n_classes):
        """Raise ValueError unless there is a row of costs for each class."""
        if len(self.costs) != n_classes:
            raise ValueError(f"CostMatrix has costs for {len(self.costs)} classes, but there are {n_classes}.")

    def cell_loss(self, counts, totals):
        """Charge the cheapest decision."""
        by_decision = np.asarray(self.costs, dtype=float).T
        return reduce(np.minimum, (np.tensordot(paid, counts, axes=1) for paid in by_decision))


@dataclass(frozen=True)
class Balanced(AdditiveCriterion):
    """Minus the smallest balanced 0-1 loss, each class weighted by the inverse of its share (Example 4).

    With two classes this is minus *twice* the balanced error rate (the mean of the two class-wise error rates);
    with K classes minus K times.

    Examples
    --------
    >>> Balanced().value([[4, 1], [4, 1]])      # nothing learnt: half of each class is wrong, and 2 x 1/2 = 1
    -1.0
    """

    name = "balanced"

    def cell_loss(self, counts, totals):
        """Add up all shares but the largest."""
        shares = counts / totals
        if len(shares) == 2:
            return np.minimum(shares[0], shares[1])  # bayes Example 4
        return shares.sum(axis=0) - shares.max(axis=0)

    def scale(self, totals):
        """One: shares are normalised already."""
        return 1.0


@dataclass(frozen=True)
class Log(AdditiveCriterion):
    """Minus the conditional entropy of the class in nats: the log loss of the best probabilities (Example 5).

    Adding the entropy of the class gives the mutual information, so both rank sets of features the same.

    Examples
    --------
    >>> Log().value([[1, 1]])       # an even chance: ln 2
    -0.6931471805599453
    """

    name = "log"

    def cell_loss(self, counts, totals):
        """Multiply size and entropy: n ln n - sum over classes of n_c ln n_c."""
        loss = _x_ln_x(reduce(np.add, counts))
        for count in counts:
            loss -= _x_ln_x(count)  # bayes Example 5
        return np.maximum(loss, 0.0, out=loss)  # rounding must not make a pure cell better than certain


@dataclass(frozen=True)
class YangHu(AdditiveCriterion):
    """The criterion that Yang and Hu (2012) optimise in place of the 0-1 error: -E[2 eta (1 - eta)] for two classes.

    Example 2 of Ahmed et al., with the class coded 0 and 1, shows that its best features need not be the best for the
    0-1 error. It is the Gini impurity, and extends to any number of classes as such.

    Examples
    --------
    >>> YangHu().value([[3, 1], [0, 4]])    # 2 x 3/4 x 1/4 in half of the samples
    -0.1875
    """

    name = "yang_hu"

    def cell_loss(self, counts, totals):
        """Multiply size and Gini impurity: n - sum over classes of n_c^2 / n."""
        n = np.asarray(reduce(np.add, counts), dtype=float)
        squares = reduce(np.add, (np.square(count, dtype=float) for count in counts))
        return n - np.divide(squares, n, out=np.zeros_like(n), where=n > 0)


_LARGEST_TABLE = 1 << 20  # 8 MB


@lru_cache(maxsize=8)
def _x_ln_x_table(size):
    """Values of r ln r for r = 0 ... size - 1."""
    table = xlogx(np.arange(size))
    table.flags.writeable = False
    return table


def _x_ln_x(counts):
    """Elementwise r ln r with 0 ln 0 = 0; counts are looked up, since logarithms dominate the search otherwise."""
    counts = np.asarray(counts)
    size = 1 << int(counts.max(initial=0) + 1).bit_length()
    if counts.dtype.kind in "iu" and size <= _LARGEST_TABLE:
        return _x_ln_x_table(size).take(counts)
    return xlogx(counts)
