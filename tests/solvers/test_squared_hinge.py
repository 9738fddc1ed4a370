"""Batches of linear support vector machines against scikit-learn's, one by one, and the conditions of an optimum."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.svm import LinearSVC

from fslib.solvers import squared_hinge
from fslib.solvers.squared_hinge import linear_svms


def problem(n=60, d=5, m=12, seed=0, spread=1.0):
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) < n // 3, 1.0, -1.0)
    X = spread * rng.normal(size=(n, d)) + 0.7 * y[:, None]
    return np.column_stack([X, np.ones(n)]), y, (rng.random((m, n)) < 0.5) | (y > 0)


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_equals_scikit_learn(C):
    X, y, subsets = problem()
    for w, s in zip(linear_svms(X, y, subsets, C), subsets, strict=True):
        other = LinearSVC(C=C, dual=False, tol=1e-10, max_iter=10_000).fit(X[s, :-1], y[s])
        assert_allclose(w, np.r_[other.coef_[0], other.intercept_], rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("C", [0.01, 1.0, 1e4])
@pytest.mark.parametrize("shape", [(60, 5, 1.0), (20, 40, 1.0), (60, 5, 1e3), (40, 8, 1e-3)])
def test_gradient_vanishes(shape, C):
    n, d, spread = shape
    X, y, subsets = problem(n, d, spread=spread)
    W = linear_svms(X, y, subsets, C)
    pull = 2 * C * (np.where(subsets, np.maximum(0, 1 - y * (W @ X.T)), 0) * y) @ X
    assert_allclose(W - pull, 0, atol=1e-7 * (1 + np.abs(W).max() + np.abs(pull).max()))


def test_subsets_do_not_touch_each_other(monkeypatch):
    X, y, subsets = problem()
    together = linear_svms(X, y, subsets)
    monkeypatch.setattr(squared_hinge, "CHUNK", 1)
    assert_allclose(linear_svms(X, y, subsets), together, rtol=1e-9)


def test_nothing_selected_gives_no_weights():
    X, y, _ = problem()
    assert_allclose(linear_svms(X, y, np.zeros((1, len(y)), bool)), 0, atol=0)
    assert linear_svms(X, y, np.zeros((0, len(y)), bool)).shape == (0, 6)
