"""From the rows of single repeats to the figures and tables of paper "rrmvfs", section 3.

A figure has a point per percentage of the features. A table has one number per method and the paper does not say at
which percentage: taken here is the percentage with the best validation accuracy, like the penalties (ties: fewer
features), so that no test row influences it.
"""

import pandas as pd

from fslib.evaluation.margins import noise_of_pairs
from fslib.evaluation.stats import friedman, paired_t
from fslib.papers.rrmvfs.items import CHANCE, TASKS, TRAIN_SIZES, view_sets
from fslib.tidy import COLUMNS, format_setting

PROPOSED = "RRMVFS"
TABLE_SIZE = TRAIN_SIZES[-1]
"""Training samples per class in the tables."""

TEST_TO_TRAIN = 0.8
"""Test rows over rows of the training half, for the corrected test: the halves are what the repeats draw anew. The
training samples themselves are a few percent of their half and overlap little, so that this errs on the wide side."""

NAMED = ["dataset", "views", "train_per_class", "method", "protocol", "metric"]


def _summarise(raw, keys):
    """Mean, standard deviation (ddof=1) and number of repeats."""
    groups = raw.groupby(keys, sort=False)["value"]
    return groups.agg(value="mean", std="std", n="count").reset_index().assign(paper="rrmvfs")


def labels_of_views(order=None):
    """How the paper calls groups of views: (data set, names joined by +) -> label, such as ``V1+V6`` or ``all``.

    Parameters
    ----------
    order : sequence of str, optional
        Another order of mfeat's views.
    """
    return {
        (task.title, "+".join(group)): label
        for name, task in TASKS.items()
        for label, group in view_sets(name, order if name == "mfeat" else None).items()
    }


def figure_rows(raw):
    """Tidy rows of the figures: every data set with all its views, a point per percentage and training size.

    Parameters
    ----------
    raw : DataFrame
        Rows of :func:`fslib.papers.rrmvfs.protocol.run_trial`.

    Returns
    -------
    dict of str to DataFrame
        Item -> rows. Data sets of ours share the item ``"Further data sets"``.
    """
    labels = labels_of_views()
    raw = raw[[labels.get(key) == "all" for key in zip(raw["dataset"], raw["views"], strict=True)]]
    table = _summarise(raw, [*NAMED, "pct"])
    table["setting"] = [
        format_setting(
            top_features_pct=row.pct, train_per_class=row.train_per_class, views="all", protocol=row.protocol
        )
        for row in table.itertuples()
    ]
    items = {task.title: task.figure or "Further data sets" for task in TASKS.values()}
    table["item"] = table["dataset"].map(items)
    return {item: rows[COLUMNS].reset_index(drop=True) for item, rows in table.groupby("item")}


def at_chosen_percentage(raw):
    """Rows of the percentage with the best validation accuracy, per repeat and method; of equals the smallest."""
    keys = ["dataset", "views", "train_per_class", "method", "repeat"]
    one = raw.drop_duplicates([*keys, "pct"]).sort_values("pct", kind="stable", ignore_index=True)
    chosen = one.loc[one.groupby(keys)["validation"].idxmax(), [*keys, "pct"]]
    return raw.merge(chosen, on=[*keys, "pct"])


def table_rows(raw, order=None):
    """Tidy rows of the tables: two views, four views and all, 12 training samples per class.

    Parameters
    ----------
    raw : DataFrame
    order : sequence of str, optional
        Another order of mfeat's views; groups of views that have no name in it are left out.

    Returns
    -------
    dict of str to DataFrame
        Item -> rows, for the tables of which there are rows.
    """
    chosen = at_chosen_percentage(raw[raw["train_per_class"] == TABLE_SIZE])
    labels = labels_of_views(order)
    label = [labels.get(key) for key in zip(chosen["dataset"], chosen["views"], strict=True)]
    table = _summarise(chosen.assign(views=label).dropna(subset="views"), NAMED)
    table["setting"] = [
        format_setting(views=row.views, train_per_class=TABLE_SIZE, protocol=row.protocol) for row in table.itertuples()
    ]
    table["item"] = table["dataset"].map({task.title: task.table for task in TASKS.values()})
    found = {item: rows[COLUMNS].reset_index(drop=True) for item, rows in table.groupby("item") if item}
    return found


def leads(raw, order=None):
    """Lead of the proposed method over the best of the others, in units of its own spread, and its significance.

    Parameters
    ----------
    raw : DataFrame
        At least two repeats, 12 training samples per class.
    order : sequence of str, optional
        See :func:`table_rows`.

    Returns
    -------
    DataFrame
        dataset, views, metric, value, runner_up, lead, lead_in_std, noise, p_paired, p_corrected; a negative lead is a
        lag, and one within the noise has p_corrected above 0.05.
    """
    labels = labels_of_views(order)
    chosen = at_chosen_percentage(raw[(raw["train_per_class"] == TABLE_SIZE) & (raw["protocol"] == "held_out")])
    chosen = chosen.assign(
        views=[labels.get(key) for key in zip(chosen["dataset"], chosen["views"], strict=True)]
    ).dropna(subset="views")
    chosen["views"] = pd.Categorical(chosen["views"], by_size(chosen["views"]), ordered=True)
    rows = []
    for (dataset, metric, views), group in chosen.groupby(["dataset", "metric", "views"], observed=True):
        scores = group.pivot(index="repeat", columns="method", values="value")
        ours, others = scores[PROPOSED], scores.drop(columns=[PROPOSED, "Single", CHANCE], errors="ignore")
        runner_up = others.mean().idxmax()
        lead = round(ours.mean() - others[runner_up].mean(), 12)  # equal up to rounding is equal
        rows.append(
            {"dataset": dataset, "views": views, "metric": metric, "value": ours.mean(), "runner_up": runner_up}
            | {"lead": lead, "lead_in_std": lead / ours.std(ddof=1)}
            | {"noise": noise_of_pairs(ours, others[runner_up], test_to_train=TEST_TO_TRAIN)}
            | {"p_paired": paired_t(ours, others[runner_up]).pvalue}
            | {"p_corrected": paired_t(ours, others[runner_up], test_to_train=TEST_TO_TRAIN).pvalue}
        )
    return pd.DataFrame(rows)


def by_size(labels):
    """Labels of groups of views, small groups first, ``all`` last.

    Examples
    --------
    >>> by_size(["all", "V1+V2+V3+V6", "V1+V6", "all"])
    ['V1+V6', 'V1+V2+V3+V6', 'all']
    """
    return sorted(set(labels), key=lambda label: (label == "all", label.count("+"), label))


def published_leads(reported):
    """Lead over the runner-up in the numbers of the paper, in units of the published standard deviation.

    Parameters
    ----------
    reported : DataFrame
        From :func:`fslib.reproduction.compare.reported.read_reported`.

    Returns
    -------
    DataFrame
        dataset, views, metric, value, runner_up, lead, lead_in_std.
    """
    table = reported.assign(value=reported["value"].astype(float), std=reported["std"].astype(float))
    table["views"] = table["setting"].str.extract(r"views=([^;]*)")[0]
    rows = []
    for (dataset, views, metric), group in table.groupby(["dataset", "views", "metric"], sort=False):
        group = group.set_index("method")
        ours, runner_up = group.loc[PROPOSED], group["value"].drop(PROPOSED).idxmax()
        lead = ours["value"] - group.loc[runner_up, "value"]
        rows.append(
            {"dataset": dataset, "views": views, "metric": metric, "value": ours["value"], "runner_up": runner_up}
            | {"lead": lead, "lead_in_std": lead / ours["std"]}
        )
    return pd.DataFrame(rows)


def score_table(raw, metric="accuracy"):
    """Mean score per data set (rows) and method (columns): all views, 12 training samples per class.

    Parameters
    ----------
    raw : DataFrame
    metric : {"accuracy", "macro_f1"}
    """
    labels = labels_of_views()
    rows = at_chosen_percentage(raw[(raw["train_per_class"] == TABLE_SIZE) & (raw["protocol"] == "held_out")])
    is_all = [labels.get(key) == "all" for key in zip(rows["dataset"], rows["views"], strict=True)]
    rows = rows[is_all].query("metric == @metric and method != @CHANCE")
    return rows.pivot_table(index="dataset", columns="method", values="value")


def ranks_over_data_sets(table):
    """Friedman test on a :func:`score_table`, or None for fewer than three data sets, where it has no power."""
    return friedman(table) if len(table) >= 3 else None


def optimism(raw):
    """Optimism of a test part that contains the validation part: published minus held-out, mean over all rows.

    Parameters
    ----------
    raw : DataFrame

    Returns
    -------
    DataFrame
        Data sets and training sizes as rows, metrics as columns.
    """
    raw = raw[raw["method"] != CHANCE]
    means = raw.groupby(["dataset", "train_per_class", "metric", "protocol"])["value"].mean().unstack()
    return (means["published"] - means["held_out"]).unstack().round(4)
