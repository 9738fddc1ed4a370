"""The loop behind the numbers of SFUS in the MLMLFS paper: random start, no intercept, no orthonormal basis."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve, eigh

from fslib.solvers.norms import row_squares, smoothed

EPS = np.finfo(float).eps
"""What is added to the square of a norm before it is divided by."""


def solve_as_published(X, Y, alpha, beta, n_components, *, max_iter, tol, rng):
    """Alternate weights, basis and coefficients from a random start.

    With row weights D and feature weights E, both one over twice a norm, and B = X^T D Y, the coefficients for a basis
    Q are ``W = (X^T D X + alpha E + beta (I - Q Q^T))^-1 B``. Let L and T be these for Q Q^T = I and Q = 0. The basis
    is to maximise what Q gains, a generalised eigenvalue problem of size d whose matrix has rank c: its eigenvectors
    are ``L V``, V those of the c x c matrix ``T^T L``.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    Y : array of shape (n, c)
        -1, 1 and 0 for unknown.
    alpha, beta : float
    n_components : int
        Columns of Q.
    max_iter : int
    tol : float
        Relative change of the objective that ends the loop.
    rng : numpy.random.RandomState

    Returns
    -------
    W : array of shape (d, c)
    objective : array of shape (number of steps,)
        Loss, sparsity and distance to the span of Q as the loop has it.
    converged : bool

    Notes
    -----
    O(n d^2 + d^3) per step.
    """
    W, history = rng.uniform(size=(X.shape[1], Y.shape[1])), []
    for _ in range(max_iter):
        row_weights = 0.5 / smoothed(row_squares(X @ W - Y), np.sqrt(EPS))
        R = X.T @ (X * row_weights[:, None]) if isinstance(X, np.ndarray) else _sparse_gram(X, row_weights)
        R[np.diag_indices_from(R)] += alpha * 0.5 / smoothed(row_squares(W), np.sqrt(EPS))
        B = X.T @ (row_weights[:, None] * Y)
        L = cho_solve(cho_factor(R, check_finite=False), B, check_finite=False)
        R[np.diag_indices_from(R)] += beta
        full = cho_factor(R, overwrite_a=True, check_finite=False)
        T = cho_solve(full, B, check_finite=False)
        Q = L @ _largest(T.T @ L, n_components)
        Q /= np.maximum(np.linalg.norm(Q, axis=0), EPS)  # unit length, not orthonormal
        spread = cho_solve(full, Q, check_finite=False)
        inner = np.eye(n_components) - beta * Q.T @ spread  # Woodbury: a system of size s instead of d
        W = T + beta * spread @ np.linalg.solve(inner, Q.T @ T)
        distance = beta * np.sum((W - Q @ (Q.T @ W)) ** 2)
        loss, sparsity = (np.sqrt(row_squares(M)).sum() for M in (X @ W - Y, W))
        history.append(float(loss + alpha * sparsity + distance))
        if len(history) > 1 and abs(history[-2] - history[-1]) <= tol * history[-2]:
            return W, np.array(history), True
    return W, np.array(history), False


def _largest(A, n_components):
    """Eigenvectors of the largest eigenvalues of a matrix that is symmetric up to rounding, shape (c, s)."""
    c = len(A)
    return eigh((A + A.T) / 2, subset_by_index=[c - n_components, c - 1])[1]


def _sparse_gram(X, row_weights):
    return (X.T @ X.multiply(row_weights[:, None])).toarray()
