"""Eliminations against scikit-learn's RFE and against machines fitted on the features themselves."""

import numpy as np
import pytest
from joblib import parallel_config
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.feature_selection import RFE
from sklearn.svm import SVC

from fslib.correlated import ESVMRFE, SVMRFE, CoexpressionModules, FuzzESVM
from fslib.correlated._base import zscores
from fslib.correlated.elimination import REFRESH, eliminate, machine_duals, squared_weights
from fslib.correlated.module_pool import intra_sizes


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [30, 16])
    X = rng.normal(size=(46, 120)) + np.outer(y, rng.exponential(0.4, size=120))
    return X, y


def naive_rounds(X, y, step, C):
    """Refit on the features that are left, every round."""
    left, rounds, k = np.arange(X.shape[1]), np.zeros(X.shape[1], dtype=int), 0
    while len(left) > 1:
        k += 1
        weights = (SVC(kernel="linear", C=C).fit(X[:, left], y).coef_ ** 2).sum(axis=0)
        worst = left[np.argsort(weights)[: min(step, len(left) - 1)]]
        rounds[worst] = k
        left = np.setdiff1d(left, worst)
    rounds[left] = k + 1
    return rounds


@pytest.mark.parametrize("C", [0.01, 1.0])
@pytest.mark.parametrize("step", [1, 7])
def test_svm_rfe_is_scikit_learns_at_equal_steps(data, C, step):
    X, y = data
    Z = zscores(X)
    ours = SVMRFE(C=C, step=step, one_by_one=0).fit(X, y)
    theirs = RFE(SVC(kernel="linear", C=C), n_features_to_select=1, step=step).fit(Z, y)
    assert_array_equal(ours.rounds_.max() + 1 - ours.rounds_, theirs.ranking_)
    assert_array_equal(theirs.ranking_[ours.ranking_], np.sort(theirs.ranking_))
    assert_array_equal(ours.rounds_, naive_rounds(Z, y, step, C))


def test_many_rounds_do_not_drift(data):
    X, y = data
    assert REFRESH < 119
    assert_array_equal(SVMRFE(step=1).fit(1e4 + 1e-2 * X, y).ranking_, SVMRFE(step=1).fit(X, y).ranking_)


def test_steps_are_shares_of_what_is_left_until_one_by_one(data):
    left, sizes = 120, []
    while left > 40:
        sizes.append(min(int(0.3 * left), left - 40))
        left -= sizes[-1]
    rounds = SVMRFE(step=0.3, one_by_one=40).fit(*data).rounds_
    assert_array_equal(np.bincount(rounds)[1:], [*sizes, *[1] * 40])


def test_esvm_with_one_full_bag_is_svm_rfe(data):
    X, y = data
    ensemble = ESVMRFE(n_models=1, drop=0.2, bootstrap=False, n_features_to_select=1).fit(X, y)
    assert_array_equal(ensemble.ranking_, SVMRFE(step=0.2, one_by_one=0).fit(X, y).ranking_)
    assert_array_equal(ensemble.rounds_, SVMRFE(step=0.2, one_by_one=0).fit(X, y).rounds_)


def test_weights_of_a_bag_are_those_of_a_machine_on_the_repeated_rows(data):
    X, y = data
    rows = np.array([0, 0, 0, 3, 5, 30, 31, 31, 40, 40])
    duals = machine_duals(X @ X.T, y, 0.5, rows)
    theirs = SVC(kernel="linear", C=0.5).fit(X[rows], y[rows]).coef_[0]
    assert_allclose(squared_weights(X, duals), theirs**2, atol=1e-6 * theirs.max() ** 2)
    assert not duals[0, [1, 2, 45]].any()


def test_three_classes_have_a_machine_for_each_pair():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(45, 10)), np.repeat([2, 0, 1], 15)
    theirs = (SVC(kernel="linear", tol=1e-6).fit(X, y).coef_ ** 2).sum(axis=0)
    assert_allclose(squared_weights(X, machine_duals(X @ X.T, y, 1.0)), theirs, rtol=5e-3)


def test_bags_are_balanced_with_replacement_and_keep_labels(data):
    y = data[1]
    members = [np.flatnonzero(y == c) for c in (0, 1)]
    bag = ESVMRFE()._bag(members, 16, np.random.RandomState(0))
    assert_array_equal(y[bag], np.repeat([0, 1], 16))
    assert len(set(bag)) < 32
    assert_array_equal(ESVMRFE(bootstrap=False)._bag(members, 16, None), range(46))


def test_normalised_machines_have_weights_of_length_one(data, monkeypatch):
    X, y = data
    monkeypatch.setattr("fslib.correlated.esvm_rfe.eliminate", lambda X, duals, *_: (duals(X @ X.T), None))
    duals, _ = ESVMRFE(n_models=6, normalise=True)._eliminate(X, y, 120, np.random.RandomState(0))
    assert_allclose(np.linalg.norm(duals @ X, axis=1), np.ones(6), rtol=1e-9)


def test_rounds_of_the_two_readings(data):
    sizes = lambda reading: np.bincount(
        ESVMRFE(n_models=2, drop=0.3, reading=reading, n_features_to_select=20, random_state=0).fit(*data).rounds_
    )[1:]
    # 120 - 36 = 84 in both; then 84 * 0.3 = 25.2: corrected drops 25, published keeps floor(58.8) = 58
    corrected, published = sizes("corrected"), sizes("published")
    assert_array_equal(corrected[:3], [36, 25, 17])
    assert corrected[-1] == 20
    assert_array_equal(published[:3], [36, 26, 18])
    assert published[-1] == 1


def test_a_class_of_one_sample_cannot_be_bagged(data):
    with pytest.raises(ValueError, match="at least two samples of each class"):
        ESVMRFE().fit(data[0], np.r_[1, np.zeros(45)])


def test_eliminate_takes_lower_index_in_a_tie():
    order, _ = eliminate(np.ones((2, 4)), lambda K: np.array([[1.0, 0.0]]), 1, lambda left: 1)
    assert_array_equal(order, range(4))


@pytest.fixture
def grouped():
    rng = np.random.default_rng(0)
    y = np.arange(50) % 2
    profiles = rng.normal(size=(50, 2)) + np.outer(y, [0.8, 0])
    X = np.repeat(profiles, [40, 30], axis=1) + 0.4 * rng.normal(size=(50, 70))
    return np.hstack([X, rng.normal(size=(50, 30)), np.full((50, 1), 0.1)]), y


def test_fuzz_esvm_keeps_the_best_of_every_module(grouped):
    X, y = grouped
    selector = FuzzESVM(n_models=8, intra_d=6, n_features_to_select=10, random_state=0).fit(X, y)
    assert_array_equal(np.bincount(selector.labels_[selector.pool_]), [6, 6, 6])
    assert set(selector.ranking_[:10]) <= set(selector.pool_) == set(selector.ranking_[:18])
    assert selector.ranking_[-1] == 100  # the constant feature
    module = np.flatnonzero(selector.labels_ == 1)
    others = [j for j in selector.ranking_[18:] if j in module]
    assert len(others) == len(module) - 6


def test_fuzz_esvm_does_not_depend_on_processes_nor_on_who_found_the_modules(grouped):
    X, y = grouped
    options = {"n_models": 5, "n_features_to_select": 8, "random_state": 3}
    first = FuzzESVM(**options).fit(X, y)
    labels = CoexpressionModules().fit(X).labels_
    assert_array_equal(first.labels_, labels)
    with parallel_config(backend="threading"):  # processes take seconds to start
        assert_array_equal(FuzzESVM(**options, modules=labels, n_jobs=2).fit(X, y).ranking_, first.ranking_)
    assert FuzzESVM(**options, modules=labels).fit(X, y).modules_ is None
    assert FuzzESVM(**options, modules=CoexpressionModules(power=3)).fit(X, y).modules_.power_ == 3


def test_one_module_of_all_features_is_two_eliminations(grouped):
    X, y = grouped[0][:, :-1], grouped[1]
    selector = FuzzESVM(
        n_models=5, modules=np.ones(100, dtype=int), intra_d=100, n_features_to_select=7, random_state=0
    )
    seeds = np.random.RandomState(0).randint(np.iinfo(np.int32).max, size=2)
    last = ESVMRFE(n_models=5, n_features_to_select=7, random_state=seeds[1]).fit(X, y)
    assert_array_equal(selector.fit(X, y).ranking_, last.ranking_)


def test_a_pool_too_small_or_labels_of_another_length_are_refused(grouped):
    with pytest.raises(ValueError, match="intra_d=2 leaves a pool of 6 features of 3 modules, fewer than the 10"):
        FuzzESVM(intra_d=2, n_features_to_select=10).fit(*grouped)
    with pytest.raises(ValueError, match="modules has shape"):
        FuzzESVM(modules=[1, 2], n_features_to_select=10).fit(*grouped)


def test_pool_is_the_smallest_that_is_large_enough():
    rng = np.random.default_rng(0)
    for _ in range(30):
        sizes = rng.integers(1, 200, size=rng.integers(1, 6))
        wanted = int(rng.integers(1, sizes.sum() + 1))
        kept = intra_sizes(sizes, wanted)
        least = np.minimum(sizes, np.maximum(10, np.ceil(0.05 * sizes)))
        assert (kept >= least).all() and (kept <= sizes).all() and sum(kept) >= wanted
        if sum(least) >= wanted:
            assert_array_equal(kept, least)
        else:
            assert sum(kept) < wanted + len(sizes)
