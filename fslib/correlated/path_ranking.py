"""Rank features by where they enter a path of falling penalties."""

import numpy as np


def rank_by_entry(path, reserve):
    """Order features by entry, within one penalty by size; those that never enter follow by their reserve score.

    Parameters
    ----------
    path : array of shape (number of penalties, d)
        Coefficients, largest penalty first.
    reserve : array of shape (d,)
        For features whose coefficient is zero all along; larger is better.

    Returns
    -------
    order : array of int, shape (d,)
    entry : array of int, shape (d,)
        Number of the first penalty with a coefficient; the number of penalties for features without any.

    Examples
    --------
    >>> rank_by_entry(np.array([[0, 0, 0, 0], [0, 2, 0, -3], [1, 2, 0, -3]]), reserve=np.zeros(4))
    (array([3, 1, 0, 2]), array([2, 1, 3, 1]))
    """
    active = path != 0
    entry = np.where(active.any(axis=0), active.argmax(axis=0), len(path))
    size = np.abs(path[np.minimum(entry, len(path) - 1), np.arange(path.shape[1])])
    second = np.where(entry < len(path), size, reserve)
    return np.lexsort((np.arange(len(entry)), -second, entry)), entry
