import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from fslib.imbalance import BalancedIterativeRandomForest


def data(n=100, n_rare=12, d=60, seed=0):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, d)), np.arange(n) < n_rare
    X[np.ix_(y, [3, 40])] += 2.5
    return X, y


def forest(**options):
    return BalancedIterativeRandomForest(
        n_features_to_select=2, n_estimators=60, min_features=10, random_state=0, **options
    )


def test_rounds_halve_the_features_and_later_ones_rank_first():
    X, y = data()
    model = forest().fit(X, y)
    assert model.sizes_[0] == 60 and model.sizes_[-1] >= 10 and model.n_rounds_ == len(model.sizes_) > 1
    assert np.all(np.diff(model.sizes_) < 0)
    assert_array_equal(np.sort(model.ranking_[:2]), [3, 40])
    rounds = np.floor(model.scores_[model.ranking_])
    assert np.all(np.diff(rounds) <= 0)
    assert_array_equal([np.sum(rounds >= r) for r in range(model.n_rounds_)], model.sizes_)
    last = model.scores_[model.scores_ >= model.n_rounds_ - 1]
    assert_allclose(np.sum(last - (model.n_rounds_ - 1)), 1)


def test_one_round_is_the_importance_of_a_forest():
    X, y = data()
    model = forest(max_rounds=1).fit(X, y)
    assert_allclose(model.scores_.sum(), 1)
    assert model.sizes_ == [60]


def test_number_of_jobs_changes_nothing():
    X, y = data()
    assert_array_equal(forest(n_jobs=2).fit(X, y).scores_, forest().fit(X, y).scores_)


@pytest.mark.parametrize("options", [{"min_features": 0}, {"max_rounds": 0}])
def test_impossible_parameters(options):
    with pytest.raises(ValueError, match="must be an integer >= 1"):
        BalancedIterativeRandomForest(**options).fit(*data())
