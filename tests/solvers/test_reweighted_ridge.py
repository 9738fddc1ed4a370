"""The ridge kernel against its normal equations, in every form, dense and sparse."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.linear_model import Ridge

from fslib.solvers.reweighted_ridge import ReweightedRidge, majorise_minimise


def problem(n, d, c, per_column, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.5) + 1.0 * (rng.random(d) < 0.3)
    targets, weights = rng.normal(size=(n, c)), rng.uniform(0.1, 3, n)
    scale = rng.uniform(0.01, 5, size=(d, c if per_column else 1))
    return X, targets, weights, scale


@pytest.mark.parametrize("per_column", [False, True])
@pytest.mark.parametrize("shape", [(12, 5), (5, 12)])
@pytest.mark.parametrize("form", ["auto", "primal", "dual"])
@pytest.mark.parametrize("container", [np.asarray, sp.csr_array])
def test_gradient_vanishes(shape, per_column, form, container):
    X, targets, a, scale = problem(*shape, 3, per_column)
    W, b = ReweightedRidge(container(X), a, form).solve(targets, scale, penalty=0.3)
    residual = X @ W + b - targets
    assert_allclose(a @ residual, 0, atol=1e-10)
    assert_allclose(X.T @ (a[:, None] * residual) + 0.3 * W / scale, 0, atol=1e-9)


def test_equals_sklearn_ridge():
    X, targets, a, _ = problem(20, 6, 2, False)
    W, b = ReweightedRidge(X, a).solve(targets, np.ones(6), penalty=2.0)
    other = Ridge(alpha=2.0).fit(X, targets, sample_weight=a)
    assert_allclose(W.T, other.coef_, rtol=1e-9)
    assert_allclose(b, other.intercept_, rtol=1e-9)


@pytest.mark.parametrize("container", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("form", ["primal", "dual"])
def test_without_intercept(form, container):
    X, targets, a, scale = problem(9, 6, 3, False)
    W, b = ReweightedRidge(container(X), a, form, fit_intercept=False).solve(targets, scale)
    assert_allclose(b, 0, atol=0)
    assert_allclose(X.T @ (a[:, None] * (X @ W - targets)) + W / scale, 0, atol=1e-9)


@pytest.mark.parametrize("form", ["primal", "dual"])
def test_dead_feature_gets_nothing_and_does_no_harm(form):
    X, targets, a, scale = problem(10, 6, 3, False)
    scale[2] = 0.0
    W, _ = ReweightedRidge(X, a, form).solve(targets, scale)
    rest = np.delete(np.arange(6), 2)
    W_rest, _ = ReweightedRidge(X[:, rest], a, form).solve(targets, scale[rest])
    assert_allclose(W[2], 0, atol=0)
    assert_allclose(W[rest], W_rest, rtol=1e-9)


def test_interpolation_at_a_vanishing_penalty():
    # A centred n x n kernel is singular, so a penalty of 1e-300 leaves nothing for a Cholesky factor to stand on.
    X, targets, _, scale = problem(6, 30, 2, False)
    W, b = ReweightedRidge(X).solve(targets, scale, penalty=1e-300)
    assert_allclose(X @ W + b, targets, atol=1e-6)


def test_does_not_write_to_its_input():
    X, targets, a, scale = problem(8, 4, 2, True)
    for array in (X, targets, a, scale):
        array.flags.writeable = False
    ReweightedRidge(X, a).solve(targets, scale)


def test_unknown_form_is_refused():
    with pytest.raises(ValueError, match="form='both'"):
        ReweightedRidge(np.eye(3), form="both")


def test_stops_at_the_tolerance_and_says_whether_it_did():
    halve = lambda x: (x / 2, x / 2)
    _, objectives, converged = majorise_minimise(halve, 1.0, max_iter=100, tol=1e-3)
    assert converged and len(objectives) == 10 and objectives[-1] == 2.0**-10
    assert not majorise_minimise(halve, 1.0, max_iter=3, tol=1e-3)[2]
