"""Claims of paper "rrmvfs", section 3.2: each is decided on the rows of Figures 1 to 3.

The docstring of a check is the text that ``data/reported/claims.csv`` has for it; its argument is what
:func:`fslib.papers.rrmvfs.tables.figure_rows` returns. The held-out protocol decides. Only spreads are there, so a
difference decides nothing within one standard error (:func:`fslib.evaluation.margins.noise_of_spreads`), corrected for
splits that overlap. A mean over points of a curve has the mean of their spreads.
"""

import numpy as np
from scipy.stats import spearmanr

from fslib.evaluation.margins import at_most, enough, exceeds, share_reaches
from fslib.papers.claims import claim, verdict, with_noise
from fslib.papers.rrmvfs.claim_rules import (
    METRICS,
    N_SETTINGS,
    ac_f1_agree,
    cat_beats_single,
    correlation_above,
    curve_noise,
    curves,
    fs_at_least_cat,
    leads_in_settings,
    mean_curves,
    missing,
    perform_alike,
)
from fslib.papers.rrmvfs.items import TRAIN_SIZES
from fslib.papers.rrmvfs.tables import PROPOSED

ALIKE = ("RFS", "SSMVFS", "DSML-FS")


@claim("fig1-nus-ac-f1-agree")
def fig1_nus_ac_f1_agree(figures):
    """Spearman correlation of the method ranking by mean accuracy and by mean macro F1 over the 9 percentages >= 0.7;
    undecided within one standard error (8 methods, Fisher's scale)
    """
    return ac_f1_agree(figures, "Figure 1")


@claim("fig1-nus-cat-beats-single")
def fig1_nus_cat_beats_single(figures):
    """mean accuracy and macro F1 of CAT > Single for 6, 9 and 12 training samples per class, each by more than the
    noise
    """
    return cat_beats_single(figures, "Figure 1")


@claim("fig1-nus-fs-at-least-cat")
def fig1_nus_fs_at_least_cat(figures):
    """for each FS method: max over percentages of mean accuracy >= CAT - 0.01; RRMVFS >= CAT at >= 5 of 9 percentages;
    undecided where comparisons within the noise could turn it
    """
    return fs_at_least_cat(figures, "Figure 1")


@claim("fig2-mfeat-ac-f1-agree")
def fig2_mfeat_ac_f1_agree(figures):
    """Spearman correlation of the method ranking by mean accuracy and by mean macro F1 over the 9 percentages >= 0.7;
    undecided within one standard error (8 methods, Fisher's scale)
    """
    return ac_f1_agree(figures, "Figure 2")


@claim("fig2-mfeat-cat-beats-single")
def fig2_mfeat_cat_beats_single(figures):
    """mean accuracy and macro F1 of CAT > Single for 6, 9 and 12 training samples per class, each by more than the
    noise
    """
    return cat_beats_single(figures, "Figure 2")


@claim("fig2-mfeat-fs-at-least-cat")
def fig2_mfeat_fs_at_least_cat(figures):
    """for each FS method: max over percentages of mean accuracy >= CAT - 0.01; RRMVFS >= CAT at >= 5 of 9 percentages;
    undecided where comparisons within the noise could turn it
    """
    return fs_at_least_cat(figures, "Figure 2")


@claim("fig3-ads-ac-f1-agree")
def fig3_ads_ac_f1_agree(figures):
    """Spearman correlation of the method ranking by mean accuracy and by mean macro F1 over the 9 percentages >= 0.7;
    undecided within one standard error (8 methods, Fisher's scale)
    """
    return ac_f1_agree(figures, "Figure 3")


@claim("fig3-ads-cat-beats-single")
def fig3_ads_cat_beats_single(figures):
    """mean accuracy and macro F1 of CAT > Single for 6, 9 and 12 training samples per class, each by more than the
    noise
    """
    return cat_beats_single(figures, "Figure 3")


@claim("fig3-ads-fs-at-least-cat")
def fig3_ads_fs_at_least_cat(figures):
    """for each FS method: max over percentages of mean accuracy >= CAT - 0.01; RRMVFS >= CAT at >= 5 of 9 percentages;
    undecided where comparisons within the noise could turn it
    """
    return fs_at_least_cat(figures, "Figure 3")


@claim("fig1-three-methods-level")
def fig1_three_methods_level(figures, tolerance=0.01):
    """max pairwise difference of their mean accuracy over percentages <= 0.01; undecided within the noise"""
    return perform_alike(figures, "Figure 1", ALIKE, tolerance)


@claim("fig2-three-methods-level")
def fig2_three_methods_level(figures, tolerance=0.01):
    """max pairwise difference of their mean accuracy over percentages <= 0.01; undecided within the noise"""
    return perform_alike(figures, "Figure 2", ALIKE, tolerance)


@claim("fig3-four-methods-level")
def fig3_four_methods_level(figures, tolerance=0.02):
    """max pairwise difference of their mean accuracy over percentages <= 0.02; undecided within the noise"""
    return perform_alike(figures, "Figure 3", (*ALIKE, "SMML"), tolerance)


@claim("fig1-three-methods-rise")
def fig1_three_methods_rise(figures, least=0.6, gain=0.005):
    """Spearman correlation of percentage and mean accuracy >= 0.6 for each of the three, by more than one standard
    error (9 percentages, Fisher's scale); gain from 10% to best > 0.005 by more than the noise
    """
    if "Figure 1" not in figures:
        return missing("Figure 1")
    frame, std = mean_curves(figures, "Figure 1"), mean_curves(figures, "Figure 1", column="std")
    outcomes, texts = [], []
    for method in ("WMCFS", "SMML", PROPOSED):
        curve, best = frame[method], frame[method].idxmax()
        rho = spearmanr(curve.index, curve).statistic
        rise, noise = (
            curve[best] - curve[10],
            curve_noise(figures, "Figure 1", std.at[best, method], std.at[10, method]),
        )
        outcomes += [correlation_above(rho, len(curve), least), exceeds(rise, gain, noise)]
        texts.append(f"{method}: correlation {rho:.2f}, gain {with_noise(rise, noise)}")
    return verdict(enough(outcomes), "; ".join(texts), n_tested=1, n_claimed=1)


@claim("fig1-rrmvfs-mostly-best")
def fig1_rrmvfs_mostly_best(figures, share=0.5):
    """share of (samples per class, percentage, metric) settings where RRMVFS is not behind the best of the others >=
    0.5; undecided where settings within the noise could turn it
    """
    if "Figure 1" not in figures:
        return missing("Figure 1", N_SETTINGS)
    stds, outcomes, best = curves(figures, "Figure 1", "std"), [], 0
    for key, frame in curves(figures, "Figure 1").items():
        for at, values in frame.iterrows():
            other = values.drop(PROPOSED).idxmax()
            noise = curve_noise(figures, "Figure 1", *stds[key].loc[at, [PROPOSED, other]])
            outcomes.append(at_most(values[other] - values[PROPOSED], 0.0, noise))
            best += bool(values[PROPOSED] >= values[other])
    share_best = f"{best / len(outcomes):.0%} of the settings"
    text = f"best by value in {share_best}, {outcomes.count(None)} of {len(outcomes)} undecided"
    return verdict(enough(outcomes, share), text, n_tested=len(stds), n_claimed=N_SETTINGS)


@claim("fig2-smml-wmcfs-rise")
def fig2_smml_wmcfs_rise(figures, share=0.7):
    """mean accuracy at 90% > at 10% by more than the noise for both; share of consecutive percentages at which
    mean accuracy does not fall >= 0.7 for both, by more than one standard error; rise of WMCFS from 10% to 90% >= rise
    of SMML
    """
    if "Figure 2" not in figures:
        return missing("Figure 2")
    frame, std = mean_curves(figures, "Figure 2"), mean_curves(figures, "Figure 2", column="std")
    outcomes, rises, texts = [], {}, []
    for method in ("SMML", "WMCFS"):
        steps = frame[method].diff().iloc[1:] >= 0
        noise = curve_noise(figures, "Figure 2", std.at[90, method], std.at[10, method])
        rises[method] = frame.at[90, method] - frame.at[10, method], noise
        outcomes += [exceeds(rises[method][0], 0.0, noise), share_reaches(int(steps.sum()), len(steps), share)]
        texts.append(f"{method}: {steps.sum()} of {len(steps)} steps do not fall, {with_noise(*rises[method])} in all")
    (smml, noise), (wmcfs, other) = rises.values()
    outcomes.append(at_most(smml - wmcfs, 0.0, float(np.hypot(noise, other))))
    return verdict(enough(outcomes), "; ".join(texts), n_tested=1, n_claimed=1)


@claim("fig2-rrmvfs-best-at-10pct")
def fig2_rrmvfs_best_at_10pct(figures):
    """at 10%: mean accuracy and macro F1 of RRMVFS >= max of the others, for 6, 9 and 12 samples per class; undecided
    where settings within the noise could turn it
    """
    if "Figure 2" not in figures:
        return missing("Figure 2", N_SETTINGS)
    found, note = leads_in_settings(figures, "Figure 2", lambda frame: frame.loc[10])
    outcomes = [at_most(-lead, 0.0, noise) for lead, noise, _ in found.values()]
    ahead = sum(lead >= 0 for lead, *_ in found.values())
    value = f"ahead by value in {ahead} of {len(found)}, {outcomes.count(None)} undecided"
    return verdict(enough(outcomes), value, note, n_tested=len(found), n_claimed=N_SETTINGS)


@claim("fig3-peak-at-10pct-then-flat")
def fig3_peak_at_10pct_then_flat(figures, tolerance=0.02):
    """argmax over percentages = 10% for >= 3 of 4, by more than one standard error of the share; range over 20-90% <=
    0.02 and |mean(20-90%) - CAT| <= 0.02; undecided within the noise
    """
    if "Figure 3" not in figures:
        return missing("Figure 3")
    frame, std = mean_curves(figures, "Figure 3"), mean_curves(figures, "Figure 3", column="std")
    four = frame[[*ALIKE, "SMML"]]
    at_10 = int((four.idxmax() == 10).sum())
    outcomes, moves, gaps = [share_reaches(at_10, 4, 0.75)], {}, {}
    for method in four:
        rest, spread = four[method].loc[20:], std[method].loc[20:]
        noise = curve_noise(figures, "Figure 3", spread[rest.idxmax()], spread[rest.idxmin()])
        moves[method] = rest.max() - rest.min(), noise
        off = abs(rest.mean() - frame["CAT"].iloc[0])
        gaps[method] = off, curve_noise(figures, "Figure 3", spread.mean(), std["CAT"].mean())
        outcomes += [at_most(value, tolerance, noise) for value, noise in (moves[method], gaps[method])]
    move, gap = (max(found.values()) for found in (moves, gaps))
    value = (
        f"{at_10} of 4 peak at 10%; 20-90% move by up to {with_noise(*move)} and lie up to {with_noise(*gap)} off CAT"
    )
    return verdict(enough(outcomes), value, n_tested=1, n_claimed=1)


@claim("fig3-rrmvfs-best")
def fig3_rrmvfs_best(figures, share=2 / 3):
    """mean over percentages of accuracy and macro F1: RRMVFS >= max of the others, for >= 2 of 3 sample sizes;
    undecided where sizes within the noise could turn it
    """
    if "Figure 3" not in figures:
        return missing("Figure 3", len(TRAIN_SIZES))
    found, note = leads_in_settings(figures, "Figure 3", lambda frame: frame.mean())
    sizes = sorted({size for _, size in found})
    levels = {key: at_most(-lead, 0.0, noise) for key, (lead, noise, _) in found.items()}
    outcomes = [enough(levels[metric, size] for metric in METRICS) for size in sizes]
    ahead = sum(all(found[metric, size][0] >= 0 for metric in METRICS) for size in sizes)
    value = f"best by value at {ahead} of {len(sizes)} training sizes, {outcomes.count(None)} undecided"
    return verdict(enough(outcomes, share), value, note, n_tested=len(sizes), n_claimed=len(TRAIN_SIZES))


FIGURE_CHECKS = (
    fig1_nus_ac_f1_agree,
    fig1_nus_cat_beats_single,
    fig1_nus_fs_at_least_cat,
    fig1_three_methods_level,
    fig1_three_methods_rise,
    fig1_rrmvfs_mostly_best,
    fig2_mfeat_ac_f1_agree,
    fig2_mfeat_cat_beats_single,
    fig2_mfeat_fs_at_least_cat,
    fig2_three_methods_level,
    fig2_smml_wmcfs_rise,
    fig2_rrmvfs_best_at_10pct,
    fig3_ads_ac_f1_agree,
    fig3_ads_cat_beats_single,
    fig3_ads_fs_at_least_cat,
    fig3_four_methods_level,
    fig3_peak_at_10pct_then_flat,
    fig3_rrmvfs_best,
)
