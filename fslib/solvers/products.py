"""Products of a sparse matrix with dense ones, which are most of the work of the methods for wide text data."""

import itertools
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy import sparse


class RowBlocks:
    """A sparse matrix cut into blocks of rows, each multiplied in a thread of its own.

    Parameters
    ----------
    X : CSR matrix of shape (n, d)
    n_jobs : int
        Number of blocks; each gets about the same number of entries.

    Examples
    --------
    >>> RowBlocks(sparse.csr_array(np.eye(3)), 2) @ np.ones((3, 1))
    array([[1.],
           [1.],
           [1.]])
    """

    def __init__(self, X, n_jobs):
        ends = np.searchsorted(X.indptr, np.linspace(0, X.nnz, n_jobs + 1)[1:-1])
        borders = [0, *ends.tolist(), X.shape[0]]
        self._blocks = [X[a:b] for a, b in itertools.pairwise(borders) if a < b]
        self._threads = ThreadPoolExecutor(n_jobs)  # SciPy's products let other threads run
        self.shape, self.dtype = X.shape, X.dtype

    def __matmul__(self, A):
        return np.concatenate(list(self._threads.map(lambda block: block @ A, self._blocks)))


def multiplier(X, n_jobs=1):
    """X itself, or for sparse X and several threads its ``RowBlocks``: what to multiply with."""
    return RowBlocks(X, n_jobs) if sparse.issparse(X) and n_jobs > 1 else X


def scaled_rows(X, scale):
    """Multiply row i of X by ``scale[i]``; sparse X stays sparse."""
    if sparse.issparse(X):
        X = sparse.csr_array(X)
        return sparse.csr_array((X.data * np.repeat(scale, np.diff(X.indptr)), X.indices, X.indptr), shape=X.shape)
    return X * scale[:, None]


def transposed(X):
    """Transpose, in compressed rows if sparse: those multiply a dense matrix faster than compressed columns do."""
    return sparse.csr_array(X.T) if sparse.issparse(X) else X.T
