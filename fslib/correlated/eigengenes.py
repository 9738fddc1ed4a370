"""A module's eigengene, the one profile that stands for its features, and the merging of modules that share one."""

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.linalg import eigh
from scipy.spatial.distance import squareform


def eigengenes(Z, labels):
    """First left singular vector of each module's standardised features, signed as the module's mean.

    Parameters
    ----------
    Z : array of shape (n, d)
        Standardised columns.
    labels : array of int, shape (d,)
        0 is unassigned and has no eigengene.

    Returns
    -------
    array of shape (n, number of modules)
        Columns of length one and mean zero, for modules 1, 2, ...

    Examples
    --------
    >>> profile = np.array([-2.0, 1.0, 1.0]) / np.sqrt(6)
    >>> eigengenes(np.outer(profile, [1, 1, -1]), np.array([1, 1, 1])).ravel().round(3)
    array([-0.816,  0.408,  0.408])
    """
    vectors = [_eigengene(Z[:, labels == label].astype(float)) for label in range(1, labels.max(initial=0) + 1)]
    return np.column_stack(vectors) if vectors else np.empty((len(Z), 0))


def _eigengene(module):
    n, m = module.shape
    if n <= m:
        vector = eigh(module @ module.T, subset_by_index=[n - 1, n - 1])[1][:, 0]
    else:
        vector = module @ eigh(module.T @ module, subset_by_index=[m - 1, m - 1])[1][:, 0]
    vector /= np.linalg.norm(vector)
    return -vector if vector @ module.sum(axis=1) < 0 else vector


def merge_modules(Z, labels, distance):
    """Merge modules whose eigengenes lie within ``distance = 1 - correlation`` until none do.

    Each round joins by average linkage and computes the eigengenes anew.

    Parameters
    ----------
    Z : array of shape (n, d)
    labels : array of int, shape (d,)
        0 for unassigned, modules numbered from 1.
    distance : float

    Returns
    -------
    array of int, shape (d,)
        Modules numbered by falling size, then by their first feature.
    """
    while labels.max(initial=0) > 1:
        profiles = eigengenes(Z, labels)
        apart = squareform(1 - profiles.T @ profiles, checks=False)
        groups = fcluster(linkage(np.maximum(apart, 0), "average"), distance, criterion="distance")
        merged = np.concatenate([[0], groups])[labels]
        if groups.max() == labels.max():
            break
        labels = merged
    return number_by_size(labels)


def number_by_size(labels):
    """Renumber modules by falling size, then by first feature; 0 stays.

    Examples
    --------
    >>> number_by_size(np.array([3, 0, 7, 7, 3, 2]))
    array([1, 0, 2, 2, 1, 3])
    """
    names, first, sizes = np.unique(labels, return_index=True, return_counts=True)
    order = [i for i in np.lexsort((first, -sizes)) if names[i] != 0]
    renumbered = np.zeros_like(labels)
    for number, i in enumerate(order, start=1):
        renumbered[labels == names[i]] = number
    return renumbered
