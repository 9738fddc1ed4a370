"""Paper "mlmlfs": the three protocols side by side, and how often the proposed method leads in each."""

import pandas as pd

from fslib.evaluation.multilabel_metrics import PRINTED_IN_MLMLFS
from fslib.names import LARGER_IS_BETTER
from fslib.papers.mlmlfs.items import METHODS, best_settings
from fslib.tidy import parse_setting

PROTOCOLS = {
    "as published": {"protocol": "published", "labels": "own", "reading": "published"},
    "as published, corrected": {"protocol": "published", "labels": "own", "reading": "corrected"},
    "same labels: incomplete": {"protocol": "same_labels", "labels": "incomplete", "reading": "corrected"},
    "same labels: recovered": {"protocol": "same_labels", "labels": "recovered", "reading": "corrected"},
    "held out": {"protocol": "held_out", "labels": "own", "reading": "corrected"},
}
"""Name of a row of comparison -> which rows of a run belong to it. A method with a single reading belongs
to all."""

FIGURES = {
    **{"Artificial": "Figure 3", "Birds": "Figure 4", "Bookmarks": "Figure 5"},
    **{"Reference": "Figure 6", "Social": "Figure 7", "Yeast": "Figure 8"},
}
"""Data set -> figure that shows it."""

BASELINES = [name for name in METHODS if name != "MLMLFS"]
DECIMALS = 4
"""Places to which values are rounded before they are compared, as published ones are."""


def protocol_rows(raw, name, over=("alpha", "lam", "p")):
    """Rows of one protocol after its choice of parameters.

    Parameters
    ----------
    raw : DataFrame
        Rows of :func:`fslib.papers.mlmlfs.items.run_trial`.
    name : str
        Key of :data:`PROTOCOLS`.
    over : sequence of str
        Parameters of MLMLFS that are chosen.

    Returns
    -------
    DataFrame
    """
    wanted = PROTOCOLS[name]
    mine = (raw["protocol"] == wanted["protocol"]) & (raw["labels"] == wanted["labels"])
    return best_settings(raw[mine & raw["reading"].isin([wanted["reading"], ""])], over)


def protocol_values(raw, name, metrics=PRINTED_IN_MLMLFS, p=None):
    """Values of one protocol, a column per method; the median where there are several random starts.

    Parameters
    ----------
    raw : DataFrame
    name : str
        Key of :data:`PROTOCOLS`.
    metrics : sequence of str
    p : float, optional
        Norm of MLMLFS; by default chosen as the protocol chooses.

    Returns
    -------
    DataFrame
        Index dataset, missing_pct, metric.
    """
    chosen_over = ("alpha", "lam", "p") if p is None else ("alpha", "lam")
    rows = protocol_rows(raw[raw["metric"].isin(metrics)], name, chosen_over)
    if p is not None:
        rows = rows[(rows["method"] != "MLMLFS") | (rows["p"] == p)]
    index = ["dataset", "missing_pct", "metric"]
    return rows.pivot_table(index=index, columns="method", values="value", aggfunc="median").round(DECIMALS)


def larger_as_better(values):
    """Turn losses round: larger is better for all metrics. ``values`` has a level ``metric`` in its index."""
    larger = values.index.get_level_values("metric").isin(LARGER_IS_BETTER)
    return values.mul(pd.Series(larger, index=values.index).map({True: 1, False: -1}), axis=0)


def leads(values, baselines=BASELINES):
    """How far MLMLFS is ahead of its best baseline in each comparison; negative where it is behind.

    Examples
    --------
    >>> index = pd.MultiIndex.from_tuples([("A", 50, "hamming_loss")], names=["dataset", "missing_pct", "metric"])
    >>> leads(pd.DataFrame({"MLMLFS": [0.1], "PMU": [0.3]}, index=index)).round(2).tolist()
    [0.2]
    """
    better = larger_as_better(values)
    return better["MLMLFS"] - better[[name for name in baselines if name in better]].max(axis=1)


def side_by_side(raw, metrics=PRINTED_IN_MLMLFS):
    """Share of (data set, metric) pairs in which MLMLFS is ahead of all baselines, per protocol and missing rate.

    Returns
    -------
    DataFrame
        Protocols as rows; missing rates, and all of them together, as columns.
    """
    shares = {}
    for name in PROTOCOLS:
        ahead = leads(protocol_values(raw, name, metrics)) > 0
        shares[name] = {f"{rate}%": part.mean() for rate, part in ahead.groupby("missing_pct")} | {"all": ahead.mean()}
    return pd.DataFrame(shares).T


def mean_values(raw, metric):
    """Mean of a metric over data sets and missing rates, per protocol and method.

    Returns
    -------
    DataFrame
        Protocols as rows, methods as columns.
    """
    return pd.DataFrame({name: protocol_values(raw, name, [metric]).mean() for name in PROTOCOLS}).T[list(METHODS)]


def curve_rows(raw, name, p=None):
    """Values of a protocol as rows for ``plotting.curve_grid`` over the missing rate."""
    values = protocol_values(raw, name, p=p).reset_index()
    return values.melt(["dataset", "missing_pct", "metric"], var_name="method", value_name="value").dropna()


def mean_curves(raw, metric):
    """Mean of a metric over data sets, for ``plotting.curve_grid``: a panel per protocol, over the missing rate."""
    parts = []
    for name in PROTOCOLS:
        mean = protocol_values(raw, name, [metric]).groupby("missing_pct").mean().reset_index()
        long = mean.melt("missing_pct", var_name="method", value_name="value")
        parts.append(long.assign(protocol=name, metric=metric))
    return pd.concat(parts, ignore_index=True)


def published_rows(tidy):
    """Rows that did as the paper did: protocol and reading published, and those of methods with a single reading."""
    settings = tidy["setting"]
    return tidy[settings.str.contains("protocol=published") & ~settings.str.contains("reading=corrected")]


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
