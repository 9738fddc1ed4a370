"""Claims of paper "bayes", section 4.5, decided on the rows of :func:`fslib.papers.bayes.runtime.table_2`.

Functions are named after their ``claim_id``; see :mod:`fslib.papers.bayes.claims_results`. What is claimed is an order
of times on one machine, never a number of seconds.
"""

from fslib.names import canonical_method
from fslib.papers.bayes.claims_results import SCORE_METHODS, SET_METHODS
from fslib.papers.verdict import Verdict
from fslib.tidy import with_settings


def _halves(times):
    """Halves of Table 2: name -> frame of seconds with sizes as rows and methods as columns."""
    rows = with_settings(times).assign(method=times["method"].map(canonical_method))
    return {
        name: half.pivot(index="k", columns="method", values="value").sort_index()
        for name, half in rows.groupby("dataset", sort=False)
    }


def _half(times, name):
    """Seconds of one half, and a remark if its data were generated."""
    for title, seconds in _halves(times).items():
        if title.startswith(name):
            return seconds, "" if title == name else f"on {title}: generated data of the same size"
    return None, f"not run: {name}"


def _ratios(seconds, method):
    return seconds["BayesGreedy"] / seconds[method]


def _listed(ratios):
    return ", ".join(f"{ratio:.2f} at k={k}" for k, ratio in ratios.items())


def tab2_score_fastest(times):
    """Score methods take the least time, and hardly more for more features."""
    order, growth, notes = True, True, []
    for title, seconds in _halves(times).items():
        slowest, quickest = seconds[SCORE_METHODS].max(axis=1), seconds[SET_METHODS].min(axis=1)
        change = (seconds[SCORE_METHODS].iloc[-1] - seconds[SCORE_METHODS].iloc[0]).abs()
        order &= bool((slowest < quickest).all())
        growth &= bool(((change < 0.05) | (change < 0.5 * seconds[SCORE_METHODS].iloc[0])).all())
        notes.append(f"{title}: {(slowest / quickest).max():.2f}")
    return Verdict(order and growth, "slowest score method / quickest set method, largest over k: " + "; ".join(notes))


def tab2_bayes_faster_than_mi(times):
    """BayesGreedy quicker than MIGreedy at every size, for both losses."""
    ratios = {title: _ratios(seconds, "MIGreedy") for title, seconds in _halves(times).items()}
    text = "; ".join(f"{title}: {_listed(ratio)}" for title, ratio in ratios.items())
    return Verdict(all(bool((ratio < 1).all()) for ratio in ratios.values()), text, "both search with the same counts")


def tab2_adult_slower_than_mrmr(times):
    """BayesGreedy with exact estimates slower than mRMR on Adult, the more the larger k."""
    seconds, note = _half(times, "Adult")
    if seconds is None:
        return Verdict(None, "", note)
    ratios = _ratios(seconds, "MRMR")
    return Verdict(bool((ratios > 1).all() and ratios.is_monotonic_increasing), _listed(ratios), note)


def tab2_gisette_faster_than_mrmr(times):
    """BayesGreedy with bivariate estimates quicker than mRMR at the size of Gisette."""
    seconds, note = _half(times, "Gisette")
    if seconds is None:
        return Verdict(None, "", note)
    ratios = _ratios(seconds, "MRMR")
    return Verdict(bool((ratios < 1).all()), _listed(ratios), note)
