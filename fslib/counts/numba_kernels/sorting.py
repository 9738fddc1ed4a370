"""Kernels for samples sorted by group: adding up the counters of mixed codes, and splitting cells."""

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from fslib.counts.numba_kernels.kernel import Kernel

_FAR = 24  # samples ahead that are loaded, since samples of a group are far from each other
_RUN = 255  # samples that a counter of one byte can count


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


@Kernel
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


@Kernel
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


@Kernel
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
