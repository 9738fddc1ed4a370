"""Counting by bits: AND and population count, 64 samples at a time; the way for few levels and few groups.

Codes are stored as bit planes, ceil(log2 L) rows of bits per feature. For a set S of planes, let N(S) be the samples of
a group whose bits are 1 in all of them: one AND and one population count. A code names the set of its ones, and N(S) is
the sum over the codes that contain S, so the counts of levels follow by subtraction.
"""

from functools import partial
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from fslib.counts.stretches import stretches, take_rows
from fslib.counts.threads import empty, run

_FLAGS = 1 << 21  # flags made at a time while packing: 2 MB
_PIECE = 1 << 16  # samples whose flags are worth a thread
_SCRATCH = 1 << 17  # words compared at a time: 1 MB stays in cache
_SHARED = 4  # times as many with threads, which wait for the interpreter between calls
_BUFFERED = range(64, 1 << 12)  # features for which NumPy buffers a mask, without a gain
_MANY = 1 << 13  # words from which it is worth a call to stop it
_NO_BUFFER = 16  # the smallest size of a buffer


class PackedBlock:
    """Bit planes of some features for the first samples, as many as are kept, and N(S) of all samples.

    Parameters
    ----------
    levels : Levels
    columns : array of int, shape (b,)
        The features, in ascending order.
    n_levels : int
    n_kept : int
        Words of 64 samples to keep; those of other samples are made anew for every count.
    n_threads : int
        How many count at once.
    order : array of int, shape (n,), optional
        Samples in the order of their bits.
    """

    def __init__(self, levels, columns, n_levels, n_kept, n_threads=1, order=None):
        self.levels, self.columns, self.n_levels, self.order = levels, columns, n_levels, order
        self.n_threads = n_threads
        self.planes = empty((n_planes(n_levels), n_kept, len(columns)), np.uint64, n_threads)
        self.scratch = _SCRATCH * (1 if n_threads == 1 else _SHARED)
        self.totals = None  # (L - 1, b), and the planes are filled, once all samples have been counted

    def count(self, groups, words):
        """N(S) of some words of samples; the bits of these are kept if they are among the first ones.

        Parameters
        ----------
        groups : GroupBits
        words : slice
            Which words of 64 samples.

        Returns
        -------
        array of int64, shape (n_groups + 1, L - 1, b)
            Of the groups counted, and last of all samples if ``totals`` is not known.
        """
        n_kept, b = self.planes.shape[1:]
        L, new = self.n_levels, self.totals is None
        out = np.zeros((len(groups.sizes) + 1, L - 1, b), dtype=np.int64)
        if L == 1 or not (new or groups.masks):
            return out
        size = max(3, self.scratch // ((L - 1) * b))
        scratch = _Scratch(L, min(words.stop - words.start, size), b)
        for part, keeps in split_words(words, n_kept):
            packs = new or not keeps
            most = min(size, max(1, _FLAGS // (64 * b))) if packs else size  # the flags stay in cache, too
            for some in stretches(part.stop - part.start, most):
                some = slice(part.start + some.start, part.start + some.stop)
                if packs:
                    planes = self.pack(some)
                    if keeps:
                        self.planes[:, some] = planes
                else:
                    planes = self.planes[:, some]
                scratch.add(out, planes, groups, some.start, new)
        return out

    def pack(self, words):
        """Bit planes (P, words, b) of some words of samples."""
        rows = self._read(slice(64 * words.start, 64 * words.stop))
        out = np.empty((len(self.planes), -(-rows.shape[1] // 64), len(rows)), dtype=np.uint64)
        for p, plane in enumerate(out):
            plane[:] = pack_flags(rows & rows.dtype.type(1 << p))
        return out

    def _read(self, samples):
        """Codes (b, m) of a slice of the samples."""
        codes = self.levels.codes
        if self.order is None:
            return take_rows(codes[:, samples], self.columns)
        some, first, last = self.order[samples], self.columns[0], self.columns[-1]
        if last - first + 1 == len(self.columns):
            return codes[first : last + 1].take(some, axis=1)
        out = np.empty((len(self.columns), len(some)), dtype=codes.dtype)
        for row, j in zip(out, self.columns, strict=True):
            codes[j].take(some, out=row, mode="clip")
        return out

    def tables(self, groups, sets):
        """Counts (n_groups, b, L), of which the feature axis is the fastest, from the N(S) of all samples.

        Parameters
        ----------
        groups : GroupBits
        sets : array of int64, shape (n_groups + 1, L - 1, b)
            What `count` returned, added up over all words: the bits are complete from now on.
        """
        if self.totals is None:
            self.totals = sets[-1].copy()
        n_groups, L = len(groups.sizes), self.n_levels
        out = np.empty((n_groups, L, sets.shape[2]), dtype=np.int64)
        out[:, 1:] = sets[:-1]
        if groups.left_over is not None:
            out[groups.left_over, 1:] = self.totals - out[:, 1:].sum(axis=0)
        for p in range(n_planes(L)):
            for level in range(1, L):
                above = level | 1 << p
                if level < above < L:
                    out[:, level] -= out[:, above]
        out[:, 0] = groups.sizes[:, None] - out[:, 1:].sum(axis=1)
        return out.transpose(0, 2, 1)

    def column(self, j):
        """Codes of feature j, or None: they are read faster from the codes of all features."""
        return None


class GroupBits(NamedTuple):
    """Bits of the groups that are counted, and what the others need."""

    masks: list[tuple[int, int, np.ndarray]]  # a group, the first of its words, and these (words, 1); in parts or whole
    left_over: int | None  # the largest group: what the others leave, if no sample is left out
    sizes: np.ndarray  # (n_groups,)


def n_planes(n_levels):
    """Bits of a code below ``n_levels``."""
    return (n_levels - 1).bit_length()


def split_words(words, n_kept):
    """Parts of a slice of words, as pairs (slice, whether it is among the first ``n_kept``).

    Examples
    --------
    >>> split_words(slice(2, 9), 5)
    [(slice(2, 5, None), True), (slice(5, 9, None), False)]
    """
    between = min(max(n_kept, words.start), words.stop)
    return [(slice(words.start, between), True), (slice(between, words.stop), False)]


def pack_groups(group, n_groups, order=None, cuts=None, n_threads=1):
    """Pack the groups, of which the largest is left to subtraction where that is possible.

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

    Returns
    -------
    GroupBits
    """
    kind = np.min_scalar_type(-n_groups)

    def pack(start, stop):
        first = start // 64
        some = np.full(64 * (-(-stop // 64) - first), -1, dtype=kind)
        place = slice(start - 64 * first, stop - 64 * first)
        some[place] = group[start:stop] if order is None else group.take(order[start:stop])
        flags = ((g, some == g) for g in range(n_groups))
        return [(g, first, pack_flags(flag[None]), size) for g, flag in flags if (size := np.count_nonzero(flag))]

    # Cut after whole words, so that the words of a mask are its own, into parts of which the flags are in cache.
    size = min(_FLAGS, max(_PIECE, -(-len(group) // n_threads)))
    starts = range(0, len(group), 64 * -(-size // 64))
    edges = np.unique([*([0, len(group)] if cuts is None else cuts), *starts]).tolist()
    found = list(chain(*run([partial(pack, *pair) for pair in pairwise(edges)], n_threads)))
    sizes = np.zeros(n_groups, dtype=np.int64)
    for g, *_, size in found:
        sizes[g] += size
    left_over = int(sizes.argmax()) if sizes.sum() == len(group) else None
    return GroupBits([(g, first, mask) for g, first, mask, _ in found if g != left_over], left_over, sizes)


def pack_flags(flags):
    """Pack flags (b, n), 0 or not, into 64-bit words (words, b); any order of the bits will do, if all share it."""
    b, n = flags.shape
    packed = np.packbits(flags, axis=1)
    if n % 64:
        packed = np.concatenate([packed, np.zeros((b, -packed.shape[1] % 8), dtype=np.uint8)], axis=1)
    return packed.view(np.uint64).T


class _Scratch:
    """Memory for one stretch of samples, which stays in cache for all groups."""

    def __init__(self, L, width, b):
        self.sets = np.empty((L - 1, width, b), dtype=np.uint64) if L > 3 else None
        self.both = np.empty((L - 1, width, b), dtype=np.uint64)
        self.ones = np.empty((L - 1, width, b), dtype=np.uint8)
        self._views = {}

    def add(self, out, planes, groups, first, new):
        """Add the N(S) of a stretch that begins with word ``first``."""
        P, width = planes.shape[:2]
        few = len(self.both) <= 3  # up to four levels it is cheaper to mask the planes, and to combine them anew
        sets = planes if few and not new else self._intersections(planes)
        for g, start, mask in groups.masks:
            low, high = max(start, first), min(start + len(mask), first + width)
            if low >= high:
                continue
            mask, some = mask[low - start : high - start], slice(low - first, high - first)
            both = self.both[:, : high - low]
            if few:
                _mask(planes[:, some], mask, both[:P])
                if P < len(both):
                    np.bitwise_and(both[0], both[1], out=both[2])
            else:
                _mask(sets[:, some], mask, both)
            self._add_ones(out[g], both)
        if new:
            self._add_ones(out[-1], sets)

    def _add_ones(self, table, words):
        """Add the numbers of ones in words (L - 1, width, b)."""
        width = words.shape[1]
        if width not in self._views:
            # Three words hold at most 192 ones: their sum still fits a byte, which keeps the additions vectorised.
            ones, third = self.ones[:, :width], width // 3
            thirds = [ones[:, i * third : (i + 1) * third] for i in range(3)]
            self._views[width] = ones, *thirds, ones[:, 3 * third :] if width % 3 else None
        ones, first, second, last, rest = self._views[width]
        wide = np.min_scalar_type(64 * width)
        np.bitwise_count(words, out=ones)
        np.add(first, second, out=first)
        np.add(first, last, out=first)
        table += np.add.reduce(first, axis=1, dtype=wide)
        if rest is not None:
            table += np.add.reduce(rest, axis=1, dtype=wide)

    def _intersections(self, planes):
        """AND of the planes of every set S = 1 ... L - 1; up to three levels these are the planes themselves."""
        if self.sets is None:
            return planes
        sets = self.sets[:, : planes.shape[1]]
        for s in range(1, len(sets) + 1):
            first, others = planes[s.bit_length() - 1], s - (1 << s.bit_length() - 1)
            if others:
                np.bitwise_and(first, sets[others - 1], out=sets[s - 1])
            else:
                sets[s - 1] = first
        return sets


def _mask(words, mask, out):
    """AND of words (..., words, b) and a mask (words, 1)."""
    # NumPy (2.3 and later) copies the mask into a buffer to make its loops longer. That takes as long as the AND
    # itself, and is a gain only where b is short.
    size = np.setbufsize(_NO_BUFFER) if words.size >= _MANY and words.shape[-1] in _BUFFERED else None
    try:
        np.bitwise_and(words, mask, out=out)
    finally:
        if size is not None:
            np.setbufsize(size)
