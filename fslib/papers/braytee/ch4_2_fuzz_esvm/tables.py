"""Section 4.2: rows of single trials as the thesis tabulates and draws them."""

import numpy as np
import pandas as pd

from fslib.datasets import unavailable_reason
from fslib.papers.braytee.ch4_2_fuzz_esvm.items import K_FIXED, LEAK, METHODS, STATISTICS, TITLES
from fslib.papers.braytee.expression import SIMULATED, load_expression
from fslib.papers.braytee.expression_tables import numbers, stability_rows
from fslib.tidy import format_setting

KEYS = ["dataset", "method", "reading", "selection"]


def facts(datasets):
    """Sizes of the data sets of Table 4.5 as loaded.

    Returns
    -------
    DataFrame
        Tidy rows: n_attributes, n_instances.
    """
    lines = []
    for name in datasets:
        if name == SIMULATED or not unavailable_reason(name):
            X, _, _ = load_expression(name)
            sizes = {"n_attributes": X.shape[1], "n_instances": X.shape[0]}
            lines += [{"dataset": TITLES[name], "method": "", "metric": m, "value": float(v)} for m, v in sizes.items()]
    return pd.DataFrame(lines)


def at_best_size(raw, protocol="published"):
    """One number of features per trial, and the row of every statistic at it.

    Parameters
    ----------
    raw : DataFrame
        Rows of :func:`fslib.papers.braytee.ch4_2_fuzz_esvm.protocol.run_trial`.
    protocol : {"published", "held_out"}
        published: the size with the best mean *on the test part*, for each measure; the smaller of two equal ones.
        held_out: 50 features, fixed in advance; the largest size if 50 was not evaluated.

    Returns
    -------
    DataFrame
        Columns of ``raw``.
    """
    rows = numbers(raw)
    trial = [*KEYS, "split", "metric"]
    if protocol == "held_out":
        k = K_FIXED if (rows["k"] == K_FIXED).any() else rows["k"].max()
        return rows[rows["k"] == k]
    means = rows[rows["statistic"] == "mean"].assign(value=lambda r: r["value"].round(9)).sort_values("k")
    best = means.loc[means.groupby(trial)["value"].idxmax(), [*trial, "k"]]
    return rows.merge(best, on=[*trial, "k"])


def table_4_6(raw):
    """Tidy rows of Table 4.6: means over splits of each statistic over bootstrap samples, std over splits.

    Rows that did as the thesis did have protocol=published, the published reading where there is one, and selection
    once; rows with arm=R2 selected in every bootstrap sample.
    """
    lines = []
    for protocol in ("published", "held_out"):
        rows = at_best_size(raw, protocol)
        for keys, group in rows.groupby([*KEYS, "metric", "statistic"]):
            dataset, method, reading, selection, metric, statistic = keys
            lines.append(_line(dataset, method, metric, group["value"], statistic, protocol, reading, selection))
        if protocol == "published":
            hard = rows[(rows["metric"] == "auc_hard") & (rows["statistic"] == "mean")]
            for (dataset, method, reading, selection), group in hard.groupby(KEYS):
                of = "best_n_features"
                lines.append(_line(dataset, method, of, group["k"], of, protocol, reading, selection))
    return pd.DataFrame(lines)


def _line(dataset, method, metric, values, statistic, protocol, reading, selection):
    setting = format_setting(
        statistic=statistic, protocol=protocol, reading=reading or None, arm="R2" if selection != "once" else None
    )
    values = values.astype(float)
    line = {"dataset": dataset, "method": method, "setting": setting, "metric": metric, "value": values.mean()}
    return line | {"std": values.std(ddof=1), "n": len(values)}


def curves(raw):
    """Tidy rows of Figures 4.6 to 4.15: mean over bootstrap samples and splits at each number of features."""
    rows = numbers(raw)
    rows = rows[rows["statistic"] == "mean"]
    lines = []
    for keys, group in rows.groupby([*KEYS, "metric", "k"]):
        dataset, method, reading, selection, metric, k = keys
        setting = format_setting(k=k, reading=reading or None, arm="R2" if selection != "once" else None)
        line = {"dataset": dataset, "method": method, "setting": setting, "metric": metric}
        lines.append(line | {"value": group["value"].mean(), "std": group["value"].std(ddof=1), "n": len(group)})
    return pd.DataFrame(lines)


def shown_curves(raw, metric="auc_hard"):
    """Rows of one metric for ``plotting.curve_grid``: selection once, published readings, methods and controls."""
    rows = numbers(raw)
    wanted = (rows["metric"] == metric) & (rows["statistic"] == "mean") & (rows["selection"] == "once")
    rows = rows[wanted & rows["reading"].isin(["", "published"])]
    found = rows.groupby(["dataset", "method", "k"], sort=False)["value"].agg(["mean", "std"]).reset_index()
    return found.rename(columns={"mean": "value"}).assign(metric=metric)


def overview(raw, metric="auc_hard"):
    """Mean at the size that is best on the test part, methods and controls as rows, data sets as columns."""
    rows = at_best_size(raw)
    rows = rows[(rows["metric"] == metric) & (rows["statistic"] == "mean")]
    rows = rows.assign(method=rows["method"] + np.where(rows["reading"] == "", "", " (" + rows["reading"] + ")"))
    wide = rows.pivot_table(index="method", columns=["dataset", "selection"], values="value", sort=False)
    return wide.rename(columns={"once": "R1", "every bootstrap": "R2"}, level="selection")


def stability(raw):
    """Nogueira's stability of the first 50 features over splits, with its interval; tidy rows.

    Splits of one data set share rows, so this is the stability under the loss of a quarter of them.
    """
    rows = raw[(raw["metric"] == "chosen") & (raw["method"] != LEAK)]
    return stability_rows(rows, {title: name for name, title in TITLES.items()}, ["reading"])


def often_chosen(raw, dataset, method, n=10):
    """Genes that a method chose most often among its first 50, with their names where the data have them.

    Returns
    -------
    DataFrame
        gene, splits (share of the splits that chose it).
    """
    title = TITLES[dataset]
    rows = raw[(raw["metric"] == "chosen") & (raw["method"] == method) & (raw["dataset"] == title)]
    rows = rows[rows["reading"].isin(["", "published"])]
    counts = pd.Series([int(f) for text in rows["value"] for f in text.split()]).value_counts(sort=False)
    order = np.lexsort([counts.index, -counts.to_numpy()])[:n]
    genes = load_expression(dataset)[2]
    shares = counts.to_numpy()[order] / max(1, len(rows))
    return pd.DataFrame({"gene": genes[counts.index[order]], "splits": shares})


def statistics_of(published, dataset, method):
    """The six published statistics of one row of Table 4.6, as numbers."""
    rows = published[(published["dataset"] == dataset) & (published["method"] == method)]
    values = {s: rows.loc[rows["setting"].str.startswith(f"statistic={s};"), "value"] for s in STATISTICS}
    return {s: float(v.iloc[0]) for s, v in values.items() if len(v)}


def against_published(raw, published):
    """Published mean beside ours (R1, size best on the test part), the chance rows, and distances in std over splits.

    Returns
    -------
    DataFrame
        Per data set and method: published, here, std, splits, random features, distance to here and to random in std.
    """
    rows = at_best_size(raw)
    wanted = (rows["metric"] == "auc_hard") & (rows["statistic"] == "mean") & (rows["selection"] == "once")
    rows = rows[wanted & rows["reading"].isin(["", "published"])]
    found = rows.groupby(["dataset", "method"])["value"].agg(["mean", "std", "count"])
    lines = []
    for dataset in rows["dataset"].unique():
        for method in METHODS:
            theirs = statistics_of(published, dataset, method)
            if not theirs or (dataset, method) not in found.index:
                continue
            ours = found.loc[dataset, method]
            line = {"dataset": dataset, "method": method, "published": theirs["mean"], "here": ours["mean"]}
            line |= {"std": ours["std"], "splits": int(ours["count"]), "off, std": np.nan}
            if ours["std"] > 0:
                line["off, std"] = (theirs["mean"] - ours["mean"]) / ours["std"]
            if (dataset, "random features") in found.index:
                chance = found.loc[dataset, "random features"]
                line |= {"random": chance["mean"], "off random, std": (theirs["mean"] - chance["mean"]) / chance["std"]}
            lines.append(line)
    return pd.DataFrame(lines)


def estimates(found):
    """Tidy rows of the .632+ estimates, item "Section 4.2.2"."""
    lines = []
    for row in found.to_dict("records"):
        where = "inside" if row["inside"] else "outside"
        setting = format_setting(k=row["k"], selection=where, labels=row["labels"])
        named = {"dataset": row["dataset"], "method": row["method"], "setting": setting}
        lines.append(named | {"metric": row["metric"], "value": row["value"]})
    return pd.DataFrame(lines)


def estimate_table(found, k):
    """.632+ estimates at one number of features: data sets as columns, AUC and AUC of labels each."""
    rows = found[found["k"] == k].copy()
    where = rows["inside"].map({True: "inside", False: "outside"})
    rows["arm"] = rows["method"] + ", selected " + where + ", labels " + rows["labels"]
    return rows.pivot_table(index="arm", columns=["dataset", "metric"], values="value", sort=False)
