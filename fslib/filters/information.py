"""MIGreedy and MIScore: mutual information with the class, which is the Bayes criterion of the log loss.

The log criterion is minus the conditional entropy of the class; adding the entropy of the class, a constant, gives the
mutual information (Ahmed, Narasimhan and Agarwal, UAI 2015, Example 5). Nothing else is implemented here.
"""

import numpy as np

from fslib.base import check_choice
from fslib.counts.counter import xlogx
from fslib.counts.weighted import effective_size
from fslib.filters.bayes import BayesGreedy, BayesScore
from fslib.filters.information_greedy import ESTIMATORS


class _ReportsInformation:
    """Selectors of the log criterion that report mutual information, in nats."""

    criterion = "log"

    def _report(self, values, problem):
        entropy = -problem.empty_value()  # by the same sums as the values, so that no information is exactly 0
        return np.clip(np.asarray(values, dtype=float) + entropy, 0.0, entropy)  # bayes Eq. 2


class MIScore(_ReportsInformation, BayesScore):
    """Rank features by their mutual information with the class.

    The score is the plug-in estimate of ``I(X_j; Y) = H(Y) - H(Y | X_j)``. Use it as a fast first look, or where
    probabilities matter more than decisions; copies of a feature tie, and features that are informative only jointly
    score zero. There is no ``tie_break``, since the log criterion that breaks the ties of other criteria is the
    criterion here.

    Parameters
    ----------
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half.
    estimator : {"plug_in", "miller_madow"}
        The plug-in estimate is too large by about (m_x - 1) (m_y - 1) / 2 n for m levels that occur, which favours
        features of many levels. "miller_madow" adds (m - 1) / 2 n to every entropy; scores may then be negative. It
        helps where n is several times m_x, but does not make identifiers usable.
    n_jobs : int or None
        Threads. The result does not depend on it.

    Attributes
    ----------
    scores_ : array of shape (d,)
        Mutual information in nats; the plug-in estimate lies between 0 and the smaller one of the two entropies.
    ranking_ : array of int, shape (d,)
    support_ : array of bool, shape (d,)
    classes_ : array of shape (K,)

    Raises
    ------
    ValueError
        If a feature is not discrete or ``y`` has one class only.

    Notes
    -----
    O(n d) time. Peak memory: the codes (n d bytes) and their bits; sparse X stays sparse.

    References
    ----------
    Ahmed, Narasimhan and Agarwal (UAI 2015), Example 5.

    Examples
    --------
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> MIScore(n_features_to_select=1).fit(X, [0, 0, 1, 1]).scores_
    array([0.69314718, 0.        ])
    """

    def __init__(self, *, n_features_to_select=None, estimator="plug_in", n_jobs=None):
        self.n_features_to_select = n_features_to_select
        self.estimator = estimator
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Score every feature.

        Parameters
        ----------
        X : array, DataFrame or sparse matrix of shape (n, d), or Dask array or frame
            Discrete features of any type; see ``fslib.counts.levels.encode_levels``. Those of Dask stay on the cluster.
        y : array of shape (n,)
            Class labels.
        sample_weight : array of shape (n,), number or None
            How often each row counts: w equals w copies of the row, and 0 leaves it out. Of weights that are not whole
            numbers only the ratios matter, see ``fslib.counts.weighted``. Not for Dask.

        Returns
        -------
        self
        """
        check_choice("estimator", self.estimator, ESTIMATORS)
        super().fit(X, y, sample_weight)
        return self._store_ranking(scores=self.scores_) if self.estimator == "miller_madow" else self

    def _report(self, values, problem):
        information = super()._report(values, problem)
        everyone = np.zeros(len(problem.labels), dtype=np.int8)
        total = problem.totals.sum()  # of the weights
        entropy = lambda counts: np.log(total) - xlogx(counts[0]).sum(axis=-1) / total
        information = np.minimum(information, np.maximum(problem.counter.score(entropy, everyone, 1), 0.0))
        if self.estimator == "plug_in":
            return information
        n_occurring = lambda counts: np.stack([(counts.sum(axis=0) > 0).sum(axis=-1), (counts > 0).sum(axis=(0, 2))])
        m_x, m_xy = problem.counter.score(n_occurring, problem.labels, problem.n_classes)
        n = effective_size(problem.levels.weights, len(problem.labels))
        return information + (m_x + problem.n_classes - 1 - m_xy) / (2 * n)  # Miller 1955


class MIGreedy(_ReportsInformation, BayesGreedy):
    """Greedy search for the features with the largest joint mutual information with the class.

    Adds the feature that makes ``I(X_S; Y) = H(Y) - H(Y | X_S)`` of the chosen set S largest. Use it where
    probabilities matter (log loss), or without a particular measure in mind; like every joint criterion it overfits as
    cells become small. There is no ``tie_break``, since the log criterion that breaks the ties of other criteria is the
    criterion here.

    Parameters
    ----------
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half.
    order : "exact" or int
        "exact" judges the whole set; an integer s of 2 or more averages the joint information of its s-subsets.
    direction : {"forward", "backward"}
        Add features to none, or remove them from all. Backward is for up to 500 features if exact, and has s = 2 only.
    min_gain : float or None
        Exact forward search only: stop before the first step, after the first feature, that gains no more than this
        many nats.
    n_jobs : int or None
        Threads. The result does not depend on it.

    Attributes
    ----------
    criterion_values_ : array of shape (k,)
        Mutual information in nats (or its average over subsets) for the first 1 ... k features of ``ranking_``.
    ranking_ : array of int, shape (d,)
        Features in order of entry, or in reverse order of removal; those not reached follow by their own information.
    support_ : array of bool, shape (d,)
    scores_ : None
    n_informative_ : int
        Features that the search itself chose; fewer than k if the cells were pure before.
    n_tied_ : array of int, shape (k,)
        Number of features with the same information, up to rounding, from which each was chosen.
    classes_ : array of shape (K,)

    Raises
    ------
    ValueError
        If a feature is not discrete, ``y`` has one class only, the search is too large, or parameters contradict each
        other.

    Notes
    -----
    Forward: O(n d) per step. Memory: the codes (n d bytes), their bits, and a block of counts; sparse X stays sparse.

    References
    ----------
    Ahmed, Narasimhan and Agarwal (UAI 2015), Example 5 and Algorithm 1.

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
