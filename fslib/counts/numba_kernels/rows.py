"""Kernels that read the rows of X: levels, bits, codes and mixed codes.

Three of them read a row by the same lines: a function of these, inlined or not, makes packing half as fast.
"""

import numpy as np
from numba import njit

from fslib.counts.numba_kernels.kernel import Kernel


@Kernel
def scan_rows(X, low, high, seen, whole):
    """Smallest and largest value of every column, the values that occur, modulo 16, and whether they are whole numbers.

    Parameters
    ----------
    X : array, shape (n, d), in C order
    low, high : array, shape (d,)
        Of the dtype of X; updated, as the next two.
    seen : array of uint16, shape (d,)
        Bit v is set if a value v modulo 16 occurs.
    whole : array of bool, shape (d,)
    """
    for i in range(X.shape[0]):
        x = X[i]
        for j in range(x.size):
            low[j] = min(low[j], x[j])
            high[j] = max(high[j], x[j])
        for j in range(x.size):
            seen[j] |= np.uint16(1) << (np.uint16(np.int64(x[j])) & np.uint16(15))
        for j in range(whole.size):
            whole[j] &= np.floor(x[j]) == x[j]


@njit(nogil=True)
def _beside(columns):
    """The first of the columns, and whether the others follow it one by one."""
    for j in range(1, len(columns)):
        if columns[j] != columns[0] + j:
            return columns[0], False
    return (columns[0] if len(columns) else 0), len(columns) > 0


@Kernel
def pack_rows(X, low, columns, order, first, n_words, planes, start):
    """Bit planes of codes ``X - low`` below 16.

    Parameters
    ----------
    X : array, shape (n, d), in C order
    low : array, shape (b,)
        Of the dtype of X.
    columns : array of int, shape (b,)
    order : array of int, shape (n,) or (0,)
        Samples in the order of their bits; empty for their own.
    first, n_words : int
        Which words of samples.
    planes : array of uint64, shape (P, words, b)
        Filled here, from word ``start`` on.
    start : int
    """
    n, (P, _, b) = len(X), planes.shape
    left, beside = _beside(columns)
    width = -(-b // 8)  # eight features to a word, while their bits are collected
    codes = np.zeros((8, 8 * width), dtype=np.uint8)
    eight = codes.view(np.uint64)
    c0, c1, c2, c3, c4, c5, c6, c7 = eight[0], eight[1], eight[2], eight[3], eight[4], eight[5], eight[6], eight[7]
    octets = np.empty((P, 8, width), dtype=np.uint64)
    in_bytes = octets.view(np.uint8)
    lowest, one = np.uint64(0x0101010101010101), np.uint64(1)
    for w in range(n_words):
        for o in range(8):
            base = 64 * (first + w) + 8 * o
            if base + 8 > n:
                codes[:] = 0
            for k in range(min(8, n - base)):
                x, code = X[order[base + k] if order.size else base + k], codes[k]
                if beside:
                    some = x[left : left + b]
                    for j in range(b):
                        code[j] = np.uint8(some[j] - low[j])
                else:
                    for j in range(b):
                        code[j] = np.uint8(x[columns[j]] - low[j])
            for p in range(P):
                q, octet = np.uint64(p), octets[p, o]
                for j in range(width):
                    ones = (c0[j] >> q) & lowest
                    ones = (ones << one) | ((c1[j] >> q) & lowest)
                    ones = (ones << one) | ((c2[j] >> q) & lowest)
                    ones = (ones << one) | ((c3[j] >> q) & lowest)
                    ones = (ones << one) | ((c4[j] >> q) & lowest)
                    ones = (ones << one) | ((c5[j] >> q) & lowest)
                    ones = (ones << one) | ((c6[j] >> q) & lowest)
                    octet[j] = (ones << one) | ((c7[j] >> q) & lowest)
        for p in range(P):
            word, o = planes[p, start + w], in_bytes[p]
            o0, o1, o2, o3, o4, o5, o6, o7 = o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7]
            for j in range(b):
                low_half = (
                    np.uint64(o0[j])
                    | np.uint64(o1[j]) << np.uint64(8)
                    | np.uint64(o2[j]) << np.uint64(16)
                    | np.uint64(o3[j]) << np.uint64(24)
                )
                word[j] = (
                    low_half
                    | np.uint64(o4[j]) << np.uint64(32)
                    | np.uint64(o5[j]) << np.uint64(40)
                    | np.uint64(o6[j]) << np.uint64(48)
                    | np.uint64(o7[j]) << np.uint64(56)
                )


@Kernel
def take_rows(X, low, columns, samples, out):
    """Codes of some samples, row by row; samples (m,) and uint8 (m, b), the rest as in `pack_rows`."""
    b = len(columns)
    left, beside = _beside(columns)
    for i in range(len(samples)):
        x, code = X[samples[i]], out[i]
        if beside:
            some = x[left : left + b]
            for j in range(b):
                code[j] = np.uint8(some[j] - low[j])
        else:
            for j in range(b):
                code[j] = np.uint8(x[columns[j]] - low[j])


@Kernel
def mix_rows(X, low, columns, n_levels, per_byte, out):
    """Mixed codes of samples, see `fslib.counts.mixed`.

    Parameters
    ----------
    X : array, shape (n, d), in C order
    low, columns : array, shape (b,)
        Smallest value of each feature, of the dtype of X, and which columns these are.
    n_levels, per_byte : int
    out : array of uint8, shape (n, width)
        Filled here, as far as there are features.
    """
    b = len(columns)
    n_mixed = -(-b // per_byte)
    left, beside = _beside(columns)
    codes = np.zeros(8 * n_mixed, dtype=np.uint8)
    # A product adds up the digits in its highest byte; no byte below overflows, as its sum is a part of a mixed code.
    times = np.uint64(0)
    for digit in range(per_byte):
        times = times << np.uint64(8) | np.uint64(n_levels ** (per_byte - 1 - digit))
    eights, fours, twos = codes.view(np.uint64), codes.view(np.uint32), codes.view(np.uint16)
    for i in range(len(X)):
        x, mixed = X[i], out[i]
        if beside:
            some = x[left : left + b]
            for j in range(b):
                codes[j] = np.uint8(some[j] - low[j])
        else:
            for j in range(b):
                codes[j] = np.uint8(x[columns[j]] - low[j])
        if per_byte == 8:
            for m in range(n_mixed):
                mixed[m] = np.uint8(eights[m] * times >> np.uint64(56))
        elif per_byte == 4:
            for m in range(n_mixed):
                mixed[m] = np.uint8(np.uint32(fours[m] * np.uint32(times)) >> np.uint32(24))
        elif per_byte == 2:
            for m in range(n_mixed):
                mixed[m] = np.uint8(np.uint16(twos[m] * np.uint16(times)) >> np.uint16(8))
        else:
            for m in range(n_mixed):
                mixed[m] = codes[m]
