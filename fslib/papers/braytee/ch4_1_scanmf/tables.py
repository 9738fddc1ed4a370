"""Section 4.1: rows of single folds as the thesis tabulates and draws them."""

import numpy as np
import pandas as pd

from fslib.datasets import unavailable_reason
from fslib.papers.braytee.ch4_1_scanmf.items import PCT, SETTING, TITLES
from fslib.papers.braytee.expression import SIMULATED, load_expression
from fslib.papers.braytee.expression_tables import numbers, stability_rows
from fslib.tidy import format_setting

KEYS = ["dataset", "method", "reading", "scale"]


def facts(datasets):
    """Sizes of the data sets of Table 4.1 as loaded; tidy rows."""
    lines = []
    for name in datasets:
        if name == SIMULATED or not unavailable_reason(name):
            X, y, _ = load_expression(name)
            larger, smaller = np.bincount(y)
            sizes = {"n_attributes": X.shape[1], "n_instances": len(y), "imbalance_ratio": larger / smaller}
            lines += [{"dataset": TITLES[name], "method": "", "metric": m, "value": float(v)} for m, v in sizes.items()]
    return pd.DataFrame(lines)


def table_rows(raw, classifier):
    """Tidy rows of Table 4.2, 4.3 or 4.4: mean and std over folds.

    SCANMF on clipped values has no arm, on values in [0, 1] arm=minmax.
    """
    rows = numbers(raw)
    rows = rows[rows["classifier"] == classifier]
    lines = []
    for keys, group in rows.groupby([*KEYS, "metric"]):
        dataset, method, reading, scale, metric = keys
        arm = scale if scale == "minmax" else None
        setting = format_setting(classifier=classifier, top_features_pct=PCT, reading=reading or None, arm=arm)
        line = {"dataset": dataset, "method": method, "setting": setting, "metric": metric}
        lines.append(line | {"value": group["value"].mean(), "std": group["value"].std(ddof=1), "n": len(group)})
    return pd.DataFrame(lines)


def overview(raw, metric="auc"):
    """Mean over folds: methods and controls as rows; data sets and classifiers as columns."""
    rows = numbers(raw)
    rows = rows[rows["metric"] == metric]
    words = (rows["reading"] + " " + rows["scale"]).str.strip()
    rows = rows.assign(method=rows["method"] + np.where(words == "", "", " (" + words + ")"))
    wide = rows.pivot_table(index="method", columns=["dataset", "classifier"], values="value", sort=False)
    return wide.sort_index(axis=1, level=0, sort_remaining=False)


def dnmf_column(raw, published_tables):
    """DNMF as published beside DNMF as computed here, and SCANMF the same way, by data set and classifier.

    Parameters
    ----------
    raw : DataFrame
    published_tables : dict of str to DataFrame
        Classifier -> ``read_reported``.

    Returns
    -------
    DataFrame
        Columns DNMF published, DNMF here, auc_hard here.
    """
    rows = numbers(raw)
    rows = rows[rows["method"] == "DNMF"]
    here = rows.pivot_table(index=["dataset", "classifier"], columns="metric", values="value")
    values = {}
    for classifier, table in published_tables.items():
        mine = table[(table["method"] == "DNMF") & (table["metric"] == "auc")]
        values |= {(d, classifier): float(v) for d, v in zip(mine["dataset"], mine["value"], strict=True)}
    theirs = pd.Series(values, name="published").rename_axis(["dataset", "classifier"])
    return pd.concat([theirs, here.rename(columns={"auc": "here", "auc_hard": "here, labels"})], axis=1)


def against_published(compared):
    """Ours minus published, mean over the three tables: data sets as columns, methods as rows.

    Parameters
    ----------
    compared : DataFrame
        ``Results.paper_versus_here`` of the tables, below each other.
    """
    rows = compared.dropna(subset="difference")
    return rows.pivot_table(index="method", columns="dataset", values="difference", sort=False)


def sensitivity_rows(raw):
    """Tidy rows of Figures 4.3 and 4.4: mean AUC over folds, by parameter values and share of the features."""
    rows = numbers(raw)
    keys = ["dataset", "scale", "alpha", "beta", "n_components", "pct", "metric"]
    lines = []
    for (dataset, scale, alpha, beta, k, pct, metric), group in rows.groupby(keys):
        setting = format_setting(scale=scale, alpha=alpha, beta=beta, k=k, top_features_pct=pct)
        line = {"dataset": dataset, "method": "SCANMF", "setting": setting, "metric": metric}
        lines.append(line | {"value": group["value"].mean(), "std": group["value"].std(ddof=1), "n": len(group)})
    return pd.DataFrame(lines)


def varied(raw, parameter):
    """Rows in which only one parameter differs from its usual value."""
    rows = numbers(raw)
    for name, value in SETTING.items():
        if name != parameter:
            rows = rows[rows[name] == value]
    return rows


def sensitivity_curves(raw, parameter, metric="auc"):
    """Mean over folds against one parameter, for ``plotting.curve_grid``: a panel per data set and scale."""
    rows = varied(raw, parameter)
    rows = rows[rows["metric"] == metric]
    found = rows.groupby(["dataset", "scale", "pct", parameter])["value"].agg(["mean", "std"]).reset_index()
    found["method"] = "top " + found["pct"].astype(str) + "%"
    return found.rename(columns={"mean": "value"}).assign(metric=metric)


def decides_rows(found):
    """Tidy rows of what a ranking of SCANMF depends on: mean overlap of the top tenth."""
    rows = found.groupby(["dataset", "scale", "compared"], sort=False)["overlap"].mean().reset_index()
    settings = [format_setting(scale=r.scale, compared=r.compared) for r in rows.itertuples()]
    return pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "method": "SCANMF",
            "setting": settings,
            "metric": "overlap",
            "value": rows["overlap"],
        }
    )


def stability(raw):
    """Nogueira's stability of the top tenth over folds, tidy rows; folds share three quarters of their rows."""
    rows = raw[(raw["metric"] == "chosen") & (raw["method"] != "All features")]
    return stability_rows(rows, {title: name for name, title in TITLES.items()}, ["reading", "scale"])


def convergence_table(curves):
    """Steps that rise by more than 1e-8 of the objective, and the first step with a relative change below 1e-3.

    Returns
    -------
    DataFrame
        dataset, scale, rises, first below 1e-3 (NaN if none).
    """
    lines = []
    for (dataset, scale), group in curves.groupby(["dataset", "scale"], sort=False):
        J = group.sort_values("iteration")["value"].to_numpy()
        change = (J[:-1] - J[1:]) / J[:-1]
        small = np.flatnonzero(change < 1e-3)
        line = {"dataset": dataset, "scale": scale, "rises": int((change < -1e-8).sum())}
        lines.append(line | {"first below 1e-3": small[0] + 2 if len(small) else np.nan})
    return pd.DataFrame(lines, columns=["dataset", "scale", "rises", "first below 1e-3"])
