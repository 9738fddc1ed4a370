"""How much a selection of features changes with the sample it is made from."""

from dataclasses import dataclass
from numbers import Real

import numpy as np
from scipy.stats import norm


@dataclass(frozen=True)
class Stability:
    """Stability with its approximate variance and confidence interval."""

    stability: float
    variance: float
    low: float
    high: float


def selection_stability(selections, *, confidence=0.95):
    """Nogueira's measure of the stability of a feature selection, with a confidence interval.

    With M selections of d features, feature f chosen in a share ``p_f`` of them and ``k`` the mean number of chosen
    features,

        stability = 1 - [ M / (M - 1) mean_f p_f (1 - p_f) ] / [ k/d (1 - k/d) ] .

    1 if all selections are the same; 0 in the mean if each chooses at random; negative if they avoid one another.
    Unlike mean overlaps it is corrected for chance, and selections may differ in size.

    Parameters
    ----------
    selections : array of bool, shape (M, d)
        A selection per row, such as ``support_`` of fits on bootstrap samples. At least two.
    confidence : float
        Of the interval, in (0, 1).

    Returns
    -------
    Stability
        The interval is symmetric and normal, good for some 20 selections or more; its ends can pass 1.

    Raises
    ------
    ValueError
        If there are fewer than two selections, all choose everything or all nothing, or ``confidence`` is not between 0
        and 1.

    References
    ----------
    S. Nogueira, K. Sechidis, G. Brown, "On the stability of feature selection algorithms", JMLR 18(174), 2018,
    definition 4 and theorems 7 and 8.

    Examples
    --------
    >>> found = selection_stability([[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]])
    >>> round(found.stability, 3), round(found.low, 3), round(found.high, 3)
    (0.333, -0.022, 0.689)
    """
    is_number = isinstance(confidence, Real) and not isinstance(confidence, bool)
    if not is_number or not 0 < confidence < 1:
        raise ValueError(f"confidence={confidence!r} must be a number between 0 and 1.")
    Z = np.asarray(selections, dtype=bool).astype(float)
    if Z.ndim != 2 or len(Z) < 2:
        raise ValueError(f"need at least two selections as rows, got an array of shape {Z.shape}.")
    M, d = Z.shape
    p, k = Z.mean(axis=0), Z.sum(axis=1)
    share = k.mean() / d
    if share in (0, 1):
        raise ValueError("all selections choose all features, or none: there is nothing that could vary.")
    chance = share * (1 - share)
    value = 1 - M / (M - 1) * np.mean(p * (1 - p)) / chance
    # influence of each selection on the measure, up to a constant
    influence = Z @ p / d - k / d * share + value / 2 * (2 * k / d * share - k / d - share + 1)
    influence /= chance
    variance = 4 / M**2 * np.sum((influence - influence.mean()) ** 2)
    half = norm.ppf((1 + confidence) / 2) * np.sqrt(variance)
    return Stability(float(value), float(variance), float(value - half), float(value + half))
