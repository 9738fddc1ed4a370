"""Claims of paper "bayes", section 4.5, decided on the rows of :func:`fslib.papers.bayes.runtime.table_2`.

What is claimed is an order of times on one machine, never a number of seconds, and a ratio decides only with a margin:
one time is shorter than another if their ratio with its spread over the repeats stays below 0.9, and is not if the
ratio less its spread is above 1. The notebook runs alone on the machine. Times on generated data of the size of
Gisette are not judged.
"""

from itertools import pairwise

import numpy as np

from fslib.evaluation.margins import CLEARLY, at_most, enough, exceeds, shorter
from fslib.names import canonical_method
from fslib.papers.bayes.claim_rules import SCORE_METHODS, SET_METHODS
from fslib.papers.claims import cannot_be_tested, claim, verdict
from fslib.tidy import with_settings

N_SIZES = 3
"""Sizes in each half of Table 2."""


def _halves(times):
    """Halves of Table 2: name -> (seconds, their standard deviations), sizes as rows and methods as columns."""
    rows = with_settings(times).assign(method=times["method"].map(canonical_method))
    rows = rows if "std" in rows else rows.assign(std=np.nan)
    return {
        name: tuple(
            half.pivot(index="k", columns="method", values=column).sort_index().astype(float)
            for column in ("value", "std")
        )
        for name, half in rows.groupby("dataset", sort=False)
    }


def _is_generated(title):
    return title not in ("Adult", "Gisette")


def _ratios(half, method, other="BayesGreedy"):
    """Seconds of ``other`` over those of ``method``, and the spread of the ratio, per size."""
    seconds, std = half
    ratio = seconds[other] / seconds[method]
    spread = ratio * np.hypot(std[other] / seconds[other], std[method] / seconds[method])
    return list(zip(ratio.index, ratio, spread, strict=True))


def _listed(ratios):
    return ", ".join(f"{ratio:.2f} ± {spread:.2f} at k={k}" for k, ratio, spread in ratios)


@claim("tab2-score-fastest")
def tab2_score_fastest(times, clearly=CLEARLY, growth=0.5, seconds=0.05):
    """max time of {BayesScore, MIScore, FScore} / min time of {BayesGreedy, MIGreedy, mRMR} below 0.9 outside the
    spread of the repeats at every k, else undecided, and does not hold if above 1 outside it; their own time changes by
    < 50% (or < 0.05 s) from smallest to largest k
    """
    outcomes, notes, tested = [], [], 0
    for title, half in _halves(times).items():
        value, std = half
        slowest, quickest = value[SCORE_METHODS].idxmax(axis=1), value[SET_METHODS].idxmin(axis=1)
        ratios = [next(row for row in _ratios(half, quickest[k], slowest[k]) if row[0] == k) for k in value.index]
        notes.append(f"{title}: {_listed(ratios)}")
        if _is_generated(title):
            continue
        tested += len(ratios)
        outcomes += [shorter(ratio, spread, clearly) for _, ratio, spread in ratios]
        for method in SCORE_METHODS:
            first, last = value[method].iloc[0], value[method].iloc[-1]
            spread = np.hypot(std[method].iloc[0], std[method].iloc[-1])
            outcomes.append(at_most(abs(last - first), max(seconds, growth * first), spread))
    return _judged(outcomes, "slowest score method / quickest set method: " + "; ".join(notes), tested, 2 * N_SIZES)


def _judged(outcomes, text, tested, claimed, note=""):
    if not tested:
        return cannot_be_tested(f"only generated data were timed; {text}", n_tested=0, n_claimed=claimed)
    return verdict(enough(outcomes), text, note, n_tested=tested, n_claimed=claimed)


@claim("tab2-bayes-faster-than-mi")
def tab2_bayes_faster_than_mi(times, clearly=CLEARLY):
    """same machine, shared counting code: time ratio BayesGreedy/MIGreedy below 0.9 outside the spread of the repeats
    at every k for 0-1 and cost-sensitive loss, else undecided; does not hold if above 1 outside it at some k
    """
    ratios = {title: _ratios(half, "MIGreedy") for title, half in _halves(times).items()}
    text = "; ".join(f"{title}: {_listed(ratio)}" for title, ratio in ratios.items())
    real = [row for title, rows in ratios.items() if not _is_generated(title) for row in rows]
    outcomes = [shorter(ratio, spread, clearly) for _, ratio, spread in real]
    return _judged(outcomes, text, len(real), 2 * N_SIZES, "both search with the same counts")


@claim("tab2-adult-slower-than-mrmr")
def tab2_adult_slower_than_mrmr(times, clearly=CLEARLY):
    """Adult, exact estimates: time ratio mRMR/BayesGreedy below 0.9 outside the spread of the repeats at k = 5, 10, 15,
    else undecided, and falling in k outside the spread; does not hold if above 1 or rising outside it
    """
    halves = _halves(times)
    if "Adult" not in halves:
        return cannot_be_tested("not run: Adult", n_tested=0, n_claimed=N_SIZES)
    ratios = _ratios(halves["Adult"], "BayesGreedy", "MRMR")
    falls = [
        exceeds(ratio - following, 0.0, np.hypot(spread, other))
        for (_, ratio, spread), (_, following, other) in pairwise(ratios)
    ]
    outcomes = [*(shorter(ratio, spread, clearly) for _, ratio, spread in ratios), *falls]
    return _judged(outcomes, f"mRMR / BayesGreedy: {_listed(ratios)}", len(ratios), N_SIZES)


@claim("tab2-gisette-faster-than-mrmr")
def tab2_gisette_faster_than_mrmr(times, clearly=CLEARLY):
    """Gisette, bivariate: time ratio BayesGreedy/mRMR below 0.9 outside the spread of the repeats at k = 25, 50, 75,
    else undecided; does not hold if above 1 outside it at some k; not tested on generated data
    """
    for title, half in _halves(times).items():
        if title.startswith("Gisette"):
            ratios = _ratios(half, "MRMR")
            text = f"{title}: {_listed(ratios)}"
            outcomes = [shorter(ratio, spread, clearly) for _, ratio, spread in ratios]
            return _judged(outcomes, text, 0 if _is_generated(title) else len(ratios), N_SIZES)
    return cannot_be_tested("not run: Gisette", n_tested=0, n_claimed=N_SIZES)
