"""Is one method better than another, or is it chance? Tests over repeats of one experiment, and over data sets.

Repeats of random splits share their samples: use :func:`paired_t` with ``test_to_train``. Several methods on several
data sets: :func:`friedman` first, and only if it rejects :func:`nemenyi`, or the critical difference of average ranks.
Data sets must be independent for both; the folds of one data set are not.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from fslib.base import TIE_TOLERANCE, tie_groups


@dataclass(frozen=True)
class TestResult:
    """A statistic and its p-value."""

    __test__ = False  # not a test class, whatever its name says to pytest

    statistic: float
    pvalue: float


def paired_t(a, b, *, test_to_train=0.0):
    """Two-sided paired t-test of two methods on the same repeats, corrected for splits that overlap.

    Parameters
    ----------
    a, b : arrays of shape (n,)
        One score per repeat.
    test_to_train : float
        Rows in the test part over rows in the training part of each random split. It replaces the variance factor
        ``1/n`` by ``1/n + test_to_train``, because training sets of different repeats share rows (Nadeau and Bengio).
        0 is the ordinary paired test, right only for independent repeats.

    Returns
    -------
    TestResult
        t with n - 1 degrees of freedom; no difference, or one within rounding, gives t = 0 and p = 1.

    Raises
    ------
    ValueError
        If the scores do not pair up, are fewer than two or not finite, or ``test_to_train`` is negative.

    References
    ----------
    C. Nadeau and Y. Bengio, "Inference for the Generalization Error", Machine Learning 52, 2003.

    Examples
    --------
    >>> a, b = [0.80, 0.85, 0.82, 0.86], [0.78, 0.80, 0.81, 0.82]
    >>> round(paired_t(a, b).pvalue, 3), round(paired_t(a, b, test_to_train=1.0).pvalue, 3)
    (0.046, 0.238)
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if a.ndim != 1 or a.shape != b.shape or len(a) < 2:
        raise ValueError(f"need two lists of the same length, at least 2; got shapes {a.shape} and {b.shape}.")
    if not np.isfinite(a - b).all():
        raise ValueError("scores must be finite; drop the repeats that failed, for both methods.")
    if not test_to_train >= 0:
        raise ValueError(f"test_to_train={test_to_train!r} is a ratio of rows and must be zero or larger.")
    difference = a - b
    # Rounding is alike in every repeat: without this its tiny spread would make it significant.
    difference[np.abs(difference) <= TIE_TOLERANCE * np.maximum(np.abs(a), np.abs(b))] = 0.0
    spread = difference.std(ddof=1) * np.sqrt(1 / len(a) + test_to_train)
    if spread <= TIE_TOLERANCE * np.abs(difference).max():
        t = np.sign(difference[0]) * np.inf if difference[0] != 0 else 0.0
    else:
        t = difference.mean() / spread
    return TestResult(float(t), float(2 * stats.t.sf(abs(t), len(a) - 1)))


@dataclass(frozen=True)
class FriedmanResult:
    """Friedman test of k methods on N data sets.

    Attributes
    ----------
    statistic, pvalue : float
        Chi-square with k - 1 degrees of freedom, corrected for ties.
    iman_davenport, iman_davenport_pvalue : float
        F form with (k - 1, (k - 1)(N - 1)) degrees of freedom, less conservative.
    average_ranks : Series
        Per method, 1 is best.
    """

    statistic: float
    pvalue: float
    iman_davenport: float
    iman_davenport_pvalue: float
    average_ranks: pd.Series


def rank_table(table, *, larger_is_better=True):
    """Ranks of the methods on every data set, 1 = best, scores equal up to rounding share the mean rank.

    Parameters
    ----------
    table : DataFrame of shape (N, k)
        One row per data set, one column per method.
    larger_is_better : bool
        False for errors and losses.

    Returns
    -------
    DataFrame of shape (N, k)

    Raises
    ------
    ValueError
        If a score is missing or there are fewer than two methods or data sets.
    """
    table = pd.DataFrame(table).astype(float)
    if min(table.shape) < 2:
        raise ValueError(f"need at least 2 data sets (rows) and 2 methods (columns), got a table of {table.shape}.")
    if not np.isfinite(table.to_numpy()).all():
        where = table.index[~np.isfinite(table).all(axis=1)].tolist()
        raise ValueError(f"scores are missing or infinite in rows {where}; drop these rows for all methods.")
    signed = table if larger_is_better else -table
    ranks = [stats.rankdata(tie_groups(row)) for row in signed.to_numpy()]
    return pd.DataFrame(ranks, index=table.index, columns=table.columns)


def friedman(table, *, larger_is_better=True):
    """Friedman test of whether the methods rank differently over the data sets.

    With two methods it is the sign test in its chi-square form, ``(wins - losses)^2 / (wins + losses)``, ties dropped.

    Parameters
    ----------
    table : DataFrame of shape (N, k)
        One row per data set, one column per method.
    larger_is_better : bool
        False for errors and losses.

    Returns
    -------
    FriedmanResult
        If all methods tie on all data sets: statistic 0, p-value 1.

    Raises
    ------
    ValueError
        See :func:`rank_table`.

    References
    ----------
    J. Demsar, "Statistical Comparisons of Classifiers over Multiple Data Sets", JMLR 7, 2006.

    Examples
    --------
    >>> scores = pd.DataFrame([[0.9, 0.8, 0.7]] * 5, columns=["A", "B", "C"])
    >>> result = friedman(scores)
    >>> round(result.statistic, 6), result.average_ranks.to_dict()
    (10.0, {'A': 1.0, 'B': 2.0, 'C': 3.0})
    """
    ranks = rank_table(table, larger_is_better=larger_is_better)
    n, k = ranks.shape
    # 12 / (k (k + 1)) of the textbook is one over the variance of untied ranks; with ties it is the variance found.
    variance = ranks.var(axis=1, ddof=1).sum()
    between = ((ranks.sum(axis=0) - n * (k + 1) / 2) ** 2).sum()
    chi2 = float(between / variance) if variance > 0 else 0.0
    most = n * (k - 1)  # reached when every data set gives the same order
    f = np.inf if np.isclose(chi2, most, rtol=1e-12) else (n - 1) * chi2 / (most - chi2)
    return FriedmanResult(
        statistic=chi2,
        pvalue=float(stats.chi2.sf(chi2, k - 1)),
        iman_davenport=float(f),
        iman_davenport_pvalue=float(stats.f.sf(f, k - 1, (k - 1) * (n - 1))),
        average_ranks=ranks.mean(axis=0),
    )


def critical_difference(n_methods, n_datasets, alpha=0.05):
    """Nemenyi's critical difference: average ranks at least this far apart differ at level ``alpha``.

    Parameters
    ----------
    n_methods, n_datasets : int
        k and N.
    alpha : float
        Level, over all pairs together.

    Returns
    -------
    float
        ``q sqrt(k (k + 1) / (6 N))``, q the studentised range quantile over ``sqrt(2)``.

    Raises
    ------
    ValueError
        If there are fewer than two methods or no data set, or ``alpha`` is not between 0 and 1.

    Examples
    --------
    >>> round(critical_difference(4, 10), 3)
    1.483
    """
    if n_methods < 2 or n_datasets < 1 or not 0 < alpha < 1:
        raise ValueError(
            f"need at least 2 methods, 1 data set and a level between 0 and 1; got {n_methods}, {n_datasets}, {alpha}."
        )
    q = stats.studentized_range.ppf(1 - alpha, n_methods, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6 * n_datasets)))


def nemenyi(table, *, larger_is_better=True):
    """p-values of all pairs of methods, corrected for multiple comparisons.

    Parameters
    ----------
    table : DataFrame of shape (N, k)
        One row per data set, one column per method.
    larger_is_better : bool
        Has no influence on the values.

    Returns
    -------
    DataFrame of shape (k, k)
        Symmetric, ones on the diagonal. Meaningful only after a significant :func:`friedman`.

    Raises
    ------
    ValueError
        See :func:`rank_table`.

    Examples
    --------
    >>> scores = pd.DataFrame({"A": [3, 3, 3, 3, 3], "B": [2, 2, 2, 2, 2], "C": [1, 1, 1, 1, 1]})
    >>> nemenyi(scores).round(3).loc["A"].to_dict()
    {'A': 1.0, 'B': 0.254, 'C': 0.004}
    """
    import scikit_posthocs  # loads plotting libraries, which no other test here needs

    ranks = rank_table(table, larger_is_better=larger_is_better)
    pvalues = scikit_posthocs.posthoc_nemenyi_friedman(ranks.to_numpy())
    return pd.DataFrame(pvalues.to_numpy(), index=ranks.columns, columns=ranks.columns)
