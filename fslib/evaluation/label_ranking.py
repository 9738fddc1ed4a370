"""How well the labels of a sample are ranked by their scores: coverage, one-error, ranking loss, average precision.

A *valid* row has at least one label and lacks at least one: only there does a ranking of labels mean anything.
scikit-learn counts the other rows as perfect, so only the valid ones are passed to it.
"""

import numpy as np
from sklearn.metrics import coverage_error, label_ranking_loss


def one_error(y_true, y_score):
    """Share of valid rows whose top label is wrong.

    Parameters
    ----------
    y_true : array of shape (n, c)
        0 and 1.
    y_score : array of shape (n, c)
        Larger means more likely; finite.

    Returns
    -------
    float
        A row counts as right if *any* of the labels tied at the top is relevant, which flatters coarse scores:
        see ``one_error_expected``.

    Raises
    ------
    ValueError
        For non-finite scores, entries of ``y_true`` other than 0 and 1, a single label, or when no row is valid; so do
        all measures of ranking here.

    Examples
    --------
    >>> round(one_error([[1, 0], [1, 0], [1, 0], [1, 1]], [[0.9, 0.1], [0.5, 0.5], [0.2, 0.8], [0.0, 1.0]]), 4)
    0.3333
    """
    y_true, y_score = _valid_rows(y_true, y_score)
    top = y_score == y_score.max(axis=1, keepdims=True)
    return float(1 - np.mean((top & y_true).any(axis=1)))


def one_error_expected(y_true, y_score):
    """One-error when a label tied at the top is drawn at random. Parameters as in ``one_error``.

    Examples
    --------
    >>> one_error_expected([[1, 0], [1, 0]], [[0.9, 0.1], [0.5, 0.5]])
    0.25
    """
    y_true, y_score = _valid_rows(y_true, y_score)
    top = y_score == y_score.max(axis=1, keepdims=True)
    return float(1 - np.mean((top & y_true).sum(axis=1) / top.sum(axis=1)))


def coverage(y_true, y_score, *, ties="worst"):
    """How far down the ranking the last relevant label is, in labels; best is the mean number of labels minus 1.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n, c)
    ties : {"worst", "lamda"}
        See ``average_precision``.

    Returns
    -------
    float
        Mean over *all* rows of the worst rank of a relevant label minus 1; a row without labels gives -1. Some authors
        divide by c.

    Raises
    ------
    ValueError
        See ``one_error``; a row without labels is no error here.

    Examples
    --------
    >>> coverage([[1, 0, 0], [0, 1, 1]], [[0.9, 0.5, 0.1], [0.9, 0.5, 0.1]])
    1.0
    """
    y_true, y_score = check_ranking(y_true, y_score)
    if ties == "worst":
        return float(coverage_error(y_true, y_score) - 1)
    return float(np.mean(np.max(_ranks(y_score, ties) * y_true, axis=1)) - 1)


def ranking_loss(y_true, y_score):
    """Share of (relevant, irrelevant) pairs in the wrong order, mean over valid rows; a tie is wrong.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n, c)

    Returns
    -------
    float

    Raises
    ------
    ValueError
        See ``one_error``.

    Examples
    --------
    >>> ranking_loss([[1, 0, 0]], [[0.5, 0.9, 0.1]])
    0.5
    """
    return float(label_ranking_loss(*_valid_rows(y_true, y_score)))


def average_precision(y_true, y_score, *, ties="worst"):
    """Mean over the relevant labels of a row of the precision at their rank, mean over valid rows.

    scikit-learn's ``label_ranking_average_precision_score`` gives the same for ``ties="worst"``, but row by row in
    Python; a sweep over a hundred feature numbers needs this all at once.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n, c)
    ties : {"worst", "lamda"}
        "worst": equal scores share the worst of their ranks. "lamda": of equal scores the later label ranks first,
        as in the MATLAB programs of the LAMDA group on which many published numbers rest.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        See ``one_error``.

    Examples
    --------
    >>> average_precision([[1, 0]], [[0.5, 0.5]]), average_precision([[0, 1]], [[0.5, 0.5]], ties="lamda")
    (0.5, 1.0)
    """
    y_true, y_score = _valid_rows(y_true, y_score)
    ranks = _ranks(y_score, ties)
    by_rank = np.argsort(ranks, axis=1, kind="stable")
    ranks, relevant = (np.take_along_axis(values, by_rank, axis=1) for values in (ranks, y_true))
    at_place = np.cumsum(relevant, axis=1)  # relevant labels down to this place; equal ranks take their last place's
    hits = np.take_along_axis(at_place, ranks - 1, axis=1)
    return float(np.mean(np.sum(relevant * hits / ranks, axis=1) / relevant.sum(axis=1)))


def check_ranking(y_true, y_score):
    """Return which labels apply and the scores, both (n, c), or raise a ValueError that says what is wrong."""
    y_true, y_score = np.asarray(y_true), np.asarray(y_score, dtype=float)
    if y_true.shape != y_score.shape or y_true.ndim != 2:
        raise ValueError(f"y_true {y_true.shape} and y_score {y_score.shape} must have one shape (n, c).")
    if y_true.shape[1] < 2:
        raise ValueError("A ranking of labels needs at least two of them; for a single label use ROC AUC or F1.")
    if not np.isfinite(y_score).all():
        raise ValueError("y_score holds NaN or infinity: labels cannot be ranked by it.")
    relevant = y_true == 1
    if not np.all(relevant | (y_true == 0)):  # NaN and -1 would be relevant as truth values
        raise ValueError("y_true must hold 0 and 1 only: recode -1 as 0, and leave unknown labels (NaN) out.")
    return relevant, y_score


def _valid_rows(y_true, y_score):
    y_true, y_score = check_ranking(y_true, y_score)
    valid = y_true.any(axis=1) & ~y_true.all(axis=1)
    if not valid.any():
        raise ValueError("No row has both a label that applies and one that does not: no ranking can be judged.")
    return y_true[valid], y_score[valid]


def _ranks(y_score, ties):
    """Rank of each label in its row, 1 = largest score, shape (n, c)."""
    if ties not in ("worst", "lamda"):
        raise ValueError(f'ties={ties!r} must be "worst" or "lamda".')
    n, c = y_score.shape
    ascending = np.argsort(y_score, axis=1, kind="stable")
    place = np.broadcast_to(np.arange(c), (n, c))
    if ties == "worst":  # the first place of a run of equal scores, counted from below, is the worst from above
        in_order = np.take_along_axis(y_score, ascending, axis=1)
        new = np.concatenate([np.ones((n, 1), bool), in_order[:, 1:] > in_order[:, :-1]], axis=1)
        place = np.maximum.accumulate(np.where(new, place, 0), axis=1)
    ranks = np.empty((n, c), dtype=np.intp)
    np.put_along_axis(ranks, ascending, c - place, axis=1)
    return ranks
