"""Claims of paper "mlmlfs", section 5.4: each is decided on the rows that the experiment gave.

Every function is named after its ``claim_id`` in ``data/reported/claims.csv``, whose column ``check`` holds the
thresholds, takes rows of :func:`fslib.papers.mlmlfs.items.run_trial` and returns a
:class:`~fslib.papers.verdict.Verdict`. All are judged in the arm "as published", the one they were
made in. A share that the check demands of all data sets of the paper is demanded of those that were run.
"""

from fslib.papers.mlmlfs.tables import DECIMALS, RIVALS, arm_rows, arm_values, leads, oriented
from fslib.papers.verdict import Verdict

ARM = "as published"
P_OF_FIGURES = 0.8


def _not_run(what):
    return Verdict(None, "", f"not run: {what}")


def tab1_datasets(sizes, printed):
    """Sizes as printed.

    Parameters
    ----------
    sizes : DataFrame
        Tidy rows of :func:`fslib.papers.mlmlfs.model.table_1`.
    printed : DataFrame
        Columns dataset, metric, value (text).
    """
    ours = sizes.set_index(["dataset", "metric"])["value"]
    differ, absent = [], set()
    for row in printed.itertuples():
        if row.dataset not in set(sizes["dataset"]):
            absent.add(row.dataset)
        elif (row.dataset, row.metric) in ours.index and ours[row.dataset, row.metric] != float(row.value):
            differ.append(f"{row.dataset} {row.metric} {ours[row.dataset, row.metric]:g}, printed {row.value}")
    note = f"not at hand: {', '.join(sorted(absent))}" if absent else ""
    if differ:
        return Verdict(False, "; ".join(differ), note)
    n_same = printed["dataset"].nunique() - len(absent)
    return Verdict(None if absent else True, f"{n_same} data sets as printed", note)


def tab_mlmlfs_best(raw, missing_pct, least=0.75):
    """MLMLFS at its best p ahead of every rival in three quarters of the cells of one missing rate."""
    rows = raw[raw["missing_pct"] == missing_pct]
    if rows.empty:
        return _not_run(f"{missing_pct}% missing")
    ahead = leads(arm_values(rows, ARM)) > 0
    fixed = {p: (leads(arm_values(rows, ARM, p=p)) > 0).mean() for p in sorted(rows["p"].dropna().unique())}
    note = "with one p: " + ", ".join(f"{p:g} {share:.0%}" for p, share in fixed.items())
    return Verdict(bool(ahead.mean() >= least), f"{ahead.sum()} of {len(ahead)} cells", note)


def tab2_mlmlfs_best_0(raw):
    """Decide Table 2: all labels known."""
    return tab_mlmlfs_best(raw, 0)


def tab3_mlmlfs_best_25(raw):
    """Decide Table 3: a quarter of the labels missing."""
    return tab_mlmlfs_best(raw, 25)


def tab4_mlmlfs_best_50(raw):
    """Decide Table 4: half of the labels missing."""
    return tab_mlmlfs_best(raw, 50)


def tab5_mlmlfs_best_80(raw):
    """Decide Table 5: four fifths of the labels missing."""
    return tab_mlmlfs_best(raw, 80)


def fig_gap_grows(raw, dataset):
    """MLMLFS with p = 0.8 above every rival at every rate, and further above their mean at 80% than at 0%."""
    rows = raw[raw["dataset"] == dataset]
    if rows.empty:
        return _not_run(dataset)
    values = arm_values(rows, ARM, p=P_OF_FIGURES)
    if "MLMLFS" not in values or not {0, 80} <= set(rows["missing_pct"]):
        return _not_run(f"p = {P_OF_FIGURES} at 0% and 80%")
    ahead = leads(values) > 0
    better = oriented(values)
    gap = (better["MLMLFS"] - better[RIVALS].mean(axis=1)).unstack("missing_pct")
    grows = gap[80] >= gap[0]
    holds = ahead.all() and grows.sum() >= 0.75 * len(grows)
    text = (
        f"above every rival in {ahead.sum()} of {len(ahead)} cells; gap grows in {grows.sum()} of {len(grows)} metrics"
    )
    return Verdict(bool(holds), text)


def fig3_artificial_gap_grows(raw):
    """Decide Figure 3: Artificial."""
    return fig_gap_grows(raw, "Artificial")


def fig4_birds_gap_grows(raw):
    """Decide Figure 4: Birds."""
    return fig_gap_grows(raw, "Birds")


def fig5_bookmarks_gap_grows(raw):
    """Decide Figure 5: Bookmarks, which cannot be had."""
    return fig_gap_grows(raw, "Bookmarks")


def fig6_reference_gap_grows(raw):
    """Decide Figure 6: Reference."""
    return fig_gap_grows(raw, "Reference")


def fig7_social_gap_grows(raw):
    """Decide Figure 7: Social."""
    return fig_gap_grows(raw, "Social")


def fig8_yeast_gap_grows(raw):
    """Decide Figure 8: Yeast, with the authors' masks."""
    return fig_gap_grows(raw, "Yeast")


def fig3_8_baselines_degrade(raw):
    """Share of steps to the next higher rate at which a rival gets worse."""
    better = oriented(arm_values(raw, ARM)[RIVALS]).stack().unstack("missing_pct").sort_index(axis=1)
    steps = better.diff(axis=1).iloc[:, 1:].stack()
    if steps.empty:
        return _not_run("two missing rates")
    worse = steps < 0
    note = ", ".join(f"{name} {part.mean():.0%}" for name, part in worse.groupby("method"))
    return Verdict(bool(worse.mean() >= 0.75), f"{worse.sum()} of {len(worse)} steps", note)


def p_values(raw):
    """Values of MLMLFS in the arm "as published", a column per p, larger is better."""
    rows = arm_rows(raw[raw["method"] == "MLMLFS"], ARM, ("alpha", "lam"))
    printed = arm_values(raw, ARM).index
    wide = rows.pivot(index=["dataset", "missing_pct", "metric"], columns="p", values="value")
    return oriented(wide.loc[wide.index.isin(printed)].round(DECIMALS))


def p_no_single_best(raw):
    """Which p is best or tied, how the p rank on average, and whether 0.4 ranks behind the other three."""
    values = p_values(raw)
    if not {0.4, 0.6, 0.8, 1.0} <= set(values.columns):
        return _not_run("all four p")
    wins = values.eq(values.max(axis=1), axis=0).sum()
    ranks = values.rank(axis=1, ascending=False).mean()
    others = ranks[[0.6, 0.8, 1.0]]
    level = others.max() - others.min() <= 0.5
    holds = wins.max() <= 0.6 * len(values) and level and ranks[0.4] >= others.min()
    text = f"best or tied of {len(values)}: " + ", ".join(f"p={p:g} {n}" for p, n in wins.items())
    return Verdict(bool(holds), text, "mean ranks: " + ", ".join(f"p={p:g} {rank:.2f}" for p, rank in ranks.items()))


def mlmlfs_consistently_best(raw):
    """MLMLFS at its best p ahead of every rival in 95% of all cells."""
    lead = leads(arm_values(raw, ARM))
    if lead.empty:
        return _not_run("Tables 2-5")
    behind = lead[lead <= 0]
    note = "not in: " + "; ".join(f"{d} {m} {rate}%" for d, rate, m in behind.index[:6]) if len(behind) else ""
    return Verdict(bool((lead > 0).mean() >= 0.95), f"{(lead > 0).sum()} of {len(lead)} cells", note)


def table_claims(raw):
    """Verdicts of this module that need nothing but the rows of the experiment.

    Returns
    -------
    dict of str to Verdict
        By claim id.
    """
    return {
        "tab2-mlmlfs-best-0": tab2_mlmlfs_best_0(raw),
        "tab3-mlmlfs-best-25": tab3_mlmlfs_best_25(raw),
        "tab4-mlmlfs-best-50": tab4_mlmlfs_best_50(raw),
        "tab5-mlmlfs-best-80": tab5_mlmlfs_best_80(raw),
        "fig3-artificial-gap-grows": fig3_artificial_gap_grows(raw),
        "fig4-birds-gap-grows": fig4_birds_gap_grows(raw),
        "fig5-bookmarks-gap-grows": fig5_bookmarks_gap_grows(raw),
        "fig6-reference-gap-grows": fig6_reference_gap_grows(raw),
        "fig7-social-gap-grows": fig7_social_gap_grows(raw),
        "fig8-yeast-gap-grows": fig8_yeast_gap_grows(raw),
        "fig3-8-baselines-degrade": fig3_8_baselines_degrade(raw),
        "p-no-single-best": p_no_single_best(raw),
        "mlmlfs-consistently-best": mlmlfs_consistently_best(raw),
    }
