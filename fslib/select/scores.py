"""Honest scores: every selector and size, a constant guess and all features, on the same folds."""

import warnings

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.impute import SimpleImputer
from sklearn.metrics import f1_score, get_scorer, make_scorer
from sklearn.preprocessing import StandardScaler

from fslib.select.candidates import best_first
from fslib.select.problem import LABEL_SCORE

ALL_FEATURES = "All features"
"""Name of the learner without selection."""

GUESS = "Best guess"
"""Name of the best answer that is the same for every row, chosen on training rows."""

SCORERS = {
    "f1": make_scorer(f1_score, zero_division=np.nan),  # scikit-learn's own would count an undefined score as 0
    "f1_macro": make_scorer(f1_score, average="macro", zero_division=np.nan),
}
COLUMNS = ["method", "k", "repeat", "fold", "score"]


def median_imputer():
    """Imputer that fills empty cells with the medians of the training rows; a feature without any value becomes 0."""
    return SimpleImputer(strategy="median", keep_empty_features=True)


def fill(X_train, *others):
    """Fill empty cells of several arrays with the medians of the first."""
    if not any(np.isnan(X).any() for X in (X_train, *others)):
        return X_train, *others
    imputer = median_imputer().fit(X_train)
    return tuple(imputer.transform(X) for X in (X_train, *others))


def score_fold(problem, selectors, ks, train, test, *, baselines=True):
    """Score of every selector and size on one fold; whatever learns from data sees the training rows only.

    Parameters
    ----------
    problem : SelectionProblem
    selectors : dict of str to selector
        Each set to keep at least ``max(ks)`` features.
    ks : sequence of int
        Prefixes of one ranking.
    train, test : arrays of int
    baselines : bool
        Whether to score :data:`GUESS` and :data:`ALL_FEATURES` too, as ``k`` 0 and d.

    Returns
    -------
    rows : list of (method, k, score)
        NaN where the score is undefined, or the selector failed.
    remarks : list of (method, text)
        What a selector or learner warned of, or why it failed.
    """
    X, X_test = fill(problem.X[train], problem.X[test])
    y, y_test = problem.y[train], problem.y[test]
    rows, remarks = [], []
    known = {}  # selectors often agree on a set of features, and its score is the same
    for name, selector in selectors.items():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                order = best_first(clone(selector).fit(X, y))
            except (ValueError, ArithmeticError) as error:
                rows += [(name, k, np.nan) for k in ks]
                remarks.append((name, f"failed: {str(error).splitlines()[0]}"))
                continue
            for k in ks:
                best = tuple(np.sort(order[:k]).tolist())
                if best not in known:
                    known[best] = _score(problem, X[:, best], y, X_test[:, best], y_test, remarks, name)
                rows.append((name, k, known[best]))
        remarks += [(name, _first_sentence(w.message)) for w in caught]
    if baselines:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rows.append((ALL_FEATURES, X.shape[1], _score(problem, X, y, X_test, y_test, remarks, ALL_FEATURES)))
            rows.append((GUESS, 0, guess_score(problem, X, y, X_test, y_test)))
    return rows, remarks


def _score(problem, X, y, X_test, y_test, remarks, name):
    try:
        scaler = StandardScaler().fit(X)
        model = clone(problem.learner).fit(scaler.transform(X), y)
    except ValueError as error:
        remarks.append((name, f"the learner failed: {str(error).splitlines()[0]}"))
        return np.nan
    return measure(problem.scoring, model, scaler.transform(X_test), y_test)


def measure(scoring, model, X, y):
    """Score of a fitted model, NaN where it is undefined on these rows.

    Parameters
    ----------
    scoring : str
        From ``fslib.select.problem.scorer_for``.
    model : fitted estimator
    X, y : arrays

    Returns
    -------
    float
    """
    if scoring == LABEL_SCORE:
        # Imported here: multilabel measures are wanted by few.
        from fslib.evaluation.multilabel_metrics import micro_f1_of_known_labels

        return micro_f1_of_known_labels(model, X, y) if np.nansum(y) > 0 else np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        warnings.filterwarnings("ignore", "y_pred contains classes not in y_true")
        warnings.filterwarnings("ignore", "Only one class is present in y_true")
        try:
            return float((SCORERS.get(scoring) or get_scorer(scoring))(model, X, y))
        except ValueError:  # a class of the training rows is missing among the test rows
            return np.nan


def guess_score(problem, X, y, X_test, y_test):
    """Score on test rows of the constant answer that is best on training rows."""
    if problem.task == "regression":
        return measure(problem.scoring, DummyRegressor().fit(X, y), X_test, y_test)
    if problem.task == "multilabel":
        share = np.nanmean(y, axis=0)
        guesses = [_Constant(share >= limit) for limit in (0.0, 0.25, 0.5)]
    else:
        guesses = [DummyClassifier(strategy="prior").fit(X, y)]
        if problem.scoring in SCORERS:  # the larger class has an F1 of 0
            guesses += [DummyClassifier(strategy="constant", constant=label).fit(X, y) for label in np.unique(y)]
    trained = [measure(problem.scoring, guess, X, y) for guess in guesses]
    if np.isnan(trained).all():  # one class in the first part of a time
        return np.nan
    return measure(problem.scoring, guesses[int(np.nanargmax(trained))], X_test, y_test)


class _Constant:
    """The same labels for every row."""

    def __init__(self, labels):
        self.labels = labels.astype(int)

    def predict(self, X):
        return np.tile(self.labels, (len(X), 1))


def _first_sentence(message):
    return str(message).strip().split("\n")[0].split(". ")[0].rstrip(".")


def summarise(folds):
    """Mean and spread over the folds of each method and size.

    Parameters
    ----------
    folds : DataFrame
        method, k, repeat, fold, score.

    Returns
    -------
    DataFrame
        method, k, mean, std, se, n (folds in which the score is defined). ``se`` is the standard error of the
        one-standard-error rule: the spread over folds by the root of the number of folds of *one* repeat, since repeats
        share their rows. Sizes with fewer than half of their folds have no mean.
    """
    n_folds = folds["fold"].nunique()
    rows = folds.groupby(["method", "k"], sort=False)["score"].agg(mean="mean", std="std", n="count").reset_index()
    rows.loc[2 * rows["n"] < folds.groupby(["repeat", "fold"]).ngroups, ["mean", "std"]] = np.nan
    return rows.assign(se=rows["std"] / np.sqrt(n_folds))


def one_standard_error(summary, remarks=None):
    """Fewest features whose score is within one standard error of the best.

    The best mean of all selectors and sizes sets the mark, its own standard error the tolerance. Of all sizes that
    reach it the smallest is taken, and of several selectors at that size the one with the higher mean.

    Parameters
    ----------
    summary : DataFrame
        From `summarise`, without baselines.
    remarks : DataFrame or None
        method, text, times: what went wrong, for the message.

    Returns
    -------
    chosen, best : Series
        Rows of the summary.

    Raises
    ------
    ValueError
        If no score is defined.

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen, C. Stone, *Classification and Regression Trees*, 1984, section 3.4.3.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [("A", 1, 0.70, 0.02), ("A", 2, 0.79, 0.02), ("B", 2, 0.785, 0.02), ("B", 3, 0.80, 0.02)]
    >>> chosen, best = one_standard_error(pd.DataFrame(rows, columns=["method", "k", "mean", "se"]))
    >>> chosen["method"], int(chosen["k"]), int(best["k"])
    ('A', 2, 3)
    """
    known = summary[~summary["method"].isin([ALL_FEATURES, GUESS])].dropna(subset="mean")
    if known.empty:
        raise ValueError(_no_score(remarks))
    best = known.loc[known["mean"].idxmax()]
    tolerance = np.nan_to_num(best["se"])
    enough = known[known["mean"] >= best["mean"] - tolerance]
    smallest = enough[enough["k"] == enough["k"].min()]
    return smallest.loc[smallest["mean"].idxmax()], best


def _no_score(remarks):
    """Message where nothing could be scored, with the reasons that came up most often."""
    said = "No selector has a score on at least half of the folds."
    if remarks is None or not len(remarks):
        return f"{said} Most likely test rows lack a class, or training rows have one class only."
    reasons = remarks.groupby("text", sort=False)["times"].sum().sort_values(ascending=False, kind="stable").index[:3]
    return f"{said} {'; '.join(reason.rstrip('.') for reason in reasons)}."
