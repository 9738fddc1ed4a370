"""Claims of thesis "braytee", section 3.2: each is decided on the rows that the experiments gave.

The docstring of a check is the text that ``data/reported/claims.csv`` has for it. ``raw`` holds rows of
:func:`fslib.papers.braytee.ch3_2_bsnmf.protocol.run_trial`. Labels of the balanced SVM and the published reading of
BSNMF decide, on data sets of the thesis alone. A value is one pass over all samples, without repeats, so a share of
comparisons is undecided within one standard error of a share.
"""

import numpy as np

from fslib.evaluation.margins import share_reaches
from fslib.papers.braytee.ch3_2_bsnmf.items import RANKS, folds_note, rank_tests, wide
from fslib.papers.braytee.ch3_2_bsnmf.protocol import fitted, ranking, simulate
from fslib.papers.braytee.ch3_data import SECTION_3_2
from fslib.papers.claims import cannot_be_tested, claim, verdict

N_CELLS = len(SECTION_3_2) * len(RANKS)
FEWEST = 3
"""Data sets that a paired t-test over data sets needs at least."""

DECIMALS = 2
"""Of the published values: what is equal when shown is equal."""


def _table(raw, reading="published", rule="balanced", metric="auc_hard"):
    return wide(raw, rule, metric, reading, only=set(SECTION_3_2.values())).round(DECIMALS)


def _folds(raw):
    note = folds_note(raw, set(SECTION_3_2.values()))
    return [note] if note else []


@claim("fig3-4-bsnmf-flow")
def fig3_4_bsnmf_flow(n_features=120, seed=0):
    """pipeline test: selector refitted inside each fold; changing test rows does not change the ranking"""
    X, y, _ = simulate(n_features, seed)
    same, moved = [], []
    for test in (np.arange(0, 20), np.arange(20, 40)):
        train = np.setdiff1d(np.arange(len(y)), test)
        changed = X.copy()
        changed[test] = changed[test][:, ::-1]
        first, second = (fitted("BSNMF", A[train], y[train], k=2, reading="", seed=seed)[0] for A in (X, changed))
        same.append(bool((first == second).all()))
        moved.append(set(first.tolist()))
    refitted = moved[0] != moved[1]
    value = f"selection unchanged by test rows in {sum(same)} of {len(same)} folds; "
    value += f"selections of the folds {'differ' if refitted else 'are the same'}"
    return verdict(all(same) and refitted, value)


@claim("tab3-13-bsnmf-best")
def tab3_13_bsnmf_best(raw, least=0.8):
    """leave-one-out AUC: BSNMF >= max(NMF, DNMF) in >= 80% of (data set, rank) cells, ranks 2,4,6,8,10"""
    table = _table(raw)
    if table.empty:
        return cannot_be_tested("not run: no data set of Table 3.12 takes part", n_tested=0, n_claimed=N_CELLS)
    lead = table["BSNMF"] - table.drop(columns="BSNMF").max(axis=1)
    others = {
        "corrected reading": _table(raw, "corrected"),
        "by scores": _table(raw, metric="auc"),
        "plain SVM": _table(raw, rule="plain"),
    }
    counts = {name: (t["BSNMF"] >= t.drop(columns="BSNMF").max(axis=1)).sum() for name, t in others.items()}
    n = len(lead)
    value = (
        f"at least the best other in {(lead >= 0).sum()} of {n} (ahead in {(lead > 0).sum()}), mean {lead.mean():+.3f}"
    )
    note = "; ".join([*(f"{name}: {count} of {n}" for name, count in counts.items()), *_folds(raw)])
    return verdict(share_reaches((lead >= 0).sum(), n, least), value, note, n_tested=n, n_claimed=N_CELLS)


@claim("tab3-13-significant")
def tab3_13_significant(raw, level=0.05, least=4):
    """per rank paired t-test over data sets, BSNMF vs NMF: p < 0.05 at >= 4 of 5 ranks"""
    table = _table(raw)
    tests = rank_tests(table) if len(table) else None
    if tests is None or len(tests) < len(RANKS) or tests["n"].min() < FEWEST:
        reason = f"not run: {FEWEST} data sets of the thesis at all {len(RANKS)} ranks are needed"
        return cannot_be_tested(reason, n_tested=0, n_claimed=len(RANKS))
    below = int(((tests["p"] < level) & (tests["gain"] > 0)).sum())
    value = ", ".join(f"K={row.k}: {row.gain:+.3f} p={row.p:.2g}" for row in tests.itertuples())
    note = "; ".join([f"{tests['n'].min()} of {len(SECTION_3_2)} data sets", *_folds(raw)])
    return verdict(below >= least, value, note, n_tested=len(tests), n_claimed=len(RANKS))


@claim("tab3-13-dnmf-rank-2")
def tab3_13_dnmf_rank_2(seed=0):
    """API check: DNMF ranker raises ValueError for rank != 2"""
    X, y, _ = simulate(60, seed)
    refused = []
    for k in RANKS:
        try:
            ranking("DNMF", X, y, k=k, seed=seed)
        except ValueError:
            refused.append(k)
    note = "its score is the difference of two loadings"
    return verdict(refused == [k for k in RANKS if k != 2], f"refused: {', '.join(map(str, refused))}", note)
