"""Section 3.2 of the thesis: rankings repeat themselves, leaks are noticed, and every verdict can be given."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from fslib.papers.braytee.ch3_2_bsnmf import claims_results, items, protocol, theory
from fslib.papers.braytee.ch3_data import SECTION_3_2

SMALL = {"k": 2, "reading": "corrected", "n_folds": 5, "seed": 0, "simulated": 150}


@pytest.mark.parametrize("method", protocol.METHODS)
def test_a_ranking_repeats_itself_and_a_sample_is_scored_alone(method):
    X, y, _ = protocol.simulate(120, 0)
    train, test = np.arange(40), np.arange(40, 60)
    first, models = protocol.fitted(method, X[train], y[train], k=2, reading="", seed=0)
    second, again = protocol.fitted(method, X[train], y[train], k=2, reading="", seed=0)
    assert_array_equal(first, second)
    assert_array_equal(models["plain"](X[test])[1], again["plain"](X[test][::-1])[1][::-1])
    assert len(set(first.tolist())) == protocol.N_TOP


def test_chance_and_planted_genes():
    """21 of 60 samples are positive: chance has a standard deviation of about 0.08."""
    found = {m: pd.DataFrame(protocol.run_trial(method=m, **SMALL)) for m in ("DNMF", protocol.CHANCE)}
    score = found[protocol.CHANCE].query("metric == 'auc_hard' and rule == 'balanced'")["value"].item()
    assert score == pytest.approx(0.5, abs=0.24)
    planted = found["DNMF"].query("metric == 'planted_found'")["value"].item()
    assert planted > 1.5 * protocol.simulate(150, 0)[2].mean()


def test_every_sample_is_left_out_once():
    y = np.arange(12) % 3 == 0
    for n_folds in (0, 4):
        left_out = np.concatenate([test for _, test in protocol.parts(y, n_folds, 0)])
        assert sorted(left_out) == list(range(12))


def made(lift, datasets=("colon", "golub", "dlbcl_gems"), ranks=items.RANKS):
    """Values of BSNMF that lie ``lift(k, i)`` above NMF's, for the i-th data set."""
    rows = []
    for i, dataset in enumerate(datasets):
        for k in ranks:
            for method, reading in (("NMF", ""), *(("BSNMF", reading) for reading in items.READINGS), ("DNMF", "")):
                if method == "DNMF" and k != 2:
                    continue
                value = {"NMF": 0.7 + 0.05 * i, "DNMF": 0.5}.get(method, 0.7 + 0.05 * i + lift(k, i))
                named = {"dataset": dataset, "method": method, "k": k, "reading": reading, "n_folds": 0}
                rows += [
                    named | {"rule": rule, "metric": metric, "value": value}
                    for rule in protocol.RULES
                    for metric in ("auc", "auc_hard")
                ]
    return pd.DataFrame(rows)


def test_best_has_every_verdict():
    check = claims_results.tab3_13_bsnmf_best
    assert check(made(lambda k, i: 0.03)).word == "holds"
    assert check(made(lambda k, i: -0.03)).word == "does not hold"
    assert check(made(lambda k, i: 0.03 if k < 10 else -0.03)).word == "undecided"
    assert check(made(lambda k, i: 0.03, datasets=["golub_train", "simulated"])).word == "cannot be tested"
    assert check(made(lambda k, i: 0.001)).word == "holds", "what is equal when shown is equal"


def test_significant_has_every_verdict():
    check = claims_results.tab3_13_significant
    assert check(made(lambda k, i: 0.03 + 0.01 * i)).word == "holds"
    assert check(made(lambda k, i: -0.03 - 0.01 * i)).word == "does not hold"
    assert check(made(lambda k, i: 0.03, ranks=(2, 4))).word == "cannot be tested"


def test_claims_of_the_method():
    assert claims_results.fig3_4_bsnmf_flow().word == "holds"
    assert claims_results.tab3_13_dnmf_rank_2().word == "holds"


def test_a_selection_that_sees_all_samples_would_be_noticed(monkeypatch):
    fitted = claims_results.fitted
    monkeypatch.setattr(claims_results, "fitted", lambda *a, **k: (np.arange(50), fitted(*a, **k)[1]))
    assert claims_results.fig3_4_bsnmf_flow().word == "does not hold"


def test_bsnmf_takes_the_steps_of_its_equations():
    X, y, _ = protocol.simulate(80, 0)
    _, objective = theory.multiplicative_bsnmf(X, y, n_steps=15)
    assert_allclose(objective, theory.library_objective(X, y, n_steps=15), rtol=1e-9)


def test_the_published_p_value_is_no_test():
    X, y, informative = protocol.simulate(200, 0)
    summary = theory.permutation_summary(X, y, informative, n_shuffles=50, n_label_shuffles=9)
    assert summary.loc["the thesis, one number", "p"] == pytest.approx(0.5, abs=0.05)


def test_trials_and_rows():
    options = {"further": ["golub_train"], "simulated": 100, "ranks": [2, 4], "folds": {"simulated": 5}}
    trials, not_run = items.table_trials(datasets=["childhood_leukaemia", "gcm"], **options)
    assert len(trials) == 16 and len(not_run) == 2
    assert {t["n_folds"] for t in trials if "simulated" in t} == {5}
    rows = items.table_rows(made(lambda k, i: 0.0, datasets=["colon"]))
    published = rows[rows["setting"].str.contains("arm=published")]
    assert set(published["metric"]) == {"auc"} and len(published) == 16
    assert set(rows["dataset"]) == {SECTION_3_2["colon"]}


def test_the_note_says_where_folds_stand_in_for_leave_one_out():
    rows = made(lambda k, i: 0.03)
    assert items.folds_note(rows) == ""
    assert "leave-one-out" not in claims_results.tab3_13_bsnmf_best(rows).note
    rows.loc[rows["dataset"] == "golub", "n_folds"] = 10
    assert claims_results.tab3_13_bsnmf_best(rows).note.endswith("10 folds in place of leave-one-out on ALL/AML")
    assert "10 folds" in claims_results.tab3_13_significant(rows).note
