"""RRMVFS: robust re-weighted multi-view feature selection (Xue, Wang, Niu, Zhong, Niu and Song, 2019).

Every view fits the labels on its own, by a residual norm that is not squared, and one penalty removes views per class,
another removes features:

    J = sum_v  ||X_v W_v + 1 b_v^T - Y||_F  +  gamma1 sum_p ||w_p^(v)||  +  gamma2 sum_i ||w^i||              (Eq. 2)

J is convex and separates into one problem per view, solved by iterative reweighting (Eqs. 14 and 15).
"""

import numpy as np
from joblib import Parallel, delayed
from scipy.linalg import eigh

from fslib.base import check_choice
from fslib.classes import one_versus_rest
from fslib.multiview._base import MultiViewSelector
from fslib.solvers.norms import G1, L2p, smoothed
from fslib.solvers.reweighted_ridge import ReweightedRidge, majorise_minimise

EIGEN_FROM_CLASSES = 16
"""Number of classes from which one eigendecomposition is cheaper than a Cholesky factor per class (measured)."""


class RRMVFS(MultiViewSelector):
    """Select features from several views at once, each view weighted by how well it fits the labels.

    Minimises ``sum_v ||X_v W_v + 1 b_v^T - Y||_F + gamma1 sum_p ||w_p^(v)|| + gamma2 sum_i ||w^i||``. Use it when views
    differ in quality and a separate, smaller problem for each view is wanted. It is not robust to outlying samples: the
    residual norm is unsquared per view, not per sample, so that the fit of a view is that of a squared loss with
    penalties ``2 ||R_v||_F gamma``. And since views do not compete, a view of noise is fitted to the labels like any
    other: at small penalties its features may outrank redundant features of a good view.

    Parameters
    ----------
    views : None, list, dict, or int array of shape (d,)
        The features of each view: a list of slices, index lists or column-name lists, or one view code per feature.
        None: one view.
    gamma1 : float
        Penalty on whole views per class (G1 norm). The paper searches 10^-5 to 10^5 for both.
    gamma2 : float
        Penalty on features (l2,1 norm). At least one of the two penalties must be positive.
    max_iter : int
        Largest number of reweightings; 20 in the paper.
    tol : float
        A view stops when its objective falls by less than ``tol * max(1, J)``.
    reading : {"corrected", "published"}
        In Algorithm 1 the feature and class weights have index t-1 beside a residual weight with index t.
        ``"corrected"`` takes all weights from the current iterate, as the paper's proof does (Eqs. 16 and 17), so that
        J never rises. ``"published"`` lags as published, with the initial W in place of the missing iterate -1; it has
        the same limit, but J may rise on the way, and the published stopping rule then ends the search.
    n_jobs : int or None
        Views fitted in parallel threads.
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half.

    Attributes
    ----------
    scores_ : array of shape (d,)
        Norm of each feature's coefficients, over all classes.
    coef_ : array of shape (P, d)
    intercept_ : array of shape (V, P)
        One intercept per view: every view predicts by itself.
    view_weights_ : array of shape (V,)
        ``1 / (2 ||R_v||_F)`` (Eq. 15): large for views that fit the labels well. Reported, not used for ranking.
    objective_ : array of shape (n_iter_,)
        J after each iteration, smoothed as in :mod:`fslib.solvers.norms`; never rises in the corrected reading.
    view_objectives_ : array of shape (n_iter_, V)
        The share of each view; constant once a view has stopped.
    n_iter_, converged_ : int, bool
        Iterations of the slowest view; whether all views met ``tol``.
    classes_ : array of shape (P,)
    ranking_ : array of int, shape (d,)
    support_ : array of bool, shape (d,)
    n_features_in_ : int
    feature_names_in_ : array of str, only if X had string column names

    Raises
    ------
    ValueError
        If X holds NaN or infinity, y holds one class only or is not categorical, ``views`` is not a partition of the
        features, or a penalty is negative or all are zero.

    Notes
    -----
    Cost per iteration and view with d_v features: O(P (n^2 d_v + n^3)) if n <= d_v, O(P d_v^3) otherwise, or
    O(d_v^3) with a larger constant for many classes. Memory O(n d + P d + min(n, d_v)^2). Sparse X stays sparse.

    The paper's proof of descent needs first powers of the norms where its Eqs. 17 to 20 have squares.

    References
    ----------
    Y. Xue, N. Wang, Y. Niu, P. Zhong, S. Niu and Y. Song, "Robust Re-Weighted Multi-View Feature Selection", Computers,
    Materials and Continua, 2019. Objective: Eq. 2; updates: Eqs. 13 to 15; ranking: section 3.1.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1, 2], 10)
    >>> good, noise = np.eye(3)[y] + 0.1 * rng.normal(size=(30, 3)), rng.normal(size=(30, 4))
    >>> selector = RRMVFS([slice(0, 4), slice(4, 7)], max_iter=200, n_features_to_select=3).fit(np.c_[noise, good], y)
    >>> selector.get_support(indices=True)
    array([4, 5, 6])
    >>> selector.view_weights_.argmax()
    np.int64(1)
    """

    def __init__(
        self,
        views=None,
        *,
        gamma1=0.1,
        gamma2=0.1,
        max_iter=20,
        tol=1e-5,
        reading="corrected",
        n_jobs=None,
        n_features_to_select=None,
    ):
        super().__init__(n_features_to_select=n_features_to_select)
        self.views = views
        self.gamma1 = gamma1
        self.gamma2 = gamma2
        self.max_iter = max_iter
        self.tol = tol
        self.reading = reading
        self.n_jobs = n_jobs

    def _fit(self, X, codes, views):
        check_choice("reading", self.reading, ("corrected", "published"))
        Y = one_versus_rest(codes)
        options = {"max_iter": self.max_iter, "tol": self.tol, "lagged": self.reading == "published"}
        fits = Parallel(n_jobs=self.n_jobs, prefer="threads")(
            delayed(fit_view)(X[:, view], Y, self.gamma1, self.gamma2, **options) for view in views
        )
        W = np.empty((X.shape[1], Y.shape[1]))
        for view, fit in zip(views, fits, strict=True):
            W[view] = fit[0]
        length = max(len(fit[2]) for fit in fits)
        self.view_objectives_ = np.column_stack([np.pad(fit[2], (0, length - len(fit[2])), "edge") for fit in fits])
        residuals = np.array(
            [np.linalg.norm(X[:, v] @ fit[0] + fit[1] - Y) for v, fit in zip(views, fits, strict=True)]
        )
        self.view_weights_ = 0.5 / smoothed(residuals**2)  # rrmvfs Eq. 15
        intercepts = np.stack([fit[1] for fit in fits])
        objective = self.view_objectives_.sum(axis=1)  # rrmvfs Eq. 3
        return W, intercepts, objective, all(fit[3] for fit in fits)


def fit_view(X, Y, gamma1, gamma2, *, max_iter=20, tol=1e-5, form="auto", start=None, lagged=False):
    """Minimise the objective of one view.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
        The features of one view.
    Y : array of shape (n, P)
        Targets.
    gamma1, gamma2 : float
        Penalties, not both zero.
    max_iter : int
        Largest number of reweightings.
    tol : float
        Stop when the objective J falls by less than ``tol * max(1, J)``.
    form : {"auto", "primal", "dual", "eigen"}
        How the P systems of an iteration are solved; all give the same answer. ``"primal"`` and ``"eigen"`` work with
        d x d matrices, one Cholesky factor per class or one eigendecomposition for all; ``"dual"`` with n x n.
    start : array of shape (d, P), optional
        Initial coefficients; all ones as in Algorithm 1 by default.
    lagged : bool
        Take the weights of the penalties from the iterate before the current one, as in Algorithm 1.

    Returns
    -------
    W : array of shape (d, P)
    b : array of shape (P,)
    objectives : array, one value per iteration
    converged : bool
    """
    n, d = X.shape
    if form == "auto":
        form = "dual" if n <= d else ("eigen" if Y.shape[1] >= EIGEN_FROM_CLASSES else "primal")
    ridge = ReweightedRidge(X, form="dual" if form == "dual" else "primal")
    moments = ridge.moments(Y) if form == "eigen" else None
    interpolates = 1e-6 * np.linalg.norm(Y - Y.mean(axis=0))  # below this residual only the dual form is accurate
    features, classes = L2p(), G1([np.arange(d)])

    def intercept(W):
        return (Y - X @ W).mean(axis=0)  # rrmvfs Eq. 13

    def step(state):
        W, b, weighted = state  # the penalties are weighted by the last of them
        # The inverse of alpha, which is multiplied by and never divided by.
        twice_residual = 2 * smoothed(np.sum((X @ W + b - Y) ** 2))  # rrmvfs Eq. 15
        class_weights = gamma1 * classes.weights(weighted)[0]  # (P,): equal for all features of the view
        feature_weights = gamma2 * features.weights(weighted)[:, 0]  # (d,)
        scale = 1 / (feature_weights[:, None] + class_weights)
        before = W
        if form != "dual" and twice_residual < interpolates:
            W, b = ReweightedRidge(X, form="dual").solve(Y, scale, twice_residual)
        elif form == "eigen":
            W = solve_by_eigen(ridge.gram_, moments, feature_weights, class_weights, twice_residual)
            b = intercept(W)
        else:
            W, b = ridge.solve(Y, scale, twice_residual)  # rrmvfs Eq. 14
        residual = float(smoothed(np.sum((X @ W + b - Y) ** 2)))
        objective = residual + gamma1 * classes.value(W) + gamma2 * features.value(W)  # rrmvfs Eq. 4
        return (W, b, before if lagged else W), objective

    W = np.ones((d, Y.shape[1])) if start is None else np.asarray(start, dtype=float)
    (W, b, _), objectives, converged = majorise_minimise(step, (W, intercept(W), W), max_iter=max_iter, tol=tol)
    return W, b, objectives, converged


def solve_by_eigen(gram, moments, feature_weights, class_weights, twice_residual):
    """Solve ``(gram + twice_residual (diag(feature_weights) + class_weights[p] I)) w_p = moments[:, p]`` for all p.

    The systems differ by a multiple of the identity, so that one eigendecomposition serves all of them. Its errors are
    absolute, relative to the largest eigenvalue; features with enormous weights would corrupt the rest. Those are left
    out and get their (vanishing) coefficients from their own equation.

    Parameters
    ----------
    gram : array of shape (d, d)
    moments : array of shape (d, P)
    feature_weights : array of shape (d,)
    class_weights : array of shape (P,)
    twice_residual : float

    Returns
    -------
    array of shape (d, P)
    """
    kept = feature_weights <= 1e6 * np.median(feature_weights)
    M = gram[np.ix_(kept, kept)] + np.diag(twice_residual * feature_weights[kept])
    values, vectors = eigh(M, check_finite=False)
    shifted = np.maximum(values, 0)[:, None] + twice_residual * class_weights
    W = np.empty(moments.shape)
    W[kept] = vectors @ ((vectors.T @ moments[kept]) / shifted)  # rrmvfs Eq. 14
    left = moments[~kept] - gram[np.ix_(~kept, kept)] @ W[kept]
    own = gram.diagonal()[~kept, None] + twice_residual * (feature_weights[~kept, None] + class_weights)
    W[~kept] = left / own
    return W
