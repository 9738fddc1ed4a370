"""Claims of paper "mlmlfs", section 5.4: each is decided on the rows that the experiment gave.

The docstring of a check is the text that ``data/reported/claims.csv`` has for it. Checks take rows of
:func:`fslib.papers.mlmlfs.items.run_trial`, unless their parameter is named otherwise, and return a
:class:`~fslib.evaluation.verdicts.Verdict`. All are judged in the protocol "as published", the one they were made in.

The claims are about six data sets with the authors' masks of known labels. Data with masks of ours are not judged; what
they say is in the note. There is one split and one run, so a comparison has no spread; a share of comparisons decides
only if it is more than one standard error from what is claimed (:func:`fslib.evaluation.margins.share_reaches`).
"""

import numpy as np

from fslib.evaluation.margins import at_most, enough, share_reaches
from fslib.papers.claims import cannot_be_tested, claim, sizes_as_published, verdict
from fslib.papers.mlmlfs.tables import (
    BASELINES,
    DECIMALS,
    FIGURES,
    larger_as_better,
    leads,
    protocol_rows,
    protocol_values,
)

PROTOCOL = "as published"
P_OF_FIGURES = 0.8
N_METRICS, N_RATES = 4, 4
N_COMPARISONS = N_METRICS * len(FIGURES)
"""Metrics times data sets: the comparisons of one table."""


def _on_paper(raw, judge, n_claimed, wanted=tuple(FIGURES)):
    """Judge the rows of the paper's own data sets; what other data say is in the note and does not count.

    ``judge`` takes rows and returns the outcome, the number that decides, a remark, and how much was tested.
    """
    own = raw["dataset"].isin(wanted)
    others = raw[~raw["dataset"].isin(FIGURES)]
    beside = judge(others)[1] if len(others) else ""
    if beside:
        beside = f"other data, not counted: on {', '.join(others['dataset'].unique())}: {beside}"
    if not own.any():
        absent = wanted[0] if len(wanted) == 1 else "the paper's data sets with the authors' masks"
        return cannot_be_tested(_joined(f"not run: {absent}", beside), n_tested=0, n_claimed=n_claimed)
    outcome, value, note, n_tested = judge(raw[own])
    if not value:
        return cannot_be_tested(_joined(note, beside), n_tested=0, n_claimed=n_claimed)
    return verdict(outcome, value, _joined(note, beside), n_tested=n_tested, n_claimed=n_claimed)


def _joined(*texts):
    return "; ".join(text for text in texts if text)


@claim("tab1-datasets")
def tab1_datasets(sizes, published):
    """loader shapes equal mlmlfs_table_1.csv, rounded to the published digits"""
    return sizes_as_published(sizes, published, {})


def _mlmlfs_best(raw, missing_pct, least):
    def judge(rows):
        rows = rows[rows["missing_pct"] == missing_pct]
        if rows.empty:
            return None, "", f"not run: {missing_pct}% missing", 0
        ahead = leads(protocol_values(rows, PROTOCOL)) > 0
        fixed = {
            p: (leads(protocol_values(rows, PROTOCOL, p=p)) > 0).mean() for p in sorted(rows["p"].dropna().unique())
        }
        note = "with one p: " + ", ".join(f"{p:g} {share:.0%}" for p, share in fixed.items())
        value = f"ahead in {ahead.sum()} of {len(ahead)} comparisons"
        return share_reaches(int(ahead.sum()), len(ahead), least), value, note, len(ahead)

    return _on_paper(raw, judge, N_COMPARISONS)


def _gap_grows(raw, dataset, least=0.75):
    def judge(rows):
        values = protocol_values(rows, PROTOCOL, p=P_OF_FIGURES)
        if "MLMLFS" not in values or not {0, 80} <= set(rows["missing_pct"]):
            return None, "", f"not run: p = {P_OF_FIGURES} at 0% and 80%", 0
        ahead = leads(values) > 0
        better = larger_as_better(values)
        gap = (better["MLMLFS"] - better[BASELINES].mean(axis=1)).unstack("missing_pct")
        grows = gap[80] >= gap[0]
        outcome = enough([bool(ahead.all()), share_reaches(int(grows.sum()), len(grows), least)])
        above = f"above every baseline in {ahead.sum()} of {len(ahead)}"
        return outcome, f"{above}; gap grows in {grows.sum()} of {len(grows)} metrics", "", len(ahead)

    same = raw["dataset"].str.startswith(dataset)  # with the authors' masks, or with ours
    return _on_paper(raw[same], judge, N_METRICS * N_RATES, (dataset,))


@claim("tab2-mlmlfs-best-0")
def tab2_mlmlfs_best_0(raw, least=0.75):
    """ML-KNN scores at each method's best number of features: best-p MLMLFS better than every baseline in >= 75% of 24
    (data set, metric) comparisons, by more than one standard error of the share; repeat with one fixed p
    """
    return _mlmlfs_best(raw, 0, least)


@claim("tab3-mlmlfs-best-25")
def tab3_mlmlfs_best_25(raw, least=0.75):
    """ML-KNN scores at each method's best number of features: best-p MLMLFS better than every baseline in >= 75% of 24
    (data set, metric) comparisons, by more than one standard error of the share; repeat with one fixed p
    """
    return _mlmlfs_best(raw, 25, least)


@claim("tab4-mlmlfs-best-50")
def tab4_mlmlfs_best_50(raw, least=0.75):
    """ML-KNN scores at each method's best number of features: best-p MLMLFS better than every baseline in >= 75% of 24
    (data set, metric) comparisons, by more than one standard error of the share; repeat with one fixed p
    """
    return _mlmlfs_best(raw, 50, least)


@claim("tab5-mlmlfs-best-80")
def tab5_mlmlfs_best_80(raw, least=0.75):
    """ML-KNN scores at each method's best number of features: best-p MLMLFS better than every baseline in >= 75% of 24
    (data set, metric) comparisons, by more than one standard error of the share; repeat with one fixed p
    """
    return _mlmlfs_best(raw, 80, least)


@claim("fig3-artificial-gap-grows")
def fig3_artificial_gap_grows(raw):
    """4 metrics, rates 0,25,50,80%: MLMLFS (p=0.8) above every baseline at every rate; its gap to the mean baseline at
    80% >= gap at 0% in 4 of 4 metrics, undecided in 3 (one standard error of 75%)
    """
    return _gap_grows(raw, "Artificial")


@claim("fig4-birds-gap-grows")
def fig4_birds_gap_grows(raw):
    """4 metrics, rates 0,25,50,80%: MLMLFS (p=0.8) above every baseline at every rate; its gap to the mean baseline at
    80% >= gap at 0% in 4 of 4 metrics, undecided in 3 (one standard error of 75%)
    """
    return _gap_grows(raw, "Birds")


@claim("fig5-bookmarks-gap-grows")
def fig5_bookmarks_gap_grows(raw):
    """4 metrics, rates 0,25,50,80%: MLMLFS (p=0.8) above every baseline at every rate; its gap to the mean baseline at
    80% >= gap at 0% in 4 of 4 metrics, undecided in 3 (one standard error of 75%)
    """
    return _gap_grows(raw, "Bookmarks")


@claim("fig6-reference-gap-grows")
def fig6_reference_gap_grows(raw):
    """4 metrics, rates 0,25,50,80%: MLMLFS (p=0.8) above every baseline at every rate; its gap to the mean baseline at
    80% >= gap at 0% in 4 of 4 metrics, undecided in 3 (one standard error of 75%)
    """
    return _gap_grows(raw, "Reference")


@claim("fig7-social-gap-grows")
def fig7_social_gap_grows(raw):
    """4 metrics, rates 0,25,50,80%: MLMLFS (p=0.8) above every baseline at every rate; its gap to the mean baseline at
    80% >= gap at 0% in 4 of 4 metrics, undecided in 3 (one standard error of 75%)
    """
    return _gap_grows(raw, "Social")


@claim("fig8-yeast-gap-grows")
def fig8_yeast_gap_grows(raw):
    """4 metrics, rates 0,25,50,80%: MLMLFS (p=0.8) above every baseline at every rate; its gap to the mean baseline at
    80% >= gap at 0% in 4 of 4 metrics, undecided in 3 (one standard error of 75%)
    """
    return _gap_grows(raw, "Yeast")


@claim("fig3-8-baselines-degrade")
def fig3_8_baselines_degrade(raw, least=0.75):
    """share of consecutive rate pairs where a baseline gets worse >= 0.75, by more than its standard error"""

    def judge(rows):
        values = larger_as_better(protocol_values(rows, PROTOCOL)[BASELINES])
        better = values.stack().unstack("missing_pct").sort_index(axis=1)
        steps = better.diff(axis=1).iloc[:, 1:].stack()
        if steps.empty:
            return None, "", "not run: two missing rates", 0
        worse = steps < 0
        note = ", ".join(f"{name} {part.mean():.0%}" for name, part in worse.groupby("method"))
        outcome = share_reaches(int(worse.sum()), len(worse), least)
        return outcome, f"{worse.sum()} of {len(worse)} steps", note, len(worse)

    return _on_paper(raw, judge, N_COMPARISONS * (N_RATES - 1) * len(BASELINES))


def p_values(raw):
    """Values of MLMLFS in the protocol "as published", a column per p, larger is better."""
    rows = protocol_rows(raw[raw["method"] == "MLMLFS"], PROTOCOL, ("alpha", "lam"))
    published = protocol_values(raw, PROTOCOL).index
    index = ["dataset", "missing_pct", "metric"]
    wide = rows.pivot_table(index=index, columns="p", values="value", aggfunc="median")  # of the starts
    return larger_as_better(wide.loc[wide.index.isin(published)].round(DECIMALS))


@claim("p-no-single-best")
def p_no_single_best(raw, most=0.6, apart=0.5):
    """count the best p per (rate, metric, data set): no p best or tied in > 60% of 96, mean rank of 0.6, 0.8, 1 within
    0.5 of each other, 0.4 not ranked better than all of them; each undecided within one standard error
    """

    def judge(rows):
        values = p_values(rows)
        if not {0.4, 0.6, 0.8, 1.0} <= set(values.columns):
            return None, "", "not run: all four p", 0
        n, wins = len(values), values.eq(values.max(axis=1), axis=0).sum()
        ranks = values.rank(axis=1, ascending=False)
        mean = ranks.mean()
        others = mean[[0.6, 0.8, 1.0]]
        outcomes = [
            at_most(wins.max() / n - most, 0.0, np.sqrt(most * (1 - most) / n)),
            at_most(others.max() - others.min(), apart, _error(ranks, others.idxmax(), others.idxmin())),
            at_most(others.min() - mean[0.4], 0.0, _error(ranks, others.idxmin(), 0.4)),
        ]
        value = f"best or tied of {n}: " + ", ".join(f"p={p:g} {count}" for p, count in wins.items())
        note = "mean ranks: " + ", ".join(f"p={p:g} {rank:.2f}" for p, rank in mean.items())
        return enough(outcomes), value, note, n

    return _on_paper(raw, judge, N_COMPARISONS * N_RATES)


def _error(ranks, first, second):
    """One standard error of the difference of two mean ranks over the comparisons."""
    return (ranks[first] - ranks[second]).std(ddof=1) / np.sqrt(len(ranks))


@claim("mlmlfs-consistently-best")
def mlmlfs_consistently_best(raw, least=0.95):
    """best-p MLMLFS better than every baseline in >= 95% of 96 (rate, metric, data set) comparisons, by more than one
    standard error of the share
    """

    def judge(rows):
        lead = leads(protocol_values(rows, PROTOCOL))
        if lead.empty:
            return None, "", "not run: Tables 2-5", 0
        behind = lead[lead <= 0]
        note = "not in: " + "; ".join(f"{d} {m} {rate}%" for d, rate, m in behind.index[:6]) if len(behind) else ""
        ahead = int((lead > 0).sum())
        return share_reaches(ahead, len(lead), least), f"ahead in {ahead} of {len(lead)} comparisons", note, len(lead)

    return _on_paper(raw, judge, N_COMPARISONS * N_RATES)


TABLE_CHECKS = (
    tab2_mlmlfs_best_0,
    tab3_mlmlfs_best_25,
    tab4_mlmlfs_best_50,
    tab5_mlmlfs_best_80,
    fig3_artificial_gap_grows,
    fig4_birds_gap_grows,
    fig5_bookmarks_gap_grows,
    fig6_reference_gap_grows,
    fig7_social_gap_grows,
    fig8_yeast_gap_grows,
    fig3_8_baselines_degrade,
    p_no_single_best,
    mlmlfs_consistently_best,
)
"""The checks that need nothing but the rows of the experiment."""
