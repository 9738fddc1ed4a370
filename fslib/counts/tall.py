"""Counting within more groups than a table in cache holds: sort the samples by group, count a stretch at a time."""

import numpy as np
import scipy.sparse as sp

from fslib.counts.stretches import stretches

_WIDTH = 32  # features counted together, so that additions run along a long axis
_GATHER = 1 << 24  # codes in the order of the groups, held at a time: 32 MB
_JOINT = 1 << 16  # codes of several features at once, gathered together: two bytes
_SAMPLES = 1 << 15  # samples whose codes are put together or taken apart at a time
_TABLE = 1 << 16  # cells of counts held at a time: 512 KB
_KEYS = 1 << 16  # keys made at a time: 512 KB


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
        column[group < 0] = n_groups
        entries = np.empty(n, dtype=np.int8), column, np.arange(n + 1, dtype=kind)
        by_group = sp.csr_array(entries, shape=(n, n_groups + 1)).tocsc()
        self.start = by_group.indptr[:-1]
        self.order = by_group.indices[: self.start[-1]]
        self.n_groups = n_groups

    def width(self):
        """Features to count together in bounded memory."""
        return int(np.clip(_GATHER // max(1, len(self.order)), 4, _WIDTH))


def fold_tables(codes, columns, n_levels, groups, unit, add):
    """Pass the counts of some features to a function, a stretch of groups at a time.

    Parameters
    ----------
    codes : array of unsigned int, shape (d, n)
    columns : array of int, shape (b,)
        Rows of ``codes``, below ``n_levels``.
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
    b = len(columns)
    slot = _slots(codes, columns, n_levels, groups.order)
    step = max(1, _TABLE // (unit * n_levels * b)) * unit
    batch = max(1, _KEYS // b)
    state = None
    for first in range(0, groups.n_groups, step):
        start = groups.start[first : first + step + 1]
        counts = np.zeros((len(start) - 1) * n_levels * b, dtype=np.int64)
        table = np.arange(len(start) - 1) * (n_levels * b)
        for part in stretches(start[-1] - start[0], batch):
            samples = slice(start[0] + part.start, start[0] + part.stop)
            n_here = np.diff(np.clip(start, samples.start, samples.stop))
            key = slot[:, samples] + np.repeat(table, n_here)
            counts += np.bincount(key.ravel(), minlength=len(counts))
        state = add(state, counts.reshape(-1, n_levels, b).transpose(0, 2, 1))
    return state


def _slots(codes, columns, n_levels, order):
    """Where each sample counts in a table of one group, ``level * b + feature``, (b, len(order)), in that order.

    Reading in random order takes most of the time, so several features are put into one code, read, and taken apart.
    """
    b = len(columns)
    out = np.empty((b, len(order)), dtype=np.min_scalar_type(n_levels * b - 1))
    together = max(1, int(np.log(_JOINT) / np.log(max(2, n_levels)) + 1e-9))
    for some in stretches(b, together):
        mixed = _mix(codes, columns[some], n_levels).take(order)
        for part in stretches(len(order), _SAMPLES):
            code = mixed[part]
            for j in range(some.stop - 1, some.start, -1):
                rest = code // code.dtype.type(n_levels)
                np.subtract(code, rest * code.dtype.type(n_levels), out=out[j, part], casting="unsafe")
                code = rest
            out[some.start, part] = code
    out *= out.dtype.type(b)
    out += np.arange(b, dtype=out.dtype)[:, None]
    return out


def _mix(codes, columns, n_levels):
    """One code for several features, digits to the base ``n_levels``; the last feature has the lowest digit."""
    if len(columns) == 1:
        return codes[columns[0]]
    kind = np.min_scalar_type(n_levels ** len(columns) - 1)
    out = np.empty(codes.shape[1], dtype=kind)
    for part in stretches(len(out), _SAMPLES):
        code = codes[columns[0], part].astype(kind)
        for column in columns[1:]:
            code *= kind.type(n_levels)
            code += codes[column, part]
        out[part] = code
    return out
