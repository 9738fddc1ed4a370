"""Searches on the exclusive or, where every step can be foretold."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from fslib.filters import BayesGreedy
from fslib.filters.criteria import Log, ZeroOne
from fslib.papers.bayes.paths import (
    exclusive_or,
    path_rows,
    search_rows,
    share_no_better_than_none,
    subset_average,
    tie_rows,
)
from fslib.papers.bayes.search import training_value
from fslib.tidy import with_settings


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_average_over_pairs_falls_although_columns_only_join(k):
    X, y = exclusive_or(n_noise=3)
    # one pair of k(k-1)/2 knows the label, all others guess
    assert_allclose(subset_average(ZeroOne(), X, y, range(k)), -(1 - 2 / (k * (k - 1))) / 2)
    assert training_value(ZeroOne(), X[:, :k], y) == 0


def test_average_is_what_the_bivariate_search_reports():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (80, 6)), rng.integers(0, 2, 80)
    search = BayesGreedy("log", n_features_to_select=4, order=2).fit(X, y)
    assert_allclose(search.criterion_values_[3], subset_average(Log(), X, y, search.ranking_[:4]))


def test_greedy_falls_for_the_decoy_and_exhaustive_search_does_not():
    X, y = exclusive_or(decoy=True)
    rows = with_settings(search_rows("xor", X, y, ["0-1 error", "log"], [1, 2, 3])).set_index(["loss", "method", "k"])
    for loss in ("0-1 error", "log"):
        assert rows.loc[(loss, "BayesExhaustive", 2), "columns"] == (0, 1)
        assert 2 in rows.loc[(loss, "BayesGreedy", 2), "columns"]
        assert rows.loc[(loss, "BayesExhaustive", 2), "value"] == 0 > rows.loc[(loss, "BayesGreedy", 2), "value"]
        assert rows.loc[(loss, "BayesGreedy", 3), "value"] == 0


def test_backward_search_keeps_the_exclusive_or():
    X, y = exclusive_or(decoy=True)
    rows = with_settings(path_rows("xor", X, y, [1, 2])).set_index(["direction", "estimation", "k"])["value"]
    assert rows["forward", "exact", 2] == 0.25
    assert rows["backward", "exact", 2] == rows["backward", "bivariate", 2] == 0
    assert rows["backward", "exact", 1] == 0.5


def test_exhaustive_search_agrees_with_trying_all_triples():
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 2, (60, 7)), rng.integers(0, 2, 60)
    X[:, 0] = y | X[:, 0]  # no positive has a 0 here: a cell without one of the classes, met first
    rows = search_rows("random", X, y, ["0-1 error"], [3]).set_index("method")
    best = max(training_value(ZeroOne(), X[:, c], y) for c in combinations(range(7), 3))
    assert_allclose(rows.loc["BayesExhaustive", "value"], best)
    assert_allclose(training_value(ZeroOne(), X[:, rows.loc["BayesExhaustive", "columns"]], y), best)


def test_tie_rows_count_unique_rows_and_candidates():
    X = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]])
    y = np.array([0, 1, 1, 1])
    rows = with_settings(tie_rows("or", X, y, 2)).set_index(["search", "metric", "k"])["value"]
    exact = rows["exact, ties by log"]
    assert_array_equal(exact["unique_rows"], [0, 1])
    assert_array_equal(exact["tied_columns"], [3, 1])  # one error each, the constant column included
    assert_array_equal(exact["training_error"], [0.25, 0])


def test_share_of_useless_columns_by_hand():
    X, y = exclusive_or(n_noise=1, decoy=True)
    assert share_no_better_than_none(X, y) == 3 / 4
