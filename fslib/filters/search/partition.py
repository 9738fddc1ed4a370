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
        K = self.problem.n_classes
        inside = self.cells >= 0
        labels = self.labels[inside]
        cells = refine(self.cells[inside], self.levels.column(j)[inside])
        seen = np.zeros((int(cells.max()) + 1) * K, dtype=bool)  # which classes a cell holds
        for part in stretches(len(cells), _SAMPLES):
            key = cells[part] * np.int64(K)
            key += labels[part]
            seen[key] = True
        impure = seen.reshape(-1, K).sum(axis=1, dtype=np.min_scalar_type(K)) > 1
        self.n_cells = int(impure.sum())
        code = np.cumsum(impure, dtype=np.int32)
        code -= 1
        code[~impure] = -1
        cells = code[cells]
        aside = cells < 0
        weights = None if self.levels.weights is None else self.levels.weights[inside][aside]
        self.pure = self.pure + tally(labels[aside], weights, K)
        self.cells = np.full(len(self.cells), -1, dtype=np.int32)
        self.cells[inside] = cells
        if self.n_cells:
            left = np.flatnonzero(self.cells >= 0)
            if len(left) < 0.5 * len(self.cells) and self.levels.fits(len(left)):
                self._drop_pure(left)

    def _drop_pure(self, left):
        self.levels, self.labels, self.cells = self.levels.take(left), self.labels[left], self.cells[left]
        self.counter.forget()
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
