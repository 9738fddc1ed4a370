"""Claims of section 5.2 on its figures: selection, convergence and sensitivity.

The docstring of a check is the text that ``data/reported/claims.csv`` has for it. ML-CIB-FS is judged in the library's
default form against MIFS and SFUS in their published reading. Data sets that the thesis does not have are never judged.
"""

import numpy as np
from scipy.stats import spearmanr

from fslib.evaluation.margins import at_most, enough, exceeds, noise_of_pairs, share_reaches
from fslib.evaluation.stats import critical_difference, rank_table
from fslib.papers.braytee.ch5_2_ml_cib.claims_results import ALL, counted
from fslib.papers.braytee.ch5_2_ml_cib.items import FS_METHODS, SELECTION_FIGURES
from fslib.papers.braytee.ch5_data import TEST_TO_TRAIN
from fslib.papers.claims import cannot_be_tested, claim, verdict

READING = {"ML-CIB-FS": "corrected", "MIFS": "published", "SFUS": "published"}
SIGN = {"micro_f1": 1, "hamming_loss": -1}


def _curves(raw, dataset=None):
    """Scores, larger is better: index (dataset, strategy, pct, metric, fold), a column per method."""
    rows = raw[(raw["pct"] > 0) & raw["metric"].isin(list(SIGN)) & raw["method"].isin(FS_METHODS)]
    rows = rows[rows["reading"] == rows["method"].map(READING)]
    if dataset is not None:
        rows = rows[rows["dataset"] == dataset]
    rows = rows.assign(value=rows["value"] * rows["metric"].map(SIGN).astype(float))
    index = ["dataset", "strategy", "pct", "metric", "fold"]
    return rows.pivot_table(index=index, columns="method", values="value")  # the mean of the starts


def _noise(a, b):
    return noise_of_pairs(a, b, test_to_train=TEST_TO_TRAIN)


def _best(raw, dataset, least=0.75):
    wide = _curves(raw, dataset)
    if set(wide) != set(FS_METHODS) or wide.empty:
        return cannot_be_tested(f"not run: {dataset}", n_tested=0, n_claimed=1)
    outcomes = []
    for _, part in wide.groupby(level=["strategy", "pct", "metric"]):
        best = part[["MIFS", "SFUS"]].mean().idxmax()
        lead = (part["ML-CIB-FS"] - part[best]).mean()
        outcomes.append(exceeds(lead, 0.0, _noise(part["ML-CIB-FS"], part[best])))
    return verdict(enough(outcomes, least), f"better in {counted(outcomes)}", n_tested=1, n_claimed=1)


def _stable(raw, dataset, tolerances=(("micro_f1", 0.03), ("hamming_loss", 0.005))):
    wide = _curves(raw, dataset)
    if "ML-CIB-FS" not in wide or wide.empty:
        return cannot_be_tested(f"not run: {dataset}", n_tested=0, n_claimed=1)
    values = wide["ML-CIB-FS"].unstack("pct")
    outcomes, shown = [], []
    for metric, tolerance in tolerances:
        for strategy, part in values.xs(metric, level="metric").groupby(level="strategy"):
            change = abs(float((part[20] - part[10]).mean()))
            outcomes.append(at_most(change, tolerance, _noise(part[20], part[10])))
            shown.append(f"{metric} {strategy} {change:.4f}")
    return verdict(enough(outcomes), ", ".join(shown), n_tested=1, n_claimed=1)


@claim("fig5-7-mlcibfs-best")
def fig5_7_mlcibfs_best(raw):
    """5, 10, 15, 20% of features: ML-CIB-FS better than both in >= 75% of (percentage, metric, strategy) comparisons,
    paired noise over folds
    """
    return _best(raw, "Bibtex")


@claim("fig5-7-stable-after-10pct")
def fig5_7_stable_after_10pct(raw):
    """|value(20%) - value(10%)| <= 0.03 (micro F1) and <= 0.005 (Hamming loss) for ML-CIB-FS, noise over folds"""
    return _stable(raw, "Bibtex")


@claim("fig5-8-mlcibfs-best")
def fig5_8_mlcibfs_best(raw):
    """5, 10, 15, 20% of features: ML-CIB-FS better than both in >= 75% of (percentage, metric, strategy) comparisons,
    paired noise over folds
    """
    return _best(raw, "Enron")


@claim("fig5-8-stable-after-10pct")
def fig5_8_stable_after_10pct(raw):
    """|value(20%) - value(10%)| <= 0.03 (micro F1) and <= 0.005 (Hamming loss) for ML-CIB-FS, noise over folds"""
    return _stable(raw, "Enron")


@claim("fig5-9-mlcibfs-best")
def fig5_9_mlcibfs_best(raw):
    """5, 10, 15, 20% of features: ML-CIB-FS better than both in >= 75% of (percentage, metric, strategy) comparisons,
    paired noise over folds
    """
    return _best(raw, "Medical")


@claim("fig5-9-stable-after-10pct")
def fig5_9_stable_after_10pct(raw):
    """|value(20%) - value(10%)| <= 0.03 (micro F1) and <= 0.005 (Hamming loss) for ML-CIB-FS, noise over folds"""
    return _stable(raw, "Medical")


@claim("fig5-10-mlcibfs-best")
def fig5_10_mlcibfs_best(raw):
    """5, 10, 15, 20% of features: ML-CIB-FS better than both in >= 75% of (percentage, metric, strategy) comparisons,
    paired noise over folds
    """
    return _best(raw, "RCV1V2 (S1)")


@claim("fig5-10-stable-after-10pct")
def fig5_10_stable_after_10pct(raw):
    """|value(20%) - value(10%)| <= 0.03 (micro F1) and <= 0.005 (Hamming loss) for ML-CIB-FS, noise over folds"""
    return _stable(raw, "RCV1V2 (S1)")


@claim("fig5-11-mlcibfs-best")
def fig5_11_mlcibfs_best(raw):
    """5, 10, 15, 20% of features: ML-CIB-FS better than both in >= 75% of (percentage, metric, strategy) comparisons,
    paired noise over folds
    """
    return _best(raw, "RCV1V2 (S2)")


@claim("fig5-11-stable-after-10pct")
def fig5_11_stable_after_10pct(raw):
    """|value(20%) - value(10%)| <= 0.03 (micro F1) and <= 0.005 (Hamming loss) for ML-CIB-FS, noise over folds"""
    return _stable(raw, "RCV1V2 (S2)")


@claim("fig5-7-to-11-mifs-sfus-close")
def fig5_7_to_11_mifs_sfus_close(raw):
    """mean |MIFS - SFUS| over comparisons <= 0.5 x mean(ML-CIB-FS - max(MIFS, SFUS)) in micro F1, noise over folds"""
    wide = _curves(raw)
    wide = wide[wide.index.get_level_values("dataset").isin(list(SELECTION_FIGURES))]
    n = wide.index.get_level_values("dataset").nunique()
    if set(wide) != set(FS_METHODS) or not n:
        return cannot_be_tested("not run: Figures 5.7 to 5.11", n_tested=0, n_claimed=len(SELECTION_FIGURES))
    scores = wide.xs("micro_f1", level="metric")
    means = scores.groupby(level=["dataset", "strategy", "pct"]).mean()
    apart = (means["MIFS"] - means["SFUS"]).abs()
    lead = means["ML-CIB-FS"] - means[["MIFS", "SFUS"]].max(axis=1)
    excess = (scores["MIFS"] - scores["SFUS"]).abs() - 0.5 * (
        scores["ML-CIB-FS"] - scores[["MIFS", "SFUS"]].max(axis=1)
    )
    by_fold = excess.groupby(level="fold").mean()
    outcome = at_most(apart.mean() - 0.5 * lead.mean(), 0.0, _noise(by_fold, np.zeros(len(by_fold))))
    value = f"apart by {apart.mean():.3f}, ML-CIB-FS ahead by {lead.mean():.3f}"
    return verdict(outcome, value, n_tested=n, n_claimed=len(SELECTION_FIGURES))


@claim("fig5-12-nemenyi")
def fig5_12_nemenyi(raw):
    """k = 3 methods, mean micro F1 of a data set as block: gaps to ML-CIB-FS >= CD and |MIFS - SFUS| < CD; needs five
    data sets, since the largest possible gap to two methods at once is 1.5
    """
    wide = _curves(raw)
    wide = wide[wide.index.get_level_values("dataset").isin(list(SELECTION_FIGURES))]
    n = wide.index.get_level_values("dataset").nunique()
    if n < 5 or set(wide) != set(FS_METHODS):
        reason = f"{n} data sets; with fewer than five no outcome could reach the critical difference"
        return cannot_be_tested(reason, n_tested=n, n_claimed=len(SELECTION_FIGURES))
    means = wide.xs("micro_f1", level="metric").groupby(level="dataset").mean()
    ranks, distance = rank_table(means).mean(), critical_difference(3, n)
    gaps = [ranks[m] - ranks["ML-CIB-FS"] for m in ("MIFS", "SFUS")]
    holds = min(gaps) >= distance and abs(gaps[0] - gaps[1]) < distance
    value = f"gaps {gaps[0]:.2f}, {gaps[1]:.2f}, critical difference {distance:.2f}"
    return verdict(holds, value, n_tested=n, n_claimed=len(SELECTION_FIGURES))


@claim("fig5-13-convergence")
def fig5_13_convergence(raw, within=20, change=1e-3):
    """corrected reading: objective non-increasing (relative tolerance 1e-8); relative change < 1e-3 by iteration 20 on
    >= 3 data sets of the thesis
    """
    own = raw[raw["dataset"].isin(ALL)]
    steps = {
        key: part.sort_values("iteration")["value"].to_numpy() for key, part in own.groupby(["dataset", "variant"])
    }
    corrected = {dataset: values for (dataset, variant), values in steps.items() if variant == "corrected"}
    if len(corrected) < 3:
        return cannot_be_tested("fewer than three data sets of the thesis", n_tested=len(corrected), n_claimed=3)
    falls = {d: bool((np.diff(v) <= 1e-8 * np.abs(v[:-1])).all()) for d, v in corrected.items()}
    settled = {d: _settled(v, change) for d, v in corrected.items()}
    value = "settled at step " + ", ".join(f"{n:g} ({d})" for d, n in settled.items())
    rises = [d for (d, variant), v in steps.items() if variant == "published" and (np.diff(v) > 1e-8 * v[:-1]).any()]
    note = f"as printed the objective rises on {', '.join(rises)}" if rises else ""
    holds = all(falls.values()) and sum(n <= within for n in settled.values()) >= 3
    return verdict(holds, value, note, n_tested=len(corrected), n_claimed=3)


def _settled(values, change):
    small = np.flatnonzero(np.abs(np.diff(values)) < change * np.abs(values[:-1]))
    return float(small[0] + 2) if len(small) else np.inf


def _grid(raw, dataset):
    """Mean micro F1 of the corrected reading per setting."""
    rows = raw[(raw["dataset"] == dataset) & (raw["variant"] == "corrected")]
    return rows.groupby(["alpha", "beta", "gamma"])["value"].mean()


def _insensitive(raw, dataset, within=0.03, least=0.5):
    values = _grid(raw, dataset)
    if values.empty:
        return cannot_be_tested(f"not run: {dataset}", n_tested=0, n_claimed=1)
    near = int((values >= values.max() - within).sum())
    value = f"{near} of {len(values)} settings within {within} of {values.max():.3f}, lowest {values.min():.3f}"
    return verdict(share_reaches(near, len(values), least), value, n_tested=1, n_claimed=1)


def _rising(raw, dataset, level=0.05):
    values = _grid(raw, dataset)
    if values.empty:
        return cannot_be_tested(f"not run: {dataset}", n_tested=0, n_claimed=1)
    outcomes, shown = [], []
    for name in ("gamma", "alpha", "beta"):
        level_of = values.index.get_level_values(name)
        others = [other for other in ("alpha", "beta", "gamma") if other != name]
        varied = values[values.groupby(level=others).transform("size") > 1]
        if varied.empty or varied.nunique() < 2:
            outcomes.append(False if len(set(level_of)) > 1 else None)
            continue
        found = spearmanr(varied.index.get_level_values(name), varied)
        outcomes.append(None if found.pvalue > level else bool(found.statistic > 0))
        shown.append(f"{name} {found.statistic:+.2f}")
    return verdict(enough(outcomes), "rank correlations: " + ", ".join(shown), n_tested=1, n_claimed=1)


@claim("fig5-14-insensitive")
def fig5_14_insensitive(raw):
    """corrected reading, pairs of values, the third parameter at 0.1: at least half of the settings within 0.03 of the
    maximum, by more than one standard error of the share
    """
    return _insensitive(raw, "Medical")


@claim("fig5-14-rising")
def fig5_14_rising(raw):
    """corrected reading: Spearman correlation of each parameter with micro F1 > 0, significant at 5%"""
    return _rising(raw, "Medical")


@claim("fig5-15-insensitive")
def fig5_15_insensitive(raw):
    """corrected reading, pairs of values, the third parameter at 0.1: at least half of the settings within 0.03 of the
    maximum, by more than one standard error of the share
    """
    return _insensitive(raw, "Enron")


@claim("fig5-15-rising")
def fig5_15_rising(raw):
    """corrected reading: Spearman correlation of each parameter with micro F1 > 0, significant at 5%"""
    return _rising(raw, "Enron")


@claim("fig5-16-insensitive")
def fig5_16_insensitive(raw):
    """corrected reading, pairs of values, the third parameter at 0.1: at least half of the settings within 0.03 of the
    maximum, by more than one standard error of the share
    """
    return _insensitive(raw, "Emotions")


@claim("fig5-16-rising")
def fig5_16_rising(raw):
    """corrected reading: Spearman correlation of each parameter with micro F1 > 0, significant at 5%"""
    return _rising(raw, "Emotions")


@claim("fig5-17-insensitive")
def fig5_17_insensitive(raw):
    """corrected reading, pairs of values, the third parameter at 0.1: at least half of the settings within 0.03 of the
    maximum, by more than one standard error of the share
    """
    return _insensitive(raw, "MIMLtext")


@claim("fig5-17-rising")
def fig5_17_rising(raw):
    """corrected reading: Spearman correlation of each parameter with micro F1 > 0, significant at 5%"""
    return _rising(raw, "MIMLtext")


@claim("fig5-6-illustration")
def fig5_6_illustration():
    """not testable"""
    return cannot_be_tested("an illustration; nothing to compute")


SELECTION_CHECKS = (
    fig5_7_mlcibfs_best,
    fig5_7_stable_after_10pct,
    fig5_8_mlcibfs_best,
    fig5_8_stable_after_10pct,
    fig5_9_mlcibfs_best,
    fig5_9_stable_after_10pct,
    fig5_10_mlcibfs_best,
    fig5_10_stable_after_10pct,
    fig5_11_mlcibfs_best,
    fig5_11_stable_after_10pct,
    fig5_7_to_11_mifs_sfus_close,
    fig5_12_nemenyi,
)
SENSITIVITY_CHECKS = (
    fig5_14_insensitive,
    fig5_14_rising,
    fig5_15_insensitive,
    fig5_15_rising,
    fig5_16_insensitive,
    fig5_16_rising,
    fig5_17_insensitive,
    fig5_17_rising,
)
