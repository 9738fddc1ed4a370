"""Counts of (feature, level) within groups of samples: the one primitive under every discrete criterion.

With ``group = class`` it gives the univariate tables, with ``group = (level of a chosen feature, class)`` the pairwise
tables, with ``group = (cell of the chosen features, class)`` the tables of exact greedy search.

Three ways to count, all exact, chosen by cost:

* *packed*: every level but the first is a row of bits over the samples; a count is a bitwise AND with the bits of the
  group and a population count, 64 samples per word. Level 0, and the largest group, follow by subtraction.
* *bincount*: one key per sample, for columns with many levels and for many groups.
* *sparse*: the same keys over the stored entries only.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
from joblib import effective_n_jobs

PACKED_LEVELS = 16  # bits of up to 15 levels take no more room than two bytes per sample
PACKED_TABLE = 128  # number of ANDs per column above which one pass over the samples is cheaper
_SCRATCH = 1 << 17  # words of scratch per block: 1 MB, stays in cache
_TABLE = 1 << 19  # cells of counts per block: 4 MB


class LevelCounter:
    """Counts how often each level of each feature occurs within groups of samples.

    Parameters
    ----------
    levels : Levels
        Encoded data, dense or sparse.
    n_jobs : int or None
        Threads; joblib's meaning. The counts are integers, so they do not depend on it.

    Notes
    -----
    Peak memory beyond ``levels``: n (L - 1) d / 8 bytes of packed bits for the columns with at most 16 levels, made at
    the first count that uses them, and a few MB per thread. Columns with equal numbers of levels are counted together,
    so that one column with a thousand levels does not widen the tables of the others.

    Examples
    --------
    >>> from fslib.levels import encode_levels
    >>> X = np.array([[0, 1], [1, 1], [1, 2], [0, 1]])
    >>> y = np.array([0, 0, 1, 1])
    >>> counter = LevelCounter(encode_levels(X))
    >>> counter.count(y, 2)[1]          # class 1: feature 0 has one 0 and one 1; feature 1 one 1 and one 2
    array([[1, 1],
           [1, 1]])
    >>> counter.score(mutual_information, y, 2).round(3)
    array([0.   , 0.216])
    """

    def __init__(self, levels, *, n_jobs=None):
        self.levels = levels
        self.n_jobs = effective_n_jobs(n_jobs)
        self._packed = {}
        # Columns by number of levels; beyond 16, by its magnitude, so that no column is padded more than twofold.
        n_levels = levels.n_levels
        size = np.where(n_levels <= PACKED_LEVELS, n_levels, 1 << np.ceil(np.log2(np.maximum(n_levels, 1))).astype(int))
        members = [np.flatnonzero(size == s) for s in np.unique(size)]
        self._bins = [(int(n_levels[columns].max()), columns) for columns in members]

    def blocks(self, group, n_groups):
        """Count block of columns by block of columns, in bounded memory.

        Parameters
        ----------
        group : array of int, shape (n,)
            Group of each sample, below ``n_groups``; -1 leaves the sample out.
        n_groups : int

        Yields
        ------
        columns : array of int, shape (b,)
            The features of this block; every feature comes once.
        counts : array of int64, shape (n_groups, b, L)
            ``counts[g, j, l]`` samples of group g have level l of feature ``columns[j]``; L is the largest number of
            levels in the block. Features are the fastest axis in memory where that helps.
        """
        yield from self._map(lambda counts: counts, group, n_groups)

    def score(self, function, group, n_groups):
        """Apply a function of the tables to every feature, in bounded memory and with threads.

        Parameters
        ----------
        function : callable
            Takes counts (n_groups, b, L), returns an array (..., b).
        group, n_groups
            As for `blocks`.

        Returns
        -------
        array of shape (..., d)
        """
        out = None
        for columns, values in self._map(function, group, n_groups):
            if out is None:
                out = np.empty((*values.shape[:-1], self.levels.shape[1]), dtype=values.dtype)
            out[..., columns] = values
        return out

    def count(self, group, n_groups, columns=None):
        """All counts in one array, levels that a feature does not have counted as 0.

        Parameters
        ----------
        group, n_groups
            As for `blocks`.
        columns : array of int or None
            The features wanted, by default all.

        Returns
        -------
        array of int64, shape (n_groups, d, L)
            With L the largest number of levels of any feature wanted.
        """
        levels = self.levels
        if columns is not None:
            return LevelCounter(levels.columns(columns), n_jobs=self.n_jobs).count(group, n_groups)
        out = np.zeros((n_groups, levels.shape[1], int(levels.n_levels.max())), dtype=np.int64)
        for block, counts in self.blocks(group, n_groups):
            out[:, block, : counts.shape[2]] = counts
        return out

    def _map(self, function, group, n_groups):
        """Yield (columns, function(counts)) for every block."""
        group = np.asarray(group)
        n = self.levels.shape[0]
        if group.shape != (n,) or group.dtype.kind not in "iu":
            raise ValueError(f"group must hold one integer per sample ({n}), got {group.dtype} {group.shape}.")
        if n and not -1 <= group.min() <= group.max() < n_groups:
            raise ValueError(f"group codes must lie between -1 and {n_groups - 1}.")
        group = group.astype(np.intp, copy=False)
        tasks = list(self._tasks(group, n_groups))
        run = lambda task: (task[0], function(task[1]()))
        if self.n_jobs == 1 or len(tasks) == 1:
            yield from map(run, tasks)
        else:
            with ThreadPoolExecutor(self.n_jobs) as pool:
                yield from pool.map(run, tasks)

    def _tasks(self, group, n_groups):
        """Yield (columns, function that counts them), with the cheapest way to count."""
        masks = None
        for n_levels, columns in self._bins:
            if not self.levels.is_sparse and n_levels <= PACKED_LEVELS and (n_levels - 1) * n_groups <= PACKED_TABLE:
                if masks is None:
                    masks = _group_masks(group, n_groups)
                for block in self._packed_blocks(n_levels, columns):
                    yield block[0], partial(_count_packed, *block[1:], *masks)
                continue
            count = _count_sparse if self.levels.is_sparse else _count_keys
            width = max(1, _TABLE // (n_groups * n_levels))
            for start in range(0, len(columns), width):
                part = columns[start : start + width]
                yield part, partial(count, self.levels.codes, part, n_levels, group, n_groups)

    def _packed_blocks(self, n_levels, columns):
        """(columns, bits, totals) of the columns with ``n_levels`` levels, packed at the first call."""
        if n_levels not in self._packed:
            words = -(-self.levels.shape[0] // 64)
            width = max(32, _SCRATCH // (words * max(1, n_levels - 1)))
            parts = [columns[start : start + width] for start in range(0, len(columns), width)]
            self._packed[n_levels] = [(part, *_pack(self.levels.codes, part, n_levels)) for part in parts]
        return self._packed[n_levels]


def _pack(codes, columns, n_levels):
    """Bits of the levels above 0, uint64 (L - 1, words, b), and how often each occurs, (L - 1, b)."""
    rows = _rows(codes, columns)
    bits = np.stack([_words(rows == level) for level in range(1, n_levels)]) if n_levels > 1 else None
    if bits is None:
        bits = np.empty((0, -(-codes.shape[1] // 64), len(columns)), dtype=np.uint64)
    return bits, _popcount(bits, codes.shape[1])


def _words(flags):
    """Pack flags (b, n) into 64-bit words (words, b); any order of the bits will do, as long as all share it."""
    b, n = flags.shape
    packed = np.zeros((b, 8 * -(-n // 64)), dtype=np.uint8)
    packed[:, : -(-n // 8)] = np.packbits(flags, axis=1)
    return np.ascontiguousarray(packed.view(np.uint64).T)


def _popcount(bits, n):
    """Count set bits over the words, (L - 1, words, b) -> (L - 1, b); ``n`` bounds the result."""
    return np.bitwise_count(bits).sum(axis=1, dtype=np.min_scalar_type(n))


def _group_masks(group, n_groups):
    """Bits of the groups that are counted, (G, words, 1), their indices, the one left to subtraction, all sizes."""
    sizes = np.bincount(group[group >= 0], minlength=n_groups)
    # The largest group is what the others leave over, if no sample is left out.
    skipped = int(sizes.argmax()) if sizes.sum() == len(group) else None
    counted = [g for g in range(n_groups) if g != skipped]
    masks = np.stack([_words((group == g)[None]) for g in counted]) if counted else None
    return masks, counted, skipped, sizes


def _count_packed(bits, totals, masks, counted, skipped, sizes):
    """Count a packed block: (n_groups, b, L)."""
    L, (words, b) = len(bits) + 1, bits.shape[1:]
    out = np.empty((len(sizes), L, b), dtype=np.int64)
    scratch, ones = np.empty(bits.shape, dtype=np.uint64), np.empty(bits.shape, dtype=np.uint8)
    # Three words hold at most 192 ones: their sum still fits a byte, which keeps the additions vectorised.
    threes = 3 * (words // 3)
    partial = np.empty((L - 1, words // 3, b), dtype=np.uint8)
    wide = np.min_scalar_type(64 * words)
    for mask, g in zip(masks if counted else (), counted, strict=True):
        np.bitwise_and(bits, mask, out=scratch)
        np.bitwise_count(scratch, out=ones)
        np.add.reduce(ones[:, :threes].reshape(L - 1, words // 3, 3, b), axis=2, dtype=np.uint8, out=partial)
        out[g, 1:] = np.add.reduce(partial, axis=1, dtype=wide)
        out[g, 1:] += np.add.reduce(ones[:, threes:], axis=1, dtype=wide)
    if skipped is not None:
        out[skipped, 1:] = totals - out[counted, 1:].sum(axis=0)
    out[:, 0] = sizes[:, None] - out[:, 1:].sum(axis=1)
    return out.transpose(0, 2, 1)


def _count_keys(codes, columns, n_levels, group, n_groups):
    """Count with one key per sample: (n_groups, b, L)."""
    inside = group >= 0
    everyone = inside.all()
    base = (group if everyone else group[inside]) * n_levels
    out = np.empty((len(columns), n_groups * n_levels), dtype=np.int64)
    for row, j in zip(out, columns, strict=True):
        row[:] = np.bincount(base + (codes[j] if everyone else codes[j, inside]), minlength=len(row))
    return out.reshape(-1, n_groups, n_levels).transpose(1, 0, 2)


def _count_sparse(codes, columns, n_levels, group, n_groups):
    """Count stored entries: (n_groups, b, L); level 0 is what they leave of each group."""
    part = _rows(codes, columns)
    row = np.repeat(np.arange(len(columns)) * n_levels, np.diff(part.indptr)) + part.data
    key = row * (n_groups + 1) + (group + 1)[part.indices]  # slot 0 takes the samples left out
    out = np.bincount(key, minlength=len(columns) * n_levels * (n_groups + 1))
    out = out.reshape(len(columns), n_levels, n_groups + 1)[:, :, 1:]
    out[:, 0] = np.bincount(group[group >= 0], minlength=n_groups) - out[:, 1:].sum(axis=1)
    return out.transpose(2, 0, 1)


def _rows(codes, columns):
    """Rows of codes; a view if they are consecutive."""
    first, last = columns[0], columns[-1]
    return codes[first : last + 1] if last - first + 1 == len(columns) else codes[columns]


def xlogx(counts):
    """Elementwise x ln x, with 0 ln 0 = 0.

    Examples
    --------
    >>> xlogx(np.array([0, 1, 2])).round(3)
    array([0.   , 0.   , 1.386])
    """
    counts = np.asarray(counts, dtype=float)
    return counts * np.log(np.maximum(counts, 1.0))


def mutual_information(counts):
    """Mutual information of group and level, in nats, of every feature.

    Parameters
    ----------
    counts : array of int, shape (n_groups, b, L)
        As `LevelCounter` returns them.

    Returns
    -------
    array of shape (b,)
        Between 0 and the smaller of the two entropies; the plug-in estimate, without correction for its bias.

    Examples
    --------
    >>> same, independent = [[2, 0], [0, 2]], [[1, 1], [1, 1]]
    >>> mutual_information(np.stack([same, independent], axis=1)).round(3)
    array([0.693, 0.   ])
    """
    m = max(1, counts[:, 0].sum())
    within_groups = xlogx(counts[:, 0].sum(axis=1)).sum()
    within_levels = xlogx(counts.sum(axis=0)).sum(axis=1)
    joint = xlogx(counts).sum(axis=(0, 2))
    whole = m * np.log(m)
    bound = whole - np.maximum(within_groups, within_levels)
    return np.clip(joint - within_groups - within_levels + whole, 0.0, bound) / m
