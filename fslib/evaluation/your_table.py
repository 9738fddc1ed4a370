"""Compare, by cross-validation, all selectors that suit a table of your own."""

import warnings
from collections import Counter

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.metrics import get_scorer
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from fslib.evaluation.multilabel_metrics import micro_f1_of_known_labels
from fslib.multilabel import MDDM, MDMR, MLMLFS, PMU, SFUS, MLkNN

SCORING = {
    "zero_one": "accuracy",
    "balanced": "balanced_accuracy",
    "log": "neg_log_loss",
    "squared": "r2",
    "f_beta": "f1",
    "auc": "roc_auc",
}
"""The score by which the learner is judged when features were chosen for a criterion; larger is better."""

ALL_COLUMNS = "All columns"
"""Name of the learner without selection."""

LEVELS = 3
"""Levels of a discretised feature: k features have up to ``LEVELS**k`` cells."""

IMBALANCED = 2.0
"""Rows of the largest class per row of the smallest from which the selectors for unequal classes are offered."""


def candidate_selectors(table, criterion, k):
    """All selectors of fslib that apply to a table, each set to keep its k best features.

    Parameters
    ----------
    table : Bunch
        From ``fslib.datasets.tables.table_from_file``.
    criterion : str
        Performance measure, a key of ``SCORING``; used by the Bayes filters.
    k : int
        Number of features to keep.

    Returns
    -------
    dict of str to selector
        In the order in which a table or legend should show them. Where the largest class has at least
        :data:`IMBALANCED` times as many rows as the smallest, two more: BIRF, whose trees grow on as many rows of each
        class, and BSNMF, whose factorisation gives all classes the same weight. The others count rows, and so see the
        large class mostly.

    Raises
    ------
    ValueError
        If the criterion does not suit the task.
    """
    from fslib import filters

    if criterion not in SCORING:
        raise ValueError(f"criterion must be one of {', '.join(SCORING)}, got {criterion!r}.")
    if (table.task == "regression") != (criterion == "squared") and table.task != "multilabel":
        raise ValueError(
            f"criterion={criterion!r} does not fit a {table.task} target; 'squared' is the one for regression."
        )
    order = "exact" if LEVELS**k <= len(table.X) else 2  # beyond, cells hold one row each and are pure
    if table.task == "multilabel":
        return _multilabel_candidates(k)
    if table.task == "regression":
        return {
            "BayesGreedy": filters.Discretized(filters.BayesGreedy("squared", n_features_to_select=k, order=order)),
            "BayesScore": filters.Discretized(filters.BayesScore("squared", n_features_to_select=k)),
        }
    found = {
        "BayesGreedy": filters.Discretized(filters.BayesGreedy(criterion, n_features_to_select=k, order=order)),
        "BayesScore": filters.Discretized(filters.BayesScore(criterion, n_features_to_select=k)),
        "MIGreedy": filters.Discretized(filters.MIGreedy(n_features_to_select=k, order=order)),
        "MIScore": filters.Discretized(filters.MIScore(n_features_to_select=k)),
        "MRMR": filters.Discretized(filters.MRMR(n_features_to_select=k)),
        "FScore": filters.FisherScore(n_features_to_select=k),
    }
    if is_imbalanced(table.y):
        found |= _imbalance_candidates(k)
    if table.views:
        from fslib.multiview import RRMVFS

        views = [[table.X.columns.get_loc(c) for c in members] for members in table.views.values()]
        found["RRMVFS"] = make_pipeline(StandardScaler(), RRMVFS(views, gamma1=0.1, gamma2=0.1, n_features_to_select=k))
    return found


def is_imbalanced(y):
    """Whether the classes differ enough in size for selectors that make up for it.

    Examples
    --------
    >>> is_imbalanced(["a", "b", "b"]), is_imbalanced(["a", "a", "b", "b", "b"])
    (True, False)
    """
    counts = Counter(y)
    return max(counts.values()) >= IMBALANCED * min(counts.values())


def _imbalance_candidates(k):
    from fslib.imbalance import BSNMF, BalancedIterativeRandomForest

    options = {"n_features_to_select": k, "random_state": 0}
    return {
        "BIRF": BalancedIterativeRandomForest(n_estimators=200, min_features=k, **options),
        # its scores grow with the size of the entries, which have to be non-negative
        "BSNMF": make_pipeline(MinMaxScaler(), BSNMF(max_iter=1000, **options)),
    }


def _multilabel_candidates(k):
    found = {method.__name__: method(n_features_to_select=k) for method in (MLMLFS, MDDM, PMU, MDMR, SFUS)}
    return found | {name: make_pipeline(StandardScaler(), found[name]) for name in ("MLMLFS", "SFUS")}


def compare_selectors(table, selectors, ks, *, criterion, n_folds=5, learner=None, groups=None, seed=0, n_jobs=None):
    """Cross-validated score of a learner on each selector's k best features.

    Everything that learns from data (filling empty cells, discretising, selecting, scaling, the learner) is fitted
    inside the training part of each fold.

    Parameters
    ----------
    table : Bunch
        From ``fslib.datasets.tables.table_from_file``; single target.
    selectors : dict of str to selector
        Each set to keep at least ``max(ks)`` features.
    ks : sequence of int
        Numbers of features to evaluate; prefixes of one ranking per fold.
    criterion : str
        Key of ``SCORING``.
    n_folds : int
        Stratified for classes.
    learner : estimator or None
        None: logistic regression for classes, ridge regression for numbers, on standardised features.
    groups : array of shape (n,) or None
        Rows of one group (a patient, a batch, copies of one measurement) stay in one fold. Without groups a learner
        may meet a test row in training, and then every selector looks good.
    seed : int
        Shuffles the folds.
    n_jobs : int or None
        Processes over (selector, fold).

    Returns
    -------
    DataFrame
        One row per (method, k, fold): ``method, k, fold, score``.

    Raises
    ------
    ValueError
        If a class has fewer rows than there are folds, or ``groups`` does not fit.

    Warns
    -----
    UserWarning
        Without ``groups``, if more than one row in twenty repeats the features of another, and there are more possible
        rows than rows.
    """
    if groups is None:
        _warn_of_repeated_rows(table.X)
    learner = _default_learner(table.task) if learner is None else learner
    candidates = {**selectors, ALL_COLUMNS: None}
    tasks = [
        delayed(_one_fold)(name, selector, learner, table, scorer_for(table, criterion), ks, fold, train, test)
        for fold, (train, test) in enumerate(_folds(table, n_folds, seed, groups))
        for name, selector in candidates.items()
    ]
    rows = [row for part in Parallel(n_jobs=n_jobs)(tasks) for row in part]
    return pd.DataFrame(rows, columns=["method", "k", "fold", "score"])


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


def scorer_for(table, criterion):
    """Name of the scikit-learn score that goes with a criterion on this table; larger is better.

    Examples
    --------
    >>> from sklearn.utils import Bunch
    >>> scorer_for(Bunch(task="classification", y=["a", "b", "c"]), "auc")
    'roc_auc_ovr'
    """
    if table.task == "multilabel":
        return micro_f1_of_known_labels.__name__
    scoring = SCORING[criterion]
    if table.task == "classification" and len(set(table.y)) > 2:
        return {"f1": "f1_macro", "roc_auc": "roc_auc_ovr"}.get(scoring, scoring)
    return scoring


def _default_learner(task):
    if task == "multilabel":
        return MLkNN()
    return RidgeCV() if task == "regression" else LogisticRegression(max_iter=1000)


def _warn_of_repeated_rows(X):
    repeated = X.duplicated(keep=False).sum()
    if np.log(np.maximum(X.nunique(), 1)).sum() <= np.log(len(X)):  # few possible rows: some must be equal
        return
    if repeated > len(X) / 20:
        warnings.warn(
            f"{repeated} of {len(X)} rows have the features of another row. If they are measurements of one thing, "
            "test rows are known from training and every score is too good: pass groups=, one value per thing.",
            stacklevel=3,
        )


def _folds(table, n_folds, seed, groups=None):
    options = {"shuffle": True, "random_state": seed}
    if groups is not None and len(groups) != len(table.X):
        raise ValueError(f"groups has {len(groups)} values for {len(table.X)} rows.")
    if groups is not None and len(set(groups)) < n_folds:
        raise ValueError(f"groups holds {len(set(groups))} groups, fewer than the {n_folds} folds.")
    if table.task != "classification":
        folds = KFold(n_folds, **options) if groups is None else GroupKFold(n_folds, **options)
        return folds.split(table.X, groups=groups)
    counts = Counter(table.y)
    rarest = min(counts, key=counts.get)
    if counts[rarest] < n_folds:
        raise ValueError(
            f"Class {rarest} has {counts[rarest]} rows, fewer than the {n_folds} folds. "
            "Ask for fewer folds, or leave that class out."
        )
    folds = StratifiedKFold(n_folds, **options) if groups is None else StratifiedGroupKFold(n_folds, **options)
    return folds.split(table.X, table.y, groups)


def _target(table):
    """Target as selectors and learners see it: of two classes the rarer one is 1, the positive one of the papers."""
    if table.task != "classification":
        return table.y
    classes, counts = np.unique(table.y, return_counts=True)
    return (table.y == classes[1 - np.argmin(counts[::-1])]).astype(int) if len(classes) == 2 else table.y


def _one_fold(name, selector, learner, table, scoring, ks, fold, train, test):
    y = _target(table)
    imputer = SimpleImputer(strategy="median", keep_empty_features=True).set_output(transform="pandas")
    X_train, X_test = imputer.fit_transform(table.X.iloc[train]), imputer.transform(table.X.iloc[test])
    if selector is None:
        score = _score(learner, scoring, X_train, y[train], X_test, y[test])
        return [(name, k, fold, score) for k in ks]
    order = best_first(clone(selector).fit(X_train, y[train]))
    rows = []
    for k in ks:
        columns = table.X.columns[order[:k]]
        rows.append((name, k, fold, _score(learner, scoring, X_train[columns], y[train], X_test[columns], y[test])))
    return rows


def _score(learner, scoring, X_train, y_train, X_test, y_test):
    model = make_pipeline(StandardScaler(), clone(learner)).fit(X_train, y_train)
    scorer = micro_f1_of_known_labels if scoring == micro_f1_of_known_labels.__name__ else get_scorer(scoring)
    return scorer(model, X_test, y_test)


def best_first(selector):
    """Features of a fitted selector, or of the selector at the end of a pipeline, best first: array of int."""
    return (selector if hasattr(selector, "ranking_") else selector[-1]).ranking_


def choose_columns(table, selector):
    """Names of the features that a selector chooses on all rows, best first.

    Parameters
    ----------
    table : Bunch
        From ``fslib.datasets.tables.table_from_file``.
    selector : selector, or pipeline that ends in one

    Returns
    -------
    list of str
    """
    imputer = SimpleImputer(strategy="median", keep_empty_features=True).set_output(transform="pandas")
    fitted = clone(selector).fit(imputer.fit_transform(table.X), _target(table))
    n_chosen = fitted.get_support().sum() if hasattr(fitted, "get_support") else fitted[-1].get_support().sum()
    return list(table.X.columns[best_first(fitted)[:n_chosen]])
