"""Kernels compiled by Numba: what `fslib.counts.bits` does in many calls of NumPy, in one pass and without the lock.

Importing this module needs Numba; `fslib.counts.compiled` does so for large tables. A word holds 64 samples in the
order of ``numpy.packbits``, on a little-endian machine.
"""

from pickle import UnpicklingError

import numpy as np
from llvmlite import ir
from numba import config, njit, types
from numba.core import cgutils
from numba.extending import intrinsic

ARE_COMPILED = not config.DISABLE_JIT
"""Whether Numba compiles; it can be told not to."""

_TILE = 256  # features counted together: their counts and words stay in the nearest cache
_FAR = 24  # samples ahead that are loaded, since samples of a group are far from each other
_RUN = 255  # samples that a counter of one byte can count
_AHEAD = 4  # words counted together, so that a count is read and written once for them


class _Kernel:
    """A function that Numba compiles when it is first called for some types, and keeps on disk if that is possible."""

    def __init__(self, function):
        self._function, self._compiled = function, njit(nogil=True, cache=True)(function)

    def __call__(self, *arguments):
        try:
            return self._compiled(*arguments)
        except (OSError, EOFError, UnpicklingError):  # the disk is full, or what was kept is damaged
            self._compiled = njit(nogil=True)(self._function)
            return self._compiled(*arguments)


@intrinsic
def _ones(typing_context, word):
    """Number of ones in a word."""

    def generate(context, builder, signature, arguments):
        return builder.call(builder.module.declare_intrinsic("llvm.ctpop", [ir.IntType(64)]), arguments)

    return types.uint64(types.uint64), generate


@intrinsic
def _prefetch(typing_context, rows, i):
    """Begin to load row i of a two-dimensional array in C order."""

    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        stride = builder.extract_value(array.strides, 0)
        byte = ir.IntType(8).as_pointer()
        place = builder.gep(builder.bitcast(array.data, byte), [builder.mul(stride, arguments[1])])
        flag = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
        prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(prefetch, [place, flag(0), flag(3), flag(1)])  # to read, into all caches, data
        return context.get_dummy_value()

    return types.void(rows, types.intp), generate


@_Kernel
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


@_Kernel
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


@_Kernel
def read_column(planes, j, order, out, start, stop):
    """Codes of some samples of one feature.

    Parameters
    ----------
    planes : array of uint64, shape (P, words, b)
    j : int
    order : array of int, shape (n,) or (0,)
        Samples in the order of their bits; empty for their own.
    out : array of int, shape (n,)
        Filled here.
    start, stop : int
        Places in the order; ``start`` is a multiple of 64.
    """
    codes = np.empty(64, dtype=out.dtype)
    for w in range(start // 64, -(-stop // 64)):
        codes[:] = 0
        for p in range(planes.shape[0]):
            word = planes[p, w, j]
            for k in range(64):
                codes[k] |= out.dtype.type((word >> np.uint64(8 * (k // 8) + 7 - k % 8)) & np.uint64(1)) << p
        for k in range(min(64, stop - 64 * w)):
            out[order[64 * w + k] if order.size else 64 * w + k] = codes[k]


@_Kernel
def count_groups(group, order, start, stop, n_groups):
    """Samples of each group (array of int, shape (n,), -1 is none), among some places in the order."""
    out = np.zeros(n_groups, dtype=np.int64)
    for i in range(start, stop):
        g = group[order[i] if order.size else i]
        if g >= 0:
            out[g] += 1
    return out


@_Kernel
def pack_groups(group, order, start, stop, begin, place, masks):
    """Bits of groups of samples.

    Parameters
    ----------
    group : array of int, shape (n,)
        -1 is none.
    order : array of int, shape (n,) or (0,)
    start, stop : int
        Places in the order.
    begin : int
        Word of samples with which the masks begin.
    place : array of int, shape (n_groups,)
        Where the mask of a group begins in ``masks``; negative if it has none.
    masks : array of uint64
        Zeros, filled here.
    """
    bits = np.empty(len(place) + 1, dtype=np.uint64)  # the first one is of group -1
    for w in range(start // 64, -(-stop // 64)):
        bits[:] = 0
        for i in range(max(start, 64 * w), min(stop, 64 * w + 64)):
            k = i % 64
            bits[group[order[i] if order.size else i] + 1] |= np.uint64(1) << np.uint64(8 * (k // 8) + 7 - k % 8)
        for g in range(len(place)):
            if place[g] >= 0:
                masks[place[g] + w - begin] |= bits[g + 1]


@_Kernel
def pack_levels(planes, j, n_levels, classes, place, begin, length, of_class, to, start, stop, masks, sizes):
    """Bits of the samples of each level of feature j, within each class.

    Parameters
    ----------
    planes : array of uint64, shape (P, words, b)
    j : int
    n_levels : int
    classes : array of uint64
        Bits of the classes.
    place, begin, length, of_class : array of int, shape (m,)
        Where each mask begins in ``classes``, with which word of samples, how many it has, and its class.
    to : array of int, shape (m, L)
        Where the masks of its levels begin in ``masks``.
    start, stop : int
        Words of samples.
    masks : array of uint64
        Filled here.
    sizes : array of int64, shape (L, K)
        Added to: samples of each level and class.
    """
    for g in range(len(place)):
        for w in range(max(start, begin[g]), min(stop, begin[g] + length[g])):
            inside = classes[place[g] + w - begin[g]]
            for level in range(n_levels):
                bits = inside
                for p in range(planes.shape[0]):
                    word = planes[p, w, j]
                    bits &= word if level >> p & 1 else ~word
                masks[to[g, level] + w - begin[g]] = bits
                sizes[level, of_class[g]] += np.int64(_ones(bits))


@_Kernel
def count_sets(planes, start, n_words, first, masks, place, begin, length, of_group, with_all, out):
    """N(S) of groups, see `fslib.counts.bits`.

    Parameters
    ----------
    planes : array of uint64, shape (P, words, b)
    start, n_words : int
        Which of their words.
    first : int
        Which word of samples the first of these is.
    masks : array of uint64, shape (total,)
    place, begin, length, of_group : array of int, shape (m,)
        Where each mask begins in ``masks``, with which word of samples, how many it has, and its group.
    with_all : bool
        Whether all samples are counted, too.
    out : array of int64, shape (n_groups + 1, L - 1, b)
        Added to; the last one is for all samples.
    """
    b = planes.shape[2]
    n_sets, m = out.shape[1], len(begin)
    tile = min(_TILE, b)
    sets = np.empty((n_sets, _AHEAD, tile), dtype=np.uint64)
    counts = np.empty((m + 1, n_sets, tile), dtype=np.uint64)
    for left in range(0, b, tile):
        right = min(b, left + tile)
        width = right - left
        counts[:] = 0
        for w in range(0, n_words, _AHEAD):
            ahead = min(_AHEAD, n_words - w)
            for s in range(1, n_sets + 1):
                top = 0
                while s >> (top + 1):
                    top += 1
                others = s - (1 << top)
                for i in range(ahead):
                    plane, one = planes[top, start + w + i, left:right], sets[s - 1, i]
                    if others:
                        other = sets[others - 1, i]
                        for j in range(width):
                            one[j] = plane[j] & other[j]
                    else:
                        for j in range(width):
                            one[j] = plane[j]
            if with_all:
                for s in range(n_sets):
                    count = counts[m, s]
                    for i in range(ahead):
                        one = sets[s, i]
                        for j in range(width):
                            count[j] += _ones(one[j])
            for g in range(m):
                low = max(begin[g], first + w) - first - w
                high = min(begin[g] + length[g], first + w + ahead) - first - w
                at = place[g] + first + w - begin[g]
                if high - low == 4:
                    m0, m1, m2, m3 = masks[at], masks[at + 1], masks[at + 2], masks[at + 3]
                    for s in range(n_sets):
                        count = counts[g, s]
                        s0, s1, s2, s3 = sets[s, 0], sets[s, 1], sets[s, 2], sets[s, 3]
                        for j in range(width):
                            count[j] += _ones(s0[j] & m0) + _ones(s1[j] & m1) + _ones(s2[j] & m2) + _ones(s3[j] & m3)
                else:
                    for i in range(low, high):
                        mask = masks[at + i]
                        for s in range(n_sets):
                            count, one = counts[g, s], sets[s, i]
                            for j in range(width):
                                count[j] += _ones(one[j] & mask)
        for s in range(n_sets):
            for g in range(m):
                for j in range(width):
                    out[of_group[g], s, left + j] += np.int64(counts[g, s, j])
            for j in range(width):
                out[-1, s, left + j] += np.int64(counts[m, s, j])


@_Kernel
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


@_Kernel
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


@njit(nogil=True)
def _add_one(count, x, counters, is_first):
    """Add the two words of counters of each mixed code of a sample, or set them to these."""
    for m in range(count.size // 2):
        c = 2 * np.intp(x[m])
        low, high = counters[c], counters[c + 1]
        count[2 * m] = low if is_first else count[2 * m] + low
        count[2 * m + 1] = high if is_first else count[2 * m + 1] + high


@njit(nogil=True)
def _add_two(count, x0, x1, counters, is_first):
    for m in range(count.size // 2):
        c0, c1 = 2 * np.intp(x0[m]), 2 * np.intp(x1[m])
        low, high = counters[c0] + counters[c1], counters[c0 + 1] + counters[c1 + 1]
        count[2 * m] = low if is_first else count[2 * m] + low
        count[2 * m + 1] = high if is_first else count[2 * m + 1] + high


@njit(nogil=True)
def _add_four(count, x0, x1, x2, x3, counters):
    for m in range(count.size // 2):
        c0, c1, c2, c3 = 2 * np.intp(x0[m]), 2 * np.intp(x1[m]), 2 * np.intp(x2[m]), 2 * np.intp(x3[m])
        count[2 * m] += counters[c0] + counters[c1] + counters[c2] + counters[c3]
        count[2 * m + 1] += counters[c0 + 1] + counters[c1 + 1] + counters[c2 + 1] + counters[c3 + 1]


@njit(nogil=True, inline="always")
def _count_run(codes, some, order, first, last, counters, words, is_usual, count):
    """Counters of some mixed codes, added up over at most 255 samples; ``is_usual`` with two words, codes in a row."""
    if is_usual:
        _count_usual(codes, some[0], order, first, last, counters, count)
    else:
        count[:] = 0
        for i in range(first, last):
            code = codes[order[i]]
            for m in range(len(some)):
                c = words * np.intp(code[some[m]])
                for w in range(words):
                    count[m * words + w] += counters[c + w]


@njit(nogil=True, inline="always")
def _count_usual(codes, left, order, first, last, counters, count):
    """Several samples together, so that a count is read and written once for them."""
    is_first = 0 < last - first < 4
    if not is_first:
        count[:] = 0
    while first < last:
        n_left = last - first
        for i in range(first + _FAR, min(first + _FAR + min(4, n_left), len(order))):
            _prefetch(codes, order[i])
        x0 = codes[order[first], left:]
        if n_left == 1:
            _add_one(count, x0, counters, is_first)
            first += 1
        elif n_left < 4:
            _add_two(count, x0, codes[order[first + 1], left:], counters, is_first)
            first += 2
        else:
            x1, x2, x3 = codes[order[first + 1], left:], codes[order[first + 2], left:], codes[order[first + 3], left:]
            _add_four(count, x0, x1, x2, x3, counters)
            first += 4
        is_first = False


@njit(nogil=True)
def _kind(some, n_words):
    words = n_words // len(some)
    return words, words == 2 and some[-1] - some[0] + 1 == len(some)


@_Kernel
def count_mixed(codes, some, order, start, counters, out):
    """Add up the counters of mixed codes of groups with at most 255 samples, see `fslib.counts.mixed`.

    Parameters
    ----------
    codes : array of uint8, shape (n, width)
    some : array of int, shape (m,)
        Which mixed codes.
    order : array of int
    start : array of int, shape (g + 1,)
        The samples of group i are ``order[start[i] : start[i + 1]]``.
    counters : array of uint64, shape (256 words,)
        Of each code.
    out : array of uint64, shape (g, m words)
        Filled here.
    """
    words, is_usual = _kind(some, out.shape[1])
    for g in range(len(start) - 1):
        _count_run(codes, some, order, start[g], start[g + 1], counters, words, is_usual, out[g])


@_Kernel
def count_mixed_large(codes, some, order, start, counters, out):
    """`count_mixed` for groups of any size; ``out`` is int64, (g, 8 m words), a number for each byte there."""
    count = np.empty(out.shape[1] // 8, dtype=np.uint64)
    in_bytes = count.view(np.uint8)
    words, is_usual = _kind(some, len(count))
    for g in range(len(start) - 1):
        out[g] = 0
        for first in range(start[g], start[g + 1], _RUN):
            last = min(first + _RUN, start[g + 1])
            _count_run(codes, some, order, first, last, counters, words, is_usual, count)
            for i in range(out.shape[1]):
                out[g, i] += in_bytes[i]


@_Kernel
def split_cells(order, start, codes, n_codes, new_order, new_start, pure):
    """Split cells by level, and sort their samples by cell, level and class; leave out cells of one class.

    Parameters
    ----------
    order : array of int
        Samples by cell and class.
    start : array of int, shape (cells * K + 1,)
        The samples of group g are ``order[start[g] : start[g + 1]]``.
    codes : array of int
        Level of each sample, below ``n_codes``.
    n_codes : int
    new_order, new_start : array of int
        Filled here.
    pure : array of int64, shape (K,)
        Added to: samples of each class in the cells left out.

    Returns
    -------
    int
        Number of new cells.
    """
    K = len(pure)
    counts = np.empty((n_codes, K), dtype=np.int64)
    n_kept = place = 0
    for cell in range(0, len(start) - 1, K):
        counts[:] = 0
        for k in range(K):
            for i in range(start[cell + k], start[cell + k + 1]):
                counts[codes[order[i]], k] += 1
        for level in range(n_codes):
            n_classes = 0
            for k in range(K):
                n_classes += counts[level, k] > 0
            for k in range(K):
                size = counts[level, k]
                if n_classes < 2:
                    pure[k] += size
                    counts[level, k] = -1
                else:
                    new_start[n_kept * K + k] = counts[level, k] = place
                    place += size
            n_kept += n_classes > 1
        for k in range(K):
            for i in range(start[cell + k], start[cell + k + 1]):
                level = codes[order[i]]
                if counts[level, k] >= 0:
                    new_order[counts[level, k]] = order[i]
                    counts[level, k] += 1
    new_start[n_kept * K] = place
    return n_kept
