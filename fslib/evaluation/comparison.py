"""Which selector suits a reader's own table? Candidates by kind of task, compared by cross-validation without leaks."""

from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.metrics import get_scorer
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

SCORING = {
    "zero_one": "accuracy",
    "balanced": "balanced_accuracy",
    "log": "neg_log_loss",
    "squared": "r2",
    "f_beta": "f1",
    "auc": "roc_auc",
}
"""The score by which the learner is judged when columns were chosen for a criterion; larger is better."""

EXACT_LIMIT = 15
"""Above this many columns almost every combination of levels is unique, so pairs are counted instead."""


def candidate_selectors(table, criterion, k):
    """All selectors of fslib that apply to a table, each set to keep its k best columns.

    Parameters
    ----------
    table : Bunch
        From ``fslib.datasets.tables.read_table``.
    criterion : str
        Performance measure, a key of ``SCORING``; used by the Bayes filters.
    k : int
        Number of columns to keep.

    Returns
    -------
    dict of str to selector
        In the order in which a table or legend should show them.

    Raises
    ------
    ValueError
        If the criterion does not suit the task.
    """
    from fslib import filters
    from fslib.filters.discretized import Discretized

    if criterion not in SCORING:
        raise ValueError(f"criterion must be one of {', '.join(SCORING)}, got {criterion!r}.")
    if (table.task == "regression") != (criterion == "squared") and table.task != "multilabel":
        raise ValueError(
            f"criterion={criterion!r} does not fit a {table.task} target; 'squared' is the one for regression."
        )
    order = "exact" if k <= EXACT_LIMIT else 2
    if table.task == "multilabel":
        return _multilabel_candidates(k)
    if table.task == "regression":
        return {
            "BayesGreedy": Discretized(filters.BayesGreedy("squared", k, order=order)),
            "BayesScore": Discretized(filters.BayesScore("squared", k)),
        }
    found = {
        "BayesGreedy": Discretized(filters.BayesGreedy(criterion, k, order=order)),
        "BayesScore": Discretized(filters.BayesScore(criterion, k)),
        "MIGreedy": Discretized(filters.MIGreedy(n_features_to_select=k, order=order)),
        "MIScore": Discretized(filters.MIScore(n_features_to_select=k)),
        "MRMR": Discretized(filters.MRMR(n_features_to_select=k)),
        "FScore": filters.FisherScore(n_features_to_select=k),
    }
    if table.views:
        from fslib.multiview import RRMVFS

        views = [[table.X.columns.get_loc(c) for c in members] for members in table.views.values()]
        found["RRMVFS"] = make_pipeline(StandardScaler(), RRMVFS(views, 0.1, 0.1, n_features_to_select=k))
    return found


def _multilabel_candidates(k):
    from fslib import multilabel

    return {
        name: getattr(multilabel, name)(n_features_to_select=k) for name in ("MLMLFS", "MDDM", "PMU", "MDMR", "SFUS")
    }


def compare_selectors(table, selectors, ks, *, criterion, n_folds=5, learner=None, seed=0, n_jobs=None):
    """Cross-validated score of a learner on each selector's k best columns.

    Everything that looks at the data (filling empty cells, discretising, selecting, scaling, learning) is fitted inside
    the training part of each fold.

    Parameters
    ----------
    table : Bunch
        From ``fslib.datasets.tables.read_table``; single target.
    selectors : dict of str to selector
        Each set to keep at least ``max(ks)`` columns.
    ks : sequence of int
        Numbers of columns to evaluate; prefixes of one ranking per fold.
    criterion : str
        Key of ``SCORING``.
    n_folds : int
        Stratified for classes.
    learner : estimator or None
        None: logistic regression for classes, ridge regression for numbers, on standardised columns.
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
        If a class has fewer rows than there are folds.
    """
    import pandas as pd

    X, y = table.X, table.y
    if table.task == "classification":
        smallest = pd.Series(y).value_counts()
        if smallest.iloc[-1] < n_folds:
            raise ValueError(
                f"Class {smallest.index[-1]!r} has {smallest.iloc[-1]} rows, fewer than the {n_folds} folds. "
                "Ask for fewer folds, or leave that class out."
            )
        splitter = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
        learner = LogisticRegression(max_iter=1000) if learner is None else learner
    else:
        splitter = KFold(n_folds, shuffle=True, random_state=seed)
        learner = RidgeCV() if learner is None else learner
    scoring = SCORING[criterion]
    if table.task == "classification" and pd.Series(y).nunique() > 2:
        scoring = {"f1": "f1_macro", "roc_auc": "roc_auc_ovr"}.get(scoring, scoring)
    if scoring == "f1":  # the positive class is the rarer one, as in the papers
        y = (pd.Series(y) == pd.Series(y).value_counts().index[-1]).astype(int).to_numpy()
    tasks = [
        delayed(_one_fold)(name, selector, learner, scoring, X, y, ks, fold, train, test)
        for fold, (train, test) in enumerate(splitter.split(X, y))
        for name, selector in selectors.items()
    ]
    rows = [row for part in Parallel(n_jobs=n_jobs)(tasks) for row in part]
    return pd.DataFrame(rows, columns=["method", "k", "fold", "score"])


def _one_fold(name, selector, learner, scoring, X, y, ks, fold, train, test):
    imputer = SimpleImputer(strategy="median", keep_empty_features=True).set_output(transform="pandas")
    X_train, X_test = imputer.fit_transform(X.iloc[train]), imputer.transform(X.iloc[test])
    ranking = best_first(clone(selector).fit(X_train, y[train]))
    scorer = get_scorer(scoring)
    rows = []
    for k in ks:
        columns = X.columns[ranking[:k]]
        model = make_pipeline(StandardScaler(), clone(learner)).fit(X_train[columns], y[train])
        rows.append((name, k, fold, scorer(model, X_test[columns], y[test])))
    return rows


def best_first(selector):
    """``ranking_`` of a fitted selector, or of the selector at the end of a pipeline."""
    return getattr(selector, "ranking_", None) if hasattr(selector, "ranking_") else selector[-1].ranking_


def choose_columns(table, selector):
    """Fit a selector on all rows and return the names of its columns, best first.

    Parameters
    ----------
    table : Bunch
        From ``fslib.datasets.tables.read_table``.
    selector : selector or pipeline ending in one

    Returns
    -------
    list of str
    """
    imputer = SimpleImputer(strategy="median", keep_empty_features=True).set_output(transform="pandas")
    fitted = clone(selector).fit(imputer.fit_transform(table.X), table.y)
    last = fitted if hasattr(fitted, "support_") else fitted[-1]
    return list(table.X.columns[last.ranking_[: last.support_.sum()]])
