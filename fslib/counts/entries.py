"""Counting by entries: only the samples off a feature's reference level are visited; the way for sparse features."""

from typing import NamedTuple

import numpy as np

from fslib.counts.kernels import group_sizes


class Entries(NamedTuple):
    """Samples off the reference level of each feature, feature after feature."""

    start: np.ndarray  # (d + 1,): the entries of feature j are start[j] ... start[j + 1]
    sample: np.ndarray
    level: np.ndarray
    reference: np.ndarray  # (d,)

    def block(self, first, last):
        """Entries of the features from ``first`` up to ``last``, as views."""
        part = slice(self.start[first], self.start[last])
        start = self.start[first : last + 1] - self.start[first]
        return Entries(start, self.sample[part], self.level[part], self.reference[first:last])


def sparse_entries(rows):
    """Entries of sparse rows (d, n), whose reference level is zero; nothing is copied."""
    return Entries(rows.indptr.astype(np.intp), rows.indices, rows.data, np.zeros(rows.shape[0], dtype=np.intp))


def dense_entries(codes, columns, reference):
    """Entries of some rows of dense codes (d, n): 4 bytes for the sample and those of the code."""
    samples, levels = [], []
    for j, most in zip(columns, reference, strict=True):
        sample = np.flatnonzero(codes[j] != most).astype(np.int32)
        samples.append(sample)
        levels.append(codes[j, sample])
    start = np.concatenate([[0], np.cumsum([len(sample) for sample in samples])])
    return Entries(start, np.concatenate(samples), np.concatenate(levels), reference)


def entry_slots(entries):
    """Where each entry counts in a table of the block, ``level * b + feature``, int32."""
    b = len(entries.reference)
    slot = np.repeat(np.arange(b, dtype=np.int32), np.diff(entries.start))
    slot += entries.level * np.int32(b)
    return slot


def count_entries(entries, slot, n_levels, group, n_groups):
    """Count the entries; the reference level is what they leave of each group.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> X = sp.csr_array(np.array([[0, 2, 0, 1]]))
    >>> entries = sparse_entries(X)
    >>> count_entries(entries, entry_slots(entries), 3, np.array([0, 0, 1, 1]), 2)[:, 0].tolist()
    [[1, 0, 1], [1, 1, 0]]
    """
    b = len(entries.reference)
    base = (group + np.int64(1)) * (n_levels * b)  # the samples left out share the first table, which is thrown away
    key = base.take(entries.sample)
    key += slot
    out = np.bincount(key, minlength=(n_groups + 1) * n_levels * b)
    out = out.reshape(n_groups + 1, n_levels, b)[1:]
    out[:, entries.reference, np.arange(b)] = group_sizes(group, n_groups)[:, None] - out.sum(axis=1)
    return out.transpose(0, 2, 1)
