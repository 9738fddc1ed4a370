"""Scores of ML-kNN on the first feature of a ranking, the first two, the first three, ..."""

import numpy as np

from fslib.evaluation.multilabel_metrics import PRINTED_IN_MLMLFS, multilabel_scores
from fslib.multilabel.mlknn import mlknn_sweep


def sweep_scores(
    X_train, label_sets, X_test, y_test, order, *, sizes=None, metrics=PRINTED_IN_MLMLFS, ties="worst", **mlknn
):
    """Measure ML-kNN for every number of leading features.

    Parameters
    ----------
    X_train : array of shape (n, d)
    label_sets : dict of str to array of shape (n, c)
        Versions of the training labels, which share the search for neighbours; 0, 1 or NaN.
    X_test : array of shape (m, d)
    y_test : array of shape (m, c)
        0 and 1; NaN for unknown labels, on which no prediction is judged (see `only_known`).
    order : sequence of int
        Features, best first.
    sizes : collection of int, optional
        Numbers of features to judge; default all from 1 on.
    metrics : sequence of str
        Names known to ``multilabel_scores``.
    ties : {"worst", "lamda"}
        How tied label scores are ranked: against the prediction, or as MATLAB's evaluation code of Lamda does.
    **mlknn
        ``n_neighbors`` and ``s`` of ``MLkNN``.

    Returns
    -------
    dict of str to dict of str to array
        ``scores[label set][metric]`` has one value per number of features.

    Examples
    --------
    >>> X = np.repeat([[0.0, 3.0], [1.0, 3.0]], 4, axis=0)
    >>> y = np.repeat([[0, 1], [1, 0]], 4, axis=0)
    >>> scores = sweep_scores(X, {"all": y}, X, y, [0, 1], n_neighbors=2, metrics=["hamming_loss"])
    >>> scores["all"]["hamming_loss"]
    array([0., 0.])
    """
    scores = {name: {metric: [] for metric in metrics} for name in label_sets}
    for found in mlknn_sweep(X_train, label_sets, X_test, order, sizes=sizes, **mlknn):
        for name, probabilities in found.items():
            known = only_known(y_test, probabilities)
            for metric, value in multilabel_scores(*known, ties=ties, metrics=metrics).items():
                scores[name][metric].append(value)
    return {name: {metric: np.array(values) for metric, values in of.items()} for name, of in scores.items()}


def only_known(y_true, probabilities):
    """Labels and scores by which every measure leaves unknown labels out.

    An unknown label becomes an absent one that is not predicted and ranked last: it enters no F measure and no rank of
    a known label. Only the Hamming loss counts it, as an entry without a mistake, which
    scales it by the known share and changes no comparison on the same labels.

    Parameters
    ----------
    y_true : array of shape (m, c)
        0, 1 or NaN.
    probabilities : array of shape (m, c)

    Returns
    -------
    tuple of two arrays of shape (m, c)

    Examples
    --------
    >>> only_known(np.array([[1, np.nan]]), np.array([[0.4, 0.9]]))
    (array([[1., 0.]]), array([[ 0.4, -1. ]]))
    """
    known = ~np.isnan(y_true)
    return np.where(known, y_true, 0), np.where(known, probabilities, -1.0)
