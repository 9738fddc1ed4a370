"""Measures of multi-label prediction and ranking, by name."""

import numpy as np
import pandas as pd
from sklearn.metrics import accuracy_score, f1_score

from fslib.evaluation.label_ranking import average_precision, coverage, one_error, one_error_expected, ranking_loss


def example_f1(y_true, y_pred):
    """F1 of the predicted label set of each row, mean over rows; 1 where both sets are empty.

    This, not the mean over labels, is what the MLMLFS paper reports as "Macro-F".

    Parameters
    ----------
    y_true, y_pred : arrays of shape (n, c)

    Returns
    -------
    float

    Examples
    --------
    >>> example_f1([[1, 1, 0], [0, 0, 0]], [[1, 0, 0], [0, 0, 0]])
    0.8333333333333333
    """
    y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
    true, predicted = y_true == 1, y_pred == 1  # scikit-learn agrees, and takes ten times as long
    both, sizes = (true & predicted).sum(axis=1), true.sum(axis=1) + predicted.sum(axis=1)
    return float(np.mean(np.where(sizes == 0, 1.0, 2 * both / np.maximum(sizes, 1))))


def label_macro_f1(y_true, y_pred, *, zero_division=0.0):
    """F1 of each label, mean over labels.

    Parameters
    ----------
    y_true, y_pred : arrays of shape (n, c)
    zero_division : float
        F1 of a label that neither occurs nor is predicted, for which it is not defined. NaN leaves such labels out of
        the mean; 0 is what the papers do.

    Returns
    -------
    float
        NaN if no label is left.

    Examples
    --------
    >>> label_macro_f1([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    0.5
    >>> label_macro_f1([[1, 0], [0, 0]], [[1, 0], [0, 0]], zero_division=np.nan)
    1.0
    """
    return _mean_f1(y_true, y_pred, "macro", zero_division)


def micro_f1(y_true, y_pred, *, zero_division=0.0):
    """F1 of all entries pooled.

    Parameters
    ----------
    y_true, y_pred : arrays of shape (n, c)
    zero_division : float
        The result if there is no positive entry on either side.

    Returns
    -------
    float

    Examples
    --------
    >>> micro_f1([[1, 0], [1, 0]], [[1, 1], [1, 0]])
    0.8
    """
    return _mean_f1(y_true, y_pred, "micro", zero_division)


def micro_f1_of_known_labels(model, X, y):
    """Micro-F1 over the known labels: what to pass as ``scoring`` where some of y is unknown.

    Parameters
    ----------
    model : fitted estimator
        With ``predict``, such as ``MLkNN``, ``MLMLFS``, or a pipeline that ends in one of them.
    X : array of shape (n, d)
    y : array or DataFrame of shape (n, c)
        0, 1 or NaN for unknown.

    Returns
    -------
    float
        NaN if no known label is present and none is predicted: F1 is not defined then, and a mean should leave it out.

    Examples
    --------
    >>> from sklearn.model_selection import KFold, cross_val_score
    >>> from fslib.multilabel import MLkNN
    >>> X, y = np.arange(12.0).reshape(-1, 1) % 2, np.tile([[0, 1], [1, np.nan]], (6, 1))
    >>> cross_val_score(MLkNN(n_neighbors=3), X, y, cv=KFold(3), scoring=micro_f1_of_known_labels)
    array([1., 1., 1.])
    """
    y = pd.DataFrame(y).to_numpy(dtype=float, na_value=np.nan)
    known = ~np.isnan(y)
    if not known.any():
        return float("nan")
    return float(f1_score(y[known], model.predict(X)[known], zero_division=np.nan))


def _mean_f1(y_true, y_pred, average, zero_division):
    y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
    true, predicted = y_true == 1, y_pred == 1
    counts = np.stack([(true & predicted).sum(axis=0), true.sum(axis=0) + predicted.sum(axis=0)])
    both, sizes = counts.sum(axis=1, keepdims=True) if average == "micro" else counts
    values = np.where(sizes > 0, 2 * both / np.maximum(sizes, 1), zero_division)
    defined = values[~np.isnan(values)]
    return float(np.mean(defined)) if len(defined) else float("nan")


PREDICTION_METRICS = {
    "hamming_loss": lambda y_true, y_pred: float(np.mean(y_true != y_pred)),
    "subset_accuracy": lambda y_true, y_pred: float(accuracy_score(y_true, y_pred)),
    "micro_f1": micro_f1,
    "label_macro_f1": label_macro_f1,
    "example_f1": example_f1,
}
RANKING_METRICS = {
    "one_error": one_error,
    "one_error_expected": one_error_expected,
    "coverage": coverage,
    "ranking_loss": ranking_loss,
    "average_precision": average_precision,
}
PRINTED_IN_MLMLFS = ("hamming_loss", "one_error", "average_precision", "example_f1")


def multilabel_scores(y_true, y_score, *, threshold=0.5, ties="worst", metrics=None):
    """Several measures of one prediction.

    Parameters
    ----------
    y_true : array of shape (n, c)
        0 and 1, all known.
    y_score : array of shape (n, c)
        Probabilities or other scores.
    threshold : float
        A label is predicted if its score is at least this.
    ties : {"worst", "lamda"}
        See ``average_precision``.
    metrics : sequence of str, optional
        Names in ``PREDICTION_METRICS`` and ``RANKING_METRICS``; default all that are defined for c labels.

    Returns
    -------
    dict of str to float

    Raises
    ------
    ValueError
        For unknown names, unequal shapes, scores that are not finite, and measures of ranking of a single label.

    Examples
    --------
    >>> multilabel_scores([[1, 0]], [[0.7, 0.6]], metrics=["hamming_loss", "one_error"])
    {'hamming_loss': 0.5, 'one_error': 0.0}
    """
    y_true, y_score = np.asarray(y_true), np.asarray(y_score, dtype=float)
    if y_true.shape != y_score.shape or y_true.ndim != 2:
        raise ValueError(f"y_true {y_true.shape} and y_score {y_score.shape} must have one shape (n, c).")
    if metrics is None:
        metrics = [*PREDICTION_METRICS, *(RANKING_METRICS if y_true.shape[1] > 1 else [])]
    unknown = set(metrics) - PREDICTION_METRICS.keys() - RANKING_METRICS.keys()
    if unknown:
        raise ValueError(
            f"No measure is called {sorted(unknown)}; there are {[*PREDICTION_METRICS, *RANKING_METRICS]}."
        )
    if not np.isfinite(y_score).all():
        raise ValueError("y_score holds NaN or infinity: labels cannot be ranked by it.")
    y_pred = (y_score >= threshold).astype(int)
    scores = {}
    for name in metrics:
        if name in PREDICTION_METRICS:
            scores[name] = PREDICTION_METRICS[name](y_true, y_pred)
        else:
            options = {"ties": ties} if name in ("coverage", "average_precision") else {}
            scores[name] = RANKING_METRICS[name](y_true, y_score, **options)
    return scores
