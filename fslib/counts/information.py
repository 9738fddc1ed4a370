"""Entropy and mutual information from tables of counts."""

import numpy as np


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
