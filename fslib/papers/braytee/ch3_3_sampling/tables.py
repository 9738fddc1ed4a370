"""From the rows of single splits to Tables 3.14 to 3.17 and Figure 3.7 of thesis "braytee"."""

import pandas as pd

from fslib.papers.braytee.ch3_3_sampling.items import METHODS, PROPOSED, RATIOS
from fslib.papers.braytee.ch3_data import SECTION_3_3, available, load_task, size_rows
from fslib.tidy import format_setting, with_settings

TEST_TO_TRAIN = 0.5
"""Test rows over training rows of a split, for the corrected test."""

KEYS = ["dataset", "ratio", "method", "reading", "protocol", "arm", "metric"]
FITNESS = ["fitness_best", "fitness_selected", "fitness_all", "fitness_test"]

OPTION = {"Table 3.15": None, "Table 3.16": None, "Table 3.17": "limit", "Figure 3.7": "max_iter"}
"""Item -> the option of the search that it varies."""


def sizes(datasets):
    """Tidy rows of Table 3.14; the two thinned data sets have a row per ratio.

    Parameters
    ----------
    datasets : list of str

    Examples
    --------
    >>> sizes(["ionosphere"]).query("metric == 'imbalance_ratio'")["value"].tolist()
    [5.0, 9.0, 15.0]
    """
    here, _ = available(datasets, SECTION_3_3)
    rows = [size_rows([name for name in here if name not in RATIOS], SECTION_3_3).assign(setting="")]
    for name in here:
        X, y = load_task(name)
        n_common = int((y == 0).sum())
        for ratio, n_rare in RATIOS.get(name, {}).items():
            values = {
                "n_instances": n_common + n_rare,
                "n_attributes": X.shape[1],
                "imbalance_ratio": n_common / n_rare,
            }
            rows.append(
                pd.DataFrame({"metric": list(values), "value": list(values.values())}).assign(
                    dataset=SECTION_3_3[name], method="", setting=format_setting(nominal_ratio=ratio)
                )
            )
    return pd.concat([part for part in rows if len(part)], ignore_index=True)


def item_rows(raw, item):
    """Tidy rows of a table or figure: mean, standard deviation and number of splits.

    Parameters
    ----------
    raw : DataFrame
        Rows of :func:`fslib.papers.braytee.ch3_3_sampling.protocol.run_trial` of this item.
    item : str
        Key of :data:`OPTION`.

    Returns
    -------
    DataFrame
    """
    option = OPTION[item]
    keys = [*KEYS, *([option] if option else [])]
    table = over_splits(raw, keys)
    used = raw.groupby(keys, sort=False)["used"].agg(_counts).to_numpy()
    names = {"limit": "limit_max", "max_iter": "iterations"}
    table["setting"] = [
        format_setting(
            **{
                "imbalance_ratio": row.ratio or None,
                **({names[option]: f"{getattr(row, option):g}"} if option else {}),
                "reading": row.reading or None,
                "protocol": row.protocol,
                "arm": row.arm or None,
                "used": drawn or None,
            }
        )
        for row, drawn in zip(table.itertuples(), used, strict=True)
    ]
    return table.assign(paper="braytee", item=item)[
        ["paper", "item", "dataset", "method", "setting", "metric", "value", "std", "n"]
    ]


def with_published(natural, others, by):
    """ABC-Sampling as published beside rows of other runs, on the data sets and splits that every one of them ran.

    Parameters
    ----------
    natural : DataFrame
        Rows of Table 3.15.
    others : DataFrame
    by : dict of str to list
        A column and its values, each of which must have run.

    Returns
    -------
    DataFrame
        Held-out rows.
    """
    ours = natural[(natural["method"] == PROPOSED) & (natural["reading"] == "published")]
    ((column, runs),) = by.items()
    rows = pd.concat([ours.assign(**{column: runs[0]}), others], ignore_index=True)
    rows = rows[rows["protocol"] == "held_out"]
    keys = pd.MultiIndex.from_frame(rows[["dataset", "split"]])
    common = set.intersection(*(set(keys[rows[column] == run]) for run in runs))
    return rows[[key in common for key in keys]]


def over_splits(rows, keys):
    """Mean, standard deviation and number of splits of every group, as columns value, std and n."""
    return rows.groupby(keys, sort=False)["value"].agg(value="mean", std="std", n="count").reset_index()


def _counts(used):
    """Which sampler drew in how many splits, such as ``ADASYN 18 SMOTE 2``; empty if there is no choice."""
    counts = used[used != ""].value_counts()
    return " ".join(f"{name} {count}" for name, count in counts.items())


def values(raw, metric, arm="", protocol="held_out"):
    """Mean of one metric over the splits that all methods ran.

    Parameters
    ----------
    raw : DataFrame
    metric, arm, protocol : str

    Returns
    -------
    DataFrame
        Data sets (and ratios) as rows, methods as columns, ABC-Sampling by reading.
    """
    rows = raw[(raw["metric"] == metric) & (raw["arm"] == arm) & (raw["protocol"] == protocol)]
    rows = _named(rows[rows["split"].isin(_common_splits(raw))])
    order = [name for method in METHODS for name in sorted(set(rows["method"])) if name.partition(",")[0] == method]
    return rows.pivot_table(index="dataset", columns="method", values="value", sort=False)[order]


def _common_splits(raw):
    """Numbers of the splits that ABC-Sampling ran, which all methods did."""
    return set(raw.loc[raw["method"] == PROPOSED, "split"])


def _named(rows):
    """Rows sorted by data set and ratio, which become one name, as do method and reading."""
    rows = rows.assign(by=pd.to_numeric(rows["ratio"].str.partition(":")[2], errors="coerce").fillna(0))
    rows = rows.sort_values(["dataset", "by"], kind="stable").drop(columns="by")
    return rows.assign(method=column_names(rows), dataset=(rows["dataset"] + " " + rows["ratio"]).str.strip())


def column_names(rows):
    """Method, with its reading where it has one."""
    return rows["method"] + rows["reading"].map(lambda reading: f", {reading}" if reading else "")


def by_option(raw, option, metric, arm=""):
    """Mean of one metric of ABC-Sampling: data sets as rows, values of an option as columns."""
    rows = raw[(raw["metric"] == metric) & (raw["arm"] == arm) & (raw["protocol"] == "held_out")]
    return rows.pivot_table(index="dataset", columns=option, values="value")


def fitness_beside_test(raw):
    """What a search optimises beside what a user gets: means over splits of AUC and F1, averaged.

    Returns
    -------
    DataFrame
        Data sets and undersamplers as rows; ``fitness_best`` (what the search reached), ``fitness_selected`` and
        ``fitness_all`` (cross-validated on the kept samples: scored on the selected ones, on all training samples) and
        ``fitness_test`` (on test rows) as columns.
    """
    rows = _named(raw[raw["metric"].isin(FITNESS) & raw["split"].isin(_common_splits(raw))])
    table = rows.pivot_table(index=["dataset", "method"], columns="metric", values="value", sort=False)
    return table.reindex(columns=FITNESS)


def beside_published(joined):
    """Published numbers beside ours: ABC-Sampling in the published reading, AUC of predicted labels.

    Parameters
    ----------
    joined : DataFrame
        From ``Results.paper_versus_here``.

    Returns
    -------
    DataFrame
        Data set, method, metric and ratio as rows; the published number, ours on the held-out test part, and ours
        with the dropped samples in the test part, where the thesis has them there.
    """
    rows = with_settings(joined[~joined["verdict"].isin(["not run", "not published"])])
    settings = rows.reindex(columns=["arm", "reading", "imbalance_ratio"]).fillna("")
    rows[list(settings)] = settings
    rows = rows[~rows["arm"].eq("scores") & ~rows["reading"].eq("corrected")]
    keys = ["dataset", "imbalance_ratio", "method", "metric"]
    table = rows.pivot_table(index=[*keys, "reported"], columns="protocol", values="reproduced", sort=False)
    names = {"held_out": "here", "published": "here, dropped samples in the test part"}
    return table.reset_index("reported").rename(columns={"reported": "published"} | names)


def budgets(raw):
    """Smallest and largest number of distinct evaluations of each search, per data set: equal budgets show here."""
    rows = raw[raw["metric"] == "n_evaluations"]
    rows = rows.assign(method=column_names(rows))
    return rows.groupby(["dataset", "method"])["value"].agg(["min", "max"]).astype(int)


def paired(raw, dataset, first, second, metric, arm="", ratio=""):
    """Two methods on the splits that both ran: two arrays, in order of the splits.

    Parameters
    ----------
    raw : DataFrame
    dataset : str
        Title.
    first, second : (str, str)
        Method and reading.
    metric, arm, ratio : str
    """
    rows = raw[(raw["dataset"] == dataset) & (raw["ratio"] == ratio) & (raw["protocol"] == "held_out")]
    rows = rows[(rows["metric"] == metric) & (rows["arm"] == arm)]
    series = [
        rows[(rows["method"] == method) & (rows["reading"] == reading)].set_index("split")["value"]
        for method, reading in (first, second)
    ]
    both = pd.concat(series, axis=1, join="inner").sort_index()
    return both.iloc[:, 0].to_numpy(), both.iloc[:, 1].to_numpy()


def curve_rows(raw, option):
    """Tidy rows of ABC-Sampling over an option, for `fslib.plotting.curve_grid`: AUC of labels, F1 and evaluations."""
    item = {"limit": "Table 3.17", "max_iter": "Figure 3.7"}[option]
    wanted = raw[(raw["method"] == PROPOSED) & (raw["protocol"] == "held_out")]
    return item_rows(wanted[wanted["arm"].isin(["published", ""]) & wanted["metric"].isin(["auc", "f_measure"])], item)
