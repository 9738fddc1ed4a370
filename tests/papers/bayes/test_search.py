"""Greedy paths and exhaustive search on cases that can be counted by hand."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from fslib.filters import BayesGreedy
from fslib.filters.criteria import Balanced, Log, ZeroOne
from fslib.papers.bayes import search as bayes_search
from fslib.papers.bayes.search import greedy_path, training_value


def test_training_value_by_hand():
    levels = np.array([[0, 0], [0, 0], [0, 1], [2, 1], [2, 1], [2, 1]])
    y = np.array([0, 1, 1, 1, 1, 0])
    # trials: (0,0) has one of each, (0,1) one positive, (2,1) two positives and a negative: two errors of six
    assert_allclose(training_value(ZeroOne(), levels, y), -2 / 6)
    assert_allclose(training_value(Balanced(), levels, y), -(1 / 4 + 1 / 2))
    assert_allclose(training_value(Log(), levels, y), (2 * np.log(1 / 2) + 2 * np.log(2 / 3) + np.log(1 / 3)) / 6)


def test_path_agrees_with_counting_every_step_anew():
    rng = np.random.default_rng(0)
    levels, y = rng.integers(0, 3, (150, 8)), rng.integers(0, 2, 150)
    path = greedy_path(levels, y, k=5)
    assert_array_equal(path["column"], BayesGreedy(n_features_to_select=5).fit(levels, y).ranking_[:5])
    for row in path.itertuples():
        taken = path["column"][: row.t].to_numpy()
        assert_allclose(row.criterion, training_value(ZeroOne(), levels[:, taken], y))
        _, counts = np.unique(levels[:, taken], axis=0, return_counts=True)
        assert_allclose(row.unique, (counts == 1).sum() / 150)
        others = np.setdiff1d(np.arange(8), taken[:-1])
        values = [training_value(ZeroOne(), levels[:, [*taken[:-1], j]], y) for j in others]
        assert row.tied == np.isclose(values, max(values), rtol=0, atol=1e-12).sum()


def test_exhaustive_search_finds_the_exclusive_or_that_greedy_misses(monkeypatch):
    rng = np.random.default_rng(0)
    levels = rng.integers(0, 2, (400, 5))
    y = levels[:, 0] ^ levels[:, 1]
    levels[:, 4] = np.where(rng.random(400) < 0.7, y, 1 - y)  # the best single column
    part = (levels[:200].astype(float), y[:200], levels[:200]), (levels[200:].astype(float), y[200:])
    monkeypatch.setattr(bayes_search, "split_parts", lambda *_: part)
    monkeypatch.setattr(bayes_search, "held_out_value", lambda *key: float(key[3] != (0, 1)))
    rows = bayes_search.run_search_trial(dataset="semeion", split=0, k=2, seed=0, grid={})
    found = {(row["method"], row["metric"]): row["value"] for row in rows}
    assert found["BayesExhaustive", "criterion"] == found["MIExhaustive", "criterion"] == 0
    assert found["BayesGreedy", "criterion"] < 0 and found["BayesGreedy", "error_0_1"] == 1
    assert found["BayesExhaustive", "error_0_1"] == 0
