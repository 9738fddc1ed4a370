"""State of the exact search: the cells that still hold more than one class, and what the pure ones held."""

from functools import cached_property, partial
from itertools import pairwise

import numpy as np

from fslib.counts.sorted_groups import SortedGroups, index_type
from fslib.counts.threads import PARTS, run
from fslib.counts.weighted import tally

_PART = 1 << 17  # samples sorted at a time, as far as cells can be told apart: 3 MB
_GROUPS = 4  # groups per sample beyond which only cells that occur get a place


class Partition:
    """Cells of the samples under the features chosen so far.

    A cell with samples of one class only can gain nothing more. Its samples are put aside and remembered as a count per
    class, so that a search gets faster while it goes on. Once fewer than half of the samples are left, they are packed
    anew. The others stay sorted by cell and class: to split cells is to sort nearly sorted samples, and what counts
    within many groups needs them in this order.

    Examples
    --------
    >>> from fslib.filters.criteria import ZeroOne
    >>> from fslib.filters.search.problem import ClassProblem
    >>> from fslib.counts.levels import encode_levels
    >>> X = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]])
    >>> partition = ClassProblem(encode_levels(X), np.array([0, 1, 1, 0]), ZeroOne()).partition()
    >>> partition.split(2)
    >>> partition.groups.order, partition.groups.start, partition.pure
    (array([3, 1, 2], dtype=int32), array([0, 1, 3], dtype=int32), array([1, 0]))
    """

    def __init__(self, problem):
        self.problem = problem
        self.levels, self.labels, self.counter = problem.levels, problem.labels, problem.counter
        self.n_cells = 1
        self.pure = np.zeros(problem.n_classes, dtype=np.intp)

    @cached_property
    def groups(self):
        """Samples by cell and class, `SortedGroups`; at first by class, sorted only if the search goes on."""
        return SortedGroups.of(self.labels, self.problem.n_classes)

    @property
    def is_pure(self):
        """Whether no feature can improve any criterion further."""
        return self.n_cells == 0

    def refinements(self, eligible):
        """Values of adding each feature, (values, log values or None); those of ``eligible`` decide ties."""
        return self.problem.refinements(
            self.groups, self.n_cells, counter=self.counter, pure=self.pure, eligible=eligible
        )

    def split(self, j):
        """Add feature j."""
        K, codes, n_codes = self.problem.n_classes, self.counter.column(j), int(self.levels.n_levels[j])
        before, order = self.groups, None
        n_threads = self.counter.n_jobs
        if self.levels.X is not None:
            kernel, order = self.levels.kernels.split_cells, np.empty_like(before.order)
            n_shares = 1 if n_threads == 1 else PARTS * n_threads
            parts = list(before.parts(max(_PART, -(-len(order) // n_shares)), K))
            ends = np.cumsum([0, *(len(part.order) for part in parts)]).tolist()
            places = [order[slice(*pair)] for pair in pairwise(ends)]
            splits = [
                partial(part.split, K, codes, n_codes, kernel, place) for part, place in zip(parts, places, strict=True)
            ]
        else:  # in small parts, since empty groups and keys take more memory than what is left of them
            splits = [partial(_split, part, K, codes, n_codes) for part in before.parts(_PART, K)]
        parts, pure = zip(*run(splits, n_threads), strict=True)
        self.groups = SortedGroups.joined(parts, order)
        self.n_cells = self.groups.n_groups // K
        n_left = len(self.groups.order)
        if n_left == len(before.order):
            return
        if self.levels.weights is None:
            self.pure = self.pure + sum(pure)
        else:
            is_aside = np.zeros(len(self.labels), dtype=bool)
            is_aside[before.order] = True
            is_aside[self.groups.order] = False
            self.pure = self.pure + tally(self.labels[is_aside], self.levels.weights[is_aside], K)
        share = 0.5 if self.levels.X is None else 0.125
        if 0 < n_left < share * len(self.labels) and self.levels.fits(n_left):
            self._drop_pure()

    def _drop_pure(self):
        self.counter.forget()
        inside = np.zeros(len(self.labels), dtype=bool)
        inside[self.groups.order] = True
        left = np.flatnonzero(inside)
        self.levels = self.levels.take(left, self.counter.n_jobs)
        self.labels, self.groups = self.labels[left], self.groups.pack(left)
        self.counter = self.levels.counter(n_jobs=self.problem.n_jobs)


def _keys(groups, K, codes, n_codes):
    """Cell and class of samples once cells are split, in the order of the groups, and how many these then are."""
    n_groups, level = groups.n_groups * n_codes, codes.take(groups.order)
    if n_groups > _GROUPS * len(level):
        group = groups.each(np.arange(groups.n_groups, dtype=index_type(groups.n_groups)))
        cells = refine(group // K, level)
        n_groups = (int(cells.max()) + 1) * K
        key = np.multiply(cells, K, dtype=index_type(n_groups))
        key += group % K
        return key, n_groups
    first = np.arange(groups.n_groups, dtype=index_type(n_groups))
    first += first // K * (K * (n_codes - 1))
    key = groups.each(first)  # nearly sorted, so that sorting writes to places nearby
    key += np.multiply(level, K, dtype=key.dtype)
    return key, n_groups


def _split(groups, K, codes, n_codes):
    """Split cells: groups of those that hold more than one class, and the samples of each class in the others."""
    groups = groups.sort(*_keys(groups, K, codes, n_codes))
    sizes = np.diff(groups.start).reshape(-1, K)
    is_pure = np.greater(sizes.T, 0, order="C").sum(axis=0, dtype=np.min_scalar_type(K)) < 2
    return groups.keep(~is_pure), is_pure @ sizes


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
