"""Mutual information and interaction information of two-level features with labels, from counts.

With ``phi(n) = n log n`` the information between partitions A and B of N samples is
``N I(A; B) = phi(N) - sum phi(n_a) - sum phi(n_b) + sum phi(n_ab)``: only counts are needed, and counts of all features
at once are one matrix product of 0/1 blocks. They are integers, so ``phi`` is a table.

The interaction (co-)information of three variables is ``I(f; a; b) = I(f; a) + I(f; b) - I(f; ab)``, positive where a
and b tell the same about f. Everything is in nats.
"""

import numpy as np
from scipy import sparse

from fslib.base import first_of_best, rank_by_score
from fslib.counts.counter import xlogx

PAIRS_AT_ONCE = 128
"""Label pairs counted per matrix product; with 2000 features its counts take 2 MiB."""


def binarize(X, *, keep_two_valued=True):
    """Split every feature at its median, equal values staying together.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    keep_two_valued : bool
        A feature of two values becomes "is the larger". The median alone would make a feature constant as soon as half
        of its entries are the larger value.

    Returns
    -------
    array of bool, shape (n, d), or CSR array if X is sparse
        Whether the entry is above the median of its column. Where that holds for the zeros of a sparse X, the column is
        turned round, so that zeros stay unstored; information does not depend on it.

    Examples
    --------
    >>> binarize(np.array([[1.0, 0.0], [2.0, 1.0], [3.0, 1.0]])).astype(int)
    array([[0, 0],
           [0, 1],
           [1, 1]])
    """
    if sparse.issparse(X):
        return _binarize_sparse(sparse.csc_array(X), keep_two_valued)
    above = np.median(X, axis=0) < X
    if keep_two_valued:
        low, high = X.min(axis=0), X.max(axis=0)
        two_valued = np.all((low == X) | (high == X), axis=0) & (low < high)
        above[:, two_valued] = X[:, two_valued] == high[two_valued]
    return above


def _binarize_sparse(X, keep_two_valued):
    n, d = X.shape
    above = np.zeros(len(X.data), dtype=bool)
    for j in range(d):
        column = slice(X.indptr[j], X.indptr[j + 1])
        data = X.data[column]
        n_zero = n - len(data)
        values = np.unique(np.append(data, 0.0) if n_zero else data)
        if keep_two_valued and len(values) == 2:
            side, zero_above = data == values[1], values[1] == 0
        else:
            ordered, n_negative = np.sort(data), int((data < 0).sum())
            at = lambda k, o=ordered, m=n_negative, z=n_zero: o[k] if k < m else 0.0 if k < m + z else o[k - z]
            median = (at((n - 1) // 2) + at(n // 2)) / 2
            side, zero_above = data > median, median < 0
        above[column] = ~side if zero_above and n_zero else side
    found = sparse.csc_array((above, X.indices.copy(), X.indptr.copy()), shape=X.shape)
    found.eliminate_zeros()
    return sparse.csr_array(found)


class LabelInteractions:
    """Sums over labels of the information that two-level features share with labels, label pairs and one another.

    Parameters
    ----------
    Z : array of bool or CSR array, shape (n, d)
        Two-level features.
    Y : array of shape (n, c)
        0, 1 or NaN. An unknown entry is left out of the counts of its label, and of no others.

    Raises
    ------
    ValueError
        For 2^24 samples or more, whose counts would not be exact.

    Notes
    -----
    Memory O(n (d + c)) plus a few blocks of counts; time of one call: ``relevance`` O(n d c), ``label_pairs``
    O(n d c^2), ``with_feature`` O(n d c). Counts are exact below 2^24 samples (products in single precision).

    Examples
    --------
    A feature equal to the only label: one bit of information.

    >>> Z = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    >>> info = LabelInteractions(Z, Z[:, :1].astype(float))
    >>> (info.relevance() / np.log(2)).round(12)
    array([1., 0.])
    """

    def __init__(self, Z, Y):
        n = Z.shape[0]
        if n >= 2**24:
            raise ValueError("Counts in single precision are exact below 16.7 million samples: pass fewer rows.")
        known = ~np.isnan(Y)
        self._complete = known.all()
        self._Z = Z.astype(np.float32)
        self._positive, self._known = (Y == 1).astype(np.float32), known.astype(np.float32)
        self._phi = xlogx(np.arange(n + 1))
        self._n_known = column_counts(self._known)
        self._n_positive = column_counts(self._positive)
        self._feature_known = self._with_features(self._known)
        self._feature_positive = self._with_features(self._positive)

    def relevance(self):
        """Sum over labels of I(f; l) for every feature f, shape (d,)."""
        cells = two_by_two(self._feature_positive, self._feature_known, self._n_positive, self._n_known)
        return self._information(cells) @ (1 / self._n_known)

    def label_pairs(self):
        """Sum over unordered pairs of labels of I(f; l_i; l_j), shape (d,)."""
        first, second = np.triu_indices(self._positive.shape[1], k=1)
        total = np.zeros(self._Z.shape[1])
        for start in range(0, len(first), PAIRS_AT_ONCE):
            i, j = first[start : start + PAIRS_AT_ONCE], second[start : start + PAIRS_AT_ONCE]
            both = self._positive[:, i] * self._positive[:, j]
            if self._complete:  # the margins of a pair are those of its labels: one product instead of four
                joint = self._feature_positive[:, i], self._feature_positive[:, j], self._feature_known[:, i]
                margin = self._n_positive[i], self._n_positive[j], self._n_known[i]
            else:
                blocks = [
                    self._positive[:, i] * self._known[:, j],
                    self._known[:, i] * self._positive[:, j],
                    self._known[:, i] * self._known[:, j],
                ]
                joint, margin = [self._with_features(B) for B in blocks], [column_counts(B) for B in blocks]
            total += self._interaction(self._with_features(both), *joint, column_counts(both), *margin)
        return total

    def with_feature(self, s):
        """Sum over labels of I(f; z_s; l) for every feature f, shape (d,); ``s`` is a column of Z."""
        column = self._column(s)
        both, chosen = column * self._positive, column * self._known
        return self._interaction(
            self._with_features(both),
            self._with_features(chosen),
            self._feature_positive,
            self._feature_known,
            column_counts(both),
            column_counts(chosen),
            self._n_positive,
            self._n_known,
        )

    def between_features(self, s):
        """I(f; z_s) for every feature f, shape (d,)."""
        column = self._column(s)
        ones, n = column_counts(self._Z)[:, None], np.array([self._Z.shape[0]])
        return self._information(two_by_two(self._with_features(column), ones, column_counts(column), n))[:, 0] / n[0]

    def _column(self, s):
        """One feature, dense, shape (n, 1)."""
        column = self._Z[:, [s]]
        return column.toarray() if sparse.issparse(column) else column

    def _with_features(self, block):
        """Count, for every feature and column of the 0/1 block, the rows where both are 1, shape (d, m)."""
        return (self._Z.T @ block).astype(np.intp)

    def _information(self, cells):
        """N times I(f; a), shape (d, m), from the counts of (f, a)."""
        phi, (f1a1, f1a0, f0a1, f0a0) = self._phi, cells
        sums = phi[f1a1] + phi[f1a0] + phi[f0a1] + phi[f0a0]
        margins = phi[f1a1 + f1a0] + phi[f0a1 + f0a0] + phi[f1a1 + f0a1] + phi[f1a0 + f0a0]
        return sums - margins + phi[f1a1 + f1a0 + f0a1 + f0a0]

    def _interaction(self, f1ab, f1a, f1b, f1, ab, a, b, n):
        """Sum over pairs (a, b) of I(f; a; b), shape (d,).

        Arguments are numbers of rows among those where a and b are known: where f and a and b are 1 (d, m), f and a,
        f and b, f; then without f (m,).
        """
        valid = n > 0  # two labels that are never known together share no information
        pair = [f1ab, f1a - f1ab, f1b - f1ab, f1 - f1a - f1b + f1ab]
        rest = [whole - part for whole, part in zip([ab, a - ab, b - ab, n - a - b + ab], pair, strict=True)]
        joint = sum(self._phi[cell] for cell in (*pair, *rest))
        pairs_alone = self._phi[ab] + self._phi[a - ab] + self._phi[b - ab] + self._phi[n - a - b + ab]
        information_of_pair = joint - self._phi[f1] - self._phi[n - f1] - pairs_alone + self._phi[n]
        of_first = self._information(two_by_two(f1a, f1, a, n))
        of_second = self._information(two_by_two(f1b, f1, b, n))
        return ((of_first + of_second - information_of_pair) / np.maximum(n, 1)) @ valid


def greedy_order(gain, penalty, n_steps, *, average=False):
    """Add one by one the feature of largest ``gain - sum of penalties``.

    Parameters
    ----------
    gain : array of shape (d,)
    penalty : callable
        ``penalty(s)`` is what the chosen feature s costs all others, shape (d,).
    n_steps : int
        Features beyond these follow in the order of the last criterion.
    average : bool
        Divide the sum of the penalties by the number of chosen features.

    Returns
    -------
    array of int, shape (d,)
        Best first; criteria equal up to rounding go to the lower index.

    Examples
    --------
    The second feature is a copy of the first: once the first is in, its gain is gone.

    >>> greedy_order(np.array([1.0, 1.0, 0.5]), lambda s: np.array([1.0, 1.0, 0.0]) * (s < 2), 2)
    array([0, 2, 1])
    """
    remaining, cost, order = np.ones(len(gain), dtype=bool), np.zeros(len(gain)), []
    for step in range(n_steps):
        value = gain - (cost / max(step, 1) if average else cost)
        candidates = np.flatnonzero(remaining)
        chosen = candidates[first_of_best(value[candidates])]
        order.append(chosen)
        remaining[chosen] = False
        if remaining.any():
            cost = cost + penalty(chosen)
    value = gain - (cost / max(n_steps, 1) if average else cost)
    rest = np.flatnonzero(remaining)
    return np.concatenate([np.array(order, dtype=np.intp), rest[rank_by_score(value[rest])]])


def two_by_two(f1a1, f1, a1, n):
    """Return the counts of the four cells of (f, a) from one cell and the margins."""
    return f1a1, f1 - f1a1, a1 - f1a1, n - f1 - a1 + f1a1


def column_counts(block):
    """Sums of the columns of a block of 0 and 1, as integers, shape (d,)."""
    return block.sum(axis=0, dtype=float).astype(np.intp)
