"""Absolute correlation of features, raised to a power, as an operator: products without a matrix where memory is short.

With the columns of X centred and scaled to length one in Z, the similarity of two features is ``|z_i^T z_j|``, and the
network that decompositions and module searches work on is

    A_ij = |z_i^T z_j|^theta ,   or   A_ij = 1 if |z_i^T z_j| >= threshold, else 0.

A is d x d; at d = 22277 it takes 2 GB in single and 4 GB in double precision. It is symmetric: half of it is enough.
"""

import numbers

import numpy as np
from threadpoolctl import ThreadpoolController

BLOCK = 512
"""Rows and columns of a block of A: 1 MB in single precision, which stays in the cache between its two products."""


def standardised_columns(X, dtype=np.float32):
    """Columns centred and scaled to Euclidean length one; constant columns become zero.

    Parameters
    ----------
    X : array of shape (n, d)
    dtype : dtype
        Of the result; the centring itself is done in double precision.

    Returns
    -------
    array of shape (n, d)

    Examples
    --------
    >>> Z = standardised_columns(np.array([[0.0, 5.0, 0.1], [2.0, 1.0, 0.1]]), dtype=float)
    >>> (Z.T @ Z).round(6) + 0.0
    array([[ 1., -1.,  0.],
           [-1.,  1.,  0.],
           [ 0.,  0.,  0.]])
    """
    Z = X - X.mean(axis=0)
    length = np.sqrt(np.einsum("ij,ij->j", Z, Z))
    length[X.min(axis=0) == X.max(axis=0)] = np.inf  # centring a constant leaves rounding there, not information
    return (Z / np.where(length > 0, length, np.inf)).astype(dtype)


class CorrelationNetwork:
    """The network A of all features of X, with products ``A @ U`` in one of three forms.

    ========== ============================ ================================ =========================================
    form       memory beside Z              one product with k columns       chosen
    ========== ============================ ================================ =========================================
    factored   n^2                          4 n^2 d k                        theta = 2; 2 n^2 < d, or A is too large
    stored     2 d^2 bytes, half of A       2 d^2 k, bound by memory         A fits the memory budget
    recomputed a few blocks of 512 x 512    (n + 2 k) d^2                    otherwise
    ========== ============================ ================================ =========================================

    The factored form rests on ``(z_i^T z_j)^2 = z_i^T (z_j z_j^T) z_i``: the product with u is
    ``z_i^T M z_i``, ``M = sum_j u_j z_j z_j^T``, and nothing of size d x d is ever needed.

    Parameters
    ----------
    X : array of shape (n, d)
    theta : float
        Power, at least 1.
    threshold : float, optional
        In (0, 1]: hard instead of soft thresholding; theta is then not used.
    memory_budget : int
        Bytes that A may take.
    form : {"auto", "stored", "recomputed", "factored"}
    dtype : dtype
        Precision of Z, of A and of the products; the result of a product is double in any case.

    Attributes
    ----------
    shape : tuple (d, d)
    form : str
    squared_norm : float
        Squared Frobenius norm of A, accumulated while A is built.

    Raises
    ------
    ValueError
        If theta is below 1, the threshold outside (0, 1], or the form unknown or impossible.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(10, 4))
    >>> U = np.ones((4, 1))
    >>> expected = np.abs(np.corrcoef(X.T)) @ U
    >>> [bool(np.allclose(CorrelationNetwork(X, form=f) @ U, expected)) for f in ("stored", "recomputed")]
    [True, True]
    """

    def __init__(self, X, theta=1.0, threshold=None, *, memory_budget=2**31, form="auto", dtype=np.float32):
        check_thresholding(theta, threshold)
        self.theta, self.threshold = theta, threshold
        self._Z = standardised_columns(X, dtype)
        n, d = self._Z.shape
        self.shape = (d, d)
        self._soft_square = threshold is None and theta == 2
        self.form = self._choose(form, n, d, memory_budget)
        self._stored = [] if self.form == "stored" else None
        self.squared_norm = 0.0
        # The products are too small for more than one thread: threads would wait for one another.
        self._blas = ThreadpoolController()  # once: looking for the libraries takes longer than a small product
        with self._blas.limit(limits=1, user_api="blas"):
            for rows, columns, block in self._computed_blocks():
                share = float(np.vdot(block, block))  # of half a million entries: single precision is enough
                self.squared_norm += share if rows == columns else 2 * share
                if self._stored is not None:
                    self._stored.append((rows, columns, block))

    @property
    def T(self):
        """The transposed network, which is the network."""
        return self

    def __matmul__(self, U):
        """Multiply A by U (d, k); double precision (d, k)."""
        U = np.ascontiguousarray(U, dtype=self._Z.dtype)  # cast before the product, or A would be cast to double
        product = np.zeros(U.shape)
        with self._blas.limit(limits=1, user_api="blas"):
            if self.form == "factored":
                for u, out in zip(U.T, product.T, strict=True):
                    moments = (self._Z * u) @ self._Z.T
                    out[:] = np.einsum("nj,nj->j", moments @ self._Z, self._Z)
                return product
            for rows, columns, block in self._stored or self._computed_blocks():
                product[rows] += block @ U[columns]
                if rows != columns:
                    product[columns] += block.T @ U[rows]
        return product

    def _choose(self, form, n, d, memory_budget):
        if form not in ("auto", "stored", "recomputed", "factored"):
            raise ValueError(f"form={form!r} must be 'auto', 'stored', 'recomputed' or 'factored'.")
        if form == "factored" and not self._soft_square:
            raise ValueError("form='factored' needs theta=2 and no threshold: only squares of correlations factor.")
        if form != "auto":
            return form
        fits = self._Z.itemsize * d * (d + BLOCK) / 2 <= memory_budget
        if self._soft_square and (2 * n * n < d or not fits):
            return "factored"
        return "stored" if fits else "recomputed"

    def _computed_blocks(self):
        for rows, columns, block in correlation_blocks(self._Z):
            yield rows, columns, threshold_correlations(block, self.theta, self.threshold)


def correlation_blocks(Z):
    """Yield the blocks on and above the diagonal of ``Z^T Z``.

    Parameters
    ----------
    Z : array of shape (n, d)
        As :func:`standardised_columns` returns it.

    Yields
    ------
    rows, columns : slice
        Equal for a block on the diagonal.
    block : array
        Fresh at every step, so that it may be written to.

    Examples
    --------
    >>> [(rows.stop, columns.stop, block.shape) for rows, columns, block in correlation_blocks(np.ones((2, 3)))]
    [(3, 3, (3, 3))]
    """
    d = Z.shape[1]
    slices = [slice(start, min(start + BLOCK, d)) for start in range(0, d, BLOCK)]
    for i, rows in enumerate(slices):
        for columns in slices[i:]:
            yield rows, columns, Z[:, rows].T @ Z[:, columns]


def threshold_correlations(block, theta=1.0, threshold=None):
    """Turn correlations into entries of the network, in place.

    Parameters
    ----------
    block : array
        Correlations; overwritten.
    theta, threshold
        See :class:`CorrelationNetwork`.

    Returns
    -------
    array
        ``block`` itself.

    Examples
    --------
    >>> threshold_correlations(np.array([-0.5, 0.1]), theta=2), threshold_correlations(np.array([-0.5, 0.1]), 1, 0.5)
    (array([0.25, 0.01]), array([1., 0.]))
    """
    np.abs(block, out=block)  # braytee Eq. 4.1.1
    if threshold is not None:
        block[...] = block >= threshold
    elif theta == 2:
        np.square(block, out=block)
    elif theta != 1:
        np.power(block, theta, out=block)
    return block


def check_thresholding(theta, threshold):
    """Raise ValueError unless theta is at least 1 and the threshold None or in (0, 1]."""
    if not (isinstance(theta, numbers.Real) and np.isfinite(theta) and theta >= 1):
        raise ValueError(f"theta={theta!r} must be a number of at least 1.")
    if threshold is not None and not (isinstance(threshold, numbers.Real) and 0 < threshold <= 1):
        raise ValueError(f"threshold={threshold!r} must be None or a number in (0, 1].")
