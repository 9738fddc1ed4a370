"""Fuzzy forest, HLR and the linear paths against definitions written out and other libraries."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso

from fslib.correlated import HLR, ElasticNetPath, FuzzyForest, LassoPath
from fslib.correlated._base import zscores
from fslib.correlated.forest_importance import out_of_bag_importance


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    y = np.arange(50) % 2
    X = rng.normal(size=(50, 30))
    X[:, [4, 9]] += 2 * y[:, None]
    return X, y


def test_importance_is_the_fall_in_accuracy_tree_by_tree(data):
    X, y = data
    forest = RandomForestClassifier(15, random_state=0).fit(X, y)
    random = np.random.default_rng(7)
    expected = np.zeros(30)
    for tree, seen in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        rows = np.setdiff1d(np.arange(50), seen)
        right = (tree.predict(X[rows]) == y[rows]).mean()
        for j in range(30):
            if j in tree.tree_.feature:
                permuted = X[rows].copy()
                permuted[:, j] = random.permutation(permuted[:, j])
                expected[j] += right - (tree.predict(permuted) == y[rows]).mean()
    assert_allclose(out_of_bag_importance(forest, X, y, np.random.default_rng(7)), expected / 15, atol=1e-12)


def test_fuzzy_forest_screens_every_module_to_its_share(data):
    X, y = data
    labels = np.repeat([0, 1, 2], [10, 15, 5])
    selector = FuzzyForest(
        keep_fraction=0.2, n_trees=30, final_trees=60, modules=labels, n_features_to_select=3, random_state=0
    )
    selector.fit(X, y)
    assert_array_equal(np.bincount(labels[selector.pool_]), [2, 3, 1])
    assert set(selector.ranking_[:6]) == set(selector.pool_)
    assert {4, 9} <= set(selector.ranking_[:3])
    assert (np.diff(selector.importances_) <= 0).all() and len(selector.importances_) == 3
    assert_array_equal(FuzzyForest(**selector.get_params()).set_params(n_jobs=2).fit(X, y).ranking_, selector.ranking_)


def test_fuzzy_forest_drops_a_share_and_stops_at_the_target(data, monkeypatch):
    X, y = data
    sizes = []
    original = FuzzyForest._importance

    def counted(self, X, codes, n_trees, random):
        sizes.append((X.shape[1], n_trees))
        return original(self, X, codes, n_trees, random)

    monkeypatch.setattr(FuzzyForest, "_importance", counted)
    FuzzyForest(keep_fraction=0.1, n_trees=20, final_trees=7, modules=np.ones(30, int), n_features_to_select=3).fit(
        X, y
    )
    # 30 - 8, 22 - 6, 16 - 4, 12 - 3, 9 - 3, 6 - 2, 4 - 1: the target of three; the pool is the selection
    assert sizes == [(30, 30), (22, 22), (16, 20), (12, 20), (9, 20), (6, 20), (4, 20), (3, 7)]


def test_paths_rank_by_entry_then_size_then_reserve(data):
    X, y = data
    Z, target = zscores(X), 2.0 * y - 1
    selector = LassoPath(n_lambdas=40).fit(X, y)
    path = np.array([Lasso(lam, tol=1e-8, max_iter=100_000).fit(Z, target).coef_ for lam in selector.lambdas_])
    assert_allclose(selector.coef_path_, path, atol=1e-3)
    assert_allclose(selector.lambdas_[0], np.abs(Z.T @ target).max() / 50)
    assert not selector.coef_path_[0].any() and selector.coef_path_[1].any()
    entry = np.where((path != 0).any(axis=0), (path != 0).argmax(axis=0), 40)
    assert (np.diff(entry[selector.ranking_]) >= 0).all()
    assert set(selector.ranking_[:2]) == {4, 9}


def test_features_that_never_enter_follow_by_correlation():
    rng = np.random.default_rng(0)
    y = np.arange(12) % 2
    X = rng.normal(size=(12, 200))
    for selector in (LassoPath().fit(X, y), ElasticNetPath(l1_ratio=0.5).fit(X, y)):
        fill = selector.ranking_[selector.n_entered_ :]
        correlation = np.abs(zscores(X).T @ (2 * y - 1))
        assert (np.diff(correlation[fill]) <= 0).all() and not selector.coef_path_[:, fill].any()
    assert LassoPath().fit(X, y).n_entered_ < ElasticNetPath(l1_ratio=0.1).fit(X, y).n_entered_ < 200


def test_native_support_is_there_only_on_request(data):
    assert not hasattr(LassoPath().fit(*data), "native_support_")
    support = LassoPath(cv=5).fit(*data).native_support_
    assert support[[4, 9]].all() and support.sum() < 30


def test_hlr_coefficients_are_for_the_features_as_passed(data):
    X, y = data
    X = 100 + 7 * X
    selector = HLR(alpha=0.05, n_lambdas=10).fit(X, y)
    by_hand = zscores(X) @ (selector.coef_path_ * X.std(axis=0)).T
    mean_part = selector.intercept_path_ + selector.coef_path_ @ X.mean(axis=0)
    assert_allclose(selector.decision_path(X), by_hand + mean_part, atol=1e-9)
    assert not selector.coef_path_[0].any()
    assert ((selector.decision_path(X)[:, -1] > 0) == y).mean() > 0.9
    assert all((np.diff(values) <= 1e-14).all() for values in selector.objective_)


def test_hlr_with_less_of_the_square_root_holds_more_features(data):
    entered = [HLR(alpha=alpha, n_lambdas=10).fit(*data).n_entered_ for alpha in (0.02, 0.2, 0.6)]
    assert entered[0] > entered[1] > entered[2] >= 2


def test_hlr_ranks_by_entry_then_by_gradient(data):
    X, y = data
    selector = HLR(alpha=0.3, n_lambdas=6).fit(X, y)
    active = selector.coef_path_ != 0
    entry = np.where(active.any(axis=0), active.argmax(axis=0), 6)
    assert (np.diff(entry[selector.ranking_]) >= 0).all()
    residual = y - 1 / (1 + np.exp(-selector.decision_path(X)[:, -1]))
    fill = selector.ranking_[selector.n_entered_ :]
    assert len(fill) and (np.diff(np.abs(zscores(X).T @ residual)[fill]) <= 1e-9).all()


def test_hlr_says_when_it_stops_early(data):
    with pytest.warns(ConvergenceWarning, match="max_iter=1 passes"):
        assert not HLR(alpha=0.05, max_iter=1).fit(*data).converged_
