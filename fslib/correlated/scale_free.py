"""Which power makes a correlation network scale-free: few features with many links, many with few."""

import numpy as np

from fslib.solvers.correlation import correlation_blocks

POWERS = np.array([*range(1, 11), 12, 14, 16, 18, 20])
N_BINS = 10
GOOD_FIT = 0.85

USUAL_POWER = ((20, 9), (30, 8), (40, 7), (np.inf, 6))
"""(samples below which, power) for networks of absolute correlations in which no power fits."""


def connectivities(Z, powers=POWERS):
    """Sum ``k_i = sum_{j != i} |z_i^T z_j|^p`` for every feature and power.

    Parameters
    ----------
    Z : array of shape (n, d)
        Standardised columns, none constant.
    powers : array of int, ascending

    Returns
    -------
    array of shape (number of powers, d)

    Notes
    -----
    O(d^2 n) for the correlations and O(d^2) per power; a block of correlations at a time is in memory.
    """
    k = np.zeros((len(powers), Z.shape[1]))
    for rows, columns, block in correlation_blocks(Z):
        np.abs(block, out=block)
        power = np.ones_like(block)
        at = 0
        for p, strength in enumerate(powers):
            for _ in range(strength - at):
                power *= block
            at = strength
            k[p, rows] += power.sum(axis=1)
            if rows != columns:
                k[p, columns] += power.sum(axis=0)
    return np.maximum(k - 1, 0)  # without the correlation of a feature with itself


def scale_free_fit(connectivity, n_bins=N_BINS):
    """Fit of a power law to the distribution of connectivity: ``R^2`` of log share on log connectivity.

    The range of connectivity is cut into equal bins; mean connectivity and share of features in a bin are its point.

    Parameters
    ----------
    connectivity : array of shape (d,)
    n_bins : int

    Returns
    -------
    float
        In [-1, 1]; negative if the line rises, which no scale-free network's does. 0 if all connectivities are equal.

    Examples
    --------
    Connectivity 1 to 100 with shares that fall as its square.

    >>> k = np.repeat(np.arange(1, 101), (1e6 / np.arange(1, 101) ** 2).astype(int))
    >>> scale_free_fit(k) > 0.95, scale_free_fit(101 - k) < 0
    (True, True)
    """
    k = np.asarray(connectivity, dtype=float)
    if np.ptp(k) <= 1e-12 * k.max():
        return 0.0
    edges = np.linspace(k.min(), k.max(), n_bins + 1)
    bins = np.clip(np.searchsorted(edges, k, side="left") - 1, 0, n_bins - 1)  # bins are (low, high], as R cuts
    count = np.bincount(bins, minlength=n_bins)
    total = np.bincount(bins, weights=k, minlength=n_bins)
    mean = np.where(count > 0, total / np.maximum(count, 1), (edges[:-1] + edges[1:]) / 2)
    if mean[0] == 0:
        mean[0] = edges[1] / 2
    x, y = np.log10(mean), np.log10(count / len(k) + 1e-9)
    correlation = np.corrcoef(x, y)[0, 1]
    return float(-np.sign(correlation) * correlation**2)


def choose_power(fits, mean_connectivity, n_samples, powers=POWERS):
    """Smallest power up to 14 with a fit of 0.85 and a mean connectivity of at most 100, else the usual one.

    Parameters
    ----------
    fits, mean_connectivity : arrays of shape (number of powers,)
    n_samples : int
        Decides the usual power: 9 below 20 samples, 8 below 30, 7 below 40, else 6.
    powers : array of int

    Returns
    -------
    int

    Examples
    --------
    >>> choose_power([0.2, 0.9, 0.95], [50, 20, 5], 60, [1, 2, 3])
    2
    >>> choose_power([0.2, 0.3, 0.4], [50, 20, 5], 25, [1, 2, 3])
    8
    """
    for power, fit, mean in zip(powers, fits, mean_connectivity, strict=True):
        if power <= 14 and fit >= GOOD_FIT and mean <= 100:
            return int(power)
    return next(usual for below, usual in USUAL_POWER if n_samples < below)


def first_power_that_fits(fits, powers=POWERS):
    """Do as the R package: first power whose ``R^2`` exceeds 0.85, whether the line falls or rises.

    Raises
    ------
    ValueError
        If there is none: R hands on a missing value, and the search for modules stops there.

    Examples
    --------
    >>> first_power_that_fits([-0.9, 0.95], [1, 2])
    1
    """
    good = np.flatnonzero(np.abs(fits) > GOOD_FIT)
    if len(good):
        return int(powers[good[0]])
    raise ValueError("no power makes the network scale-free (R^2 above 0.85); pass power=6, say.")
