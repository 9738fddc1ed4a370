"""Claims of section 5.2 on Figures 5.13 to 5.17: convergence, and how much the parameters matter.

The docstring of a check is the text that ``data/reported/claims.csv`` has for it. Data sets that the thesis does not
have are never judged.
"""

from scipy.stats import spearmanr

from fslib.evaluation.margins import enough, share_reaches
from fslib.papers.braytee.ch5_2_ml_cib.claims_results import ALL
from fslib.papers.braytee.descent import never_rises, settles_at
from fslib.papers.claims import cannot_be_tested, claim, verdict


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
    settled = {d: settles_at(v, change) for d, v in corrected.items()}
    value = "settled at step " + ", ".join(f"{n:g} ({d})" for d, n in settled.items())
    rises = [d for (d, variant), v in steps.items() if variant == "published" and not never_rises(v)]
    note = f"as printed the objective rises on {', '.join(rises)}" if rises else ""
    holds = all(map(never_rises, corrected.values())) and sum(n <= within for n in settled.values()) >= 3
    return verdict(holds, value, note, n_tested=len(corrected), n_claimed=3)


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
