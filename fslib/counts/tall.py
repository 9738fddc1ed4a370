"""Counting within many groups: sort the samples by group, count a stretch of groups at a time.

Up to 16 levels, the codes of several features form one byte, and each byte stands for a row of counters, one byte per
feature and level, of which one per feature is 1. Adding up the rows of a group counts all its features at once: a
product of a sparse matrix, groups by samples, and the rows. No counter overflows within 255 samples; a larger group
is counted in runs of so many.
"""

from functools import lru_cache
from itertools import pairwise

import numpy as np
import scipy.sparse as sp

from fslib.counts.stretches import split, stretches

_MIXED = 1 << 27  # bytes of mixed codes per block of features
_MIXES = 16  # mixed codes per sample at most, so that additions run along a long axis in cache
_RUN = 255  # samples that a counter of one byte can count
_COUNTERS = 1 << 22  # bytes of counters made at a time: nearly in cache, and threads seldom wait for the interpreter
_PIECE = 1 << 15  # samples whose codes are mixed at a time
_TABLE = 1 << 18  # cells of counts passed on at a time: 2 MB
_STRETCHES = 8  # so many of these are counted at once


class SortedGroups:
    """Samples in the order of their groups; those of group -1 are left out.

    Attributes
    ----------
    order : array of int
        The samples, group by group.
    start : array of int, shape (n_groups + 1,)
        The samples of group g are ``order[start[g] : start[g + 1]]``.

    Examples
    --------
    >>> groups = SortedGroups(np.array([1, -1, 0, 1]), 2)
    >>> groups.order, groups.start
    (array([2, 0, 3], dtype=int32), array([0, 1, 3], dtype=int32))
    """

    def __init__(self, group, n_groups):
        # One entry per row: the other sparse format has them sorted by column, by counting, much faster than argsort.
        n = len(group)
        kind = np.int32 if max(n, n_groups) < 2**31 - 1 else np.int64
        column = group.astype(kind)
        column[group < 0] = n_groups
        entries = np.empty(n, dtype=np.int8), column, np.arange(n + 1, dtype=kind)
        by_group = sp.csr_array(entries, shape=(n, n_groups + 1)).tocsc()
        self.start = by_group.indptr[:-1]
        self.order = by_group.indices[: self.start[-1]]
        self.n_groups = n_groups

    def split(self, columns, n_levels):
        """Parts of some features of so many levels, about equally long: what is counted together in bounded memory."""
        per_byte = _per_byte(n_levels)
        most = int(np.clip(_MIXED // max(1, len(self.order)), 4, _MIXES)) * per_byte
        n_parts = max(1, -(-len(columns) // most))
        return split(columns, -(-len(columns) // n_parts // per_byte) * per_byte)

    def stretch(self, first, n_groups, n_samples, unit):
        """Where a stretch ends that begins with group ``first``: at so many groups or samples, after a whole unit."""
        enough = int(np.searchsorted(self.start, self.start[first] + n_samples, side="right")) - 1
        n_groups = min(n_groups, enough - first) // unit * unit
        return min(first + max(unit, n_groups), self.n_groups)

    def runs(self, first, last):
        """Cut the samples of some groups, from ``first`` to before ``last``, into runs of one group each.

        Returns
        -------
        start : array of int, shape (r + 1,)
            The samples of run i are ``order[start[i] : start[i + 1]]``, from one to 255.
        group : array of int, shape (r,)
            Group of each run, counted from ``first``.
        """
        start = self.start[first : last + 1]
        n_runs = -(-np.diff(start) // _RUN)
        group = np.repeat(np.arange(last - first), n_runs)
        within = np.arange(len(group)) - np.repeat(np.cumsum(n_runs) - n_runs, n_runs)
        return np.append(start[group] + _RUN * within.astype(start.dtype), start[-1]), group


def fold_tables(codes, columns, n_levels, groups, unit, add):
    """Pass the counts of some features to a function, a stretch of groups at a time.

    Parameters
    ----------
    codes : array of unsigned int, shape (d, n)
    columns : array of int, shape (b,)
        Rows of ``codes``, below ``n_levels``.
    n_levels : int
    groups : SortedGroups
    unit : int
        Groups that must stay together; ``n_groups`` is a multiple.
    add : callable
        Takes what it returned last (first None) and counts (g, b, L) of the next g groups.

    Returns
    -------
    object
        What ``add`` returned last.
    """
    mixed, state = _MixedCodes(codes, columns, n_levels), None
    for counts in _counts(mixed, groups, unit):
        state = add(state, counts.transpose(0, 2, 1))
    return state


def _counts(mixed, groups, unit):
    """Yield counts (g, L, b) of a stretch of groups after the other."""
    at_once = max(1, _TABLE // (unit * mixed.n_levels * mixed.n_features)) * unit
    first = 0
    while first < groups.n_groups:
        last = groups.stretch(first, _STRETCHES * at_once, mixed.batch, unit)
        start = groups.start[first : last + 1]
        if start[-1] - start[0] <= mixed.batch and np.diff(start).max() <= _RUN:  # as in most: each group is one run
            counts = mixed.count(groups.order, start)
            yield from (counts[part].astype(np.int64, copy=False) for part in stretches(len(counts), at_once))
        else:
            last = min(last, first + at_once)
            yield _count_runs(mixed, groups, first, last)
        first = last


def _count_runs(mixed, groups, first, last):
    """Counts (g, L, b) of the groups from ``first`` to before ``last``, however large they are."""
    start, group = groups.runs(first, last)
    counts = np.zeros((last - first, mixed.n_levels, mixed.n_features), dtype=np.int64)
    cuts = np.searchsorted(start[1:], np.arange(start[0], start[-1], mixed.batch), side="right")
    cuts = np.unique(np.append(cuts, len(group)))
    for some in (slice(*pair) for pair in pairwise(cuts)):
        heads = np.flatnonzero(np.diff(group[some], prepend=-1))
        of_runs = mixed.count(groups.order, start[some.start : some.stop + 1])
        counts[group[some][heads]] += np.add.reduceat(of_runs, heads, axis=0, dtype=np.int64)
    return counts


class _MixedCodes:
    """Codes of some features sample by sample, several features in a byte: to read a sample is to read a cache line.

    The features of a mixed code are its digits, to the base of the number of levels; the first is the leftmost.

    Attributes
    ----------
    n_levels, n_features : int
    batch : int
        Samples to count at a time.
    """

    def __init__(self, codes, columns, n_levels):
        per_byte = _per_byte(n_levels)
        parts = split(columns, per_byte)
        self.n_levels, self.n_features, self.n_mixed = n_levels, len(columns), len(parts)
        self.batch = max(1, _COUNTERS // (len(parts) * (8 if per_byte == 1 else _counters(n_levels)[0].nbytes)))
        # A row of a power of two of bytes is read at once.
        width = 1 << (len(parts) - 1).bit_length()
        self.codes = np.empty((codes.shape[1], width), dtype=np.uint8 if per_byte > 1 else codes.dtype)
        for samples in stretches(len(self.codes), _PIECE):
            for i, (first, *others) in enumerate(parts):
                mixed = codes[first, samples].astype(self.codes.dtype)
                for column in others:
                    mixed *= n_levels
                    mixed += codes[column, samples]
                mixed *= n_levels ** (per_byte - 1 - len(others))
                self.codes[samples, i] = mixed

    def count(self, order, start):
        """Counts (r, L, b), of any integer type, of r runs of samples, ``order[start[i] : start[i + 1]]``."""
        codes = self.codes.take(order[start[0] : start[-1]], axis=0)
        count = self._by_bytes if _per_byte(self.n_levels) > 1 else self._by_keys
        return count(codes[:, : self.n_mixed], start - start[0])

    def _by_bytes(self, codes, start):
        rows = _counters(self.n_levels).take(codes, axis=0)
        rows = rows.reshape(len(codes), rows.shape[1] * rows.shape[2])
        ones, index = np.ones(len(codes), dtype=np.int16), np.arange(len(codes), dtype=np.int32)
        of_runs = sp.csr_array((ones, index, start), shape=(len(start) - 1, len(codes))) @ rows.view(np.int16)
        counts = of_runs.view(f"u{_per_byte(self.n_levels)}")
        counts = counts.reshape(len(start) - 1, self.n_mixed, -1)[:, :, : self.n_levels].swapaxes(1, 2)
        return np.ascontiguousarray(counts).view(np.uint8)[:, :, : self.n_features]

    def _by_keys(self, codes, start):
        n_runs, size = len(start) - 1, self.n_levels * self.n_features
        key = codes * np.int64(self.n_features)
        key += np.arange(self.n_features)
        key += np.repeat(np.arange(n_runs) * size, np.diff(start))[:, None]
        return np.bincount(key.ravel(), minlength=n_runs * size).reshape(n_runs, self.n_levels, self.n_features)


def _per_byte(n_levels):
    """Features of so many levels that are mixed in a byte; 1 beyond 16 levels, where counters would take too long."""
    return next((n for n in (8, 4, 2) if n_levels**n <= 256), 1)


@lru_cache(maxsize=16)
def _counters(n_levels):
    """Counters of each mixed code, in words of 8 bytes: byte ``level * m + j`` is 1 for the level of feature j of m."""
    m = _per_byte(n_levels)
    code, digit = np.arange(n_levels**m), np.arange(m)
    level = code[:, None] // n_levels ** digit[::-1] % n_levels
    out = np.zeros((len(code), -(-n_levels * m // 8) * 8), dtype=np.uint8)
    out[code[:, None], level * m + digit] = 1
    return out.view(np.uint64)
