"""Counting within many groups: sort the samples by group, count a stretch of groups at a time.

Up to 16 levels, the codes of several features form one byte, and each byte stands for a row of counters, one byte per
feature and level, of which one per feature is 1. Adding up the rows of a group counts all its features at once: a
product of a sparse matrix, groups by samples, and the rows. No counter overflows within 255 samples; a larger group
is counted in runs of so many.
"""

from functools import lru_cache
from itertools import pairwise
from threading import Lock

import numpy as np
import scipy.sparse as sp

from fslib.counts.stretches import split, stretches, take_rows

_MIXED = 1 << 27  # bytes of mixed codes per block of features
_MIXES = 16  # mixed codes per sample at most, so that additions run along a long axis in cache
_RUN = 255  # samples that a counter of one byte can count
_COUNTERS = 1 << 23  # bytes of counters made at a time: in the last cache, and threads seldom wait for the interpreter
_PIECE = 1 << 16  # samples whose codes are mixed at a time: 1 MB, in calls so long that threads do not wait
_TABLE = 1 << 19  # cells of counts passed on at a time: half a MB as bytes, 4 MB otherwise
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


class MixedCodes:
    """Codes of some features sample by sample, several features in a byte: to read a sample is to read a cache line.

    The features of a mixed code are its digits, to the base of the number of levels; the first is the leftmost.

    Parameters
    ----------
    codes : array of unsigned int, shape (d, n)
    columns : array of int, shape (b,)
        Rows of ``codes``, below ``n_levels``, in ascending order.
    n_levels : int

    Attributes
    ----------
    columns, n_levels
    per_byte : int
        Features in a mixed code.
    """

    def __init__(self, codes, columns, n_levels):
        self.columns, self.n_levels, self.per_byte = columns, n_levels, features_per_byte(n_levels)
        self.n_mixed = -(-len(columns) // self.per_byte)
        # A row of a power of two of bytes is read at once.
        width = 1 << (self.n_mixed - 1).bit_length()
        self.codes = np.empty((codes.shape[1], width), dtype=np.uint8 if self.per_byte > 1 else codes.dtype)
        mixed = np.empty((self.n_mixed, min(_PIECE, len(self.codes))), dtype=self.codes.dtype)
        for samples in stretches(len(self.codes), _PIECE):
            rows = take_rows(codes[:, samples], columns)
            m = rows.shape[1]
            mixed[:, :m] = rows[:: self.per_byte]
            for i in range(1, self.per_byte):
                mixed *= mixed.dtype.type(n_levels)
                digits = rows[i :: self.per_byte]  # the last mixed code may have fewer digits
                mixed[: len(digits), :m] += digits
            self.codes[samples, : self.n_mixed] = mixed[:, :m].T

    def holding(self, wanted):
        """Mixed codes that hold features, and where `arranged` puts these.

        Parameters
        ----------
        wanted : array of int
            Places in ``columns``, in ascending order.

        Returns
        -------
        some : array of int
        place : array of int, one for each feature wanted
        """
        byte, digit = np.divmod(wanted, self.per_byte)
        some = np.unique(byte)
        return some, np.searchsorted(some, byte) * self.per_byte + digit

    def count(self, order, start, some, scratch):
        """Counts (r, m), of any integer type, of r runs of samples, ``order[start[i] : start[i + 1]]``."""
        codes = self.codes.take(order[start[0] : start[-1]], axis=0)
        codes = codes[:, : self.n_mixed] if len(some) == self.n_mixed else codes.take(some, axis=1)
        if self.per_byte == 1:
            return self._by_keys(codes, start - start[0])
        return self._by_bytes(codes, start - start[0], scratch)

    def _by_bytes(self, codes, start, scratch):
        counters, (n_samples, n_mixed) = _counters(self.n_levels), codes.shape
        n_words = n_mixed * counters.shape[1]
        rows = scratch[: n_samples * n_words].reshape(n_samples, n_words)
        out = rows.reshape(n_samples, n_mixed, counters.shape[1])
        counters.take(codes, axis=0, out=out, mode="clip")  # no code is clipped; the default copies ``out``
        ones, index = np.ones(len(codes), dtype=np.int16), np.arange(len(codes), dtype=np.int32)
        of_runs = sp.csr_array((ones, index, start), shape=(len(start) - 1, len(codes))) @ rows.view(np.int16)
        return of_runs.view(np.uint8)

    def _by_keys(self, codes, start):
        b, n_runs = codes.shape[1], len(start) - 1
        key = codes * np.int64(b)
        key += np.arange(b)
        key += np.repeat(np.arange(n_runs) * (self.n_levels * b), np.diff(start))[:, None]
        return np.bincount(key.ravel(), minlength=n_runs * self.n_levels * b).reshape(n_runs, self.n_levels * b)

    def n_counters(self, some):
        """Counters of a run, m: a level and a feature each, or unused."""
        return len(some) * (8 * _counters(self.n_levels).shape[1] if self.per_byte > 1 else self.n_levels)

    def arranged(self, values, some, place):
        """Values of counters (..., m) by feature and level, (..., b, L); the feature axis is the fastest in memory."""
        lead = values.shape[:-1]
        if self.per_byte > 1:
            by_byte = values.reshape(*lead, len(some), -1, self.per_byte)[..., : self.n_levels, :]
            values = by_byte.swapaxes(-3, -2)  # (..., L, mixed codes, features)
        values = values.reshape(*lead, self.n_levels, -1)
        return np.ascontiguousarray(values[..., place]).swapaxes(-1, -2)


def add_up(mixed, some, groups, unit, add):
    """Pass counts to a function that adds up over groups, a stretch of groups at a time.

    Parameters
    ----------
    mixed : MixedCodes
    some : array of int
        Which mixed codes.
    groups : SortedGroups
    unit : int
        Groups that must stay together; ``n_groups`` is a multiple.
    add : callable
        Takes what it returned last (first None) and counts (g, m) of the next g groups, uint8 or int64: of each group
        m counters, one for a level of a feature. Returns an array (m,).

    Returns
    -------
    array of shape (m,)
        What ``add`` returned last; see `MixedCodes.arranged`.
    """
    state = None
    for counts in _counts(mixed, some, groups, unit):
        state = add(state, counts)
    return state


def count_sorted(mixed, wanted, groups):
    """Count some features, int64 (n_groups, b, L); ``wanted`` are their places in ``mixed.columns``."""
    some, place = mixed.holding(wanted)
    counts = np.concatenate(list(_counts(mixed, some, groups, 1)))
    return mixed.arranged(counts, some, place).astype(np.int64, copy=False)


def _counts(mixed, some, groups, unit):
    """Yield counts (g, m) of a stretch of groups after the other."""
    n_counters = mixed.n_counters(some)
    at_once = max(1, _TABLE // (unit * n_counters)) * unit
    batch = max(1, _COUNTERS // (n_counters if mixed.per_byte > 1 else 8 * len(some)))  # samples
    most = min(len(groups.order), batch + _RUN) * n_counters // 8
    scratch = np.empty(most if mixed.per_byte > 1 else 0, dtype=np.uint64)  # reused, since new memory is slow
    first = 0
    while first < groups.n_groups:
        last = groups.stretch(first, _STRETCHES * at_once, batch, unit)
        start = groups.start[first : last + 1]
        if start[-1] - start[0] <= batch and np.diff(start).max() <= _RUN:  # as in most: each group is one run
            counts = mixed.count(groups.order, start, some, scratch)
            yield from (counts[part] for part in stretches(len(counts), at_once))
        else:
            last = min(last, first + at_once)
            yield _count_runs(mixed, some, groups, first, last, batch, scratch)
        first = last


def _count_runs(mixed, some, groups, first, last, batch, scratch):
    """Counts (g, m) of the groups from ``first`` to before ``last``, however large they are."""
    start, group = groups.runs(first, last)
    counts = np.zeros((last - first, mixed.n_counters(some)), dtype=np.int64)
    cuts = np.searchsorted(start[1:], np.arange(start[0], start[-1], batch), side="right")
    cuts = np.unique(np.append(cuts, len(group)))
    for part in (slice(*pair) for pair in pairwise(cuts)):
        heads = np.flatnonzero(np.diff(group[part], prepend=-1))
        of_runs = mixed.count(groups.order, start[part.start : part.stop + 1], some, scratch)
        counts[group[part][heads]] += np.add.reduceat(of_runs, heads, axis=0, dtype=np.int64)
    return counts


class Mixes:
    """Mixed codes of all features in parts, kept from one count to the next as far as a third of the codes goes.

    Parameters
    ----------
    codes : array of unsigned int, shape (d, n)
    bins : list of (int, array of int)
        Numbers of levels, and the features that have so many.
    n_parts : int
        Into how many parts the features of a bin are cut at least.

    Attributes
    ----------
    parts : list of array of int
        Every feature comes once.
    """

    def __init__(self, codes, bins, n_parts=1):
        self.codes, self.parts, self._n_levels, self._kept = codes, [], [], {}
        for n_levels, columns in bins:
            per_byte = features_per_byte(n_levels)
            most = int(np.clip(_MIXED // max(1, codes.shape[1]), 4, _MIXES)) * per_byte
            size = -(-len(columns) // max(n_parts, -(-len(columns) // most)))
            parts = split(columns, -(-size // per_byte) * per_byte)  # about equally long
            self.parts += parts
            self._n_levels += [n_levels] * len(parts)
        self._locks = [Lock() for _ in self.parts]
        self._room = codes.nbytes // 3

    def __getitem__(self, i):
        """`MixedCodes` of a part."""
        with self._locks[i]:
            if i in self._kept:
                return self._kept[i]
            mixed = MixedCodes(self.codes, self.parts[i], self._n_levels[i])
            if mixed.codes.nbytes <= self._room:  # a few bytes do not matter that two threads take at once
                self._room -= mixed.codes.nbytes
                self._kept[i] = mixed
            return mixed


def features_per_byte(n_levels):
    """Features of so many levels that are mixed in a byte; 1 beyond 16 levels, where counters would take too long."""
    return next((n for n in (8, 4, 2) if n_levels**n <= 256), 1)


@lru_cache(maxsize=16)
def _counters(n_levels):
    """Counters of each mixed code, in words of 8 bytes: byte ``level * m + j`` is 1 for the level of feature j of m."""
    m = features_per_byte(n_levels)
    code, digit = np.arange(n_levels**m), np.arange(m)
    level = code[:, None] // n_levels ** digit[::-1] % n_levels
    out = np.zeros((len(code), -(-n_levels * m // 8) * 8), dtype=np.uint8)
    out[code[:, None], level * m + digit] = 1
    return out.view(np.uint64)
