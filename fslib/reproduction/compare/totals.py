"""How many published numbers are reproduced, how far off the others are, which are the outliers, and why."""

import numpy as np
import pandas as pd

from fslib.names import RUN_TIMES, canonical_method
from fslib.reproduction.compare.agreement import KINDS

LIMITS = (0.005, 0.01, 0.02)
"""Distances within which the share of the numbers is counted."""

AGREE = ("as published", "within the range of starts", "within the paper's spread", "within our spread")
"""Kinds that count as agreement."""


def counts(table):
    """Count the kinds of verdict, zeros included.

    Parameters
    ----------
    table : DataFrame
        From `fslib.reproduction.compare.join.published_numbers`.

    Returns
    -------
    dict of str to int

    Examples
    --------
    >>> counts(pd.DataFrame({"kind": ["differs", "not run", "differs"]}))["differs"]
    2
    """
    found = table["kind"].value_counts()
    return {kind: int(found.get(kind, 0)) for kind in KINDS}


def totals(table, by=("item", "method")):
    """Agreement and distance, one line per group of published numbers that were run; run times are left out.

    A published number without a standard deviation is compared in two ways: to its digits, which is hard, and by its
    distance from ours. The distance is taken over numbers in [-1, 1] only, such as errors and scores.

    Parameters
    ----------
    table : DataFrame
        From `fslib.reproduction.compare.join.published_numbers`.
    by : sequence of str
        Of paper, item, dataset, method, metric. Methods come under their names in `fslib.names.METHODS`.

    Returns
    -------
    DataFrame
        The columns in ``by``, numbers, as_published, in_range (of the starts), in_spread (the paper's or ours),
        differ, median (of the absolute differences) and a column per limit in `LIMITS` with the share of the numbers
        within it.

    Examples
    --------
    >>> row = {"item": "Table 2", "method": "PMU", "metric": "hamming_loss", "reported": "0.10", "reported_std": ""}
    >>> table = pd.DataFrame([row | {"kind": "as published", "difference": 0.004},
    ...                       row | {"kind": "differs", "difference": -0.016}])
    >>> totals(table).iloc[0].to_dict()  # doctest: +NORMALIZE_WHITESPACE
    {'item': 'Table 2', 'method': 'PMU', 'numbers': 2, 'as_published': 1, 'in_range': 0, 'in_spread': 0, 'differ': 1,
     'median': 0.01, 'within_0.005': 0.5, 'within_0.01': 0.5, 'within_0.02': 1.0}
    """
    by = list(by)
    rows = _judged(table)
    lines = []
    for names, group in rows.groupby(by, sort=False):
        kinds = group["kind"]
        line = dict(zip(by, names, strict=True)) | {"numbers": len(group)}
        line |= {"as_published": int((kinds == AGREE[0]).sum()), "in_range": int((kinds == AGREE[1]).sum())}
        line |= {"in_spread": int(kinds.isin(AGREE[2:]).sum()), "differ": int((kinds == "differs").sum())}
        lines.append(line | _distances(group))
    counted = ["numbers", "as_published", "in_range", "in_spread", "differ"]
    return pd.DataFrame(lines, columns=[*by, *counted, "median", *(f"within_{limit:g}" for limit in LIMITS)])


def _judged(table):
    rows = table[(table["kind"] != "not run") & ~table["metric"].isin(RUN_TIMES)]
    return rows.assign(method=rows["method"].map(canonical_method))


def _unit(rows):
    """Absolute differences of numbers in [-1, 1]."""
    return rows["difference"].abs()[rows["reported"].astype(float).abs() <= 1]


def _distances(rows):
    distance = _unit(rows)
    if distance.empty:
        return {"median": np.nan} | {f"within_{limit:g}": np.nan for limit in LIMITS}
    rounding = 1e-9  # a difference of .005 is within .005
    within = {f"within_{limit:g}": float((distance <= limit + rounding).mean()) for limit in LIMITS}
    return {"median": float(distance.median())} | within


def outliers(table, at_most=3):
    """Find the differing numbers that are furthest off in each item, beyond the widest of `LIMITS`.

    Parameters
    ----------
    table : DataFrame
        From `fslib.reproduction.compare.join.published_numbers`.
    at_most : int
        Per item.

    Returns
    -------
    DataFrame
        Rows of ``table``, the furthest first.
    """
    rows = table[(table["kind"] == "differs") & ~table["metric"].isin(RUN_TIMES)]
    distance = _unit(rows).sort_values(ascending=False, kind="stable")
    far = rows.loc[distance.index[distance > LIMITS[-1]]]
    return far.groupby("item", sort=False).head(at_most)


def causes(table):
    """Group the numbers that differ by the reason in ``data/reported/reasons.csv``.

    Returns
    -------
    DataFrame
        reason, numbers, where (items and methods); an empty reason means that no reason is known.
    """
    rows = table[table["kind"] == "differs"]
    lines = []
    for reason, group in rows.groupby("reason", sort=False):
        methods = group["method"].map(canonical_method)
        where = (group["item"] + (" " + methods).where(methods != "", "")).drop_duplicates()
        lines.append({"reason": reason, "numbers": len(group), "where": ", ".join(where)})
    lines.sort(key=lambda line: -line["numbers"])
    return pd.DataFrame(lines, columns=["reason", "numbers", "where"])
