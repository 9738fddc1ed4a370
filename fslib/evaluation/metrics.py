"""The error measures of two-class experiments, each under one name: learners are tuned by them and figures show them.

The 0-1 and the balanced error are means of wrong labels; scikit-learn has them as one minus a score, whose rounding
would break ties between equal errors. F1 is counted here: tuning a threshold takes thousands of values of it, and
scikit-learn's `f1_score` spends nearly all its time on checks. AUC is that of many columns of scores at once. Labels
are 0 and 1; 1 is the positive class. ``y_true``, ``y_pred`` and ``probability`` are arrays of shape (n,).
"""

import numpy as np
from scipy.stats import rankdata
from sklearn import metrics

PROBABILITY_FLOOR = 1e-6
"""Probabilities are kept this far from 0 and 1, so that one confident mistake costs at most 13.8 nats."""


def error_0_1(y_true, y_pred):
    """Share of wrong labels, in [0, 1].

    Examples
    --------
    >>> float(error_0_1([0, 0, 0, 1], [0, 0, 1, 0]))
    0.5
    """
    return np.mean(np.not_equal(y_true, y_pred))


def cost_error(y_true, y_pred, c):
    """Mean cost of the labels, where a false positive costs ``c`` and a false negative ``1 - c``.

    Parameters
    ----------
    y_true, y_pred : array of {0, 1}, shape (n,)
    c : float
        In (0, 1); at 0.5 the result is half the 0-1 error.

    Examples
    --------
    >>> float(cost_error([0, 0, 0, 1], [0, 0, 1, 0], c=0.25))  # (0.25 + 0.75) / 4
    0.25
    """
    y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
    return c * np.mean(y_pred > y_true) + (1 - c) * np.mean(y_pred < y_true)


def balanced_error(y_true, y_pred):
    """Mean of the two classes' error rates, in [0, 1]; a constant label has 0.5.

    Raises
    ------
    ValueError
        If a class does not occur in ``y_true``.

    Examples
    --------
    >>> float(balanced_error([0, 0, 0, 1], [0, 0, 1, 1]))  # (1/3 + 0) / 2
    0.16666666666666666
    """
    y_true = np.asarray(y_true)
    wrong = np.not_equal(y_true, y_pred)
    if not 0 < np.count_nonzero(y_true) < len(y_true):
        raise ValueError("balanced error needs rows of both classes in y_true.")
    return (wrong[y_true == 1].mean() + wrong[y_true == 0].mean()) / 2


def log_loss(y_true, probability):
    """Mean negative log-likelihood in nats, probabilities clipped to [1e-6, 1 - 1e-6].

    Parameters
    ----------
    y_true : array of {0, 1}, shape (n,)
    probability : array of float, shape (n,)
        Of class 1.

    Examples
    --------
    >>> round(float(log_loss([0, 1], [0.5, 0.5])), 4)
    0.6931
    """
    p = np.clip(probability, PROBABILITY_FLOOR, 1 - PROBABILITY_FLOOR)
    return metrics.log_loss(y_true, p, labels=[0, 1])


def f1(y_true, y_pred):
    """Harmonic mean of precision and recall of class 1, larger is better; 0 if no positive is found.

    Examples
    --------
    >>> float(f1([0, 0, 1, 1], [0, 1, 1, 1])), float(f1([0, 0, 1, 1], [0, 0, 0, 0]))
    (0.8, 0.0)
    """
    y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
    positives = np.count_nonzero(y_true) + np.count_nonzero(y_pred)
    return 2.0 * np.count_nonzero(y_true * y_pred) / positives if positives else 0.0


def auc(y_true, scores):
    """Probability that a positive has a larger score than a negative; ties count half. Larger is better.

    Parameters
    ----------
    y_true : array of {0, 1}, shape (n,)
    scores : array of shape (n,) or (n, m)
        Larger for class 1; every column is judged by itself.

    Returns
    -------
    float or array of shape (m,)
        NaN if a class is absent.

    Raises
    ------
    ValueError
        For NaN in the scores.

    Examples
    --------
    >>> float(auc([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]))  # of four pairs three are right, one is a tie
    0.875
    """
    y_true, scores = np.asarray(y_true), np.asarray(scores, dtype=float)
    if np.isnan(scores).any():
        raise ValueError("AUC of scores that contain NaN is not defined.")
    n_positive = np.count_nonzero(y_true == 1)
    n_pairs = n_positive * (len(y_true) - n_positive)
    above = rankdata(scores, axis=0)[y_true == 1].sum(axis=0) - n_positive * (n_positive + 1) / 2
    return above / n_pairs if n_pairs else np.full(scores.shape[1:], np.nan)[()]


def auc_hard(y_true, y_pred):
    """AUC of predicted labels, which is one minus the balanced error. Larger is better.

    A ROC curve through a single point: a classifier that ranks well and labels everything negative has 1/2. Tables that
    call it AUC cannot be compared with those of `auc`.

    Examples
    --------
    >>> float(auc_hard([0, 0, 1, 1], [0, 0, 0, 1])), float(auc_hard([0, 0, 1, 1], [0, 0, 0, 0]))
    (0.75, 0.5)
    """
    return 1 - balanced_error(y_true, y_pred)


def auc_pooled(folds):
    """AUC over the scores of all folds of a cross-validation at once. Larger is better.

    Scores of different folds come from different models, so pairs across folds compare what was never meant to be
    compared: a model that predicts the share of positives it was trained on has less than 1/2, because a fold with more
    positives leaves fewer to train on. The mean of the folds' own AUC does not have this fault.

    Parameters
    ----------
    folds : iterable of pairs (y_true, scores)

    Raises
    ------
    ValueError
        If a score is NaN.

    Examples
    --------
    Two folds of constant scores, each the share of positives in the other fold:

    >>> round(float(auc_pooled([([0, 0, 0, 1], [0.5] * 4), ([0, 0, 1, 1], [0.25] * 4)])), 3)
    0.367
    """
    y_true, scores = (np.concatenate(part) for part in zip(*folds, strict=True))
    return auc(y_true, scores)
