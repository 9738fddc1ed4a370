"""Tables of section 5.1: rows of trials as tidy rows, and numbers recomputed from the published ones."""

import numpy as np
import pandas as pd
from scipy import stats

from fslib.evaluation.stats import friedman
from fslib.papers.braytee.ch5_1_cmfs.items import METHODS, TABLES
from fslib.papers.braytee.ch5_data import ALL_TITLES, load_task
from fslib.tidy import format_setting

N_FOLDS = 5


def table_5_1(datasets):
    """Sizes of the data sets, tidy."""
    rows = []
    for name in datasets:
        X, Y = load_task(name)
        values = {"n_features": X.shape[1], "n_labels": Y.shape[1], "n_instances": X.shape[0]}
        rows += [{"dataset": ALL_TITLES[name], "method": "", "metric": m, "value": v} for m, v in values.items()]
    return pd.DataFrame(rows)


def score_rows(raw):
    """Means over folds, a row per random start, and p-values of the Friedman test over folds: item -> tidy rows."""
    found = {}
    starts = raw.groupby(["dataset", "method", "reading"])["start"].transform("nunique")
    numbered = raw.assign(start=raw["start"].astype(object).where(starts > 1, None))
    for metric, item in TABLES.items():
        rows = numbered[numbered["metric"] == metric]
        keys = ["dataset", "method", "reading", "pct", "start"]
        parts = rows.groupby(keys, sort=False, dropna=False)["value"].agg(["mean", "std", "count"]).reset_index()
        settings = [
            format_setting(top_features_pct=r.pct, reading=r.reading, start=None if r.start is None else int(r.start))
            if pd.notna(r.start)
            else format_setting(top_features_pct=r.pct, reading=r.reading)
            for r in parts.itertuples()
        ]
        tidy = parts.rename(columns={"mean": "value", "count": "n"}).assign(setting=settings, metric=metric)
        tidy = tidy[["dataset", "method", "setting", "metric", "value", "std", "n"]]
        found[item] = pd.concat([tidy, p_value_rows(raw, metric)], ignore_index=True)
    return found


def fold_table(raw, metric, pct, *, reading="published", methods=METHODS):
    """One measure at one percentage: a row per (data set, fold), a column per method; the mean of the starts.

    FIMF has one reading, which stands in every table.
    """
    rows = raw[(raw["metric"] == metric) & (raw["pct"] == pct) & raw["method"].isin(methods)]
    rows = rows[(rows["reading"] == reading) | (rows["method"] == "FIMF")]
    return rows.pivot_table(index=["dataset", "fold"], columns="method", values="value", sort=False)


def p_value_rows(raw, metric, reading="published"):
    """Friedman test of the four methods with folds as blocks, as in the thesis; data sets with one fold have none."""
    rows = []
    for pct in sorted(set(raw["pct"]) - {0}):
        table = fold_table(raw, metric, pct, reading=reading).dropna()
        for dataset, part in table.groupby(level="dataset", sort=False):
            if len(part) > 1 and len(part.columns) == len(METHODS):
                setting = format_setting(top_features_pct=pct, reading=reading)
                p = friedman(part).pvalue
                rows.append({"dataset": dataset, "method": "all", "setting": setting, "metric": "p_value", "value": p})
    return pd.DataFrame(rows, columns=["dataset", "method", "setting", "metric", "value"]).assign(std=np.nan, n=1)


def time_rows(raw):
    """CPU seconds of one selection, mean over folds and starts, as tidy rows of Table 5.4."""
    times = raw[(raw["metric"] == "runtime_s") & raw["method"].isin(METHODS)]
    keys = ["dataset", "method", "reading"]
    parts = times.groupby(keys, sort=False)["value"].agg(["mean", "std", "count"]).reset_index()
    parts = parts.rename(columns={"mean": "value", "count": "n"})
    return parts.assign(setting="reading=" + parts.pop("reading"), metric="runtime_s")


def shown_scores(raw, metric):
    """Means over folds and starts: a row per data set, method and reading, a column per percentage."""
    rows = raw[raw["metric"] == metric]
    return rows.pivot_table(index=["dataset", "method", "reading"], columns="pct", values="value", sort=False)


def overlap_rows(raw):
    """Overlaps of the top tenth as tidy rows, means over starts."""
    keys = ["dataset", "reading", "components", "alpha", "metric"]
    parts = raw.groupby(keys, sort=False)["value"].agg(["mean", "std", "count"]).reset_index()
    settings = [format_setting(reading=r.reading, components=r.components, alpha=r.alpha) for r in parts.itertuples()]
    rows = parts.rename(columns={"mean": "value", "count": "n"}).assign(setting=settings, method="CMFS")
    return rows[["dataset", "method", "setting", "metric", "value", "std", "n"]]


def convergence_rows(raw):
    """Rows of Figure 5.4, tidy."""
    settings = [format_setting(iteration=r.iteration, reading=r.reading) for r in raw.itertuples()]
    return raw.assign(setting=settings, method="CMFS")[["dataset", "method", "setting", "metric", "value"]]


def sensitivity_rows(raw):
    """Rows of Figure 5.5, tidy: means over folds and starts."""
    keys = ["dataset", "reading", "parameter", "at", "metric"]
    parts = raw.groupby(keys, sort=False)["value"].agg(["mean", "std", "count"]).reset_index()
    settings = [format_setting(parameter=r.parameter, at=f"{r.at:g}", reading=r.reading) for r in parts.itertuples()]
    rows = parts.rename(columns={"mean": "value", "count": "n"}).assign(setting=settings, method="CMFS")
    return rows[["dataset", "method", "setting", "metric", "value", "std", "n"]]


def published_ranks(published):
    """Published ranks: a row per (data set, percentage), a column per method.

    Parameters
    ----------
    published : DataFrame
        The file of Table 5.2 or 5.3 with its column ``rank``, all text.
    """
    rows = published[published["metric"] != "p_value"]
    pct = rows["setting"].str.extract(r"top_features_pct=(\d+)")[0].astype(int)
    rows = rows.assign(pct=pct, rank=rows["rank"].astype(float))
    return rows.pivot(index=["dataset", "pct"], columns="method", values="rank")[list(METHODS)]


def recomputed_p_values(published):
    """P of Friedman's test from the published ranks (means over five folds), beside the published p.

    ``chi2 = 12 n / (k (k + 1)) sum_j (R_j - (k + 1) / 2)^2`` for n folds and k methods, not corrected for ties.

    Returns
    -------
    DataFrame
        Index dataset, pct; published, recomputed, same (to 0.001), copied: ranks equal to those one percentage before.
    """
    ranks = published_ranks(published)
    k = len(METHODS)
    chi2 = 12 * N_FOLDS / (k * (k + 1)) * ((ranks - (k + 1) / 2) ** 2).sum(axis=1)
    table = pd.DataFrame({"recomputed": stats.chi2.sf(chi2, k - 1)}, index=ranks.index)
    rows = published[published["metric"] == "p_value"]
    pct = rows["setting"].str.extract(r"top_features_pct=(\d+)")[0].astype(int)
    given = rows.assign(pct=pct).set_index(["dataset", "pct"])["value"]
    table.insert(0, "published", given.reindex(table.index))
    table["same"] = (table["recomputed"] - table["published"].astype(float)).abs() <= 0.001
    before = ranks.groupby(level="dataset").shift(1)
    table["copied"] = (ranks == before).all(axis=1)
    return table
