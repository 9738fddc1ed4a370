"""Paper "bayes", Tables 1 and 2: what the data sets are, and how long the filters take on two of them."""

import time
from itertools import product

import numpy as np
import pandas as pd

from fslib.datasets import unavailable_reason
from fslib.datasets.generated import make_gisette_like
from fslib.papers.bayes.items import TASKS
from fslib.papers.bayes.protocol import ORDER, SELECTORS, criterion_for, load_task, split_parts
from fslib.tidy import format_setting

TABLE_2 = {
    "Adult": {"measure": "cost_error", "c": 0.25, "estimation": "exact", "ks": (5, 10, 15), "prefix": "c-"},
    "Gisette": {"measure": "error_0_1", "c": None, "estimation": "bivariate", "ks": (25, 50, 75), "prefix": "0-1-"},
}
"""Both halves of the table; ``prefix`` is how the published names of the Bayes filters begin."""

METHODS = ("BayesGreedy", "MIGreedy", "BayesScore", "MIScore", "MRMR", "FScore")


def table_1(datasets):
    """Size and share of positives of the data sets, as loaded.

    Parameters
    ----------
    datasets : list of str
        Names in :data:`fslib.papers.bayes.items.TASKS`.

    Returns
    -------
    table : DataFrame
        Tidy rows with metrics n_features, n_instances and p_positive.
    missing : list of str
        Names that are not on this machine.

    Examples
    --------
    >>> table_1(["splice"])[0][["dataset", "metric", "value"]].values.tolist()[:2]
    [['Splice', 'n_features', 240.0], ['Splice', 'n_instances', 3190.0]]
    """
    rows, missing = [], []
    for name in datasets:
        if unavailable_reason(name):
            missing.append(name)
            continue
        X, y = load_task(name)
        facts = {"n_features": X.shape[1], "n_instances": X.shape[0], "p_positive": y.mean()}
        rows += [_row("Table 1", TASKS[name].title, "", "", metric, value) for metric, value in facts.items()]
    return pd.DataFrame(rows), missing


def gisette_part(seed=0):
    """Training part of Gisette in three levels, or generated data of its size.

    Returns
    -------
    levels : array of shape (4200, 5000)
    X : array of shape (4200, 5000)
        Values before discretising.
    y : array of {0, 1}, shape (4200,)
    title : str
        "Gisette", or "Gisette (generated)": times on the latter are times for that size, nothing more.
    """
    if unavailable_reason("gisette"):
        data = make_gisette_like(random_state=seed)
        return data.X, data.X, data.y, "Gisette (generated)"
    (X, y, levels), _ = split_parts("gisette", 0, seed)
    return levels, X, y, "Gisette"


def table_2(halves=("Adult", "Gisette"), *, n_repeats=3, methods=METHODS, seed=0):
    """Seconds that each filter takes to choose k features of the training part.

    Every fit starts from the levels and does all of its work, encoding included; discretising and splitting are not
    counted. Repeats go round the methods, each time in another order, so that a slow moment of the machine, or what the
    fit before left in the cache, falls on all of them. A round before them warms up and is not counted. Ties are broken
    by index, as in the paper's description: breaking them by the log criterion would make the Bayes filters compute
    what MIGreedy computes, and the comparison would be empty.

    Parameters
    ----------
    halves : tuple of {"Adult", "Gisette"}
    n_repeats : int
    methods : tuple of str
    seed : int
        Of the split, and of generated data.

    Returns
    -------
    DataFrame
        Tidy rows of metric runtime_s; value is the median of the repeats, std their standard deviation.
    """
    rows = []
    for half in halves:
        plan = TABLE_2[half]
        if half == "Adult":
            (X, y, levels), _ = split_parts("adult", 0, seed)
            title = half
        else:
            levels, X, y, title = gisette_part(seed)
        criterion, order = criterion_for(plan["measure"], plan["c"]), ORDER[plan["estimation"]]
        seconds = {pair: [] for pair in product(methods, plan["ks"])}
        rng, pairs = np.random.default_rng(seed), list(seconds)
        for repeat in range(1 + n_repeats):
            for method, k in (pairs[i] for i in rng.permutation(len(pairs))):
                selector = SELECTORS[method](k, criterion, order, "index")
                start = time.perf_counter()
                selector.fit(X if method == "FScore" else levels, y)
                elapsed = time.perf_counter() - start
                if repeat > 0:
                    seconds[method, k].append(elapsed)
        loss = {"cost_error": "cost-sensitive", "error_0_1": "0-1"}[plan["measure"]]
        for (method, k), times in seconds.items():
            name = plan["prefix"] * method.startswith("Bayes") + method
            setting = format_setting(k=k, loss=loss, c=plan["c"], estimation=plan["estimation"])
            std = np.std(times, ddof=1) if n_repeats > 1 else np.nan
            rows.append(_row("Table 2", title, name, setting, "runtime_s", np.median(times), std, n_repeats))
    return pd.DataFrame(rows)


def _row(item, dataset, method, setting, metric, value, std=np.nan, n=1):
    named = {"paper": "bayes", "item": item, "dataset": dataset, "method": method, "setting": setting, "metric": metric}
    return named | {"value": float(value), "std": std, "n": n}
