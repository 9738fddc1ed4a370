"""Nearest neighbours with an exact rule for ties: of two equally distant rows the one of lower index is nearer."""

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist

BLOCK_ENTRIES = 2**17
"""Distances in one block: 1 MiB of doubles, which stays in a core's cache while it is read several times."""

CANDIDATES = 20
"""Candidates kept per neighbour while features are added: more of them to sort, but fewer searches of all rows."""

SPARSE = 0.2
"""Share of entries other than 0 up to which only the distances that a column changes are touched."""

FRESH = 0.25
"""Share of new dense columns from which all distances are computed anew, which costs about a fifth per column."""


def nearest(distances, n_neighbors):
    """Column indices of the smallest entries of every row, ties to the lower index.

    Equal distances are the rule, not the exception, on 0/1 data, and neither ``argpartition`` nor an unstable sort says
    which of them it returns.

    Parameters
    ----------
    distances : array of shape (m, n)
        May hold +inf for pairs that must not be chosen.
    n_neighbors : int
        Between 1 and n.

    Returns
    -------
    array of int, shape (m, n_neighbors)
        In increasing order of index (not of distance).

    Examples
    --------
    >>> nearest(np.array([[2.0, 1.0, 1.0, 1.0], [0.0, 3.0, 2.0, 1.0]]), 2)
    array([[1, 2],
           [0, 3]])
    """
    m, n = distances.shape
    chosen = np.empty((m, n_neighbors), dtype=np.intp)
    step = max(1, BLOCK_ENTRIES // n)
    for start in range(0, m, step):
        block = distances[start : start + step]
        worst = np.partition(block, n_neighbors - 1, axis=1)[:, n_neighbors - 1, None]
        rows, columns = np.nonzero(block <= worst)  # row by row, columns ascending
        if len(rows) > len(block) * n_neighbors:  # ties at the worst distance: too many candidates
            tied = block[rows, columns] == worst[rows, 0]
            closer = np.bincount(rows, weights=~tied, minlength=len(block))
            ties_before = np.cumsum(tied) - tied
            first = np.searchsorted(rows, np.arange(len(block)))
            kept = ~tied | (ties_before - ties_before[first][rows] < (n_neighbors - closer)[rows])
            columns = columns[kept]
        chosen[start : start + step] = columns.reshape(len(block), n_neighbors)
    return chosen


def squared_distances(A, B):
    """Squared Euclidean distances of the rows of A to the rows of B, equal rows giving exactly equal numbers.

    Parameters
    ----------
    A : array or CSR matrix of shape (m, d)
    B : array or CSR matrix of shape (n, d)
        If one is dense and the other sparse, A is turned into the kind of B.

    Returns
    -------
    array of shape (m, n)
        Dense input: summed feature by feature, O(m n d) without BLAS, so that ties are exact. Sparse input: by the
        binomial formula on sparse products, exact for counts.

    Examples
    --------
    >>> squared_distances(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0], [1.0, 0.0]]))
    array([[25.,  1.]])
    """
    if sparse.issparse(A) != sparse.issparse(B):
        A = A.toarray() if sparse.issparse(A) else sparse.csr_array(A)
    if not sparse.issparse(A):
        return cdist(A, B, "sqeuclidean")
    norms_a, norms_b = (np.asarray(M.multiply(M).sum(axis=1)).ravel() for M in (A, B))
    return np.maximum(norms_a[:, None] + norms_b - 2 * (A @ B.T).toarray(), 0)


def neighbors_of(A, B, n_neighbors, *, same=False):
    """Find the ``n_neighbors`` rows of B nearest to every row of A, without holding all distances.

    Parameters
    ----------
    A, B : arrays or CSR matrices with d features
    n_neighbors : int
    same : bool
        A and B are the same rows, and no row is its own neighbour.

    Returns
    -------
    array of int, shape (m, n_neighbors)

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [5.0]])
    >>> neighbors_of(X, X, 1, same=True).ravel()
    array([1, 0, 1])
    """
    step = max(1, 2**22 // B.shape[0])  # 32 MiB of distances
    parts = []
    for start in range(0, A.shape[0], step):
        distances = squared_distances(A[start : start + step], B)
        if same:
            rows = np.arange(len(distances))
            distances[rows, start + rows] = np.inf
        parts.append(nearest(distances, n_neighbors))
    return np.concatenate(parts)


def neighbors_by_prefix(X_train, X_test, order, n_neighbors, sizes=None):
    """Neighbours within the first feature of ``order``, the first two, the first three, and so on.

    Squared distances are sums over features, so each further feature costs one pass over them instead of a fresh start.

    Parameters
    ----------
    X_train : array of shape (n, d)
    X_test : array of shape (m, d)
    order : sequence of int
        Features in the order in which they enter.
    n_neighbors : int
    sizes : collection of int, optional
        Numbers of features to yield for; default all. Those left out cost no search.

    Yields
    ------
    train : array of int, shape (n, n_neighbors)
        Neighbours of the training rows among the other training rows.
    test : array of int, shape (m, n_neighbors)
        Neighbours of the test rows among the training rows.

    Notes
    -----
    Holds (n + m) x n distances; O((n + m) n) time per feature, less if most of its entries are 0. Distances only grow.
    So the nearest of a few hundred candidates are the nearest of all rows until the worst of them passes the distance
    that the last candidate had when the candidates were searched; only then are they searched again.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [1.0, 9.0], [2.0, 0.0]])
    >>> [test.ravel().tolist() for _, test in neighbors_by_prefix(X, np.array([[0.9, 0.0]]), [0, 1], 1)]
    [[1], [0]]
    """
    X_train, X_test = (np.asarray(X, dtype=float) for X in (X_train, X_test))
    n = len(X_train)
    stacked = np.concatenate([X_train, X_test])[:, list(order)]
    distances = np.zeros((len(stacked), n))
    distances[np.arange(n), np.arange(n)] = np.inf
    n_candidates = min(n, CANDIDATES * n_neighbors)
    candidates = np.zeros((len(stacked), n_candidates), dtype=np.intp)
    limit = np.full(len(stacked), -1.0), np.full(len(stacked), -1)  # distance and index of the last candidate
    dense = np.count_nonzero(stacked, axis=0) > SPARSE * len(stacked)
    added = 0
    for size in range(1, stacked.shape[1] + 1):
        if sizes is not None and size not in sizes:
            continue
        if np.count_nonzero(dense[added:size]) > FRESH * size:  # the same sums in the same order, so the same bits
            cdist(stacked[:, :size], stacked[:n, :size], "sqeuclidean", out=distances)
            distances[np.arange(n), np.arange(n)] = np.inf
        else:
            for column in stacked.T[added:size]:
                _add_column(distances, column)
        added = size
        found, certain = _nearest_candidates(distances, candidates, limit, n_neighbors)
        if not certain.all():
            rows = np.flatnonzero(~certain)
            candidates[rows] = nearest(distances[rows], n_candidates)
            limit[0][rows], limit[1][rows] = _last(distances, rows, candidates[rows])
            found[rows] = _nearest_candidates(distances, candidates, limit, n_neighbors, rows)[0]
        yield found[:n], found[n:]


def _add_column(distances, column):
    """Add the squared differences of one column, (n + m,), of which the first n rows are those of training."""
    n = distances.shape[1]
    filled = np.flatnonzero(column)
    if len(filled) > SPARSE * len(column):
        step = max(1, BLOCK_ENTRIES // n)
        for start in range(0, len(column), step):
            distances[start : start + step] += (column[start : start + step, None] - column[:n]) ** 2
        return
    distances[filled] += (column[filled, None] - column[:n]) ** 2
    changed = np.ix_(np.flatnonzero(column == 0), filled[filled < n])
    distances[changed] += column[filled[filled < n]] ** 2


def _nearest_candidates(distances, candidates, limit, n_neighbors, rows=None):
    """Nearest among the candidates of some rows (default all), and whether they are certain to be nearest of all."""
    rows = np.arange(len(distances)) if rows is None else rows
    among = candidates[rows]
    near = distances[rows[:, None], among]
    chosen = nearest(near, n_neighbors)
    last = _last(near, np.arange(len(rows)), chosen)
    index = np.take_along_axis(among, last[1][:, None], axis=1)[:, 0]
    bound, bound_index = limit[0][rows], limit[1][rows]
    certain = (last[0] < bound) | ((last[0] == bound) & (index <= bound_index))
    return np.take_along_axis(among, chosen, axis=1), certain


def _last(distances, rows, chosen):
    """Distance and index of the last of some chosen columns, in order of distance and then of index."""
    values = distances[rows[:, None], chosen]
    worst = values.max(axis=1)
    return worst, np.where(values == worst[:, None], chosen, -1).max(axis=1)
