"""Claims of paper "rrmvfs", section 3: each is decided on the rows that the experiments gave.

Every function is named after its ``claim_id`` in ``data/reported/claims.csv``, whose column ``check`` holds the
thresholds. Those of Figures 1 to 3 take what :func:`fslib.papers.rrmvfs.tables.figure_rows` returns, those of
Tables 1 to 3 what :func:`~fslib.papers.rrmvfs.tables.table_rows` and
:func:`~fslib.papers.rrmvfs.tables.leads` return. The held-out protocol decides.

Every difference is also given in standard deviations over the repeats (ddof=1) of the method that is said to lead, gain
or fall; where a value is a mean over points of a curve, so is its standard deviation.
"""

from functools import partial

import numpy as np
from scipy.stats import spearmanr

from fslib.papers.rrmvfs.items import NO_COPY, SELECTORS
from fslib.papers.rrmvfs.tables import PROPOSED
from fslib.papers.verdict import Verdict
from fslib.tidy import with_settings

METRICS = ("accuracy", "macro_f1")
LEVEL = ["RFS", "SSMVFS", "DSML-FS"]
NUS_ITEMS = ("Figure 1", "Table 1")


def _missing(item):
    reason = NO_COPY["NUS"] if item in NUS_ITEMS else f"the data set of {item} takes no part in this run"
    return Verdict(None, "", f"not run: {reason}")


def curves(figures, item, column="value"):
    """Values, or ``"std"``, of a figure: (metric, training size) -> frame, percentages as rows, methods as columns."""
    rows = with_settings(figures[item])
    rows = rows[rows["protocol"] == "held_out"]
    groups = rows.groupby(["metric", "train_per_class"])
    return {key: group.pivot(index="top_features_pct", columns="method", values=column) for key, group in groups}


def mean_curves(figures, item, metric="accuracy", column="value"):
    """Mean of a figure's curves over the training sizes: percentages as rows, methods as columns."""
    found = [frame for (name, _), frame in curves(figures, item, column).items() if name == metric]
    return sum(found) / len(found)


def in_std(difference, std):
    """Write a difference, and its size in standard deviations where there is one.

    Examples
    --------
    >>> in_std(-0.002, 0.01), in_std(0.002, float("nan"))
    ('-0.0020 (-0.20 std)', '+0.0020')
    """
    return f"{difference:+.4f} ({difference / std:+.2f} std)" if std > 0 else f"{difference:+.4f}"


def _ac_f1_agree(figures, item):
    """Order the methods by mean accuracy and by mean macro F1."""
    if item not in figures:
        return _missing(item)
    rho = spearmanr(*(mean_curves(figures, item, metric).mean().round(12) for metric in METRICS)).statistic
    return Verdict(bool(rho >= 0.7), f"Spearman correlation {rho:.2f}")


def _cat_beats_single(figures, item):
    """Compare CAT with Single in every metric and training size."""
    if item not in figures:
        return _missing(item)
    gaps = {key: frame["CAT"].mean() - frame["Single"].mean() for key, frame in curves(figures, item).items()}
    smallest = min(gaps, key=gaps.get)
    size = in_std(gaps[smallest], curves(figures, item, "std")[smallest]["CAT"].mean())
    return Verdict(bool(gaps[smallest] > 0), f"smallest gap {size}: {smallest[0]}, {smallest[1]:g} per class")


def _fs_at_least_cat(figures, item):
    """Compare the best percentage of every selector with CAT, and RRMVFS with it at each."""
    if item not in figures:
        return _missing(item)
    frame = mean_curves(figures, item)
    behind = frame[list(SELECTORS)].max() - frame["CAT"].iloc[0]
    worst, wins = behind.idxmin(), int((frame[PROPOSED] >= frame["CAT"]).sum())
    size = in_std(behind[worst], mean_curves(figures, item, column="std").loc[frame[worst].idxmax(), worst])
    text = f"worst best point {worst} {size} against CAT; RRMVFS at least CAT at {wins} of 9"
    return Verdict(bool(behind.min() >= -0.01 and wins >= 5), text)


def _level(figures, item, methods, tolerance):
    """Compare the mean accuracies of methods that are said to perform alike."""
    if item not in figures:
        return _missing(item)
    means = mean_curves(figures, item)[methods].mean()
    size = in_std(means.max() - means.min(), mean_curves(figures, item, column="std")[means.idxmax()].mean())
    text = f"{size} between {means.idxmax()} and {means.idxmin()}"
    return Verdict(bool(means.max() - means.min() <= tolerance), text)


def fig1_three_methods_rise(figures):
    """WMCFS, SMML and RRMVFS against the percentage, on NUS."""
    if "Figure 1" not in figures:
        return _missing("Figure 1")
    frame = mean_curves(figures, "Figure 1")[["WMCFS", "SMML", PROPOSED]]
    rho = frame.apply(lambda curve: spearmanr(curve.index, curve).statistic)
    gain, std = frame.max() - frame.loc[10], mean_curves(figures, "Figure 1", column="std").loc[10]
    text = f"least correlation {rho.min():.2f}, least gain {in_std(gain.min(), std[gain.idxmin()])}"
    return Verdict(bool((rho > 0.6).all() and (gain > 0.005).all()), text)


def fig1_rrmvfs_mostly_best(figures):
    """Share of settings in which RRMVFS is the best, on NUS."""
    if "Figure 1" not in figures:
        return _missing("Figure 1")
    best = [frame.max(axis=1) <= frame[PROPOSED] for frame in curves(figures, "Figure 1").values()]
    return Verdict(bool(np.mean(best) >= 0.5), f"{np.mean(best):.0%} of the settings")


def fig2_smml_wmcfs_rise(figures):
    """Share of steps that do not fall for SMML and WMCFS, and who gains more from 10 to 90 percent."""
    if "Figure 2" not in figures:
        return _missing("Figure 2")
    frame = mean_curves(figures, "Figure 2")[["SMML", "WMCFS"]]
    steps = (frame.diff().iloc[1:] >= 0).mean()
    gain, std = frame.loc[90] - frame.loc[10], mean_curves(figures, "Figure 2", column="std").loc[10]
    text = ", ".join(
        f"{name}: {steps[name]:.0%} of steps do not fall, {in_std(gain[name], std[name])} in all" for name in frame
    )
    return Verdict(bool((steps >= 0.7).all() and gain["WMCFS"] >= gain["SMML"]), text)


def fig2_rrmvfs_best_at_10pct(figures):
    """RRMVFS against the best other at a tenth of the features."""
    if "Figure 2" not in figures:
        return _missing("Figure 2")
    gaps, std = {}, curves(figures, "Figure 2", "std")
    for key, frame in curves(figures, "Figure 2").items():
        others = frame.loc[10].drop(PROPOSED)
        gaps[key] = (frame.loc[10, PROPOSED] - others.max(), others.idxmax())
    note = "; ".join(
        f"{key[0]}, {key[1]:g}: {in_std(gap, std[key].loc[10, PROPOSED])} against {rival}"
        for key, (gap, rival) in gaps.items()
    )
    return Verdict(
        all(gap >= 0 for gap, _ in gaps.values()), f"{sum(g >= 0 for g, _ in gaps.values())} of {len(gaps)}", note
    )


def fig3_peak_at_10pct_then_flat(figures):
    """Where four methods peak on Ads, how much they move from 20 percent on, and how far from CAT."""
    if "Figure 3" not in figures:
        return _missing("Figure 3")
    frame = mean_curves(figures, "Figure 3")
    four = frame[[*LEVEL, "SMML"]]
    at_10 = int((four.idxmax() == 10).sum())
    rest, std = four.loc[20:], mean_curves(figures, "Figure 3", column="std").loc[20:].mean()
    span, gap = rest.max() - rest.min(), (rest.mean() - frame["CAT"].iloc[0]).abs()
    moves, off = span.max(), gap.max()
    sizes = in_std(moves, std[span.idxmax()]), in_std(off, std[gap.idxmax()])
    text = f"{at_10} of 4 peak at 10%; 20-90% move by up to {sizes[0]} and lie up to {sizes[1]} off CAT"
    return Verdict(bool(at_10 >= 3 and moves <= 0.02 and off <= 0.02), text)


def fig3_rrmvfs_best(figures):
    """RRMVFS against the best other on Ads, mean over the percentages, per training size."""
    if "Figure 3" not in figures:
        return _missing("Figure 3")
    leads = {key: f[PROPOSED].mean() - f.mean().drop(PROPOSED).max() for key, f in curves(figures, "Figure 3").items()}
    sizes = sorted({size for _, size in leads})
    good = sum(all(leads[metric, size] >= 0 for metric in METRICS) for size in sizes)
    std = {key: frame[PROPOSED].mean() for key, frame in curves(figures, "Figure 3", "std").items()}
    note = "; ".join(f"{key[0]}, {key[1]:g}: {in_std(lead, std[key])}" for key, lead in leads.items())
    return Verdict(bool(good >= 2 / 3 * len(sizes)), f"best at {good} of {len(sizes)} training sizes", note)


def _more_views_better(tables, item):
    """Share of series that do not fall from two views to four to all; seven methods, two metrics."""
    if item not in tables:
        return _missing(item)
    rows = with_settings(tables[item])
    rows = rows[(rows["protocol"] == "held_out") & (rows["method"] != "Single")].assign(
        n=lambda r: r["views"].map(lambda views: 9 if views == "all" else views.count("+"))
    )
    wide, std = (
        rows.pivot(index=["method", "metric"], columns="n", values=column).sort_index(axis=1)
        for column in ("value", "std")
    )
    steps = wide.diff(axis=1).iloc[:, 1:]
    rising, deepest = (steps >= 0).all(axis=1), steps.idxmin(axis=1)
    falls = ", ".join(
        f"{' '.join(key)} {in_std(steps.loc[key, deepest[key]], std.loc[key, deepest[key]])}"
        for key in rising.index[~rising]
    )
    return Verdict(
        bool(rising.mean() >= 0.7), f"{rising.sum()} of {len(rising)} series", f"not: {falls}" if falls else ""
    )


def _two_views_not_best(leads, item, dataset):
    """Look for a method above RRMVFS with two views, in both metrics."""
    rows = leads[(leads["dataset"] == dataset) & (leads["views"].str.count(r"\+") == 1)]
    if rows.empty:
        return _missing(item)
    text = "; ".join(
        f"{row.metric}: {row.lead:+.4f} ({row.lead_in_std:+.2f} std) against {row.runner_up}"
        for row in rows.itertuples()
    )
    return Verdict(bool((rows["lead"] < 0).all()), text)


def _four_and_all_best(leads, item, dataset):
    """Look for RRMVFS in front with four and with all views, by more than the repeats explain."""
    rows = leads[(leads["dataset"] == dataset) & (leads["views"].str.count(r"\+") != 1)]
    if rows.empty:
        return _missing(item)
    good = (rows["lead"] > 0) & (rows["p_paired"] < 0.05)
    note = "; ".join(
        f"{r.views} {r.metric}: {r.lead:+.4f} ({r.lead_in_std:+.2f} std) against {r.runner_up}, "
        f"p = {r.p_paired:.2g}, corrected {r.p_corrected:.2g}"
        for r in rows.itertuples()
    )
    return Verdict(bool(good.all()), f"{good.sum()} of {len(good)} columns", note)


fig1_nus_ac_f1_agree = partial(_ac_f1_agree, item="Figure 1")
fig2_mfeat_ac_f1_agree = partial(_ac_f1_agree, item="Figure 2")
fig3_ads_ac_f1_agree = partial(_ac_f1_agree, item="Figure 3")
fig1_nus_cat_beats_single = partial(_cat_beats_single, item="Figure 1")
fig2_mfeat_cat_beats_single = partial(_cat_beats_single, item="Figure 2")
fig3_ads_cat_beats_single = partial(_cat_beats_single, item="Figure 3")
fig1_nus_fs_at_least_cat = partial(_fs_at_least_cat, item="Figure 1")
fig2_mfeat_fs_at_least_cat = partial(_fs_at_least_cat, item="Figure 2")
fig3_ads_fs_at_least_cat = partial(_fs_at_least_cat, item="Figure 3")
fig1_three_methods_level = partial(_level, item="Figure 1", methods=LEVEL, tolerance=0.01)
fig2_three_methods_level = partial(_level, item="Figure 2", methods=LEVEL, tolerance=0.01)
fig3_four_methods_level = partial(_level, item="Figure 3", methods=[*LEVEL, "SMML"], tolerance=0.02)
tab1_nus_more_views_better = partial(_more_views_better, item="Table 1")
tab2_mfeat_more_views_better = partial(_more_views_better, item="Table 2")
tab3_ads_more_views_better = partial(_more_views_better, item="Table 3")
tab1_nus_two_views_not_best = partial(_two_views_not_best, item="Table 1", dataset="NUS")
tab2_mfeat_two_views_not_best = partial(_two_views_not_best, item="Table 2", dataset="mfeat")
tab3_ads_two_views_not_best = partial(_two_views_not_best, item="Table 3", dataset="Ads")
tab1_nus_four_and_all_best = partial(_four_and_all_best, item="Table 1", dataset="NUS")
tab2_mfeat_four_and_all_best = partial(_four_and_all_best, item="Table 2", dataset="mfeat")
tab3_ads_four_and_all_best = partial(_four_and_all_best, item="Table 3", dataset="Ads")
