"""Ways to count levels within groups of samples, all exact, for blocks of features with equally many levels.

* *packed*: every level but the first is a row of bits over the samples; a count is a bitwise AND with the bits of the
  group and a population count, 64 samples per word. Level 0, and the largest group, follow by subtraction.
* *keys*: one key for every sample; the way for many groups.
* *entries*: only the samples off a feature's most frequent level, see `fslib.counts.entries`.

All return int64 arrays of shape (n_groups, b, L), of which the feature axis b is the fastest in memory: criteria add up
over groups and levels, and those sums then run along the long axis.
"""

from typing import NamedTuple

import numpy as np

from fslib.counts.stretches import stretches

_FLAGS = 1 << 20  # flags made at a time while packing: 1 MB
_SCRATCH = 1 << 16  # words compared at a time: 512 KB, stays in cache
_PACKED = 1 << 20  # words packed at a time where bits are not kept: 8 MB
_SAMPLES = 1 << 17  # samples whose keys are made at a time: 1 MB
_JOINT = 1 << 17  # cells of a joint table of several features: 1 MB
_TOGETHER = 8  # features in a joint table at most


class PackedBlock(NamedTuple):
    """Bits of the levels above 0, uint64 (L - 1, words, b), and how often each occurs, (L - 1, b)."""

    bits: np.ndarray
    totals: np.ndarray


class GroupBits(NamedTuple):
    """Bits of the groups that are counted, and what the others need."""

    masks: np.ndarray  # (counted, words, 1)
    counted: list[int]
    left_over: int | None  # the largest group: what the others leave, if no sample is left out
    sizes: np.ndarray  # (n_groups,)


def pack_columns(rows, n_levels):
    """Pack codes (b, n) of features with ``n_levels`` levels."""
    b, n = rows.shape
    bits = np.empty((n_levels - 1, -(-n // 64), b), dtype=np.uint64)
    totals = np.zeros((n_levels - 1, b), dtype=np.int64)
    for part in stretches(n, max(1, _FLAGS // (64 * b)) * 64):  # so many samples that the flags stay in cache
        words = slice(part.start // 64, -(-part.stop // 64))
        for level in range(1, n_levels):
            packed = _words(rows[:, part] == level)
            bits[level - 1, words] = packed
            totals[level - 1] += np.bitwise_count(packed).sum(axis=0, dtype=np.int64)
    return PackedBlock(bits, totals)


def pack_groups(group, n_groups):
    """Pack the groups, of which the largest is left to subtraction where that is possible."""
    sizes = group_sizes(group, n_groups)
    left_over = int(sizes.argmax()) if sizes.sum() == len(group) else None
    counted = [g for g in range(n_groups) if g != left_over and sizes[g]]
    masks = np.empty((len(counted), -(-len(group) // 64), 1), dtype=np.uint64)
    group = group.astype(np.int8) if n_groups <= 128 else group  # compared once per group
    for mask, g in zip(masks, counted, strict=True):
        mask[:] = _words((group == g)[None])
    return GroupBits(masks, counted, left_over, sizes)


def group_sizes(group, n_groups):
    """Count the samples of each group; -1 is none."""
    sizes = np.zeros(n_groups + 1, dtype=np.int64)
    for part in stretches(len(group), max(_SAMPLES, n_groups)):
        sizes += np.bincount(group[part] + np.int64(1), minlength=n_groups + 1)
    return sizes[1:]


def _words(flags):
    """Pack flags (b, n) into 64-bit words (words, b); any order of the bits will do, as long as all share it."""
    b, n = flags.shape
    packed = np.zeros((b, 8 * -(-n // 64)), dtype=np.uint8)
    packed[:, : -(-n // 8)] = np.packbits(flags, axis=1)
    return packed.view(np.uint64).T


def count_packed(block, rows, n_levels, groups):
    """Count by AND and population count.

    Parameters
    ----------
    block : PackedBlock
        Bits of the first samples, as many as are kept; the others are packed here, some at a time.
    rows : array of unsigned int, shape (b, n)
    n_levels : int
    groups : GroupBits

    Returns
    -------
    array of int64, shape (n_groups, b, L)
    """
    out = np.zeros((len(groups.sizes), n_levels, len(rows)), dtype=np.int64)
    kept = block.bits.shape[1]
    _add_packed(out, block.bits, groups.masks[:, :kept], groups.counted)
    totals = block.totals.copy()
    size = max(1, _PACKED // (max(1, n_levels - 1) * len(rows)))  # words
    for part in stretches(-(-rows.shape[1] // 64) - kept, size):
        first, last = kept + part.start, kept + part.stop
        some = pack_columns(rows[:, 64 * first : 64 * last], n_levels)
        _add_packed(out, some.bits, groups.masks[:, first:last], groups.counted)
        totals += some.totals
    if groups.left_over is not None:
        out[groups.left_over, 1:] = totals - out[:, 1:].sum(axis=0)
    out[:, 0] = groups.sizes[:, None] - out[:, 1:].sum(axis=1)
    return out.transpose(0, 2, 1)


def _add_packed(out, bits, masks, counted):
    """Add the counts (n_groups, L, b) of the groups counted; a stretch of samples stays in cache for all of them."""
    L, (words, b) = len(bits) + 1, bits.shape[1:]
    stretch = max(3, _SCRATCH // (max(1, L - 1) * b))
    both, ones = (np.empty((L - 1, min(words, stretch), b), dtype=kind) for kind in (np.uint64, np.uint8))
    for start in range(0, words, stretch):
        part = bits[:, start : start + stretch]
        width = part.shape[1]
        # Three words hold at most 192 ones: their sum still fits a byte, which keeps the additions vectorised.
        third, wide = width // 3, np.min_scalar_type(64 * width)
        first, second, last, rest = (ones[:, i * third : (i + 1) * third if i < 3 else width] for i in range(4))
        for mask, g in zip(masks, counted, strict=True):
            np.bitwise_and(part, mask[start : start + stretch], out=both[:, :width])
            np.bitwise_count(both[:, :width], out=ones[:, :width])
            np.add(first, second, out=first)
            np.add(first, last, out=first)
            out[g, 1:] += np.add.reduce(first, axis=1, dtype=wide)
            if rest.shape[1]:
                out[g, 1:] += np.add.reduce(rest, axis=1, dtype=wide)


def count_keys(rows, n_levels, group, n_groups):
    """Count all samples of codes (b, n), several features in one pass where their joint table stays in cache."""
    b, n = rows.shape
    out = np.empty((n_groups, n_levels, b), dtype=np.int64)
    together = 1
    while together < min(b, _TOGETHER) and n_groups * n_levels ** (together + 1) <= min(_JOINT, n // 4):
        together += 1
    for first in range(0, b, together):
        block = rows[first : first + together]
        joint = _count_joint(block, n_levels, group, n_groups)  # (n_groups, L, ..., L)
        for j in range(len(block)):
            others = tuple(axis for axis in range(1, joint.ndim) if axis != j + 1)
            out[:, :, first + j] = joint.sum(axis=others)
    return out.transpose(0, 2, 1)


def _count_joint(rows, n_levels, group, n_groups):
    """Count the combinations of levels of a few features, (n_groups, L, ..., L)."""
    n_joint = n_levels ** len(rows)
    small = np.min_scalar_type(n_joint - 1)
    out = np.zeros((n_groups + 1) * n_joint, dtype=np.int64)  # the samples left out share the first table
    for part in stretches(rows.shape[1], max(_SAMPLES, len(out))):
        code = rows[0, part]
        if len(rows) > 1:
            code = code.astype(small)
            for row in rows[1:, part]:
                code *= small.type(n_levels)
                code += row
        key = group[part] + np.int64(1)
        key *= n_joint
        key += code
        out += np.bincount(key, minlength=len(out))
    return out[n_joint:].reshape(n_groups, *[n_levels] * len(rows))
