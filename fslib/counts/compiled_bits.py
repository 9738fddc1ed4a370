"""Bits of large tables, counted by compiled kernels: the same counts as NumPy's, and threads need not wait."""

from functools import partial
from typing import NamedTuple

import numpy as np

from fslib.counts.bits import PackedBlock, pack_flags, split_words
from fslib.counts.compiled import load
from fslib.counts.stretches import stretches
from fslib.counts.threads import run, shares

_PART = 1 << 18  # words packed at a time: 2 MB, still in cache when they are counted
_NO_ORDER = np.empty(0, dtype=np.int32)


class CompiledGroups(NamedTuple):
    """Bits of the groups that are counted, and what the others need; see `fslib.counts.bits.GroupBits`."""

    masks: np.ndarray  # words of all masks
    place: np.ndarray  # where each mask begins in them
    begin: np.ndarray  # its first word of samples
    length: np.ndarray  # how many it has
    of_group: np.ndarray  # its group
    left_over: int | None
    sizes: np.ndarray  # (n_groups,)

    def of(self, words):
        """Bits of some words (slice): all are here."""
        return self


def pack_groups(group, n_groups, order=None, cuts=None, n_threads=1, *, leaves_over=True):
    """Pack the groups, of which the largest is left to subtraction where that is possible; like `bits.pack_groups`.

    Parameters
    ----------
    group : array of int, shape (n,)
        Group of each sample, below ``n_groups``; -1 is none.
    n_groups : int
    order : array of int, shape (n,), optional
        Samples in the order of their bits.
    cuts : array of int, optional
        Positions in this order, from 0 to n: a group gets words only between those of them where it has samples.
    n_threads : int
    leaves_over : bool
        Whether the largest may be left out.

    Returns
    -------
    CompiledGroups
    """
    n, kernels = len(group), load()
    if n_groups == 1 and (leaves_over or cuts is None or len(cuts) == 2) and not group.any():
        return _one_group(n, leaves_over)
    order = _NO_ORDER if order is None else order
    cuts = np.array([0, n] if cuts is None else cuts)
    # Parts of the samples, cut after whole words so that no two threads write the same one.
    edges = np.unique([*cuts, *(share.start for share in shares(n, n_threads))])
    owner = np.searchsorted(cuts, edges[:-1], side="right") - 1
    parts = list(zip(owner.tolist(), edges[:-1].tolist(), edges[1:].tolist(), strict=True))
    counts = run([partial(kernels.count_groups, group, order, *part[1:], n_groups) for part in parts], n_threads)
    sizes = np.zeros((len(cuts) - 1, n_groups), dtype=np.int64)
    np.add.at(sizes, owner, list(counts))
    in_all = sizes.sum(axis=0)
    left_over = int(in_all.argmax()) if leaves_over and in_all.sum() == n else None
    stratum, of_group = np.nonzero(np.where(np.arange(n_groups) == left_over, 0, sizes))
    begin = cuts[:-1] // 64
    length = -(-cuts[1:] // 64) - begin
    end = np.cumsum(length[stratum])
    place = np.full(sizes.shape, -1)  # of its mask, for a stratum and a group
    place[stratum, of_group] = end - length[stratum]
    masks = np.zeros(end[-1] if len(end) else 0, dtype=np.uint64)
    pack = [partial(kernels.pack_groups, group, order, a, b, begin[s], place[s], masks) for s, a, b in parts]
    list(run(pack, n_threads))
    place = place[stratum, of_group]
    return CompiledGroups(masks, place, begin[stratum], length[stratum], of_group, left_over, in_all)


def _one_group(n, leaves_over):
    """`CompiledGroups` of all samples as one group."""
    masks = pack_flags(np.ones((1, 0 if leaves_over else n), dtype=bool)).ravel()
    which = np.zeros(min(1, len(masks)), dtype=np.intp)
    return CompiledGroups(masks, which, which, which + len(masks), which, 0 if leaves_over else None, np.array([n]))


class LevelGroups:
    """Groups of level and class, numbered level * K + class, whose bits are packed where they are counted.

    Parameters
    ----------
    planes : array of uint64, shape (P, words, b)
        Bits of all samples.
    place : int
        Of the feature whose levels are meant.
    n_levels : int
    classes : CompiledGroups
        None of them left over, no sample left out.
    """

    def __init__(self, planes, place, n_levels, classes):
        self.planes, self.place, self.n_levels, self.classes = planes, place, n_levels, classes
        # Any group may be; one of level 0, of the class with the most words, since it takes longest to count.
        n_words = np.bincount(classes.of_group, classes.length, minlength=len(classes.sizes))
        self.left_over = int(n_words.argmax())
        self._sizes = {}  # by the words that were packed; each block of features packs them, and finds the same

    @property
    def sizes(self):
        """Samples of each group, once all words have been packed."""
        return sum(self._sizes.values())

    def of(self, words):
        """`CompiledGroups` of some words (slice)."""
        masks, place, begin, length, of_class = self.classes[:5]
        n_before = np.maximum(words.start - begin, 0)
        end = np.minimum(begin + length, words.stop)
        place, begin = place + n_before, begin + n_before
        length = end - begin
        some = length > 0
        place, begin, length, of_class = place[some], begin[some], length[some], of_class[some]
        lengths = np.repeat(length, self.n_levels)
        end = np.cumsum(lengths)
        to = end - lengths
        out = np.empty(lengths.sum(), dtype=np.uint64)
        sizes = np.zeros((self.n_levels, len(self.classes.sizes)), dtype=np.int64)
        which = masks, place, begin, length, of_class, to.reshape(-1, self.n_levels)
        load().pack_levels(self.planes, self.place, self.n_levels, *which, out, sizes)
        self._sizes[words.start] = sizes = sizes.ravel()
        of_group = (np.arange(self.n_levels) * len(self.classes.sizes) + of_class[:, None]).ravel()
        some = (of_group != self.left_over) & (sizes[of_group] > 0)
        begin = np.repeat(begin, self.n_levels)
        return CompiledGroups(out, to[some], begin[some], lengths[some], of_group[some], self.left_over, sizes)


class CompiledBlock(PackedBlock):
    """`PackedBlock` whose words are packed, counted and read by compiled kernels."""

    def count(self, groups, words):
        """N(S) of some words of samples; like `PackedBlock.count`.

        Parameters
        ----------
        groups : CompiledGroups or LevelGroups
        words : slice
        """
        groups = groups.of(words)
        (P, n_kept, b), new = self.planes.shape, self.totals is None
        out = np.zeros((len(groups.sizes) + 1, self.n_levels - 1, b), dtype=np.int64)
        if self.n_levels == 1 or not (new or len(groups.masks)):
            return out
        count_sets, most = load().count_sets, max(1, _PART // (P * b))
        for part, is_kept in split_words(words, n_kept):
            packs = new or not is_kept
            scratch = None if is_kept or part.start == part.stop else np.empty((P, most, b), dtype=np.uint64)
            for some in stretches(part.stop - part.start, most if packs else max(1, part.stop - part.start)):
                first, n_words = part.start + some.start, some.stop - some.start
                planes, start = (self.planes, first) if is_kept else (scratch, 0)
                if packs:
                    self._pack(first, n_words, planes, start)
                count_sets(planes, start, n_words, first, *groups[:5], new, out)
        return out

    def _pack(self, first, n_words, planes, start):
        """Pack words of samples, from ``first`` on, into planes from word ``start`` on."""
        if self.levels.X is None:
            planes[:, start : start + n_words] = self.pack(slice(first, first + n_words))
            return
        order = _NO_ORDER if self.order is None else self.order
        load().pack_rows(*self.levels.rows(self.columns), order, first, n_words, planes, start)

    def place(self, j):
        """Place of feature j, None if it is not here or its bits are not kept."""
        place = int(np.searchsorted(self.columns, j))
        is_kept = self.totals is not None and 64 * self.planes.shape[1] >= self.levels.shape[0]
        return place if is_kept and place < len(self.columns) and self.columns[place] == j else None

    def column(self, j):
        """Codes of feature j, if it has a place; None otherwise."""
        place, n = self.place(j), self.levels.shape[0]
        if place is None:
            return None
        codes = np.empty(n, dtype=np.min_scalar_type(-int(self.levels.n_levels[j])))
        order = _NO_ORDER if self.order is None else self.order
        read = partial(load().read_column, self.planes, place, order, codes)
        list(run([partial(read, part.start, part.stop) for part in shares(n, self.n_threads)], self.n_threads))
        return codes
