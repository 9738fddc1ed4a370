"""Levels of rows that lie in several places, such as blocks of a file or partitions of a cluster.

A *source* holds the rows. `RowBlocks` reads them from disk, `DaskRows` leaves them on the workers of a cluster. A
search asks for tables of counts, which are added up over the parts, and for the codes of single columns.
"""

from functools import partial

import numpy as np

from fslib.counts.counter import LevelCounter
from fslib.counts.levels import Levels
from fslib.counts.sorted_groups import by_sample, in_order

MEMORY = 2**30
"""Default bound in bytes for what a search on parts holds at a time, beside a few numbers per sample."""


class PartLevels:
    """Discrete data whose codes are not in memory; has the interface of `Levels` that forward searches use.

    Parameters
    ----------
    source : object
        Has ``n`` (samples), ``memory`` (bytes) and these methods, for columns in ascending order:
        ``count(columns, n_levels, group, n_groups)`` returns a table of int64 (n_groups, L, b) per item of the two
        lists ``columns`` and ``n_levels``; ``read(columns, kind)`` returns the codes (b, n) of that dtype.
    n_levels : array of int, shape (d,)
    chosen : array of int, shape (d,)
        Columns of the source.
    """

    is_sparse = False
    weights, kernels, X, n_bytes_spared = None, None, None, 0

    def __init__(self, source, n_levels, chosen=None):
        self.source = source
        self.n_levels = n_levels
        self.chosen = np.arange(len(n_levels)) if chosen is None else chosen

    @property
    def shape(self):
        """Number of samples and of columns."""
        return self.source.n, len(self.n_levels)

    @property
    def is_constant(self):
        """Which columns have one level, bool (d,)."""
        return self.n_levels == 1

    def counter(self, *, n_jobs=None):
        """`PartCounter` of these levels."""
        return PartCounter(self, n_jobs=n_jobs)

    def column(self, j):
        """Codes of column j as a dense array of the smallest signed type, shape (n,)."""
        return self.source.read(self.chosen[[j]], np.min_scalar_type(-int(self.n_levels[j])))[0]

    def columns(self, chosen):
        """Levels of some of the columns (an index or boolean array), in that order."""
        chosen = np.arange(len(self.n_levels))[chosen]
        return PartLevels(self.source, self.n_levels[chosen], self.chosen[chosen])

    def load(self, columns):
        """`Levels` of some of the columns, in memory."""
        order = np.argsort(self.chosen[columns], kind="stable")
        codes = self.source.read(self.chosen[columns][order], _kind(self.n_levels))
        return Levels(codes[np.argsort(order)], self.n_levels[columns])

    def fits(self, n_samples):
        """Whether so many samples may be held in memory."""
        return self._size(n_samples) * self.shape[1] <= self.source.memory // 8

    def take(self, samples, n_threads=1):
        """`Levels` of some of the samples, in memory."""
        width = max(1, self.source.memory // (8 * self._size(self.source.n)))
        every = np.arange(self.shape[1])
        parts = [self.load(every[i : i + width]).take(samples, n_threads).codes for i in range(0, len(every), width)]
        return Levels(np.concatenate(parts), self.n_levels)

    def _size(self, n_samples):
        return n_samples * np.dtype(_kind(self.n_levels)).itemsize


class PartCounter(LevelCounter):
    """`LevelCounter` whose tables are sums over the parts of the rows; the same numbers in the same order.

    Notes
    -----
    One pass over the source per call, more if the tables of all features would take more than an eighth of its memory.
    `fold` reads as many columns as fit into memory at a time, so a source that cannot skip columns is read several
    times.
    """

    _tall = 1 << 15  # larger than in memory: `fold` reads columns, and may read the source several times

    def sort_by(self, classes, n_classes, n_counts):
        """Do nothing: bits are not kept from one pass to the next."""

    def _map(self, function, group, n_groups, pad=False):
        group, source = by_sample(self._check_group(group, n_groups)), self.levels.source
        apply = partial(self._padded, function, n_groups) if pad else function
        for batch in self._batches(n_groups):
            asked = [np.sort(self.levels.chosen[columns]) for _, columns in batch]
            tables = source.count(asked, [n_levels for n_levels, _ in batch], group, n_groups)
            for (n_levels, columns), some, table in zip(batch, asked, tables, strict=True):
                place = np.searchsorted(some, self.levels.chosen[columns])
                width = self.width(n_levels, n_groups)
                for first in range(0, len(columns), width):
                    part = slice(first, first + width)
                    counts = np.ascontiguousarray(table[:, :, place[part]])  # as a counter in memory lays it out
                    yield columns[part], apply(counts.transpose(0, 2, 1))

    def _batches(self, n_groups):
        """Lists of (n_levels, columns) whose tables fit into an eighth of the memory together."""
        batch, room = [], self.levels.source.memory // 8
        for n_levels, columns in self._bins:
            size = 8 * n_groups * n_levels
            while len(columns):
                n_fit = min(len(columns), room // size)
                if not n_fit and batch:
                    yield batch
                    batch, room = [], self.levels.source.memory // 8
                    continue
                n_fit = max(1, n_fit)
                batch.append((n_levels, columns[:n_fit]))
                columns, room = columns[n_fit:], room - n_fit * size
        if batch:
            yield batch

    def is_tall(self, n_groups):
        """Whether tables are so large that reading columns is better."""
        return n_groups * int(self.levels.n_levels.max()) > self._tall

    def fold(self, add, finish, group, n_groups, unit, columns=None):
        """As in memory, some columns at a time."""
        levels = self.levels
        columns = np.arange(levels.shape[1]) if columns is None else np.asarray(columns)
        groups = in_order(self._check_group(group, n_groups), n_groups)
        width = max(1, levels.source.memory // (8 * levels._size(levels.shape[0])))
        out = None
        for first in range(0, len(columns), width):
            some = columns[first : first + width]
            values = levels.load(some).counter(n_jobs=self.n_jobs).fold(add, finish, groups, n_groups, unit)
            if out is None:
                out = np.empty((*values.shape[:-1], levels.shape[1]), dtype=values.dtype)
            out[..., some] = values
        return out


def add_counts(table, place, codes, n_levels, group, n_groups):
    """Count the rows of one part into a table.

    Parameters
    ----------
    table : array of int64, shape (n_groups, L, b)
        Changed in place.
    place : array of int, shape (some,)
        Where the columns are in the table.
    codes : array of unsigned int, shape (some, m)
    n_levels : int
        Largest number of levels, L.
    group : array of int, shape (m,)
    n_groups : int
    """
    levels = Levels(codes, np.full(len(codes), n_levels))
    for part, counts in levels.counter().blocks(group, n_groups):
        table[:, :, place[part]] += counts.transpose(0, 2, 1)


def _kind(n_levels):
    return np.min_scalar_type(int(n_levels.max()) - 1)
