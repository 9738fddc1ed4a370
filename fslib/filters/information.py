"""MIGreedy and MIScore: mutual information with the class, which is the Bayes criterion of the log loss.

The log criterion is minus the conditional entropy of the class; adding the entropy of the class, a constant, gives the
mutual information (Ahmed, Narasimhan and Agarwal, UAI 2015, Example 5). Nothing else is implemented here.
"""

import numpy as np

from fslib.counts.counter import xlogx
from fslib.filters.bayes import BayesGreedy, BayesScore


class _ReportsInformation:
    """Selectors of the log criterion that report mutual information, in nats."""

    criterion = "log"

    def _report(self, values, problem):
        entropy = -problem.empty_value()  # by the same sums as the values, so that no information is exactly 0
        return np.clip(np.asarray(values, dtype=float) + entropy, 0.0, entropy)


class MIScore(_ReportsInformation, BayesScore):
    """Rank features by their mutual information with the class.

    There is no ``tie_break``: it brings the log criterion in where another one ties, and here that is the criterion.

    Parameters
    ----------
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half.
    n_jobs : int or None
        Threads. The result does not depend on it.

    Attributes
    ----------
    scores_ : array of shape (d,)
        Plug-in mutual information in nats, between 0 and the smaller one of the two entropies; no bias correction.
    ranking_, support_, classes_
        As for `BayesScore`.

    Raises
    ------
    ValueError
        As for `BayesScore`.

    Examples
    --------
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> MIScore(n_features_to_select=1).fit(X, [0, 0, 1, 1]).scores_
    array([0.69314718, 0.        ])
    """

    def __init__(self, *, n_features_to_select=None, n_jobs=None):
        self.n_features_to_select = n_features_to_select
        self.n_jobs = n_jobs

    def _report(self, values, problem):
        information = super()._report(values, problem)
        everyone = np.zeros(len(problem.labels), dtype=np.intp)
        n = len(everyone)
        entropy = lambda counts: np.log(n) - xlogx(counts[0]).sum(axis=-1) / n
        return np.minimum(information, np.maximum(problem.counter.score(entropy, everyone, 1), 0.0))


class MIGreedy(_ReportsInformation, BayesGreedy):
    """Greedy search for the features with the largest joint mutual information with the class.

    There is no ``tie_break``: it brings the log criterion in where another one ties, and here that is the criterion.

    Parameters
    ----------
    n_features_to_select, order, direction, min_gain, n_jobs
        As for `BayesGreedy`; ``order=2`` averages the joint information of pairs, and ``min_gain`` is in nats.

    Attributes
    ----------
    criterion_values_ : array of shape (k,)
        Mutual information in nats (or its average over subsets) for the first 1 ... k features of ``ranking_``.
    ranking_, support_, scores_, n_informative_, n_tied_, classes_
        As for `BayesGreedy`.

    Raises
    ------
    ValueError
        As for `BayesGreedy`.

    Examples
    --------
    >>> X = np.array([[0, 0, 1], [0, 0, 1], [1, 1, 0], [1, 1, 1]])
    >>> MIGreedy(n_features_to_select=2).fit(X, [0, 1, 2, 3]).get_support(indices=True)
    array([0, 2])
    """

    def __init__(self, *, n_features_to_select=None, order="exact", direction="forward", min_gain=None, n_jobs=None):
        self.n_features_to_select = n_features_to_select
        self.order = order
        self.direction = direction
        self.min_gain = min_gain
        self.n_jobs = n_jobs
