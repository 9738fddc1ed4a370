"""Arguments of `fslib.select.select_features` that are something else than they should be."""

from sklearn.base import BaseEstimator, is_classifier, is_regressor
from sklearn.pipeline import Pipeline

PROBABILITIES = ("neg_log_loss", "roc_auc_ovr")
"""Scores that need the probabilities of the classes."""


def check_table(table):
    """Refuse a table that was not read.

    Raises
    ------
    TypeError

    Examples
    --------
    >>> check_table("patients.csv")
    Traceback (most recent call last):
    TypeError: A table is what fslib.tables.read_table(file or DataFrame, target) returns, got str.
    """
    if not all(hasattr(table, name) for name in ("X", "y", "task")):
        raise TypeError(
            f"A table is what fslib.tables.read_table(file or DataFrame, target) returns, got {type(table).__name__}."
        )


def check_selectors(selectors):
    """Refuse selectors that are not a dict of names and selectors, or none at all.

    Raises
    ------
    TypeError

    Examples
    --------
    >>> check_selectors(["MRMR"])
    Traceback (most recent call last):
    TypeError: selectors must be a dict of names and selectors, such as {"MRMR": Discretized(MRMR())}, got ['MRMR'].
    """
    fits = lambda one: isinstance(one, BaseEstimator) and hasattr(one, "fit")
    if not isinstance(selectors, dict) or not selectors or not all(map(fits, selectors.values())):
        shown = repr(selectors)[:80]
        raise TypeError(
            f'selectors must be a dict of names and selectors, such as {{"MRMR": Discretized(MRMR())}}, got {shown}.'
        )


def check_learner(learner, task, scoring=""):
    """Refuse a learner that cannot be fitted, learns something else than the task, or lacks what the score needs.

    Raises
    ------
    TypeError

    Examples
    --------
    >>> check_learner("svm", "classification")
    Traceback (most recent call last):
    TypeError: learner must be an estimator with fit and predict, such as LogisticRegression(), got 'svm'.
    """
    if learner is None:
        return
    if isinstance(learner, type) or not all(hasattr(learner, name) for name in ("get_params", "fit", "predict")):
        raise TypeError(
            f"learner must be an estimator with fit and predict, such as LogisticRegression(), got {learner!r}."
        )
    name = type(learner[-1] if isinstance(learner, Pipeline) else learner).__name__
    if task == "classification" and is_regressor(learner):
        raise TypeError(f"learner {name} predicts numbers, and the target holds classes; pass a classifier.")
    if task == "regression" and is_classifier(learner):
        raise TypeError(f"learner {name} predicts classes, and the target is a number; pass a regressor.")
    if scoring in PROBABILITIES and not hasattr(learner, "predict_proba"):
        raise TypeError(f"learner {name} has no predict_proba, which the score {scoring} needs; choose another.")
