"""Greedy backward elimination, exact or with the bivariate average."""

import numpy as np

from fslib.filters.criteria import Log
from fslib.filters.search.forward import Path
from fslib.filters.search.pairs import pair_values
from fslib.filters.search.ties import best_candidate

MAX_EXACT = 500
"""Largest number of features for exact elimination, whose cost grows with its square."""

MAX_PAIRS = 12_000
"""Largest number of features for the pair matrix (8 d^2 bytes, twice with the log criterion for ties)."""


def backward_exact(problem, univariate):
    """Remove, one by one, the feature without which the criterion stays largest.

    Every sample has a 64-bit key, the exclusive or of one random word per feature and level; removing a feature is one
    more exclusive or, and samples of equal keys share a cell. Samples that no remaining feature tells apart are merged.

    Parameters
    ----------
    problem : ClassProblem or RealProblem
    univariate : tuple
        What ``problem.univariate()`` returned.

    Returns
    -------
    Path
        All features: the first survived longest. ``values`` is the criterion of the first t features.

    Raises
    ------
    ValueError
        If there are more than ``MAX_EXACT`` features.

    Notes
    -----
    O(d^2 n log n) time and 8 n d bytes. Two different cells share a key with probability below n^2 / 2^64.

    Examples
    --------
    >>> from fslib.filters.criteria import ZeroOne
    >>> from fslib.filters.search.problem import ClassProblem
    >>> from fslib.counts.levels import encode_levels
    >>> X = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]])
    >>> xor = ClassProblem(encode_levels(X), np.array([0, 1, 1, 0]), ZeroOne())
    >>> backward_exact(xor, xor.univariate())
    Path(columns=[0, 1, 2], values=[-0.5, 0.0, 0.0], n_tied=[1, 2, 1])
    """
    n, d = problem.levels.shape
    if d > MAX_EXACT:
        raise ValueError(
            f"exact backward elimination tries d^2 / 2 sets, too many for {d} columns (at most {MAX_EXACT}): "
            'use order=2, or direction="forward".'
        )
    constant = univariate[2]
    criteria = (problem.criterion, Log()) if problem.with_log else (problem.criterion,)
    words = _random_words(problem.levels)  # (d, n)
    key = np.bitwise_xor.reduce(words, axis=0)
    table = problem.sums(np.arange(n), n)  # (K, n): each sample its own cell
    key, table, words = _merge(key, table, words)
    left = np.ones(d, dtype=bool)
    path = Path()
    value, n_tied = _values(criteria, table, problem.totals)[0], 1
    for _ in range(d - 1):
        values = np.full((len(criteria), d), -np.inf)
        for j in np.flatnonzero(left):
            merged = _sum_by_key(key ^ words[j], table)
            values[:, j] = _values(criteria, merged, problem.totals)
        j, n_tied = _worst(values[0], values[1] if problem.with_log else None, constant, left)
        path.add(j, value, n_tied)
        value = values[0, j]
        left[j] = False
        key, table, words = _merge(key ^ words[j], table, words)
    path.add(np.flatnonzero(left)[0], value, 1)
    return _reverse(path)


def backward_average(problem, univariate):
    """Remove, one by one, the feature without which the average criterion of the remaining pairs is largest.

    Parameters
    ----------
    problem : ClassProblem or RealProblem
    univariate : tuple
        What ``problem.univariate()`` returned.

    Returns
    -------
    Path
        All features: the first survived longest. ``values`` is the average over the pairs of the first t features (the
        criterion itself for one feature).

    Raises
    ------
    ValueError
        If there are more than ``MAX_PAIRS`` features.

    Notes
    -----
    One matrix of pair criteria, then O(d) per removal.

    Examples
    --------
    >>> from fslib.filters.criteria import ZeroOne
    >>> from fslib.filters.search.problem import ClassProblem
    >>> from fslib.counts.levels import encode_levels
    >>> X = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]])
    >>> xor = ClassProblem(encode_levels(X), np.array([0, 1, 1, 0]), ZeroOne())
    >>> backward_average(xor, xor.univariate()).columns
    [0, 1, 2]
    """
    single, single_log, constant = univariate
    d = len(single)
    if d > MAX_PAIRS:
        raise ValueError(
            f"backward elimination needs a {d} x {d} matrix of pairs (at most {MAX_PAIRS} columns): "
            'use direction="forward", or keep fewer columns by BayesScore first.'
        )
    matrices = [matrix for matrix in pair_values(problem) if matrix is not None]
    for matrix in matrices:
        np.fill_diagonal(matrix, 0.0)
    left = np.ones(d, dtype=bool)
    path = Path()
    fresh = 2 * d
    for size in range(d, 1, -1):
        if 2 * size <= fresh:  # afresh once in a while: sums kept by subtraction gather rounding
            fresh = size
            sums = [matrix[:, left].sum(axis=1) for matrix in matrices]  # of the pairs that each feature is in
            totals = [s[left].sum() / 2 for s in sums]
        average = totals[0] / (size * (size - 1) / 2)
        if size > 2:
            n_pairs = (size - 1) * (size - 2) / 2
            without = [(total - s) / n_pairs for total, s in zip(totals, sums, strict=True)]
        else:  # without one of two features the other one is left
            without = [_exchanged(values, left) for values in (single, single_log)[: len(matrices)]]
        j, n_tied = _worst(without[0], without[1] if len(without) > 1 else None, constant, left)
        path.add(j, average, n_tied)
        left[j] = False
        totals = [total - s[j] for total, s in zip(totals, sums, strict=True)]
        sums = [s - matrix[j] for s, matrix in zip(sums, matrices, strict=True)]
    last = np.flatnonzero(left)[0]
    path.add(last, single[last], 1)
    return _reverse(path)


def _worst(values, log_values, constant, left):
    """Feature to remove: the tie rules of a search, read backwards (constant and later features go first)."""
    log_values = None if log_values is None else log_values[::-1]
    j, n_tied = best_candidate(values[::-1], log_values, ~constant[::-1], left[::-1])
    return len(values) - 1 - j, n_tied


def _exchanged(values, pair):
    """Values with those of the two marked features exchanged."""
    a, b = np.flatnonzero(pair)
    out = values.copy()
    out[[a, b]] = values[[b, a]]
    return out


def _reverse(path):
    return Path(path.columns[::-1], path.values[::-1], path.n_tied[::-1])


def _random_words(levels):
    """Draw a word per level, and look it up for every sample and feature, uint64 (d, n)."""
    rng = np.random.default_rng(0)
    words = np.empty(levels.shape[::-1], dtype=np.uint64)
    for j, n_levels in enumerate(levels.n_levels):
        words[j] = rng.integers(0, 2**64, size=n_levels, dtype=np.uint64)[levels.column(j)]
    return words


def _merge(key, table, words):
    """Make one sample of those with equal keys."""
    _, first, cell = np.unique(key, return_index=True, return_inverse=True)
    return key[first], _sum_cells(table, cell, len(first)), words[:, first]


def _sum_by_key(key, table):
    distinct, cell = np.unique(key, return_inverse=True)
    return _sum_cells(table, cell, len(distinct))


def _sum_cells(table, cell, n_cells):
    return np.stack([np.bincount(cell, row, n_cells) for row in table])


def _values(criteria, table, totals):
    return [criterion.evaluate(table[:, None, None, :], totals, np.zeros(len(table)))[0] for criterion in criteria]
