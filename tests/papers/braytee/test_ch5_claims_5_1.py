"""Checks of section 5.1 give every verdict they can give, on rows made by hand."""

import numpy as np
import pandas as pd
import pytest

from fslib.papers.braytee.ch5_1_cmfs import claims_results as results
from fslib.papers.braytee.ch5_1_cmfs import claims_sensitivity as sensitivity
from fslib.papers.braytee.ch5_1_cmfs.items import METHODS, SCORED, TIMED


def scores(good, datasets=SCORED, noise=0.0, folds=5, turn=()):
    """Four methods in a fixed order of their gains; on the data sets in ``turn`` the gains change their sign."""
    rows = []
    for dataset in datasets:
        for i, method in enumerate(METHODS):
            gain = good.get(method, -0.01 * i) * (-1 if dataset in turn else 1)
            reading = "corrected" if method == "FIMF" else "published"
            for fold in range(folds):
                wobble = noise * (-1) ** fold * (1 if method == "CMFS" else -1)
                for pct in (5, 10, 15, 20):
                    for metric in ("micro_f1", "average_precision"):
                        rows.append([dataset, method, reading, fold, 0, pct, metric, 0.5 + gain + wobble])
                rows.append([dataset, method, reading, fold, 0, 0, "runtime_s", 1.0 - gain])
    return pd.DataFrame(rows, columns=["dataset", "method", "reading", "fold", "start", "pct", "metric", "value"])


@pytest.mark.parametrize("check", [results.tab5_2_cmfs_best, results.tab5_3_cmfs_best])
def test_best_gives_every_verdict(check):
    assert check(scores({"CMFS": 0.1})).word == "holds"
    assert check(scores({"FIMF": 0.1})).word == "does not hold"
    assert check(scores({"CMFS": 0.1}, noise=0.4)).word in ("undecided", "does not hold")
    assert check(scores({"CMFS": 0.1}, folds=1)).word == "undecided"
    assert check(scores({"CMFS": 0.1}, SCORED[:1])).word == "undecided", "ranks on one data set have no spread"
    assert check(scores({"CMFS": 0.1}, ["Emotions"])).word == "cannot be tested"


def test_control_rows_are_in_the_note():
    rows = scores({"CMFS": 0.1}, ["Medical"])
    mean = rows[rows["method"] == "CMFS"].assign(method="Feature mean", reading="corrected")
    assert "Feature mean +0.000" in results.tab5_2_cmfs_best(pd.concat([rows, mean])).note


@pytest.mark.parametrize("check", [results.tab5_2_friedman, results.tab5_3_friedman])
def test_friedman(check):
    assert check(scores({})).word == "holds"
    assert check(scores(dict.fromkeys(METHODS, 0.0))).word == "does not hold"
    assert check(scores({}, folds=2)).word == "cannot be tested"


def test_nemenyi_and_equality():
    assert results.fig5_3_nemenyi(scores(dict(zip(METHODS, (0.1, 0.0, 0.0, 0.0), strict=True)))).word == "holds"
    assert results.fig5_3_nemenyi(scores({"FIMF": 0.1})).word == "does not hold"
    assert results.fig5_3_nemenyi(scores({"CMFS": 0.1}, SCORED[:4])).word == "cannot be tested"
    assert results.fig5_3_sfus_fimf_equal(scores(dict.fromkeys(METHODS, 0.0))).word == "holds"
    apart = scores({"SFUS": 0.4, "FIMF": -0.4})
    assert results.fig5_3_sfus_fimf_equal(apart).word == "does not hold"
    assert results.fig5_3_sfus_fimf_equal(scores({}, ["Medical"])).word == "cannot be tested"


def test_fastest():
    assert results.tab5_4_cmfs_fastest(scores({"CMFS": 0.1}, TIMED)).word == "holds"
    assert results.tab5_4_cmfs_fastest(scores({"CMFS": 0.05}, TIMED)).word == "undecided", "0.95 of the next time"
    assert results.tab5_4_cmfs_fastest(scores({"SFUS": 0.1}, TIMED)).word == "does not hold"
    assert results.tab5_4_cmfs_fastest(scores({}, ["Medical"])).word == "cannot be tested"


def steps(values, datasets=("Emotions", "Medical", "Enron")):
    return pd.DataFrame(
        [
            {"dataset": d, "reading": "published", "iteration": i + 1, "value": v}
            for d in datasets
            for i, v in enumerate(values)
        ]
    )


def test_convergence():
    fast, slow = 1 + 0.5 ** np.arange(60.0), 1 + 0.97 ** np.arange(60.0)
    assert sensitivity.fig5_4_convergence(steps(fast)).word == "holds"
    assert sensitivity.fig5_4_convergence(steps(slow)).word == "does not hold"
    assert sensitivity.fig5_4_convergence(steps(fast, ["Medical"])).word == "cannot be tested"


def grid(function, dataset="Enron", noise=0.0, folds=5):
    values = {"alpha": (0.01, 0.1, 1.0), "epsilon": (0.01, 0.3, 1.0), "gamma": (0.01, 0.3, 1.0)}
    values["n_components"] = (2.0, 0.25, 0.5)
    return pd.DataFrame(
        [
            {"dataset": dataset, "reading": "published", "parameter": p, "at": at, "fold": fold, "start": 0}
            | {"value": function(at) + noise * (-1) ** fold * (at == 2.0)}
            for p, grid_of in values.items()
            for at in grid_of
            for fold in range(folds)
        ]
    )


def test_sensitivity():
    assert sensitivity.fig5_5_insensitive(grid(lambda at: 0.5)).word == "holds"
    assert sensitivity.fig5_5_insensitive(grid(lambda at: 0.5 + 0.1 * at)).word == "does not hold"
    assert sensitivity.fig5_5_small_rank(grid(lambda at: 0.5 + 0.1 * at)).word == "holds"
    assert sensitivity.fig5_5_small_rank(grid(lambda at: 0.5 - 0.1 * at)).word == "does not hold"
    assert sensitivity.fig5_5_small_rank(grid(lambda at: 0.5, noise=0.2)).word == "undecided"
    for check in sensitivity.SENSITIVITY_CHECKS:
        assert check(grid(lambda at: 0.5, "Medical")).word == "cannot be tested"


def test_private_data_cannot_be_tested():
    assert {check().word for check in results.UNAVAILABLE_CHECKS} == {"cannot be tested"}
