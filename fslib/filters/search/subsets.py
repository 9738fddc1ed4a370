"""The best set of k features: branch and bound over sets in lexicographic order."""

import numpy as np
from threadpoolctl import threadpool_limits

from fslib.base import first_of_best, strictly_greater
from fslib.filters.search.pairs import has_products, split_pair_values
from fslib.filters.search.partition import refine


class BranchAndBound:
    """Depth-first search over increasing feature indices.

    Splitting cells never hurts, so no completion of a set by features from i on is better than adding all of them: if
    that bound does not exceed the best set known, the rest of the branch is skipped. The last two features are not
    searched but evaluated for all pairs at once (the last one, where pairs cannot be counted by products).

    Parameters
    ----------
    problem : ClassProblem or RealProblem
    k : int
    known : float
        Value of some set of k features, such as a greedy one: branches that cannot reach it are skipped.

    Attributes
    ----------
    columns : tuple of int
        The best set; among equal ones up to rounding, the first in lexicographic order.
    value : float
    n_evaluated : int
        Sets of k features whose value was computed.

    Examples
    --------
    >>> from fslib.filters.criteria import ZeroOne
    >>> from fslib.filters.search.problem import ClassProblem
    >>> from fslib.counts.levels import encode_levels
    >>> X = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]])
    >>> xor = ClassProblem(encode_levels(X), np.array([0, 1, 1, 0]), ZeroOne())
    >>> best = BranchAndBound(xor, 2, known=-0.25)
    >>> best.columns, best.value
    ((0, 1), 0.0)
    """

    def __init__(self, problem, k, known):
        self.problem = problem
        self.d = problem.levels.shape[1]
        self.columns = None
        self.value = known
        self.n_evaluated = 0
        self._at_once = 2 if k >= 2 and has_products(problem) else 1
        self._suffixes = self._join_suffixes() if k > self._at_once else None
        with threadpool_limits(1, "blas"):  # as in pairs.py
            self._visit(np.zeros(len(problem.labels), dtype=np.int64), (), k)

    def _join_suffixes(self):
        """Partition by all features from i on, for every i."""
        cells = np.zeros(len(self.problem.labels), dtype=np.int64)
        suffixes = np.empty((self.d, len(cells)), dtype=np.int32)
        for i in reversed(range(self.d)):
            cells = refine(cells, self.problem.levels.column(i))
            suffixes[i] = cells
        return suffixes

    def _visit(self, cells, chosen, missing):
        start = chosen[-1] + 1 if chosen else 0
        if missing == self._at_once:
            self._finish(cells, chosen, start)
            return
        for i in range(start, self.d - missing + 1):
            if not self._improves(self.problem.value(refine(cells, self._suffixes[i]))):
                return  # what follows draws on fewer features still
            self._visit(refine(cells, self.problem.levels.column(i)), (*chosen, i), missing - 1)

    def _finish(self, cells, chosen, start):
        """All ways to add the last one or two features."""
        n_cells = int(cells.max()) + 1
        if self._at_once == 1:
            values = self.problem.refinements(cells, n_cells)[0][start:]
            self.n_evaluated += len(values)
            index = first_of_best(values)
            last = (start + index,)
        else:
            values = split_pair_values(self.problem, cells, n_cells, start)[0]
            w = len(values)
            self.n_evaluated += w * (w - 1) // 2
            values = np.where(np.tri(w, dtype=bool), -np.inf, values).ravel()
            index = first_of_best(values)
            last = (start + index // w, start + index % w)
        if self._improves(values[index]):
            self.columns, self.value = (*chosen, *last), float(values[index])  # bayes Eq. 1

    def _improves(self, value):
        """Whether a value beats the best set, or, before one was found, at least equals the known value."""
        return not strictly_greater(self.value, value) if self.columns is None else strictly_greater(value, self.value)
