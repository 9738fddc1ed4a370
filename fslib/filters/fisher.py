"""Fisher score: how far apart the class means of a feature lie, measured in its spread within the classes."""

import numpy as np
import scipy.sparse as sp
from sklearn.utils import gen_batches
from sklearn.utils.sparsefuncs import mean_variance_axis

from fslib.base import FeatureSelector, constant_features, rank_by_score
from fslib.classes import encode_classes
from fslib.counts.weighted import check_weights
from fslib.inputs import validate, warn_if_all_constant

_COLUMNS = 256  # features handled at a time, so that no copy of a large X is made


def fisher_score(X, y, weights=None):
    """Between-class over within-class sum of squares of each feature.

    Parameters
    ----------
    X : array or sparse array, shape (n, d)
    y : array of shape (n,)
        Any number of classes.
    weights : array of shape (n,), optional
        Positive; how often each row counts.

    Returns
    -------
    array of shape (d,)
        In [0, inf]; 0 for a constant feature, inf if a feature varies between classes but within none.

    Examples
    --------
    Class means 1 and 4, grand mean 2.5: between 2(1.5)^2 + 2(1.5)^2 = 9, within 4 x 1 = 4.

    >>> fisher_score(np.array([[0.0], [2.0], [3.0], [5.0]]), np.array([0, 0, 1, 1]))
    array([2.25])
    """
    if sp.issparse(X):
        return _fisher_score(sp.csc_array(X), y, weights)
    return np.concatenate([_fisher_score(X[:, columns], y, weights) for columns in gen_batches(X.shape[1], _COLUMNS)])


def _fisher_score(X, y, weights):
    classes, sizes = np.unique(y, return_counts=True)
    members = [np.flatnonzero(y == c) for c in classes]
    if weights is not None:
        sizes = np.array([weights[rows].sum() for rows in members])
    moments = [_moments(X[rows], None if weights is None else weights[rows]) for rows in members]
    means = np.stack([mean for mean, _ in moments])  # (c, d)
    within = sizes @ np.stack([variance for _, variance in moments])
    means = means - means[0]  # equal means differ by exactly 0, whatever the grand mean rounds to
    between = sizes @ (means - sizes @ means / sizes.sum()) ** 2
    ideal = np.where(between > 0, np.inf, 0.0)  # no spread inside any class
    return np.divide(between, within, out=ideal, where=within > 0)


def _moments(X, weights):
    """Mean and population variance of each feature; exact where a feature is constant, which decides 0/0 and x/0."""
    if sp.issparse(X):
        mean, variance = mean_variance_axis(sp.csc_matrix(X), axis=0, weights=weights)
    elif weights is None:
        mean = X.mean(axis=0, dtype=float)
        centred = X - mean
        variance = np.einsum("ij,ij->j", centred, centred) / len(X)
    else:
        mean = weights @ X / weights.sum()
        variance = weights @ (X - mean) ** 2 / weights.sum()
    # What rounding leaves of a constant feature is far below this; whether it is one, its values decide.
    doubtful = np.flatnonzero(variance <= 1e-20 * mean**2)
    low, high = X[:, doubtful].min(axis=0), X[:, doubtful].max(axis=0)
    if sp.issparse(X):
        low, high = low.toarray().ravel(), high.toarray().ravel()
    constant = doubtful[low == high]
    mean[constant], variance[constant] = low[low == high], 0.0
    return mean, variance


class FisherScore(FeatureSelector):
    """Select the features with the largest Fisher score.

    The score is ``sum_c n_c (m_cj - m_j)^2 / sum_c n_c v_cj`` with the class means m and variances v. Use it as a fast
    first look at real-valued features whose mean moves with the class; it misses features whose classes differ in any
    other way (variance, two modes), and it ignores redundancy: two copies of a feature rank side by side. The ranking
    is that of the F-test (`sklearn.feature_selection.f_classif`), whose statistic is this score times
    ``(n - c) / (c - 1)``; constant features and perfect separators get their exact limits here. Works on the values as
    they are, not on levels.

    Parameters
    ----------
    n_features_to_select : int, float or None
        Number of features to keep, their share in (0, 1], or None for half of them.

    Attributes
    ----------
    scores_ : array of shape (d,)
        Between-class over within-class sum of squares.
    ranking_ : array of int, shape (d,)
        Constant features come last among equals.
    support_ : array of bool, shape (d,)
    classes_ : array of shape (c,)

    Raises
    ------
    ValueError
        In ``fit``, if X holds NaN or infinity, y holds one class only, or a weight is negative.

    Notes
    -----
    O(n d) time. Memory beyond X: 256 of its features, or a copy of its stored entries if it is sparse.

    References
    ----------
    R. O. Duda, P. E. Hart, D. G. Stork, *Pattern Classification*, 2nd ed., 2001, section 3.8.2 (one dimension).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> FisherScore(n_features_to_select=2).fit(X, y).ranking_
    array([2, 3, 0, 1])
    """

    def fit(self, X, y, sample_weight=None):
        """Score the features.

        Parameters
        ----------
        X : array, DataFrame or sparse, shape (n, d)
            Numbers.
        y : array of shape (n,)
            Classes, at least two.
        sample_weight : array of shape (n,), number or None
            How often each row counts; 0 leaves it out. The score does not depend on their scale.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If X holds NaN or infinity, y one class only, or a weight is negative.
        """
        X, y = validate(self, X, y, accept_sparse="csc", ensure_min_samples=2)
        weights = check_weights(sample_weight, X)
        if weights is not None:
            kept = np.flatnonzero(weights)
            X, y, weights = X[kept], y[kept], weights[kept].astype(float)
        self.classes_, codes = encode_classes(y)
        scores, constant = fisher_score(X, codes, weights), constant_features(X)
        warn_if_all_constant(constant, self)
        return self._store_ranking(scores=scores, order=rank_by_score(scores, constant=constant))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags
