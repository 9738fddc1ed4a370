"""SSMVFS: multi-view feature learning via structured sparsity (Wang, Nie and Huang, ICML 2013), supervised form."""

import numpy as np

from fslib.classes import one_versus_rest
from fslib.multiview._base import MultiViewSelector
from fslib.solvers.norms import G1, L2p, SumOfNorms
from fslib.solvers.reweighted_ridge import ReweightedRidge, majorise_minimise


class SSMVFS(MultiViewSelector):
    """Select features by least squares onto the labels, with a penalty per view and class and one per feature.

    Minimises ``||X W + 1 b^T - Y||_F^2 + gamma1 ||W||_G1 + gamma2 ||W||_2,1`` with Y = +-1. Use it where a view matters
    for some classes only; squared residuals make it sensitive to outlying samples. The paper states it for clustering,
    with an indicator matrix to be found; with labels that matrix is Y.

    Parameters
    ----------
    views : None, list, dict, or int array of shape (d,)
        The features of each view: a list of slices, index lists or column-name lists, or one view code per feature.
        None: one view.
    gamma1 : float
        Penalty on whole views per class (G1 norm).
    gamma2 : float
        Penalty on features (l2,1 norm). At least one of the two penalties must be positive.
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
        If X holds NaN or infinity, y holds one class only or is not categorical, ``views`` is not a partition of the
        features, or a penalty is negative or all are zero.

    Notes
    -----
    Cost per iteration: P systems, O(P (n^2 d + n^3)) if n <= d, O(P d^3) otherwise. Memory O(n d + P d + min(n, d)^2);
    sparse X stays sparse.

    References
    ----------
    H. Wang, F. Nie and H. Huang, "Multi-View Clustering and Feature Learning via Structured Sparsity", ICML 2013.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1, 2], 10)
    >>> X = np.c_[rng.normal(size=(30, 4)), np.eye(3)[y] + 0.1 * rng.normal(size=(30, 3))]
    >>> SSMVFS([slice(0, 4), slice(4, 7)], n_features_to_select=3).fit(X, y).get_support(indices=True)
    array([4, 5, 6])
    """

    def __init__(self, views=None, *, gamma1=1.0, gamma2=1.0, max_iter=100, tol=1e-6, n_features_to_select=None):
        super().__init__(n_features_to_select=n_features_to_select)
        self.views = views
        self.gamma1 = gamma1
        self.gamma2 = gamma2
        self.max_iter = max_iter
        self.tol = tol

    def _fit(self, X, codes, views):
        Y = one_versus_rest(codes)
        return fit_ssmvfs(X, Y, views, self.gamma1, self.gamma2, max_iter=self.max_iter, tol=self.tol)


def fit_ssmvfs(X, Y, views, gamma1, gamma2, *, max_iter=100, tol=1e-6, form="auto", start=None):
    """Minimise the objective of :class:`SSMVFS` for real targets.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    Y : array of shape (n, P)
    views : list of int arrays
        As returned by :func:`fslib.multiview.views.parse_views`.
    gamma1, gamma2 : float
    max_iter, tol : int, float
    form : {"auto", "primal", "dual"}
    start : array of shape (d, P), optional
        Initial coefficients; by default the first step is a ridge fit with unit penalties.

    Returns
    -------
    W : array of shape (d, P)
    b : array of shape (P,)
    objectives : array, one value per iteration
    converged : bool
    """
    ridge = ReweightedRidge(X, form=form)
    penalty = SumOfNorms((gamma1, G1(views)), (gamma2, L2p()))

    def step(state):
        scale = np.ones(X.shape[1]) if state is None else 1 / penalty.weights(state[0])
        W, b = ridge.solve(Y, scale)
        return (W, b), float(np.sum((X @ W + b - Y) ** 2)) + penalty.value(W)

    state = None if start is None else (start, None)
    (W, b), objectives, converged = majorise_minimise(step, state, max_iter=max_iter, tol=tol)
    return W, b, objectives, converged
