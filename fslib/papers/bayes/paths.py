"""Paper "bayes", section 3.2: how far greedy search gets, with exact estimates and with averages over pairs."""

import warnings
from itertools import combinations, product

import numpy as np
import pandas as pd

from fslib.base import TIE_TOLERANCE
from fslib.counts.rows import distinct_rows
from fslib.filters import BayesExhaustive, BayesGreedy, BayesScore, OutOfInformationWarning
from fslib.filters.criteria import ZeroOne
from fslib.papers.bayes.criteria_checks import CRITERIA
from fslib.papers.bayes.protocol import ORDER, split_parts
from fslib.papers.bayes.search import steps, training_value
from fslib.tidy import format_setting


def exclusive_or(n_noise=0, decoy=False):
    """Every combination of binary features once, with the exclusive or of the first two as label.

    Parameters
    ----------
    n_noise : int
        Features without information.
    decoy : bool
        Add a last feature that equals the label in three rows of four: the best single one, useless beside the others.

    Returns
    -------
    X : array of int, shape (n, 2 + n_noise + decoy)
    y : array of int, shape (n,)

    Examples
    --------
    >>> X, y = exclusive_or(decoy=True)
    >>> [float(np.mean(column == y)) for column in X.T]
    [0.5, 0.5, 0.75]
    """
    rows = np.array(list(product((0, 1), repeat=2 + n_noise + 2 * decoy)))
    y = rows[:, 0] ^ rows[:, 1]
    if decoy:
        flipped = y ^ (rows[:, -2] & rows[:, -1])
        rows = np.column_stack([rows[:, :-2], flipped])
    return rows, y


def subset_average(criterion, levels, y, columns, s=2):
    """Mean criterion of all sets of s among some features: the s-variate approximation of section 3.2.

    Examples
    --------
    >>> X, y = exclusive_or(n_noise=1)
    >>> subset_average(ZeroOne(), X, y, [0, 1])
    0.0
    >>> round(subset_average(ZeroOne(), X, y, [0, 1, 2]), 4)      # one pair of three knows the label
    -0.3333
    """
    return float(np.mean([training_value(criterion, levels[:, pair], y) for pair in combinations(columns, s)]))


def training_part(dataset, split=0, seed=0):
    """Discrete features and labels of the training part of a split, which is all that a search may see.

    Parameters
    ----------
    dataset : str
        Key of :data:`fslib.papers.bayes.items.TASKS`.
    split, seed : int

    Returns
    -------
    levels : array of int, shape (n, d)
    y : array of {0, 1}, shape (n,)
    """
    (_, y, levels), _ = split_parts(dataset, split, seed)
    return levels.astype(int), y


def search_rows(name, levels, y, criteria, ks):
    """Value and features of the greedy and of the best set of k features.

    Parameters
    ----------
    name : str
        Of the data set, for the rows.
    levels : array of int, shape (n, d)
    y : array of {0, 1}, shape (n,)
    criteria : list of str
        Names in ``CRITERIA``.
    ks : list of int

    Returns
    -------
    DataFrame
        Tidy rows with one more column: the chosen ``columns``, a sorted tuple.
    """
    rows = []
    for loss, k in product(criteria, ks):
        for method in (BayesGreedy, BayesExhaustive):
            selector = method(CRITERIA[loss], n_features_to_select=k).fit(levels, y)
            chosen = tuple(selector.get_support(indices=True).tolist())
            value = training_value(CRITERIA[loss], levels[:, chosen], y) + 0.0
            rows.append((name, method.__name__, format_setting(loss=loss, k=k), "criterion", value, chosen))
    return pd.DataFrame(rows, columns=["dataset", "method", "setting", "metric", "value", "columns"])


def path_rows(name, levels, y, ks, directions=("forward", "backward"), estimations=("exact", "bivariate")):
    """Training 0-1 error of the first k features of greedy searches, both ways and with both estimates.

    Returns
    -------
    DataFrame
        Tidy rows; setting: direction, estimation, k. Every set is judged by its own exact error, also where the
        search used pairs.
    """
    rows = []
    for direction, estimation in product(directions, estimations):
        search = BayesGreedy("zero_one", n_features_to_select=max(ks), order=ORDER[estimation], direction=direction)
        ranking = search.fit(levels, y).ranking_
        for k in ks:
            setting = format_setting(direction=direction, estimation=estimation, k=k)
            error = -training_value(ZeroOne(), levels[:, ranking[:k]], y) + 0.0  # no minus zero
            rows.append((name, "BayesGreedy", setting, "training_error", error))
    return pd.DataFrame(rows, columns=["dataset", "method", "setting", "metric", "value"])


def tie_rows(name, levels, y, k):
    """Follow greedy 0-1 searches: how many rows are unique, how many features tie, and which error is left.

    Parameters
    ----------
    name : str
        Of the data set, for the rows.
    levels : array of int, shape (n, d)
    y : array of {0, 1}, shape (n,)
    k : int
        Number of steps.

    Returns
    -------
    DataFrame
        Tidy rows; setting: search (exact estimates with either ``tie_break``, or bivariate ones) and k. Metrics:
        ``unique_rows``, the share of rows that no other row equals on the features taken so far; ``tied_columns``, from
        how many equally good ones the k-th was taken; ``training_error``.
    """
    searches = {
        "exact, ties by log": BayesGreedy("zero_one", n_features_to_select=k),
        "exact, ties by index": BayesGreedy("zero_one", n_features_to_select=k, tie_break="index"),
        "bivariate": BayesGreedy("zero_one", n_features_to_select=k, order=2),
    }
    rows = []
    for label, search in searches.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OutOfInformationWarning)  # it is what is shown here
            search.fit(levels, y)
        for step in steps(search, levels, y):
            setting = format_setting(search=label, k=step["t"])
            values = {"unique_rows": "unique", "tied_columns": "tied", "training_error": "training_error"}
            rows += [(name, "BayesGreedy", setting, metric, step[key]) for metric, key in values.items()]
    return pd.DataFrame(rows, columns=["dataset", "method", "setting", "metric", "value"])


def share_no_better_than_none(levels, y):
    """Share of the features that, alone, allow no smaller 0-1 error than no feature at all.

    Examples
    --------
    >>> X, y = exclusive_or(decoy=True)
    >>> round(share_no_better_than_none(X, y), 3)        # two features of three
    0.667
    """
    scores = BayesScore("zero_one", n_features_to_select=1).fit(levels, y).scores_
    return float(np.mean(scores <= training_value(ZeroOne(), levels[:, :0], y) + TIE_TOLERANCE))


def share_of_unique_rows(levels):
    """Share of the rows that no other row equals.

    Examples
    --------
    >>> share_of_unique_rows(np.array([[0, 1], [0, 1], [1, 1], [1, 0]]))
    0.5
    """
    group = distinct_rows(levels)[1]
    return float(np.mean(np.bincount(group)[group] == 1))


def removals_without_cost(levels, y):
    """Number of steps of exact backward elimination under the 0-1 criterion that keep the error of all features.

    Examples
    --------
    >>> X, y = exclusive_or(n_noise=2)
    >>> removals_without_cost(X, y)
    2
    """
    search = BayesGreedy("zero_one", n_features_to_select=1.0, direction="backward").fit(levels, y)
    return int(np.sum(search.criterion_values_ >= search.criterion_values_[-1] - TIE_TOLERANCE)) - 1
