"""BayesExhaustive: the best set of k features, proved to be so.

Source: Ahmed, Narasimhan and Agarwal (UAI 2015), Eq. 1 solved exactly, as section 4.1 does for one data set.
"""

from math import comb

import numpy as np

from fslib.base import resolve_n_features
from fslib.filters.bayes import BayesSelector
from fslib.filters.search.forward import forward_exact
from fslib.filters.search.subsets import BranchAndBound
from fslib.filters.search.ties import rank_candidates
from fslib.filters.search.validation import bind_problem


class BayesExhaustive(BayesSelector):
    """Search all sets of k features for the best Bayes criterion.

    Maximises ``-sum_x min_y P(x, y)`` (for the 0-1 error) over all sets of k features. Use it
    to see what greedy search misses, with few features or small k. The set fits the training data best; it need not be
    the best one for new samples.

    Parameters
    ----------
    criterion : str or Criterion
        The performance measure: "zero_one", "balanced", "log", "f_beta", "auc", "squared" (regression), "yang_hu", or
        an object of ``fslib.filters.criteria``. ``Squared("linear")`` is not available.
    n_features_to_select : int, float or None
        k: number of features, their share, or None for half.
    max_subsets : int
        Refuse problems with more sets than this, before any work is done.
    pos_label : label or None
        The positive of two classes, for the F measure and for costs; None: the one that sorts last.
    n_jobs : int or None
        Threads. The result does not depend on it.

    Attributes
    ----------
    ranking_ : array of int, shape (d,)
        The best set, then the other features, each in the order of `BayesScore`. Among sets that are equal up to
        rounding, one with fewer constant features is taken, then the first in lexicographic order of sorted indices.
    support_ : array of bool, shape (d,)
    scores_ : None
    criterion_value_ : float
        Criterion of the best set; mutual information is this plus the entropy of the class if the criterion is "log".
    n_evaluated_ : int
        Number of sets that were evaluated, of comb(d, k).
    classes_ : array of shape (K,)
        Sorted class labels; with two, the positive class is the second.

    Raises
    ------
    ValueError
        If a feature is not discrete, ``y`` has one class only, the criterion does not fit the number of classes, or
        there are more than ``max_subsets`` sets.

    Notes
    -----
    Branch and bound, see ``fslib.filters.search.subsets``; a greedy set prunes from the start. The cost grows like
    d^k / k! at worst: all pairs of 256 binary features and 1115 samples take milliseconds, all 2.8 million triples a
    fraction of a second. Memory: 4 n d bytes for the bounds and 8 d^2 for a matrix of pairs.

    References
    ----------
    Ahmed, Narasimhan and Agarwal (UAI 2015), Eq. 1.

    Examples
    --------
    Each feature of the exclusive or is worthless alone, so greedy search starts with the third, which is not.

    >>> from fslib.filters import BayesGreedy
    >>> X = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]])
    >>> y = [0, 1, 1, 0]
    >>> BayesGreedy(n_features_to_select=2).fit(X, y).get_support(indices=True)
    array([0, 2])
    >>> BayesExhaustive(n_features_to_select=2).fit(X, y).get_support(indices=True)
    array([0, 1])
    """

    _counts_only = False

    def __init__(
        self, criterion="zero_one", *, n_features_to_select=None, max_subsets=5_000_000, pos_label=None, n_jobs=None
    ):
        self.criterion = criterion
        self.n_features_to_select = n_features_to_select
        self.max_subsets = max_subsets
        self.pos_label = pos_label
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Search.

        Parameters
        ----------
        X : array, DataFrame or sparse matrix of shape (n, d)
            Discrete features of any type; see ``fslib.counts.levels.encode_levels``.
        y : array of shape (n,)
            Class labels, or numbers for the squared criterion.
        sample_weight : array of shape (n,), number or None
            How often each row counts: w equals w copies of the row, and 0 leaves it out. Of weights that are not whole
            numbers only the ratios matter, see ``fslib.counts.weighted``. Not for Dask.

        Returns
        -------
        self
        """
        if getattr(self.criterion, "estimator", None) == "linear":
            raise ValueError("BayesExhaustive searches cells; for Squared('linear') use BayesGreedy.")
        problem = bind_problem(self, X, y, sample_weight)
        d = self.n_features_in_
        k = resolve_n_features(self.n_features_to_select, d)
        if comb(d, k) > self.max_subsets:
            raise ValueError(
                f"there are {comb(d, k):,} sets of {k} among {d} columns, more than max_subsets={self.max_subsets:,}: "
                "keep fewer columns by BayesScore first, lower n_features_to_select, or raise max_subsets."
            )
        univariate = problem.univariate()
        greedy = forward_exact(problem, univariate, k)
        varies = ~problem.levels.is_constant
        order = np.argsort(~varies, kind="stable")  # constant features last, so that a tie goes to those that vary
        best = BranchAndBound(problem.with_columns(order), k, known=greedy.values[-1])
        chosen = np.isin(np.arange(d), order[list(best.columns)])
        by_score = rank_candidates(*univariate)
        self.criterion_value_ = float(self._report(best.value, problem))
        self.n_evaluated_ = best.n_evaluated
        return self._store_ranking(order=np.concatenate([by_score[chosen[by_score]], by_score[~chosen[by_score]]]))
