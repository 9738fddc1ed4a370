"""Tables of section 5.2: rows of trials as tidy rows, and numbers recomputed from the published ones."""

import pandas as pd

from fslib.evaluation.stats import friedman
from fslib.multilabel.label_imbalance import imbalance_ratios
from fslib.papers.braytee.ch5_2_ml_cib.items import (
    BASELINES,
    FALLING,
    FURTHER_ITEM,
    ITEM,
    METHODS,
    METRICS,
    SELECTION_FIGURES,
)
from fslib.papers.braytee.ch5_data import ALL_TITLES, load_task
from fslib.papers.braytee.digits import gives_digits
from fslib.tidy import format_setting

OUTPUTS_OF_PUBLISHED = {"ML-CIB": "real"}
"""The published rows of ML-CIB fit real scores, those of all baselines hard outputs: never compare the two."""


def table_5_5(datasets):
    """Sizes and imbalance ratios, tidy."""
    rows = []
    for name in datasets:
        X, Y = load_task(name)
        ratios = imbalance_ratios(Y)
        values = {"n_features": X.shape[1], "n_labels": Y.shape[1], "n_instances": X.shape[0]}
        values |= {"min_imr": ratios.smallest, "max_imr": ratios.largest, "avg_imr": ratios.mean}
        rows += [{"dataset": ALL_TITLES[name], "method": "", "metric": m, "value": v} for m, v in values.items()]
    return pd.DataFrame(rows)


def cut_off(table, published):
    """Compare numbers with published ones whose digits were cut off, not rounded.

    Parameters
    ----------
    table : DataFrame
        Columns dataset, metric, value.
    published : DataFrame
        The same, value as text.

    Returns
    -------
    DataFrame
        dataset, metric, published, here, rounded, cut_off: whether either gives the published digits.

    Examples
    --------
    >>> ours = pd.DataFrame({"dataset": ["Bibtex"], "metric": ["avg_imr"], "value": [87.699]})
    >>> cut_off(ours, ours.assign(value="87.69"))[["rounded", "cut_off"]].values.tolist()
    [[False, True]]
    """
    both = table.merge(published, on=["dataset", "metric"], suffixes=("", "_published"))
    rows = []
    for row in both.itertuples():
        rounded, cut = gives_digits(row.value, row.value_published)
        named = {"dataset": row.dataset, "metric": row.metric, "published": row.value_published, "here": row.value}
        rows.append(named | {"rounded": rounded, "cut_off": cut})
    return pd.DataFrame(rows, columns=["dataset", "metric", "published", "here", "rounded", "cut_off"])


def score_rows(raw):
    """Means over folds as tidy rows: item -> rows.

    ``outputs`` says what the measures of ranking were made from, ``arm=published`` marks the outputs from which the
    published row of the method comes.
    """
    raw = raw[raw["outputs"] != ""]
    keys = ["dataset", "method", "variant", "folds", "outputs", "metric"]
    parts = raw.groupby(keys, sort=False)["value"].agg(["mean", "std", "count"]).reset_index()
    rows = pd.DataFrame(
        {
            "dataset": parts["dataset"],
            "method": parts["method"],
            "setting": [_setting(row) for row in parts.itertuples()],
            "metric": parts["metric"],
            "value": parts["mean"],
            "std": parts["std"],
            "n": parts["count"],
        }
    )
    items = rows["dataset"].map(ITEM).fillna(FURTHER_ITEM)
    return {item: part.reset_index(drop=True) for item, part in rows.groupby(items, sort=False)}


def _setting(row):
    arm = "published" if row.outputs == OUTPUTS_OF_PUBLISHED.get(row.method, "hard") else "other"
    arm = "other" if row.folds == "grouped" else arm
    reading, graph = {"labels": ("corrected", "labels"), "none": ("corrected", "none")}.get(
        row.variant, (row.variant or None, None)
    )
    return format_setting(outputs=row.outputs, arm=arm, reading=reading, graph=graph, folds=row.folds)


def time_rows(raw):
    """CPU seconds of all folds as tidy rows of Table 5.8."""
    times = raw[(raw["metric"] == "runtime_s") & (raw["folds"] == "random") & raw["method"].isin(METHODS)]
    times = times[times["variant"].isin(["", "corrected"])]
    total = times.groupby(["dataset", "method"], sort=False)["value"].agg(["sum", "count"]).reset_index()
    return total.rename(columns={"sum": "value", "count": "n"}).assign(metric="runtime_s", setting="")


def fold_table(raw, metric, *, variant="corrected", outputs="hard", methods=METHODS):
    """One measure: a row per (data set, fold) and a column per method, all from the same outputs."""
    rows = raw[(raw["metric"] == metric) & (raw["outputs"] == outputs) & (raw["folds"] == "random")]
    rows = rows[rows["variant"].isin(["", variant]) & rows["method"].isin(methods)]
    wide = rows.pivot(index=["dataset", "fold"], columns="method", values="value")
    return wide[[m for m in methods if m in wide]]


def friedman_blocks(raw, *, variant="corrected", outputs="hard"):
    """Friedman p-values of all methods: folds of one data set as blocks, as in the thesis, and data sets as blocks.

    Folds share four fifths of their training rows, so they are not independent blocks: their p-values are too small.
    """
    rows = []
    for metric in METRICS:
        table = fold_table(raw, metric, variant=variant, outputs=outputs).dropna()
        falling = metric in FALLING
        for dataset, part in table.groupby(level="dataset", sort=False):
            if len(part) > 1:
                p = friedman(part, larger_is_better=not falling).pvalue
                rows.append({"metric": metric, "blocks": f"folds of {dataset}", "n": len(part), "p": p})
        means = table.groupby(level="dataset", sort=False).mean()
        if len(means) > 1:
            p = friedman(means, larger_is_better=not falling).pvalue
            rows.append({"metric": metric, "blocks": "data sets", "n": len(means), "p": p})
    return pd.DataFrame(rows, columns=["metric", "blocks", "n", "p"]).pivot(
        index="metric", columns="blocks", values="p"
    )


def averaged_ranks(files):
    """Mean over data sets of the ranks that stand beside the published scores: metrics as rows, methods as columns.

    They are taken as they stand: equal scores share a rank there in more than one way.

    Parameters
    ----------
    files : DataFrame
        The files of Tables 5.6 and 5.7 together, all text, with their column ``rank``.
    """
    rows = files[(files["dataset"] != "all15") & files["rank"].notna()]
    rows = rows.assign(rank=rows["rank"].astype(float))
    return rows.pivot_table(index="metric", columns="method", values="rank")[list(METHODS)]


def recomputed_p_values(scores):
    """P of the Friedman test of ML-CIB against each baseline, from published scores (two methods: a sign test)."""
    found = {}
    for metric in METRICS:
        wide = scores[metric].unstack("method")
        found[metric] = {
            m: friedman(wide[["ML-CIB", m]], larger_is_better=metric not in FALLING).pvalue for m in BASELINES
        }
    return pd.DataFrame(found).T


def with_published(recomputed, published, kind):
    """Recomputed ranks or p-values beside the published ones, a row per metric and method.

    Parameters
    ----------
    recomputed : DataFrame
        Metrics as rows, methods as columns.
    published : DataFrame
        Of ``read_reported`` for Table 5.7.
    kind : {"avg_rank", "p_value"}

    Returns
    -------
    DataFrame
        published (text), recomputed, same: to the published digits, rounded or cut off.
    """
    rows = []
    for row in published[published["metric"] == kind].itertuples():
        of_metric = dict(part.split("=") for part in row.setting.split(";"))["of_metric"]
        value, digits = recomputed.loc[of_metric, row.method], len(row.value.partition(".")[2])
        same = abs(value - float(row.value)) < 10.0**-digits
        rows.append(
            {"metric": of_metric, "method": row.method, "published": row.value, "recomputed": value, "same": same}
        )
    return pd.DataFrame(rows)


def chosen_variants(raw, dataset):
    """Means of ML-CIB's forms and of BR on one data set, measures as columns; ``outputs`` in the index."""
    rows = raw[(raw["dataset"] == dataset) & (raw["folds"] == "random") & (raw["outputs"] != "")]
    keys = ["outputs", "method", "variant"]
    return rows.pivot_table(index=keys, columns="metric", values="value", sort=False)[list(METRICS)]


def selection_rows(raw):
    """Means over folds of Figures 5.7 to 5.11 as tidy rows: item -> rows."""
    raw = raw[raw["pct"] > 0]
    keys = ["dataset", "method", "reading", "strategy", "pct", "metric"]
    parts = raw.groupby(keys, sort=False)["value"].agg(["mean", "std", "count"]).reset_index()
    settings = [
        format_setting(top_features_pct=r.pct, strategy=r.strategy, reading=r.reading) for r in parts.itertuples()
    ]
    rows = parts.rename(columns={"mean": "value", "count": "n"}).assign(setting=settings)
    rows = rows[["dataset", "method", "setting", "metric", "value", "std", "n"]]
    items = rows["dataset"].map(SELECTION_FIGURES).fillna("Figures 5.7-5.11, further data")
    return {item: part.reset_index(drop=True) for item, part in rows.groupby(items, sort=False)}


def selection_curves(raw):
    """Means over folds of the two metrics that the thesis draws, for ``plotting.curve_grid``."""
    rows = raw[(raw["pct"] > 0) & raw["metric"].isin(["micro_f1", "hamming_loss"])]
    keys = ["dataset", "strategy", "metric", "method", "reading", "pct"]
    return rows.groupby(keys, sort=False)["value"].agg(["mean", "std"]).reset_index().rename(columns={"mean": "value"})


def sensitivity_rows(raw):
    """Means over folds of Figures 5.14 to 5.17 as tidy rows."""
    keys = ["dataset", "variant", "pair", "alpha", "beta", "gamma", "metric"]
    parts = raw.groupby(keys, sort=False)["value"].agg(["mean", "std", "count"]).reset_index()
    settings = [
        format_setting(alpha=f"{r.alpha:g}", beta=f"{r.beta:g}", gamma=f"{r.gamma:g}", reading=r.variant)
        for r in parts.itertuples()
    ]
    rows = parts.rename(columns={"mean": "value", "count": "n"}).assign(setting=settings, method="ML-CIB")
    rows = rows[["dataset", "method", "setting", "metric", "value", "std", "n"]]
    return rows.drop_duplicates(["dataset", "setting"]).reset_index(drop=True)


def convergence_rows(raw):
    """Rows of Figure 5.13, tidy."""
    settings = [format_setting(iteration=r.iteration, reading=r.variant) for r in raw.itertuples()]
    return raw.assign(setting=settings, method="ML-CIB")[["dataset", "method", "setting", "metric", "value"]]
