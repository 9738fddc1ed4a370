"""One search problem: discrete features, a target and a criterion, and the value of every way to split a partition."""

import copy
from functools import partial

import numpy as np

from fslib.counts.sorted_groups import SortedGroups, by_sample, in_order
from fslib.counts.stretches import stretches
from fslib.counts.weighted import moments, tally
from fslib.filters.criteria import AdditiveCriterion, Log
from fslib.filters.search.partition import Partition, RealPartition, refine
from fslib.filters.search.ties import near_best

_SAMPLES = 1 << 20  # samples whose keys are made at a time: 8 MB

MAX_TABLE = 1 << 23
"""Largest table of counts of one feature, in numbers (64 MB)."""


class SearchProblem:
    """A target and its features: how good is each feature, added to a partition of the samples into cells.

    Subclasses bind a kind of target. ``labels`` (n,) is what `sums` adds up.

    Attributes
    ----------
    levels : Levels
    criterion : Criterion
    labels : array of shape (n,)
        Class codes, or a standardised real target.
    totals : array of shape (K, 1)
        Statistics of all samples, whatever part of them the search still looks at.
    with_log : bool
        Whether values come with those of the log criterion, which decides ties.
    """

    with_log = False
    unit = 1.0
    """What a value of the search must be multiplied by to be a value of the criterion."""

    def __init__(self, levels, labels, criterion, n_jobs):
        self.levels = levels
        self.labels = labels
        self.criterion = criterion
        self.n_jobs = n_jobs
        self.counter = levels.counter(n_jobs=n_jobs)

    def univariate(self):
        """Values of the single features, (values, log values or None), and which features are constant.

        Returns
        -------
        values : array of shape (d,)
        log_values : array of shape (d,) or None
        constant : array of bool, shape (d,)
        """
        everyone = np.zeros(len(self.labels), dtype=np.int8)
        return *self.refinements(everyone, 1), self.levels.is_constant

    def with_columns(self, order):
        """The same problem with its features in another order (array of int, shape (d,))."""
        if np.array_equal(order, np.arange(len(order))):
            return self
        other = copy.copy(self)
        other.levels = self.levels.columns(order)
        other.counter = other.levels.counter(n_jobs=self.n_jobs)
        return other

    def value(self, cells):
        """Criterion of one partition, given as the cell of each sample."""
        table = self.sums(cells, int(cells.max()) + 1)
        return float(self.criterion.evaluate(table[:, None, None, :], self.totals, np.zeros(len(table)))[0])

    def empty_value(self):
        """Criterion without any feature."""
        return self.value_of([])

    def value_of(self, columns):
        """Criterion of a set of features."""
        cells = np.zeros(len(self.labels), dtype=np.int8)
        for j in columns:
            cells = refine(cells, self.levels.column(j))
        return self.value(cells)


class ClassProblem(SearchProblem):
    """Target of K classes, coded 0 ... K - 1.

    Examples
    --------
    >>> from fslib.filters.criteria import ZeroOne
    >>> from fslib.counts.levels import encode_levels
    >>> X = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]])
    >>> xor = ClassProblem(encode_levels(X), np.array([0, 1, 1, 0]), ZeroOne())
    >>> xor.univariate()[0]
    array([-0.5 , -0.5 , -0.25])
    >>> xor.value_of([0, 1])
    0.0
    """

    def __init__(self, levels, labels, criterion, n_jobs=None, tie_break="index"):
        super().__init__(levels, labels, criterion, n_jobs)
        self.totals = tally(labels, levels.weights)[:, None]
        self.n_classes = len(self.totals)
        self.with_log = tie_break == "log" and not isinstance(criterion, Log)

    def partition(self):
        """Partition from which a search starts: one cell."""
        return Partition(self)

    def empty_value(self):
        """Criterion without any feature: all samples are one cell."""
        return float(self.criterion.evaluate(self.totals[:, None, None, :], self.totals, np.zeros(self.n_classes))[0])

    def sums(self, cells, n_cells):
        """Count the samples of each class in each cell, or add up their weights, (K, n_cells)."""
        weights = self.levels.weights
        out = np.zeros(self.n_classes * n_cells, dtype=np.int64 if weights is None else weights.dtype)
        for part in stretches(len(cells), max(_SAMPLES, len(out))):
            key = self.labels[part] * np.int64(n_cells)
            key += cells[part]
            out += tally(key, None if weights is None else weights[part], len(out))
        return out.reshape(self.n_classes, n_cells)

    def pairs_with(self, j):
        """Criterion of feature j and each feature; like `refinements` of the cells that feature j makes."""
        n_cells = int(self.levels.n_levels[j])
        is_wide = n_cells * self.n_classes * self.levels.n_levels > MAX_TABLE
        if is_wide.any() or self._is_tall(self.counter, n_cells):
            return self.refinements(self.counter.column(j), n_cells)
        pure = np.zeros(self.n_classes, dtype=np.intp)
        values = self.counter.score_with(partial(self._evaluate, pure), j, self.labels, self.n_classes)
        return values[0], values[1] if self.with_log else None

    @property
    def _criteria(self):
        return (self.criterion, Log()) if self.with_log else (self.criterion,)

    def _is_tall(self, counter, n_cells):
        is_additive = all(isinstance(criterion, AdditiveCriterion) for criterion in self._criteria)
        return is_additive and counter.is_tall(n_cells * self.n_classes)

    def _by_class(self, counts):
        """Counts (K, C, b, L) or (K, C, m) of groups (C K, ...)."""
        return counts.reshape(-1, self.n_classes, *counts.shape[1:]).swapaxes(0, 1)

    def _evaluate(self, pure, counts):
        counts = self._by_class(counts)
        return np.stack([criterion.evaluate(counts, self.totals, pure) for criterion in self._criteria])

    def refinements(self, cells, n_cells, *, counter=None, pure=None, eligible=None):
        """Criterion after splitting all cells by each feature in turn.

        Parameters
        ----------
        cells : array of int, shape (n,), or SortedGroups
            Cell of each sample; or the samples sorted by cell and class, those in pure cells left out.
        n_cells : int
        counter : LevelCounter, optional
            Of a part of the samples, when the search has put others aside.
        pure : array of shape (K,), optional
            Samples per class that were put aside in pure cells.
        eligible : array of bool, shape (d,), optional
            Features among which one is to be chosen: where tables are large, log values are those of their best only.

        Returns
        -------
        values : array of shape (d,)
        log_values : array of shape (d,) or None
        """
        counter = self.counter if counter is None else counter
        K, criteria = self.n_classes, self._criteria
        pure = np.zeros(K, dtype=np.intp) if pure is None else pure
        group = cells
        if not isinstance(cells, SortedGroups):
            group = np.multiply(cells, K, dtype=np.min_scalar_type(-n_cells * K))
            group += self.labels

        evaluate = partial(self._evaluate, pure)

        def fold(criterion, columns):
            kernels = counter.levels.kernels
            add_up = criterion.add_up if kernels is None else partial(criterion.add_up_compiled, kernels)
            add = lambda before, counts: add_up(self._by_class(counts), self.totals, before)
            finish = lambda loss: criterion.finish(loss, self.totals, pure)
            return counter.fold(add, finish, group, n_cells * K, K, columns)

        levels, tall = counter.levels, self._is_tall(counter, n_cells)
        # Of tables with more cells than this most are empty: only what occurs is counted.
        # By the samples inside cells, since those put aside are still here if memory forbids packing the others.
        n_inside = len(group.order if isinstance(group, SortedGroups) else group)
        wide = n_cells * K * levels.n_levels > (max(MAX_TABLE, 16 * n_inside) if tall else MAX_TABLE)
        if not tall and not wide.any():
            values = counter.score(evaluate, group, n_cells * K)
            return values[0], values[1] if self.with_log else None
        values = np.full((len(criteria), len(wide)), -np.inf)
        if wide.any():
            of_sample = by_sample(group)
            inside = of_sample >= 0
            inner_cells, classes = np.divmod(of_sample[inside], K)
            weights = None if levels.weights is None else levels.weights[inside]
        if tall:
            group = in_order(group, n_cells * K)  # once for all calls of `fold`
        for j in np.flatnonzero(wide):
            split = refine(inner_cells, levels.column(j)[inside])
            key = classes * np.int64(m := split.max() + 1) + split
            table = tally(key, weights, K * m).reshape(K, 1, 1, m)
            values[:, j] = [criterion.evaluate(table, self.totals, pure)[0] for criterion in criteria]
        narrow = np.flatnonzero(~wide)
        if not tall and len(narrow):
            some = levels.columns(narrow).counter(n_jobs=self.n_jobs)
            values[:, narrow] = some.score(evaluate, group, n_cells * K)
        elif len(narrow):
            values[0, narrow] = fold(self.criterion, narrow)[narrow]
            if self.with_log:
                tied = np.arange(len(wide)) if eligible is None else near_best(values[0], np.flatnonzero(eligible))
                is_choice = eligible is None or len(tied) > 1
                tied = tied[~wide[tied]]
                if is_choice and len(tied):
                    values[1, tied] = fold(Log(), tied)[tied]
        return values[0], values[1] if self.with_log else None


class RealProblem(SearchProblem):
    """Real target, for the squared criterion; the search sees it standardised, so that tolerances mean something.

    Examples
    --------
    >>> from fslib.filters.criteria import Squared
    >>> from fslib.counts.levels import encode_levels
    >>> y = np.array([1.0, 3.0, 6.0, 6.0])
    >>> problem = RealProblem(encode_levels(np.array([[0], [0], [1], [1]])), y, Squared())
    >>> print(round(problem.value_of([0]) * problem.unit, 12))      # variance 1 in half of the samples
    -0.5
    """

    def __init__(self, levels, y, criterion, n_jobs=None):
        mean, spread = moments(y, levels.weights)
        super().__init__(levels, (y - mean) / (spread if spread > 0 else 1.0), criterion, n_jobs)
        self.unit = spread**2
        if levels.weights is None:
            self.totals = np.array([[len(y)], [self.labels.sum()], [self.labels @ self.labels]])
        else:
            summands = self._summands()
            self.totals = np.array([[part.sum()] for part in (*summands, summands[1] * self.labels)])

    def _summands(self):
        """What `sums` adds up; made from ``labels`` each time, since a permutation test replaces those."""
        weights = self.levels.weights
        return [None, self.labels] if weights is None else [weights, weights * self.labels]

    def partition(self):
        """Partition from which a search starts: one cell."""
        return RealPartition(self)

    def sums(self, cells, n_cells):
        """Count samples and add up the target in each cell, both with weights, (2, n_cells)."""
        return np.stack([np.bincount(cells, summands, n_cells) for summands in self._summands()])

    def pairs_with(self, j):
        """Criterion of feature j and each feature."""
        return self.refinements(self.levels.column(j), int(self.levels.n_levels[j]))

    def refinements(self, cells, n_cells):
        """Criterion after splitting all cells by each feature in turn; like ``ClassProblem.refinements``."""
        values = np.empty(self.levels.shape[1])
        for j in range(len(values)):
            split = refine(cells, self.levels.column(j))
            table = self.sums(split, int(split.max()) + 1)
            values[j] = self.criterion.evaluate(table[:, None, None, :], self.totals, None)[0]
        return values, None
