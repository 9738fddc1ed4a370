"""Claims of section 5.2 on Tables 5.6 to 5.8: each is decided on the rows that the experiment gave.

The docstring of a check is the text that ``data/reported/claims.csv`` has for it. All methods are compared on hard
outputs, ML-CIB in the library's default form, since no form of it gives the published row; how the published algorithm
does is in the note. Data sets that the thesis does not have are never judged. A difference is undecided where the
paired noise over the folds could turn it round.
"""

import numpy as np

from fslib.evaluation.margins import at_most, enough, exceeds, noise_of_pairs, share_reaches, shorter
from fslib.evaluation.stats import friedman, rank_table
from fslib.papers.braytee.ch5_2_ml_cib.items import BASELINES, FALLING, LARGE, METHODS, METRICS, REGULAR
from fslib.papers.braytee.ch5_2_ml_cib.tables import fold_table
from fslib.papers.braytee.ch5_data import TEST_TO_TRAIN
from fslib.papers.claims import cannot_be_tested, claim, verdict

ALL = (*REGULAR, *LARGE)
IMBALANCED = ("Bibtex", "Medical", "Enron", "Genbase", "Corel5k", *LARGE)
"""Published mean imbalance ratio above 50."""

SMALLEST_SIGNIFICANT = 4
"""With fewer blocks not even a win on all of them gives p < 0.05 in a Friedman test of two methods."""


def duels(raw, method, others, titles, *, metrics=METRICS, tied=False, variant="corrected"):
    """Whether a method beats (or ties) the best of the others: (data set, metric) -> True, False or None."""
    found = {}
    for metric in metrics:
        sign = -1 if metric in FALLING else 1
        for dataset, part in fold_table(raw, metric, variant=variant).groupby(level="dataset", sort=False):
            part = sign * part.dropna(axis=1)
            baselines = [name for name in others if name in part]
            if dataset not in titles or method not in part or not baselines:
                continue
            best = part[baselines].mean().idxmax()
            lead = float((part[method] - part[best]).mean())
            noise = noise_of_pairs(part[method], part[best], test_to_train=TEST_TO_TRAIN)
            found[dataset, metric] = at_most(-lead, 0.0, noise) if tied else exceeds(lead, 0.0, noise)
    return found


def counted(outcomes):
    """Write how many came out and how many are open, as in "3 of 7, 2 undecided"."""
    outcomes = list(outcomes)
    yes, unknown = sum(o is True for o in outcomes), sum(o is None for o in outcomes)
    return f"{yes} of {len(outcomes)}" + (f", {unknown} undecided" if unknown else "")


def _best_or_tied(raw, titles, least, metrics=METRICS):
    options = {"metrics": metrics, "tied": True}
    found = duels(raw, "ML-CIB", BASELINES, titles, **options)
    if not found:
        return cannot_be_tested(f"not run: a data set of {_of(titles)}", n_tested=0, n_claimed=len(titles))
    literal = duels(raw, "ML-CIB", BASELINES, titles, variant="published", **options)
    note = f"as printed: {counted(literal.values())}" if literal else ""
    n_tested = len({dataset for dataset, _ in found})
    value = f"best or tied in {counted(found.values())}"
    return verdict(enough(found.values(), least), value, note, n_tested=n_tested, n_claimed=len(titles))


def _of(titles):
    return "Table 5.6" if titles == REGULAR else "Table 5.7" if titles == LARGE else "Tables 5.6 and 5.7"


@claim("tab5-67-others-beat-br")
def tab5_67_others_beat_br(raw, least=0.5):
    """per method: share of (data set, metric) comparisons better than BR > 0.5, hard outputs, noise over folds"""
    baselines = [m for m in BASELINES if m != "BR"]
    each = {m: duels(raw, m, ["BR"], ALL) for m in baselines}
    each = {m: found for m, found in each.items() if found}
    if not each:
        return cannot_be_tested("not run: Tables 5.6 and 5.7", n_tested=0, n_claimed=len(ALL))
    outcomes = [enough(found.values(), least + 1e-6) for found in each.values()]
    n_tested = len({dataset for found in each.values() for dataset, _ in found})
    value = "; ".join(f"{m} {counted(found.values())}" for m, found in each.items())
    return verdict(enough(outcomes), value, n_tested=n_tested, n_claimed=len(ALL))


@claim("tab5-6-mlcib-best")
def tab5_6_mlcib_best(raw, least=0.6):
    """5-fold means: ML-CIB best or tied in >= 60% of (data set, metric) comparisons, hard outputs, paired noise over
    folds
    """
    return _best_or_tied(raw, REGULAR, least)


@claim("tab5-7-mlcib-best")
def tab5_7_mlcib_best(raw, least=0.6):
    """5-fold means: ML-CIB best or tied in >= 60% of (data set, metric) comparisons, hard outputs, paired noise over
    folds
    """
    return _best_or_tied(raw, LARGE, least)


@claim("tab5-67-ranking-loss")
def tab5_67_ranking_loss(raw, least=0.8):
    """ranking loss, hard outputs: ML-CIB lowest on >= 80% of data sets, paired noise over folds"""
    return _best_or_tied(raw, ALL, least, ["ranking_loss"])


@claim("tab5-67-micro-f1")
def tab5_67_micro_f1(raw, least=0.6):
    """micro F1: ML-CIB highest on >= 60% of data sets, paired noise over folds"""
    return _best_or_tied(raw, ALL, least, ["micro_f1"])


@claim("tab5-67-extreme-imbalance")
def tab5_67_extreme_imbalance(raw, least=0.6):
    """data sets with AvgImR > 50: ML-CIB best or tied in >= 60% of comparisons, hard outputs, paired noise over folds;
    no label is removed
    """
    return _best_or_tied(raw, IMBALANCED, least)


def _mean_table(raw, metric, methods=METHODS):
    """Means over folds on the thesis's data sets on which all methods ran."""
    means = fold_table(raw, metric, methods=methods).groupby(level="dataset", sort=False).mean().dropna()
    return means[means.index.isin(ALL)]


@claim("tab5-67-missing-label-methods")
def tab5_67_missing_label_methods(raw, least=5 / 7):
    """average rank over >= 3 data sets, hard outputs: ML-CIB and MMIB are the two best for >= 5 of 7 measures, each
    undecided within one standard error of the difference of ranks
    """
    outcomes, note, n = [], [], 0
    for metric in METRICS:
        table = _mean_table(raw, metric)
        n = len(table)
        if n < 3 or set(table) != set(METHODS):
            return cannot_be_tested("fewer than three data sets with all methods", n_tested=n, n_claimed=len(ALL))
        ranks = rank_table(table, larger_is_better=metric not in FALLING)
        mean = ranks.mean()
        worse = mean[["ML-CIB", "MMIB"]].idxmax()
        best = mean.drop(["ML-CIB", "MMIB"]).idxmin()
        error = (ranks[worse] - ranks[best]).std(ddof=1) / np.sqrt(n)
        outcomes.append(at_most(mean[worse] - mean[best], 0.0, error))
        note.append(f"{metric} ML-CIB {mean['ML-CIB']:.1f}, MMIB {mean['MMIB']:.1f}, best other {mean[best]:.1f}")
    value = f"the two best in {counted(outcomes)} measures"
    return verdict(enough(outcomes, least), value, "; ".join(note), n_tested=n, n_claimed=len(ALL))


@claim("tab5-7-friedman")
def tab5_7_friedman(raw, least=0.7):
    """two-method Friedman over >= 4 data sets per measure, hard outputs: ML-CIB ahead with p < 0.05 in >= 70% of 35
    comparisons
    """
    found, n = [], 0
    for metric in METRICS:
        falling = metric in FALLING
        for method in BASELINES:
            table = _mean_table(raw, metric, ("ML-CIB", method))
            if set(table) != {"ML-CIB", method} or len(table) < SMALLEST_SIGNIFICANT:
                continue
            n = max(n, len(table))
            result = friedman(table, larger_is_better=not falling)
            ahead = result.average_ranks["ML-CIB"] < result.average_ranks[method]
            found.append(bool(ahead and result.pvalue < 0.05))
    if not found:
        reason = f"fewer than {SMALLEST_SIGNIFICANT} data sets: no outcome could be significant"
        return cannot_be_tested(reason, n_tested=0, n_claimed=len(ALL))
    value = f"significantly ahead in {sum(found)} of {len(found)}"
    return verdict(enough(found, least), value, n_tested=n, n_claimed=len(ALL))


@claim("tab5-8-mlcib-fastest")
def tab5_8_mlcib_fastest(raw, least=0.6):
    """CPU time on one machine: ratio of ML-CIB to the shortest other below 0.9 outside its spread over folds on >= 60%
    of data sets, by more than one standard error of the share; a data set counts against it if above 1 outside the
    spread
    """
    times = raw[(raw["metric"] == "runtime_s") & (raw["folds"] == "random") & raw["dataset"].isin(ALL)]
    times = times[times["variant"].isin(["", "corrected"]) & times["method"].isin(METHODS)]
    ratios = {}
    for dataset, rows in times.groupby("dataset"):
        seconds = rows.pivot(index="fold", columns="method", values="value").dropna(axis=1)
        if "ML-CIB" in seconds and seconds.shape[1] > 1:
            others = seconds.drop(columns="ML-CIB")
            ratio = seconds["ML-CIB"] / others[others.mean().idxmin()]
            ratios[dataset] = ratio.mean(), ratio.std(ddof=1)
    if not ratios:
        return cannot_be_tested("not run: Table 5.8", n_tested=0, n_claimed=len(ALL))
    outcomes = [shorter(*ratio) for ratio in ratios.values()]
    note = "ML-CIB / shortest other: " + ", ".join(
        f"{dataset} {ratio:.2f}" + (f" ± {spread:.2f}" if spread == spread else " (one fold)")
        for dataset, (ratio, spread) in ratios.items()
    )
    certain, unknown = outcomes.count(True), outcomes.count(None)
    worst, best = (share_reaches(count, len(outcomes), least) for count in (certain, certain + unknown))
    value = f"fastest on {counted(outcomes)}"
    return verdict(worst if worst is best else None, value, note, n_tested=len(outcomes), n_claimed=len(ALL))


TABLE_CHECKS = (
    tab5_67_others_beat_br,
    tab5_6_mlcib_best,
    tab5_7_mlcib_best,
    tab5_67_missing_label_methods,
    tab5_67_ranking_loss,
    tab5_67_micro_f1,
    tab5_67_extreme_imbalance,
    tab5_7_friedman,
    tab5_8_mlcib_fastest,
)
