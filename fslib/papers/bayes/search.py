"""Paper "bayes": what greedy search finds and misses, on the training part of a split (sections 3.2 and 4.1)."""

import warnings

import numpy as np
import pandas as pd

from fslib.filters import BayesExhaustive, BayesGreedy, MIGreedy, OutOfInformationWarning
from fslib.filters.criteria import ZeroOne
from fslib.papers.bayes.criteria_checks import cells_by_class
from fslib.papers.bayes.items import TASKS
from fslib.papers.bayes.protocol import held_out_value, split_parts


def run_search_trial(*, dataset, split, k, seed, grid):
    """Greedy against exhaustive search, for the 0-1 criterion and for mutual information: section 4.1 on Semeion.

    Returns
    -------
    list of dict
        dataset, method, k, split, metric, value; metric ``error_0_1`` is the SVM's on test rows, ``criterion`` is the
        0-1 criterion of the chosen features on the training part (larger is better).
    """
    (_, y, levels), _ = split_parts(dataset, split, seed)
    searches = {
        "BayesGreedy": BayesGreedy("zero_one", n_features_to_select=k),
        "BayesExhaustive": BayesExhaustive("zero_one", n_features_to_select=k),
        "MIGreedy": MIGreedy(n_features_to_select=k),
        "MIExhaustive": BayesExhaustive("log", n_features_to_select=k),
    }
    grid = tuple((name, tuple(values)) for name, values in sorted(grid.items()))
    rows = []
    for method, selector in searches.items():
        columns = tuple(np.flatnonzero(selector.fit(levels, y).support_).tolist())
        named = {"dataset": TASKS[dataset].title, "method": method, "k": k, "split": split}
        value = held_out_value(dataset, split, seed, columns, "error_0_1", None, grid)
        rows.append(named | {"metric": "error_0_1", "value": value})
        rows.append(named | {"metric": "criterion", "value": training_value(ZeroOne(), levels[:, columns], y)})
    return rows


def search_trials(ks, *, n_splits, seed=0, grid=None, dataset="semeion"):
    """List the trials of :func:`run_search_trial`: each size on each split; none for no sizes.

    Examples
    --------
    >>> len(search_trials([1, 2, 3], n_splits=5))
    15
    """
    fixed = {"dataset": dataset, "seed": seed, "grid": grid or {}}
    return [fixed | {"k": k, "split": split} for split in range(n_splits) for k in ks]


def training_value(criterion, levels, y):
    """Value of a criterion on discrete features, larger is better.

    Parameters
    ----------
    criterion : Criterion
        Of :mod:`fslib.filters.criteria`.
    levels : array of shape (n, k)
    y : array of {0, 1}, shape (n,)

    Examples
    --------
    >>> training_value(ZeroOne(), np.array([[0], [0], [0], [1]]), np.array([0, 0, 1, 1]))
    -0.25
    """
    return criterion.value(cells_by_class(levels, y))


def greedy_path(levels, y, k, criterion=None):
    """Follow a greedy search with exact estimates and report how much choice each step has.

    Parameters
    ----------
    levels : array of int, shape (n, d)
        Discrete features.
    y : array of {0, 1}, shape (n,)
    k : int
        Number of steps.
    criterion : Criterion or None
        None for the 0-1 criterion.

    Returns
    -------
    DataFrame
        One row per step t: ``t``, the ``column`` taken, the ``criterion`` with it, the number of candidates ``tied`` at
        the maximum, and the share ``unique`` of the rows that no other row equals on the features taken so far.

    Examples
    --------
    >>> X = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]])
    >>> greedy_path(X, np.array([0, 1, 1, 1]), k=2)
       t  column  criterion  tied  unique
    0  1       0      -0.25     3     0.0
    1  2       1       0.00     1     1.0
    """
    greedy = BayesGreedy(ZeroOne() if criterion is None else criterion, n_features_to_select=k)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OutOfInformationWarning)  # ties tell it
        greedy.fit(levels, y)
    return pd.DataFrame(steps(greedy, levels, y))[["t", "column", "criterion", "tied", "unique"]]


def steps(greedy, levels, y):
    """Steps of a fitted greedy search: how much choice each had, and what the features taken so far tell.

    Parameters
    ----------
    greedy : BayesGreedy
        Fitted to ``levels`` and ``y``.
    levels : array of int, shape (n, d)
    y : array of {0, 1}, shape (n,)

    Yields
    ------
    dict
        t, column, criterion, tied, unique (as in `greedy_path`) and training_error, the smallest 0-1 error.
    """
    for t, (value, tied) in enumerate(zip(greedy.criterion_values_, greedy.n_tied_, strict=True), start=1):
        cells = cells_by_class(levels[:, greedy.ranking_[:t]], y)
        yield {
            "t": t,
            "column": int(greedy.ranking_[t - 1]),
            "criterion": value + 0.0,  # no minus zero
            "tied": int(tied),
            "unique": np.count_nonzero(cells.sum(axis=1) == 1) / len(y),
            "training_error": -ZeroOne().value(cells) + 0.0,
        }
