"""Which published rows of Tables 5.6 and 5.7 can belong to one prediction, and which are another row in disguise.

The bounds and their derivations are in :mod:`fslib.evaluation.consistency`. Published values may be rounded or cut off,
and are means over folds: two percent of slack are allowed for that where a bound is not linear.
"""

import pandas as pd

from fslib.evaluation.consistency import (
    THREE_DIGITS,
    common_factor,
    constant_offset,
    density_range,
    largest_average_precision,
    subset_accuracy_range,
)
from fslib.papers.braytee.ch5_2_ml_cib.items import BASELINES, METHODS, METRICS
from fslib.papers.braytee.ch5_data import TITLES, load_task

SLACK = 0.02
CONSISTENT, NOT_CONSISTENT = "consistent", "not consistent"


def published_scores(rows):
    """Published rows as numbers: a row per (data set, method), a column per metric.

    Parameters
    ----------
    rows : DataFrame
        Of ``read_reported`` for Tables 5.6 and 5.7 together.
    """
    scores = rows[rows["metric"].isin(METRICS) & (rows["dataset"] != "all15")]
    wide = scores.assign(value=scores["value"].astype(float)).pivot(
        index=["dataset", "method"], columns="metric", values="value"
    )
    return wide[list(METRICS)]


def label_facts(datasets):
    """Density and numbers of labels per row of the data sets that are here: title -> (density, array)."""
    found = {}
    for name in datasets:
        if name in TITLES:
            Y = load_task(name)[1]
            found[TITLES[name]] = (float(Y.mean()), Y.sum(axis=1))
    return found


def check_rows(scores, n_labels, facts):
    """Compare every (data set, method) with the bounds that can be computed for it.

    Parameters
    ----------
    scores : DataFrame
        See :func:`published_scores`.
    n_labels : dict of str to int
        Of each data set.
    facts : dict
        See :func:`label_facts`. Where a data set is absent only subset accuracy is tested.

    Returns
    -------
    DataFrame
        Index dataset, method; columns subset_accuracy, density, average_precision ("" where it cannot be tested) and
        verdict. The bound on average precision is for rankings without ties, so it is asked of ML-CIB alone.
    """
    found = {}
    for (dataset, method), row in scores.iterrows():
        c, out = n_labels[dataset], {"subset_accuracy": "", "density": "", "average_precision": ""}
        allowed = subset_accuracy_range(row["hamming_loss"], c, THREE_DIGITS)
        out["subset_accuracy"] = _word(allowed.holds(row["subset_accuracy"], THREE_DIGITS))
        if dataset in facts:
            density, per_row = facts[dataset]
            allowed = density_range(row["micro_f1"], row["hamming_loss"], THREE_DIGITS)
            out["density"] = _word(allowed.holds(density, slack=SLACK))
            if method == "ML-CIB":
                most = largest_average_precision(max(0.0, row["ranking_loss"] - THREE_DIGITS[0]), per_row, c)
                out["average_precision"] = _word(row["average_precision"] - THREE_DIGITS[0] <= most * (1 + SLACK))
        out["verdict"] = NOT_CONSISTENT if NOT_CONSISTENT in out.values() else CONSISTENT
        found[dataset, method] = out
    table = pd.DataFrame.from_dict(found, orient="index")
    table.index = pd.MultiIndex.from_tuples(table.index, names=["dataset", "method"])
    return table


def _word(holds):
    return CONSISTENT if holds else NOT_CONSISTENT


def offsets(scores, method="MLSMOTE", reference="BR"):
    """Differences of a method to the reference over the data sets: mean, standard deviation and range per metric."""
    wide = scores.unstack("method")
    pairs = {m: constant_offset(wide[m][method], wide[m][reference]) for m in ("micro_f1", "average_precision")}
    pairs["subset_accuracy"] = constant_offset(wide["subset_accuracy"][method], wide["subset_accuracy"][reference])
    return pd.DataFrame(pairs, index=["mean", "std", "spread"]).T


def factors(scores, methods=BASELINES[2:], reference="BR"):
    """How far apart four estimates of one factor to the reference lie, a row per data set and a column per method."""
    found = {}
    for dataset, part in scores.groupby("dataset", sort=False):
        rows = part.droplevel("dataset").to_dict("index")
        for method in methods:
            if (
                method not in rows
                or reference not in rows
                or 0 in [rows[reference][m] for m in ("ranking_loss", "coverage", "average_precision", "micro_f1")]
            ):
                continue
            found[dataset, method] = common_factor(
                rows[method],
                rows[reference],
                falling=["ranking_loss", "coverage"],
                rising=["average_precision", "micro_f1"],
            ).spread
    return pd.Series(found, dtype=float).unstack()


def summary(scores, table):
    """Count, per method, the rows that are tested and those that are not consistent."""
    tested = table[table["density"] != ""]
    counts = tested.groupby("method")["verdict"].agg(
        tested="size", not_consistent=lambda words: int((words == NOT_CONSISTENT).sum())
    )
    return counts.reindex([m for m in METHODS if m in counts.index])


def shares_of_small_spread(spreads, limit=0.04):
    """Share of the data sets on which one factor explains four measures within a limit, and the median spread."""
    return pd.DataFrame(
        {"median": spreads.median(), f"at most {limit}": (spreads <= limit).mean(), "n": spreads.count()}
    )
