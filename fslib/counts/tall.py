"""Counting within many groups: sort the samples by group, count a stretch of groups at a time.

What is counted together is in `fslib.counts.mixed`. A group of more samples than a counter holds is counted in runs.
"""

from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
import scipy.sparse as sp

from fslib.counts.stretches import stretches
from fslib.counts.threads import PARTS, Turns, run

_RUN = 255  # samples that a counter of one byte can count
_COUNTERS = 1 << 23  # bytes of counters made at a time: in the last cache, and threads seldom wait for the interpreter
_TABLE = 1 << 19  # cells of counts passed on at a time: half a MB as bytes, 4 MB otherwise
_STRETCHES = 8  # so many of these are counted at once
_FEW_GROUPS = 4  # so few that comparing is faster, too
_FEW = 1 << 11  # samples up to which comparing keys is faster than to make a sparse matrix of them


@dataclass(frozen=True)
class SortedGroups:
    """Samples in the order of their groups, and ascending within each; some may be left out.

    Attributes
    ----------
    order : array of int
        The samples, group by group.
    start : array of int, shape (n_groups + 1,)
        The samples of group g are ``order[start[g] : start[g + 1]]``.
    n_samples : int
        With those left out.

    Examples
    --------
    >>> groups = SortedGroups.of(np.array([1, -1, 0, 1]), 2)
    >>> groups.order, groups.start
    (array([2, 0, 3], dtype=int32), array([0, 1, 3], dtype=int32))
    """

    order: np.ndarray
    start: np.ndarray
    n_samples: int

    @classmethod
    def of(cls, group, n_groups):
        """Sort samples by group (array of int, shape (n,)); those of group -1 are left out."""
        n = len(group)
        if n > _FEW and n_groups <= _FEW_GROUPS:
            members = [np.flatnonzero(group == g).astype(index_type(n)) for g in range(n_groups)]
            start = np.cumsum([0, *map(len, members)], dtype=index_type(n))
            return cls(np.concatenate(members), start, n)
        column = group.astype(index_type(max(n, n_groups)))
        unsigned = column.view(f"u{column.itemsize}")
        np.minimum(unsigned, n_groups, out=unsigned)  # -1 is the largest
        order, start = _counting_sort(np.arange(n, dtype=index_type(n)), column, n_groups + 1)
        return cls(order[: start[-2]], start[:-1], n)

    @property
    def n_groups(self):
        """Number of groups."""
        return len(self.start) - 1

    def each(self, values):
        """Value of the group of each sample in ``order``, of one for each group."""
        return np.repeat(values, np.diff(self.start))

    def sort(self, key, n_groups):
        """Groups of the same samples by another key (array of int, one for each of ``order``)."""
        return SortedGroups(*_counting_sort(self.order, key, n_groups), self.n_samples)

    def split(self, K, codes, n_codes, kernel, order):
        """Split cells of K groups each by the level of their samples, with a compiled kernel.

        Parameters
        ----------
        K : int
        codes : array of int
            Level of each sample, below ``n_codes``.
        n_codes : int
        kernel : callable
            `fslib.counts.numba_kernels.split_cells`.
        order : array of int
            As long as that of these groups; the order of the new ones is kept in it.

        Returns
        -------
        SortedGroups
            Of the cells in which at least two groups are not empty.
        array of int, shape (K,)
            Samples of each group in the others.
        """
        n_cells = min(self.n_groups // K * n_codes, len(self.order) // 2)
        start = np.empty(n_cells * K + 1, dtype=self.start.dtype)
        pure = np.zeros(K, dtype=np.int64)
        n_kept = kernel(self.order, self.start, codes, n_codes, order, start, pure)
        start = start[: n_kept * K + 1]
        return SortedGroups(order[: start[-1]], start, self.n_samples), pure

    def keep(self, kept):
        """Leave out units of groups (array of bool, one for each unit); the others are numbered anew."""
        unit = self.n_groups // len(kept)
        if kept.all():
            return self
        start = np.zeros(np.count_nonzero(kept) * unit + 1, dtype=self.start.dtype)
        np.cumsum(np.diff(self.start).reshape(-1, unit).compress(kept, axis=0), out=start[1:])
        ends = start[::unit]
        place = np.repeat(self.start[:-1:unit].compress(kept) - ends[:-1], np.diff(ends))
        place += np.arange(len(place), dtype=place.dtype)
        return SortedGroups(self.order.take(place), start, self.n_samples)

    def pack(self, left):
        """Number the samples anew, once there are only those left in groups (array of int, in ascending order)."""
        place = np.empty(self.n_samples, dtype=self.order.dtype)
        place[left] = np.arange(len(left))
        return SortedGroups(place.take(self.order), self.start, len(left))

    def parts(self, n_samples, unit):
        """Cut after whole units of groups into parts of about so many samples, or of one unit."""
        cuts = np.searchsorted(self.start[::unit], np.arange(n_samples, len(self.order), n_samples)) * unit
        for first, last in pairwise(np.unique([0, *cuts, self.n_groups])):
            start = self.start[first : last + 1]
            yield SortedGroups(self.order[start[0] : start[-1]], start - start[0], self.n_samples)

    @classmethod
    def joined(cls, parts, order=None):
        """The groups of several, of different samples, one after the other, as their orders are in ``order``, if given.

        There may be gaps between these.
        """
        if len(parts) == 1:
            return parts[0]
        n_before = np.cumsum([0, *(len(part.order) for part in parts)]).astype(parts[0].start.dtype)
        starts = [part.start[:-1] + n for part, n in zip(parts, n_before[:-1], strict=True)]
        if order is None or len(order) > n_before[-1]:
            order = np.concatenate([part.order for part in parts])
        return cls(order, np.concatenate([*starts, n_before[-1:]]), parts[0].n_samples)

    def stretch(self, first, n_groups, n_samples, unit):
        """Where a stretch ends that begins with group ``first``: at so many groups or samples, after a whole unit."""
        enough = int(np.searchsorted(self.start, self.start[first] + n_samples, side="right")) - 1
        n_groups = min(n_groups, enough - first) // unit * unit
        return min(first + max(unit, n_groups), self.n_groups)

    def runs(self, first, last):
        """Cut the samples of some groups, from ``first`` to before ``last``, into runs of one group each.

        Returns
        -------
        start : array of int, shape (r + 1,)
            The samples of run i are ``order[start[i] : start[i + 1]]``, from one to 255.
        group : array of int, shape (r,)
            Group of each run, counted from ``first``.
        """
        start = self.start[first : last + 1]
        n_runs = -(-np.diff(start) // _RUN)
        group = np.repeat(np.arange(last - first), n_runs)
        within = np.arange(len(group)) - np.repeat(np.cumsum(n_runs) - n_runs, n_runs)
        return np.append(start[group] + _RUN * within.astype(start.dtype), start[-1]), group


def add_up(mixed, some, groups, unit, add, n_threads=1):
    """Pass counts to a function that adds up over groups, a stretch of groups at a time.

    Parameters
    ----------
    mixed : MixedCodes
    some : array of int
        Which mixed codes.
    groups : SortedGroups
    unit : int
        Groups that must stay together; ``n_groups`` is a multiple.
    add : callable
        Takes what it returned last (first None) and counts (g, m) of the next g groups, uint8 or int64: of each group
        m counters, one for a level of a feature. Returns an array (m,).
    n_threads : int

    Returns
    -------
    array of shape (m,)
        What ``add`` returned last; see `MixedCodes.arranged`.
    """
    state, turns, scratch = None, Turns(), [None] * n_threads

    def add_stretch(turn, first, last):
        nonlocal state
        with turns.failing():
            words = scratch.pop()
            words = _scratch(mixed, some, groups, unit) if words is None else words
            tables = _count(mixed, some, groups, unit, first, last, words)
            with turns.take(turn):  # sums are taken in the order of the groups: their last bits depend on it
                for counts in tables:
                    state = add(state, counts)
            scratch.append(words)

    places = _stretches(mixed, some, groups, unit, n_threads)
    list(run([partial(add_stretch, i, *place) for i, place in enumerate(places)], n_threads))
    return state


def count_sorted(mixed, wanted, groups):
    """Count some features, int64 (n_groups, b, L); ``wanted`` are their places in ``mixed.columns``."""
    some, place = mixed.holding(wanted)
    scratch = _scratch(mixed, some, groups, 1)
    tables = (_count(mixed, some, groups, 1, *stretch, scratch) for stretch in _stretches(mixed, some, groups, 1))
    counts = np.concatenate([table.copy() for several in tables for table in several])
    return mixed.arranged(counts, some, place).astype(np.int64, copy=False)


def _at_once(mixed, some, unit):
    """Groups of a table that is passed on, and how many such tables are counted together."""
    table, n_tables = (2 * _TABLE, _STRETCHES // 2) if mixed.is_compiled else (_TABLE, _STRETCHES)
    return max(1, table // (unit * mixed.n_counters(some))) * unit, n_tables


def _stretches(mixed, some, groups, unit, n_threads=1):
    """Pairs (first, last) of groups that are counted together."""
    at_once, n_tables = _at_once(mixed, some, unit)
    batch = _batch(mixed, some)
    n_samples = batch if n_threads == 1 else min(batch, -(-len(groups.order) // (PARTS * n_threads)))
    first = 0
    while first < groups.n_groups:
        last = groups.stretch(first, n_tables * at_once, n_samples, unit)
        if not _is_small(groups, first, last, batch):
            last = min(last, first + at_once)
        yield first, last
        first = last


def _batch(mixed, some):
    """Samples whose counters are made together."""
    return max(1, _COUNTERS // mixed.n_bytes(some))


def _is_small(groups, first, last, batch):
    """Whether each group is one run, as in most stretches."""
    start = groups.start[first : last + 1]
    return start[-1] - start[0] <= batch and np.diff(start).max() <= _RUN


def _scratch(mixed, some, groups, unit):
    """Memory for the counts of a stretch, used again, since new memory is slow."""
    at_once, n_tables = _at_once(mixed, some, unit)
    rows = n_tables * at_once if mixed.is_compiled else min(len(groups.order), _batch(mixed, some) + _RUN)
    return np.empty(rows * mixed.n_counters(some) // 8, dtype=np.uint64)


def _count(mixed, some, groups, unit, first, last, scratch):
    """Count a stretch of groups: tables (g, m) of the next g groups."""
    start, batch = groups.start[first : last + 1], _batch(mixed, some)
    if _is_small(groups, first, last, batch):
        counts = mixed.count(groups.order, start, some, scratch)
        return [counts[part] for part in stretches(len(counts), _at_once(mixed, some, unit)[0])]
    if mixed.is_compiled:
        return [mixed.count_large(groups.order, start, some)]
    return [_count_runs(mixed, some, groups, first, last, batch, scratch)]


def _count_runs(mixed, some, groups, first, last, batch, scratch):
    """Counts (g, m) of the groups from ``first`` to before ``last``, however large they are."""
    start, group = groups.runs(first, last)
    counts = np.zeros((last - first, mixed.n_counters(some)), dtype=np.int64)
    cuts = np.searchsorted(start[1:], np.arange(start[0], start[-1], batch), side="right")
    cuts = np.unique(np.append(cuts, len(group)))
    for part in (slice(*pair) for pair in pairwise(cuts)):
        heads = np.flatnonzero(np.diff(group[part], prepend=-1))
        of_runs = mixed.count(groups.order, start[part.start : part.stop + 1], some, scratch)
        counts[group[part][heads]] += np.add.reduceat(of_runs, heads, axis=0, dtype=np.int64)
    return counts


def in_order(group, n_groups):
    """Samples by group, given as `SortedGroups` or as the group of each, as `SortedGroups`."""
    return group if isinstance(group, SortedGroups) else SortedGroups.of(group, n_groups)


def by_sample(group):
    """Samples by group, given as `SortedGroups` or as the group of each, as the latter; -1 for those left out."""
    if not isinstance(group, SortedGroups):
        return group
    kind = np.min_scalar_type(-max(1, group.n_groups))
    out = np.full(group.n_samples, -1, dtype=kind)
    out[group.order] = group.each(np.arange(group.n_groups, dtype=kind))
    return out


def index_type(n):
    """Smallest type that SciPy indexes n things with."""
    return np.int32 if n < 2**31 - 1 else np.int64


def _counting_sort(samples, key, n_keys):
    """Sort samples by key, in O(n + n_keys) and stable: (samples, start of each key and the end)."""
    if len(key) <= _FEW:
        start = np.zeros(n_keys + 1, dtype=key.dtype)
        np.cumsum(np.bincount(key, minlength=n_keys), out=start[1:])
        return samples.take(key.argsort(kind="stable")), start
    # Entries of one row: the other sparse format has them sorted by column, by counting, much faster than argsort.
    row = sp.csr_array((samples, key, np.array([0, len(key)], dtype=key.dtype)), shape=(1, n_keys))
    by_key = row.tocsc()
    return by_key.data, by_key.indptr
