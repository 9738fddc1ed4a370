"""How unevenly labels occur: imbalance ratios as the literature on multi-label imbalance defines them."""

from typing import NamedTuple

import numpy as np


class ImbalanceRatios(NamedTuple):
    """Smallest, largest and mean imbalance ratio of the labels, and how many labels have none."""

    smallest: float
    largest: float
    mean: float
    n_constant: int


def imbalance_ratios(Y):
    """Majority over minority count of every label, summarised.

    Parameters
    ----------
    Y : array of shape (n, c)
        0 and 1.

    Returns
    -------
    ImbalanceRatios
        Labels that no sample or every sample has are left out and counted. (braytee's AvgImR is published as a sum over
        labels; the numbers are means.)

    Examples
    --------
    >>> imbalance_ratios(np.array([[1, 1, 0], [0, 1, 0], [0, 1, 0], [0, 0, 0]]))
    ImbalanceRatios(smallest=3.0, largest=3.0, mean=3.0, n_constant=1)
    """
    positive = np.asarray(Y).sum(axis=0)
    minority = np.minimum(positive, len(Y) - positive)
    ratios = (len(Y) - minority[minority > 0]) / minority[minority > 0]
    if not len(ratios):
        return ImbalanceRatios(np.nan, np.nan, np.nan, len(minority))
    return ImbalanceRatios(float(ratios.min()), float(ratios.max()), float(ratios.mean()), int((minority == 0).sum()))


def minority_labels(Y):
    """Labels that are rarer than the average label: IRLbl above its mean.

    ``IRLbl(l) = max count / count of l``, and the mean is over the labels that occur.

    Parameters
    ----------
    Y : array of shape (n, c)
        0 and 1.

    Returns
    -------
    array of int

    Examples
    --------
    >>> minority_labels(np.array([[1, 0, 0], [1, 1, 0], [1, 0, 0], [1, 1, 1]]))
    array([2])
    """
    count = np.asarray(Y).sum(axis=0)
    ratio = np.divide(count.max(), count, out=np.zeros(len(count)), where=count > 0)
    present = ratio[count > 0]
    return np.flatnonzero(ratio > present.mean()) if len(present) else np.array([], dtype=int)
