"""mRMR: maximal relevance, minimal redundancy, by mutual information of discrete features."""

import numpy as np

from fslib.base import check_choice, rank_by_score, resolve_n_features
from fslib.counts.counter import mutual_information, xlogx
from fslib.counts.weighted import tally
from fslib.filters.discrete import DiscreteSelector
from fslib.filters.information_greedy import greedy_by_pairs
from fslib.filters.search import problem
from fslib.filters.search.partition import refine

SCHEMES = {
    "difference": lambda relevance, redundancy: relevance - redundancy,
    # The authors' program adds 0.01, so that features independent of all chosen ones do not divide by zero.
    "quotient": lambda relevance, redundancy: relevance / (redundancy + 0.01),
}


class MRMR(DiscreteSelector):
    """Choose features one by one: informative about the class, and not redundant with the features chosen before.

    The relevance of feature j is D_j = I(X_j; Y), its redundancy R_j the mean of I(X_j; X_i) over the chosen i, both
    plug-in estimates in nats. The first feature is the most relevant one, then the best D_j - R_j (or quotient) each
    time. Use it to avoid copies among many features; it misses features that are informative only jointly, since it
    looks at pairs without the class.

    Parameters
    ----------
    scheme : {"difference", "quotient"}
        How relevance and redundancy combine: D - R (MID, the criterion of the paper) or D / (R + 0.01) (MIQ).
    n_features_to_select : int, float or None
        Number of features to keep, their share in (0, 1], or None for half of them. It is also the number of greedy
        steps, which take most of the time.
    candidates : int or None
        Consider only this many features, those of largest relevance; None considers all.
    n_jobs : int or None
        Threads, in joblib's meaning. The result does not depend on it.

    Attributes
    ----------
    ranking_ : array of int, shape (d,)
        The chosen features by order of entry, then the other candidates by their value at the last step, then the
        features that were not candidates, by relevance.
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
    H. Peng, F. Long, C. Ding, "Feature selection based on mutual information: criteria of max-dependency,
    max-relevance, and min-redundancy", IEEE TPAMI 27, 2005, equations 4 to 8.

    Examples
    --------
    Feature 1 repeats feature 0, so the weaker feature 2 is taken before it.

    >>> y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> a, b = np.array([0, 0, 0, 1, 1, 1, 1, 1]), np.array([0, 0, 1, 1, 1, 0, 1, 1])
    >>> MRMR(n_features_to_select=2).fit(np.column_stack([a, a, b]), y).ranking_
    array([0, 2, 1])
    """

    def __init__(self, scheme="difference", *, n_features_to_select=None, candidates=None, n_jobs=None):
        super().__init__(n_features_to_select=n_features_to_select)
        self.scheme = scheme
        self.candidates = candidates
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
        check_choice("scheme", self.scheme, SCHEMES)
        levels, y = self._encode(X, y, sample_weight)
        d = self.n_features_in_
        k = resolve_n_features(self.n_features_to_select, d)
        pool = d if self.candidates is None else resolve_n_features(self.candidates, d, "candidates")
        if pool < k:
            raise ValueError(f"candidates={self.candidates} leaves {pool} columns, fewer than the {k} to select.")
        counter = levels.counter(n_jobs=self.n_jobs)
        self.relevance_ = counter.score(mutual_information, y, len(self.classes_))
        by_relevance = rank_by_score(self.relevance_)
        # A constant feature has no redundancy either and would pass features that cost more than they bring: it waits.
        constant = levels.is_constant[by_relevance]
        by_relevance = np.concatenate([by_relevance[~constant], by_relevance[constant]])
        columns = np.sort(by_relevance[: min(pool, int((~constant).sum()))])
        if 0 < len(columns) < d:
            counter = levels.columns(columns).counter(n_jobs=self.n_jobs)
        order, _ = greedy_by_pairs(
            self.relevance_[columns],
            lambda j: _shared_information(counter, j),
            np.add,
            lambda relevance, shared, n_chosen: SCHEMES[self.scheme](relevance, shared / n_chosen),
            min(k, len(columns)),
            levels.is_constant[columns],
        )
        return self._store_ranking(order=np.concatenate([columns[order], by_relevance[len(columns) :]]))


def _shared_information(counter, j):
    """Mutual information of feature j with every feature of ``counter``."""
    levels = counter.levels
    n_levels = int(levels.n_levels[j])
    wide = n_levels * levels.n_levels > problem.MAX_TABLE
    if not wide.any():
        return counter.score_with(mutual_information, j)
    codes = levels.column(j)
    # Two features of thousands of levels: most of their table is empty, so only what occurs is counted.
    out = np.empty(len(wide))
    if not wide.all():
        narrow = levels.columns(~wide).counter(n_jobs=counter.n_jobs)
        out[~wide] = narrow.score(mutual_information, codes, n_levels)
    weights = levels.weights
    total = len(codes) if weights is None else weights.sum()
    certain = xlogx(total)
    one = certain - xlogx(tally(codes, weights)).sum()  # n times the entropy
    for j in np.flatnonzero(wide):
        column = levels.column(j)
        other = certain - xlogx(tally(column, weights)).sum()
        joint = certain - xlogx(tally(refine(codes, column), weights)).sum()
        out[j] = np.clip(one + other - joint, 0.0, min(one, other)) / total
    return out
