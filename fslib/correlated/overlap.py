"""Topological overlap: two features are close if they are correlated and correlated with the same others."""

import numpy as np

from fslib.solvers.correlation import BLOCK, correlation_blocks


def topological_distances(Z, power, *, signed=False):
    """One minus the topological overlap of all pairs, condensed.

    With ``a_ij = |z_i^T z_j|^power`` and ``a_ii = 0``, connectivity ``k_i = sum_u a_iu``,

        overlap_ij = (sum_u a_iu a_uj + a_ij) / (min(k_i, k_j) + 1 - a_ij) ,   in [0, 1].

    Parameters
    ----------
    Z : array of shape (n, d)
        Standardised columns.
    power : int
    signed : bool
        Keep the signs of the correlations inside the sum and take the absolute value of the numerator: paths over
        which the signs disagree then cancel.

    Returns
    -------
    array of shape (d (d - 1) / 2,)
        Double precision, in the order of `scipy.spatial.distance.pdist`.

    Notes
    -----
    d^3 multiplications and additions in the precision of Z; memory 4 d^2 bytes for the network and as much for the
    result.

    Examples
    --------
    Features 0 and 1 are equal, feature 2 is uncorrelated with both.

    >>> Z = np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    >>> topological_distances(Z, power=1)
    array([0., 1., 1.])
    """
    d = Z.shape[1]
    A = np.empty((d, d), dtype=Z.dtype)
    for rows, columns, block in correlation_blocks(Z):
        entries = np.abs(block) ** power
        A[rows, columns] = np.copysign(entries, block) if signed else entries
        if rows != columns:
            A[columns, rows] = A[rows, columns].T
    np.fill_diagonal(A, 0)
    k = np.abs(A).sum(axis=1) if signed else A.sum(axis=1)
    condensed = np.empty(d * (d - 1) // 2)
    end = 0
    for start in range(0, d, BLOCK):
        rows = slice(start, min(start + BLOCK, d))
        own = A[rows, start:]
        shared = A[rows] @ A[:, start:]  # the columns before were done with earlier rows
        shared += own
        np.abs(shared, out=shared)
        shared /= np.minimum.outer(k[rows], k[start:]) + 1 - np.abs(own)
        for i, row in enumerate(shared):
            begin, end = end, end + d - start - i - 1
            condensed[begin:end] = row[i + 1 :]
    np.subtract(1, condensed, out=condensed)
    return np.clip(condensed, 0, 1, out=condensed)
