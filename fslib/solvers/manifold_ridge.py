"""Weighted ridge regression with a graph penalty on its predictions: the inner problem of MLMLFS.

For row weights ``g``, feature weights ``h``, a graph Laplacian L (rows sum to 0) and ``P = X W + 1 b^T``,

    min over W, b of   sum_i g_i ||P_i - F_i||^2  +  alpha tr(P^T L P)  +  lam sum_j h_j ||W_j||^2 .

Setting the derivative in b to zero gives ``b = f - W^T x`` with the g-weighted means f of F and x of X, and L drops out
because L 1 = 0. What remains, with ``m = sum g``,

    (X^T (G - g g^T / m + alpha L) X + lam diag(h)) W = X^T G (F - 1 f^T) .

The *reciprocals* of the weights are passed: they stay bounded when residuals or features vanish. ``W = S U``,
``S = diag(h)^(-1/2)``, turns the matrix of the primal form (d x d, positive definite) into one bounded below by lam.
The dual form (n x n, not symmetric) follows from the push-through identity with ``K = X S^2 X^T``; its rows are divided
by g.
"""

import numpy as np
from scipy import sparse
from scipy.linalg import lu_factor, lu_solve

from fslib.solvers.shifted import shifted_solver


class ManifoldRidge:
    """One data matrix, one graph, one pair of penalties; weights change with every ``reweight``.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
        Columns of mean 0 if dense (for accuracy only). Never written to, never densified.
    laplacian : CSR matrix of shape (n, n)
    alpha : float
        Weight of the graph, >= 0.
    lam : float
        Weight of the ridge, > 0.
    form : {"auto", "primal", "dual"}
        "auto" takes the one with fewer operations, of the factorisation and of ``n_columns`` columns after it.
    n_columns : int
        Columns of F that will be fitted per ``reweight``, all fits together. Many favour the dual form where n < d.

    Notes
    -----
    Multiplications per ``reweight``: n d^2 + d^3/3 in the primal, n^2 d + 2 n^3/3 in the dual form; per column after
    that 4 n d + 2 d^2 or 4 n^2. Memory: two or three square matrices of the smaller size.

    Examples
    --------
    >>> X = np.array([[-1.0], [0.0], [1.0]])
    >>> ridge = ManifoldRidge(X, sparse.csr_array((3, 3)), alpha=0.0, lam=1e-12)
    >>> W, b, P = ridge.reweight(np.ones(3), np.ones(1)).fit(np.array([[1.0], [3.0], [5.0]]))
    >>> W.round(6), b.round(6)
    (array([[2.]]), array([3.]))
    """

    def __init__(self, X, laplacian, alpha, lam, form="auto", n_columns=0):
        self.X, self.laplacian, self.alpha, self.lam = X, laplacian, alpha, lam
        self.form = form if form != "auto" else _cheaper_form(*X.shape, n_columns)
        if self.form == "primal":
            smooth = X.T @ (laplacian @ X)
            self._graph = alpha * (smooth.toarray() if sparse.issparse(smooth) else smooth)

    def reweight(self, inverse_g, inverse_h):
        """Factor the system for given weights.

        Parameters
        ----------
        inverse_g : array of shape (n,)
            Reciprocals of the row weights, positive.
        inverse_h : array of shape (d,)
            Reciprocals of the feature weights, >= 0; 0 holds a feature at zero.

        Returns
        -------
        object with ``fit(F)``, which returns W (d, c), b (c,) and P (n, c), and ``predictions(F)``, which returns P
        only. ``fit(F, extra=E)`` adds ``X^T E`` (E of shape (n, c), columns of sum 0) to the right-hand side of W.
        """
        return (_Primal if self.form == "primal" else _Dual)(self, 1 / inverse_g, inverse_g, inverse_h)


def _cheaper_form(n, d, n_columns):
    primal = n * d**2 + d**3 / 3 + n_columns * (4 * n * d + 2 * d**2)
    dual = n**2 * d + 2 * n**3 / 3 + n_columns * 4 * n**2
    return "primal" if primal <= dual else "dual"


class _Primal:
    def __init__(self, ridge, g, inverse_g, inverse_h):
        self.X, self.g, self.share = ridge.X, g, g / g.sum()
        mean = ridge.X.T @ self.share
        self.scale = np.sqrt(inverse_h)[:, None]
        if sparse.issparse(ridge.X):
            A = (ridge.X.T @ (sparse.diags_array(g) @ ridge.X)).toarray() - g.sum() * np.outer(mean, mean)
        else:
            Z = np.sqrt(g)[:, None] * (ridge.X - mean)
            A = Z.T @ Z  # numpy sees the symmetry and does half the work
        A += ridge._graph  # mlmlfs Eq. 9, the matrix K (G_0 + alpha L) K^T
        A *= self.scale
        A *= self.scale.T
        self.solve = shifted_solver(A, ridge.lam)

    def fit(self, F, extra=0.0):
        centre = self.share @ F
        W = self.scale * self.solve(self.scale * (self.X.T @ (self.g[:, None] * (F - centre) + extra)))  # mlmlfs Eq. 9
        P = self.X @ W
        b = centre - self.share @ P  # mlmlfs Eq. 5
        return W, b, P + b

    def predictions(self, F):
        return self.fit(F)[2]


class _Dual:
    def __init__(self, ridge, g, inverse_g, inverse_h):
        self.X, self.share = ridge.X, g / g.sum()
        self.inverse_g, self.inverse_h = inverse_g[:, None], inverse_h[:, None]
        if sparse.issparse(ridge.X):
            self.K = ((ridge.X @ sparse.diags_array(inverse_h)) @ ridge.X.T).toarray()
        else:
            half = ridge.X * np.sqrt(inverse_h)
            self.K = half @ half.T
        A = self.K - self.share @ self.K  # mlmlfs Eq. 11, divided by G_0
        A += inverse_g[:, None] * (ridge.alpha * (ridge.laplacian @ self.K))
        A[np.diag_indices_from(A)] += ridge.lam * inverse_g
        self.factor = lu_factor(A, overwrite_a=True, check_finite=False)

    def _dual_fit(self, F, extra=0.0):
        centre = self.share @ F
        U = lu_solve(self.factor, F - centre + self.inverse_g * extra, check_finite=False)
        P = self.K @ U
        b = centre - self.share @ P
        return U, b, P + b

    def fit(self, F, extra=0.0):
        U, b, P = self._dual_fit(F, extra)
        return self.inverse_h * (self.X.T @ U), b, P  # mlmlfs Eq. 11

    def predictions(self, F):
        return self._dual_fit(F)[2]
