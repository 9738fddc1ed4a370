"""Bits of large tables, counted by kernels that Numba compiles: the same counts, and threads need not wait.

Numba is optional (the extra ``fast``). Its kernels are compiled once and kept on disk; to load them takes
about half a second, so they are for tables on which they save more.
"""

import sys
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from fslib.counts.bits import PackedBlock, split_words
from fslib.counts.stretches import stretches
from fslib.counts.threads import run, shares

LARGE = 100_000_000
"""Values of X from which kernels are loaded."""

_TYPES = "?bBhHiIlLqQfd"  # of numbers that kernels read, by their characters in NumPy
_PART = 1 << 18  # words packed at a time: 2 MB, still in cache when they are counted
_NO_ORDER = np.empty(0, dtype=np.int32)


def kernels(n_values):
    """Compiled kernels for a table of so many values, or None if it is too small for them or Numba is missing."""
    return load() if n_values >= LARGE else None


@lru_cache(maxsize=1)
def load():
    """Module of the kernels, or None if they cannot be used here."""
    if sys.byteorder != "little":
        return None
    try:
        from fslib.counts import numba_kernels
    except Exception:  # no Numba, a broken one, one for another NumPy, or no folder to keep what is compiled
        return None
    return numba_kernels if numba_kernels.ARE_COMPILED else None


def can_read(X):
    """Whether kernels read the rows of an array."""
    return X.dtype.char in _TYPES and X.dtype.isnative and X.flags.c_contiguous and X.flags.aligned


def find_levels(X, n_threads):
    """Smallest value and number of levels of each column.

    Parameters
    ----------
    X : array, shape (n, d), in C order
    n_threads : int

    Returns
    -------
    low : array, shape (d,)
        Of the dtype of X.
    n_levels : array of int, shape (d,)
        None instead of both if a column has values that are not whole, or more than 16, or leaves some out.
    """
    scan_rows = load().scan_rows

    def scan(rows):
        rows = X[rows]
        low, high, seen = rows[0].copy(), rows[0].copy(), np.zeros(X.shape[1], dtype=np.uint16)
        whole = np.ones(X.shape[1] if X.dtype.kind == "f" else 0, dtype=bool)
        scan_rows(rows, low, high, seen, whole)
        return low, high, seen, whole

    parts = [partial(scan, rows) for rows in shares(len(X), n_threads)]
    low, high, seen, whole = zip(*run(parts, n_threads), strict=True)
    low, high, seen = np.minimum.reduce(low), np.maximum.reduce(high), np.bitwise_or.reduce(seen)
    if not np.logical_and.reduce(whole).all() or not max(abs(float(low.min())), abs(float(high.max()))) < 2.0**62:
        return None
    n_levels = high.astype(np.int64) - low.astype(np.int64) + 1
    return (low, n_levels) if (n_levels <= 16).all() and (np.bitwise_count(seen) == n_levels).all() else None


class CompiledGroups(NamedTuple):
    """Bits of the groups that are counted, and what the others need; see `fslib.counts.bits.GroupBits`."""

    masks: np.ndarray  # words of all masks
    place: np.ndarray  # where each mask begins in them
    begin: np.ndarray  # its first word of samples
    length: np.ndarray  # how many it has
    of_group: np.ndarray  # its group
    left_over: int | None
    sizes: np.ndarray  # (n_groups,)


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
    if n_groups == 1 and leaves_over and not group.any():
        none = np.zeros(0, dtype=np.intp)
        return CompiledGroups(np.zeros(0, dtype=np.uint64), none, none, none, none, 0, np.array([n]))
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


class CompiledBlock(PackedBlock):
    """`PackedBlock` whose words are packed, counted and read by compiled kernels."""

    def count(self, groups, words):
        """N(S) of some words of samples; like `PackedBlock.count`.

        Parameters
        ----------
        groups : CompiledGroups
        words : slice
        """
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

    def level_groups(self, place, n_levels, classes):
        """Pack groups of level and class, numbered level * K + class.

        Parameters
        ----------
        place : int
            Of the feature whose levels are meant.
        n_levels : int
        classes : CompiledGroups
            None of them left over.

        Returns
        -------
        CompiledGroups
        """
        K, m = len(classes.sizes), len(classes.place)
        length = np.repeat(classes.length, n_levels)
        end = np.cumsum(length)
        to = (end - length).reshape(m, n_levels)
        masks = np.empty(end[-1], dtype=np.uint64)
        parts = shares(self.levels.shape[0], self.n_threads)
        sizes = np.zeros((len(parts), n_levels, K), dtype=np.int64)
        pack = partial(load().pack_levels, self.planes, place, n_levels, *classes[:5], to)
        words = [(share.start // 64, -(-share.stop // 64)) for share in parts]
        list(run([partial(pack, *some, masks, size) for some, size in zip(words, sizes, strict=True)], self.n_threads))
        sizes = sizes.sum(axis=0).ravel()
        of_group = (np.arange(n_levels) * K + classes.of_group[:, None]).ravel()
        left_over = int(sizes.argmax())
        some = (of_group != left_over) & (sizes[of_group] > 0)
        begin = np.repeat(classes.begin, n_levels)
        return CompiledGroups(masks, to.ravel()[some], begin[some], length[some], of_group[some], left_over, sizes)
