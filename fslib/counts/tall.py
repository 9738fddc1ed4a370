"""Counting within many groups: sort the samples by group, count a stretch of groups at a time.

What is counted together is in `fslib.counts.mixed`. A group of more samples than a counter holds is counted in runs.
"""

from itertools import pairwise

import numpy as np
import scipy.sparse as sp

from fslib.counts.stretches import stretches

_RUN = 255  # samples that a counter of one byte can count
_COUNTERS = 1 << 23  # bytes of counters made at a time: in the last cache, and threads seldom wait for the interpreter
_TABLE = 1 << 19  # cells of counts passed on at a time: half a MB as bytes, 4 MB otherwise
_STRETCHES = 8  # so many of these are counted at once


class SortedGroups:
    """Samples in the order of their groups; those of group -1 are left out.

    Attributes
    ----------
    order : array of int
        The samples, group by group.
    start : array of int, shape (n_groups + 1,)
        The samples of group g are ``order[start[g] : start[g + 1]]``.

    Examples
    --------
    >>> groups = SortedGroups(np.array([1, -1, 0, 1]), 2)
    >>> groups.order, groups.start
    (array([2, 0, 3], dtype=int32), array([0, 1, 3], dtype=int32))
    """

    def __init__(self, group, n_groups):
        # One entry per row: the other sparse format has them sorted by column, by counting, much faster than argsort.
        n = len(group)
        kind = np.int32 if max(n, n_groups) < 2**31 - 1 else np.int64
        column = group.astype(kind)
        unsigned = column.view(f"u{column.itemsize}")
        np.minimum(unsigned, n_groups, out=unsigned)  # -1 is the largest
        entries = np.empty(n, dtype=np.int8), column, np.arange(n + 1, dtype=kind)
        by_group = sp.csr_array(entries, shape=(n, n_groups + 1)).tocsc()
        self.start = by_group.indptr[:-1]
        self.order = by_group.indices[: self.start[-1]]
        self.n_groups = n_groups

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


def add_up(mixed, some, groups, unit, add):
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

    Returns
    -------
    array of shape (m,)
        What ``add`` returned last; see `MixedCodes.arranged`.
    """
    state = None
    for counts in _counts(mixed, some, groups, unit):
        state = add(state, counts)
    return state


def count_sorted(mixed, wanted, groups):
    """Count some features, int64 (n_groups, b, L); ``wanted`` are their places in ``mixed.columns``."""
    some, place = mixed.holding(wanted)
    counts = np.concatenate(list(_counts(mixed, some, groups, 1)))
    return mixed.arranged(counts, some, place).astype(np.int64, copy=False)


def _counts(mixed, some, groups, unit):
    """Yield counts (g, m) of a stretch of groups after the other."""
    n_counters = mixed.n_counters(some)
    at_once = max(1, _TABLE // (unit * n_counters)) * unit
    batch = max(1, _COUNTERS // (n_counters if mixed.per_byte > 1 else 8 * len(some)))  # samples
    most = min(len(groups.order), batch + _RUN) * n_counters // 8
    scratch = np.empty(most if mixed.per_byte > 1 else 0, dtype=np.uint64)  # reused, since new memory is slow
    first = 0
    while first < groups.n_groups:
        last = groups.stretch(first, _STRETCHES * at_once, batch, unit)
        start = groups.start[first : last + 1]
        if start[-1] - start[0] <= batch and np.diff(start).max() <= _RUN:  # as in most: each group is one run
            counts = mixed.count(groups.order, start, some, scratch)
            yield from (counts[part] for part in stretches(len(counts), at_once))
        else:
            last = min(last, first + at_once)
            yield _count_runs(mixed, some, groups, first, last, batch, scratch)
        first = last


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
