"""Similarity of samples, and the graph Laplacian made of it, as operators: no n x n matrix exists at any time.

With unit rows ``U`` (each row of X divided by its norm) the cosine similarity is ``S = U U^T``, so that ``S A`` is two
products with a matrix of the size of X, and the degrees are ``U (U^T 1)``.
"""

import numpy as np
from scipy import sparse

from fslib.solvers.products import multiplier, scaled_rows, transposed


class CosineSimilarity:
    """Cosine of the angle between any two rows of X, to be multiplied with.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
        Nonnegative, so that similarities are. A row of zeros is similar to nothing, not even to itself.
    n_jobs : int
        Threads for the products of sparse X.

    Attributes
    ----------
    shape : (n, n)
    degrees : array of shape (n,)
        Row sums of S.

    Raises
    ------
    ValueError
        If X has negative entries.

    Notes
    -----
    Memory: two matrices of the size of X if it is sparse (the second is its transpose), one if it is dense. A product
    with an (n, k) matrix takes ``4 nnz(X) k`` operations.

    Examples
    --------
    >>> S = CosineSimilarity(np.array([[3.0, 4.0], [0.0, 2.0]]))
    >>> S @ np.eye(2)
    array([[1. , 0.8],
           [0.8, 1. ]])
    >>> S.degrees
    array([1.8, 1.8])
    """

    def __init__(self, X, n_jobs=1):
        if X.shape[0] and X.min() < 0:
            raise ValueError("A cosine similarity of rows with negative entries can be negative; X must be >= 0.")
        squares = X.multiply(X).sum(axis=1) if sparse.issparse(X) else np.einsum("ij,ij->i", X, X)
        norms = np.sqrt(np.asarray(squares, dtype=X.dtype).ravel())
        scale = np.divide(1, norms, out=np.zeros_like(norms), where=norms > 0)
        unit_rows = scaled_rows(X, scale)
        self.unit_rows, self.unit_rows_t = (multiplier(M, n_jobs) for M in (unit_rows, transposed(unit_rows)))
        self.shape = (X.shape[0], X.shape[0])
        self.degrees = self @ np.ones(X.shape[0], dtype=X.dtype)

    def __matmul__(self, A):
        return self.unit_rows @ (self.unit_rows_t @ A)


class NormalizedLaplacian:
    """Laplacian of a similarity, scaled by degrees: ``(L A)_i = A_i - sum_j S_ij A_j / sqrt(g_i g_j)``.

    ``tr(A^T L A)`` is small where similar rows have similar values (relative to the square roots of their degrees g).
    Rows of degree zero take no part: theirs are zero. The eigenvalues lie in [0, 1], because S is positive
    semidefinite.

    Parameters
    ----------
    similarity : CosineSimilarity

    Examples
    --------
    >>> L = NormalizedLaplacian(CosineSimilarity(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])))
    >>> L @ np.eye(3)
    array([[ 0.5, -0.5,  0. ],
           [-0.5,  0.5,  0. ],
           [ 0. ,  0. ,  0. ]])
    """

    largest = 1.0
    """Bound of the eigenvalues."""

    def __init__(self, similarity):
        g = similarity.degrees
        root = np.divide(1, np.sqrt(g), out=np.zeros_like(g), where=g > 0)
        self.shape = similarity.shape
        self._rows, self._rows_t = similarity.unit_rows, similarity.unit_rows_t
        self._root, self._present = root, (g > 0).astype(g.dtype)

    def __matmul__(self, A):
        root, present = (v.reshape(-1, *[1] * (A.ndim - 1)) for v in (self._root, self._present))
        return present * A - root * (self._rows @ (self._rows_t @ (root * A)))


class NormalizedGraph:
    """Normalised Laplacian ``D^-1/2 (D - S) D^-1/2`` of a sparse graph; it is multiplied with arrays by ``@``.

    Its eigenvalues lie in [0, 2], since the weights S need not be positive semidefinite.

    Parameters
    ----------
    laplacian : sparse matrix of shape (n, n)
        Degrees minus weights, symmetric.

    Examples
    --------
    >>> L = NormalizedGraph(sparse.csr_array(np.array([[2.0, -2.0], [-2.0, 2.0]])))
    >>> L @ np.eye(2)
    array([[ 1., -1.],
           [-1.,  1.]])
    """

    largest = 2.0

    def __init__(self, laplacian):
        g = laplacian.diagonal()
        root = sparse.diags_array(np.divide(1, np.sqrt(g), out=np.zeros_like(g), where=g > 0))
        self.shape, self._matrix = laplacian.shape, sparse.csr_array(root @ laplacian @ root)

    def __matmul__(self, A):
        return self._matrix @ A
