"""The linear programme of MMIB, by a primal-dual method whose steps are fitted to each row and column.

    min over Z in [-1, 1]   -<W, Z>  +  sum_e x_e sum_l |Z_il - Z_jl|  +  sum_f y_f sum_i |Z_il - Z_im|
    subject to              low_l <= sum_i Z_il <= high_l   and   low_i <= sum_l Z_il <= high_i ,

over edges e = (i, j) between samples and f = (l, m) between labels. Every absolute value is the maximum of ``u`` times
its argument over u between minus and plus its weight, and every bound has a multiplier: what is left is a saddle point
with nothing but products with differences in it.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse


class Edges(NamedTuple):
    """Pairs of an undirected graph, each once, and their weights."""

    first: np.ndarray
    second: np.ndarray
    weight: np.ndarray

    def differences(self, n):
        """Sparse (edges, n) matrix with 1 at the first and -1 at the second end of each edge."""
        m = len(self.weight)
        rows, signs = np.tile(np.arange(m), 2), np.repeat([1.0, -1.0], m)
        return sparse.csr_array((signs, (rows, np.concatenate([self.first, self.second]))), shape=(m, n))


class SumBounds(NamedTuple):
    """Lower and upper bounds of sums, each of shape (number of sums,)."""

    low: np.ndarray
    high: np.ndarray


class PrimalDual(NamedTuple):
    """Labels Z (n, c), number of steps, largest violation of a bound, and whether it has converged."""

    Z: np.ndarray
    n_iter: int
    violation: float
    converged: bool


def solve_mmib(W, sample_edges, label_edges, of_labels, of_samples, *, max_iter, tol, dtype=np.float32):
    """Solve the programme.

    Parameters
    ----------
    W : array of shape (n, c)
        Reward of each label, negative for a known absence, 0 where nothing is known.
    sample_edges, label_edges : Edges
    of_labels, of_samples : SumBounds
        Of the sums over samples, (c,), and over labels, (n,).
    max_iter : int
    tol : float
        It has converged when Z changes by less than this on average, and violates no bound by more than 1e-4 n.
    dtype : dtype

    Returns
    -------
    PrimalDual

    Raises
    ------
    ValueError
        If the two kinds of bounds contradict each other in total.

    Notes
    -----
    O(c |sample edges| + n |label edges|) per step and in memory.

    References
    ----------
    T. Pock, A. Chambolle, "Diagonal preconditioning for first order primal-dual algorithms in convex optimization",
    ICCV (2011), Lemma 2 with alpha = 1.

    Examples
    --------
    Two samples, joined; the first has the label, and at least that one must:

    >>> edge, none = Edges(np.array([0]), np.array([1]), np.array([0.5])), Edges(*[np.empty(0, dtype=int)] * 3)
    >>> bounds = SumBounds(np.array([0.0]), np.array([2.0])), SumBounds(np.full(2, -1.0), np.full(2, 1.0))
    >>> solve_mmib(np.array([[1.0], [0.0]]), edge, none, *bounds, max_iter=200, tol=1e-9).Z.round(3).ravel()
    array([1., 1.], dtype=float32)
    """
    n, c = W.shape
    _refuse_contradiction(of_labels, of_samples)
    Dx = sparse.csr_array(sample_edges.differences(n), dtype=dtype)
    Dc = sparse.csr_array(label_edges.differences(c), dtype=dtype)
    Dxt, Dct = sparse.csr_array(Dx.T), sparse.csr_array(Dc.T)
    wx, wc = (np.asarray(e.weight, dtype=dtype) for e in (sample_edges, label_edges))
    degrees = [np.asarray(abs(D).sum(axis=0)).ravel() for D in (Dx, Dc)]
    step = (1 / (degrees[0][:, None] + degrees[1] + 2)).astype(dtype)
    W = W.astype(dtype)
    low_l, high_l, low_i, high_i = (np.asarray(v, dtype=dtype) for v in (*of_labels, *of_samples))
    Z = np.clip(W, -1, 1)
    ahead = Z
    u, v = np.zeros((len(wx), c), dtype), np.zeros((len(wc), n), dtype)
    p, q = np.zeros(c, dtype), np.zeros(n, dtype)
    for iteration in range(1, max_iter + 1):
        u += 0.5 * (Dx @ ahead)
        np.clip(u, -wx[:, None], wx[:, None], out=u)
        v += 0.5 * (Dc @ ahead.T)
        np.clip(v, -wc[:, None], wc[:, None], out=v)
        p = _multiplier(p, ahead.sum(axis=0), 1 / n, low_l, high_l)
        q = _multiplier(q, ahead.sum(axis=1), 1 / c, low_i, high_i)
        new = np.clip(Z - step * (Dxt @ u + (Dct @ v).T + p + q[:, None] - W), -1, 1)
        change, ahead, Z = float(np.abs(new - Z).mean()), 2 * new - Z, new
        violation = _violation(Z, low_l, high_l, low_i, high_i)
        if change < tol and violation <= 1e-4 * n:
            return PrimalDual(Z, iteration, violation, True)
    return PrimalDual(Z, max_iter, violation, False)


def _multiplier(multiplier, sums, sigma, low, high):
    """Dual step of bounds on sums."""
    a = multiplier + sigma * sums
    return a - sigma * np.clip(a / sigma, low, high)


def _violation(Z, low_l, high_l, low_i, high_i):
    by_label, by_sample = Z.sum(axis=0), Z.sum(axis=1)
    return float(
        max(
            np.max(excess, initial=0)
            for excess in (low_l - by_label, by_label - high_l, low_i - by_sample, by_sample - high_i)
        )
    )


def _refuse_contradiction(of_labels, of_samples):
    for bounds in (of_labels, of_samples):
        if np.any(bounds.low > bounds.high):
            raise ValueError("A lower bound on a number of labels is above its upper bound.")
    low, high = max(b.low.sum() for b in (of_labels, of_samples)), min(b.high.sum() for b in (of_labels, of_samples))
    if low > high + 1e-9:
        raise ValueError(
            "The bounds on samples per label and on labels per sample contradict each other: together the ones ask for "
            "more labels than the others allow. Widen lower and upper, or labels_per_sample."
        )
