"""The five factors of CMFS and their multiplicative updates: derived, and as published.

    J = ||X - V L Q||^2 + alpha ||Y - V P B||^2 + beta ||L - P||^2 + epsilon tr((V P B)^T (G - S) V P B)
        + gamma sum_j ||Q_j|| + ridge (||V||^2 + ||L||^2 + ||P||^2) ,     all factors >= 0.

Each derived update multiplies a factor by the negative over the positive part of its gradient, which lowers a quadratic
that lies above J and touches it (for the part of S because S is positive semidefinite). Q is held transposed, (d, c),
so that sparse products run along rows.
"""

import numpy as np

from fslib.solvers.norms import row_squares, smoothed
from fslib.solvers.products import multiplier, transposed
from fslib.solvers.similarity import CosineSimilarity


class FiveFactors:
    """V (n, c), L (c, c), Q transposed (d, c), P (c, c), B (c, l), and what their updates share.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d), >= 0
    Y : array of shape (n, l)
        0 and 1.
    factors : tuple of arrays V, L, Qt, P, B
        Positive: an entry that is zero stays zero. Written to.
    alpha, beta, epsilon, gamma, ridge : float
    n_jobs : int
        Threads for the products of sparse X.
    """

    def __init__(self, X, Y, factors, *, alpha, beta, epsilon, gamma, ridge=0.0, n_jobs=1):
        self.V, self.L, self.Qt, self.P, self.B = factors
        self.alpha, self.beta, self.epsilon, self.gamma, self.ridge = alpha, beta, epsilon, gamma, ridge
        self.X, self.Xt, self.Y = multiplier(X, n_jobs), multiplier(transposed(X), n_jobs), Y
        self.S = CosineSimilarity(X, n_jobs)
        self.norms = squared_norm(X), squared_norm(Y)
        self._refresh_V()
        self._refresh_Q()

    def _refresh_V(self):
        V = self.V
        self.XtV, self.YtV, self.K = self.Xt @ V, self.Y.T @ V, V.T @ V
        self.SV, self.GV = self.S @ V, self.S.degrees[:, None] * V
        self.KS, self.KG = V.T @ self.SV, V.T @ self.GV

    def _refresh_Q(self):
        self.QQ, self.VXQ = self.Qt.T @ self.Qt, self.XtV.T @ self.Qt

    def sweep(self):
        """Update V, Q, B, L and P in turn."""
        a, b, e, r, L, P, B = self.alpha, self.beta, self.epsilon, self.ridge, self.L, self.P, self.B
        M = P @ B
        MM = M @ M.T
        up = (self.X @ self.Qt) @ L.T + a * (self.Y @ M.T) + e * (self.SV @ MM)
        down = self.V @ (L @ self.QQ @ L.T + a * MM) + e * (self.GV @ MM) + r * self.V
        scale_in_place(self.V, up, down)  # braytee Eq. 5.1.6, V
        self._refresh_V()
        up = self.XtV @ L
        down = self.Qt @ (L.T @ self.K @ L) + (self.gamma / (2 * smoothed(row_squares(self.Qt))))[:, None] * self.Qt
        scale_in_place(self.Qt, up, down)  # braytee Eq. 5.1.6, Q
        self._refresh_Q()
        aK = a * self.K + e * self.KG
        scale_in_place(B, a * P.T @ self.YtV.T + e * P.T @ self.KS @ P @ B, P.T @ aK @ P @ B)  # braytee Eq. 5.1.6, B
        scale_in_place(L, self.VXQ + b * P, self.K @ L @ self.QQ + (b + r) * L)  # braytee Eq. 5.1.6, L
        BB = B @ B.T
        up = a * self.YtV.T @ B.T + e * self.KS @ P @ BB + b * L
        scale_in_place(P, up, aK @ P @ BB + (b + r) * P)  # braytee Eq. 5.1.6, P

    def objective(self):
        """J, from traces: the residuals are never formed. In single precision good to about 1e-4 of ||X||^2."""
        return self._fit() + self.gamma * float(smoothed(row_squares(self.Qt)).sum(dtype=float))

    def _fit(self):
        M = self.P @ self.B
        MM = M @ M.T
        fit_X = self.norms[0] - 2 * _dot(self.L, self.VXQ) + _dot(self.K, self.L @ self.QQ @ self.L.T)
        fit_Y = self.norms[1] - 2 * _dot(self.YtV.T, M) + _dot(self.K, MM)
        rest = self.beta * squared_norm(self.L - self.P) + self.epsilon * _dot(self.KG - self.KS, MM)
        rest += self.ridge * sum(squared_norm(F) for F in (self.V, self.L, self.P)) if self.ridge else 0
        return fit_X + self.alpha * fit_Y + rest

    def scores(self):
        """Norm of each column of Q, its rows weighted by the norms of the columns of V L: free of their scale."""
        weight = np.sqrt(np.maximum(np.einsum("ik,ij,jk->k", self.L, self.K, self.L), 0))
        return np.linalg.norm(self.Qt * weight, axis=1)


class PublishedFactors(FiveFactors):
    """The same five factors under Eqs. 5.1.5 and 5.1.6 as published: all products conform because L and P are square.

    They are not the gradients (transposes are missing), so that J may rise. The diagonal D is made of rows of Q.
    """

    def sweep(self):
        """Update V, Q, B, L and P in turn, as published."""
        a, b, e = self.alpha, self.beta, self.epsilon
        eps = np.finfo(float).eps  # a column of X that is zero would give 0/0
        L, P, B, BB = self.L, self.P, self.B, self.B @ self.B.T
        PBBP = P @ BB @ P.T
        up = (self.X @ self.Qt) @ L + a * (self.Y @ (B.T @ P)) + e * (self.SV @ PBBP)
        self.V *= up / (self.V @ (L @ self.QQ @ L.T + a * PBBP) + e * (self.GV @ PBBP) + eps)  # braytee Eq. 5.1.6
        self._refresh_V()
        D = np.diag(1 / (2 * np.linalg.norm(self.Qt, axis=0) + eps))  # (c, c)
        self.Qt *= (self.XtV @ L) / (self.Qt @ (self.K @ L @ L.T + self.gamma * D).T + eps)
        self._refresh_Q()
        PP = P @ P.T
        up = a * P.T @ self.YtV.T + e * self.KS @ PP @ B
        B *= up / ((a * self.K + e * self.KG) @ PP @ B + eps)
        L *= (self.VXQ.T + b * P) / (L @ self.K @ self.QQ + b * L + eps)
        BB = B @ B.T
        up = a * B @ self.YtV + e * self.KS @ P @ BB + b * L
        P *= up / (a * P @ self.K @ BB + e * self.KG @ P @ BB + b * P + eps)

    def objective(self):
        """J of Eq. 5.1.3 with the norm over the rows of Q."""
        return self._fit() + self.gamma * float(np.linalg.norm(self.Qt, axis=0).sum())

    def scores(self):
        """Norm of each column of Q."""
        return np.linalg.norm(self.Qt, axis=1)


def scale_in_place(F, up, down):
    """Multiply F by ``up / down``; where ``down`` is zero F is zero or has no effect, and becomes zero."""
    F *= np.divide(up, down, out=np.zeros_like(F), where=down > np.finfo(F.dtype).tiny)


def squared_norm(A):
    """Squared Frobenius norm of an array or sparse matrix, a float."""
    values = getattr(A, "data", A) if not isinstance(A, np.ndarray) else A
    return float(np.vdot(values, values))


def _dot(A, B):
    return float(np.einsum("ij,ij->", A, B, dtype=float))
