"""Can published measures of multi-label prediction belong to one prediction? Bounds that hold for any classifier.

Each function derives what one number says about another and returns the range in which that must lie; ``Range.holds``
compares with what is published. Published numbers are rounded or cut off, and are means over folds: ``hidden`` says how
far below and above a published number the true one may lie, and ``slack`` widens bounds by a share, for the means.
"""

from typing import NamedTuple

import numpy as np

EXACT = (0.0, 0.0)
THREE_DIGITS = (0.0005, 0.001)
"""What three digits hide, whether they were rounded or cut off: the true value is in [v - 0.0005, v + 0.001]."""


class Range(NamedTuple):
    """Where a number must lie, given others."""

    low: float
    high: float

    def holds(self, value, hidden=EXACT, slack=0.0):
        """Whether a published value can lie in the range.

        Parameters
        ----------
        value : float
        hidden : pair of float
            How far below and above the value the true one may lie.
        slack : float
            Share by which the range is widened at either end.

        Returns
        -------
        bool
        """
        below, above = hidden
        return bool(self.low * (1 - slack) <= value + above and value - below <= self.high * (1 + slack))


def subset_accuracy_range(hamming_loss, n_labels, hidden=EXACT):
    """Subset accuracies that go with a Hamming loss.

    A wrong row has at least 1 and at most all c of its labels wrong. With a share e of wrong rows the Hamming loss is
    between ``e / c`` and ``e``, so that ``1 - e`` is between ``1 - c HL`` and ``1 - HL``.

    Parameters
    ----------
    hamming_loss : float
    n_labels : int
        c.
    hidden : pair of float
        How far below and above the given values the true ones may lie.

    Returns
    -------
    Range
        The bounds are linear, so that they hold for means over folds as well.

    Examples
    --------
    >>> subset_accuracy_range(0.1, 6).holds(0.5), subset_accuracy_range(0.1, 6).holds(0.3)
    (True, False)
    """
    low, high = hamming_loss - hidden[0], hamming_loss + hidden[1]
    return Range(max(0.0, 1 - n_labels * high), 1 - low)


def density_range(micro_f1, hamming_loss, hidden=EXACT):
    """Label densities that go with micro-F1 and Hamming loss.

    As shares of all n c entries, with true positives t and errors ``HL = fp + fn``, ``F1 = 2 t / (2 t + HL)``, so that
    ``t = F1 HL / (2 (1 - F1))``. The density is ``q = t + fn`` and ``0 <= fn <= HL``: it is between t and ``t + HL``.

    Parameters
    ----------
    micro_f1, hamming_loss : float
    hidden : pair of float
        How far below and above the given values the true ones may lie.

    Returns
    -------
    Range
        Of means over folds it holds only about: t is not linear in F1. Use a slack.

    Examples
    --------
    Half of the labels found, no false one: F1 = 2/3, and errors are half of the density.

    >>> density_range(2 / 3, 0.1)
    Range(low=0.1, high=0.2)
    """
    found = lambda f1, loss: f1 * loss / (2 * (1 - f1)) if f1 < 1 else np.inf
    low = found(max(0.0, micro_f1 - hidden[0]), max(0.0, hamming_loss - hidden[0]))
    high_loss, high_f1 = hamming_loss + hidden[1], min(1.0, micro_f1 + hidden[1])
    return Range(round(float(low), 12), round(float(found(high_f1, high_loss) + high_loss), 12))


def largest_average_precision(ranking_loss, labels_per_row, n_labels):
    """Largest mean average precision of any ranking without ties whose mean ranking loss is given.

    In a row with m relevant and N irrelevant labels let ``v_i`` be the number of irrelevant labels above the i-th
    relevant one, ``0 <= v_1 <= ... <= v_m <= N``. Its ranking loss is ``sum_i v_i / (m N)``, its average precision
    ``(1/m) sum_i i / (i + v_i)``: linear, and convex, in v. For a given trade-off between the two the best v is
    therefore an extreme point, at which the last k relevant labels lie below all irrelevant ones and the others above.
    Pushing down the i-th costs ``N / (i + N)`` of precision per unit of loss, more the smaller i is, so that for
    the mean over rows the cheapest units are taken first until the loss is reached.

    Parameters
    ----------
    ranking_loss : float
    labels_per_row : array of int, shape (n,)
        Number of relevant labels of each row; rows with none or all of them are left out.
    n_labels : int

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If the loss is not in [0, 1] or no row is left.

    Examples
    --------
    One relevant label of two, wrong in half of the rows: precision 1/2 there.

    >>> largest_average_precision(0.5, [1, 1], 2)
    0.75
    """
    m = np.asarray(labels_per_row)
    m = m[(m > 0) & (m < n_labels)].astype(int)
    if not len(m) or not 0 <= ranking_loss <= 1:
        raise ValueError("A ranking loss lies in [0, 1] and needs rows with some, but not all, of the labels.")
    counts = np.bincount(m)
    price, amount = [], []
    for size in np.flatnonzero(counts):
        i = np.arange(1, size + 1)
        price.append((n_labels - size) / (i + n_labels - size))
        amount.append(np.full(size, counts[size] / len(m) / size))
    price, amount = np.concatenate(price), np.concatenate(amount)
    order = np.argsort(price, kind="stable")
    used = np.clip(ranking_loss - (np.cumsum(amount[order]) - amount[order]), 0, amount[order])
    return float(1 - used @ price[order])


class Offset(NamedTuple):
    """Differences of two rows of a table: their mean, standard deviation and range."""

    mean: float
    std: float
    spread: float


def constant_offset(values, reference):
    """How nearly one row of a table is another plus a constant.

    Parameters
    ----------
    values, reference : arrays of shape (k,)
        One measure of two methods on k data sets.

    Returns
    -------
    Offset
        Its ``spread``, largest minus smallest difference, is 0 for a constant and at most 0.001 for one hidden by
        rounding to three digits.

    Examples
    --------
    >>> constant_offset([0.508, 0.708], [0.500, 0.700]).spread < 1e-12
    True
    """
    difference = np.asarray(values, dtype=float) - np.asarray(reference, dtype=float)
    return Offset(float(difference.mean()), float(difference.std(ddof=1)), float(np.ptp(difference)))


class CommonFactor(NamedTuple):
    """Estimates of one factor from several measures: each of them, and their range."""

    estimates: dict
    spread: float


def common_factor(values, reference, *, falling, rising):
    """How nearly measures of one method are those of another times one factor r, or ``2 - r`` where larger is better.

    Parameters
    ----------
    values, reference : dict of str to float
        Measures of two methods on one data set.
    falling : sequence of str
        Measures for which smaller is better: ``value = r reference``.
    rising : sequence of str
        Measures for which larger is better: ``value = (2 - r) reference``.

    Returns
    -------
    CommonFactor
        The spread of the estimates of r is 0 if one factor explains all measures.

    Raises
    ------
    ValueError
        If a reference is 0.

    Examples
    --------
    >>> common_factor({"loss": 0.18, "f1": 0.55}, {"loss": 0.2, "f1": 0.5}, falling=["loss"], rising=["f1"]).spread
    0.0
    """
    zero = [name for name in (*falling, *rising) if reference[name] == 0]
    if zero:
        raise ValueError(f"{zero[0]} of the reference is 0, from which no factor can be read.")
    estimates = {name: values[name] / reference[name] for name in falling}
    estimates |= {name: 2 - values[name] / reference[name] for name in rising}
    return CommonFactor(estimates, round(float(np.ptp(list(estimates.values()))), 12))
