"""Curves of an objective: whether they rise, and where they settle."""

import numpy as np


def never_rises(values, tol=1e-8):
    """Whether no step raises the objective by more than ``tol`` of its size.

    Parameters
    ----------
    values : array of shape (n_iter,)
    tol : float

    Returns
    -------
    bool

    Examples
    --------
    >>> never_rises(np.array([3.0, 2.0, 2.0])), never_rises(np.array([3.0, 2.0, 2.1]))
    (True, False)
    """
    return bool((np.diff(values) <= tol * np.abs(values[:-1])).all())


def settles_at(values, change=1e-3):
    """Find the first iteration, counted from 1, that changes the objective by less than ``change`` of its size.

    Parameters
    ----------
    values : array of shape (n_iter,)
    change : float

    Returns
    -------
    float
        Infinity if there is none.

    Examples
    --------
    >>> settles_at(np.array([3.0, 2.0, 2.0])), settles_at(np.array([3.0, 2.0]))
    (3.0, inf)
    """
    small = np.flatnonzero(np.abs(np.diff(values)) < change * np.abs(values[:-1]))
    return float(small[0] + 2) if len(small) else np.inf
