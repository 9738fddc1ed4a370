"""Paper "bayes", Example 1: two binary features for which mutual information and the Bayes error disagree."""

import numpy as np
import pandas as pd

from fslib.filters import BayesGreedy, MIGreedy
from fslib.filters.criteria import Log, ZeroOne
from fslib.seeds import trial_seed
from fslib.tidy import format_setting

P_POSITIVE = 0.3
P_ONE_GIVEN_POSITIVE = np.array([0.4, 0.9])
P_ONE_GIVEN_NEGATIVE = np.array([0.1, 0.4])


def joint_table(feature, p_positive=P_POSITIVE):
    """Joint distribution of one feature and the label.

    Parameters
    ----------
    feature : {0, 1}
    p_positive : float
        Share of positives, in (0, 1).

    Returns
    -------
    array of shape (2, 2)
        Rows x = 0, 1; columns y = -1, +1; sums to 1.

    Raises
    ------
    ValueError
        If the share is not between 0 and 1.

    Examples
    --------
    >>> joint_table(0).round(2).tolist()
    [[0.63, 0.18], [0.07, 0.12]]
    """
    if not 0 < p_positive < 1:
        raise ValueError(f"p_positive={p_positive} must lie between 0 and 1.")
    one = np.array([P_ONE_GIVEN_NEGATIVE[feature], P_ONE_GIVEN_POSITIVE[feature]])
    return np.stack([1 - one, one]) * [1 - p_positive, p_positive]


def mutual_information(table):
    """Mutual information of rows and columns in nats: the log criterion minus its value on one cell (Example 5).

    Examples
    --------
    >>> round(float(mutual_information(joint_table(0)) / np.log(2)), 4)
    0.0819
    """
    return Log().value(table) - Log().value(table.sum(axis=0, keepdims=True))


def exact_rows():
    """Every derived quantity of Example 1 as tidy rows; mutual informations in bits, as in the paper.

    Returns
    -------
    DataFrame
        dataset, metric, value.
    """
    tables = [joint_table(0), joint_table(1)]
    values = {}
    for j, table in enumerate(tables, start=1):
        values[f"p_x{j}"] = table[1].sum()
        for level in (0, 1):
            values[f"eta{j}_at_{level}"] = table[level, 1] / table[level].sum()
        values[f"mi_x{j}_y"] = mutual_information(table) / np.log(2)
        values[f"bayes_error_x{j}"] = -ZeroOne().value(table)
    values["mi_choice"] = 1 + np.argmax([mutual_information(t) for t in tables])
    values["bayes_choice"] = 1 + np.argmax([ZeroOne().value(t) for t in tables])
    return pd.DataFrame({"dataset": "", "method": "", "metric": list(values), "value": list(values.values())})


def draw(n_samples, seed):
    """Draw a sample of the distribution.

    Parameters
    ----------
    n_samples : int
    seed : int

    Returns
    -------
    X : array of int, shape (n, 2)
    y : array of int, shape (n,)
        1 = positive.
    """
    rng = np.random.default_rng(seed)
    y = (rng.random(n_samples) < P_POSITIVE).astype(int)
    p_one = np.where(y[:, None] == 1, P_ONE_GIVEN_POSITIVE, P_ONE_GIVEN_NEGATIVE)
    return (rng.random((n_samples, 2)) < p_one).astype(int), y


def choices(n_samples, n_draws, seed=0):
    """Feature that each greedy filter keeps, draw by draw.

    Parameters
    ----------
    n_samples, n_draws, seed : int

    Returns
    -------
    DataFrame
        draw, method, feature (1 or 2, as the paper counts).
    """
    rows = []
    for i in range(n_draws):
        X, y = draw(n_samples, trial_seed(seed, n_samples, i))
        for method, selector in (
            ("BayesGreedy", BayesGreedy("zero_one", n_features_to_select=1)),
            ("MIGreedy", MIGreedy(n_features_to_select=1)),
        ):
            rows.append((i, method, 1 + int(selector.fit(X, y).ranking_[0])))
    return pd.DataFrame(rows, columns=["draw", "method", "feature"])


def choice_shares(sample_sizes, n_draws, seed=0):
    """Share of draws in which each filter keeps feature 1, by sample size, as tidy rows; ``n`` counts the draws."""
    rows = []
    for n_samples in sample_sizes:
        kept = choices(n_samples, n_draws, seed)
        for method, part in kept.groupby("method"):
            first = part["feature"] == 1
            rows.append(
                ("Example 1", method, format_setting(n_samples=n_samples), "share_feature_1", first.mean(), len(first))
            )
    return pd.DataFrame(rows, columns=["dataset", "method", "setting", "metric", "value", "n"])
