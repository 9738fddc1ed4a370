"""Mutual information selectors: the log criterion under another name, in nats and within its bounds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import mutual_info_score

from fslib.filters import BayesGreedy, BayesScore, MIGreedy, MIScore

pytestmark = pytest.mark.filterwarnings("ignore::fslib.filters.OutOfInformationWarning")  # small data run dry


def data(n=200, d=8, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    return np.where(rng.random((n, d)) < np.linspace(0, 0.5, d), y[:, None], rng.integers(0, 4, (n, d))), y


def entropy(labels):
    return mutual_info_score(labels, labels)


def test_scores_are_those_of_scikit_learn():
    X, y = data()
    assert_allclose(MIScore().fit(X, y).scores_, [mutual_info_score(x, y) for x in X.T], atol=1e-13)


@pytest.mark.parametrize("order", ["exact", 2])
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_is_the_log_criterion_plus_the_entropy_of_the_class(order, direction):
    X, y = data()
    information = MIGreedy(n_features_to_select=5, order=order, direction=direction).fit(X, y)
    bayes = BayesGreedy("log", n_features_to_select=5, order=order, direction=direction).fit(X, y)
    assert_array_equal(information.ranking_, bayes.ranking_)
    assert_allclose(information.criterion_values_, bayes.criterion_values_ + entropy(y), atol=1e-13)
    assert_array_equal(
        MIScore(n_features_to_select=5).fit(X, y).ranking_, BayesScore("log", n_features_to_select=5).fit(X, y).ranking_
    )


def test_path_is_the_information_of_the_joint_columns():
    X, y = data(n_classes=2)
    greedy = MIGreedy(n_features_to_select=4).fit(X, y)
    for t in range(1, 5):
        _, cell = np.unique(X[:, greedy.ranking_[:t]], axis=0, return_inverse=True)
        assert_allclose(greedy.criterion_values_[t - 1], mutual_info_score(cell.ravel(), y), atol=1e-13)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(4, 60))
def test_information_lies_between_zero_and_the_smaller_entropy(seed, n):
    rng = np.random.default_rng(seed)
    y = np.concatenate([[0, 1], rng.integers(0, 4, n - 2)])
    X = np.column_stack([y > 0, y, np.zeros(n), rng.integers(0, 3, n), (y + 1) % 2]).astype(int)
    scores = MIScore(n_features_to_select=2).fit(X, y).scores_
    n_log_n = lambda counts: counts[counts > 0] @ np.log(counts[counts > 0])
    upper = [np.log(n) - max(n_log_n(np.bincount(x)), n_log_n(np.bincount(y))) / n for x in X.T]
    assert (scores >= 0).all()
    assert (scores <= np.array(upper) + 1e-15).all()
    assert scores[2] == 0
    assert MIGreedy(n_features_to_select=3).fit(X, y).criterion_values_.max() <= entropy(y) + 1e-15


def test_exclusive_or_is_invisible_to_scores_and_complete_in_company():
    X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    y = X[:, 1] ^ X[:, 2]
    assert_allclose(MIScore().fit(X, y).scores_, 0, atol=1e-15)
    greedy = MIGreedy(n_features_to_select=2, direction="backward").fit(X, y)
    assert_array_equal(greedy.get_support(indices=True), [1, 2])
    assert_allclose(greedy.criterion_values_, [0, np.log(2)], atol=1e-15)


def test_min_gain_is_in_nats():
    X, y = data(n=3000, n_classes=2)
    values = MIGreedy(n_features_to_select=8).fit(X, y).criterion_values_
    gains = np.diff(values)
    assert (np.diff(gains[:2]) < 0).all()
    stop = MIGreedy(n_features_to_select=8, min_gain=(gains[0] + gains[1]) / 2).fit(X, y)
    assert_allclose(stop.criterion_values_, values[:2])
