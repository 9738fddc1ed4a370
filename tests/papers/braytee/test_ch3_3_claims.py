"""Each check of section 3.3 gives every verdict it can give: decided on rows made by hand."""

import pandas as pd
import pytest

from fslib.papers.braytee.ch3_3_sampling import claims_results as claims
from fslib.papers.braytee.ch3_3_sampling import claims_theory, theory
from fslib.papers.braytee.ch3_3_sampling.items import ITERATIONS, LIMITS, PLAIN, PROPOSED, PUBLISHED, READINGS

CLEAR, NOISY = 0.0001, 0.2
JITTER = (-1.0, 0.0, 1.0)


def rows(values, noise, datasets=("Blood", "Survival"), ratio="", **named):
    """Rows of three splits; the first method varies over them, so that differences have noise."""
    found = []
    for dataset in datasets:
        for method, value in values.items():
            for reading in READINGS if method == PROPOSED else ("",):
                for split, shift in enumerate(JITTER):
                    shift = shift * noise if method == PROPOSED else 0.0
                    for metric, arm in (("auc", "published"), ("auc", "scores"), ("f_measure", "")):
                        found.append(
                            {"dataset": dataset, "ratio": ratio, "method": method, "reading": reading, "split": split}
                            | {"protocol": "held_out", "arm": arm, "metric": metric, "value": value + shift} | named
                        )  # fmt: skip
    return pd.DataFrame(found)


LEVEL = dict.fromkeys(PUBLISHED, 0.6)
UP = LEVEL | {PROPOSED: 0.7}
EMPTY = pd.DataFrame()


@pytest.mark.parametrize("check", [claims.tab3_15_abc_best, claims.tab3_16_abc_all_ratios])
def test_abc_best(check):
    assert check(rows(UP, CLEAR)).word == "holds"
    assert check(rows(LEVEL | {"PSO": 0.7}, CLEAR)).word == "does not hold"
    assert check(rows(UP, NOISY)).word == "undecided"
    assert check(EMPTY).word == "cannot be tested"
    found = check(rows(UP, CLEAR, ratio="1:5"))
    assert found.n_tested == 4 and "ahead in 4 of 4" in found.note


def test_undersampling_helps():
    check = claims.tab3_15_undersampling_helps
    better = dict.fromkeys(PUBLISHED, 0.7) | {PLAIN: 0.6}
    assert check(rows(better, CLEAR)).word == "holds"
    assert check(rows(better | {"RU": 0.59}, CLEAR)).word == "does not hold", "each of the three has to"
    assert check(rows(better, NOISY)).word == "undecided"
    assert check(EMPTY).word == "cannot be tested"


def of_limits(values, noise):
    frames = []
    for limit in LIMITS:
        moved = noise if limit == 10 else 0.0
        frames.append(rows({PROPOSED: values.get(limit, 0.6)}, moved, limit=limit))
    return pd.concat(frames)


def test_limit_10():
    check = claims.tab3_17_limit_10
    assert check(of_limits({10: 0.7}, CLEAR)).word == "holds"
    assert check(of_limits({15: 0.7}, CLEAR)).word == "does not hold"
    assert check(of_limits({10: 0.7}, NOISY)).word == "undecided"
    assert check(of_limits({10: 0.7}, CLEAR).query("limit != 50")).word == "cannot be tested"
    assert check(EMPTY).word == "cannot be tested"


def test_small_limit_worse():
    check = claims.tab3_17_small_limit_worse
    assert check(of_limits({10: 0.7}, CLEAR)).word == "holds"
    assert check(of_limits({5: 0.7}, CLEAR)).word == "does not hold"
    assert check(of_limits({10: 0.7}, NOISY)).word == "undecided"
    assert check(EMPTY).word == "cannot be tested"


def of_iterations(values, noise, evaluations=2.0):
    frames = [rows({PROPOSED: v}, noise if n != ITERATIONS else 0.0, max_iter=n) for n, v in values.items()]
    spent = pd.DataFrame({"max_iter": [250, 500], "metric": "n_evaluations", "value": [100.0, 100 * evaluations],
                          "arm": "", "protocol": "held_out", "dataset": "Blood"})  # fmt: skip
    return pd.concat([*frames, spent])


def test_iterations():
    check = claims.fig3_7_iterations
    published = {50: 0.6, 250: 0.7, 500: 0.7}
    assert check(of_iterations(published, CLEAR)).word == "holds"
    assert check(of_iterations(published, CLEAR, evaluations=1.2)).word == "does not hold"
    assert check(of_iterations({50: 0.8, 250: 0.7, 500: 0.7}, CLEAR)).word == "does not hold"
    assert check(of_iterations({50: 0.6, 250: 0.7, 500: 0.8}, CLEAR)).word == "does not hold"
    assert check(of_iterations(published, NOISY)).word == "undecided"
    assert check(of_iterations({50: 0.6, 250: 0.7}, CLEAR)).word == "cannot be tested"
    assert check(EMPTY).word == "cannot be tested"


def of_the_chapter(values, noise, datasets=("Colon", "Breast")):
    values = dict.fromkeys(("CSPCA", "CSNMF", "BSNMF"), 0.6) | values
    return rows(values, noise, datasets).assign(reading="published").drop_duplicates()


def test_abc_beats_the_chapters_other_methods():
    check = claims.ch3_abc_beats_other_two
    assert check(of_the_chapter({PROPOSED: 0.7}, CLEAR)).word == "holds"
    behind = check(of_the_chapter({PROPOSED: 0.7, "BSNMF": 0.8}, CLEAR))
    assert behind.word == "does not hold" and "Colon: less BSNMF" in behind.value
    assert check(of_the_chapter({PROPOSED: 0.7}, NOISY)).word == "undecided"
    one = check(of_the_chapter({PROPOSED: 0.7}, CLEAR, ("Colon", "Survival")))
    assert (one.word, one.n_tested, one.n_claimed) == ("holds", 1, 2)
    assert check(of_the_chapter({PROPOSED: 0.7}, CLEAR, ("Survival",))).word == "cannot be tested"
    assert check(EMPTY).word == "cannot be tested"


def test_the_stages_of_a_search_come_in_turn(monkeypatch):
    found = claims_theory.fig2_1_abc_stages()
    assert found.word == "holds" and found.note.startswith("Algorithm 1 as printed: 0 onlooker stages")
    right, count = theory.stages, claims_theory._iterations_in_order
    late = ["initialisation", "onlooker", "employed", "employed", "onlooker"]
    assert count(late, 2) == 0 and count(["initialisation", "employed", "onlooker", "scout"], 1) == 1
    assert count(["employed", "onlooker"], 1) == 0, "no initialisation"
    monkeypatch.setattr(claims_theory, "stages", lambda drawn: [s for s in right(drawn) if s != "scout"])
    assert claims_theory.fig2_1_abc_stages().word == "does not hold"


def test_the_sampler_is_as_its_schemes_show():
    assert claims_theory.fig3_6_bit_vector().word == "holds"
    assert claims_theory.fig3_5_phases().word == "holds"


def test_a_search_that_reads_test_rows_would_be_noticed(monkeypatch):
    run = claims_theory.run_trial

    def peeking(**trial):
        (_, _), (X_test, _) = claims_theory.split_parts("haberman", "", 0, 0)
        return [row | {"value": row["value"] + X_test.sum()} for row in run(**trial)]

    monkeypatch.setattr(claims_theory, "run_trial", peeking)
    assert claims_theory.fig3_5_phases().word == "does not hold"
