"""The trials of section 4: nothing sees a test row, nothing depends on the order of work, nothing goes missing."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from pandas.testing import assert_frame_equal
from sklearn.feature_selection import f_classif

from fslib.datasets import load
from fslib.evaluation.learners import TunedLearner
from fslib.evaluation.splits import stratified_split
from fslib.evaluation.trials import run_trials
from fslib.filters import BayesGreedy
from fslib.papers.bayes import claims_figures_4_5
from fslib.papers.bayes import claims_results as bayes_claims
from fslib.papers.bayes import protocol as bayes
from fslib.papers.bayes.items import CHANCE, PANELS, SMALL_K, TASKS, TIES, Panel, stand_ins
from fslib.seeds import trial_seed

CACHES = [bayes._task, bayes.split_parts, bayes._ranking, bayes.held_out_value]
GRID = {"C": [0.1, 10.0], "gamma": [1.0]}


@pytest.fixture(autouse=True)
def fresh():
    """No test reads what another computed, on other data perhaps."""
    task = bayes._task
    for cached in CACHES:
        cached.cache_clear()
    yield
    bayes._task = task
    for cached in CACHES:
        cached.cache_clear()


def trial(method="BayesGreedy", dataset="waveform", **more):
    panel = {"item": "Figure 1", "measure": "error_0_1", "loss": "0-1", "c": None, "estimation": "exact"}
    panel |= {"ties": ""}
    return panel | {"dataset": dataset, "method": method, "ks": [1, 3], "split": 0, "seed": 0, "grid": GRID} | more


class Recorder(TunedLearner):
    """Learner that writes down what its tuning chose."""

    chosen: list = []

    def fit(self, X, y):
        super().fit(X, y)
        self.chosen.append((self.best_, self.grid_.tolist(), X.sum()))
        return self


@pytest.mark.parametrize("method", bayes.SELECTORS)
def test_test_rows_change_nothing_but_the_test_error(monkeypatch, method):
    """Change the values of the test rows: same levels, same columns, same tuning, and another test error."""
    X, y = (part[:600] for part in bayes.load_task("waveform"))
    _, test = stratified_split(y, train_size=0.7, dataset="waveform", split=0)
    moved = X.copy()
    moved[test] = 100 - 7 * X[test]
    monkeypatch.setattr(bayes, "TunedLearner", Recorder)
    seen = []
    for data in ((X, y), (moved, y)):
        for cached in CACHES[1:]:
            cached.cache_clear()
        monkeypatch.setattr(bayes, "_task", lambda name, data=data: data)
        monkeypatch.setattr(Recorder, "chosen", [])
        rows = bayes.run_trial(**trial(method))
        (_, _, levels), _ = bayes.split_parts("waveform", 0, 0)
        seen.append((levels, Recorder.chosen, [row["value"] for row in rows]))
    (levels, chosen, values), (levels_moved, chosen_moved, values_moved) = seen
    assert_array_equal(levels, levels_moved)
    assert chosen == chosen_moved and len(chosen) == 2
    assert values != values_moved, "the test rows that were changed must be those that are measured"


def test_a_trial_is_the_protocol_written_out():
    """scikit-learn's F statistic on the training rows, the learner on the best columns, the error on the rest."""
    data = load("splice")
    y = (data.y == 2).astype(int)
    train, test = stratified_split(y, train_size=0.7, dataset="splice", split=1)
    order = np.argsort(-f_classif(data.X[train], y[train])[0], kind="stable")
    learner = TunedLearner("cost_error", c=0.25, random_state=trial_seed(0, "splice", "tuning", 1) % 2**31, **GRID)
    columns = np.sort(order[:3])
    expected = learner.fit(data.X[train][:, columns], y[train]).measure_on(data.X[test][:, columns], y[test])
    more = {"measure": "cost_error", "loss": "cost-sensitive", "c": 0.25, "split": 1}
    rows = bayes.run_trial(**trial("FScore", "splice", **more))
    assert rows[1]["value"] == expected
    assert {"dataset": "Splice", "k": 3, "c": 0.25, "metric": "cost_error", "split": 1}.items() <= rows[1].items()


@pytest.mark.parametrize(
    ("measure", "c"),
    [("error_0_1", None), ("cost_error", 0.25), ("balanced_error", None), ("log_loss", None), ("f1", None)],
)
def test_bayes_filters_follow_the_measure(measure, c):
    """BayesScore's first column is the one with the best value of the measure's own criterion."""
    (_, y, levels), _ = bayes.split_parts("splice", 0, 0)
    criterion = bayes.criterion_for(measure, c)
    values = [
        criterion.value(np.bincount(2 * column.astype(int) + y, minlength=4).reshape(2, 2)) for column in levels.T
    ]
    first = bayes._ranking("splice", 0, 0, "BayesScore", measure, c, "exact", "log", 1)[0]
    assert_allclose(values[first], max(values), atol=1e-12)


def test_same_numbers_for_one_and_two_jobs(tmp_path):
    trials, _ = bayes.figure_trials(["Figure 3"], datasets=["splice"], n_splits=2, ks=[2, 4], grid=GRID)
    trials = [trial for trial in trials if trial["method"] in ("0-1-BayesGreedy", "MRMR")]
    one, two = (
        run_trials(bayes.run_trial, trials, cache_dir=tmp_path / str(n_jobs), n_jobs=n_jobs, progress=False)
        for n_jobs in (1, 2)
    )
    assert_frame_equal(one, two, check_exact=True)
    assert len(one) == 2 * 2 * 2


def test_every_panel_is_run_or_named_as_not_run(monkeypatch, tmp_path):
    monkeypatch.setenv("FSLIB_DATA", str(tmp_path))  # no mirror: bundled data only
    items = sorted({panel.item for panel in PANELS})
    trials, not_run = bayes.figure_trials(items, datasets=["adult", "splice", "semeion"], n_splits=1)
    run = {(trial["item"], TASKS[trial["dataset"]].title, trial["c"]) for trial in trials}
    assert len(run) + len(not_run) == len(PANELS)
    reasons = not_run.set_index("dataset")["reason"]
    assert (reasons["Mushroom"] == "not among the data sets of this run").all()
    assert reasons["Semeion"].str.startswith("not on this machine").all()
    assert {trial["ks"][-1] for trial in trials} == {15} and {len(trial["ks"]) for trial in trials} == {len(SMALL_K)}


def test_trials_are_distinct_and_follow_the_panels():
    grid = {"C": [1.0, 10.0], "gamma": [0.3, 1.0]}
    trials, _ = bayes.figure_trials(["Figure 3"], datasets=["splice"], n_splits=2, grid=grid, seed=5)
    assert len(trials) == len({str(trial) for trial in trials}) == (6 + 1) * 2  # and random features
    assert {trial["method"] for trial in trials} >= {"0-1-BayesGreedy", "MIGreedy"}
    assert all(trial["grid"] == grid and trial["seed"] == 5 for trial in trials)


def test_stand_ins_keep_all_but_the_data_set():
    assert {panel.c for panel in stand_ins("Figure 2", ["splice"])} == {0.1, 0.25}
    (panel,) = stand_ins("Figure 4(c)", ["splice"])
    assert panel == Panel("Figure 4(c)", "splice", "balanced_error", "balanced", estimation="bivariate")


def test_summary_by_hand():
    named = {"item": "Figure 2", "dataset": "Adult", "method": "MRMR", "loss": "cost-sensitive", "estimation": "exact"}
    named |= {"metric": "cost_error", "ties": ""}
    raw = pd.DataFrame(
        [named | {"c": c, "k": 2, "split": i, "value": v} for c in (0.1, 0.25) for i, v in enumerate([c, c + 0.2])]
    )
    table = bayes.summarise(raw)
    assert table["setting"].tolist() == [
        "k=2;loss=cost-sensitive;c=0.1;estimation=exact",
        "k=2;loss=cost-sensitive;c=0.25;estimation=exact",
    ]
    assert_allclose(table["value"], [0.2, 0.35])
    assert_allclose(table["std"], 0.2 / np.sqrt(2))
    assert (table["n"] == 2).all() and (table["paper"] == "bayes").all()
    without = bayes.summarise(raw.assign(c=None, loss="0-1").iloc[:2])
    assert without["setting"].tolist() == ["k=2;loss=0-1;estimation=exact"]


def test_figure_without_a_panel_has_no_rows(tmp_path):
    raw = run_trials(bayes.run_trial, [], cache_dir=tmp_path, progress=False)
    table = bayes.summarise(raw)
    assert table.empty and {"item", "setting", "value"} <= set(table.columns)
    assert claims_figures_4_5.fig5_gisette_second(table).word == "cannot be tested"
    assert bayes_claims.fig1_semeion_search_not_criterion(raw).word == "cannot be tested"
    assert bayes_claims.overall_competitive(table).word == "cannot be tested"


def test_two_rules_for_ties_where_a_filter_has_them():
    trials, _ = bayes.figure_trials(["Figure 1"], datasets=["splice"], n_splits=1)
    rules = [(trial["method"], trial["ties"]) for trial in trials]
    assert rules[:4] == [
        ("BayesGreedy", "log"),
        ("BayesGreedy", "index"),
        ("BayesScore", "log"),
        ("BayesScore", "index"),
    ]
    assert {ties for method, ties in rules[4:]} == {""}
    rows = [bayes._ranking("adult", 0, 0, "BayesGreedy", "error_0_1", None, "exact", ties, 15) for ties in TIES]
    (_, y, levels), _ = bayes.split_parts("adult", 0, 0)
    expected = [
        BayesGreedy("zero_one", n_features_to_select=15, tie_break=ties).fit(levels, y).ranking_[:15] for ties in TIES
    ]
    assert_array_equal(rows, expected)
    assert rows[0] != rows[1]


def test_random_features_are_drawn_anew_for_each_split():
    drawn = [bayes._ranking("splice", split, 0, CHANCE, "error_0_1", None, "exact", "log", 15) for split in (0, 1)]
    assert len(set(drawn[0])) == 15 and drawn[0] != drawn[1]
    assert drawn[0][:3] == bayes._ranking("splice", 0, 0, CHANCE, "error_0_1", None, "exact", "log", 3)


def test_equal_costs_that_round_differently_are_a_tie():
    """Three false positives at c = 0.25 cost what one false negative does: the smaller C, then the smaller gamma."""
    (X, y, _), _ = bayes.split_parts("adult", 2, 0)
    tuning = trial_seed(0, "adult", "tuning", 2) % 2**31
    learner = TunedLearner("cost_error", c=0.25, random_state=tuning).fit(X[:, [34, 39, 73]], y)
    assert learner.best_ == {"C": 0.1, "gamma": 1.0}
    at_the_best = np.flatnonzero(learner.grid_ <= learner.grid_.min() + 1e-12)
    assert len(set(learner.grid_.ravel()[at_the_best])) > 1  # not one number: rounding told them apart
