"""Criteria of measures that do not add up over samples: F-beta and the area under the ROC curve.

Source: Ahmed, Narasimhan and Agarwal (UAI 2015), section 3.1, Examples 7 and 8. With more than two classes both are the
mean over one-versus-rest problems; the area can also be the mean over pairs of classes.
"""

import abc
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from fslib.filters.criteria.base import Criterion


class _OneVersusRest(Criterion):
    """A measure of two classes, averaged over one-versus-rest problems when there are more."""

    def check_classes(self, n_classes):
        """Raise ValueError if there is nothing to tell apart."""
        if n_classes < 2:
            raise ValueError(f"{type(self).__name__} is defined for two classes or more, got {n_classes}.")

    @abc.abstractmethod
    def evaluate_binary(self, counts, totals, pure):
        """Value of the measure for two classes; same arguments and shapes as ``evaluate``."""

    def evaluate(self, counts, totals, pure):
        """Take two classes as they are, average over more."""
        if len(counts) == 2:
            return self.evaluate_binary(counts, totals, pure)
        parts = counts, totals, pure
        everything = [part.sum(axis=0) for part in parts]
        values = 0.0
        for c in range(len(counts)):
            pairs = (np.stack([rest - one[c], one[c]]) for rest, one in zip(everything, parts, strict=True))
            values = values + self.evaluate_binary(*pairs)
        return values / len(counts)


@dataclass(frozen=True)
class FBeta(_OneVersusRest):
    """Largest F-beta of any classifier, (1 + beta^2) / (beta^2 / recall + 1 / precision) (Example 7).

    The published formula has recall and precision exchanged: the published measure is ``FBeta(1 / beta)``. The two
    agree at beta = 1 only.

    Parameters
    ----------
    beta : float
        Recall counts beta times as much as precision; positive.

    Notes
    -----
    The best classifier thresholds the class probability of the cells. Instead of sorting them, the threshold is found
    by Dinkelbach's iteration for ratios: at a value f that is reached, every cell with (1 + beta^2) n_1 > f n is called
    positive, which gives the next f; no cell changes any more after a handful of rounds, and the value is exact.

    Examples
    --------
    >>> FBeta().value([[3, 1], [0, 4]])     # precision 1, recall 4/5
    0.8888888888888888
    """

    beta: float = 1.0
    name = "f_beta"

    def __post_init__(self):
        if not 0 < self.beta < np.inf:
            raise ValueError(f"beta={self.beta} must be positive and finite.")

    def evaluate_binary(self, counts, totals, pure):
        """Iterate for all tables at once; pure positive cells are always called positive."""
        square = self.beta**2
        positives = counts[1]
        size = counts[0] + positives
        best = (1 + square) * totals[1] / (square * totals[1] + totals.sum(axis=0))  # everything called positive
        best = np.broadcast_to(best, size.shape[1:2])
        while True:
            chosen = (1 + square) * positives > best[None, :, None] * size
            hit = (positives * chosen).sum(axis=0).sum(axis=-1) + pure[1]
            called = (size * chosen).sum(axis=0).sum(axis=-1) + pure[1]
            value = (1 + square) * hit / (square * totals[1] + called)  # bayes Example 7
            if not (value > best).any():
                return np.maximum(value, best)
            best = np.maximum(value, best)


@dataclass(frozen=True)
class AUC(_OneVersusRest):
    """Largest area under the ROC curve of any scoring function (Example 8): score a cell by its class probability.

    Parameters
    ----------
    average : {"ovr", "ovo"}
        With more than two classes, the mean over classes, each against the rest, or over pairs of classes; each term
        may have a scoring function of its own.

    Notes
    -----
    The paper's double sum over pairs of cells equals one pass over the cells sorted by class probability: a pair of a
    positive and a negative sample is lost when the negative stands higher, and half lost when they share a cell. Pairs
    with a sample of a pure cell are never lost.

    Examples
    --------
    >>> AUC().value([[3, 1], [0, 4]])       # of 3 x 5 pairs, the 3 x 1 inside the first cell are ties
    0.9
    """

    average: str = "ovr"
    name = "auc"

    def __post_init__(self):
        if self.average not in ("ovr", "ovo"):
            raise ValueError(f"average={self.average!r} must be 'ovr' or 'ovo'.")

    def evaluate(self, counts, totals, pure):
        """Average over the rest or over pairs."""
        if self.average == "ovr":
            return super().evaluate(counts, totals, pure)
        pairs = [list(pair) for pair in combinations(range(len(counts)), 2)]
        return sum(self.evaluate_binary(counts[p], totals[p], pure[p]) for p in pairs) / len(pairs)

    def evaluate_binary(self, counts, totals, pure):
        """Sort the cells of each table, then count lost pairs, doubled to stay with whole numbers."""
        n_tables = counts.shape[2]
        negatives, positives = (np.moveaxis(part, 1, 0).reshape(n_tables, -1).astype(float) for part in counts)
        eta = positives / np.maximum(negatives + positives, np.finfo(float).tiny)
        order = np.argsort(eta, axis=1)
        negatives = np.take_along_axis(negatives, order, axis=1)
        positives = np.take_along_axis(positives, order, axis=1)
        seen = np.cumsum(negatives, axis=1)
        above = seen[:, -1:] - seen
        lost = (positives * (2 * above + negatives)).sum(axis=1)
        return 1 - lost / (2.0 * totals[0] * totals[1])  # bayes Example 8
