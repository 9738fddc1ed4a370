"""MIFS: multi-label informed feature selection (Jian, Li, Shu & Liu 2016)."""

import numbers
import warnings

import numpy as np
from scipy.linalg import eigh, lstsq, svd
from sklearn.exceptions import ConvergenceWarning

from fslib.base import check_choice, constant_features
from fslib.multilabel.graph import knn_laplacian
from fslib.multilabel.selector import MultiLabelSelector
from fslib.parameters import check_numbers
from fslib.solvers.norms import L2p, row_squares
from fslib.solvers.reweighted_ridge import ReweightedRidge, majorise_minimise

PUBLISHED_STEP = 1e-5
"""Length of the gradient steps of the public toolbox."""


class MIFS(MultiLabelSelector):
    """Row-sparse regression on few latent labels, into which the label matrix is factorised in the same problem.

    With latent labels V (n, k), their loadings B (k, c), coefficients W (d, k), intercepts b and the Laplacian Lap of a
    nearest-neighbour graph,

        min   ||X W + 1 b^T - V||^2 + alpha ||Y - V B||^2 + beta tr(V^T Lap V) + gamma sum_j ||W_j|| ;

    feature j scores the norm of row j of W. Good where few combinations of labels carry most of the information; with
    noisy labels the factorisation smooths them. The published objective has no minimiser (V and W shrink as B grows, at
    no cost), so that the stopping point decides the norms of the rows of W, though hardly their order. The default asks
    B to have orthonormal rows, which is well posed; ``scale="free"`` is the published objective.

    Parameters
    ----------
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half. The ranking does not depend on it.
    alpha, beta : float, default=1.0
        Weights of the labels, > 0, and of the graph, >= 0.
    gamma : float, default=1.0
        Weight of the sparsity, > 0.
    n_components : int, optional
        k, from 1 to c; default half the labels, rounded up.
    scale : {"orthonormal", "free"}
        Whether the rows of B are orthonormal, or B is whatever fits.
    n_neighbors : int, default=5
        Neighbours of a sample in the graph.
    max_iter : int, optional
        Default 50, and 1000 for "published".
    tol : float, default=1e-3
        Relative decrease of the objective per step below which it has converged; not used by "published".
    reading : {"corrected", "published"}
        "published" is the public toolbox, from which published numbers of MIFS come: uniform random start, fixed
        gradient steps of 1e-5 in V, B and W, no intercept. Far from a minimum: features that hardly
        occur keep their random start and rank first.
    random_state : int, Generator or None
        Draws the start of "published"; "corrected" is deterministic.

    Attributes
    ----------
    scores_ : array of shape (d,)
        0 for constant columns, except under "published".
    coef_ : array of shape (d, k)
    latent_ : array of shape (n, k)
    loadings_ : array of shape (k, c)
    objective_ : array of shape (n_iter_,)
        After each step, smoothed; never rises for "corrected".
    n_iter_ : int
    converged_ : bool
    ranking_, support_, n_features_in_, feature_names_in_, label_names_
        See ``FeatureSelector`` and ``MultiLabelSelector``.

    Raises
    ------
    ValueError
        For parameters outside their range, NaN in X, labels that are not 0, 1 or NaN, and columns so large that the
        steps of "published" diverge.

    Warns
    -----
    ConvergenceWarning
        If ``max_iter`` was reached first.

    Notes
    -----
    An unknown label counts as absent. Per step O(min(n, d)^2 max(n, d)) time; memory O(n d) plus a square matrix of the
    smaller size. The graph is sparse, with heat-kernel weights as wide as the median distance to a neighbour.

    References
    ----------
    L. Jian, J. Li, K. Shu, H. Liu, "Multi-label informed feature selection", IJCAI (2016), equation 5 and Algorithm 1.
    Public toolbox: KKimura360/MLC_toolbox.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 6))
    >>> MIFS(n_features_to_select=2).fit(X, X[:, [4, 2]] > 0).get_support(indices=True)
    array([2, 4])
    """

    _accepts_sparse = True

    def __init__(
        self,
        *,
        n_features_to_select=None,
        alpha=1.0,
        beta=1.0,
        gamma=1.0,
        n_components=None,
        scale="orthonormal",
        n_neighbors=5,
        max_iter=None,
        tol=1e-3,
        reading="corrected",
        random_state=None,
    ):
        super().__init__(n_features_to_select=n_features_to_select)
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        self.n_components = n_components
        self.scale = scale
        self.n_neighbors = n_neighbors
        self.max_iter = max_iter
        self.tol = tol
        self.reading = reading
        self.random_state = random_state

    def fit(self, X, y):
        """Find latent labels and coefficients.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
        y : array or DataFrame of shape (n, c)
            0, 1 or NaN for unknown.

        Returns
        -------
        MIFS
        """
        X, labels = self._validate(X, y)
        Y = np.nan_to_num(labels.values, nan=0.0)
        k = self._check_parameters(Y.shape[1])
        laplacian = knn_laplacian(X, self.n_neighbors)
        solve = self._descend_exactly if self.reading == "corrected" else self._descend_as_published
        self.coef_, self.latent_, self.loadings_ = solve(X, Y, laplacian, k)
        self.n_iter_ = len(self.objective_)
        scores = np.linalg.norm(self.coef_, axis=1)
        return self._store_ranking(scores=scores * ~constant_features(X) if self.reading == "corrected" else scores)

    def _descend_exactly(self, X, Y, laplacian, k):
        ridge, penalty = ReweightedRidge(X), L2p()
        U, s, Vt = svd(Y, full_matrices=False)
        start = np.ones(X.shape[1]), U[:, :k] * s[:k], Vt[:k]

        def step(state):
            scale, V, B, *_ = state
            W, b = ridge.solve(V, scale, penalty=self.gamma)
            fitted = X @ W + b
            V = smooth_fit(laplacian, self.beta, self.alpha * B @ B.T, fitted + self.alpha * Y @ B.T, V)
            B = lstsq(V, Y)[0] if self.scale == "free" else polar(V.T @ Y)
            value = self._objective(fitted, V, B, Y, laplacian) + self.gamma * penalty.value(W)
            return (1 / penalty.weights(W).ravel(), V, B, W), value

        limit = self.max_iter or 50
        found, self.objective_, self.converged_ = majorise_minimise(step, start, max_iter=limit, tol=self.tol)
        if not self.converged_:
            warnings.warn(
                f"MIFS stopped after max_iter={limit} steps, the last of which still lowered the objective by more "
                f"than tol={self.tol:g}. Raise max_iter, or tol if a ranking is all you need.",
                ConvergenceWarning,
                stacklevel=3,
            )
        _, V, B, W = found
        return W, V, B

    def _descend_as_published(self, X, Y, laplacian, k):
        rng, step = np.random.default_rng(self.random_state), PUBLISHED_STEP
        W, V, B = rng.random((X.shape[1], k)), rng.random((X.shape[0], k)), rng.random((k, Y.shape[1]))
        D = np.ones((X.shape[1], 1))
        values = []
        with np.errstate(over="ignore", invalid="ignore"):
            for _ in range(self.max_iter or 1000):
                XW = X @ W
                V = V - step * ((V - XW) + self.alpha * (V @ B - Y) @ B.T + self.beta * (laplacian @ V))
                B = B - step * (V.T @ (V @ B - Y))
                W = W - step * (X.T @ (XW - V) + self.gamma * D * W)
                D = 0.5 / np.sqrt(row_squares(W) + np.finfo(float).eps)[:, None]
                norms = np.sqrt(row_squares(W)).sum()
                values.append(self._objective(X @ W, V, B, Y, laplacian) + self.gamma * float(norms))
        if not np.isfinite(values[-1]):
            raise ValueError(
                "The fixed gradient steps of MIFS(reading='published') diverge on this X, whose columns are too large "
                "for them: bring the columns to [0, 1]."
            )
        self.objective_, self.converged_ = np.array(values), True
        return W, V, B

    def _objective(self, fitted, V, B, Y, laplacian):
        """All but the penalty on W."""
        smooth = self.beta * np.sum(V * (laplacian @ V))
        return float(np.sum((fitted - V) ** 2) + self.alpha * np.sum((Y - V @ B) ** 2) + smooth)

    def _check_parameters(self, n_labels):
        """Return k."""
        check_choice("scale", self.scale, ("free", "orthonormal"))
        check_choice("reading", self.reading, ("corrected", "published"))
        check_numbers(
            self,
            integers=[("max_iter", 1)],
            numbers=[
                ("alpha", "a positive number", lambda v: v > 0),
                ("beta", "a number >= 0", lambda v: v >= 0),
                ("gamma", "a positive number: it is what drops features", lambda v: v > 0),
                ("tol", "a number >= 0", lambda v: v >= 0),
            ],
            optional=["max_iter"],
        )
        k = (n_labels + 1) // 2 if self.n_components is None else self.n_components
        if not isinstance(k, numbers.Integral) or not 1 <= k <= n_labels:
            raise ValueError(f"n_components={k!r} must be an integer from 1 to the number of labels, {n_labels}.")
        return k


def smooth_fit(laplacian, beta, inner, rhs, start, tol=1e-10, max_iter=500):
    """Solve ``V + beta Lap V + V inner = rhs`` for V by conjugate gradients, one system per eigenvector of ``inner``.

    Parameters
    ----------
    laplacian : sparse matrix of shape (n, n)
    beta : float
    inner : array of shape (k, k)
        Positive semidefinite.
    rhs, start : arrays of shape (n, k)
    tol : float
        Residual at which it ends, relative to the right-hand side.
    max_iter : int

    Returns
    -------
    array of shape (n, k)

    Examples
    --------
    >>> from scipy import sparse
    >>> smooth_fit(sparse.csr_array((2, 2)), 0.0, np.eye(1), np.array([[2.0], [4.0]]), np.zeros((2, 1))).ravel()
    array([1., 2.])
    """
    values, vectors = eigh((inner + inner.T) / 2)
    shift = 1 + np.maximum(values, 0)
    rhs, V = rhs @ vectors, start @ vectors
    times = lambda A: A * shift + beta * (laplacian @ A)
    residual = rhs - times(V)
    direction, square = residual, np.sum(residual**2, axis=0)
    enough = tol**2 * np.sum(rhs**2, axis=0)
    for _ in range(max_iter):
        if np.all(square <= enough):
            break
        along = times(direction)
        curvature = np.sum(direction * along, axis=0)
        length = np.divide(square, curvature, out=np.zeros_like(square), where=curvature > 0)
        V, residual = V + length * direction, residual - length * along
        before, square = square, np.sum(residual**2, axis=0)
        direction = residual + np.divide(square, before, out=np.zeros_like(square), where=before > 0) * direction
    return V @ vectors.T


def polar(A):
    """Nearest matrix with orthonormal rows to ``A`` (k, c), k at most c.

    Examples
    --------
    >>> polar(np.array([[2.0, 0.0, 0.0], [0.0, 0.5, 0.0]]))
    array([[1., 0., 0.],
           [0., 1., 0.]])
    """
    U, _, Vt = svd(A, full_matrices=False)
    return U @ Vt
