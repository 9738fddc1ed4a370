"""State of the exact search: the cells that still hold more than one class, and what the pure ones held."""

import numpy as np

from fslib.counts.stretches import stretches
from fslib.counts.weighted import tally

_SAMPLES = 1 << 16  # samples whose keys are made at a time: 512 KB


class Partition:
    """Cells of the samples under the features chosen so far.

    A cell with samples of one class only can gain nothing more. Its samples are put aside (code -1) and remembered as a
    count per class, so that a search gets faster while it goes on. Once fewer than half of the samples are left, they
    are packed anew.

    Examples
    --------
    >>> from fslib.filters.criteria import ZeroOne
    >>> from fslib.filters.search.problem import ClassProblem
    >>> from fslib.counts.levels import encode_levels
    >>> X = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]])
    >>> partition = ClassProblem(encode_levels(X), np.array([0, 1, 1, 0]), ZeroOne()).partition()
    >>> partition.split(2)
    >>> partition.cells, partition.pure
    (array([-1,  0,  0,  0], dtype=int32), array([1, 0]))
    """

    def __init__(self, problem):
        self.problem = problem
        self.levels, self.labels, self.counter = problem.levels, problem.labels, problem.counter
        self.cells = np.zeros(len(self.labels), dtype=np.int32)
        self.n_cells = 1
        self.pure = np.zeros(problem.n_classes, dtype=np.intp)

    @property
    def is_pure(self):
        """Whether no feature can improve any criterion further."""
        return self.n_cells == 0

    def refinements(self, eligible):
        """Values of adding each feature, (values, log values or None); those of ``eligible`` decide ties."""
        return self.problem.refinements(
            self.cells, self.n_cells, counter=self.counter, labels=self.labels, pure=self.pure, eligible=eligible
        )

    def split(self, j):
        """Add feature j."""
        K, n_codes, codes = self.problem.n_classes, int(self.levels.n_levels[j]), self.levels.column(j)
        if (self.n_cells + 1) * n_codes * K > 64 * len(codes):  # more marks than memory is meant for
            self._split_first(codes)
            n_codes, codes = 1, np.zeros(len(codes), dtype=np.int8)
        size = (self.n_cells + 1) * n_codes
        kind = np.int32 if size * K < 2**31 else np.int64
        parts = list(stretches(len(codes), _SAMPLES))

        def refined(part):
            key = np.multiply(self.cells[part], n_codes, dtype=kind)
            key += codes[part]
            key += kind(n_codes)  # samples aside come first
            return key

        seen = np.zeros(K * size, dtype=bool)  # which classes a cell holds
        for part in parts:
            key = np.multiply(self.labels[part], size, dtype=kind)
            key += refined(part)
            seen[key] = True
        impure = seen.reshape(K, size).sum(axis=0, dtype=np.min_scalar_type(K)) > 1
        impure[:n_codes] = False
        code = np.cumsum(impure, dtype=np.int32)
        code -= 1
        code[~impure] = -1
        aside = np.empty(len(codes), dtype=bool)
        for part in parts:
            cells = code.take(refined(part))
            aside[part] = (cells < 0) & (self.cells[part] >= 0)
            self.cells[part] = cells
        if aside.any():
            weights = None if self.levels.weights is None else self.levels.weights[aside]
            self.pure = self.pure + tally(self.labels[aside], weights, K)
        self.n_cells = int(impure.sum())
        if self.n_cells:
            n_left = np.count_nonzero(self.cells >= 0)
            if n_left < 0.5 * len(self.cells) and self.levels.fits(n_left):
                self._drop_pure(np.flatnonzero(self.cells >= 0))

    def _split_first(self, codes):
        """Number the cells that occur once they are split by a feature, before those that are pure are put aside."""
        inside = self.cells >= 0
        self.cells[inside] = refine(self.cells[inside], codes[inside])
        self.n_cells = int(self.cells.max()) + 1

    def _drop_pure(self, left):
        self.counter.forget()
        self.levels = self.levels.take(left, self.counter.n_jobs)
        self.labels, self.cells = self.labels[left], self.cells[left]
        self.counter = self.levels.counter(n_jobs=self.problem.n_jobs)


class RealPartition:
    """Cells under the features chosen so far, for a real target; done when the target is constant in every cell."""

    def __init__(self, problem):
        self.problem = problem
        self.cells = np.zeros(len(problem.labels), dtype=np.intp)
        self.n_cells = 1

    @property
    def is_pure(self):
        """Whether no feature can improve the criterion further."""
        low, high = np.full(self.n_cells, np.inf), np.full(self.n_cells, -np.inf)
        np.minimum.at(low, self.cells, self.problem.labels)
        np.maximum.at(high, self.cells, self.problem.labels)
        return bool((low == high).all())

    def refinements(self, eligible):
        """Values of adding each feature, (values, None)."""
        return self.problem.refinements(self.cells, self.n_cells)

    def split(self, j):
        """Add feature j."""
        self.cells = refine(self.cells, self.problem.levels.column(j))
        self.n_cells = int(self.cells.max()) + 1


def refine(cells, codes):
    """Split cells by the levels of a feature and number the cells that occur.

    Examples
    --------
    >>> refine(np.array([0, 0, 1, 1]), np.array([0, 2, 2, 2]))
    array([0, 1, 2, 2], dtype=int32)
    """
    n_codes = int(codes.max()) + 1
    small = (int(cells.max()) + 1) * n_codes < 2**31
    key = np.multiply(cells, n_codes, dtype=np.int32 if small else np.int64)
    key += codes
    if key.max() > 64 * len(key):  # sorting is slower than marking, but its memory does not grow with the levels
        return np.unique(key, return_inverse=True)[1]
    seen = np.zeros(key.max() + 1, dtype=bool)
    seen[key] = True
    number = np.cumsum(seen, dtype=np.int32)  # int32: there are no more cells than samples
    number -= 1
    return number[key]
