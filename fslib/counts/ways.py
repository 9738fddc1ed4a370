"""Which way to count is the cheapest, and what is kept from one count to the next."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from fslib.counts import compiled_bits
from fslib.counts.bits import PackedBlock, n_planes, pack_groups
from fslib.counts.entries import count_entries, dense_entries, entry_slots, sparse_entries
from fslib.counts.kernels import TOGETHER, count_keys
from fslib.counts.mixed import Mixes
from fslib.counts.sorted_groups import SortedGroups, index_type
from fslib.counts.stretches import split, stretches, take_rows
from fslib.counts.tall import count_sorted

PACKED_LEVELS = 16  # beyond, bits take many words per sample
PACKED_TABLE = 80  # sets of bits per feature, levels times groups, above which one pass over the samples is cheaper
SORTED_TABLE = 48  # the same for so few levels that the other way is to sort the samples
COMPILED = 5  # times as many, if sets are counted by compiled kernels
MASKS = 128  # groups, each with a bit per sample, at most
SORTING = 40  # sets of bits per feature that take as long to count as reading the codes in another order
STRATUM = 1 << 8  # samples of a stratum, on average, from which its groups take less time than a call
ENTRY_SHARE = 0.06  # share of samples off the reference level below which only they are visited
FEW_LEVELS = 4  # so few that sorting the samples by group is faster than a key per sample, however many samples
FEW_SAMPLES = 1 << 12  # so few that it is up to 16 levels, since a call per feature costs more than its work
ENTRY_CELLS = 1 / 16  # cells per sample beyond which tables of features counted by entries cost more than they save
CACHE = 96_000_000  # bytes of bits, or of slots of entries, kept from one call to the next; the rest is made anew
_WIDTH = 256  # features per block of bits at least, so that additions run along a long axis
_WIDEST = 1 << 15  # and at most, for the tables of a block
_SCRATCH = 1 << 20  # words of bits per block at small n: 8 MB, of which a stretch at a time is in cache
_TABLE = 1 << 17  # cells of counts per block: 1 MB


class Task(NamedTuple):
    """How a block of features is counted: the results of the pieces add up to what ``finish`` makes counts of."""

    columns: np.ndarray
    pieces: list[Callable]
    finish: Callable


class Ways:
    """Chooses how features are counted, and keeps bits, entries and mixed codes.

    Parameters
    ----------
    levels : Levels
    n_threads : int

    Attributes
    ----------
    bins : list of (int, array of int)
        Features by number of levels, and the largest of these; beyond 16 by its magnitude, so that no feature is padded
        more than twofold.
    """

    def __init__(self, levels, n_threads=1):
        self.levels, self.n_threads = levels, n_threads
        n_levels = levels.n_levels
        size = np.where(n_levels <= PACKED_LEVELS, n_levels, PACKED_LEVELS + np.ceil(np.log2(n_levels)))
        members = [np.flatnonzero(size == s) for s in np.unique(size)]
        self.bins = [(int(n_levels[columns].max()), columns) for columns in members]
        self.references = {}
        self.order, self.cuts, self.n_strata = None, None, 1
        self.forget()

    def forget(self):
        """Free what was kept."""
        self.forget_bits()
        self._mixes = None

    def forget_bits(self):
        """Free bits and entries."""
        self.packed, self.entries, self.slots = {}, {}, {}
        self._classes, self._class_bits = None, None
        self.free = self._room() - (0 if self.order is None else self.order.nbytes)

    def _room(self):
        return CACHE + self.levels.n_bytes_spared

    def sort_by(self, strata, n_strata, n_counts):
        """Keep bits in the order of strata, if so many counts follow whose groups lie within one of these each."""
        n, L = len(strata), self.levels.n_levels.mean()
        n_sets = n_counts * (L - 1) * L * (n_strata - 1)  # that need not be counted
        planes = sum(len(columns) * n_planes(size) for size, columns in self.bins if size <= PACKED_LEVELS)
        # Bits that are not kept would be made from codes in another order for every count.
        if n < STRATUM * n_strata or n_sets <= SORTING or not 0 < 8 * self._n_words() * planes <= self._room() - 4 * n:
            return
        members = [np.flatnonzero(strata == s).astype(index_type(n)) for s in range(n_strata)]
        self.order, self.cuts = np.concatenate(members), np.cumsum([0, *map(len, members)])
        self.n_strata = n_strata
        self.forget_bits()

    @property
    def mixes(self):
        """Mixed codes of all features; in parts, for threads, if there are many samples."""
        if self._mixes is None:
            n_parts = self.n_threads if self.levels.shape[0] > FEW_SAMPLES else 1
            self._mixes = Mixes(self.levels, self.bins, n_parts, sum(b.planes.nbytes for b in self.packed.values()))
        return self._mixes

    def sorts(self, n_levels):
        """Whether sorting the samples by group is the way to count features of so many levels in many groups."""
        return self._sorts(n_levels, self.levels.X is not None or self.levels.shape[0] <= FEW_SAMPLES)

    def is_alone(self, n_levels, n_groups):
        """Whether a feature of so many levels has a block of its own, or would have one without compiled kernels."""
        sorts = self._sorts(n_levels, self.levels.shape[0] <= FEW_SAMPLES)
        return self.width(n_levels, n_groups) == 1 and not sorts

    def _sorts(self, n_levels, is_faster):
        """Whether to sort: up to 16 levels where it is faster than keys, which need codes; otherwise up to 4."""
        return n_levels <= (PACKED_LEVELS if is_faster else FEW_LEVELS) and not self.levels.is_sparse

    def has_entries(self, n_groups):
        """Whether there are features that entries are the way to count."""
        return any(self._by_entries(n_levels, columns, n_groups).any() for n_levels, columns in self.bins)

    def is_packed(self, n_levels, n_groups):
        """Whether features of so many levels are counted by bits."""
        if n_levels > PACKED_LEVELS or self.levels.is_sparse:
            return False
        in_stratum = -(-n_groups // self.n_strata)
        most = SORTED_TABLE if n_levels <= FEW_LEVELS else PACKED_TABLE
        most *= 1 if self.levels.kernels is None else COMPILED
        n_masks = n_groups if self.levels.kernels is None else in_stratum
        return n_masks <= MASKS and max(1, n_levels - 1) * in_stratum <= most

    def column(self, j):
        """Codes of feature j as a dense array of the smallest signed type, from its bits if there are some."""
        for block in self.packed.values():
            codes = block.column(j)
            if codes is not None:
                return codes
        return self.levels.column(j)

    def width(self, n_levels, n_groups):
        """Features of so many levels in a block."""
        if self.is_packed(n_levels, n_groups):
            return min(max(_SCRATCH // max(1, self._n_words() * (n_levels - 1)), _WIDTH), _WIDEST)
        # A power of two: blocks then serve for similar numbers of groups.
        return 1 << max(0, int(np.log2(_TABLE / (n_groups * n_levels))))

    def tasks(self, group, n_groups, n_pieces):
        """List the blocks, counted in the cheapest way.

        Parameters
        ----------
        group : array of int, shape (n,)
        n_groups : int
        n_pieces : int
            Into how many pieces the samples may be cut.

        Returns
        -------
        list of Task
            Every feature comes once.
        """
        tasks, group_bits, groups = [], None, None
        for n_levels, columns in self.bins:
            width = self.width(n_levels, n_groups)
            if self.is_packed(n_levels, n_groups):
                group_bits = group_bits or self._pack_groups(group, n_groups)
                tasks += [self._by_bits(part, n_levels, group_bits, n_pieces) for part in split(columns, width)]
                continue
            rare = self._by_entries(n_levels, columns, n_groups)
            dense, rare = columns[~rare], columns[rare]
            if len(dense) and self.sorts(n_levels):
                groups = SortedGroups.of(group, n_groups) if groups is None else groups
                tasks += self._by_sorting(dense, groups, width)
            else:
                # Shared out by features: pieces of the samples would each add up joint tables of all features.
                width_of_keys = min(width, max(TOGETHER, -(-len(dense) // n_pieces)))
                tasks += [self._by_keys(part, n_levels, group, n_groups) for part in split(dense, width_of_keys)]
            if len(rare):
                entries = self._find_entries(n_levels, columns)
            for first in range(0, len(rare), width):
                part = rare[first : first + width]
                count = partial(self._count_block, entries, first, len(part), n_levels, group, n_groups)
                tasks.append(Task(part, [count], _same))
        return tasks

    def level_groups(self, j, classes, n_classes):
        """Groups of level of feature j and class, numbered level * K + class: an array (n,), or their bits.

        Parameters
        ----------
        j : int
        classes : array of int, shape (n,)
            Codes below ``n_classes``.
        n_classes : int
        """
        n_levels = int(self.levels.n_levels[j])
        n_groups = n_levels * n_classes
        if self.levels.kernels is not None and all(self.is_packed(size, n_groups) for size, _ in self.bins):
            for block in self.packed.values():
                place = block.place(j)
                if place is not None:
                    if self._classes is not classes:
                        bits = partial(
                            compiled_bits.pack_groups, classes, n_classes, self.order, self.cuts, self.n_threads
                        )
                        self._classes, self._class_bits = classes, bits(leaves_over=False)
                    return compiled_bits.LevelGroups(block.planes, place, n_levels, self._class_bits)
        group = np.multiply(self.column(j), n_classes, dtype=np.min_scalar_type(-n_groups))
        group += classes
        return group

    def _pack_groups(self, group, n_groups):
        if isinstance(group, compiled_bits.LevelGroups):
            return group
        pack = pack_groups if self.levels.kernels is None else compiled_bits.pack_groups
        return pack(group, n_groups, self.order, self.cuts, self.n_threads)

    def _n_words(self):
        return -(-self.levels.shape[0] // 64)

    def _by_bits(self, columns, n_levels, group_bits, n_pieces):
        """Those bits of the first samples, as many as there is room for, are kept."""
        key, n_words = (n_levels, columns[0]), self._n_words()
        if key not in self.packed:
            n_kept = min(n_words, self.free // (8 * len(columns) * max(1, n_planes(n_levels))))
            kind = PackedBlock if self.levels.kernels is None else compiled_bits.CompiledBlock
            self.packed[key] = kind(self.levels, columns, n_levels, n_kept, self.n_threads, self.order)
            self.free -= self.packed[key].planes.nbytes
        block = self.packed[key]
        pieces = [partial(block.count, group_bits, words) for words in _pieces(n_words, n_pieces)]
        return Task(columns, pieces, partial(block.tables, group_bits))

    def _by_keys(self, columns, n_levels, group, n_groups):
        return Task(columns, [partial(count_keys, self.levels.codes, columns, n_levels, group, n_groups)], _same)

    def _by_sorting(self, columns, groups, width):
        wanted = np.zeros(self.levels.shape[1], dtype=bool)
        wanted[columns] = True
        return [
            Task(part[some], [partial(self._count_sorted, i, some, groups)], _same)
            for i, part in enumerate(self.mixes.parts)
            for some in split(np.flatnonzero(wanted[part]), max(8, min(width, -(-len(part) // self.n_threads))))
        ]

    def _count_sorted(self, i, some, groups):
        return count_sorted(self.mixes.part(i), some, groups)

    def _by_entries(self, n_levels, columns, n_groups):
        """Which of the features are counted by entries: all sparse ones, and rare ones if tables are small."""
        if self.levels.is_sparse:
            return np.ones(len(columns), dtype=bool)
        if self.levels.X is not None:  # to find entries takes codes
            return np.zeros(len(columns), dtype=bool)
        if self.sorts(n_levels) and n_groups * n_levels > ENTRY_CELLS * self.levels.shape[0]:
            return np.zeros(len(columns), dtype=bool)
        return self._references(n_levels, columns)[1] < ENTRY_SHARE * self.levels.shape[0]

    def _references(self, n_levels, columns):
        """Reference level of each feature, and how many samples do not have it; found once."""
        if n_levels not in self.references:
            n = self.levels.shape[0]
            everyone = np.zeros(n, dtype=np.int8)
            if self.is_packed(n_levels, 1):
                bits = self._pack_groups(everyone, 1)
                tasks = [self._by_bits(part, n_levels, bits, 1) for part in split(columns, self.width(n_levels, 1))]
            else:
                tasks = [self._by_keys(part, n_levels, everyone, 1) for part in split(columns, _WIDTH)]
            counts = np.concatenate([task.finish(task.pieces[0]())[0] for task in tasks])
            self.references[n_levels] = counts.argmax(axis=1), n - counts.max(axis=1)
        return self.references[n_levels]

    def _find_entries(self, n_levels, columns):
        """Entries of the sparse or rare ones among the features; found once."""
        if n_levels not in self.entries:
            codes = self.levels.codes
            if self.levels.is_sparse:
                self.entries[n_levels] = sparse_entries(take_rows(codes, columns))
            else:
                reference, n_off = self._references(n_levels, columns)
                rare = n_off < ENTRY_SHARE * codes.shape[1]
                self.entries[n_levels] = dense_entries(codes, columns[rare], reference[rare])
        return self.entries[n_levels]

    def _count_block(self, entries, first, width, n_levels, group, n_groups):
        """Count some features by entries; where these count is kept while there is room and the width stays."""
        block = entries.block(first, first + width)
        key = n_levels, first
        slot, kept = self.slots.get(key, (None, None))
        if kept != width:
            if slot is not None:
                self.free += slot.nbytes
                del self.slots[key]
            slot = entry_slots(block)
            if slot.nbytes <= self.free:
                self.free -= slot.nbytes
                self.slots[key] = slot, width
        return count_entries(block, slot, n_levels, group, n_groups)


def _pieces(n, n_pieces):
    """Slices of about the same length that cover n; one, if n is 0."""
    return list(stretches(n, max(1, -(-n // n_pieces)))) or [slice(0, 0)]


def _same(counts):
    return counts
