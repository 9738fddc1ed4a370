"""Published numbers: whether a value gives their digits."""

import numpy as np


def gives_digits(value, published):
    """Whether a value gives the digits of a published number, rounded or cut off.

    Parameters
    ----------
    value : float
    published : str
        As published, such as "0.70".

    Returns
    -------
    rounded, cut_off : bool

    Examples
    --------
    >>> gives_digits(87.699, "87.69"), gives_digits(87.699, "87.70"), gives_digits(87.699, "87.7")
    ((False, True), (True, False), (True, False))
    """
    wanted, unit = float(published), 10.0 ** -len(published.partition(".")[2])
    rounded = abs(value - wanted) <= unit / 2 * (1 + 1e-9)
    cut_off = abs(np.floor(value / unit + 1e-9) * unit - wanted) < unit / 2
    return bool(rounded), bool(cut_off)
