"""Ways to count levels within groups of samples, all exact, for blocks of features with equally many levels.

* *bits*: AND and population count, 64 samples per word, see `fslib.counts.bits`.
* *keys*: one key for every sample; the way for many groups; here.
* *entries*: only the samples off a feature's most frequent level, see `fslib.counts.entries`.

All return int64 arrays of shape (n_groups, b, L), of which the feature axis b is the fastest in memory: criteria add up
over groups and levels, and those sums then run along the long axis.
"""

import numpy as np

from fslib.counts.stretches import stretches, take_rows

_SAMPLES = 1 << 17  # samples whose keys are made at a time: 1 MB
_JOINT = 1 << 17  # cells of a joint table of several features: 1 MB
TOGETHER = 8  # features in a joint table at most


def group_sizes(group, n_groups):
    """Count the samples of each group; -1 is none."""
    sizes = np.zeros(n_groups + 1, dtype=np.int64)
    for part in stretches(len(group), max(_SAMPLES, n_groups)):
        sizes += np.bincount(group[part] + np.int64(1), minlength=n_groups + 1)
    return sizes[1:]


def count_keys(codes, columns, n_levels, group, n_groups):
    """Count all samples, several features in one pass where their joint table stays in cache.

    Parameters
    ----------
    codes : array of unsigned int, shape (d, n)
    columns : array of int, shape (b,)
        Rows of ``codes``, below ``n_levels``.
    n_levels : int
    group : array of int, shape (n,)
    n_groups : int

    Returns
    -------
    array of int64, shape (n_groups, b, L)
    """
    b, n = len(columns), codes.shape[1]
    out = np.empty((n_groups, n_levels, b), dtype=np.int64)
    together = 1
    while together < min(b, TOGETHER) and n_groups * n_levels ** (together + 1) <= min(_JOINT, n // 4):
        together += 1
    for part in stretches(b, together):
        joint = _count_joint(codes, columns[part], n_levels, group, n_groups)  # (n_groups, L, ..., L)
        for axis in range(1, joint.ndim):
            others = tuple(other for other in range(1, joint.ndim) if other != axis)
            out[:, :, part.start + axis - 1] = joint.sum(axis=others)
    return out.transpose(0, 2, 1)


def _count_joint(codes, columns, n_levels, group, n_groups):
    """Count the combinations of levels of a few features, (n_groups, L, ..., L)."""
    n_joint = n_levels ** len(columns)
    small = np.min_scalar_type(n_joint - 1)
    out = np.zeros((n_groups + 1) * n_joint, dtype=np.int64)  # the samples left out share the first table
    for part in stretches(codes.shape[1], max(_SAMPLES, len(out))):
        rows = take_rows(codes[:, part], columns)
        code = rows[0]
        if len(rows) > 1:
            code = code.astype(small)
            for row in rows[1:]:
                code *= small.type(n_levels)
                code += row
        key = group[part] + np.int64(1)
        key *= n_joint
        key += code
        out += np.bincount(key, minlength=len(out))
    return out[n_joint:].reshape(n_groups, *[n_levels] * len(columns))
