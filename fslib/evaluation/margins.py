"""Three answers to "better" and "on par": yes, no, and within the noise.

:func:`exceeds` and :func:`at_most` return None where a difference is within the noise, which :func:`noise_of_pairs` or
:func:`noise_of_spreads` computes; :func:`shorter` does so for run times; :func:`enough` and :func:`share_reaches` count
such answers.
"""

import numpy as np
from scipy import stats

from fslib.base import TIE_TOLERANCE


def noise_of_pairs(a, b, *, test_to_train=0.0, level=0.05):
    """Half-width of the confidence interval of a mean difference over repeats, corrected for splits that overlap.

    ``t(1 - level/2, n - 1) sd(a - b) sqrt(1/n + test_to_train)``: a mean difference is larger than this exactly if
    :func:`~fslib.evaluation.stats.paired_t` rejects at ``level``. Use it where the single repeats of two methods are
    there.

    Parameters
    ----------
    a, b : arrays of shape (n,)
        One score per repeat.
    test_to_train : float
        See :func:`~fslib.evaluation.stats.paired_t`.
    level : float
        Level of the two-sided test.

    Returns
    -------
    float
        NaN for fewer than two repeats.

    Examples
    --------
    >>> a, b = [0.80, 0.85, 0.82, 0.86], [0.78, 0.80, 0.81, 0.82]
    >>> round(noise_of_pairs(a, b), 4), round(noise_of_pairs(a, b, test_to_train=1.0), 4)
    (0.0291, 0.065)
    """
    difference = np.asarray(a, dtype=float) - np.asarray(b, dtype=float)
    if len(difference) < 2:
        return float("nan")
    quantile = stats.t.ppf(1 - level / 2, len(difference) - 1)
    return float(quantile * difference.std(ddof=1) * np.sqrt(1 / len(difference) + test_to_train))


def noise_of_spreads(std_a, std_b, n, *, test_to_train=0.0):
    """One standard error of the difference of two means of which only the spread over n repeats is stored.

    ``sqrt((std_a^2 + std_b^2) (1/n + test_to_train))``. It knows nothing of the pairing: two methods that meet the same
    hard splits differ less than it says. That is why one standard error is asked here, and the 5 % level of
    :func:`noise_of_pairs` where the repeats are there.

    Parameters
    ----------
    std_a, std_b : float or array
        Standard deviations over the repeats (ddof=1).
    n : int or array
        Number of repeats.
    test_to_train : float
        See :func:`~fslib.evaluation.stats.paired_t`.

    Returns
    -------
    float or array
        NaN where a spread is not known.

    Examples
    --------
    >>> round(float(noise_of_spreads(0.03, 0.04, 4)), 3)
    0.025
    """
    variance = np.square(std_a) + np.square(std_b)
    return np.sqrt(variance * (1 / np.asarray(n, dtype=float) + test_to_train))


def exceeds(difference, margin=0.0, noise=0.0):
    """Decide "better by more than a margin": True, False, or None for undecided.

    Parameters
    ----------
    difference, margin : float
    noise : float
        From :func:`noise_of_pairs` or :func:`noise_of_spreads`; 0 for exact numbers, which are never undecided.

    Returns
    -------
    bool or None
        True if the difference is above the margin by more than the noise, False if it is below by more than the noise
        (without noise: not above), None otherwise, also for noise that is not known (NaN).

    Examples
    --------
    >>> exceeds(0.03, noise=0.01), exceeds(-0.03, noise=0.01), exceeds(0.003, noise=0.01), exceeds(0.0)
    (True, False, None, False)
    """
    above = float(difference) - margin
    rounding = TIE_TOLERANCE * max(abs(difference), abs(margin))
    if above > noise + rounding:
        return True
    return False if -above > noise + rounding or noise == 0 else None


def at_most(difference, tolerance=0.0, noise=0.0):
    """Decide "not worse by more than a tolerance", which is also "on par within": True, False, or None for undecided.

    Parameters
    ----------
    difference, tolerance : float
    noise : float
        See :func:`exceeds`.

    Returns
    -------
    bool or None
        True if the difference with the noise added stays within the tolerance, False if it is beyond by more than the
        noise, None otherwise.

    Examples
    --------
    >>> at_most(0.002, 0.01, noise=0.005), at_most(0.02, 0.01, noise=0.005), at_most(0.008, 0.01, noise=0.005)
    (True, False, None)
    >>> at_most(0.0)
    True
    """
    beyond = exceeds(difference, tolerance, noise)
    if noise == 0 or beyond is not None:
        return not beyond
    within = float(difference) + noise <= tolerance + TIE_TOLERANCE * max(abs(difference), abs(tolerance))
    return True if within else None


CLEARLY = 0.9
"""Ratio of two run times below which the first is clearly shorter."""


def shorter(ratio, spread, clearly=CLEARLY):
    """Decide whether a ratio of two run times is clearly below 1.

    Parameters
    ----------
    ratio, spread : float
        The ratio, and its standard deviation over repeats.
    clearly : float
        What a ratio must stay below.

    Returns
    -------
    bool or None
        True if the ratio with its spread is at most ``clearly``, False if the ratio less its spread is above 1, None
        otherwise, also where the spread is not known (NaN).

    Examples
    --------
    >>> shorter(0.5, 0.1), shorter(1.2, 0.1), shorter(0.95, 0.01), shorter(0.5, float("nan"))
    (True, False, None, None)
    """
    if at_most(ratio, clearly, spread):
        return True
    return False if exceeds(ratio, 1.0, spread) else None


def enough(outcomes, share=1.0):
    """Decide whether a share of comparisons is true, some of which are undecided.

    Parameters
    ----------
    outcomes : iterable of bool or None
    share : float
        1 demands all.

    Returns
    -------
    bool or None
        True if the decided ones are enough, False if the undecided ones could not make up for what is missing, None
        otherwise.

    Raises
    ------
    ValueError
        If there is no outcome.

    Examples
    --------
    >>> enough([True, True, None], 0.6), enough([True, False, None], 0.6), enough([True, False, False], 0.6)
    (True, None, False)
    """
    outcomes = list(outcomes)
    if not outcomes:
        raise ValueError("there is nothing to count; a claim without a comparison cannot be tested.")
    wanted = share * len(outcomes) - 1e-9
    certain = sum(outcome is not None and bool(outcome) for outcome in outcomes)
    possible = certain + sum(outcome is None for outcome in outcomes)
    return True if certain >= wanted else None if possible >= wanted else False


def share_reaches(count, n, least):
    """Decide whether a share is at least so large, where the counted comparisons have no repeats.

    Parameters
    ----------
    count, n : int
        Comparisons that came out, and all of them.
    least : float
        The share that is claimed.

    Returns
    -------
    bool or None
        None if the share is within one standard error of a share, ``sqrt(least (1 - least) / n)``, of what is claimed.

    Examples
    --------
    >>> share_reaches(18, 20, 0.75), share_reaches(15, 20, 0.75), share_reaches(12, 20, 0.75)
    (True, None, False)
    """
    return at_most(least - count / n, 0.0, np.sqrt(least * (1 - least) / n))
