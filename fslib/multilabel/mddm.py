"""MDDM: multi-label dimensionality reduction by dependence maximisation, as a feature ranking (Zhang & Zhou 2010)."""

import numpy as np
from scipy import sparse
from scipy.linalg import eig, eigh

from fslib.base import check_choice, constant_features
from fslib.multilabel.selector import MultiLabelSelector


class MDDM(MultiLabelSelector):
    """Rank features by the dependence (linear HSIC) of each with the labels.

    MDDM seeks a projection P that maximises ``tr(P^T A P)``, ``A = X^T H Y Y^T H X`` with H the centring. If P may only
    pick features, the best ones are the largest on the diagonal of A: the score of a feature is the squared norm of its
    covariances with all labels. That is also its loading on all eigenvectors of A, weighted by their eigenvalues.

    Use it as a fast baseline without parameters, on features of one scale: one matrix product. It ignores redundancy
    and detects only linear dependence.

    Parameters
    ----------
    kind : {"proj", "spc"}
        Constraint on the projection: orthonormal directions, or directions that are half orthonormal, half uncorrelated
        (``P^T (X^T H X + I) P / 2 = I``). For "spc" the score is the eigenvalue-weighted loading on generalised
        eigenvectors.
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half.
    scale : bool, default=True
        Map each feature to [-1, 1] first.
    reading : {"corrected", "published"}
        "published" orders features by the sort permutation of the eigenvalues of A, that is, it takes the *number* of
        an eigenvalue for the number of a feature. This explains the numbers published for MDDM in the MLMLFS paper; it
        is not a feature ranking, and beyond the first c entries it is an order of rounding errors, which differs by
        machine.

    Attributes
    ----------
    scores_ : array of shape (d,) or None
        None for the published reading.
    ranking_ : array of int, shape (d,)
    support_ : array of bool, shape (d,)
    n_features_in_ : int
    feature_names_in_ : array of str, only if X had string column names
    label_names_ : array of shape (c,)
        Column names of a DataFrame ``y``, class codes of a 1-D ``y``, else 0..c-1.

    Raises
    ------
    ValueError
        For NaN in X, and for labels that are not 0, 1 or NaN or of which a column is wholly unknown.

    Notes
    -----
    An unknown label counts as the mean of its known values, that is, contributes nothing ("corrected"), or as absent
    ("published"). O(n d c) time and memory O(d (n + c)); "spc" and the published reading need d x d matrices and
    O(d^3).

    References
    ----------
    Y. Zhang, Z.-H. Zhou, "Multi-label dimensionality reduction via dependence maximization", ACM TKDD 4(3) (2010),
    section 3. P. Zhu et al., Pattern Recognition 74 (2018), Tables 2-5.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> MDDM(n_features_to_select=1).fit(X, [[0], [1], [0], [1]]).scores_
    array([0., 4.])
    """

    _accepts_sparse = True

    def __init__(self, kind="proj", *, n_features_to_select=None, scale=True, reading="corrected"):
        super().__init__(n_features_to_select=n_features_to_select)
        self.kind = kind
        self.scale = scale
        self.reading = reading

    def fit(self, X, y):
        """Score the features.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
        y : array or DataFrame of shape (n, c)
            0, 1 or NaN for unknown.

        Returns
        -------
        MDDM
        """
        check_choice("kind", self.kind, ("proj", "spc"))
        check_choice("reading", self.reading, ("corrected", "published"))
        X, labels = self._validate(X, y)
        centred = _Sparse(X, self.scale) if sparse.issparse(X) else _Dense(X, self.scale)
        if self.reading == "published":
            covariance = centred.covariance(np.nan_to_num(labels.values, nan=0.0))
            return self._store_ranking(order=_eigenvalue_numbers(covariance @ covariance.T, self._metric(centred)))
        covariance = centred.covariance(labels.centred())  # (d, c)
        covariance[constant_features(X)] = 0
        if self.kind == "proj":
            return self._store_ranking(scores=np.sum(covariance**2, axis=1))
        values, vectors = eigh(covariance @ covariance.T, self._metric(centred))
        return self._store_ranking(scores=vectors**2 @ np.maximum(values, 0))

    def _metric(self, centred):
        identity = np.eye(self.n_features_in_)
        return identity if self.kind == "proj" else (centred.gram() + identity) / 2


class _Dense:
    """Centred features, mapped to [-1, 1] first if ``scale``."""

    def __init__(self, X, scale):
        X = _to_unit_interval(X) if scale else X
        self._X = X - X.mean(axis=0)

    def covariance(self, Y):
        return self._X.T @ Y

    def gram(self):
        return self._X.T @ self._X


class _Sparse:
    """The same from stored entries: scaling and centring are worked into the products."""

    def __init__(self, X, scale):
        self._X = sparse.csr_array(X)
        self._mean = np.asarray(X.mean(axis=0)).ravel()
        spread = X.max(axis=0).toarray().ravel() - X.min(axis=0).toarray().ravel()
        self._factor = 2 / np.where(spread > 0, spread, 1.0) if scale else np.ones(len(spread))

    def covariance(self, Y):
        return self._factor[:, None] * (self._X.T @ Y - np.outer(self._mean, Y.sum(axis=0)))

    def gram(self):
        products = (self._X.T @ self._X).toarray() - self._X.shape[0] * np.outer(self._mean, self._mean)
        return self._factor[:, None] * products * self._factor


def _to_unit_interval(X):
    """Map each feature to [-1, 1]; constant features become -1."""
    low, high = X.min(axis=0), X.max(axis=0)
    return 2 * (X - low) / np.where(high > low, high - low, 1.0) - 1


def _eigenvalue_numbers(A, B):
    """Positions of the generalised eigenvalues, in the order in which the QZ algorithm leaves them, by falling size."""
    values = eig(A, B, right=False).real
    return np.argsort(-values, kind="stable")
