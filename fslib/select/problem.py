"""What is asked of a table: its numbers, its target as selectors see it, and the score by which a choice is judged."""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression, RidgeCV

SCORING = {
    "zero_one": "accuracy",
    "balanced": "balanced_accuracy",
    "log": "neg_log_loss",
    "squared": "r2",
    "f_beta": "f1",
    "auc": "roc_auc",
}
"""The score by which the learner is judged when features were chosen for a criterion; larger is better."""

LABEL_SCORE = "micro_f1_of_known_labels"
"""The score where there are several labels."""

IMBALANCED = 2.0
"""Rows of the largest class per row of the smallest from which the classes count as unequal."""


def is_imbalanced(y):
    """Whether the classes differ enough in size for selectors that make up for it.

    Examples
    --------
    >>> is_imbalanced(["a", "b", "b"]), is_imbalanced(["a", "a", "b", "b", "b"])
    (True, False)
    """
    counts = Counter(y)
    return max(counts.values()) >= IMBALANCED * min(counts.values())


def resolve_criterion(table, criterion="auto"):
    """Performance measure for a table.

    Parameters
    ----------
    table : UserTable
        From ``fslib.tables.read_table``.
    criterion : str
        "auto", or a key of :data:`SCORING`. "auto" is "squared" for a numeric target, "balanced" where one class has
        twice as many rows as another, else "zero_one". Several labels have one measure, so nothing can be set.

    Returns
    -------
    str
        A key of :data:`SCORING`; "auto" for several labels.

    Raises
    ------
    ValueError
        If the criterion is unknown or does not suit the task.

    Examples
    --------
    >>> from sklearn.utils import Bunch
    >>> resolve_criterion(Bunch(task="classification", y=["ill", "well", "well"]))
    'balanced'
    """
    if criterion != "auto" and criterion not in SCORING:
        raise ValueError(f"criterion must be one of auto, {', '.join(SCORING)}, got {criterion!r}.")
    if table.task == "multilabel":
        if criterion != "auto":
            raise ValueError(
                f"criterion={criterion!r} has no effect with several labels, which are judged by the F1 of all known "
                "labels; leave it at 'auto'."
            )
        return criterion
    if criterion == "auto":
        if table.task == "regression":
            return "squared"
        return "balanced" if is_imbalanced(table.y) else "zero_one"
    if (table.task == "regression") != (criterion == "squared"):
        raise ValueError(
            f"criterion={criterion!r} does not fit a {table.task} target; 'squared' is the one for regression."
        )
    return criterion


def scorer_for(table, criterion):
    """Name of the score that goes with a criterion on this table; larger is better.

    Examples
    --------
    >>> from sklearn.utils import Bunch
    >>> scorer_for(Bunch(task="classification", y=["a", "b", "c"]), "auc")
    'roc_auc_ovr'
    """
    if table.task == "multilabel":
        return LABEL_SCORE
    scoring = SCORING[resolve_criterion(table, criterion)]
    if table.task == "classification" and len(set(table.y)) > 2:
        return {"f1": "f1_macro", "roc_auc": "roc_auc_ovr"}.get(scoring, scoring)
    return scoring


def default_learner(task, criterion):
    """Learner that judges a choice: logistic or ridge regression, ML-kNN for several labels.

    Criteria that give the classes equal weight get class weights, without which the learner would answer with the
    larger class.

    Examples
    --------
    >>> default_learner("classification", "balanced").class_weight
    'balanced'
    """
    if task == "multilabel":
        from fslib.multilabel import MLkNN

        return MLkNN()
    if task == "regression":
        return RidgeCV()
    return LogisticRegression(max_iter=1000, class_weight="balanced" if criterion in ("balanced", "f_beta") else None)


def coded_target(table):
    """Target as selectors and learners see it: of two classes the rarer one is 1, the positive one of the papers."""
    if table.task != "classification":
        return np.asarray(table.y)
    classes, counts = np.unique(table.y, return_counts=True)
    if len(classes) != 2:
        return np.asarray(table.y)
    return (np.asarray(table.y) == classes[1 - np.argmin(counts[::-1])]).astype(int)


@dataclass(frozen=True, eq=False)
class SelectionProblem:
    """A table as arrays, with the question that is asked of it.

    Attributes
    ----------
    X : array of shape (n, d)
        NaN is an empty cell.
    y : array of shape (n,) or (n, c)
        See `coded_target`.
    task, scoring : str
    names : list of str
        Features.
    learner : estimator
        Fitted on standardised features.
    groups, time : arrays of shape (n,) or None
    seed : int
    class_names : dict
        Code in ``y`` -> class of the table, where they differ.
    """

    X: np.ndarray
    y: np.ndarray
    task: str
    scoring: str
    names: list
    learner: Any
    groups: Any = None
    time: Any = None
    seed: int = 0
    class_names: dict = field(default_factory=dict)

    def rows(self, index):
        """Return the same question asked of some of the rows."""
        part = lambda values: None if values is None else values[index]
        return replace(self, X=self.X[index], y=self.y[index], groups=part(self.groups), time=part(self.time))


def problem_of(table, *, criterion="auto", learner=None, groups=None, seed=0):
    """Arrays and score for a table.

    Parameters
    ----------
    table : UserTable
    criterion : str
        See `resolve_criterion`.
    learner : estimator or None
        None for `default_learner`.
    groups : array of shape (n,) or None
        None for those of the table.
    seed : int

    Returns
    -------
    SelectionProblem

    Raises
    ------
    ValueError
        If the criterion does not suit the task, or groups or time have another length.
    """
    criterion = resolve_criterion(table, criterion)
    y = coded_target(table)
    return SelectionProblem(
        X=table.X.to_numpy(dtype=float),
        y=y,
        task=table.task,
        scoring=scorer_for(table, criterion),
        names=[str(name) for name in table.X.columns],
        learner=default_learner(table.task, criterion) if learner is None else learner,
        groups=_codes(getattr(table, "groups", None) if groups is None else groups, "groups", table),
        time=_codes(getattr(table, "time", None), "time", table),
        seed=seed,
        class_names=dict(zip(y, table.y, strict=True)) if table.task == "classification" else {},
    )


def _codes(values, name, table):
    """One code per row, in the order of the values where they have one; None stays None."""
    if values is None:
        return None
    if len(values) != len(table.X):
        raise ValueError(f"{name} has {len(values)} values for {len(table.X)} rows.")
    return pd.factorize(pd.Series(values), sort=name == "time", use_na_sentinel=False)[0]
