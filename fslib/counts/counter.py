"""Counts of (feature, level) within groups of samples: the one primitive under every discrete criterion.

With ``group = class`` it gives the univariate tables, with ``group = (level of a chosen feature, class)`` the pairwise
tables, with ``group = (cell of the chosen features, class)`` the tables of exact greedy search.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
from joblib import effective_n_jobs

from fslib.counts.entries import count_entries, dense_entries, entry_slots, reference_levels, sparse_entries
from fslib.counts.information import mutual_information, xlogx
from fslib.counts.kernels import count_keys, count_packed, pack_columns, pack_groups
from fslib.counts.tall import SortedGroups, fold_tables

__all__ = ["LevelCounter", "mutual_information", "padded", "xlogx"]

PACKED_LEVELS = 16  # bits of up to 15 levels take no more room than two bytes per sample
PACKED_TABLE = 48  # bit rows per feature, levels times groups, above which one pass over the samples is cheaper
ENTRY_SHARE = 0.06  # share of samples off the reference level below which only they are visited
CACHE = 96_000_000  # bytes of bits, or of slots of entries, kept from one call to the next; the rest is made anew
_WIDTH = 64  # features per block of bits at least, so that additions run along a long axis
_SCRATCH = 1 << 17  # words of bits per block at small n: 1 MB
_TABLE = 1 << 17  # cells of counts per block: 1 MB
_TALL = 1 << 15  # cells of counts per feature above which samples are sorted by group


class LevelCounter:
    """Counts how often each level of each feature occurs within groups of samples.

    Parameters
    ----------
    levels : Levels
        Encoded data, dense or sparse.
    n_jobs : int or None
        Threads; joblib's meaning. The counts are integers, so they do not depend on it.

    Notes
    -----
    The way to count is chosen by cost, see `fslib.counts.kernels`: few groups n G (L - 1) d / 64 word operations, many
    groups n d, or the number of entries if X is sparse or nearly so; `fold` n d and a sort, whatever the groups. Peak
    memory beyond ``levels``: the packed bits, n (L - 1) d / 8 bytes (features with at most 16 levels), or 4 bytes per
    entry, both up to ``CACHE``; the entries of dense features off their most frequent level, 5 bytes each and at most a
    third of the codes; and some MB per thread. Features with equally many levels are counted together, so that one
    feature with a thousand levels does not widen the tables of the others.

    Examples
    --------
    >>> from fslib.counts.levels import encode_levels
    >>> X = np.array([[0, 1], [1, 1], [1, 2], [0, 1]])
    >>> y = np.array([0, 0, 1, 1])
    >>> counter = LevelCounter(encode_levels(X))
    >>> counter.count(y, 2)[1]          # class 1: feature 0 has one 0 and one 1; feature 1 one 1 and one 2
    array([[1, 1],
           [1, 1]])
    >>> counter.score(mutual_information, y, 2).round(3)
    array([0.   , 0.216])
    """

    def __init__(self, levels, *, n_jobs=None):
        self.levels = levels
        self.n_jobs = effective_n_jobs(n_jobs)
        self.forget()
        # Features by number of levels; beyond 16, by its magnitude, so that no feature is padded more than twofold.
        n_levels = levels.n_levels
        size = np.where(n_levels <= PACKED_LEVELS, n_levels, PACKED_LEVELS + np.ceil(np.log2(n_levels)))
        members = [np.flatnonzero(size == s) for s in np.unique(size)]
        self._bins = [(int(n_levels[columns].max()), columns) for columns in members]

    def blocks(self, group, n_groups):
        """Count block of features by block of features, in bounded memory.

        Parameters
        ----------
        group : array of int, shape (n,)
            Group of each sample, below ``n_groups``; -1 leaves the sample out.
        n_groups : int

        Yields
        ------
        columns : array of int, shape (b,)
            The features of this block; every feature comes once.
        counts : array of int64, shape (n_groups, b, L)
            ``counts[g, j, l]`` samples of group g have level l of feature ``columns[j]``; L is the largest number of
            levels in the block. The feature axis is the fastest in memory.
        """
        yield from self._map(lambda counts: counts, group, n_groups)

    def score(self, function, group, n_groups):
        """Apply a function of the tables to every feature, in bounded memory and with threads.

        Parameters
        ----------
        function : callable
            Takes counts (n_groups, b, L), returns an array (..., b).
        group : array of int, shape (n,)
            Group of each sample, below ``n_groups``; -1 leaves the sample out.
        n_groups : int

        Returns
        -------
        array of shape (..., d)
        """
        return self._gather(self._map(function, group, n_groups, pad=True))

    def _gather(self, blocks):
        """Put blocks of values (..., b) together."""
        out = None
        for columns, values in blocks:
            if out is None:
                out = np.empty((*values.shape[:-1], self.levels.shape[1]), dtype=values.dtype)
            out[..., columns] = values
        return out

    def count(self, group, n_groups, columns=None):
        """Count into one array; levels that a feature does not have are counted as 0.

        Parameters
        ----------
        group : array of int, shape (n,)
            Group of each sample, below ``n_groups``; -1 leaves the sample out.
        n_groups : int
        columns : array of int or None
            The features wanted, by default all.

        Returns
        -------
        array of int64, shape (n_groups, d, L)
            With L the largest number of levels of any feature wanted.
        """
        levels = self.levels
        if columns is not None:
            return LevelCounter(levels.columns(columns), n_jobs=self.n_jobs).count(group, n_groups)
        out = np.zeros((n_groups, levels.shape[1], int(levels.n_levels.max())), dtype=np.int64)
        for block, counts in self.blocks(group, n_groups):
            out[:, block, : counts.shape[2]] = counts
        return out

    def is_packed(self, n_levels, n_groups):
        """Whether features of so many levels are counted by bits."""
        few = n_levels <= PACKED_LEVELS and max(1, n_levels - 1) * n_groups <= PACKED_TABLE
        return few and not self.levels.is_sparse

    def width(self, n_levels, n_groups):
        """Features of so many levels in a block."""
        if self.is_packed(n_levels, n_groups):
            return self._packed_width(n_levels)
        return _table_width(n_groups, n_levels)

    def is_tall(self, n_groups):
        """Whether a table of some features is too large for the cache, so that `fold` is faster than `score`."""
        return not self.levels.is_sparse and n_groups * int(self.levels.n_levels.max()) > _TALL

    def fold(self, add, finish, group, n_groups, unit, columns=None):
        """Apply a function that adds up over groups to every feature, without a table of all groups.

        Parameters
        ----------
        add : callable
            Takes what it returned last (first None) and counts (g, b, L) of the next g groups.
        finish : callable
            Takes what ``add`` returned last, returns an array (..., b).
        group : array of int, shape (n,)
            Group of each sample, below ``n_groups``; -1 leaves the sample out.
        n_groups : int
        unit : int
            Groups that must stay together; ``n_groups`` is a multiple.
        columns : array of int or None
            The features wanted, by default all; the values of others are not set.

        Returns
        -------
        array of shape (..., d)
        """
        wanted = np.zeros(self.levels.shape[1], dtype=bool)
        wanted[slice(None) if columns is None else columns] = True
        groups = SortedGroups(self._check_group(group, n_groups), n_groups)

        def fold(part, n_levels):
            rows = _rows(self.levels.codes, part if len(part) > 1 else np.repeat(part, 2))  # see `_map`
            return finish(fold_tables(rows, n_levels, groups, unit, add))[..., : len(part)]

        tasks = [
            (part, partial(fold, part, n_levels))
            for n_levels, members in self._bins
            for part in _split(members[wanted[members]], groups.width())
        ]
        return self._gather(self._run(lambda values: values, tasks))

    def forget(self):
        """Free what was kept from one call to the next."""
        self._packed, self._entries, self._slots, self._free = {}, {}, {}, CACHE

    def _check_group(self, group, n_groups):
        group = np.asarray(group)
        n = self.levels.shape[0]
        if group.shape != (n,) or group.dtype.kind not in "iu":
            raise ValueError(f"group must hold one integer per sample ({n}), got {group.dtype} {group.shape}.")
        if n and not -1 <= group.min() <= group.max() < n_groups:
            raise ValueError(f"group codes must lie between -1 and {n_groups - 1}.")
        return group

    def _map(self, function, group, n_groups, pad=False):
        """Yield (columns, function(counts)) for every block.

        With ``pad`` the value of a feature does not depend on the features that are counted with it, to the last bit:
        NumPy adds up a feature by itself in another order.
        """
        tasks = list(self._tasks(self._check_group(group, n_groups), n_groups))
        if pad:
            tasks = [(part, partial(self._apply, function, n_groups, part, count)) for part, count in tasks]
            function = lambda values: values
        yield from self._run(function, tasks)

    def _apply(self, function, n_groups, columns, count):
        counts = count()
        if len(columns) > 1:
            return function(counts)
        n_levels = next(L for L, members in self._bins if columns[0] in members)
        width = self.width(n_levels, n_groups)
        return function(counts) if self._is_alone(columns[0], n_levels, width) else padded(function, counts)

    def _is_alone(self, column, n_levels, width):
        """Whether a feature is a block of its own in the order of its bin."""
        members = next(members for L, members in self._bins if L == n_levels and column in members)
        return width == 1 or (len(members) % width == 1 and members[-1] == column)

    def _run(self, function, tasks):
        """Yield (columns, function(result)) for every task, with threads."""
        run = lambda task: (task[0], function(task[1]()))
        if self.n_jobs == 1 or len(tasks) == 1:
            yield from map(run, tasks)
        else:
            with ThreadPoolExecutor(self.n_jobs) as pool:
                yield from pool.map(run, tasks)

    def _tasks(self, group, n_groups):
        """Yield (columns, function that counts them), with the cheapest way to count."""
        group_bits = None
        codes = self.levels.codes
        for n_levels, columns in self._bins:
            if self.is_packed(n_levels, n_groups):
                group_bits = group_bits or pack_groups(group, n_groups)
                for part in _split(columns, self._packed_width(n_levels)):
                    yield part, partial(self._count_bits, part, n_levels, group_bits)
                continue
            width = _table_width(n_groups, n_levels)
            dense, rare, entries = self._find_entries(n_levels, columns)
            for part in _split(dense, width):
                yield part, partial(count_keys, _rows(codes, part), n_levels, group, n_groups)
            for first in range(0, len(rare), width):
                part = rare[first : first + width]
                yield part, partial(self._count_block, entries, first, len(part), n_levels, group, n_groups)

    def _packed_width(self, n_levels):
        words = -(-self.levels.shape[0] // 64)
        return max(_WIDTH, _SCRATCH // max(1, words * (n_levels - 1)))

    def _count_bits(self, columns, n_levels, group_bits):
        """Count by bits; those of the first samples, as many as there is room for, are kept."""
        key, rows = (n_levels, columns[0]), _rows(self.levels.codes, columns)
        block = self._packed.get(key)
        if block is None:
            n_words = self._free // (8 * len(columns) * max(1, n_levels - 1))
            block = pack_columns(rows[:, : 64 * n_words], n_levels)
            self._free = max(0, self._free - block.bits.nbytes)
            self._packed[key] = block
        return count_packed(block, rows, n_levels, group_bits)

    def _find_entries(self, n_levels, columns):
        """Which of the features are counted sample by sample, which by entries, and those; decided once."""
        if n_levels not in self._entries:
            codes = self.levels.codes
            if self.levels.is_sparse:
                self._entries[n_levels] = columns[:0], columns, sparse_entries(_rows(codes, columns))
            else:
                parts = [reference_levels(_rows(codes, part), n_levels) for part in _split(columns, _WIDTH)]
                reference, n_off = (np.concatenate(values) for values in zip(*parts, strict=True))
                rare = n_off < ENTRY_SHARE * codes.shape[1]
                entries = dense_entries(codes, columns[rare], reference[rare]) if rare.any() else None
                self._entries[n_levels] = columns[~rare], columns[rare], entries
        return self._entries[n_levels]

    def _count_block(self, entries, first, width, n_levels, group, n_groups):
        """Count some features by entries; where these count is kept while there is room and the width stays."""
        block = entries.block(first, first + width)
        key = n_levels, first
        slot, kept = self._slots.get(key, (None, None))
        if kept != width:
            if slot is not None:
                self._free += slot.nbytes
                del self._slots[key]
            slot = entry_slots(block)
            if slot.nbytes <= self._free:
                self._free -= slot.nbytes
                self._slots[key] = slot, width
        return count_entries(block, slot, n_levels, group, n_groups)


def padded(function, counts):
    """Value of a table function for one feature, computed as that of one among several."""
    twice = np.repeat(counts.transpose(0, 2, 1), 2, axis=2).transpose(0, 2, 1)
    return function(twice)[..., :1]


def _table_width(n_groups, n_levels):
    """Features whose tables are counted together, a power of two: blocks then serve for similar numbers of groups."""
    return 1 << max(0, int(np.log2(_TABLE / (n_groups * n_levels))))


def _split(columns, width):
    width = max(1, width)
    return [columns[start : start + width] for start in range(0, len(columns), width)]


def _rows(codes, columns):
    """Rows of codes; a view if they are consecutive."""
    first, last = columns[0], columns[-1]
    return codes[first : last + 1] if last - first + 1 == len(columns) else codes[columns]
