"""Counting within more groups than a table in cache holds: sort the samples by group, count a stretch at a time."""

import numpy as np

_WIDTH = 32  # features counted together, so that additions run along a long axis
_GATHER = 1 << 24  # codes in the order of the groups, held at a time: 32 MB
_TABLE = 1 << 16  # cells of counts held at a time: 512 KB
_KEYS = 1 << 16  # keys made at a time: 512 KB


class SortedGroups:
    """Samples in the order of their groups; those of group -1 are left out.

    Examples
    --------
    >>> groups = SortedGroups(np.array([1, -1, 0, 1]), 2)
    >>> groups.order, groups.group
    (array([2, 0, 3]), array([0, 1, 1]))
    """

    def __init__(self, group, n_groups):
        inside = np.flatnonzero(group >= 0)
        order = np.argsort(group[inside], kind="stable")
        self.order = inside[order]
        self.group = group[self.order]
        self.n_groups = n_groups

    def width(self):
        """Features to count together in bounded memory."""
        return int(np.clip(_GATHER // max(1, len(self.order)), 4, _WIDTH))


def fold_tables(rows, n_levels, groups, unit, add):
    """Pass the counts of some features to a function, a stretch of groups at a time.

    Parameters
    ----------
    rows : array of unsigned int, shape (b, n)
        Codes below ``n_levels``.
    n_levels : int
    groups : SortedGroups
    unit : int
        Groups that must stay together; ``n_groups`` is a multiple.
    add : callable
        Takes what it returned last (first None) and counts (g, b, L) of the next g groups.

    Returns
    -------
    object
        What ``add`` returned last.
    """
    b = len(rows)
    slot = np.empty((b, len(groups.order)), dtype=np.min_scalar_type(n_levels * b - 1))  # in a table of one group
    for j, row in enumerate(rows):
        np.multiply(row.take(groups.order), slot.dtype.type(b), out=slot[j], dtype=slot.dtype)
        slot[j] += slot.dtype.type(j)
    step = max(1, _TABLE // (unit * n_levels * b)) * unit
    firsts = np.arange(0, groups.n_groups, step)
    bounds = np.searchsorted(groups.group, np.append(firsts, groups.n_groups))
    batch = max(1, _KEYS // b)
    state = None
    for first, start, stop in zip(firsts, bounds[:-1], bounds[1:], strict=True):
        n_here = min(step, groups.n_groups - first)
        counts = np.zeros(n_here * n_levels * b, dtype=np.int64)
        for low in range(start, stop, batch):
            samples = slice(low, min(low + batch, stop))
            table = groups.group[samples] - np.int64(first)
            table *= n_levels * b
            counts += np.bincount((slot[:, samples] + table).ravel(), minlength=len(counts))
        state = add(state, counts.reshape(n_here, n_levels, b).transpose(0, 2, 1))
    return state
