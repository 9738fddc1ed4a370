"""The hybrid penalty: its coordinate step against brute force, its path against the definition and scikit-learn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression

from fslib.solvers.half_threshold import (
    THRESHOLD,
    fit_hybrid_logistic,
    half_threshold,
    largest_penalty,
)


def objective(X, y, b, intercept, lam, alpha):
    f = intercept + X @ b
    return np.mean(np.log1p(np.exp(f)) - y * f) + lam * (alpha * np.sqrt(np.abs(b)).sum() + (1 - alpha) * b @ b)


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 60))
    X[:, :4] += y[:, None]
    return X - X.mean(axis=0), y


def test_step_is_the_minimiser_that_a_fine_grid_finds():
    rng = np.random.default_rng(0)
    grid = np.linspace(-5, 5, 200_001)
    for w, t in zip(rng.uniform(-4, 4, 100), rng.uniform(0.01, 6, 100), strict=True):
        value = lambda b, w=w, t=t: (b - w) ** 2 + t * np.sqrt(np.abs(b))
        assert value(half_threshold(w, t)) <= value(grid).min() + 1e-12


def test_threshold_is_where_two_minima_are_equal():
    t = 1.7
    at = THRESHOLD * t ** (2 / 3)
    b = half_threshold(at * (1 + 1e-12), t)
    assert b > 0.1 and half_threshold(at, t) == 0
    assert_allclose((b - at) ** 2 + t * np.sqrt(b), at**2, rtol=1e-9)
    # three quarters is where a second local minimum begins: nothing is selected there yet
    assert half_threshold(0.76 * t ** (2 / 3), t) == 0


@pytest.mark.parametrize("alpha", [0.02, 0.3, 1.0])
def test_objective_never_rises_and_is_the_one_defined(data, alpha):
    X, y = data
    lam = 0.2 * largest_penalty(X, y, alpha)
    point = fit_hybrid_logistic(X, y, lam, alpha, max_passes=200)
    # a new working set is not a step: the objective is one sequence over all passes
    assert np.diff(point.objective).max() <= 1e-14
    assert_allclose(point.objective[-1], objective(X, y, point.coef, point.intercept, lam, alpha), rtol=1e-12)
    assert np.count_nonzero(point.coef) > 0


def test_every_coordinate_sits_at_the_minimum_of_its_bound(data):
    X, y = data
    lam, alpha, n = 0.05, 0.2, len(y)
    point = fit_hybrid_logistic(X, y, lam, alpha, tol=1e-10, max_passes=20_000)
    assert point.converged
    residual = y - 1 / (1 + np.exp(-(point.intercept + X @ point.coef)))
    assert_allclose(residual.mean(), 0, atol=1e-9)
    grid = np.linspace(-3, 3, 60_001)
    for j in range(X.shape[1]):
        g, v = X[:, j] @ residual / n, X[:, j] @ X[:, j] / (4 * n)
        bound = -g * (grid - point.coef[j]) + v / 2 * (grid - point.coef[j]) ** 2
        bound += lam * (alpha * np.sqrt(np.abs(grid)) + (1 - alpha) * grid**2)
        assert_allclose(grid[bound.argmin()], point.coef[j], atol=1e-4)


def test_with_hardly_any_square_root_it_is_ridge_regression(data):
    X, y = data
    lam, n = 0.1, len(y)
    ours = fit_hybrid_logistic(X, y, lam, 1e-9, tol=1e-9, max_passes=10_000)
    theirs = LogisticRegression(C=1 / (2 * n * lam), tol=1e-10, max_iter=10_000).fit(X, y)
    assert_allclose(ours.coef, theirs.coef_[0], atol=1e-5)
    assert_allclose(ours.intercept, theirs.intercept_[0], atol=1e-5)


@pytest.mark.parametrize("alpha", [0.02, 0.5, 1.0])
def test_largest_penalty_is_the_border_of_zero(data, alpha):
    X, y = data
    largest = largest_penalty(X, y, alpha)
    assert not fit_hybrid_logistic(X, y, largest, alpha).coef.any()
    assert fit_hybrid_logistic(X, y, 0.999 * largest, alpha).coef.any()


def test_columns_of_zeros_stay_zero_and_no_signal_gives_no_penalty(data):
    X, y = data
    X = np.column_stack([np.zeros(40), X])
    assert fit_hybrid_logistic(X, y, 0.01, 0.1, max_passes=20).coef[0] == 0
    assert largest_penalty(np.zeros((40, 2)), y, 0.5) == 1
    assert_array_equal(fit_hybrid_logistic(np.zeros((40, 2)), y, 1.0, 0.5).coef, 0)
