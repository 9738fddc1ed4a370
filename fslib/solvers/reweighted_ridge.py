"""Weighted ridge regression with a penalty per feature: the inner problem of every iteratively reweighted method here.

For rows ``x_n`` with weights ``a_n``, targets ``r_n`` and penalties ``D_ip`` per feature i and column p,

    min over W, b of   sum_n a_n ||W^T x_n + b - r_n||^2  +  penalty * sum_ip D_ip W_ip^2 .

The intercept is eliminated by weighted centring. Two rules keep the solves safe when methods drive features to zero
or residuals to nothing: it is the ``scale`` ``S = 1/D`` that is passed (a dead feature has ``S -> 0``, nothing
overflows), and no inverse is ever formed, only Cholesky factors of matrices bounded below by ``penalty``.
"""

import numpy as np
import scipy.sparse as sp

from fslib.solvers.shifted import shifted_solver


class ReweightedRidge:
    """Ridge solver for one data matrix and one set of row weights; features may be reweighted at every call.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
        Never written to. A sparse matrix is never made dense: its centring is applied as a rank-one correction.
    row_weights : array of shape (n,), optional
        Positive weights ``a_n``; ones by default.
    form : {"auto", "primal", "dual"}
        ``"primal"`` factors d x d matrices, ``"dual"`` n x n; ``"auto"`` takes the smaller. Where n < d and the fit
        nearly interpolates, only the dual form is accurate.
    fit_intercept : bool
        False: no centring, ``b = 0``.

    Attributes
    ----------
    gram_ : array of shape (d, d), only in the primal form
        Weighted, centred ``X^T X``.
    mean_ : array of shape (d,)
        Weighted column means of X; zero without an intercept.

    Raises
    ------
    ValueError
        If ``form`` is not one of the three.

    Notes
    -----
    Cost of a solve with one scale for all c columns: O(n^2 d + n^3) dual, O(d^3) primal after O(n d^2) once. With a
    scale per column: c times that. Memory O(n d) for dense X, plus min(n, d)^2.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [2.0]])
    >>> W, b = ReweightedRidge(X).solve(np.array([[1.0], [3.0], [5.0]]), scale=np.array([1e9]))
    >>> W.round(6), b.round(6)                                       # almost no penalty: the line 1 + 2 x
    (array([[2.]]), array([1.]))
    """

    def __init__(self, X, row_weights=None, form="auto", *, fit_intercept=True):
        if form not in ("auto", "primal", "dual"):
            raise ValueError(f"form={form!r} must be 'auto', 'primal' or 'dual'.")
        n, d = X.shape
        self._a = np.ones(n) if row_weights is None else np.asarray(row_weights, dtype=float)
        self._root = np.sqrt(self._a)[:, None]  # (n, 1)
        self._centring = self._a / self._a.sum() if fit_intercept else np.zeros(n)  # means are products with this
        self.mean_ = X.T @ self._centring
        self._sparse = sp.issparse(X)
        # The weighted matrix sqrt(a) (X - 1 mean^T); for sparse X only sqrt(a) X is kept.
        self._Z = sp.csr_array(X.multiply(self._root)) if self._sparse else self._root * (X - self.mean_)
        self.form = form if form != "auto" else ("dual" if n <= d else "primal")
        if self.form == "primal":
            self.gram_ = self._gram()

    def solve(self, targets, scale, penalty=1.0):
        """Minimise for the given targets and feature scales.

        Parameters
        ----------
        targets : array of shape (n, c)
        scale : array of shape (d,), (d, 1) or (d, c)
            ``S = 1/D``, nonnegative: one per feature, or one per feature and column of the targets.
        penalty : float
            Positive factor in front of the whole penalty.

        Returns
        -------
        W : array of shape (d, c)
        b : array of shape (c,)
        """
        mean = self._centring @ targets
        R = self._root * (targets - mean)
        scale = scale[:, None] if scale.ndim == 1 else scale
        solve = self._solve_primal if self.form == "primal" else self._solve_dual
        if scale.shape[1] == 1:
            W = solve(R, scale, penalty)
        else:
            columns = range(R.shape[1])
            W = np.hstack([solve(R[:, [p]], scale[:, [p]], penalty) for p in columns])
        return W, mean - self.mean_ @ W

    def moments(self, targets):
        """Weighted, centred ``X^T targets``, shape (d, c)."""
        return self._transpose_times(self._root * (targets - self._centring @ targets))

    def _solve_primal(self, R, scale, penalty):
        root = np.sqrt(scale)  # solve for W / root, whose matrix is bounded below by the penalty
        A = root * self.gram_ * root.T
        return root * shifted_solver(A, penalty)(root * self._transpose_times(R))

    def _solve_dual(self, R, scale, penalty):
        return scale * self._transpose_times(shifted_solver(self._kernel(scale), penalty)(R))

    def _transpose_times(self, U):
        """Multiply the transposed weighted, centred data by ``U`` (n, k), shape (d, k)."""
        product = self._Z.T @ U
        return product - np.outer(self.mean_, self._root.T @ U) if self._sparse else product

    def _kernel(self, scale):
        """Weighted, centred ``X S X^T``, shape (n, n)."""
        if not self._sparse:
            half = self._Z * np.sqrt(scale.T)
            return half @ half.T  # numpy sees the symmetry and does half the work
        scaled = self._Z.multiply(scale.T)
        cross = self._root * (scaled @ self.mean_)  # (n, n): entry (i, j) = sqrt(a_i) <z_j, S mean>
        return (scaled @ self._Z.T).toarray() - cross - cross.T + (self._root * self._root.T) * (self.mean_**2 @ scale)

    def _gram(self):
        if not self._sparse:
            return self._Z.T @ self._Z
        return (self._Z.T @ self._Z).toarray() - self._a.sum() * np.outer(self.mean_, self.mean_)


def majorise_minimise(step, state, *, max_iter, tol, slack=0.0):
    """Repeat ``state, objective = step(state)`` until the objective stops falling.

    Parameters
    ----------
    step : callable
        Takes a state, returns the next one and its objective.
    state : object
        Where to start.
    max_iter : int
        At most that many steps.
    tol : float
        Stop when a step lowers the objective J by no more than ``tol * max(1, |J|) + slack``.
    slack : float
        Absolute accuracy of an inexact inner solver, below which differences mean nothing.

    Returns
    -------
    state : object
        The last state.
    objectives : array of shape (number of steps,)
    converged : bool
        False if ``max_iter`` was reached first.

    Examples
    --------
    >>> halve = lambda x: (x / 2, x / 2)
    >>> majorise_minimise(halve, 8.0, max_iter=3, tol=1e-3)
    (1.0, array([4., 2., 1.]), False)
    """
    objectives = []
    for _ in range(max_iter):
        state, objective = step(state)
        objectives.append(objective)
        if len(objectives) > 1 and objectives[-2] - objective <= tol * max(1.0, abs(objective)) + slack:
            return state, np.array(objectives), True
    return state, np.array(objectives), False
