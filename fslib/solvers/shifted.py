"""Solve ``(A + shift I) U = B`` for positive semidefinite A: the linear system of every ridge-like step."""

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve, eigh


def shifted_solver(A, shift):
    """Function B -> ``(A + shift I)^-1 B``, with one factorisation.

    Parameters
    ----------
    A : array of shape (m, m)
        Positive semidefinite; overwritten.
    shift : float or array of shape (m,)
        Positive.

    Returns
    -------
    callable
        Takes B of shape (m, k), returns U of shape (m, k). Where the shift is below the rounding of A, as when a fit
        interpolates, U is the solution on the eigenvectors of A that are not rounding.

    Notes
    -----
    m^3 / 3 multiplications for the Cholesky factor, m^2 per column of B.

    Examples
    --------
    >>> shifted_solver(np.array([[1.0, 0.0], [0.0, 3.0]]), 1.0)(np.array([[2.0], [4.0]]))
    array([[1.],
           [1.]])
    """
    np.fill_diagonal(A, A.diagonal() + shift)
    try:
        factor = cho_factor(A, lower=True, check_finite=False)
    except LinAlgError:
        values, vectors = eigh(A, check_finite=False)
        kept = values > len(A) * np.finfo(float).eps * values[-1]
        return lambda B: vectors[:, kept] @ ((vectors[:, kept].T @ B) / values[kept, None])
    return lambda B: cho_solve(factor, B, check_finite=False)
