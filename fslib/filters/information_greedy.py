"""InformationGreedy: greedy criteria of information theory, which look at pairs of features together with the class.

Source: G. Brown, A. Pocock, M.-J. Zhao, M. Lujan, "Conditional Likelihood Maximisation: A Unifying Framework for
Information Theoretic Feature Selection", JMLR 13, 2012; table 1 lists the criteria.
"""

from typing import NamedTuple

import numpy as np

from fslib.base import check_choice, first_of_best, rank_by_score, resolve_n_features
from fslib.counts.counter import xlogx
from fslib.counts.weighted import effective_size, tally
from fslib.filters.discrete import DiscreteSelector
from fslib.filters.search import problem
from fslib.filters.search.partition import refine


class Pair(NamedTuple):
    """What is known about each feature X together with a chosen one Z and the class Y, arrays (d,), in nats."""

    shared: np.ndarray  # I(X; Z)
    shared_given: np.ndarray  # I(X; Z | Y)
    joint: np.ndarray  # I(X, Z; Y)
    entropy: np.ndarray  # H(X, Z, Y)


# name: (term of a pair, how terms of several chosen features combine, value from relevance, combined terms, number)
_CRITERIA = {
    "mifs": (lambda p: p.shared, np.add, lambda r, s, t: r - s),
    "cife": (lambda p: p.shared - p.shared_given, np.add, lambda r, s, t: r - s),
    "condred": (lambda p: p.shared_given, np.add, lambda r, s, t: r + s),
    "jmi": (lambda p: p.joint, np.add, lambda r, s, t: s / t),
    "disr": (lambda p: p.joint / p.entropy, np.add, lambda r, s, t: s / t),
    "icap": (lambda p: np.maximum(p.shared - p.shared_given, 0.0), np.add, lambda r, s, t: r - s),
    "cmim": (lambda p: p.shared - p.shared_given, np.maximum, lambda r, s, t: r - s),
    "jmim": (lambda p: p.joint, np.minimum, lambda r, s, t: s),
}

ESTIMATORS = ("plug_in", "miller_madow")


class InformationGreedy(DiscreteSelector):
    """Choose features one by one by their information about the class, jointly with each feature chosen before.

    The first feature has the largest I(X; Y). Then, with the chosen features Z, the next one has the largest

    =========== ========================================================== ==============================
    criterion   value                                                      source
    =========== ========================================================== ==============================
    "jmi"       mean of I(X, Z; Y)                                         Yang and Moody 1999
    "jmim"      min of I(X, Z; Y)                                          Bennasar, Hicks, Setchi 2015
    "disr"      mean of I(X, Z; Y) / H(X, Z, Y)                            Meyer and Bontempi 2006
    "cmim"      I(X; Y) - max of (I(X; Z) - I(X; Z | Y))                   Fleuret 2004
    "icap"      I(X; Y) - sum of max(0, I(X; Z) - I(X; Z | Y))             Jakulin 2005
    "cife"      I(X; Y) - sum of (I(X; Z) - I(X; Z | Y))                   Lin and Tang 2006
    "condred"   I(X; Y) + sum of I(X; Z | Y)                               Brown et al. 2012
    "mifs"      I(X; Y) - sum of I(X; Z)                                   Battiti 1994, beta = 1
    =========== ========================================================== ==============================

    Unless you have a reason for another one, use "jmi": Brown et al. find it the best trade-off between accuracy and
    stability. "cmim" and "jmim" evaluate a feature by its worst pair, so one copy among the chosen features is enough
    to exclude it. The sums of "cife", "icap" and "mifs" outgrow I(X; Y) when many features are chosen; "condred" does
    not penalise copies. `MRMR` is the mean form of "mifs".

    Parameters
    ----------
    criterion : str
        One of the table.
    n_features_to_select : int, float or None
        Number of features to keep, their share in (0, 1], or None for half of them. It is also the number of greedy
        steps, which take most of the time.
    estimator : {"plug_in", "miller_madow"}
        How entropies are estimated. The plug-in estimate of an entropy is too small by about (m - 1) / 2 n for m levels
        that occur, so information is too large for features of many levels; "miller_madow" adds that term to every
        entropy. Corrected information may be negative. It helps where n is several times m, but does not make
        identifiers usable.
    n_jobs : int or None
        Threads, in joblib's meaning. The result does not depend on it.

    Attributes
    ----------
    ranking_ : array of int, shape (d,)
        The chosen features by order of entry, then the others by their value at the last step; constant ones last.
    criterion_values_ : array of shape (k,)
        Value with which each feature entered; the first is its relevance.
    scores_ : None
    relevance_ : array of shape (d,)
        Mutual information with the class, in nats.
    support_ : array of bool, shape (d,)
    classes_ : array of shape (c,)

    Raises
    ------
    ValueError
        In ``fit``, if X has missing values or measurements instead of levels, or y has one class only.

    Notes
    -----
    O(k n d) bit operations, 64 at a time; memory is that of the codes and packed bits, O(n d) bytes. Sparse X is
    never densified.

    References
    ----------
    G. Brown, A. Pocock, M.-J. Zhao, M. Lujan, JMLR 13, 2012, pages 27-66, table 1. M. Bennasar,
    Y. Hicks, R. Setchi, "Feature selection using joint mutual information maximisation", Expert Systems with
    Applications 42, 2015.

    Examples
    --------
    The class is the exclusive or of the first two features, the third is their disjunction, which enters first: with
    its levels {0} and {1, 1, 1}, I = ln 2 - 3/4 H(1/3) = 0.216. Given it, the first feature has ``I(X; Z) = 0.216``,
    ``I(X; Z | Y) = 1/2 ln 2``, ``I(X, Z; Y) = 1/2 ln 2`` and H(X, Z, Y) = ln 4. Every value below follows from these.

    >>> X = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]])
    >>> y = [0, 1, 1, 0]
    >>> for criterion in ("jmi", "jmim", "disr", "cmim", "icap", "cife", "condred", "mifs"):
    ...     greedy = InformationGreedy(criterion, n_features_to_select=2).fit(X, y)
    ...     print(f"{criterion:8}{greedy.ranking_[:2]} {greedy.criterion_values_.round(3) + 0.0}")
    jmi     [2 0] [0.216 0.347]
    jmim    [2 0] [0.216 0.347]
    disr    [2 0] [0.216 0.25 ]
    cmim    [2 0] [0.216 0.131]
    icap    [2 0] [0.216 0.   ]
    cife    [2 0] [0.216 0.131]
    condred [2 0] [0.216 0.347]
    mifs    [2 0] [ 0.216 -0.216]
    """

    def __init__(self, criterion="jmi", *, n_features_to_select=None, estimator="plug_in", n_jobs=None):
        super().__init__(n_features_to_select=n_features_to_select)
        self.criterion = criterion
        self.estimator = estimator
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Choose the features.

        Parameters
        ----------
        X : array, DataFrame or sparse, shape (n, d), or Dask array or frame
            Discrete features; see `fslib.counts.levels.encode_levels`. Those of Dask stay on the cluster.
        y : array of shape (n,)
            Classes, at least two.
        sample_weight : array of shape (n,), number or None
            How often each row counts: w equals w copies of the row, and 0 leaves it out. Of weights that are not whole
            numbers only the ratios matter, see ``fslib.counts.weighted``. Not for Dask.

        Returns
        -------
        self
        """
        check_choice("criterion", self.criterion, tuple(_CRITERIA))
        check_choice("estimator", self.estimator, ESTIMATORS)
        levels, y = self._encode(X, y, sample_weight)
        k = resolve_n_features(self.n_features_to_select, self.n_features_in_)
        pairs = _Pairs(levels, y, len(self.classes_), self.estimator == "miller_madow", self.n_jobs, k - 1)
        self.relevance_ = pairs.relevance
        term, combine, value_of = _CRITERIA[self.criterion]
        order, self.criterion_values_ = greedy_by_pairs(
            pairs.relevance, lambda j: term(pairs.with_feature(j)), combine, value_of, k, levels.is_constant
        )
        return self._store_ranking(order=order)


def greedy_by_pairs(relevance, terms_with, combine, value_of, k, constant):
    """Choose features one by one by their relevance and by terms that depend on them and one chosen feature each.

    Parameters
    ----------
    relevance : array of shape (d,)
        Value at the first step.
    terms_with : callable
        From a chosen feature j to the terms of all features with it (d,).
    combine : callable
        How the terms of several chosen features combine, such as ``np.add``.
    value_of : callable
        From relevance, combined terms and the number of chosen features to the values (d,).
    k : int
        Steps.
    constant : array of bool, shape (d,)
        Features without information.

    Returns
    -------
    order : array of int, shape (d,)
        The k chosen features, then the others by their value at the last step, constant ones last.
    entered : array of shape (k,)
        Values with which the chosen features entered.
    """
    combined, value = None, relevance.copy()
    free = np.ones(len(value), dtype=bool)
    chosen, entered = [], []
    while len(chosen) < k:
        if chosen:
            terms = terms_with(chosen[-1])
            combined = terms if combined is None else combine(combined, terms)
            value = value_of(relevance, combined, len(chosen))
        # A constant feature has no redundancy and would pass features that cost more than they bring: it waits.
        eligible = np.flatnonzero(free & ~constant if (free & ~constant).any() else free)
        best = int(eligible[first_of_best(value[eligible])])
        chosen.append(best)
        entered.append(value[best])
        free[best] = False
    others = np.flatnonzero(free)
    others = others[rank_by_score(np.where(constant, -np.inf, value)[others])]
    return np.concatenate([chosen, others]).astype(np.intp), np.array(entered)


class _Pairs:
    """Information of all features with the class, alone and beside a chosen feature."""

    def __init__(self, levels, y, n_classes, corrected, n_jobs, n_chosen):
        self.y, self.n_classes, self.corrected = y, n_classes, corrected
        self.weights = levels.weights
        self.total = len(y) if self.weights is None else self.weights.sum()
        self.n = effective_size(self.weights, len(y))
        self.levels, self.counter = levels, levels.counter(n_jobs=n_jobs)
        self.counter.sort_by(y, n_classes, n_chosen)
        sums = self.counter.score(lambda counts: self._sums(counts, n_classes), y, n_classes)
        self.of_feature, self.of_both = sums  # X, and X with Y
        self.of_class = self._entropy(tally(y, self.weights, n_classes))
        self.relevance = self._positive(self.of_feature + self.of_class - self.of_both)

    def with_feature(self, j):
        """`Pair` of every feature with feature j."""
        L, K = int(self.levels.n_levels[j]), self.n_classes
        wide = L * K * self.levels.n_levels > problem.MAX_TABLE
        if not wide.any():
            of_pair, of_all = self.counter.score_with(lambda counts: self._sums(counts, K), j, self.y, K)
        else:  # most of such a table is empty: only what occurs is counted
            codes = self.levels.column(j)
            of_pair, of_all = np.empty((2, len(wide)))
            narrow = np.flatnonzero(~wide)
            if len(narrow):
                counter = self.levels.columns(narrow).counter(n_jobs=self.counter.n_jobs)
                group = np.multiply(codes, K, dtype=np.min_scalar_type(-L * K))
                group += self.y
                of_pair[narrow], of_all[narrow] = counter.score(lambda counts: self._sums(counts, K), group, L * K)
            for i in np.flatnonzero(wide):
                both = refine(codes, self.levels.column(i))
                of_pair[i] = self._entropy(tally(both, self.weights))
                of_all[i] = self._entropy(tally(refine(both, self.y), self.weights))
        of_chosen, of_chosen_and_class = self.of_feature[j], self.of_both[j]
        return Pair(
            shared=self._positive(self.of_feature + of_chosen - of_pair),
            shared_given=self._positive(self.of_both + of_chosen_and_class - self.of_class - of_all),
            joint=self._positive(self.of_class + of_pair - of_all),
            entropy=of_all,
        )

    def _sums(self, counts, K):
        """Entropies of each feature with what the groups stand for, without and with the class, (2, b)."""
        within = counts.reshape(-1, K, *counts.shape[1:]).sum(axis=1)
        return np.stack([self._entropy(table.swapaxes(1, 2).reshape(-1, table.shape[1])) for table in (within, counts)])

    def _entropy(self, counts):
        """Entropy of counts (cells,) or, column by column, (cells, b)."""
        entropy = np.log(self.total) - xlogx(counts).sum(axis=0) / self.total
        if self.corrected:
            entropy = entropy + ((counts > 0).sum(axis=0) - 1) / (2 * self.n)
        return entropy

    def _positive(self, information):
        """Information without rounding below zero; corrected information may be negative."""
        return information if self.corrected else np.maximum(information, 0.0)
