"""Rules by which claims of paper "rrmvfs", section 3, are judged on the curves of a figure."""

import numpy as np
from scipy.stats import spearmanr

from fslib.datasets import unavailable_reason
from fslib.evaluation.margins import at_most, enough, exceeds, noise_of_spreads
from fslib.papers.claims import cannot_be_tested, verdict, with_noise
from fslib.papers.rrmvfs.items import CHANCE, METHODS, SELECTORS, TRAIN_SIZES
from fslib.papers.rrmvfs.tables import PROPOSED, TEST_TO_TRAIN
from fslib.tidy import with_settings

METRICS = ("accuracy", "macro_f1")
N_SETTINGS = len(METRICS) * len(TRAIN_SIZES)
NUS_ITEMS = ("Figure 1", "Table 1")


def missing(item, n_claimed=1):
    """Verdict for a claim that is not tested, because the rows of a figure or table are not there."""
    reason = (
        unavailable_reason("nus_wide_object")
        if item in NUS_ITEMS
        else f"the data set of {item} takes no part in this run"
    )
    return cannot_be_tested(f"not run: {reason}", n_tested=0, n_claimed=n_claimed)


def curves(figures, item, column="value"):
    """Values, or ``"std"``, of a figure: (metric, training size) -> frame, percentages as rows, methods as columns."""
    rows = with_settings(figures[item])
    rows = rows[(rows["protocol"] == "held_out") & (rows["method"] != CHANCE)]
    groups = rows.groupby(["metric", "train_per_class"])
    return {key: group.pivot(index="top_features_pct", columns="method", values=column) for key, group in groups}


def mean_curves(figures, item, metric="accuracy", column="value"):
    """Mean of a figure's curves over the training sizes: percentages as rows, methods as columns."""
    found = [frame for (name, _), frame in curves(figures, item, column).items() if name == metric]
    return sum(found) / len(found)


def curve_noise(figures, item, std, other):
    """Noise of a difference whose means have these spreads; see :func:`fslib.evaluation.margins.noise_of_spreads`."""
    return float(noise_of_spreads(std, other, figures[item]["n"].min(), test_to_train=TEST_TO_TRAIN))


def correlation_above(rho, n, least):
    """Decide whether a rank correlation of n points is at least so large: one standard error on Fisher's scale."""
    z = np.arctanh(np.clip(rho, -1 + 1e-9, 1 - 1e-9))
    return at_most(np.arctanh(least) - z, 0.0, 1.03 / np.sqrt(n - 3))


def ac_f1_agree(figures, item, least=0.7):
    """Whether accuracy and macro F1 order the methods alike."""
    if item not in figures:
        return missing(item)
    rho = spearmanr(*(mean_curves(figures, item, metric).mean().round(12) for metric in METRICS)).statistic
    outcome = correlation_above(rho, len(METHODS), least)
    return verdict(outcome, f"Spearman correlation {rho:.2f} of {len(METHODS)} methods", n_tested=1, n_claimed=1)


def cat_beats_single(figures, item):
    """Whether all views together beat the best single one, in every setting."""
    if item not in figures:
        return missing(item, N_SETTINGS)
    stds = curves(figures, item, "std")
    gaps = {}
    for key, frame in curves(figures, item).items():
        std = stds[key].mean()
        gaps[key] = (
            frame["CAT"].mean() - frame["Single"].mean(),
            curve_noise(figures, item, std["CAT"], std["Single"]),
        )
    smallest = min(gaps, key=lambda key: gaps[key][0])
    return verdict(
        enough(exceeds(gap, 0.0, noise) for gap, noise in gaps.values()),
        f"smallest gap {with_noise(*gaps[smallest])}: {smallest[0]}, {smallest[1]:g} per class",
        n_tested=len(gaps),
        n_claimed=N_SETTINGS,
    )


def fs_at_least_cat(figures, item, tolerance=0.01, points=5):
    """Whether the best point of each selector reaches CAT, and RRMVFS does at most points."""
    if item not in figures:
        return missing(item)
    frame, std = mean_curves(figures, item), mean_curves(figures, item, column="std")
    behind = {}
    for method in SELECTORS:
        at = frame[method].idxmax()
        noise = curve_noise(figures, item, std.at[at, method], std.at[at, "CAT"])
        behind[method] = frame.at[at, "CAT"] - frame.at[at, method], noise
    lags = frame["CAT"] - frame[PROPOSED]
    ours = [at_most(lag, 0.0, curve_noise(figures, item, *std.loc[at, [PROPOSED, "CAT"]])) for at, lag in lags.items()]
    worst = max(behind, key=lambda method: behind[method][0])
    outcomes = [at_most(gap, tolerance, noise) for gap, noise in behind.values()] + [enough(ours, points / len(ours))]
    wins = f"{(lags <= 0).sum()} of {len(ours)}, {ours.count(None)} undecided"
    value = f"best point furthest behind CAT: {worst} {with_noise(*behind[worst])}; RRMVFS at least CAT at {wins}"
    return verdict(enough(outcomes), value, n_tested=1, n_claimed=1)


def perform_alike(figures, item, methods, tolerance):
    """Whether the mean curves of some methods lie within a tolerance."""
    if item not in figures:
        return missing(item)
    means, std = mean_curves(figures, item)[list(methods)].mean(), mean_curves(figures, item, column="std").mean()
    best, worst = means.idxmax(), means.idxmin()
    gap, noise = means[best] - means[worst], curve_noise(figures, item, std[best], std[worst])
    value = f"{with_noise(gap, noise)} between {best} and {worst}"
    return verdict(at_most(gap, tolerance, noise), value, n_tested=1, n_claimed=1)


def leads_in_settings(figures, item, part):
    """Lead of RRMVFS over the best other per (metric, training size): difference, noise, other."""
    stds, found = curves(figures, item, "std"), {}
    for key, frame in curves(figures, item).items():
        means, std = part(frame), part(stds[key])
        other = means.drop(PROPOSED).idxmax()
        found[key] = means[PROPOSED] - means[other], curve_noise(figures, item, std[PROPOSED], std[other]), other
    note = "; ".join(f"{key[0]}, {key[1]:g}: {with_noise(*lead[:2])} against {lead[2]}" for key, lead in found.items())
    return found, note
