"""Claims of section 5.2 on the figures of selected features, Figures 5.6 to 5.12.

The docstring of a check is the text that ``data/reported/claims.csv`` has for it. ML-CIB-FS is judged in the library's
default form against MIFS and SFUS in their published reading. Data sets that the thesis does not have are never judged.
"""

import numpy as np

from fslib.evaluation.margins import at_most, enough, exceeds, noise_of_pairs
from fslib.evaluation.stats import critical_difference, rank_table
from fslib.papers.braytee.ch5_2_ml_cib.claims_results import counted
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
