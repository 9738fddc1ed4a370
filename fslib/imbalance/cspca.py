"""CSPCA: principal components in which every class has the same weight (Braytee 2018, section 3.1)."""

import numbers

import numpy as np
from scipy.linalg import svd
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from fslib.base import Documented, check_choice
from fslib.imbalance.class_costs import sample_costs
from fslib.inputs import validate

ROUNDING = 1e-12
"""A share of the variance this close to the one asked for is that share; directions with less are noise."""


class CSPCA(Documented, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Orthonormal directions of largest variance, where each class counts alike however few samples it has.

    With the cost ``C_i = 1 / N_class`` of a sample and the mean m of the rows, weighted by C,

        w_1 = argmax over ||w|| = 1 of   sum_i C_i ((x_i - m)^T w)^2 ,

    and so on in the orthogonal complement. Rows are transformed as they are, training rows and others alike:
    ``(x - m)^T w``. With classes of equal size this is ordinary PCA.

    It helps where the minority class varies in directions that the majority does not. It does not look for directions
    that separate classes, and features must be in comparable units: put a ``StandardScaler`` before it.

    Parameters
    ----------
    n_components : int, float in (0, 1) or None, default=0.9
        Their number, the smallest share of the weighted variance to be explained, or None for all.
    alpha : float, default=0.0
        In [0, 1): moves weight to the smaller of two classes, ``C = (1 - alpha) / N`` and ``(1 + alpha) / N``.
    reading : {"corrected", "published"}
        "published" multiplies the rows by C and takes the plain principal components of the result. That squares the
        costs (one positive in ten gets 90 % of the weight, not 50 %), and the mean of scaled rows is not a mean of the
        data. The published sum of squares has no cross terms and taken literally is largest for a single feature; this
        reading is what it appears to mean.

    Attributes
    ----------
    components_ : array of shape (q, d)
        Directions; the entry of largest size is positive in each.
    explained_variance_ratio_ : array of shape (q,)
        Of the weighted variance (of that of the scaled rows if "published").
    mean_ : array of shape (d,)
        What is subtracted from rows: the weighted mean, or the plain one if "published".
    n_components_ : int
    classes_ : array of shape (c,)
    n_features_in_, feature_names_in_

    Raises
    ------
    ValueError
        For parameters outside their range, NaN in X, or one class only.

    Notes
    -----
    O(n d min(n, d)) time, and memory for two copies of X.

    Multiplying the *training rows* that reach a classifier by their class's cost, as Figure 3.2 of the thesis draws it,
    tells the classifier the label by the size of the row: it is perfect on the training part and useless on rows that
    are not scaled. Neither reading does that.

    References
    ----------
    A. Braytee, PhD thesis, University of Technology Sydney, 2018, equations 3.1.1 and 3.1.2.

    Examples
    --------
    Fifty samples vary in the first feature, five in the second:

    >>> rng = np.random.default_rng(0)
    >>> X = np.r_[rng.normal(size=(50, 2)) * [2, 0.1], rng.normal(size=(5, 2)) * [0.1, 4]]
    >>> y = np.r_[np.zeros(50), np.ones(5)]
    >>> CSPCA(n_components=1).fit(X, y).components_.round(1) + 0.0
    array([[0., 1.]])
    >>> from sklearn.decomposition import PCA
    >>> PCA(n_components=1).fit(X).components_.round(1)
    array([[1., 0.]])
    """

    _beside_numbers = {"n_components": (None,)}

    def __init__(self, *, n_components=0.9, alpha=0.0, reading="corrected"):
        self.n_components = n_components
        self.alpha = alpha
        self.reading = reading

    def fit(self, X, y):
        """Find the directions.

        Parameters
        ----------
        X : array of shape (n, d)
        y : array of shape (n,)
            Classes, at least two.

        Returns
        -------
        CSPCA
        """
        check_choice("reading", self.reading, ("corrected", "published"))
        X, y = validate(self, X, y, dtype=np.float64, ensure_min_samples=2)
        self.classes_, costs = sample_costs(y, self.alpha)
        if self.reading == "corrected":
            self.mean_ = costs @ X / costs.sum()
            weighted = np.sqrt(costs)[:, None] * (X - self.mean_)  # braytee Eq. 3.1.2
        else:
            self.mean_ = X.mean(axis=0)
            scaled = costs[:, None] * X
            weighted = scaled - scaled.mean(axis=0)
        _, singular, V = svd(weighted, full_matrices=False, check_finite=False)
        variances = singular**2
        total = variances.sum()
        shares = variances / total if total > 0 else variances
        self.n_components_ = self._n_components(shares)
        self.explained_variance_ratio_ = shares[: self.n_components_]
        self.components_ = _fixed_signs(V[: self.n_components_])
        self._n_features_out = self.n_components_
        return self

    def transform(self, X):
        """Coordinates of rows along the directions.

        Parameters
        ----------
        X : array of shape (m, d)

        Returns
        -------
        array of shape (m, n_components_)
        """
        check_is_fitted(self)
        X = validate(self, X, dtype=np.float64, reset=False)
        return (X - self.mean_) @ self.components_.T

    def _n_components(self, shares):
        q = self.n_components
        if q is None:
            return len(shares)
        if isinstance(q, numbers.Integral) and not isinstance(q, bool) and 1 <= q <= len(shares):
            return int(q)
        if isinstance(q, float) and 0 < q < 1:
            return min(len(shares), 1 + int(np.sum(np.cumsum(shares) < q - ROUNDING)))
        raise ValueError(
            f"n_components={q!r} must be a share of the variance in (0, 1), None, or an integer from 1 to "
            f"{len(shares)}, the smaller of the numbers of samples and features."
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _fixed_signs(V):
    """Turn every row so that its entry of largest size is positive."""
    largest = np.take_along_axis(V, np.argmax(np.abs(V), axis=1)[:, None], axis=1)
    return V * np.where(largest < 0, -1.0, 1.0)
