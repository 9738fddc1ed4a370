"""What about a table makes scores doubtful, in sentences."""

import numpy as np

from fslib.select.candidates import MAX_FOREST_ENTRIES
from fslib.select.problem import is_imbalanced

MAX_LABEL_ROWS = 4_000
"""Rows by which selectors for several labels are judged; ML-kNN compares all pairs of them."""


def repeated_rows(X):
    """Sentence about rows that have the features of another, or an empty text.

    Test rows are then known from training, and every score is too good. Nothing is said of up to one row in twenty, nor
    where there are fewer possible rows than rows, so that some must be equal.

    Parameters
    ----------
    X : DataFrame

    Returns
    -------
    str

    Examples
    --------
    >>> import pandas as pd
    >>> repeated_rows(pd.DataFrame({"a": [0.1, 0.2, 0.1, 0.3], "b": [1.5, 1.7, 1.5, 1.9]}))[:51]
    '2 of 4 rows have the features of another row. If th'
    """
    if np.log(np.maximum(X.nunique(), 1)).sum() <= np.log(len(X)):
        return ""
    repeated = X.duplicated(keep=False).sum()
    if repeated <= len(X) / 20:
        return ""
    return (
        f"{repeated} of {len(X)} rows have the features of another row. If they are measurements of one thing, "
        "test rows are known from training and every score is too good: pass groups=, one value per thing."
    )


def judged_rows(problem, learner=None):
    """Rows by which selectors are judged: all, but for several labels :data:`MAX_LABEL_ROWS` drawn at random at most.

    Parameters
    ----------
    problem : SelectionProblem
    learner : estimator or None
        A learner of the user's own gets all rows.

    Returns
    -------
    SelectionProblem
    """
    n = len(problem.X)
    if problem.task != "multilabel" or n <= MAX_LABEL_ROWS or learner is not None:
        return problem
    drawn = np.random.default_rng([problem.seed, 2]).choice(n, MAX_LABEL_ROWS, replace=False)
    return problem.rows(np.sort(drawn))


def cautions_of(table, problem, judged):
    """Sentences on what makes the scores of a table doubtful, or was left out because of its size.

    Parameters
    ----------
    table : UserTable
    problem, judged : SelectionProblem
        All rows, and those of `judged_rows`.

    Returns
    -------
    list of str
    """
    said = []
    if len(judged.X) < len(problem.X):
        said.append(
            f"Scores and halves are of {len(judged.X)} of the {len(problem.X)} rows, drawn at random, because ML-kNN "
            "compares all pairs of rows; the choice itself is of all rows."
        )
    if problem.groups is None and problem.time is None:
        said.append(repeated_rows(table.X))
    if problem.task == "classification" and is_imbalanced(table.y) and table.X.size > MAX_FOREST_ENTRIES:
        said.append("Forests on balanced samples (BIRF) take minutes per fit at this size and were not tried.")
    return [sentence for sentence in said if sentence]
