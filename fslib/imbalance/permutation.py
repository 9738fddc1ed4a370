"""How likely a feature's loadings are by chance: p-values of shuffled loadings, and the thesis's single number."""

import numpy as np

ROUNDING = 1e-12
"""Sums of the same numbers in another order differ by rounding; this little, relatively, is not a difference."""


def loading_pvalues(U, n_permutations=1000, random_state=None):
    """Per feature, how often shuffled loadings have a row sum as large as its own.

    All d K entries of U are shuffled B times. Rows are exchangeable under the null, so the B d sums are one null
    distribution, and ``p_j = (1 + #{sums >= S_j}) / (1 + B d)``, which is never 0.

    It tests whether large loadings meet in one row, not whether a feature goes with the classes: y plays no part. For
    that see `fslib.filters.permutation_test`.

    Parameters
    ----------
    U : array of shape (d, K)
        Loadings of a fitted `BSNMF`, ``components_.T``.
    n_permutations : int
        B.
    random_state : int or numpy.random.Generator, optional

    Returns
    -------
    array of shape (d,)
        In (0, 1].

    Notes
    -----
    O(B d (K + log d)) time, O(d K) memory.

    References
    ----------
    A. Braytee, PhD thesis, 2018, equation 3.2.15, with one p-value per feature; for the 1, B. Phipson, G. K. Smyth,
    Statistical Applications in Genetics and Molecular Biology 9 (2010), article 39.

    Examples
    --------
    >>> U = np.r_[np.full((1, 2), 9.0), np.ones((99, 2))]
    >>> p = loading_pvalues(U, 1000, random_state=0)                # the nines meet in one of 199 shuffles
    >>> bool(p[0] < 1e-4), bool(p[1:].min() > 0.9)
    (True, True)
    """
    scores = U.sum(axis=1)
    order = np.argsort(scores)
    thresholds = _at_least(scores[order])
    exceed = np.zeros(len(U), dtype=np.int64)
    for null in _shuffled_sums(U, n_permutations, random_state):
        exceed += len(U) - np.searchsorted(np.sort(null), thresholds, side="left")
    pvalues = np.empty(len(U))
    pvalues[order] = (1 + exceed) / (1 + len(U) * n_permutations)
    return pvalues


def published_pvalue(U, n_permutations=1000, random_state=None):
    """Compute the single p-value that the thesis defines for a whole ranking.

    ``sum_b sum_j 1[S_j < S_j^b] / (d B)``: each feature's own sum before and after shuffling. Under any U about half of
    the features lose and half win, so this is near 1/2 whatever the data, and no test. Published for comparison; use
    `loading_pvalues`.

    Parameters
    ----------
    U : array of shape (d, K)
    n_permutations : int
    random_state : int or numpy.random.Generator, optional

    Returns
    -------
    float

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> round(published_pvalue(rng.gamma(1.0, size=(2000, 2)), 100, random_state=0), 2)
    0.5
    """
    scores = U.sum(axis=1)
    wins = [np.mean(scores < _at_least(null)) for null in _shuffled_sums(U, n_permutations, random_state)]
    return float(np.mean(wins))  # braytee Eq. 3.2.15


def _at_least(scores):
    """Return the least that counts as equal to a score."""
    return scores - ROUNDING * np.abs(scores)


def _shuffled_sums(U, n_permutations, random_state):
    """Row sums (d,) of U after each of several shuffles of all its entries."""
    rng, entries = np.random.default_rng(random_state), np.array(U, dtype=float).reshape(-1)
    for _ in range(n_permutations):
        rng.shuffle(entries)
        yield entries.reshape(U.shape[::-1]).sum(axis=0)  # whose row an entry joins is chance: take the faster sum
