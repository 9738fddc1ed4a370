"""Every block of WMCFS is minimised exactly: no round may raise the objective, no step aside may lower it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from sklearn.metrics import adjusted_rand_score

from fslib.multiview import WMCFS
from fslib.multiview.wmcfs import best_view_weights, cluster, nearest

VIEWS = [np.arange(3), np.arange(3, 5), np.arange(5, 9)]


def planted(seed=0):
    """Three clusters in columns 3 and 4, noise elsewhere."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], 20)
    X = rng.normal(size=(60, 9))
    X[:, 3:5] += np.array([[0, 0], [8, 0], [0, 8]])[y]
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def objective(X, labels, view_weights, tau, beta, rho):
    within = np.zeros(X.shape[1])
    for k in np.unique(labels):
        within += ((X[labels == k] - X[labels == k].mean(axis=0)) ** 2).sum(axis=0)
    data = sum(a**rho * (tau[v] ** 2 @ within[v]) for a, v in zip(view_weights, VIEWS, strict=True))
    return data + beta * tau @ tau


@pytest.mark.parametrize("beta", [1e-5, 1e-2, 1.0])
@pytest.mark.parametrize("rho", [2.0, 5.0])
@pytest.mark.parametrize("n_clusters", [3, 25])  # many clusters: some come up empty on the way
def test_objective_never_rises(beta, rho, n_clusters):
    X, _ = planted()
    for seed in range(5):
        rng = np.random.RandomState(seed)
        (labels, weights, tau), objectives, _ = cluster(X, VIEWS, n_clusters, beta, rho, rng, 30, -1.0)
        assert len(np.unique(labels)) == n_clusters
        assert np.diff(objectives).max() <= 1e-12
        assert_allclose(objectives[-1], objective(X, labels, weights, tau, beta, rho), rtol=1e-10)
        assert_allclose(weights.sum(), 1)
        assert_allclose([tau[view].sum() for view in VIEWS], 1)


def test_view_weights_minimise_on_the_simplex():
    spreads, rho = np.array([3.0, 0.5, 1.0]), 3.0
    softmax = lambda u: np.exp(u) / np.exp(u).sum()
    best = minimize(lambda u: softmax(u) ** rho @ spreads, np.zeros(3), tol=1e-12)
    assert_allclose(best_view_weights(spreads, rho), softmax(best.x), atol=1e-5)
    assert_array_equal(best_view_weights(np.array([1.0, 0.0, 0.0]), rho), [0, 0.5, 0.5])


def test_feature_weights_minimise_on_the_simplex():
    X, _ = planted()
    (labels, weights, tau), *_ = cluster(X, VIEWS, 3, 0.05, 2.0, np.random.RandomState(0), 500, 0.0)
    value = objective(X, labels, weights, tau, 0.05, 2.0)
    for view in VIEWS:
        for i, j in ((0, 1), (1, 0)):
            moved = tau.copy()
            moved[view[i]] += 1e-4 * tau[view[i]]
            moved[view[j]] -= 1e-4 * tau[view[i]]
            assert objective(X, labels, weights, moved, 0.05, 2.0) > value


def test_empty_clusters_take_the_farthest_rows():
    X = np.array([[0.0], [0.1], [5.0], [9.0]])
    assert_array_equal(nearest(X, np.array([[0.0], [100.0], [200.0]]), np.ones(1)), [0, 0, 2, 1])


def test_finds_planted_clusters_and_their_view():
    X, y = planted()
    fitted = WMCFS(VIEWS, beta=1e-3, random_state=0, n_features_to_select=2).fit(X, y)
    assert adjusted_rand_score(y, fitted.labels_) > 0.95
    assert fitted.view_weights_.argmax() == 1
    assert_array_equal(fitted.get_support(indices=True), [3, 4])


def test_raw_weights_favour_small_views():
    # The reason for relative weights: without structure and at uniform weights every column should count the same.
    X = np.random.default_rng(0).normal(size=(50, 9))
    relative, raw = (WMCFS(VIEWS, beta=1e3, n_clusters=2, relative=r, random_state=0).fit(X) for r in (True, False))
    assert set(raw.ranking_[:2]) == {3, 4}
    spread, raw_spread = (np.ptp(fitted.scores_) / fitted.scores_.mean() for fitted in (relative, raw))
    assert spread < 0.5 * raw_spread


def test_same_seed_same_answer_and_labels_only_count_classes():
    X, y = planted()
    one = WMCFS(VIEWS, random_state=3).fit(X, y)
    two = WMCFS(VIEWS, random_state=3, n_clusters=3).fit(X)
    assert_array_equal(one.scores_, two.scores_)


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"beta": 0}, "beta=0 must be positive"),
        ({"rho": 1}, "rho=1 must be above 1"),
        ({"n_init": 0}, "n_init=0 must be at least 1"),
        ({"n_clusters": 61}, "n_clusters=61 is not between 1 and"),
        ({}, "without y there are no classes to count"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        WMCFS(VIEWS, **parameters).fit(planted()[0])


def test_constant_data_is_refused():
    with pytest.raises(ValueError, match="all columns of X are constant"):
        WMCFS(n_clusters=1).fit(np.ones((4, 3)))
