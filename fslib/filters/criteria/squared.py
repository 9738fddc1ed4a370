"""The criterion of regression with squared error (Ahmed et al., UAI 2015, Example 6)."""

from dataclasses import dataclass

import numpy as np

from fslib.filters.criteria.base import Criterion


@dataclass(frozen=True)
class Squared(Criterion):
    """Minus the smallest mean squared error: the mean variance of the target inside the cells.

    The paper calls this the criterion of forward regression. That is so when the conditional mean is linear in the
    features; ``estimator="linear"`` fits such a mean, ``"cells"`` one mean per cell.

    Parameters
    ----------
    estimator : {"cells", "linear"}
        How the target is predicted from the chosen features. "linear" is forward selection by ordinary least squares
        with an intercept; features are then numbers, not levels, and no table exists.

    Examples
    --------
    >>> y = np.array([1.0, 3.0, 6.0])
    >>> Squared().value([[2, 4, 10], [1, 6, 36]])     # cells {1, 3} and {6}: variance 1 in two thirds
    -0.6666666666666666
    """

    estimator: str = "cells"
    name = "squared"
    task = "regression"
    _columns = "3: samples, sum of y, sum of y^2"

    def __post_init__(self):
        if self.estimator not in ("cells", "linear"):
            raise ValueError(f"estimator={self.estimator!r} must be 'cells' or 'linear'.")

    def check_classes(self, n_classes):
        """Tables hold three moments in place of classes: samples, sum of y, sum of y^2."""
        if n_classes != 3:
            raise ValueError(f"Squared needs tables of 3 moments (samples, sum of y, sum of y^2), got {n_classes}.")

    def _check_table(self, table):
        self.check_classes(table.shape[-1])
        if not np.isfinite(table).all() or (table[..., 0] < 0).any():
            raise ValueError("moments must be finite, and no cell can hold a negative number of samples.")
        if (table[..., 0].sum(axis=-1) == 0).any():
            raise ValueError("table holds no sample.")

    def evaluate(self, counts, totals, pure):
        """Explained sums of squares need no sum of y^2 per cell: a search passes two moments and three totals."""
        n, total = np.asarray(counts[0], dtype=float), counts[1]
        explained = np.divide(total**2, n, out=np.zeros_like(n), where=n > 0).sum(axis=0).sum(axis=-1)
        return (explained - totals[2]) / totals[0]  # bayes Example 6
