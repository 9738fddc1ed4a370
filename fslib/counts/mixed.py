"""Codes of several features in one byte, and counters of a byte for each of its values.

Up to 16 levels, the codes of several features form one byte, and each byte stands for a row of counters, one byte per
feature and level, of which one per feature is 1. Adding up the rows of a group counts all its features at once: a
product of a sparse matrix, groups by samples, and the rows. No counter overflows within 255 samples.
"""

from functools import lru_cache, partial
from itertools import pairwise
from threading import Lock

import numpy as np
import scipy.sparse as sp

from fslib.counts.stretches import stretches, take_rows
from fslib.counts.threads import empty, run, shares

_MIXED = 1 << 27  # bytes of mixed codes per block of features
_MIXES = 16  # mixed codes per sample at most, so that additions run along a long axis in cache
_WIDEST = 64  # and for compiled kernels, which read the samples once for all of them
_PIECE = 1 << 16  # samples whose codes are mixed at a time: 1 MB, in calls so long that threads do not wait


class MixedCodes:
    """Codes of some features sample by sample, several features in a byte: to read a sample is to read a cache line.

    The features of a mixed code are its digits, to the base of the number of levels; the first is the leftmost.

    Parameters
    ----------
    levels : Levels
    columns : array of int, shape (b,)
        The features, of at most ``n_levels`` levels, in ascending order.
    n_levels : int
    n_threads : int

    Attributes
    ----------
    columns, n_levels
    per_byte : int
        Features in a mixed code.
    """

    def __init__(self, levels, columns, n_levels, n_threads=1):
        self.columns, self.n_levels, self.per_byte = columns, n_levels, features_per_byte(n_levels)
        self.n_mixed, self.kernels = -(-len(columns) // self.per_byte), levels.kernels
        # A row of a power of two of bytes is read at once.
        shape = levels.shape[0], 1 << (self.n_mixed - 1).bit_length()
        if levels.X is not None:
            self.codes = empty(shape, np.uint8, n_threads)
            X, *which = levels.rows(columns)
            mix = lambda part: self.kernels.mix_rows(X[part], *which, n_levels, self.per_byte, self.codes[part])
            list(run([partial(mix, part) for part in shares(len(X), n_threads)], n_threads))
            return
        kind = np.uint8 if self.per_byte > 1 else levels.codes.dtype
        self.codes = empty(shape, kind, n_threads)
        list(run([partial(self._mix, levels.codes, part) for part in shares(shape[0], n_threads)], n_threads))

    def _mix(self, codes, part):
        """Mix the codes (d, n) of a slice of the samples."""
        mixed = np.empty((self.n_mixed, min(_PIECE, part.stop - part.start)), dtype=self.codes.dtype)
        for some in stretches(part.stop - part.start, _PIECE):
            samples = slice(part.start + some.start, part.start + some.stop)
            rows = take_rows(codes[:, samples], self.columns)
            m = rows.shape[1]
            mixed[:, :m] = rows[:: self.per_byte]
            for i in range(1, self.per_byte):
                mixed *= mixed.dtype.type(self.n_levels)
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
        """Counts (r, m), of any integer type, of r runs of samples, ``order[start[i] : start[i + 1]]``.

        They may lie in ``scratch``, an array of uint64 that is large enough for them if `is_compiled`, otherwise for
        the counters of all samples.
        """
        if self.is_compiled:
            counters = _counters(self.n_levels)
            shape = len(start) - 1, len(some) * counters.shape[1]
            out = scratch[: shape[0] * shape[1]].reshape(shape)
            self.kernels.count_mixed(self.codes, some, order, start, counters.ravel(), out)
            return out.view(np.uint8)
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

    def count_large(self, order, start, some):
        """Counts (g, m), int64, of groups of any size, with compiled kernels."""
        out = np.empty((len(start) - 1, self.n_counters(some)), dtype=np.int64)
        self.kernels.count_mixed_large(self.codes, some, order, start, _counters(self.n_levels).ravel(), out)
        return out

    @property
    def is_compiled(self):
        """Whether counters are added up by compiled kernels."""
        return self.per_byte > 1 and self.kernels is not None

    def n_bytes(self, some):
        """Bytes that counting takes for a sample."""
        if self.is_compiled:
            return self.codes.shape[1]
        return self.n_counters(some) if self.per_byte > 1 else 8 * len(some)

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


class Mixes:
    """Mixed codes of all features in parts, kept from one count to the next as far as there is room.

    They may take a third of what the codes take; if there are no codes but rows of X, two thirds, and with the bits as
    much as codes would take.

    Parameters
    ----------
    levels : Levels
    bins : list of (int, array of int)
        Numbers of levels, and the features that have so many.
    n_parts : int
        The features of a bin are cut into a multiple of so many parts, if there are enough and no compiled kernels.
    n_bytes_taken : int
        By bits.

    Attributes
    ----------
    parts : list of array of int
        Every feature comes once.
    """

    def __init__(self, levels, bins, n_parts=1, n_bytes_taken=0):
        self.levels, self.parts, self._n_levels, self._kept = levels, [], [], {}
        for n_levels, columns in bins:
            per_byte, is_compiled = features_per_byte(n_levels), counts_compiled(levels, n_levels)
            most = np.clip(_MIXED // max(1, levels.shape[0]), 4, _WIDEST if is_compiled else _MIXES) * per_byte
            n_cuts = 1 if is_compiled else n_parts  # samples are shared out, to read each of them once
            n_bytes, n_cuts = -(-len(columns) // per_byte), -(-len(columns) // (most * n_cuts)) * n_cuts
            cuts = per_byte * np.unique(np.arange(n_cuts + 1) * n_bytes // n_cuts)  # about equally long
            self.parts += [columns[slice(*cut)] for cut in pairwise(cuts)]
            self._n_levels += [n_levels] * (len(cuts) - 1)
        self._locks = [Lock() for _ in self.parts]
        self._room = levels.n_bytes // 3
        if levels.n_bytes_spared:
            self._room = min(2 * levels.n_bytes // 3, levels.n_bytes - n_bytes_taken)

    def is_compiled(self, i):
        """Whether a part is counted by compiled kernels."""
        return counts_compiled(self.levels, self._n_levels[i])

    def part(self, i, n_threads=1):
        """`MixedCodes` of a part."""
        with self._locks[i]:
            if i in self._kept:
                return self._kept[i]
            mixed = MixedCodes(self.levels, self.parts[i], self._n_levels[i], n_threads)
            if mixed.codes.nbytes <= self._room:  # a few bytes do not matter that two threads take at once
                self._room -= mixed.codes.nbytes
                self._kept[i] = mixed
            return mixed


def counts_compiled(levels, n_levels):
    """Whether features of so many levels are counted by compiled kernels."""
    return features_per_byte(n_levels) > 1 and levels.kernels is not None


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
