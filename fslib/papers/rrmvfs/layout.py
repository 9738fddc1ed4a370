"""Tables of paper "rrmvfs" as a reader sees them, and Table 2 under other numberings of the views."""

import pandas as pd

from fslib.papers.rrmvfs.items import CHANCE, METHODS, VIEW_ORDERS, view_sets
from fslib.papers.rrmvfs.tables import by_size, table_rows
from fslib.tidy import with_settings

METRICS = {"accuracy": "accuracy", "macro_f1": "macro F1"}
VERDICTS = {"within the paper's spread": "within", "within our spread": "within ours"}
"""Shorter words, so that two metrics fit side by side."""

COUNTS = {1: "two", 3: "four"}
"""Plus signs in a label -> head of a column."""


def panel_rows(rows):
    """Held-out rows of a figure in the order of its panels, whose titles become the column ``panel``.

    Parameters
    ----------
    rows : DataFrame
        One item of :func:`fslib.papers.rrmvfs.tables.figure_rows`.

    Returns
    -------
    DataFrame
        The tidy columns without ``setting``, its keys, and ``panel``: metrics first, then data sets, then sizes.
    """
    shown = with_settings(rows.reset_index(drop=True)).drop(columns="setting")
    shown = shown[shown["protocol"] == "held_out"].sort_values(["metric", "dataset", "train_per_class"], kind="stable")
    size = shown["train_per_class"].astype(str) + "/class"
    return shown.assign(panel=shown["dataset"] + ": " + shown["metric"].map(METRICS) + ", " + size)


def as_published(tables, digits=3):
    """Tables in the layout of the paper: methods as rows, numbers of views as columns, "mean (standard deviation)".

    Parameters
    ----------
    tables : dict of str to DataFrame
        From :func:`fslib.papers.rrmvfs.tables.table_rows`; the held-out protocol is shown.
    digits : int

    Returns
    -------
    DataFrame
    """
    rows = with_settings(pd.concat(tables.values(), ignore_index=True))
    rows = rows[rows["protocol"] == "held_out"]
    text = [f"{v:.{digits}f}\u00a0({s:.{digits}f})" for v, s in zip(rows["value"], rows["std"], strict=True)]
    number = rows["views"].str.count(r"\+").map(COUNTS).fillna("all")
    number = pd.Categorical(number, [*COUNTS.values(), "all"], ordered=True)
    method = pd.Categorical(rows["method"], (*METHODS, CHANCE), ordered=True)
    rows = rows.assign(text=text, views=number, method=method)
    return rows.pivot(index=["dataset", "method"], columns=["metric", "views"], values="text").sort_index(axis=1)


def beside_published(frame):
    """Comparison with the paper: one line per method and group of views, both metrics side by side.

    Parameters
    ----------
    frame : DataFrame
        From ``Results.paper_versus_here``, one protocol.
    """
    rows = with_settings(frame.reset_index(drop=True))
    rows = rows[(rows["method"] != "Single") & rows["reproduced"].notna()]  # the paper has no Single
    views = pd.Categorical(rows["views"], by_size(rows["views"]), ordered=True)
    here = rows["reproduced"].map("{:.4f}".format)
    rows = rows.assign(views=views, reproduced=here, verdict=rows["verdict"].replace(VERDICTS))
    rows = rows.rename(columns={"reported": "paper", "reproduced": "here"})
    wide = rows.pivot(index=["dataset", "views", "method"], columns="metric", values=["paper", "here", "verdict"])
    return wide.swaplevel(axis=1)[[(metric, name) for metric in METRICS for name in ("paper", "here", "verdict")]]


def nearest_groups(raw, published, at_most=4):
    """Groups of views whose CAT accuracy is nearest to a published one.

    Parameters
    ----------
    raw : DataFrame
        Rows of CAT on many groups of mfeat's views.
    published : float
        The paper's accuracy.
    at_most : int

    Returns
    -------
    DataFrame
        views, value (published protocol), off.
    """
    rows = raw[(raw["metric"] == "accuracy") & (raw["protocol"] == "published") & (raw["pct"] == raw["pct"].max())]
    found = rows.groupby("views", as_index=False)["value"].mean()
    found["off"] = (found["value"] - published).round(4)
    return found.sort_values("off", key=abs, ignore_index=True).head(at_most).round(4)


def order_rows(raw, order, name):
    """Tidy rows of mfeat's table under another order of its views, whose name becomes the setting ``order``."""
    rows = table_rows(raw, order)["Table 2"]
    return rows.assign(item="Table 2 by order of views", setting=rows["setting"] + f";order={name}")


def by_order(rows, metric="accuracy"):
    """Layout of :func:`order_rows`: orders and methods as rows, groups of views as columns, published protocol."""
    rows = with_settings(rows.reset_index(drop=True))
    rows = rows[(rows["metric"] == metric) & (rows["protocol"] == "published")]
    wide = rows.pivot(index=["order", "method"], columns="views", values="value")
    return wide[by_size(rows["views"])].round(4)


def published_accuracy(reported, dataset, method, *, column="value"):
    """Accuracies of a method in the paper's tables, or their spreads, by group of views.

    Parameters
    ----------
    reported : DataFrame
        From :func:`fslib.reproduction.compare.reported.read_reported`.
    dataset, method : str
    column : {"value", "std"}

    Returns
    -------
    Series
        Label of the views -> accuracy.
    """
    rows = with_settings(reported.reset_index(drop=True))
    rows = rows[(rows["dataset"] == dataset) & (rows["method"] == method) & (rows["metric"] == "accuracy")]
    return rows.set_index("views")[column].astype(float)


def distance_of_orders(pairs, fours, cat):
    """CAT on the two and four views that each order of mfeat's views names, beside the published accuracies.

    Parameters
    ----------
    pairs, fours : DataFrame
        Rows of CAT on all groups of two and of four views.
    cat : Series
        From `published_accuracy`.

    Returns
    -------
    DataFrame
        Orders as rows; for two and four views the group, our accuracy (published protocol) and ``off``, its distance.
    """
    rows = {}
    for order_name, order in VIEW_ORDERS.items():
        row = {}
        for raw, (label, group) in zip((pairs, fours), view_sets("mfeat", order).items(), strict=False):
            found = nearest_groups(raw, cat[label], at_most=len(raw)).set_index("views").loc["+".join(group)]
            row |= {
                (label, "views"): "+".join(group),
                (label, "accuracy"): found["value"],
                (label, "off"): found["off"],
            }
        rows[order_name] = row
    return pd.DataFrame(rows).T
