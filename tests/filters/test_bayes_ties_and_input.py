"""Ties, exhausted searches, early stops and bad input of the Bayes selectors."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

from fslib.filters import BayesExhaustive, BayesGreedy, BayesScore, OutOfInformationWarning
from fslib.filters.criteria import CostMatrix, CostSensitive, Squared
from fslib.filters.search.ties import best_candidate, rank_candidates

pytestmark = pytest.mark.filterwarnings("ignore::fslib.filters.OutOfInformationWarning")  # small data run dry

SCORED = ["zero_one", "balanced", "log", "yang_hu", "f_beta", "auc"]


def rare_positives(n=200, d=6, seed=0):
    """No single column makes a cell in which positives are the majority: all tie under the 0-1 criterion."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % 10 == 0).astype(int)
    return np.where(rng.random((n, d)) < np.linspace(0, 0.3, d), y[:, None], rng.integers(0, 2, (n, d))), y


@pytest.mark.parametrize("criterion", SCORED)
def test_complements_and_copies_tie_and_the_lower_index_wins(criterion):
    rng = np.random.default_rng(1)
    x, y, noise = rng.integers(0, 2, 50), rng.integers(0, 2, 50), rng.integers(0, 2, 50)
    x = np.where(rng.random(50) < 0.6, y, x)
    X = np.column_stack([noise, 1 - x, x, x + 5])
    assert_array_equal(BayesScore(criterion).fit(X, y).ranking_, [1, 2, 3, 0])
    greedy = BayesGreedy(criterion, n_features_to_select=1).fit(X, y)
    assert greedy.ranking_[0] == 1
    assert greedy.n_tied_[0] == 3


@pytest.mark.parametrize("criterion", SCORED)
@pytest.mark.parametrize("order", ["exact", 2])
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_constant_columns_come_last(criterion, order, direction):
    X, y = rare_positives()
    X = np.column_stack([np.ones(200), X[:, :3], np.zeros(200), X[:, 3:]]).astype(int)
    for data, tie_break in [(X, "log"), (X, "index"), (sp.csr_array(X), "index")]:
        greedy = BayesGreedy(
            criterion, n_features_to_select=6, order=order, direction=direction, tie_break=tie_break
        ).fit(data, y)
        assert_array_equal(greedy.ranking_[6:], [0, 4])
        assert_array_equal(BayesScore(criterion, tie_break=tie_break).fit(data, y).ranking_[6:], [0, 4])


def test_log_criterion_decides_ties_of_the_zero_one_criterion():
    X, y = rare_positives()
    by_index = BayesScore("zero_one", tie_break="index").fit(X, y)
    assert_allclose(by_index.scores_, -0.1)
    assert_array_equal(by_index.ranking_, range(6))
    by_log = BayesScore("zero_one").fit(X, y)
    assert_array_equal(by_log.ranking_, BayesScore("log").fit(X, y).ranking_)
    assert by_log.ranking_[0] == BayesGreedy("zero_one", n_features_to_select=1).fit(X, y).ranking_[0] != 0
    assert BayesGreedy("zero_one", n_features_to_select=1).fit(X, y).n_tied_[0] == 6


def test_ties_are_judged_with_a_tolerance():
    eligible, constant = np.ones(3, dtype=bool), np.zeros(3, dtype=bool)
    values = np.array([0.1 + 0.2, 0.3, 0.3 - 1e-9])  # the first two differ by rounding
    assert best_candidate(values[::-1], None, constant, eligible) == (1, 2)
    assert_array_equal(rank_candidates(values, None, constant), [0, 1, 2])
    assert_array_equal(rank_candidates(values[[1, 0, 2]], None, constant), [0, 1, 2])
    assert_array_equal(rank_candidates(values, None, np.array([True, False, False])), [1, 0, 2])


def test_a_search_that_runs_dry_says_so_and_goes_on_by_score():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 40)
    noise = rng.integers(0, 2, (40, 5))
    X = np.column_stack([noise, y])
    with pytest.warns(OutOfInformationWarning, match="After 1 features the exact criterion"):
        greedy = BayesGreedy("zero_one", n_features_to_select=4).fit(X, y)
    assert greedy.n_informative_ == 1
    assert_allclose(greedy.criterion_values_, 0)
    assert_array_equal(greedy.n_tied_, [1, 5, 4, 3])
    assert_array_equal(greedy.ranking_, BayesScore("zero_one").fit(X, y).ranking_)


def test_higher_order_goes_on_when_two_columns_say_everything():
    X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    greedy = BayesGreedy("zero_one", n_features_to_select=3, order=3).fit(X, X[:, 1])
    assert_array_equal(greedy.ranking_, [1, 0, 2])
    assert_allclose(greedy.criterion_values_, 0)


def test_min_gain_stops_early():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 2000)
    X = np.column_stack([rng.integers(0, 2, (2000, 4)), np.where(rng.random(2000) < 0.7, y, 1 - y)])
    greedy = BayesGreedy("zero_one", min_gain=0.05).fit(X, y)
    assert_array_equal(greedy.get_support(indices=True), [4])
    assert greedy.n_informative_ == len(greedy.criterion_values_) == 1
    gains = np.diff(BayesGreedy("log", n_features_to_select=5).fit(X, y).criterion_values_)
    assert BayesGreedy("log", n_features_to_select=3, min_gain=gains[0] * 1.001).fit(X, y).support_.sum() == 1
    assert BayesGreedy("log", n_features_to_select=3, min_gain=0).fit(X, y).support_.sum() == 3


@pytest.mark.parametrize("labels", [["no", "yes"], [False, True], [-1, 1], [0.0, 1.0]])
def test_the_second_label_is_the_positive_class(labels):
    X, codes = rare_positives()
    y = np.array(labels)[codes]
    expected = BayesGreedy(CostSensitive(0.1), n_features_to_select=3).fit(X, codes)
    greedy = BayesGreedy(CostSensitive(0.1), n_features_to_select=3).fit(X, y)
    assert_array_equal(greedy.ranking_, expected.ranking_)
    assert_array_equal(greedy.criterion_values_, expected.criterion_values_)
    assert_array_equal(greedy.classes_, labels)
    swapped = BayesGreedy(CostSensitive(0.9), n_features_to_select=3).fit(X, 1 - codes)
    assert_allclose(swapped.criterion_values_, expected.criterion_values_)


def test_mixed_frames_work_and_new_levels_pass_through():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 30)
    frame = pd.DataFrame(
        {
            "text": np.array(["a", "b", "c"])[rng.integers(0, 3, 30)],
            "copy": np.array(["low", "high"])[y],
            "flag": rng.integers(0, 2, 30).astype(bool),
            "category": pd.Categorical(rng.integers(0, 3, 30)),
        }
    )
    greedy = BayesGreedy(n_features_to_select=2).set_output(transform="pandas").fit(frame, y)
    assert greedy.ranking_[0] == 1
    frame.loc[0, "copy"] = "never seen"
    assert greedy.transform(frame)["copy"][0] == "never seen"


X, Y = rare_positives(n=60)


@pytest.mark.parametrize(
    ("selector", "y", "message"),
    [
        (BayesGreedy("accuracy"), Y, "unknown criterion"),
        (BayesGreedy(tie_break="random"), Y, "tie_break"),
        (BayesGreedy(order=1), Y, "order=1"),
        (BayesGreedy(order="pairwise"), Y, "order='pairwise'"),
        (BayesGreedy(order=2.5), Y, "order=2.5"),
        (BayesGreedy(direction="sideways"), Y, "direction"),
        (BayesGreedy(order=3, direction="backward"), Y, "backward"),
        (BayesGreedy(order=2, min_gain=0.1), Y, "min_gain"),
        (BayesGreedy(min_gain="small"), Y, "min_gain='small' must be a number"),
        (BayesGreedy(min_gain=np.nan), Y, "min_gain=nan must be a number"),
        (BayesGreedy(min_gain=True), Y, "min_gain=True must be a number"),
        (BayesGreedy(n_features_to_select=7), Y, "between 1 and the 6 features"),
        (BayesGreedy(CostSensitive(0.2)), np.arange(60) % 3, "two classes, got 3"),
        (BayesScore(CostMatrix([[0, 1], [1, 0]])), np.arange(60) % 3, "2 classes, but there are 3"),
        (BayesScore("squared"), np.full(60, 3.0), "constant"),
        (BayesScore("squared"), np.where(Y, "a", "b"), "could not convert"),
        (BayesGreedy(Squared("linear"), order=2), Y, "linear"),
        (BayesExhaustive(Squared("linear")), Y, "BayesGreedy"),
        (BayesExhaustive(n_features_to_select=3, max_subsets=19), Y, "20 sets of 3 among 6"),
    ],
)
def test_bad_parameters(selector, y, message):
    with pytest.raises(ValueError, match=message):
        selector.fit(X, y)


def test_searches_that_would_never_end_are_refused():
    wide = np.random.default_rng(0).integers(0, 2, (20, 600))
    y = np.arange(20) % 2
    with pytest.raises(ValueError, match="600 columns"):
        BayesGreedy(direction="backward").fit(wide, y)
    with pytest.raises(ValueError, match="order=4 with 300 features"):
        BayesGreedy(order=4).fit(wide, y)
    with pytest.raises(ValueError, match="max_subsets"):
        BayesExhaustive(n_features_to_select=4).fit(wide, y)
    with pytest.raises(ValueError, match="matrix of pairs"):
        BayesGreedy(order=2, direction="backward").fit(sp.random_array((20, 13_000), density=0.1, dtype=bool), y)
