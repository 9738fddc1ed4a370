"""Counts of (feature, level) within groups of samples: the one primitive under every discrete criterion.

With ``group = class`` it gives the univariate tables, with ``group = (level of a chosen feature, class)`` the pairwise
tables, with ``group = (cell of the chosen features, class)`` the tables of exact greedy search.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
from joblib import effective_n_jobs

from fslib.counts.kernels import count_entries, count_keys, count_packed, find_entries, pack_columns, pack_groups

PACKED_LEVELS = 16  # bits of up to 15 levels take no more room than two bytes per sample
PACKED_TABLE = 48  # bit rows per feature, levels times groups, above which one pass over the samples is cheaper
ENTRY_SHARE = 0.25  # share of samples off the reference level below which only they are visited
_SCRATCH = 1 << 17  # words of scratch per block: 1 MB, stays in cache
_TABLE = 1 << 17  # cells of counts per block: 1 MB


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
    The way to count is chosen by cost, see `fslib.counts.kernels`: few groups n G (L - 1) d / 64 word operations, many
    groups n d, or the number of entries if X is sparse or nearly so. Peak memory beyond ``levels``, made when first
    needed: n (L - 1) d / 8 bytes of packed bits (features with at most 16 levels), or 8 bytes per entry; and a few MB
    per thread. Features with equally many levels are counted together, so that one feature with a thousand levels does
    not widen the tables of the others.

    Examples
    --------
    >>> from fslib.counts.levels import encode_levels
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
        self._entries = {}
        # Features by number of levels; beyond 16, by its magnitude, so that no feature is padded more than twofold.
        n_levels = levels.n_levels
        size = np.where(n_levels <= PACKED_LEVELS, n_levels, PACKED_LEVELS + np.ceil(np.log2(n_levels)))
        members = [np.flatnonzero(size == s) for s in np.unique(size)]
        self._bins = [(int(n_levels[columns].max()), columns) for columns in members]

    def blocks(self, group, n_groups):
        """Count block of features by block of features, in bounded memory.

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
            levels in the block. The feature axis is the fastest in memory.
        """
        yield from self._map(lambda counts: counts, group, n_groups)

    def score(self, function, group, n_groups):
        """Apply a function of the tables to every feature, in bounded memory and with threads.

        Parameters
        ----------
        function : callable
            Takes counts (n_groups, b, L), returns an array (..., b).
        group : array of int, shape (n,)
            Group of each sample, below ``n_groups``; -1 leaves the sample out.
        n_groups : int

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
        """Count into one array; levels that a feature does not have are counted as 0.

        Parameters
        ----------
        group : array of int, shape (n,)
            Group of each sample, below ``n_groups``; -1 leaves the sample out.
        n_groups : int
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
        tasks = list(self._tasks(group.astype(np.intp, copy=False), n_groups))
        run = lambda task: (task[0], function(task[1]()))
        if self.n_jobs == 1 or len(tasks) == 1:
            yield from map(run, tasks)
        else:
            with ThreadPoolExecutor(self.n_jobs) as pool:
                yield from pool.map(run, tasks)

    def _tasks(self, group, n_groups):
        """Yield (columns, function that counts them), with the cheapest way to count."""
        group_bits = None
        for n_levels, columns in self._bins:
            few = n_levels <= PACKED_LEVELS and max(1, n_levels - 1) * n_groups <= PACKED_TABLE
            if few and not self.levels.is_sparse:
                group_bits = group_bits or pack_groups(group, n_groups)
                for part, block in self._packed_blocks(n_levels, columns):
                    yield part, partial(count_packed, block, group_bits)
                continue
            for part, entries in self._entry_blocks(n_levels, columns, n_groups):
                if entries is None:
                    yield part, partial(count_keys, _rows(self.levels.codes, part), n_levels, group, n_groups)
                else:
                    yield part, partial(count_entries, entries, n_levels, group, n_groups)

    def _packed_blocks(self, n_levels, columns):
        """Pairs (columns, packed bits), packed at the first call."""
        if n_levels not in self._packed:
            words = -(-self.levels.shape[0] // 64)
            parts = _split(columns, _SCRATCH // (words * max(1, n_levels - 1)))
            self._packed[n_levels] = [(part, pack_columns(_rows(self.levels.codes, part), n_levels)) for part in parts]
        return self._packed[n_levels]

    def _entry_blocks(self, n_levels, columns, n_groups):
        """Pairs (columns, entries, or None where most samples are entries), kept while the width stays the same."""
        width = 1 << max(0, int(np.log2(_TABLE / (n_groups * n_levels))))
        if self._entries.get(n_levels, (None,))[0] != width:
            blocks = [(part, self._find_entries(part, n_levels)) for part in _split(columns, width)]
            self._entries[n_levels] = width, blocks
        return self._entries[n_levels][1]

    def _find_entries(self, columns, n_levels):
        rows = _rows(self.levels.codes, columns)
        entries = find_entries(rows, n_levels)
        worthwhile = self.levels.is_sparse or len(entries.sample) < ENTRY_SHARE * rows.size
        return entries if worthwhile else None


def _split(columns, width):
    width = max(1, width)
    return [columns[start : start + width] for start in range(0, len(columns), width)]


def _rows(codes, columns):
    """Rows of codes; a view if they are consecutive."""
    first, last = columns[0], columns[-1]
    return codes[first : last + 1] if last - first + 1 == len(columns) else codes[columns]


def xlogx(counts):
    """Elementwise x ln x for x >= 0, with 0 ln 0 = 0.

    Examples
    --------
    >>> xlogx(np.array([0, 1, 2])).round(3)
    array([0.   , 0.   , 1.386])
    """
    counts = np.asarray(counts, dtype=float)
    return counts * np.log(np.where(counts > 0, counts, 1.0))


def mutual_information(counts):
    """Mutual information of group and level, in nats, of every feature.

    Parameters
    ----------
    counts : array of int, shape (n_groups, b, L)
        ``counts[g, j, l]``: samples of group g with level l of feature j.

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
    of_group = xlogx(counts[:, 0].sum(axis=1)).sum()
    of_level = xlogx(counts.sum(axis=0)).sum(axis=1)
    joint = xlogx(counts).sum(axis=0).sum(axis=1)
    whole = m * np.log(m)
    bound = whole - np.maximum(of_group, of_level)
    return np.clip(joint - of_group - of_level + whole, 0.0, bound) / m
