"""Checks of section 5.2 give every verdict they can give, on rows made by hand."""

import numpy as np
import pandas as pd
import pytest

from fslib.papers.braytee.ch5_2_ml_cib import claims_figures as figures
from fslib.papers.braytee.ch5_2_ml_cib import claims_results as results
from fslib.papers.braytee.ch5_2_ml_cib import claims_sensitivity
from fslib.papers.braytee.ch5_2_ml_cib.items import FALLING, LARGE, METHODS, METRICS, REGULAR, SENSITIVITY_FIGURES


def scores(good, datasets=("Emotions", "Medical", "Enron", "Genbase"), noise=0.0, folds=5, outputs="hard"):
    """All methods at 0.5 in every measure, those in ``good`` better by what is given there; alternating noise."""
    rows = []
    for dataset in datasets:
        for method in METHODS:
            for metric in METRICS:
                gain = good.get(method, 0.0)
                for fold in range(folds):
                    wobble = noise * (-1) ** fold * (1 if method == "ML-CIB" else -1)
                    value = 0.5 + (-1 if metric in FALLING else 1) * (gain + wobble)
                    variant = "corrected" if method == "ML-CIB" else ""
                    rows.append([dataset, method, variant, "random", fold, outputs, metric, value])
            seconds = 1.0 - good.get(method, 0.0)
            rows += [[dataset, method, variant, "random", fold, "", "runtime_s", seconds] for fold in range(folds)]
    return pd.DataFrame(rows, columns=["dataset", "method", "variant", "folds", "fold", "outputs", "metric", "value"])


SHARES = [
    (results.tab5_6_mlcib_best, REGULAR),
    (results.tab5_7_mlcib_best, LARGE),
    (results.tab5_67_ranking_loss, REGULAR),
    (results.tab5_67_micro_f1, LARGE),
    (results.tab5_67_extreme_imbalance, LARGE),
]


@pytest.mark.parametrize(("check", "datasets"), SHARES)
def test_best_or_tied_gives_every_verdict(check, datasets):
    ahead, behind = {"ML-CIB": 0.1}, {"BR": 0.1}
    assert check(scores(ahead, datasets)).word == "holds"
    assert check(scores(behind, datasets)).word == "does not hold"
    assert check(scores(ahead, datasets, noise=0.4)).word == "undecided"
    assert check(scores(ahead, datasets, folds=1)).word == "undecided", "one fold has no spread"
    assert check(scores(ahead, ["Yeast (14 labels)"])).word == "cannot be tested", "never judged on other data"
    assert check(scores(ahead, datasets, outputs="real")).word == "cannot be tested", "hard outputs only"


def test_a_tie_is_best_or_tied_but_not_better_than_br():
    assert results.tab5_6_mlcib_best(scores({})).word == "holds"
    assert results.tab5_67_others_beat_br(scores({})).word == "does not hold"


def test_others_beat_br():
    others = dict.fromkeys(["MLSMOTE", "BR-IRUS", "COCOA", "MMIB"], 0.1)
    assert results.tab5_67_others_beat_br(scores(others)).word == "holds"
    assert results.tab5_67_others_beat_br(scores(others | {"COCOA": -0.1})).word == "does not hold"
    drowned = scores(others | {"BR": -0.01}, folds=1)
    assert results.tab5_67_others_beat_br(drowned).word == "undecided"
    assert results.tab5_67_others_beat_br(scores(others, ["other"])).word == "cannot be tested"


def test_missing_label_methods():
    both = {"ML-CIB": 0.2, "MMIB": 0.1}
    assert results.tab5_67_missing_label_methods(scores(both)).word == "holds"
    assert (
        results.tab5_67_missing_label_methods(scores({"ML-CIB": 0.2, "BR": 0.3, "COCOA": 0.4})).word == "does not hold"
    )
    turning = pd.concat(
        [
            scores({"ML-CIB": 0.2, "MMIB": 0.1}, ["Emotions", "Medical"]),
            scores({"ML-CIB": 0.2, "COCOA": 0.1}, ["Enron", "Genbase"]),
        ]
    )
    assert results.tab5_67_missing_label_methods(turning).word == "undecided"
    assert results.tab5_67_missing_label_methods(scores(both, ["Emotions"])).word == "cannot be tested"


def test_friedman_needs_four_data_sets():
    assert results.tab5_7_friedman(scores({"ML-CIB": 0.1})).word == "holds"
    assert results.tab5_7_friedman(scores({"BR": 0.1})).word == "does not hold"
    assert results.tab5_7_friedman(scores({"ML-CIB": 0.1}, REGULAR[:3])).word == "cannot be tested"


def test_fastest():
    assert results.tab5_8_mlcib_fastest(scores({"ML-CIB": 0.1})).word == "holds"
    assert results.tab5_8_mlcib_fastest(scores({"BR": 0.1})).word == "does not hold"
    mixed = pd.concat([scores({"ML-CIB": 0.1}, REGULAR[:2]), scores({"BR": 0.1}, REGULAR[2:4])])
    assert results.tab5_8_mlcib_fastest(mixed).word == "undecided", "2 of 4 are within the error of the share"
    assert results.tab5_8_mlcib_fastest(scores({"ML-CIB": 0.05})).word == "undecided", "0.95 of the next time"
    assert results.tab5_8_mlcib_fastest(scores({"ML-CIB": 0.5}, folds=1)).word == "undecided", "one fold has no spread"
    for factor, lead in ((0.5, {"ML-CIB": 0.3}), (0.5, {"BR": 0.3})):
        noisy = scores(lead)
        own = (noisy["metric"] == "runtime_s") & (noisy["method"] == "ML-CIB")
        noisy.loc[own, "value"] *= 1 + factor * (-1.0) ** noisy.loc[own, "fold"]
        assert results.tab5_8_mlcib_fastest(noisy).word == "undecided", "folds differ more than methods"
    assert results.tab5_8_mlcib_fastest(scores({}, ["other"])).word == "cannot be tested"


def curves(good, datasets=("Medical",), noise=0.0, folds=5, slope=0.0, apart=0.0):
    """Selection rows: three methods at 0.5, better by what is given; ``apart`` moves SFUS from MIFS."""
    rows = []
    for dataset in datasets:
        for method, reading in figures.READING.items():
            for strategy in ("BR", "CC"):
                for pct in (5, 10, 15, 20):
                    for metric, sign in figures.SIGN.items():
                        for fold in range(folds):
                            gain = good.get(method, 0.0) + slope * pct - (apart if method == "SFUS" else 0.0)
                            gain += noise * (-1) ** (fold + pct // 5) * (1 if method == "ML-CIB-FS" else -1)
                            value = 0.5 + sign * gain
                            rows.append([dataset, method, reading, strategy, fold, 0, pct, metric, value])
    names = ["dataset", "method", "reading", "strategy", "fold", "start", "pct", "metric", "value"]
    return pd.DataFrame(rows, columns=names)


@pytest.mark.parametrize("number", [7, 8, 9, 10, 11])
def test_selection_figures_give_every_verdict(number):
    dataset = next(d for d, item in figures.SELECTION_FIGURES.items() if item == f"Figure 5.{number}")
    best = getattr(figures, f"fig5_{number}_mlcibfs_best")
    stable = getattr(figures, f"fig5_{number}_stable_after_10pct")
    assert best(curves({"ML-CIB-FS": 0.1}, [dataset])).word == "holds"
    assert best(curves({"SFUS": 0.1}, [dataset])).word == "does not hold"
    assert best(curves({"ML-CIB-FS": 0.1}, [dataset], noise=0.4)).word == "undecided"
    assert stable(curves({}, [dataset])).word == "holds"
    assert stable(curves({}, [dataset], slope=0.01)).word == "does not hold"
    assert stable(curves({}, [dataset], folds=1)).word == "undecided"
    for check in (best, stable):
        assert check(curves({}, ["Emotions"])).word == "cannot be tested"


def test_mifs_and_sfus_close():
    check = figures.fig5_7_to_11_mifs_sfus_close
    assert check(curves({"ML-CIB-FS": 0.2})).word == "holds"
    assert check(curves({"ML-CIB-FS": 0.2}, apart=0.2)).word == "does not hold"
    assert check(curves({"ML-CIB-FS": 0.2}, folds=1)).word == "undecided"
    assert check(curves({}, ["Emotions"])).word == "cannot be tested"


def test_nemenyi_needs_five_data_sets():
    names = list(figures.SELECTION_FIGURES)
    alternating = pd.concat(
        [curves({"ML-CIB-FS": 0.2, "MIFS": 0.1 * (-1) ** i}, [name]) for i, name in enumerate(names)]
    )
    found = figures.fig5_12_nemenyi(alternating)
    assert found.word == "does not hold" and "gaps 1.40, 1.60" in found.value
    tied = figures.fig5_12_nemenyi(curves({"ML-CIB-FS": 0.2}, names))
    assert tied.word == "holds" and "gaps 1.50, 1.50" in tied.value
    assert figures.fig5_12_nemenyi(curves({"ML-CIB-FS": 0.2}, names[:3])).word == "cannot be tested"


def steps(values, datasets=("Emotions", "Medical", "Enron")):
    return pd.DataFrame(
        [
            {"dataset": d, "variant": "corrected", "iteration": i + 1, "value": v, "metric": "objective"}
            for d in datasets
            for i, v in enumerate(values)
        ]
    )


def test_convergence():
    fast, slow = 1 + 0.1 ** np.arange(30.0), 1 + 0.95 ** np.arange(30.0)
    assert claims_sensitivity.fig5_13_convergence(steps(fast)).word == "holds"
    assert claims_sensitivity.fig5_13_convergence(steps(slow)).word == "does not hold"
    assert claims_sensitivity.fig5_13_convergence(steps([*fast, 1.1])).word == "does not hold", "it rises"
    assert claims_sensitivity.fig5_13_convergence(steps(fast, ["Emotions"])).word == "cannot be tested"


def grid(function, dataset):
    values = (0.1, 0.4, 0.7, 1.0)
    rows = []
    for first, second in (("alpha", "beta"), ("alpha", "gamma"), ("beta", "gamma")):
        for a in values:
            for b in values:
                at = {"alpha": 0.1, "beta": 0.1, "gamma": 0.1} | {first: a, second: b}
                rows.append({"dataset": dataset, "variant": "corrected", **at, "value": function(**at)})
    return pd.DataFrame(rows)


@pytest.mark.parametrize("number", [14, 15, 16, 17])
def test_sensitivity_figures_give_every_verdict(number):
    dataset = next(d for d, item in SENSITIVITY_FIGURES.items() if item == f"Figure 5.{number}")
    insensitive, rising = (getattr(claims_sensitivity, f"fig5_{number}_{kind}") for kind in ("insensitive", "rising"))
    flat = grid(lambda alpha, beta, gamma: 0.5 + 1e-4 * (alpha + beta + gamma), dataset)
    steep = grid(lambda alpha, beta, gamma: 0.5 - 0.2 * (alpha + beta + gamma), dataset)
    even = grid(lambda alpha, beta, gamma: 0.5 + 0.05 * ((alpha + beta + gamma) * 10 % 2 < 1), dataset)
    assert insensitive(flat).word == "holds" and rising(flat).word == "holds"
    assert insensitive(steep).word == "does not hold" and rising(steep).word == "does not hold"
    assert rising(even).word == "undecided"
    half = flat.copy()
    half["value"] = np.where(half.groupby(["alpha", "beta", "gamma"]).ngroup() % 2, 0.9, 0.5)
    assert insensitive(half).word == "undecided"
    for check in (insensitive, rising):
        assert check(flat.assign(dataset="other")).word == "cannot be tested"


def test_an_illustration_is_none_to_test():
    assert figures.fig5_6_illustration().word == "cannot be tested"
