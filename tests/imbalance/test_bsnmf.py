"""BSNMF against its rules typed naively, finite differences of its objective, and its freedom of scale."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from fslib.imbalance import BSNMF


def data(n=30, n_rare=6, d=12, seed=0):
    rng = np.random.default_rng(seed)
    return rng.random((n, d)), np.arange(n) < n_rare


def objective(U, V, X, sigma):
    return sum(s * ((x.T - U @ v.T) ** 2).sum() for s, x, v in zip(sigma, X, V, strict=True))


def halves(seed=0, k=2):
    X, y = data(seed=seed)
    rng = np.random.default_rng(seed)
    U, V = rng.random((12, k)), [rng.random((24, k)), rng.random((6, k))]
    return [X[~y], X[y]], U, V, [30 / 24, 30 / 6]


def naive_step(X, U, V, sigma):
    """Equations 3.2.11 to 3.2.13 with shapes that fit."""
    U = (U * sum(s * x.T @ v for s, x, v in zip(sigma, X, V, strict=True))
         / (U @ sum(s * v.T @ v for s, v in zip(sigma, V, strict=True))))  # fmt: skip
    return U, [v * (x @ U) / (v @ U.T @ U) for x, v in zip(X, V, strict=True)]


def test_published_reading_is_the_printed_loop():
    X, y = data()
    with pytest.warns(ConvergenceWarning, match="max_iter=6"):
        model = BSNMF(reading="published", random_state=4, max_iter=6, tol=0).fit(X, y)
    rng = np.random.default_rng(4)
    U, V = 1 - rng.random((12, 2)), [1 - rng.random((24, 2)), 1 - rng.random((6, 2))]
    for _ in range(6):
        U, V = naive_step([X[~y], X[y]], U, V, [30 / 24, 30 / 6])
    assert_allclose(model.components_.T, U, rtol=1e-9)
    assert_allclose(model.coefficients_[y], V[1], rtol=1e-9)
    assert_allclose(model.scores_, U.sum(axis=1), rtol=1e-9)
    assert_allclose(model.objective_[-1], objective(U, V, [X[~y], X[y]], [30 / 24, 30 / 6]), rtol=1e-10)


@pytest.mark.parametrize("seed", range(10))
def test_the_printed_rules_never_raise_the_objective(seed):
    X, U, V, sigma = halves(seed)
    values = [objective(U, V, X, sigma)]
    for _ in range(100):
        U, V = naive_step(X, U, V, sigma)
        values.append(objective(U, V, X, sigma))
    assert np.diff(values).max() <= 1e-12 * values[0]


def test_gradient_and_curvature_in_u():
    """Finite differences: the gradient with shapes that fit, and 2 (sigma V^T V)_bb where Eq. 6.2.3 has no 2."""
    X, U, V, sigma = halves()
    gradient = 2 * sum(s * (U @ v.T @ v - x.T @ v) for s, x, v in zip(sigma, X, V, strict=True))
    curvature = 2 * sum(s * v.T @ v for s, v in zip(sigma, V, strict=True)).diagonal()
    for a, b in np.ndindex(U.shape):
        h = np.zeros_like(U)
        h[a, b] = 1e-3
        up, middle, down = (objective(U + t * h, V, X, sigma) for t in (1, 0, -1))
        assert_allclose((up - down) / 2e-3, gradient[a, b], rtol=1e-6)
        assert_allclose((up - 2 * middle + down) / 1e-6, curvature[b], rtol=1e-4)


@pytest.mark.parametrize("reading", ["corrected", "published"])
def test_objective_and_factors_agree(reading):
    X, y = data()
    model = BSNMF(n_components=3, reading=reading, random_state=0, max_iter=3000).fit(X, y)
    V = [model.coefficients_[~y], model.coefficients_[y]]
    assert_allclose(model.objective_[-1], objective(model.components_.T, V, [X[~y], X[y]], [30 / 24, 5]), rtol=1e-9)


def test_unnormalised_row_sums_are_arbitrary():
    """Ten times one column of U, a tenth of V's: the same product, other row sums, the same score."""
    model = BSNMF(random_state=0).fit(*data())
    U, V = model.components_.T.copy(), model.coefficients_.copy()
    U[:, 0] *= 10
    V[:, 0] /= 10
    assert_allclose(U @ V.T, model.components_.T @ model.coefficients_.T)
    assert not np.array_equal(np.argsort(-U.sum(axis=1)), model.ranking_)
    sigma = np.where(data()[1], 5, 30 / 24)
    norms = np.sqrt(sigma @ V**2)
    assert_allclose((U * norms).sum(axis=1), model.scores_, rtol=1e-9)


def test_weights_bring_up_the_features_of_the_rare_class():
    """A feature that only three of ninety samples have: behind the common ones without weights, before with them."""
    rng = np.random.default_rng(0)
    y = np.arange(90) < 3
    X = np.column_stack([0.6 * ~y, y, 0.05 * np.ones(90)]) + 0.01 * rng.random((90, 3))
    assert BSNMF(random_state=0).fit(X, y).ranking_[0] == 1
    assert BSNMF(random_state=0).fit(X, np.arange(90) % 2).ranking_[0] == 0  # weights of 2 each


def test_several_classes_and_a_sample_of_zeros():
    X, _ = data()
    X[4], X[:, 3] = 0, 0
    model = BSNMF(random_state=0).fit(X, np.arange(30) % 7 // 2)
    assert_array_equal(model.coefficients_[4], 0)
    assert model.scores_[3] == 0 and model.ranking_[-1] == 3


@pytest.mark.parametrize("k", [0, 2.0])
def test_impossible_numbers_of_components(k):
    with pytest.raises(ValueError, match="n_components"):
        BSNMF(n_components=k).fit(*data())
