"""The sparse neighbourhood graph whose Laplacian penalises different labels of similar samples."""

import numbers

import numpy as np
from scipy import sparse
from sklearn.metrics.pairwise import euclidean_distances

from fslib.base import check_choice
from fslib.multilabel.neighbors import nearest


def knn_laplacian(X, n_neighbors=5, *, bandwidth="neighbors"):
    """Laplacian of the symmetric k-nearest-neighbour graph with heat-kernel weights.

    Samples i and j are joined if one is among the k nearest of the other, with weight ``exp(-||x_i - x_j||^2 / t)``.
    Under both choices of ``t`` the weights do not depend on the units of X. (The MLMLFS paper leaves graph and weights
    open.)

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d)
    n_neighbors : int
        k, between 1 and n - 1; equal distances go to the lower row index.
    bandwidth : {"neighbors", "pairs"}
        ``t`` is the median squared distance to a neighbour, or twice the squared mean of the distances of all pairs
        (each sample with itself among them). The published numbers of MLMLFS come from the second, under which all
        neighbours have nearly the same weight.

    Returns
    -------
    CSR matrix of shape (n, n)
        Diagonal of row sums minus weights: symmetric, rows sum to 0, at most 2 k n + n entries.

    Raises
    ------
    ValueError
        If ``n_neighbors`` is not an integer in its range, or ``bandwidth`` is neither of the two.

    Notes
    -----
    O(n^2 d) time; distances are made in blocks of 32 MiB.

    Examples
    --------
    >>> knn_laplacian(np.array([[0.0], [1.0], [10.0], [11.0]]), 1).toarray().round(2)
    array([[ 0.37, -0.37,  0.  ,  0.  ],
           [-0.37,  0.37,  0.  ,  0.  ],
           [ 0.  ,  0.  ,  0.37, -0.37],
           [ 0.  ,  0.  , -0.37,  0.37]])
    """
    check_choice("bandwidth", bandwidth, ("neighbors", "pairs"))
    n = X.shape[0]
    if not isinstance(n_neighbors, numbers.Integral) or not 1 <= n_neighbors < n:
        raise ValueError(
            f"n_neighbors={n_neighbors!r} must be an integer from 1 to {n - 1}: there are n_samples={n} samples."
        )
    step = max(1, 2**22 // n)
    columns, squares, sum_of_distances = [], [], 0.0
    for start in range(0, n, step):
        distances = euclidean_distances(X[start : start + step], X, squared=True)
        sum_of_distances += np.sqrt(distances).sum()
        rows = np.arange(len(distances))
        distances[rows, start + rows] = np.inf
        chosen = nearest(distances, n_neighbors)
        columns.append(chosen.ravel())
        squares.append(np.take_along_axis(distances, chosen, axis=1).ravel())
    square = np.concatenate(squares)
    if bandwidth == "pairs":
        scale = 2 * (sum_of_distances / n**2) ** 2 or 1.0
    else:
        scale = np.median(square) or square.mean() or 1.0  # more than half of the neighbours may be duplicates
    entries = np.exp(-square / scale), (np.repeat(np.arange(n), n_neighbors), np.concatenate(columns))
    one_way = sparse.csr_array(entries, shape=(n, n))
    weights = one_way.maximum(one_way.T)
    return sparse.csr_array(sparse.diags_array(weights.sum(axis=1)) - weights)  # L = D - S of mlmlfs Eq. 2
