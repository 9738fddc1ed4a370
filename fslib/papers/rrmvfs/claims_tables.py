"""Claims of paper "rrmvfs", section 3.3: each is decided on Tables 1 to 3, or on the leads in their single repeats.

The docstring of a check is the text that ``data/reported/claims.csv`` has for it; its argument is what
:func:`fslib.papers.rrmvfs.tables.table_rows` or :func:`~fslib.papers.rrmvfs.tables.leads` returns. The held-out
protocol decides. A lead decides nothing unless the corrected paired test at 5 % rejects; where only spreads are there,
within one standard error with the same correction.
"""

from functools import wraps
from itertools import pairwise

import numpy as np

from fslib.evaluation.margins import at_most, enough, exceeds
from fslib.papers.claims import CANNOT_BE_TESTED, cannot_be_tested, claim, verdict, with_noise
from fslib.papers.rrmvfs.claim_rules import METRICS, curve_noise, missing
from fslib.papers.rrmvfs.items import CHANCE, METHODS
from fslib.tidy import with_settings


def while_names_are_unknown(judge):
    """Do not judge a claim about some of mfeat's views; what the order of the file says is in the note."""

    @wraps(judge)
    def check(rows, **options):
        found = judge(rows, **options)
        if found.word == CANNOT_BE_TESTED:
            return found
        reason = "the paper does not say which views V1 to V6 of mfeat are, and CAT refutes the order of the file"
        note = f"{reason}; under that order, not counted: {found.word}, {found.value}"
        return cannot_be_tested(note, n_tested=0, n_claimed=found.n_claimed)

    return check


def _more_views_better(tables, item, share=0.7):
    n_series = len(METRICS) * (len(METHODS) - 1)
    if item not in tables:
        return missing(item, n_series)
    rows = with_settings(tables[item])
    rows = rows[(rows["protocol"] == "held_out") & ~rows["method"].isin(["Single", CHANCE])].assign(
        n_views=lambda r: r["views"].map(lambda views: np.inf if views == "all" else views.count("+"))
    )
    wide, std = (
        rows.pivot(index=["method", "metric"], columns="n_views", values=column).sort_index(axis=1)
        for column in ("value", "std")
    )
    outcomes, notes = {}, []
    for series in wide.index:
        value, spread = wide.loc[series].to_numpy(), std.loc[series].to_numpy()
        steps = np.diff(value)
        noise = [curve_noise(tables, item, *pair) for pair in pairwise(spread)]
        outcomes[series] = enough(at_most(-step, 0.0, n) for step, n in zip(steps, noise, strict=True))
        if not outcomes[series]:
            deepest = int(steps.argmin())
            notes.append(f"{' '.join(series)} {with_noise(steps[deepest], noise[deepest])}")
    values = list(outcomes.values())
    counts = f"{values.count(True)} of {len(values)} series rise, {values.count(None)} undecided"
    by_value = int((wide.diff(axis=1).iloc[:, 1:] >= 0).all(axis=1).sum())
    note = "do not rise beyond the noise: " + ", ".join(notes) if notes else ""
    value = f"{counts}; {by_value} by value alone"
    return verdict(enough(values, share), value, note, n_tested=len(values), n_claimed=n_series)


def _two_views_not_best(leads, item, dataset):
    rows = leads[(leads["dataset"] == dataset) & (leads["views"].str.count(r"\+") == 1)]
    if rows.empty:
        return missing(item, len(METRICS))
    text = "; ".join(
        f"{row.metric}: {with_noise(row.lead, row.noise)} against {row.runner_up}" for row in rows.itertuples()
    )
    outcomes = [exceeds(-row.lead, 0.0, row.noise) for row in rows.itertuples()]
    return verdict(enough(outcomes), text, n_tested=len(rows), n_claimed=len(METRICS))


def _four_and_all_best(leads, item, dataset):
    rows = leads[(leads["dataset"] == dataset) & (leads["views"].str.count(r"\+") != 1)]
    if rows.empty:
        return missing(item, 2 * len(METRICS))
    outcomes = [exceeds(row.lead, 0.0, row.noise) for row in rows.itertuples()]
    note = "; ".join(
        f"{row.views} {row.metric}: {with_noise(row.lead, row.noise)} against {row.runner_up}, "
        f"p = {row.p_paired:.2g}, corrected {row.p_corrected:.2g}"
        for row in rows.itertuples()
    )
    value = f"clearly best in {outcomes.count(True)} of {len(rows)} columns, {outcomes.count(None)} undecided"
    return verdict(enough(outcomes), value, note, n_tested=len(rows), n_claimed=2 * len(METRICS))


@claim("tab1-nus-more-views-better")
def tab1_nus_more_views_better(tables):
    """share of (method, metric) series with value(2) <= value(4) <= value(all) >= 0.7; undecided where steps within the
    noise could turn it
    """
    return _more_views_better(tables, "Table 1")


@claim("tab1-nus-two-views-not-best")
def tab1_nus_two_views_not_best(leads):
    """two views: max over other methods > RRMVFS in both metrics, by the corrected paired test over the repeats (p <
    0.05)
    """
    return _two_views_not_best(leads, "Table 1", "NUS")


@claim("tab1-nus-four-and-all-best")
def tab1_nus_four_and_all_best(leads):
    """four and all views, both metrics: RRMVFS > max of others by the corrected paired test over the repeats against
    the runner-up (p < 0.05); does not hold if behind by the same test in one
    """
    return _four_and_all_best(leads, "Table 1", "NUS")


@claim("tab2-mfeat-more-views-better")
@while_names_are_unknown
def tab2_mfeat_more_views_better(tables):
    """share of (method, metric) series with value(2) <= value(4) <= value(all) >= 0.7; undecided where steps within the
    noise could turn it; cannot be tested while the names of the views are unknown: the order of the file is in the
    note
    """
    return _more_views_better(tables, "Table 2")


@claim("tab2-mfeat-two-views-not-best")
@while_names_are_unknown
def tab2_mfeat_two_views_not_best(leads):
    """two views: max over other methods > RRMVFS in both metrics, by the corrected paired test over the repeats (p <
    0.05); cannot be tested while the names of the views are unknown: the order of the file is in the note
    """
    return _two_views_not_best(leads, "Table 2", "mfeat")


@claim("tab2-mfeat-four-and-all-best")
@while_names_are_unknown
def tab2_mfeat_four_and_all_best(leads):
    """four and all views, both metrics: RRMVFS > max of others by the corrected paired test over the repeats against
    the runner-up (p < 0.05); does not hold if behind by the same test in one; cannot be tested while the names of
    the views are unknown: the order of the file is in the note
    """
    return _four_and_all_best(leads, "Table 2", "mfeat")


@claim("tab3-ads-more-views-better")
def tab3_ads_more_views_better(tables):
    """share of (method, metric) series with value(2) <= value(4) <= value(all) >= 0.7; undecided where steps within the
    noise could turn it
    """
    return _more_views_better(tables, "Table 3")


@claim("tab3-ads-two-views-not-best")
def tab3_ads_two_views_not_best(leads):
    """two views: max over other methods > RRMVFS in both metrics, by the corrected paired test over the repeats (p <
    0.05)
    """
    return _two_views_not_best(leads, "Table 3", "Ads")


@claim("tab3-ads-four-and-all-best")
def tab3_ads_four_and_all_best(leads):
    """four and all views, both metrics: RRMVFS > max of others by the corrected paired test over the repeats against
    the runner-up (p < 0.05); does not hold if behind by the same test in one
    """
    return _four_and_all_best(leads, "Table 3", "Ads")


TABLE_CHECKS = (tab1_nus_more_views_better, tab2_mfeat_more_views_better, tab3_ads_more_views_better)
LEAD_CHECKS = (
    tab1_nus_two_views_not_best,
    tab1_nus_four_and_all_best,
    tab2_mfeat_two_views_not_best,
    tab2_mfeat_four_and_all_best,
    tab3_ads_two_views_not_best,
    tab3_ads_four_and_all_best,
)
"""Checks by what they take: the tables, the leads."""
