"""Three ways to count levels within groups of samples, all exact, for blocks of features with equally many levels.

* *packed*: every level but the first is a row of bits over the samples; a count is a bitwise AND with the bits of the
  group and a population count, 64 samples per word. Level 0, and the largest group, follow by subtraction.
* *entries*: the samples that do not have a feature's reference level, one key each; the way for sparse features.
* *keys*: one key for every sample; the way for everything else.

All return int64 arrays of shape (n_groups, b, L), of which the feature axis b is the fastest in memory: criteria add up
over groups and levels, and those sums then run along the long axis.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp


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


class EntryBlock(NamedTuple):
    """Samples off their feature's reference level, and where they count: ``slot = level * b + column``."""

    sample: np.ndarray
    slot: np.ndarray
    reference: np.ndarray  # (b,)


def pack_columns(rows, n_levels):
    """Pack codes (b, n) of features with ``n_levels`` levels."""
    b, n = rows.shape
    bits = np.empty((n_levels - 1, -(-n // 64), b), dtype=np.uint64)
    for level in range(1, n_levels):
        bits[level - 1] = _words(rows == level)
    return PackedBlock(bits, np.bitwise_count(bits).sum(axis=1, dtype=np.int64))


def pack_groups(group, n_groups):
    """Pack the groups, of which the largest is left to subtraction where that is possible."""
    sizes = np.bincount(group[group >= 0], minlength=n_groups)
    left_over = int(sizes.argmax()) if sizes.sum() == len(group) else None
    counted = [g for g in range(n_groups) if g != left_over and sizes[g]]
    masks = np.empty((len(counted), -(-len(group) // 64), 1), dtype=np.uint64)
    for mask, g in zip(masks, counted, strict=True):
        mask[:] = _words((group == g)[None])
    return GroupBits(masks, counted, left_over, sizes)


def _words(flags):
    """Pack flags (b, n) into 64-bit words (words, b); any order of the bits will do, as long as all share it."""
    b, n = flags.shape
    packed = np.zeros((b, 8 * -(-n // 64)), dtype=np.uint8)
    packed[:, : -(-n // 8)] = np.packbits(flags, axis=1)
    return packed.view(np.uint64).T


def count_packed(block, groups):
    """Count by AND and population count."""
    bits, totals = block
    L, (words, b) = len(bits) + 1, bits.shape[1:]
    out = np.zeros((len(groups.sizes), L, b), dtype=np.int64)
    both, ones = np.empty(bits.shape, dtype=np.uint64), np.empty(bits.shape, dtype=np.uint8)
    # Three words hold at most 192 ones: their sum still fits a byte, which keeps the additions vectorised.
    threes = words // 3
    partial = np.empty((L - 1, threes, b), dtype=np.uint8)
    wide = np.min_scalar_type(64 * words)
    for mask, g in zip(groups.masks, groups.counted, strict=True):
        np.bitwise_and(bits, mask, out=both)
        np.bitwise_count(both, out=ones)
        np.add.reduce(ones[:, : 3 * threes].reshape(L - 1, threes, 3, b), axis=2, dtype=np.uint8, out=partial)
        out[g, 1:] = np.add.reduce(partial, axis=1, dtype=wide)
        out[g, 1:] += np.add.reduce(ones[:, 3 * threes :], axis=1, dtype=wide)
    if groups.left_over is not None:
        out[groups.left_over, 1:] = totals - out[:, 1:].sum(axis=0)
    out[:, 0] = groups.sizes[:, None] - out[:, 1:].sum(axis=1)
    return out.transpose(0, 2, 1)


def find_entries(rows, n_levels):
    """List the samples off the reference level: zero for sparse rows (b, n), else the most frequent level."""
    b, n = rows.shape
    if sp.issparse(rows):
        column = np.repeat(np.arange(b), np.diff(rows.indptr))
        sample, level, reference = rows.indices, rows.data, np.zeros(b, dtype=np.intp)
    else:
        totals = count_keys(rows, n_levels, np.zeros(n, dtype=np.intp), 1)[0]
        reference = totals.argmax(axis=1)
        column, sample = np.nonzero(rows != reference[:, None])
        level = rows[column, sample]
    slot = level.astype(np.int64) * b + column
    return EntryBlock(sample.astype(np.int32), slot.astype(np.int32), reference)


def count_entries(block, n_levels, group, n_groups):
    """Count the entries; the reference level is what they leave of each group."""
    b = len(block.reference)
    base = (group + 1) * (n_levels * b)  # the samples left out share the first table, which is thrown away
    out = np.bincount(base[block.sample] + block.slot, minlength=(n_groups + 1) * n_levels * b)
    out = out.reshape(n_groups + 1, n_levels, b)[1:]
    sizes = np.bincount(group[group >= 0], minlength=n_groups)
    out[:, block.reference, np.arange(b)] = sizes[:, None] - out.sum(axis=1)
    return out.transpose(0, 2, 1)


def count_keys(rows, n_levels, group, n_groups):
    """Count all samples of codes (b, n), feature by feature."""
    inside = None if (group >= 0).all() else np.flatnonzero(group >= 0)
    base = (group if inside is None else group[inside]) * n_levels
    out = np.empty((n_groups * n_levels, len(rows)), dtype=np.int64)
    for j, row in enumerate(rows):
        out[:, j] = np.bincount(base + (row if inside is None else row[inside]), minlength=len(out))
    return out.reshape(n_groups, n_levels, -1).transpose(0, 2, 1)
