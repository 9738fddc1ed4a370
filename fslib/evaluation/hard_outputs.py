"""The seven measures of thesis braytee's Tables 5.6 and 5.7, from real scores and, as published, from hard outputs.

A ranking measure of a 0/1 prediction depends on how ties are broken, and almost everything is tied. The rules below are
those under which binary relevance gives the published numbers on all data sets that could be tried: for average
precision the *later* of two equal labels ranks higher, for coverage the *earlier* one; a tied pair is an error of the
ranking loss; the top label is right if any label tied at the top applies (so that a row without a predicted label is
always right).
"""

import numpy as np

from fslib.evaluation import label_ranking
from fslib.evaluation.multilabel_metrics import PREDICTION_METRICS

PREDICTION = ("hamming_loss", "subset_accuracy", "micro_f1")
RANKING = ("one_error", "ranking_loss", "coverage_share", "average_precision")


def seven_scores(y_true, y_score, *, threshold=0.0, outputs="hard"):
    """Hamming loss, subset accuracy and micro-F1 of a prediction, and four measures of ranking.

    Parameters
    ----------
    y_true : array of shape (n, c)
        0 and 1; c at least 2.
    y_score : array of shape (n, c)
        Scores; a label is predicted if its score is above the threshold.
    threshold : float or array of shape (c,)
    outputs : {"hard", "real"}
        What labels are ranked by: the prediction, under the rules of ties at the top of this module, or
        the scores.

    Returns
    -------
    dict of str to float
        The measures of ranking carry ``_hard`` or ``_real`` in their names: they must never be compared. Coverage is
        divided by c. Hard: rows without labels count, with 0 for average precision, ranking loss and coverage, and as
        an error for one-error. Real: rows without labels, or with all, are left out. ``empty_predictions`` is the share
        of rows without a predicted label, each of which flatters the hard one-error.

    Raises
    ------
    ValueError
        For unequal shapes, entries of ``y_true`` other than 0 and 1, scores that are not finite, or fewer than two
        labels.

    Examples
    --------
    >>> hard = seven_scores([[1, 0, 0], [0, 1, 1]], [[2.0, -1.0, -2.0], [-2.0, -1.0, -1.0]])
    >>> {name: round(value, 2) for name, value in hard.items()}  # doctest: +NORMALIZE_WHITESPACE
    {'hamming_loss': 0.33, 'subset_accuracy': 0.5, 'micro_f1': 0.5, 'one_error_hard': 0.0, 'ranking_loss_hard': 0.5,
     'coverage_share_hard': 0.33, 'average_precision_hard': 1.0, 'empty_predictions': 0.5}
    """
    if outputs not in ("hard", "real"):
        raise ValueError(f"outputs={outputs!r} must be 'hard' or 'real'.")
    relevant, scores = label_ranking.check_ranking(y_true, y_score)
    predicted = scores > threshold
    values = {name: PREDICTION_METRICS[name](relevant.astype(int), predicted.astype(int)) for name in PREDICTION}
    four = _ranking_of_hard(relevant, predicted) if outputs == "hard" else _ranking_of_real(relevant, scores)
    values |= {f"{name}_{outputs}": float(value) for name, value in zip(RANKING, four, strict=True)}
    return values | {"empty_predictions": float(np.mean(~predicted.any(axis=1)))}


def _ranking_of_hard(relevant, predicted):
    n, c = relevant.shape
    row = np.arange(n)
    none_predicted = ~predicted.any(axis=1)
    one_error = 1 - np.mean((predicted & relevant).any(axis=1) | (none_predicted & relevant.any(axis=1)))
    irrelevant = ~relevant
    # a pair is in order only if its relevant label is predicted and its irrelevant one is not
    ordered = (relevant & predicted).sum(axis=1) * (irrelevant & ~predicted).sum(axis=1)
    pairs = relevant.sum(axis=1) * irrelevant.sum(axis=1)
    loss = np.mean(np.divide(pairs - ordered, pairs, out=np.zeros(n), where=pairs > 0))
    rank = np.empty((n, c), dtype=int)
    rank[row[:, None], np.argsort(~predicted, axis=1, kind="stable")] = np.arange(1, c + 1)  # earlier label first
    coverage = np.mean(np.maximum((rank * relevant).max(axis=1) - 1, 0)) / c
    later_first = relevant[:, ::-1]
    order = np.argsort(~predicted[:, ::-1], axis=1, kind="stable")
    sorted_relevant = np.take_along_axis(later_first, order, axis=1)
    precision = np.cumsum(sorted_relevant, axis=1) / np.arange(1, c + 1)
    counts = relevant.sum(axis=1)
    total = np.sum(precision * sorted_relevant, axis=1)
    average_precision = np.mean(np.divide(total, counts, out=np.zeros(n), where=counts > 0))
    return one_error, loss, coverage, average_precision


def _ranking_of_real(relevant, scores):
    valid = relevant.any(axis=1) & ~relevant.all(axis=1)
    y = relevant[valid].astype(int)
    c = relevant.shape[1]
    return (
        label_ranking.one_error(y, scores[valid]),
        label_ranking.ranking_loss(y, scores[valid]),
        label_ranking.coverage(y, scores[valid]) / c,
        label_ranking.average_precision(y, scores[valid]),
    )
