"""DSML-FS: discriminative sparse multimodal feature selection (Zhang, Tian, Yang and Pan, IEEE TGRS 2015)."""

import numpy as np

from fslib.classes import one_versus_rest
from fslib.multiview._base import MultiViewSelector
from fslib.solvers.norms import G21, L2p, SumOfNorms
from fslib.solvers.reweighted_ridge import ReweightedRidge, majorise_minimise


class DSMLFS(MultiViewSelector):
    """Select features by least squares onto targets that may move away from the decision boundary.

    Minimises over W, b and M >= 0 ``||X W + 1 b^T - Y - B o M||_F^2 + gamma1 ||W||_G21 + gamma2 ||W||_2,1`` with Y in
    {0, 1} and B = +1 at the true class, -1 elsewhere: a sample beyond its target costs nothing. G21 removes a view for
    all classes at once. Use it where least squares would penalise samples that are classified too well; it converges
    slowly at small penalties.

    Parameters
    ----------
    views : None, list, dict, or int array of shape (d,)
        The features of each view: a list of slices, index lists or column-name lists, or one view code per feature.
        None: one view.
    gamma1 : float
        Penalty on whole views (G21 norm).
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
    Cost per iteration O(min(n, d)^2 max(n, d)): one factor serves all classes. Memory O(n d + min(n, d)^2); sparse X
    stays sparse. The objective is put together from the paper's abstract (discriminative least squares, joint
    structured sparsity) and from the comparison in the RRMVFS paper, which names the G21 norm.

    References
    ----------
    Q. Zhang, Y. Tian, Y. Yang and C. Pan, "Automatic Spatial-Spectral Feature Selection for Hyperspectral Image via
    Discriminative Sparse Multimodal Learning", IEEE Transactions on Geoscience and Remote Sensing 53, 2015.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1, 2], 10)
    >>> X = np.c_[rng.normal(size=(30, 4)), np.eye(3)[y] + 0.1 * rng.normal(size=(30, 3))]
    >>> DSMLFS([slice(0, 4), slice(4, 7)], n_features_to_select=3).fit(X, y).get_support(indices=True)
    array([4, 5, 6])
    """

    def __init__(self, views=None, *, gamma1=0.1, gamma2=0.1, max_iter=200, tol=1e-6, n_features_to_select=None):
        super().__init__(n_features_to_select=n_features_to_select)
        self.views = views
        self.gamma1 = gamma1
        self.gamma2 = gamma2
        self.max_iter = max_iter
        self.tol = tol

    def _fit(self, X, codes, views):
        Y = one_versus_rest(codes, low=0.0)
        return fit_dsmlfs(X, Y, views, self.gamma1, self.gamma2, max_iter=self.max_iter, tol=self.tol)


def fit_dsmlfs(X, Y, views, gamma1, gamma2, *, max_iter=200, tol=1e-6, form="auto", start=None):
    """Minimise the objective of :class:`DSMLFS`.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    Y : array of shape (n, P)
        Zeros and ones.
    views : list of int arrays
        As returned by :func:`fslib.multiview.views.parse_views`.
    gamma1, gamma2 : float
    max_iter, tol : int, float
    form : {"auto", "primal", "dual"}
    start : array of shape (d, P), optional
        Initial coefficients; by default the first step is a ridge fit with unit penalties. M always starts at 0.

    Returns
    -------
    W : array of shape (d, P)
    b : array of shape (P,)
    objectives : array, one value per iteration
    converged : bool
    """
    ridge = ReweightedRidge(X, form=form)
    penalty = SumOfNorms((gamma1, G21(views)), (gamma2, L2p()))
    B = np.where(Y > 0, 1.0, -1.0)

    def step(state):
        W, M = state
        scale = np.ones(X.shape[1]) if W is None else 1 / penalty.weights(W)
        W, b = ridge.solve(Y + B * M, scale)
        surplus = B * (X @ W + b - Y)  # how far each prediction lies beyond its target
        M = np.maximum(surplus, 0)
        return (W, M, b), float(np.sum((surplus - M) ** 2)) + penalty.value(W)

    (W, _, b), objectives, converged = majorise_minimise(
        lambda state: step(state[:2]), (start, np.zeros(Y.shape)), max_iter=max_iter, tol=tol
    )
    return W, b, objectives, converged
