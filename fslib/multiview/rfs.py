"""RFS: robust feature selection by joint l2,1 norms (Nie, Huang, Cai and Ding, NIPS 2010)."""

import numpy as np

from fslib.classes import one_versus_rest
from fslib.multiview._base import MultiViewSelector
from fslib.solvers.norms import L2p, row_squares, smoothed
from fslib.solvers.reweighted_ridge import ReweightedRidge, majorise_minimise


class RFS(MultiViewSelector):
    """Select features by a regression onto the labels whose residuals are not squared, sample by sample.

    Minimises ``sum_n ||W^T x_n + b - y_n|| + gamma sum_i ||w^i||`` with y_n = +-1 per class. Use it where some samples
    are outliers, since a sample enters by its distance and not its square. It ignores views.

    Parameters
    ----------
    gamma : float
        Penalty on features, positive.
    max_iter : int
        Largest number of reweightings.
    tol : float
        Stop when an iteration lowers the objective J by less than ``tol * max(1, J)``.
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half.

    Attributes
    ----------
    scores_ : array of shape (d,)
        Norm of each feature's coefficients.
    coef_, intercept_ : arrays of shape (P, d) and (P,)
    objective_ : array of shape (n_iter_,)
        Smoothed objective after each iteration; never rises.
    n_iter_ : int
    converged_ : bool
        Whether ``tol`` was reached before ``max_iter``.
    classes_ : array of shape (P,)
    ranking_ : array of int, shape (d,)
    support_ : array of bool, shape (d,)
    n_features_in_ : int
    feature_names_in_ : array of str, only if X had string column names

    Raises
    ------
    ValueError
        If X holds NaN or infinity, y holds one class only or is not categorical, or ``gamma`` is not positive.

    Notes
    -----
    Cost per iteration O(min(n, d)^2 max(n, d)): one factor serves all classes. Memory O(n d + min(n, d)^2); sparse X
    stays sparse. The original appends the residuals to the unknowns and has no intercept; its iterates are the ones
    here with b = 0.

    References
    ----------
    F. Nie, H. Huang, X. Cai and C. Ding, "Efficient and Robust Feature Selection via Joint l2,1-Norms Minimization",
    NIPS 2010.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1, 2], 10)
    >>> X = np.c_[rng.normal(size=(30, 4)), np.eye(3)[y] + 0.1 * rng.normal(size=(30, 3))]
    >>> RFS(gamma=5.0, n_features_to_select=3).fit(X, y).get_support(indices=True)
    array([4, 5, 6])
    """

    views = None

    def __init__(self, *, gamma=1.0, max_iter=100, tol=1e-6, n_features_to_select=None):
        super().__init__(n_features_to_select=n_features_to_select)
        self.gamma = gamma
        self.max_iter = max_iter
        self.tol = tol

    def _fit(self, X, codes, views):
        W, b, objectives, converged = fit_rfs(
            X, one_versus_rest(codes), self.gamma, max_iter=self.max_iter, tol=self.tol
        )
        return W, b, objectives, converged


def fit_rfs(X, Y, gamma, *, max_iter=100, tol=1e-6, form="auto", start=None, fit_intercept=True):
    """Minimise ``sum_n ||W^T x_n + b - y_n|| + gamma ||W||_2,1``; also the core of methods that reduce to RFS.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    Y : array of shape (n, c)
        Any real targets.
    gamma : float
        Positive.
    max_iter : int
        Largest number of reweightings.
    tol : float
        Stop when an iteration lowers the objective J by less than ``tol * max(1, J)``.
    form : {"auto", "primal", "dual"}
        Whether d x d or n x n matrices are factored; "auto" takes the smaller.
    start : tuple of arrays of shape (d, c) and (c,), optional
        Initial W and b; by default a ridge fit with unit weights.
    fit_intercept : bool
        False: b = 0, as in the original.

    Returns
    -------
    W : array of shape (d, c)
    b : array of shape (c,)
    objectives : array, one value per iteration
    converged : bool
    """
    norm = L2p()

    def step(state):
        if state is None:
            row_weights, scale = None, np.ones(X.shape[1])
        else:
            W, _, residuals = state
            row_weights, scale = 0.5 / residuals, 1 / (gamma * norm.weights(W))
        W, b = ReweightedRidge(X, row_weights, form, fit_intercept=fit_intercept).solve(Y, scale)
        residuals = smoothed(row_squares(X @ W + b - Y))
        return (W, b, residuals), residuals.sum() + gamma * norm.value(W)

    if start is not None:
        start = (*start, smoothed(row_squares(X @ start[0] + start[1] - Y)))
    (W, b, _), objectives, converged = majorise_minimise(step, start, max_iter=max_iter, tol=tol)
    return W, b, objectives, converged
