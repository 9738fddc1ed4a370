"""Selectors on a table of your own; `fslib.select` holds the parts.

`select_features` gives the whole answer. `candidate_selectors`, `compare_selectors`, `summarise` and `choose_columns`
are its steps, for those who want a comparison of their own.
"""

import warnings

import pandas as pd
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.impute import SimpleImputer

from fslib.select.answer import Answer, select_features
from fslib.select.candidates import best_first, candidate_selectors, with_k
from fslib.select.cautions import repeated_rows
from fslib.select.files import write_answer
from fslib.select.problem import SCORING, coded_target, is_imbalanced, problem_of, scorer_for
from fslib.select.scores import ALL_FEATURES, GUESS, score_fold
from fslib.select.splits import folds, possible_folds

__all__ = [
    "ALL_FEATURES",
    "GUESS",
    "SCORING",
    "Answer",
    "best_first",
    "candidate_selectors",
    "choose_columns",
    "compare_selectors",
    "is_imbalanced",
    "scorer_for",
    "select_features",
    "summarise",
    "with_k",
    "write_answer",
]


def compare_selectors(
    table, selectors, ks, *, criterion="auto", n_folds=5, learner=None, groups=None, seed=0, n_jobs=None
):
    """Cross-validated score of a learner on each selector's k best features.

    Everything that learns from data (filling empty cells, discretising, selecting, scaling, the learner) is fitted
    inside the training part of each fold.

    Parameters
    ----------
    table : UserTable
        From ``fslib.tables.read_table``.
    selectors : dict of str to selector
        Each set to keep at least ``max(ks)`` features.
    ks : sequence of int
        Numbers of features to evaluate; prefixes of one ranking per fold.
    criterion : str
        See ``fslib.select.problem.resolve_criterion``.
    n_folds : int
        Stratified for classes.
    learner : estimator or None
        None: logistic regression for classes, ridge regression for numbers, ML-kNN for several labels.
    groups : array of shape (n,) or None
        Rows of one group (a patient, a batch, copies of one measurement) stay in one fold; None for those of the table.
        Without groups a learner may meet a test row in training, and then every selector looks good.
    seed : int
        Shuffles the folds.
    n_jobs : int or None
        Processes over folds.

    Returns
    -------
    DataFrame
        One row per (method, k, fold): ``method, k, fold, score``. The two baselines, :data:`GUESS` with k 0 and
        :data:`ALL_FEATURES` with all k, come last.

    Raises
    ------
    ValueError
        If a class has fewer rows than there are folds, or ``groups`` does not fit.

    Warns
    -----
    UserWarning
        Without groups, if more than one row in twenty repeats the features of another, and there are more possible rows
        than rows. Also whatever a selector warned of, or why it failed: its score is then NaN.
    """
    problem = problem_of(table, criterion=criterion, learner=learner, groups=groups, seed=seed)
    repeated = repeated_rows(table.X) if problem.groups is None else ""
    if repeated:
        warnings.warn(repeated, stacklevel=2)
    possible_folds(problem, n_folds, least=n_folds)
    tasks = [delayed(score_fold)(problem, selectors, ks, *rows) for rows in folds(problem, n_folds)]
    results = Parallel(n_jobs=n_jobs)(tasks)
    for method, text in dict.fromkeys(remark for _, remarks in results for remark in remarks):
        warnings.warn(f"{method}: {text}", stacklevel=2)
    rows = [(method, k, fold, score) for fold, (found, _) in enumerate(results) for method, k, score in found]
    found = pd.DataFrame(rows, columns=["method", "k", "fold", "score"])
    order = {method: place for place, method in enumerate([*selectors, ALL_FEATURES, GUESS])}
    return found.sort_values("method", key=lambda names: names.map(order), kind="stable", ignore_index=True)


def summarise(folds, dataset):
    """Mean and standard deviation over the folds, as tidy rows with a column ``k``.

    Parameters
    ----------
    folds : DataFrame
        From `compare_selectors`.
    dataset : str
        Name of the table, for titles.

    Returns
    -------
    DataFrame
        dataset, method, k, metric, value, std, n; methods in the order given to `compare_selectors`.
    """
    rows = folds.groupby(["method", "k"], sort=False)["score"].agg(value="mean", std="std", n="count").reset_index()
    return rows.assign(dataset=dataset, metric="score")


def choose_columns(table, selector):
    """Names of the features that a selector chooses on all rows, best first.

    Parameters
    ----------
    table : UserTable
        From ``fslib.tables.read_table``.
    selector : selector, or pipeline that ends in one

    Returns
    -------
    list of str
    """
    imputer = SimpleImputer(strategy="median", keep_empty_features=True).set_output(transform="pandas")
    fitted = clone(selector).fit(imputer.fit_transform(table.X), coded_target(table))
    n_chosen = fitted.get_support().sum() if hasattr(fitted, "get_support") else fitted[-1].get_support().sum()
    return list(table.X.columns[best_first(fitted)[:n_chosen]])
