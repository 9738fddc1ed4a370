"""Paper "bayes", section 4, on one split: calibration of probabilities, and exact against pairwise search."""

import pandas as pd
from sklearn.calibration import calibration_curve

from fslib.datasets import unavailable_reason
from fslib.evaluation.learners import TunedLearner
from fslib.filters import BayesGreedy, MIGreedy
from fslib.filters.criteria import ZeroOne
from fslib.papers.bayes.items import LARGE_K, TASKS
from fslib.papers.bayes.protocol import ORDER, held_out_value, split_parts
from fslib.papers.bayes.search import training_value


def first_available(datasets):
    """First data set of a list that is on this machine.

    Raises
    ------
    ValueError
        If none is.

    Examples
    --------
    >>> first_available(["nus_wide_object", "splice"])
    'splice'
    """
    found = next((name for name in datasets if not unavailable_reason(name)), None)
    if found is None:
        raise ValueError(f"none of the data sets {list(datasets)} is available; see `fslib data list`.")
    return found


def calibration_rows(dataset, ks, *, n_bins=8, split=0, seed=0, grid=None):
    """Observed share of positives against the predicted probability, on test rows, for MIGreedy's first k features.

    Parameters
    ----------
    dataset : str
        Key of :data:`fslib.papers.bayes.items.TASKS`.
    ks : list of int
    n_bins : int
        Bins with equally many rows.
    split, seed : int
    grid : dict or None
        Values of ``C`` and ``gamma`` to try.

    Returns
    -------
    DataFrame
        dataset, method ("k features"), predicted, metric, value.
    """
    (X, y, levels), (X_test, y_test) = split_parts(dataset, split, seed)
    order = MIGreedy(n_features_to_select=max(ks)).fit(levels, y).ranking_
    rows = []
    for k in ks:
        learner = TunedLearner("log_loss", random_state=seed, **(grid or {})).fit(X[:, order[:k]], y)
        probability = learner.predict_proba(X_test[:, order[:k]])[:, 1]
        observed, predicted = calibration_curve(y_test, probability, n_bins=n_bins, strategy="quantile")
        named = {"dataset": TASKS[dataset].title, "method": f"k = {k}", "metric": "share of positives"}
        rows += [named | {"predicted": p, "value": share} for p, share in zip(predicted, observed, strict=True)]
    return pd.DataFrame(rows)


def first_step_ties(datasets, *, seed=0):
    """How many features tie in the first step of a 0-1-BayesGreedy, on the first split.

    Parameters
    ----------
    datasets : sequence of str
        Keys of :data:`fslib.papers.bayes.items.TASKS`; those that are not on this machine are left out.
    seed : int

    Returns
    -------
    DataFrame
        Indexed by data set: features, tied, positives (their share).
    """
    rows = {}
    for dataset in datasets:
        if unavailable_reason(dataset):
            continue
        (_, y, levels), _ = split_parts(dataset, 0, seed)
        tied = int(BayesGreedy("zero_one", n_features_to_select=1).fit(levels, y).n_tied_[0])
        rows[TASKS[dataset].title] = {"features": levels.shape[1], "tied": tied, "positives": float(y.mean())}
    return pd.DataFrame(rows).T.astype({"features": int, "tied": int})


def exact_and_pairwise(dataset, ks=(), *, split=0, seed=0, grid=None):
    """Training and test 0-1 error of the first k features, searched with exact and with pairwise estimates.

    Parameters
    ----------
    dataset : str
        Key of :data:`fslib.papers.bayes.items.TASKS`.
    ks : sequence of int
        Numbers of features; empty for the paper's.
    split, seed : int
        One split, and the root seed.
    grid : dict, optional
        Grid of the support vector machine; empty for the whole grid.

    Returns
    -------
    DataFrame
        dataset, method ("exact" or "pairwise"), k, metric ("smallest training error" or "test error"), value.
    """
    ks = ks or LARGE_K
    (_, y, levels), _ = split_parts(dataset, split, seed)
    grid = tuple((name, tuple(values)) for name, values in sorted((grid or {}).items()))
    rows = []
    for method, estimation in (("exact", "exact"), ("pairwise", "bivariate")):
        search = BayesGreedy("zero_one", n_features_to_select=max(ks), order=ORDER[estimation]).fit(levels, y)
        for k in ks:
            columns = tuple(sorted(search.ranking_[:k].tolist()))
            named = {"dataset": TASKS[dataset].title, "method": method, "k": k}
            training = -training_value(ZeroOne(), levels[:, columns], y) + 0.0
            test = held_out_value(dataset, split, seed, columns, "error_0_1", None, grid)
            rows.append(named | {"metric": "smallest training error", "value": training})
            rows.append(named | {"metric": "test error", "value": test})
    return pd.DataFrame(rows)
