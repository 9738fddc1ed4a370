"""Counts of (feature, level) within groups of samples: the one primitive under every discrete criterion.

With ``group = class`` it gives the univariate tables, with ``group = (level of a chosen feature, class)`` the pairwise
tables, with ``group = (cell of the chosen features, class)`` the tables of exact greedy search.
"""

from functools import partial
from itertools import islice

import numpy as np
from joblib import effective_n_jobs

from fslib.counts.compiled_bits import LevelGroups
from fslib.counts.information import mutual_information, xlogx
from fslib.counts.sorted_groups import SortedGroups, by_sample, in_order
from fslib.counts.tall import add_up
from fslib.counts.threads import PARTS, run
from fslib.counts.ways import PACKED_LEVELS, Ways

__all__ = ["LevelCounter", "mutual_information", "xlogx"]

_PIECE = 1 << 16  # samples that are worth a thread
_FEW_KEYS = 1 << 12  # samples beyond which a key for each is the way to count features of more than 16 levels


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
    The way to count is chosen by cost, see `fslib.counts.ways`: few groups n G (L - 1) d / 64 word operations, and G /
    K for G if the groups lie within K classes (`sort_by`), many groups n d and perhaps a sort, or the number of entries
    if X is sparse or nearly so. Peak memory beyond ``levels``: bits of the codes, n ceil(log2 L) d / 8 bytes (features
    with at most 16 levels), or 4 bytes per entry, both up to `fslib.counts.ways.CACHE`; codes of several features in a
    byte, at most a third of the codes; the entries of dense features off their most frequent level, 5 bytes each and at
    most a third of the codes; and some MB per thread. Features with equally many levels are counted together, so that
    one feature with a thousand levels does not widen the tables of the others.

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

    _tall = 1 << 11  # cells of counts per feature from which samples are sorted by group

    def __init__(self, levels, *, n_jobs=None):
        self.levels = levels
        self.n_jobs = effective_n_jobs(n_jobs)
        self._ways = Ways(levels, self.n_jobs)
        self._bins = self._ways.bins
        self._everyone = None  # groups of one class

    def blocks(self, group, n_groups):
        """Count block of features by block of features, in bounded memory.

        Parameters
        ----------
        group : array of int, shape (n,), or SortedGroups
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
        group : array of int, shape (n,), or SortedGroups
            Group of each sample, below ``n_groups``; -1 leaves the sample out.
        n_groups : int

        Returns
        -------
        array of shape (..., d)
        """
        return self._gather(self._map(function, group, n_groups, pad=True))

    def score_with(self, function, j, classes=None, n_classes=1):
        """Apply a function of the tables within the levels of feature j to every feature; `score` for pairs.

        Parameters
        ----------
        function : callable
            Takes counts (L K, b, L'), of which group ``level * K + class`` is one of the L levels of feature j.
        j : int
        classes : array of int, shape (n,), optional
            Codes below K; without them K is 1.
        n_classes : int
            K.

        Returns
        -------
        array of shape (..., d)
        """
        group = self._level_groups(j, classes, n_classes)
        return self._gather(self._map(function, group, int(self.levels.n_levels[j]) * n_classes, pad=True))

    def _level_groups(self, j, classes, n_classes):
        if classes is None and self._everyone is None:
            self._everyone = np.zeros(self.levels.shape[0], dtype=np.int8)
        return self._ways.level_groups(j, self._everyone if classes is None else classes, n_classes)

    def _gather(self, blocks):
        """Put blocks of values (..., b) together."""
        out = None
        for columns, values in blocks:
            if out is None:
                out = np.empty((*values.shape[:-1], self.levels.shape[1]), dtype=values.dtype)
            out[..., columns] = values
        return out

    def count(self, group, n_groups, columns=None):
        """Count into one array; levels that a feature does not have are counted as 0.

        Parameters
        ----------
        group : array of int, shape (n,), or SortedGroups
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

    def width(self, n_levels, n_groups):
        """Features of so many levels in a block."""
        return self._ways.width(n_levels, n_groups)

    def is_tall(self, n_groups):
        """Whether `fold` is faster than `score`, since tables are large or there is a call per feature."""
        if self.levels.is_sparse:
            return False
        n_levels = int(self.levels.n_levels.max())
        many = n_levels > PACKED_LEVELS and self.levels.shape[0] > _FEW_KEYS
        if n_groups * n_levels > self._tall * (8 if many else 1):
            return True
        if self._ways.is_packed(n_levels, n_groups) or self._ways.has_entries(n_groups):
            return False
        return self._ways.sorts(n_levels)

    def fold(self, add, finish, group, n_groups, unit, columns=None):
        """Apply a function that adds up over groups to every feature, without a table of all groups.

        Parameters
        ----------
        add : callable
            Takes what it returned last (first None) and counts (g, m) of the next g groups, uint8 or int64: of each
            group m counters, one for a level of a feature. Returns an array (m,).
        finish : callable
            Takes what ``add`` returned last, by feature and level, (b, L), and returns an array (..., b).
        group : array of int, shape (n,), or SortedGroups
            Group of each sample, below ``n_groups``; -1 leaves the sample out.
        n_groups : int
        unit : int
            Groups that must stay together; ``n_groups`` is a multiple.
        columns : array of int or None
            The features wanted, by default all; the values of others are not set.

        Returns
        -------
        array of shape (..., d)
        """
        wanted = np.zeros(self.levels.shape[1], dtype=bool)
        wanted[slice(None) if columns is None else columns] = True
        self._ways.forget_bits()  # groups get more during a search, and bits are for few
        groups = in_order(self._check_group(group, n_groups), n_groups)
        mixes = self._ways.mixes

        def fold(i, n_threads=1):
            mixed = mixes.part(i, n_threads)
            some, place = mixed.holding(np.flatnonzero(wanted[mixed.columns]))
            return finish(mixed.arranged(add_up(mixed, some, groups, unit, add, n_threads), some, place))

        here = [i for i, part in enumerate(mixes.parts) if wanted[part].any()]
        first = [i for i in here if mixes.is_compiled(i)]
        others = [i for i in here if not mixes.is_compiled(i)]
        values = [fold(i, self.n_jobs) for i in first]
        values += run([partial(fold, i) for i in others], self.n_jobs)
        parts = [mixes.parts[i] for i in first + others]
        return self._gather(zip((part[wanted[part]] for part in parts), values, strict=True))

    def column(self, j):
        """Codes of feature j as a dense array of the smallest signed type, shape (n,)."""
        return self._ways.column(j)

    def keep_nothing(self):
        """Keep no bits and no slots of entries, which only further calls would use."""
        self._ways.free = 0

    def sort_by(self, classes, n_classes, n_counts):
        """Expect counts of groups that hold samples of one class only, such as (level, class): these get cheaper.

        Parameters
        ----------
        classes : array of int, shape (n,)
            Codes below ``n_classes``.
        n_classes : int
        n_counts : int
            How many such counts will follow; for few it is not done.
        """
        if not self.levels.is_sparse:
            self._ways.sort_by(classes, n_classes, n_counts)

    def forget(self):
        """Free what was kept from one call to the next."""
        self._ways.forget()

    def _check_group(self, group, n_groups):
        if isinstance(group, SortedGroups | LevelGroups):
            return group
        group = np.asarray(group)
        n = self.levels.shape[0]
        if group.shape != (n,) or group.dtype.kind not in "iu":
            raise ValueError(f"group must hold one integer per sample ({n}), got {group.dtype} {group.shape}.")
        if n and not -1 <= group.min() <= group.max() < n_groups:
            raise ValueError(f"group codes must lie between -1 and {n_groups - 1}.")
        return group

    def _map(self, function, group, n_groups, pad=False):
        """Yield (columns, function(counts)) for every block.

        With ``pad`` the value of a feature does not depend on the features that are counted with it, to the last bit.
        """
        group = by_sample(self._check_group(group, n_groups))
        apply = partial(self._padded, function, n_groups) if pad else function
        n_pieces = self._pieces(n_groups)
        tasks = self._tasks(group, n_groups, n_pieces)
        if n_pieces == 1:
            runs = [lambda task=task: apply(task.finish(task.pieces[0]())) for task in tasks]
            yield from zip((task.columns for task in tasks), run(runs, self.n_jobs), strict=True)
            return
        counted = run([piece for task in tasks for piece in task.pieces], self.n_jobs)
        for task in tasks:
            yield task.columns, apply(task.finish(sum(islice(counted, len(task.pieces)))))

    def _tasks(self, group, n_groups, n_pieces):
        """List of `fslib.counts.ways.Task`, the blocks of features; samples may be cut into so many pieces."""
        return self._ways.tasks(group, n_groups, n_pieces)

    def _pieces(self, n_groups):
        """Into how many pieces the samples are cut for threads: 1 where there are blocks enough to share out."""
        n_blocks = sum(-(-len(columns) // self.width(n_levels, n_groups)) for n_levels, columns in self._bins)
        if self.n_jobs == 1 or n_blocks >= 4 * self.n_jobs:
            return 1
        of_thread = 2 if self.levels.kernels is None else PARTS
        return min(max(1, self.levels.shape[0] // _PIECE), of_thread * self.n_jobs)

    def _padded(self, function, n_groups, counts):
        """Value of a table function; a feature by itself is doubled, since NumPy would add it up in another order."""
        is_alone = self._ways.is_alone(counts.shape[2], n_groups)
        if counts.shape[1] > 1 and is_alone:
            tables = (np.ascontiguousarray(counts[:, [j]]) for j in range(counts.shape[1]))
            return np.concatenate([function(table) for table in tables], axis=-1)
        if counts.shape[1] > 1 or is_alone:
            return function(counts)
        twice = np.repeat(counts.transpose(0, 2, 1), 2, axis=2).transpose(0, 2, 1)
        return function(twice)[..., :1]
