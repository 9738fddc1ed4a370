"""Kernels that pack, count and read bits; see `fslib.counts.bits`."""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from fslib.counts.numba_kernels.kernel import Kernel

_TILE = 256  # features counted together: their counts and words stay in the nearest cache
_AHEAD = 4  # words counted together, so that a count is read and written once for them


@intrinsic
def _ones(typing_context, word):
    """Number of ones in a word."""

    def generate(context, builder, signature, arguments):
        return builder.call(builder.module.declare_intrinsic("llvm.ctpop", [ir.IntType(64)]), arguments)

    return types.uint64(types.uint64), generate


@Kernel
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


@Kernel
def count_groups(group, order, start, stop, n_groups):
    """Samples of each group (array of int, shape (n,), -1 is none), among some places in the order."""
    out = np.zeros(n_groups, dtype=np.int64)
    for i in range(start, stop):
        g = group[order[i] if order.size else i]
        if g >= 0:
            out[g] += 1
    return out


@Kernel
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


@Kernel
def pack_levels(planes, j, n_levels, classes, place, begin, length, of_class, to, masks, sizes):
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
    masks : array of uint64
        Filled here.
    sizes : array of int64, shape (L, K)
        Added to: samples of each level and class.
    """
    for g in range(len(place)):
        for w in range(begin[g], begin[g] + length[g]):
            inside = classes[place[g] + w - begin[g]]
            for level in range(n_levels):
                bits = inside
                for p in range(planes.shape[0]):
                    word = planes[p, w, j]
                    bits &= word if level >> p & 1 else ~word
                masks[to[g, level] + w - begin[g]] = bits
                sizes[level, of_class[g]] += np.int64(_ones(bits))


@Kernel
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
