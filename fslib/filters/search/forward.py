"""Greedy forward search (Ahmed et al., UAI 2015, Algorithm 1), exact or with the s-variate average of section 3.2."""

from dataclasses import dataclass, field
from itertools import combinations
from math import comb

import numpy as np

from fslib.base import strictly_greater
from fslib.filters.search.partition import refine
from fslib.filters.search.ties import best_candidate

MAX_ROWS = 20_000
"""Largest number of subsets whose tables with all features an s-variate search may ask for."""


@dataclass
class Path:
    """Features in order of entry, the objective after each entry, and how many features could have entered instead."""

    columns: list = field(default_factory=list)
    values: list = field(default_factory=list)
    n_tied: list = field(default_factory=list)

    def add(self, j, value, n_tied):
        """Append one step."""
        self.columns.append(int(j))
        self.values.append(float(value))
        self.n_tied.append(int(n_tied))


def forward_exact(problem, univariate, n_steps, min_gain=None):
    """Add the feature that makes the criterion of the whole set largest, until no cell can be split to any use.

    Parameters
    ----------
    problem : ClassProblem or RealProblem
    univariate : tuple
        What ``problem.univariate()`` returned: the first step.
    n_steps : int
    min_gain : float, optional
        Stop before a step that gains less.

    Returns
    -------
    Path
        Shorter than ``n_steps`` if the cells became pure or the gain too small.

    Notes
    -----
    O(m_a d) per step for m_a samples in impure cells; the counts take a bounded block of memory.

    Examples
    --------
    >>> from fslib.filters.criteria import ZeroOne
    >>> from fslib.filters.search.problem import ClassProblem
    >>> from fslib.counts.levels import encode_levels
    >>> X = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]])
    >>> xor = ClassProblem(encode_levels(X), np.array([0, 1, 1, 0]), ZeroOne())
    >>> forward_exact(xor, xor.univariate(), 3)     # every cell is pure after the third column
    Path(columns=[2, 0, 1], values=[-0.25, -0.25, 0.0], n_tied=[1, 2, 1])
    """
    values, log_values, constant = univariate
    eligible = np.ones(len(values), dtype=bool)
    partition, path = problem.partition(), Path()
    before = problem.empty_value()
    while len(path.columns) < n_steps and not partition.is_pure:
        if path.columns:
            values, log_values = partition.refinements(eligible)
        j, n_tied = best_candidate(values, log_values, constant, eligible)  # bayes Algorithm 1
        if min_gain is not None and path.columns and not strictly_greater(values[j], before + min_gain / problem.unit):
            break
        before = values[j]
        path.add(j, values[j], n_tied)
        eligible[j] = False
        if len(path.columns) < n_steps:
            partition.split(j)
    return path


def forward_average(problem, univariate, n_steps, s):
    """Add the feature that makes the average criterion of all s-subsets largest.

    The subsets without the new feature are there already, so only those made of the new feature and s - 1 chosen ones
    count. Their sum is kept for every feature, and an entry adds the subsets that contain the last chosen one: one row
    of pair tables if s = 2, comb(t, s - 2) rows in general. Sets smaller than s are judged exactly.

    Parameters
    ----------
    problem : ClassProblem or RealProblem
    univariate : tuple
        What ``problem.univariate()`` returned: the first step.
    n_steps : int
    s : int
        At least 2.

    Returns
    -------
    Path
        With ``n_steps`` entries; ``values`` holds the average over the s-subsets of the first t features.

    Raises
    ------
    ValueError
        If more than ``MAX_ROWS`` rows would be needed.

    Examples
    --------
    >>> from fslib.filters.criteria import ZeroOne
    >>> from fslib.filters.search.problem import ClassProblem
    >>> from fslib.counts.levels import encode_levels
    >>> X = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]])
    >>> xor = ClassProblem(encode_levels(X), np.array([0, 1, 1, 0]), ZeroOne())
    >>> forward_average(xor, xor.univariate(), 3, s=2).columns
    [2, 0, 1]
    """
    n_rows = comb(n_steps - 1, s - 1)
    if n_rows > MAX_ROWS:
        raise ValueError(
            f"order={s} with {n_steps} features needs the tables of {n_rows} subsets with every column, more than "
            f"{MAX_ROWS}: lower the order (2 is the usual one), or n_features_to_select."
        )
    path = forward_exact(problem, univariate, min(s - 1, n_steps))
    values, log_values, constant = univariate
    d = len(constant)
    while len(path.columns) < min(s - 1, n_steps):  # pure before the average begins: the best single features follow
        j, n_tied = best_candidate(values, log_values, constant, _all_but(path.columns, d))
        path.add(j, path.values[-1], n_tied)
    sums, log_sums, total = np.zeros(d), np.zeros(d), 0.0
    for t in range(len(path.columns), n_steps):
        *older, newest = path.columns
        for others in combinations(older, s - 2):
            if others:
                values, log_values = problem.refinements(*_cells(problem, (newest, *others)))
            else:
                values, log_values = problem.pairs_with(newest)
            sums += values
            if log_values is not None:
                log_sums += log_values
        n_subsets = comb(t, s - 1)
        # Averages, not sums: ties are judged on the scale of the criterion.
        mean_log = log_sums / n_subsets if problem.with_log else None
        averages = sums / n_subsets  # bayes Section 3.2
        j, n_tied = best_candidate(averages, mean_log, constant, _all_but(path.columns, d))
        total += sums[j]
        path.add(j, total / comb(t + 1, s), n_tied)
    return path


def _cells(problem, columns):
    cells = problem.counter.column(columns[0])
    for j in columns[1:]:
        cells = refine(cells, problem.counter.column(j))
    return cells, int(cells.max()) + 1


def _all_but(columns, d):
    eligible = np.ones(d, dtype=bool)
    eligible[columns] = False
    return eligible
