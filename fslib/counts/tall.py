"""Counting within many groups: sort the samples by group, count a stretch of groups at a time.

What is counted together is in `fslib.counts.mixed`. A group of more samples than a counter holds is counted in runs.
"""

from functools import partial
from itertools import pairwise

import numpy as np

from fslib.counts.sorted_groups import RUN
from fslib.counts.stretches import stretches
from fslib.counts.threads import PARTS, Turns, run

_COUNTERS = 1 << 23  # bytes of counters made at a time: in the last cache, and threads seldom wait for the interpreter
_TABLE = 1 << 19  # cells of counts passed on at a time: half a MB as bytes, 4 MB otherwise
_STRETCHES = 8  # so many of these are counted at once


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
    counting = _Stretches(mixed, some, groups, unit, n_threads)
    if n_threads == 1:
        state = None
        for counts in counting.tables():
            state = add(state, counts)
        return state
    state, turns, scratch = None, Turns(), [None] * n_threads

    def add_stretch(turn, place):
        nonlocal state
        words = scratch.pop()
        words = counting.scratch() if words is None else words
        tables = counting.count(*place, words)
        with turns.take(turn):  # sums are taken in the order of the groups: their last bits depend on it
            for counts in tables:
                state = add(state, counts)
        scratch.append(words)

    places = enumerate(counting.places())
    list(run([partial(add_stretch, turn, place) for turn, place in places], n_threads, turns))
    return state


def count_sorted(mixed, wanted, groups):
    """Count some features, int64 (n_groups, b, L); ``wanted`` are their places in ``mixed.columns``."""
    some, place = mixed.holding(wanted)
    counts = np.concatenate([table.copy() for table in _Stretches(mixed, some, groups, 1).tables()])
    return mixed.arranged(counts, some, place).astype(np.int64, copy=False)


class _Stretches:
    """Counts of some mixed codes, a stretch of groups after the other."""

    def __init__(self, mixed, some, groups, unit, n_threads=1):
        self.mixed, self.some, self.groups, self.unit = mixed, some, groups, unit
        table, n_tables = (2 * _TABLE, _STRETCHES // 2) if mixed.is_compiled else (_TABLE, _STRETCHES)
        self.at_once = max(1, table // (unit * mixed.n_counters(some))) * unit  # groups of a table that is passed on
        self.most = n_tables * self.at_once  # groups that are counted together
        self.batch = max(1, _COUNTERS // mixed.n_bytes(some))  # samples whose counters are made together
        n_samples = len(groups.order)
        self.n_samples = self.batch if n_threads == 1 else min(self.batch, -(-n_samples // (PARTS * n_threads)))

    def places(self):
        """Yield the stretches: (first, last, whether each group is one run of samples, as in most)."""
        first, groups = 0, self.groups
        while first < groups.n_groups:
            last = groups.stretch(first, self.most, self.n_samples, self.unit)
            start = groups.start[first : last + 1]
            is_small = start[-1] - start[0] <= self.batch and np.diff(start).max() <= RUN
            last = last if is_small else min(last, first + self.at_once)
            yield first, last, is_small
            first = last

    def scratch(self):
        """Memory for the counts of a stretch, used again, since new memory is slow."""
        rows = self.most if self.mixed.is_compiled else min(len(self.groups.order), self.batch + RUN)
        return np.empty(rows * self.mixed.n_counters(self.some) // 8, dtype=np.uint64)

    def count(self, first, last, is_small, scratch):
        """Tables (g, m) of the next g groups; they may lie in ``scratch``."""
        start = self.groups.start[first : last + 1]
        if is_small:
            counts = self.mixed.count(self.groups.order, start, self.some, scratch)
            return [counts[part] for part in stretches(len(counts), self.at_once)]
        if self.mixed.is_compiled:
            return [self.mixed.count_large(self.groups.order, start, self.some)]
        return [_count_runs(self.mixed, self.some, self.groups, first, last, self.batch, scratch)]

    def tables(self):
        """Yield all tables, one after the other."""
        scratch = self.scratch()
        for place in self.places():
            yield from self.count(*place, scratch)


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
