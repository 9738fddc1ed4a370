"""Paper "bayes", sections 2 and 3, written out naively: what the notebooks show beside the library's fast versions."""

import numpy as np
import pandas as pd


def zero_one_criterion(features, y):
    """Minus the 0-1 error of the best predictor that sees these features only (Example 2).

    Examples
    --------
    >>> zero_one_criterion(np.array([[0], [0], [0], [1]]), [0, 0, 1, 1])
    -0.25
    """
    cells = {}
    for values, label in zip(features, y, strict=True):
        cells.setdefault(tuple(values), []).append(label)
    mistakes = sum(min(labels.count(0), labels.count(1)) for labels in cells.values())
    return -mistakes / len(y)


def greedy_search(X, y, k, criterion=zero_one_criterion):
    """Algorithm 1: add the feature that makes the criterion of the whole set largest, k times.

    Examples
    --------
    >>> greedy_search(np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]]), [0, 1, 1, 0], k=2)
    [2, 0]
    """
    chosen = []
    for _ in range(k):
        left = [j for j in range(X.shape[1]) if j not in chosen]
        values = [criterion(X[:, [*chosen, j]], y) for j in left]
        chosen.append(left[int(np.argmax(values))])  # of equals the first
    return chosen


def f1_by_threshold(table):
    """F1 when the cells of largest class probability are called positive, one cell more at a time.

    Parameters
    ----------
    table : array of shape (cells, 2)
        Negatives and positives of each cell.

    Returns
    -------
    DataFrame
        One row per threshold: eta (probability of the last cell called positive), precision, recall, F1.

    Examples
    --------
    >>> f1_by_threshold(np.array([[80, 2], [10, 8]])).round(3)["F1"].tolist()
    [0.571, 0.182]
    """
    table = np.asarray(table)
    eta = table[:, 1] / table.sum(axis=1)
    order = np.argsort(-eta, kind="stable")
    called = np.cumsum(table[order], axis=0)
    precision, recall = called[:, 1] / called.sum(axis=1), called[:, 1] / table[:, 1].sum()
    f1 = 2 * precision * recall / (precision + recall)
    return pd.DataFrame({"eta": eta[order], "precision": precision, "recall": recall, "F1": f1})
