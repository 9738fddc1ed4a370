"""BayesGreedy and BayesScore: features chosen for the best value of a performance measure that they allow.

Source: C. G. Saneem Ahmed, H. Narasimhan, S. Agarwal, "Bayes Optimal Feature Selection for Supervised Learning with
General Performance Measures", UAI 2015: criteria section 3.1, greedy search Algorithm 1, s-variate average section 3.2.
"""

import numbers
import warnings

import numpy as np

from fslib.base import check_choice, resolve_n_features
from fslib.filters.discrete import DiscreteSelector
from fslib.filters.search.backward import backward_average, backward_exact
from fslib.filters.search.forward import Path, forward_average, forward_exact
from fslib.filters.search.problem import ClassProblem
from fslib.filters.search.ties import rank_candidates
from fslib.filters.search.validation import bind_problem


class OutOfInformationWarning(UserWarning):
    """Exact search could distinguish fewer features than were requested."""


class BayesSelector(DiscreteSelector):
    """Base of the selectors of this paper: how values of the search are shown."""

    def _report(self, values, problem):
        return np.asarray(values, dtype=float) * problem.unit


class BayesScore(BayesSelector):
    """Rank features by the Bayes criterion of each feature alone.

    The score of a feature is the best training value of the measure that any predictor reaches when it sees this
    feature only, for instance ``-sum_x min_y P(x, y)`` under the 0-1 error. Use it as a fast first look, or to cut many
    features down to a few hundred. Fast but univariate: duplicates tie, and a feature that is informative only jointly
    with others (as in an exclusive or) scores zero.

    Parameters
    ----------
    criterion : str or Criterion
        The performance measure: "zero_one", "balanced", "log", "f_beta", "auc", "squared" (regression), "yang_hu", or
        an object of ``fslib.filters.criteria`` such as ``CostSensitive(0.25)``.
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half.
    tie_break : {"log", "index"}
        How features of equal score are ordered: by the log criterion and then by index, or by index only, which is
        what the paper implies. It matters: under the 0-1 criterion with rare positives most single features tie.
        Constant features come last among equals.
    pos_label : label or None
        The positive one of two classes, for the F measure and for costs; None: the one that sorts last.
    n_jobs : int or None
        Threads. The result does not depend on it.

    Attributes
    ----------
    scores_ : array of shape (d,)
        Criterion of each feature on the training data.
    ranking_ : array of int, shape (d,)
    support_ : array of bool, shape (d,)
    classes_ : array of shape (K,)
        Sorted class labels; with two, the positive class is the second. Only for classification.

    Raises
    ------
    ValueError
        If a feature is not discrete, ``y`` has one class only, or the criterion does not fit the number of classes.

    Notes
    -----
    O(n d) time. Peak memory: the codes (n d bytes) and their bits; sparse X stays sparse.

    References
    ----------
    Ahmed, Narasimhan and Agarwal (UAI 2015), Eq. 1 for a single feature, and section 3.1 for the criteria.

    Examples
    --------
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> BayesScore(n_features_to_select=1).fit(X, [0, 0, 1, 1]).scores_
    array([ 0. , -0.5])
    """

    def __init__(
        self, criterion="zero_one", *, n_features_to_select=None, tie_break="log", pos_label=None, n_jobs=None
    ):
        self.criterion = criterion
        self.n_features_to_select = n_features_to_select
        self.tie_break = tie_break
        self.pos_label = pos_label
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Score every feature.

        Parameters
        ----------
        X : array, DataFrame or sparse matrix of shape (n, d), or Dask array or frame
            Discrete features of any type; see ``fslib.counts.levels.encode_levels``. Those of Dask stay on the cluster.
        y : array of shape (n,)
            Class labels, or numbers for the squared criterion.
        sample_weight : array of shape (n,), number or None
            How often each row counts: w equals w copies of the row, and 0 leaves it out. Of weights that are not whole
            numbers only the ratios matter, see ``fslib.counts.weighted``. Not for Dask.

        Returns
        -------
        self
        """
        problem = self.bind(X, y, sample_weight)
        if hasattr(problem, "counter"):  # least squares count nothing
            problem.counter.keep_nothing()  # one pass, whatever the measure
        univariate = problem.univariate()
        return self._store_ranking(scores=self._report(univariate[0], problem), order=rank_candidates(*univariate))

    def bind(self, X, y, sample_weight=None):
        """Validated data and criterion, as a search problem; for `fslib.filters.permutation_test`."""
        return bind_problem(self, X, y, sample_weight)

    def single_scores(self, problem):
        """Scores of all features of a problem."""
        return self._report(problem.univariate()[0], problem)


class BayesGreedy(BayesSelector):
    """Greedy search for the features that together allow the best value of a performance measure.

    The criterion of a set is the best training value of the measure over all predictors that see the set only; for the
    0-1 error this is ``-sum_x min_y P(x, y)`` over the cells x of the set. Use it when features interact or are
    redundant and the measure matters. The criterion overfits as the cells of the selected features become small: once
    every cell is pure nothing distinguishes the remaining features (``n_informative_`` says when), and with many
    features the bivariate average (``order=2``) is the better criterion.

    Parameters
    ----------
    criterion : str or Criterion
        The performance measure: "zero_one", "balanced", "log", "f_beta", "auc", "squared" (regression), "yang_hu", or
        an object of ``fslib.filters.criteria`` such as ``CostSensitive(0.25)``.
        ``Squared("linear")`` is forward selection by least squares, for features of real numbers.
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half.
    order : "exact" or int
        "exact" evaluates the criterion of the whole set; an integer s of 2 or more takes its average over the subsets
        of s features (sets of fewer features are evaluated exactly).
    direction : {"forward", "backward"}
        Add features to none, or remove them from all. Exact backward search takes at most 500 features; with an
        average, backward search needs s = 2.
    tie_break : {"log", "index"}
        How features of equal value are ordered: by the log criterion (averaged likewise with order s) and then by
        index, or by index only. Constant features come last among equals.
    min_gain : float or None
        Exact forward search only: stop before the first step, after the first feature, that gains no more than this, in
        units of the criterion. ``n_features_to_select`` is then an upper bound, and None sets no bound.
    pos_label : label or None
        The positive one of two classes, for the F measure and for costs; None: the one that sorts last.
    n_jobs : int or None
        Threads. The result does not depend on it.

    Attributes
    ----------
    ranking_ : array of int, shape (d,)
        Features in order of entry, or in reverse order of removal. Features that the search did not reach follow in
        the order of `BayesScore` with the same criterion.
    support_ : array of bool, shape (d,)
    scores_ : None
    criterion_values_ : array of shape (k,)
        What the search maximises, for the first t = 1 ... k features of ``ranking_``: the criterion, or its average.
    n_informative_ : int
        Features of ``ranking_`` that the search itself chose; fewer than k if the cells were pure before.
    n_tied_ : array of int, shape (k,)
        Number of features with the same value of the criterion, up to rounding, from which each was chosen.
    classes_ : array of shape (K,)
        Sorted class labels; with two, the positive class is the second. Only for classification.

    Raises
    ------
    ValueError
        If a feature is not discrete, ``y`` has one class only, the criterion does not fit the number of classes, the
        search is too large, or parameters contradict each other.

    Warns
    -----
    OutOfInformationWarning
        If exact search ran out of information before it had the requested number of features, if that is fewer than
        all.

    Notes
    -----
    Forward: O(n d) per step, less when cells become pure; memory is the codes (n d bytes), their bits, and a block of
    counts. Sparse X stays sparse. Backward: O(d^2 n log n) exact, O(n d^2) with 8 d^2 bytes for pairs.

    References
    ----------
    Ahmed, Narasimhan and Agarwal (UAI 2015), Eq. 1, Algorithm 1 and section 3.2.

    Examples
    --------
    An exclusive or of the first two features; the third agrees with it in seven of eight cases.

    >>> X = np.array([[a, b, (a ^ b) if a or b else c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    >>> y = X[:, 0] ^ X[:, 1]
    >>> greedy = BayesGreedy("zero_one", n_features_to_select=2, direction="backward").fit(X, y)
    >>> greedy.get_support(indices=True), greedy.criterion_values_
    (array([0, 1]), array([-0.5,  0. ]))
    """

    def __init__(
        self,
        criterion="zero_one",
        *,
        n_features_to_select=None,
        order="exact",
        direction="forward",
        tie_break="log",
        min_gain=None,
        pos_label=None,
        n_jobs=None,
    ):
        self.criterion = criterion
        self.n_features_to_select = n_features_to_select
        self.order = order
        self.direction = direction
        self.tie_break = tie_break
        self.min_gain = min_gain
        self.pos_label = pos_label
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Search.

        Parameters
        ----------
        X : array, DataFrame or sparse matrix of shape (n, d), or Dask array or frame
            Discrete features of any type; see ``fslib.counts.levels.encode_levels``. Those of Dask stay on the cluster.
        y : array of shape (n,)
            Class labels, or numbers for the squared criterion.
        sample_weight : array of shape (n,), number or None
            How often each row counts: w equals w copies of the row, and 0 leaves it out. Of weights that are not whole
            numbers only the ratios matter, see ``fslib.counts.weighted``. Not for Dask.

        Returns
        -------
        self
        """
        self._check_search()
        problem = bind_problem(self, X, y, sample_weight)
        d = self.n_features_in_
        k = d if self.min_gain is not None and self.n_features_to_select is None else None
        k = k or resolve_n_features(self.n_features_to_select, d)
        if self.order == 2 and self.direction == "forward" and isinstance(problem, ClassProblem):
            problem.counter.sort_by(problem.labels, problem.n_classes, k - 1)
        univariate = problem.univariate()
        path = self._search(problem, univariate, k)
        chosen = np.zeros(d, dtype=bool)
        chosen[path.columns] = True
        by_score = rank_candidates(*univariate)
        self._store_ranking(order=np.concatenate([path.columns, by_score[~chosen[by_score]]]))
        self.n_informative_ = len(path.columns[:k])
        if self.min_gain is not None and self.n_informative_ < k:
            k = self.n_informative_
        elif self.n_informative_ < k < d:
            warnings.warn(
                f"After {self.n_informative_} features the exact criterion cannot tell the others apart: the training "
                f"rows are explained, or the others are constant. The last {k - self.n_informative_} of the {k} are "
                "those of the best scores one by one. Select fewer features, or average over pairs with order=2.",
                OutOfInformationWarning,
                stacklevel=2,
            )
        self.support_ = np.isin(np.arange(d), self.ranking_[:k])
        # Where the search ended early every cell is pure: nothing changes, and all features left are tied.
        extra = np.arange(self.n_informative_, k)
        last = path.values[-1] if path.values else problem.empty_value()
        self.criterion_values_ = self._report([*path.values[:k], *np.full(len(extra), last)], problem)
        self.n_tied_ = np.array([*path.n_tied[:k], *(d - extra)])
        return self

    def _check_search(self):
        check_choice("direction", self.direction, ("forward", "backward"))
        is_order = isinstance(self.order, numbers.Integral) and not isinstance(self.order, bool) and self.order >= 2
        if not (is_order or (isinstance(self.order, str) and self.order == "exact")):
            raise ValueError(f"order={self.order!r} must be 'exact' or an integer of at least 2.")
        if self.direction == "backward" and self.order not in ("exact", 2):
            raise ValueError(f"backward elimination has order='exact' or 2, got {self.order}.")
        if self.min_gain is not None and (
            isinstance(self.min_gain, bool) or not isinstance(self.min_gain, numbers.Real) or np.isnan(self.min_gain)
        ):
            raise ValueError(f"min_gain={self.min_gain!r} must be a number, in units of the criterion, or None.")
        if self.min_gain is not None and (self.order, self.direction) != ("exact", "forward"):
            raise ValueError(
                "min_gain is for order='exact' and direction='forward': the average over subsets is not monotone, "
                "and elimination has no gain."
            )
        linear = getattr(self.criterion, "estimator", None) == "linear"
        if linear and (self.order, self.direction) != ("exact", "forward"):
            raise ValueError("the linear squared criterion has order='exact' and direction='forward' only.")

    def _search(self, problem, univariate, k) -> Path:
        if self.direction == "backward":
            return (
                backward_exact(problem, univariate) if self.order == "exact" else backward_average(problem, univariate)
            )
        if self.order == "exact":
            return forward_exact(problem, univariate, k, self.min_gain)
        return forward_average(problem, univariate, k, int(self.order))
