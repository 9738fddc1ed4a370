"""Paper "mlmlfs": the three arms side by side, and how often the proposed method leads in each."""

import pandas as pd

from fslib.evaluation.multilabel_metrics import PRINTED_IN_MLMLFS
from fslib.names import LARGER_IS_BETTER
from fslib.papers.mlmlfs.items import METHODS, choose
from fslib.tidy import parse_setting

ARMS = {
    "as published": {"arm": "published", "labels": "own", "reading": "published"},
    "as published, corrected": {"arm": "published", "labels": "own", "reading": "corrected"},
    "same labels: incomplete": {"arm": "same_labels", "labels": "incomplete", "reading": "corrected"},
    "same labels: recovered": {"arm": "same_labels", "labels": "recovered", "reading": "corrected"},
    "held out": {"arm": "held_out", "labels": "own", "reading": "corrected"},
}
"""Name of a row of comparison -> which rows of a run belong to it. A method with a single reading belongs
to all."""

FIGURES = {
    **{"Artificial": "Figure 3", "Birds": "Figure 4", "Bookmarks": "Figure 5"},
    **{"Reference": "Figure 6", "Social": "Figure 7", "Yeast": "Figure 8"},
}
"""Data set -> figure that shows it."""

RIVALS = [name for name in METHODS if name != "MLMLFS"]
DECIMALS = 4
"""Places to which values are rounded before they are compared, as in print."""


def arm_rows(raw, name, over=("alpha", "lam", "p")):
    """Rows of one arm after its choice of parameters.

    Parameters
    ----------
    raw : DataFrame
        Rows of :func:`fslib.papers.mlmlfs.items.run_trial`.
    name : str
        Key of :data:`ARMS`.
    over : sequence of str
        Parameters of MLMLFS that are chosen.

    Returns
    -------
    DataFrame
    """
    wanted = ARMS[name]
    mine = (raw["arm"] == wanted["arm"]) & (raw["labels"] == wanted["labels"])
    return choose(raw[mine & raw["reading"].isin([wanted["reading"], ""])], over)


def arm_values(raw, name, metrics=PRINTED_IN_MLMLFS, p=None):
    """Values of one arm, a column per method; the median where there are several random starts.

    Parameters
    ----------
    raw : DataFrame
    name : str
        Key of :data:`ARMS`.
    metrics : sequence of str
    p : float, optional
        Norm of MLMLFS; by default chosen as the arm chooses.

    Returns
    -------
    DataFrame
        Index dataset, missing_pct, metric.
    """
    rows = arm_rows(raw[raw["metric"].isin(metrics)], name, ("alpha", "lam", "p") if p is None else ("alpha", "lam"))
    if p is not None:
        rows = rows[(rows["method"] != "MLMLFS") | (rows["p"] == p)]
    index = ["dataset", "missing_pct", "metric"]
    return rows.pivot_table(index=index, columns="method", values="value", aggfunc="median").round(DECIMALS)


def oriented(values):
    """Turn losses round: larger is better for all metrics. ``values`` has a level ``metric`` in its index."""
    larger = values.index.get_level_values("metric").isin(LARGER_IS_BETTER)
    return values.mul(pd.Series(larger, index=values.index).map({True: 1, False: -1}), axis=0)


def leads(values, rivals=RIVALS):
    """How far MLMLFS is ahead of its best baseline in each comparison; negative where it is behind.

    Examples
    --------
    >>> index = pd.MultiIndex.from_tuples([("A", 50, "hamming_loss")], names=["dataset", "missing_pct", "metric"])
    >>> leads(pd.DataFrame({"MLMLFS": [0.1], "PMU": [0.3]}, index=index)).round(2).tolist()
    [0.2]
    """
    better = oriented(values)
    return better["MLMLFS"] - better[[name for name in rivals if name in better]].max(axis=1)


def side_by_side(raw, metrics=PRINTED_IN_MLMLFS):
    """Share of (data set, metric) pairs in which MLMLFS is ahead of all baselines, per arm and missing rate.

    Returns
    -------
    DataFrame
        Arms as rows; missing rates, and all of them together, as columns.
    """
    shares = {}
    for name in ARMS:
        ahead = leads(arm_values(raw, name, metrics)) > 0
        shares[name] = {f"{rate}%": part.mean() for rate, part in ahead.groupby("missing_pct")} | {"all": ahead.mean()}
    return pd.DataFrame(shares).T


def mean_values(raw, metric):
    """Mean of a metric over data sets and missing rates, per arm and method.

    Returns
    -------
    DataFrame
        Arms as rows, methods as columns.
    """
    return pd.DataFrame({name: arm_values(raw, name, [metric]).mean() for name in ARMS}).T[list(METHODS)]


def curve_rows(raw, name, p=None):
    """Values of an arm as rows for ``plotting.curve_grid`` over the missing rate; metrics spelt for panel titles."""
    values = arm_values(raw, name, p=p).reset_index()
    values["metric"] = values["metric"].str.replace("_", " ")
    return values.melt(["dataset", "missing_pct", "metric"], var_name="method", value_name="value").dropna()


def mean_curves(raw, metric):
    """Mean of a metric over data sets, as rows for ``plotting.curve_grid``: a panel per arm, over the missing rate."""
    parts = []
    for name in ARMS:
        mean = arm_values(raw, name, [metric]).groupby("missing_pct").mean().reset_index()
        parts.append(mean.melt("missing_pct", var_name="method", value_name="value").assign(arm=name, metric=metric))
    return pd.concat(parts, ignore_index=True)


def printed_arm(tidy):
    """Rows that did as the paper did: arm and reading published, and those of methods with a single reading."""
    settings = tidy["setting"]
    return tidy[settings.str.contains("arm=published") & ~settings.str.contains("reading=corrected")]


def differences(compared):
    """Ours minus published, a row per table, data set and metric, a column per baseline and per p of MLMLFS.

    Parameters
    ----------
    compared : DataFrame
        Columns item, dataset, method, setting, metric, difference; rows without a published number have NaN.

    Returns
    -------
    DataFrame
    """
    rows = compared.dropna(subset="difference")
    settings = [parse_setting(setting) for setting in rows["setting"]]
    names = [f"p={s['p']}" if "p" in s else method for method, s in zip(rows["method"], settings, strict=True)]
    return rows.assign(method=names, difference=rows["difference"].astype(float)).pivot(
        index=["item", "dataset", "metric"], columns="method", values="difference"
    )


def agreement(compared):
    """Count, per data set and method, the numbers met as published, and how far off the others are.

    Returns
    -------
    DataFrame
        Columns numbers, as_published, within_starts (and not as published), mean_difference, largest_difference
        (absolute).
    """
    rows = compared.dropna(subset="difference")
    same, within = (rows["verdict"].str.startswith(kind) for kind in ("as published", "within the range of starts"))
    rows = rows.assign(size=rows["difference"].astype(float).abs(), same=same, within=within)
    return rows.groupby(["dataset", "method"], sort=False).agg(
        numbers=("size", "count"),
        as_published=("same", "sum"),
        within_starts=("within", "sum"),
        mean_difference=("size", "mean"),
        largest_difference=("size", "max"),
    )
