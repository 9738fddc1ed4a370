"""Samples sorted by group."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import scipy.sparse as sp

RUN = 255
"""Samples that a counter of one byte can count."""

_FEW = 1 << 11  # samples up to which comparing keys is faster than to make a sparse matrix of them
_FEW_GROUPS = 4  # so few that comparing is faster, too


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
        n_runs = -(-np.diff(start) // RUN)
        group = np.repeat(np.arange(last - first), n_runs)
        within = np.arange(len(group)) - np.repeat(np.cumsum(n_runs) - n_runs, n_runs)
        return np.append(start[group] + RUN * within.astype(start.dtype), start[-1]), group


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
