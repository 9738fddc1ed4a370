"""Criterion of every pair of features, by products of indicator matrices."""

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations_with_replacement

import numpy as np
from joblib import effective_n_jobs
from threadpoolctl import threadpool_limits

from fslib.counts.ways import PACKED_LEVELS
from fslib.filters.criteria import Log
from fslib.filters.search.problem import ClassProblem

_WIDTH = 256  # features per block at most
_TABLES = 1 << 21  # cells of the tables of a block of pairs: 8 MB, and 16 for each array of losses


def pair_values(problem):
    """Criterion of all pairs of features.

    Parameters
    ----------
    problem : ClassProblem or RealProblem

    Returns
    -------
    values : array of shape (d, d)
        Symmetric; the diagonal is that of the single features.
    log_values : array of shape (d, d) or None

    Notes
    -----
    O(n d^2 L^2) at the speed of matrix products where `has_products`, else one row of tables per feature. Memory 8 d^2
    bytes per matrix.

    Examples
    --------
    >>> from fslib.filters.criteria import ZeroOne
    >>> from fslib.counts.levels import encode_levels
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> pair_values(ClassProblem(encode_levels(X), np.array([0, 1, 1, 0]), ZeroOne()))[0]
    array([[-0.5,  0. ],
           [ 0. , -0.5]])
    """
    d = problem.levels.shape[1]
    if has_products(problem):
        with threadpool_limits(1, "blas"):  # small products: its threads would wait for each other more than work
            out = split_pair_values(problem, np.zeros(len(problem.labels), dtype=np.intp), 1)
    else:
        out = np.empty((1 + problem.with_log, d, d))
        for j in range(d):
            rows = problem.pairs_with(j)
            out[:, j] = rows[: len(out)]
    return out[0], out[1] if problem.with_log else None


def has_products(problem):
    """Whether pairs can be counted by products: classes, dense features of 2 to 16 levels, counts exact in float32."""
    levels = problem.levels
    if not isinstance(problem, ClassProblem) or levels.is_sparse or levels.shape[0] >= 2**24:
        return False
    return 2 <= levels.n_levels.max() <= PACKED_LEVELS


def split_pair_values(problem, cells, n_cells, start=0):
    """Criterion after splitting a partition by each pair of the features from ``start`` on.

    Parameters
    ----------
    problem : ClassProblem
    cells : array of int, shape (n,)
    n_cells : int
    start : int

    Returns
    -------
    array of shape (1 or 2, d - start, d - start)
        Symmetric; the second matrix holds the log criterion, if ties need it.
    """
    w, L, K = problem.levels.shape[1] - start, int(problem.levels.n_levels.max()), problem.n_classes
    criteria = (problem.criterion, Log()) if problem.with_log else (problem.criterion,)
    group = problem.labels * np.int64(n_cells) + cells
    codes = [problem.levels.codes[start:].compress(group == g, axis=1) for g in range(K * n_cells)]
    weights = problem.levels.weights
    weights = [None if weights is None else weights[group == g] for g in range(K * n_cells)]
    pure = np.zeros(K, dtype=np.intp)
    out = np.empty((len(criteria), w, w))

    def fill(left, right):
        indicators = [[_indicators(part[side], L) for part in codes] for side in (left, right)]
        counts = np.stack([_pair_counts(*parts) for parts in zip(*indicators, weights, strict=True)])
        counts = counts.reshape(K, n_cells * L * L, -1, 1)
        for matrix, criterion in zip(out, criteria, strict=True):
            values = criterion.evaluate(counts, problem.totals, pure)
            matrix[left, right] = values.reshape(matrix[left, right].shape)
            matrix[right, left] = matrix[left, right].T

    width = int(np.clip(np.sqrt(_TABLES / (K * n_cells * L * L)), 16, _WIDTH))
    blocks = [slice(first, min(first + width, w)) for first in range(0, w, width)]
    tasks = list(combinations_with_replacement(blocks, 2))
    if len(tasks) == 1:
        fill(*tasks[0])
        return out
    with ThreadPoolExecutor(effective_n_jobs(problem.n_jobs)) as pool:
        for _ in pool.map(fill, *zip(*tasks, strict=True)):
            pass  # raises what a task raised
    return out


def _indicators(codes, L):
    """Mark the levels above 0: float32 (L - 1, b, n)."""
    return (codes == np.arange(1, L, dtype=codes.dtype)[:, None, None]).astype(np.float32)


def _pair_counts(left, right, weights=None):
    """Count pairs of levels of two blocks of features, int32 (L, L, b, b'); level 0 by subtraction."""
    if weights is not None:
        return _weighted_pair_counts(left, right, weights)
    L, (b, n), c = len(left) + 1, left.shape[1:], right.shape[1]
    out = np.empty((L, L, b, c), dtype=np.int32)
    product = left.reshape((L - 1) * b, n) @ right.reshape((L - 1) * c, n).T  # n = 0: a cell without this class
    out[1:, 1:] = product.reshape(L - 1, b, L - 1, c).swapaxes(1, 2)
    out[1:, 0] = left.sum(axis=2).astype(np.int32)[:, :, None]
    out[0, 1:] = right.sum(axis=2).astype(np.int32)[:, None, :]
    out[0, 0] = n - out[0, 1:].sum(axis=0)
    for level in range(1, L):  # what is left of each level, one plain subtraction after the other
        out[1:, 0] -= out[1:, level]
    for level in range(1, L):
        out[0] -= out[level]
    return out


def _weighted_pair_counts(left, right, weights):
    """Add up weights over pairs of levels of two blocks of features, (L, L, b, b').

    Level 0 is a level like another here: what a subtraction of sums would leave of an empty cell is not 0.
    """
    left, right = (np.concatenate([1 - side.sum(axis=0, keepdims=True), side]) for side in (left, right))
    (L, b, n), c = left.shape, right.shape[1]
    product = (left * weights).reshape(L * b, n) @ right.reshape(L * c, n).T.astype(float)
    return product.reshape(L, b, L, c).swapaxes(1, 2).astype(weights.dtype)
