"""Paper "bayes", section 3: the criteria against brute force on a small table, and under growing sets of features."""

from itertools import permutations, product

import numpy as np
import pandas as pd
from scipy.special import xlog1py, xlogy

from fslib.counts.rows import distinct_rows
from fslib.filters.criteria import AUC, Balanced, CostSensitive, FBeta, Log, Squared, ZeroOne

CELLS = ("00", "01", "10", "11")
"""Values of the two features in the cells of ``SMALL_TABLE``."""

SMALL_TABLE = np.array([[9, 1], [3, 2], [1, 2], [0, 2]])
"""Twenty samples: rows are the four cells of two binary features, columns the negatives and the positives."""

CRITERIA = {
    "0-1 error": ZeroOne(),
    "cost 0.25": CostSensitive(0.25),
    "balanced": Balanced(),
    "log": Log(),
    "squared": Squared(),
    "F1": FBeta(),
    "F2": FBeta(2),
    "F2 as printed": FBeta(1 / 2),
    "AUC": AUC(),
}
"""Name -> criterion. In the paper's F-beta precision and recall are exchanged: it is the standard F of 1 / beta."""


def value_on(criterion, table):
    """Criterion of a table of two classes; the squared one predicts the label 0 or 1 itself.

    Examples
    --------
    >>> round(value_on(Squared(), [[3, 1], [0, 4]]), 5)     # variance 3/4 x 1/4 in half of the samples
    -0.09375
    """
    table = np.asarray(table, dtype=float)
    if criterion.task == "regression":  # samples, sum of y, sum of y^2
        table = np.stack([table.sum(axis=1), table[:, 1], table[:, 1]], axis=1)
    return criterion.value(table)


def coarser_tables(table=SMALL_TABLE):
    """Contingency tables of all sets of the two features: none, one, and both.

    Examples
    --------
    >>> coarser_tables()["x1"].tolist()
    [[12, 3], [1, 4]]
    """
    cube = np.asarray(table).reshape(2, 2, 2)
    none = cube.sum(axis=(0, 1))[None]
    return {"no feature": none, "x1": cube.sum(axis=1), "x2": cube.sum(axis=0), "x1 and x2": cube.reshape(4, 2)}


def every_classifier(table=SMALL_TABLE):
    """Measures of all classifiers that see the cell only.

    Parameters
    ----------
    table : array of shape (4, 2)

    Returns
    -------
    DataFrame
        Indexed by the cells that are called positive; one column per measure of ``CRITERIA`` that judges decisions,
        losses with a minus sign, so that larger is better everywhere.

    Examples
    --------
    >>> every_classifier().loc["10, 11", ["0-1 error", "F1"]].round(3).tolist()     # 3 of 7 positives are missed
    [-0.2, 0.667]
    """
    negatives, positives = table.sum(axis=0)
    rows = {}
    for calls in product((0, 1), repeat=len(table)):
        false_pos, true_pos = np.array(calls) @ table
        false_neg = positives - true_pos
        recall = true_pos / positives
        precision = true_pos / (true_pos + false_pos) if true_pos else 0.0
        rows[", ".join(cell for cell, call in zip(CELLS, calls, strict=True) if call) or "none"] = {
            "0-1 error": -(false_pos + false_neg) / table.sum(),
            "cost 0.25": -(0.25 * false_pos + 0.75 * false_neg) / table.sum(),
            "balanced": -(false_pos / negatives + false_neg / positives),
            "F1": _f_measure(1, precision, recall),
            "F2": _f_measure(4, precision, recall),
            "F2 as printed": _f_measure(4, recall, precision),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("called positive")


def _f_measure(square, precision, recall):
    return (1 + square) / (square / recall + 1 / precision) if precision else 0.0


def best_by_brute_force(table=SMALL_TABLE):
    """Best value of each measure: over all classifiers, over all orders of the cells, over a grid of probabilities.

    Returns
    -------
    DataFrame
        Indexed by criterion: ``formula``, ``brute force`` and the ``difference``. The grid has steps of 1/1000.

    Examples
    --------
    >>> best_by_brute_force().loc["AUC"].round(4).tolist()
    [0.8407, 0.8407, 0.0]
    """
    q = np.linspace(0, 1, 1001)  # predicted probability of a positive
    n0, n1 = table.T[:, :, None].astype(float)
    found = every_classifier(table).max()
    found["log"] = (xlog1py(n0, -q) + xlogy(n1, q)).max(axis=1).sum() / table.sum()
    found["squared"] = -(n0 * q**2 + n1 * (1 - q) ** 2).min(axis=1).sum() / table.sum()
    found["AUC"] = max(_auc(table[list(order)]) for order in permutations(range(len(table))))
    formula = pd.Series({name: value_on(criterion, table) for name, criterion in CRITERIA.items()})
    return pd.DataFrame({"formula": formula, "brute force": found, "difference": formula - found}).loc[list(CRITERIA)]


def _auc(ordered):
    """Share of pairs in the right order when cells are scored in this order; a pair inside a cell counts half."""
    below = np.cumsum(ordered[:, 0]) - ordered[:, 0] / 2
    return (ordered[:, 1] @ below) / np.prod(ordered.sum(axis=0))


def auc_by_pairs(table=SMALL_TABLE):
    """Best AUC by the formula of Example 8: 1 - E[min(alpha, alpha')] / (2 p (1 - p)) over all pairs of cells.

    Examples
    --------
    >>> round(auc_by_pairs(), 4)
    0.8407
    """
    share = table.sum(axis=1) / table.sum()
    eta = table[:, 1] / table.sum(axis=1)
    p = share @ eta
    alpha = eta[:, None] * (1 - eta)
    return float(1 - share @ np.minimum(alpha, alpha.T) @ share / (2 * p * (1 - p)))


def smallest_gains(levels, y, n_chains, length, seed=0):
    """Smallest change of each criterion when a feature joins a set, over random chains of growing sets.

    Returns
    -------
    Series
        Indexed by criterion.
    """
    rng = np.random.default_rng(seed)
    smallest = pd.Series(np.inf, index=list(CRITERIA), name="smallest gain")
    for _ in range(n_chains):
        chain = rng.permutation(levels.shape[1])[:length]
        tables = [cells_by_class(levels[:, chain[:t]], y) for t in range(length + 1)]
        for name, criterion in CRITERIA.items():
            smallest[name] = min(smallest[name], np.diff([value_on(criterion, table) for table in tables]).min())
    return smallest


def cells_by_class(levels, y):
    """Number of samples of each (cell, class), shape (cells, 2).

    Examples
    --------
    >>> cells_by_class(np.array([[0, 1], [0, 1], [1, 1]]), np.array([0, 1, 1])).tolist()
    [[1, 1], [0, 1]]
    """
    group = distinct_rows(levels)[1]
    return np.bincount(2 * group + y, minlength=2 * (group.max() + 1)).reshape(-1, 2)
