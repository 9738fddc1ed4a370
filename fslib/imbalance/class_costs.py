"""The weight of a class: how much an error on one of its samples counts."""

import numpy as np

from fslib.classes import encode_classes


def rare_class(counts):
    """Position of the rarest class, the positive one; of equals the last.

    Examples
    --------
    >>> rare_class([7, 3]), rare_class([5, 5])
    (1, 1)
    """
    counts = np.asarray(counts)
    return len(counts) - 1 - int(np.argmin(counts[::-1]))


def class_costs(counts, alpha=0.0):
    """Cost of an error on one sample of each class; at ``alpha=0`` every class has a total of 1.

    Parameters
    ----------
    counts : array of int, shape (c,)
        Samples of each class.
    alpha : float
        In [0, 1): moves weight from the majority to the minority class. For two classes only.

    Returns
    -------
    array of shape (c,)

    Raises
    ------
    ValueError
        If ``alpha`` is outside [0, 1), or not 0 and there are more than two classes.

    Examples
    --------
    >>> class_costs([8, 2]), class_costs([8, 2], alpha=0.2)
    (array([0.125, 0.5  ]), array([0.1, 0.6]))
    """
    if not 0 <= alpha < 1:
        raise ValueError(f"alpha={alpha!r} must be a number in [0, 1).")
    counts = np.asarray(counts)
    if alpha and len(counts) != 2:
        raise ValueError(f"alpha={alpha!r} needs two classes, but y has {len(counts)}; use alpha=0.")
    shares = np.full(len(counts), 1 - alpha)
    shares[rare_class(counts)] = 1 + alpha
    return shares / counts  # braytee Eq. 3.1.1


def sample_costs(y, alpha=0.0):
    """Cost of each sample, with mean 1, since only ratios matter.

    Parameters
    ----------
    y : array of shape (n,)
    alpha : float

    Returns
    -------
    classes : array of shape (c,)
    costs : array of shape (n,)

    Raises
    ------
    ValueError
        See ``class_costs``.

    Examples
    --------
    >>> sample_costs(["no", "no", "no", "yes"])[1].round(3)
    array([0.667, 0.667, 0.667, 2.   ])
    """
    classes, codes = encode_classes(y)
    costs = class_costs(np.bincount(codes), alpha)[codes]
    return classes, costs / costs.mean()
