"""SMML: sparse multimodal machine (Wang, Nie, Huang and Ding, CVPR 2013)."""

import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from fslib.classes import one_versus_rest
from fslib.multiview._base import MultiViewSelector
from fslib.solvers.norms import G1, L2p, SumOfNorms
from fslib.solvers.reweighted_ridge import majorise_minimise

INNER_TOL = 1e-6
"""Stopping tolerance of the inner support vector machines; it bounds the accuracy of the objective."""

INNER_STEPS = 100_000
"""Cap on their pairwise steps, a thousand times what ordinary kernels need. With next to no penalty the rounding of the
kernel's huge numbers exceeds the tolerance, and on samples that contradict each other the solver would never end."""


class SMML(MultiViewSelector):
    """Select features by one-versus-rest hinge losses, with a penalty per view and class and one per feature.

    Minimises ``sum_np max(0, 1 - y_np (x_n^T w_p + b_p)) + gamma1 ||W||_G1 + gamma2 ||W||_2,1``. Use it where only the
    samples near a class boundary should count. It is the slowest of its family: every iteration solves a support vector
    machine per class.

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
        Stop when an iteration lowers the objective J by less than ``tol * max(1, J)`` plus the inner solver's accuracy.
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half.

    Attributes
    ----------
    scores_ : array of shape (d,)
        Norm of each feature's coefficients.
    coef_, intercept_ : arrays of shape (P, d) and (P,)
    objective_ : array of shape (n_iter_,)
        Smoothed objective after each iteration; never rises by more than the inner accuracy, 1e-6 n.
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
    With the reweighting diagonal D_p fixed, class p is a standard support vector machine with C = 1 and the kernel
    ``X (2 D_p)^-1 X^T``. Cost per iteration O(P n^2 d) for the kernels plus P machines of n samples; memory
    O(n d + n^2). Sparse X stays sparse. Plain hinge losses are read from the paper's text; the intercept may not be
    unique, the ranking does not use it.

    References
    ----------
    H. Wang, F. Nie, H. Huang and C. Ding, "Heterogeneous Visual Features Fusion via Sparse Multimodal Machine",
    CVPR 2013.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1, 2], 10)
    >>> X = np.c_[rng.normal(size=(30, 4)), 2 * np.eye(3)[y] + 0.1 * rng.normal(size=(30, 3))]
    >>> SMML([slice(0, 4), slice(4, 7)], n_features_to_select=3).fit(X, y).get_support(indices=True)
    array([4, 5, 6])
    """

    def __init__(self, views=None, *, gamma1=0.1, gamma2=0.1, max_iter=40, tol=1e-5, n_features_to_select=None):
        super().__init__(n_features_to_select=n_features_to_select)
        self.views = views
        self.gamma1 = gamma1
        self.gamma2 = gamma2
        self.max_iter = max_iter
        self.tol = tol

    def _fit(self, X, codes, views):
        Y = one_versus_rest(codes)
        return fit_smml(X, Y, views, self.gamma1, self.gamma2, max_iter=self.max_iter, tol=self.tol)


def fit_smml(X, Y, views, gamma1, gamma2, *, max_iter=40, tol=1e-5):
    """Minimise the objective of :class:`SMML`.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    Y : array of shape (n, P)
        +1 and -1. A column of one sign only gets zero coefficients and an intercept without loss.
    views : list of int arrays
        As returned by :func:`fslib.multiview.views.parse_views`.
    gamma1, gamma2 : float
    max_iter, tol : int, float

    Returns
    -------
    W : array of shape (d, P)
    b : array of shape (P,)
    objectives : array, one value per iteration
    converged : bool
    """
    penalty = SumOfNorms((gamma1, G1(views)), (gamma2, L2p()))
    n, d = X.shape

    def step(state):
        scale = np.ones((d, 1)) if state is None else 1 / (2 * penalty.weights(state[0]))
        scale = np.broadcast_to(scale, (d, Y.shape[1]))
        machines = [fit_machine(X, y, s) for y, s in zip(Y.T, scale.T, strict=True)]
        W, b = np.column_stack([w for w, _ in machines]), np.array([intercept for _, intercept in machines])
        return (W, b), float(np.maximum(0, 1 - Y * (X @ W + b)).sum()) + penalty.value(W)

    slack = INNER_TOL * n
    (W, b), objectives, converged = majorise_minimise(step, None, max_iter=max_iter, tol=tol, slack=slack)
    return W, b, objectives, converged


def fit_machine(X, y, scale):
    """Support vector machine with C = 1 and penalty ``sum_i w_i^2 / (2 scale_i)``: coefficients (d,) and intercept.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    y : array of shape (n,)
        +1 and -1.
    scale : array of shape (d,)

    Returns
    -------
    w : array of shape (d,)
    b : float
    """
    if abs(y.sum()) == len(y):  # one sign only: the intercept alone classifies without loss
        return np.zeros(len(scale)), y[0]
    if sp.issparse(X):
        kernel = (X.multiply(scale) @ X.T).toarray()
    else:
        half = X * np.sqrt(scale)
        kernel = half @ half.T
    machine = SVC(kernel="precomputed", C=1.0, tol=INNER_TOL, max_iter=INNER_STEPS)
    with warnings.catch_warnings():  # the outer loop sees the objective and says whether it converged
        warnings.simplefilter("ignore", ConvergenceWarning)
        machine.fit(kernel, y)
    w = scale * (X[machine.support_].T @ machine.dual_coef_[0])
    return w, machine.intercept_[0]
