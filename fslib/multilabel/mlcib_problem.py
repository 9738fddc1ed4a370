"""The convex problem of ML-CIB, in the two forms in which ``fslib.solvers.fista`` can solve it.

With coefficients W (d, l), a new label matrix N (n, l), a target T (n, l) and a Laplacian Lap,

    F(W, N) = ||X W - N||^2 / 2  +  alpha/2 tr(N^T Lap N)  +  beta/2 ||N - T||^2  +  gamma ||W||_1 ,

jointly convex in (W, N). For given W the best N solves ``M N = X W + beta T``, ``M = (1 + beta) I + alpha Lap``, whose
condition number is at most 1 + 2 alpha / (1 + beta): N is affine in W and cheap, and what is left is a problem in W
whose gradient is ``X^T (X W - N)``.
"""

import numpy as np
from scipy import sparse
from scipy.linalg import eigh
from scipy.sparse.linalg import svds

from fslib.solvers.fista import soft_threshold
from fslib.solvers.products import multiplier, transposed
from fslib.solvers.similarity import CosineSimilarity, NormalizedLaplacian

FIRST_STEPS = 50
"""Steps of conjugate gradients at most where no label matrix is near; there they are cheap beside all that follows."""

REDUCTION = 0.2
"""Residual at which an update of a nearby label matrix ends, relative to the one it began with."""


def label_target(Y, kind):
    """Target T of the new label matrix, shape (n, l).

    Parameters
    ----------
    Y : array of shape (n, l)
        0 and 1.
    kind : {"none", "agreement", "cooccurrence"}
        "none": Y. "agreement": ``Y V`` with ``V_ij`` the share of samples on which labels i and j agree, absences
        included (braytee Eqs. 5.2.3-5.2.4). "cooccurrence": ``min(1, Y V)`` with ``V_ij`` the share of the samples with
        label i that have label j.

    Returns
    -------
    array of shape (n, l)

    Examples
    --------
    >>> Y = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    >>> label_target(Y, "agreement")[:2]
    array([[1.75, 1.75],
           [1.  , 0.75]])
    >>> label_target(Y, "cooccurrence")[:2]
    array([[1. , 1. ],
           [1. , 0.5]])
    """
    if kind == "none":
        return Y
    together, counts = Y.T @ Y, Y.sum(axis=0)
    if kind == "agreement":
        agree = (2 * together - counts[:, None] - counts + len(Y)) / len(Y)  # braytee Eq. 5.2.3
        return Y @ agree
    given = np.divide(together, counts[:, None], out=np.zeros_like(together), where=counts[:, None] > 0)
    return np.minimum(1, Y @ given)


class NoGraph:
    """``M = (1 + beta) I``: no graph, so no smoothness term."""

    largest = 0.0

    def __init__(self, beta):
        self.beta = beta

    def solve(self, rhs, near, residual):
        """Solve ``M N = rhs``; returns N and the residual, zero here."""
        return rhs / (1 + self.beta), np.zeros_like(rhs)


class LabelGraph:
    """``M`` from the right: labels that occur together get similar values. Exact, by one (l, l) eigenproblem."""

    def __init__(self, Y, alpha, beta):
        laplacian = NormalizedLaplacian(CosineSimilarity(np.ascontiguousarray(Y.T)))
        values, self.vectors = eigh(laplacian @ np.eye(Y.shape[1], dtype=Y.dtype))
        self.largest = float(values[-1])
        self.weights = 1 + beta + alpha * values

    def solve(self, rhs, near, residual):
        """Solve ``N M = rhs``; returns N and the residual, zero here."""
        return ((rhs @ self.vectors) / self.weights) @ self.vectors.T, np.zeros_like(rhs)


class SampleGraph:
    """``M`` from the left: similar samples get similar labels. By conjugate gradients, all labels at once."""

    def __init__(self, laplacian, alpha, beta):
        self.laplacian, self.alpha, self.beta, self.largest = laplacian, alpha, beta, laplacian.largest

    def times(self, N):
        """``M N``."""
        return (1 + self.beta) * N + self.alpha * (self.laplacian @ N)

    def solve(self, rhs, near, residual):
        """Solve ``M N = rhs`` from ``near``, whose residual is known, or from scratch; returns N and its residual."""
        if near is None:
            near = rhs / (1 + self.beta)
            return self._descend(near, rhs - self.times(near), FIRST_STEPS, np.finfo(rhs.dtype).eps)
        return self._descend(near, residual, FIRST_STEPS, REDUCTION)

    def _descend(self, N, residual, steps, reduction):
        square = begin = float(np.vdot(residual, residual))
        direction = residual
        for _ in range(steps):
            if square <= reduction**2 * begin or square == 0:
                break
            along = self.times(direction)
            length = square / float(np.vdot(direction, along))
            N, residual = N + length * direction, residual - length * along
            square, before = float(np.vdot(residual, residual)), square
            direction = residual + (square / before) * direction
        return N, residual


class EliminatedProblem:
    """F as a function of W alone; the image of W is (X W, N, residual of N), one array of shape (3, n, l).

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    T : array of shape (n, l)
    graph : NoGraph, LabelGraph or SampleGraph
        Made with the same alpha and beta.
    alpha, beta : float
    gamma : array of shape (d, 1)
        Weight of the absolute values in each row of W.
    n_jobs : int
        Threads for the products of sparse X.
    """

    def __init__(self, X, T, graph, alpha, beta, gamma, n_jobs=1):
        self.X, self.Xt, self.T, self.graph = multiplier(X, n_jobs), multiplier(transposed(X), n_jobs), T, graph
        self.beta, self.gamma = beta, gamma
        self.curvature = largest_square(X) * (1 - 1 / (1 + beta + alpha * graph.largest))

    def image(self, W, near):
        """Predictions, label matrix and its residual."""
        P = self.X @ W
        if near is None:
            return np.stack([P, *self.graph.solve(P + self.beta * self.T, None, None)])
        return np.stack([P, *self.graph.solve(P + self.beta * self.T, near[1], near[2] + (P - near[0]))])

    def gradient(self, image):
        """``X^T (X W - N)``."""
        P, N, _ = image
        return self.Xt @ (P - N)  # braytee Eq. 5.2.8

    def value(self, image, W):
        """F at W and its label matrix; the graph term follows from the linear system that N solves."""
        P, N, residual = image
        smooth = P + self.beta * self.T - residual - (1 + self.beta) * N  # alpha Lap N
        fit = 0.5 * (_square(P - N) + float(np.vdot(N, smooth)) + self.beta * _square(N - self.T))
        return fit + float(np.sum(self.gamma.ravel() * np.abs(W).sum(axis=1)))  # braytee Eq. 5.2.5

    def prox(self, W, step):
        """Soft threshold at gamma times the step length."""
        return soft_threshold(W, self.gamma * step)  # braytee Eq. 5.2.10

    def polished(self, image):
        """Label matrix of an image to full accuracy."""
        return self.graph.solve(image[0] + self.beta * self.T, None, None)[0]


class JointProblem:
    """F as a function of W and N stacked, (d + n, l); N in units in which it has the curvature of W.

    Slower than the eliminated form; there to check it. Parameters as there, with a ``SampleGraph``.
    """

    def __init__(self, X, T, graph, alpha, beta, gamma, n_jobs=1):
        self.X, self.Xt, self.T, self.graph = multiplier(X, n_jobs), multiplier(transposed(X), n_jobs), T, graph
        self.beta, self.d = beta, X.shape[1]
        self.curvature = 2 * largest_square(X)
        self.unit = np.sqrt(self.curvature / (2 + beta + alpha * graph.largest))
        self.gamma = np.concatenate([gamma, np.zeros((X.shape[0], 1), dtype=gamma.dtype)])

    def image(self, W, near):
        """Predictions, label matrix and M times it."""
        N = self.unit * W[self.d :]
        return np.stack([self.X @ W[: self.d], N, self.graph.times(N)])

    def gradient(self, image):
        """Of both blocks."""
        P, N, MN = image
        return np.concatenate([self.Xt @ (P - N), self.unit * (MN - P - self.beta * self.T)])

    def value(self, image, W):
        """F."""
        P, N, MN = image
        fit = 0.5 * (_square(P - N) + float(np.vdot(N, MN - (1 + self.beta) * N)) + self.beta * _square(N - self.T))
        return fit + float(np.sum(self.gamma.ravel() * np.abs(W).sum(axis=1)))

    def prox(self, W, step):
        """Soft threshold of the rows of W, not of those of N."""
        return soft_threshold(W, self.gamma * step)


def largest_square(X):
    """Upper bound, tight to 2 %, of the largest squared singular value of X, by Lanczos' method.

    Examples
    --------
    >>> 9 <= largest_square(np.diag([1.0, 3.0, 2.0])) <= 9.2
    True
    """
    if min(X.shape) < 3:
        return 1.0001 * float(np.linalg.norm(X.toarray() if sparse.issparse(X) else X, 2)) ** 2
    start = np.ones(min(X.shape), dtype=X.dtype)
    return 1.02 * float(svds(X, k=1, return_singular_vectors=False, tol=1e-3, v0=start)[0]) ** 2


def _square(A):
    return float(np.vdot(A, A))
