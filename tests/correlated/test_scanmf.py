"""SCANMF against its objective, rules and gradients written out densely."""

import warnings
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning

from fslib.correlated import SCANMF
from fslib.solvers.correlation import CorrelationNetwork
from fslib.solvers.nmf import Block, factorise, random_start


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [14, 6])
    return rng.random((20, 30)) + rng.random((20, 1)) * (np.arange(30) < 8), y


def fit(selector, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return selector.fit(X, y)


def objective(X, y, A, U, V, T, alpha, beta, ridge=0.0):
    value = alpha * np.sum((A - U @ T.T) ** 2) + beta * np.linalg.norm(U, axis=1).sum() + ridge * np.sum(T**2)
    for c in (0, 1):
        sigma, rows = len(y) / (y == c).sum(), y == c
        value += sigma * np.sum((X[rows].T - U @ V[rows].T) ** 2) + sigma * ridge * np.sum(V[rows] ** 2)
    return value


def gradients(X, y, A, U, V, T, alpha, beta):
    sigma = (len(y) / np.bincount(y))[y][:, None]
    dV = 2 * sigma * (V @ U.T @ U - X @ U)
    dT = 2 * alpha * (T @ U.T @ U - A @ U)
    D = 1 / (2 * np.linalg.norm(U, axis=1, keepdims=True))
    dU = 2 * (U @ (V.T @ (sigma * V)) - X.T @ (sigma * V)) + 2 * alpha * (U @ T.T @ T - A @ T) + 2 * beta * D * U
    return dU, dV, dT


def test_gradients_agree_with_finite_differences(data):
    X, y = data
    rng = np.random.default_rng(1)
    A = np.abs(np.corrcoef(X.T))
    factors = [rng.random((30, 2)), rng.random((20, 2)), rng.random((30, 2))]
    for k, gradient in enumerate(gradients(X, y, A, *factors, 0.7, 0.3)):
        for entry in [(0, 0), (7, 1), (19, 0)]:
            ends = []
            for step in (1e-5, -1e-5):
                moved = [f.copy() for f in factors]
                moved[k][entry] += step
                ends.append(objective(X, y, A, *moved, 0.7, 0.3))
            assert_allclose((ends[0] - ends[1]) / 2e-5, gradient[entry], rtol=1e-6)


@pytest.mark.parametrize(("alpha", "beta", "ridge"), [(0.7, 0.3, 0.3), (1.0, 0.0, 0.0)])
def test_stationary_where_it_stops(data, alpha, beta, ridge, monkeypatch):
    X, y = data
    # in single precision the objective stops falling long before its gradient is small
    monkeypatch.setattr("fslib.correlated.scanmf.CorrelationNetwork", partial(CorrelationNetwork, dtype=float))
    s = SCANMF(alpha=alpha, beta=beta, ridge=ridge, max_iter=50_000, tol=1e-13, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        s.fit(X, y)
    # undo the rescaling: at a minimum the ridge fixes the scale of every component, so measure along it
    A, U, V, T = np.abs(np.corrcoef(X.T)), s.basis_, s.coefficients_, s.network_coefficients_
    c = _best_scale(X, y, A, U, V, T, alpha, beta, ridge)
    U, V, T = U * c, V / c, T / c
    assert_allclose(objective(X, y, A, U, V, T, alpha, beta, ridge), s.objective_[-1], rtol=1e-9)
    sigma = (len(y) / np.bincount(y))[y][:, None]
    dU, dV, dT = gradients(X, y, A, np.maximum(U, 1e-300), V, T, alpha, beta)
    for F, dF in ((U, dU), (V, dV + 2 * ridge * sigma * V), (T, dT + 2 * ridge * T)):
        scale = np.abs(dF).max() + 1
        assert np.abs(dF[F > 1e-6]).max() < 1e-4 * scale
        assert dF[F <= 1e-6].min(initial=0) > -1e-4 * scale


def _best_scale(X, y, A, U, V, T, alpha, beta, ridge):
    from scipy.optimize import minimize

    value = lambda logs: objective(X, y, A, U * np.exp(logs), V / np.exp(logs), T / np.exp(logs), alpha, beta, ridge)
    return np.exp(minimize(value, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}).x)


@pytest.mark.parametrize("reading", ["corrected", "published"])
@pytest.mark.parametrize(
    ("alpha", "beta", "ridge"), [(0.0, 0.0, 0.0), (0.4, 0.0, 0.0), (0.4, 0.5, 0.0), (0.4, 0.5, 0.5)]
)
def test_objective_never_rises(data, reading, alpha, beta, ridge):
    s = fit(SCANMF(alpha=alpha, beta=beta, ridge=ridge, reading=reading, tol=0, max_iter=80, random_state=1), *data)
    assert len(s.objective_) > 5
    # the first step of Algorithm 3 has D = I, which is not a majoriser; later steps have the network's single precision
    assert np.diff(s.objective_[1:]).max() <= 1e-6 * s.objective_[-1]


def test_published_rules_written_out(data):
    X, y = data
    alpha, beta, k = 0.4, 0.5, 2
    s = fit(SCANMF(n_components=k, alpha=alpha, beta=beta, reading="published", max_iter=12, random_state=3), X, y)
    rng = np.random.default_rng(3)
    A = np.abs(np.corrcoef(X.T))
    uniform = lambda m: 1 - rng.random((m, k))
    V0, V1, T, U = uniform(14), uniform(6), uniform(30), uniform(30)
    X0, X1, D = X[:14].T, X[14:].T, np.eye(30)
    for _ in range(12):
        V0 = V0 * (X0.T @ U) / (V0 @ U.T @ U)
        V1 = V1 * (X1.T @ U) / (V1 @ U.T @ U)
        T = T * (A @ U) / (T @ U.T @ U)
        upper = 20 / 14 * X0 @ V0 + 20 / 6 * X1 @ V1 + alpha * A @ T
        lower = 20 / 14 * U @ V0.T @ V0 + 20 / 6 * U @ V1.T @ V1 + alpha * U @ T.T @ T + beta * D @ U
        U = U * upper / lower
        D = np.diag(1 / (2 * np.linalg.norm(U, axis=1)))
    assert_allclose(s.basis_, U, rtol=1e-4)
    assert_allclose(s.coefficients_, np.vstack([V0, V1]), rtol=1e-4)
    assert_allclose(s.network_coefficients_, T, rtol=1e-4)
    assert_allclose(s.scores_, np.linalg.norm(U, axis=1), rtol=1e-4)
    assert s.n_iter_ == 12


def test_without_network_and_norm_it_is_the_balanced_factorisation(data):
    X, y = data
    s = SCANMF(alpha=0, beta=0, max_iter=3000, tol=1e-9, random_state=0).fit(X, y)
    assert s.network_coefficients_ is None and s.network_form_ is None
    blocks = [Block(X[y == c].T, weights=20 / (y == c).sum()) for c in (0, 1)]
    U, V = random_start(blocks, 2, np.random.default_rng(0))
    same = factorise(blocks, U, V, max_iter=3000, tol=1e-9)
    assert_array_equal(s.objective_, same.objective)
    weighted = X * np.sqrt((20 / np.bincount(y))[y])[:, None]
    theirs = NMF(2, init="random", random_state=0, max_iter=20_000, tol=1e-10).fit(weighted).reconstruction_err_ ** 2
    assert s.objective_[-1] <= theirs * (1 + 1e-4)


def test_the_form_of_the_network_changes_nothing_but_rounding(data):
    X, y = data
    for theta, budgets in ((1.0, (2**30, 0)), (2.0, (2**30, 0))):
        runs = [SCANMF(theta=theta, memory_budget=b, ridge=0.5, scale="minmax", random_state=0) for b in budgets]
        first, second = (fit(s, X, y) for s in runs)
        assert {first.network_form_, second.network_form_} == (
            {"stored", "recomputed"} if theta == 1 else {"stored", "factored"}
        )
        m = min(first.n_iter_, second.n_iter_)
        assert_allclose(first.objective_[:m], second.objective_[:m], rtol=1e-5)
        assert_allclose(first.scores_, second.scores_, rtol=1e-3)


def test_normalised_terms_weigh_the_same(data):
    X, y = data
    s = fit(SCANMF(alpha=1, beta=0, normalise_terms=True, random_state=0, max_iter=5), X, y)
    weight = sum(20 / (y == c).sum() * np.sum(X[y == c] ** 2) for c in (0, 1)) / np.sum(np.corrcoef(X.T) ** 2)
    assert_array_equal(fit(SCANMF(alpha=weight, beta=0, random_state=0, max_iter=5), X, y).ranking_, s.ranking_)


def test_the_norm_prunes_rows_only_with_a_ridge(data):
    X, y = data
    X = X * np.where(np.arange(30) < 15, 1, 0.02)
    alone = fit(SCANMF(alpha=0, beta=1.0, max_iter=300, random_state=0), X, y)
    ridged = fit(SCANMF(alpha=0, beta=1.0, ridge=1.0, max_iter=300, random_state=0), X, y)
    assert alone.scores_.min() > 1e-3 * alone.scores_.max()
    assert_array_equal(ridged.scores_ < 1e-6 * ridged.scores_.max(), np.arange(30) >= 15)


@pytest.mark.parametrize("scale", ["clip", "log2", "minmax"])
def test_scales_written_out(data, scale):
    X, y = data
    X = 5 * (X - 0.3)
    by_hand = {
        "clip": np.where(X < 0, 0, X),
        "log2": np.log2(np.where(X < 0, 0, X) + 1),
        "minmax": (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0)),
    }[scale]
    expected = fit(SCANMF(ridge=0.5, random_state=0), by_hand, y).scores_
    assert_allclose(fit(SCANMF(ridge=0.5, scale=scale, random_state=0), X, y).scores_, expected, rtol=1e-9)
    with pytest.raises(ValueError, match="Negative values"):
        SCANMF().fit(X, y)


def test_a_threshold_makes_a_network_of_ones(data):
    X, y = data
    s = fit(SCANMF(threshold=0.5, beta=0, random_state=0, max_iter=4), X, y)
    A = (np.abs(np.corrcoef(X.T)) >= 0.5).astype(float)
    V = np.zeros((20, 2))
    V[:] = s.coefficients_
    assert_allclose(objective(X, y, A, s.basis_, V, s.network_coefficients_, 0.4, 0.0), s.objective_[-1], rtol=1e-5)


def test_it_says_when_it_stops_early(data):
    with pytest.warns(ConvergenceWarning, match="max_iter=2"):
        SCANMF(max_iter=2, random_state=0).fit(*data)


def test_without_network_and_penalty_it_is_bsnmf(data):
    from fslib.imbalance import BSNMF

    X, y = data
    ours = fit(SCANMF(alpha=0, beta=0, max_iter=30, tol=0, random_state=3), X, y)
    theirs = fit(BSNMF(max_iter=30, tol=0, random_state=3), X, y)
    assert_allclose(ours.basis_, theirs.components_.T, rtol=1e-9)
    assert_allclose(ours.objective_, theirs.objective_, rtol=1e-9)
