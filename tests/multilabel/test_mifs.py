import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning

from fslib.multilabel.graph import knn_laplacian
from fslib.multilabel.mifs import MIFS, polar, smooth_fit


def make(n=40, d=10, c=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X[:, :3] @ rng.normal(size=(3, c)) > 0.3).astype(float)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("scale", ["free", "orthonormal"])
@pytest.mark.parametrize(("n", "d"), [(40, 10), (15, 30)])
@pytest.mark.parametrize("weights", [(1.0, 1.0, 1.0), (0.01, 10.0, 0.1), (10.0, 0.0, 5.0)])
def test_objective_never_rises_and_is_its_definition(scale, n, d, weights):
    X, Y = make(n, d)
    alpha, beta, gamma = weights
    fitted = MIFS(alpha=alpha, beta=beta, gamma=gamma, scale=scale, tol=1e-9, max_iter=60).fit(X, Y)
    values = fitted.objective_
    assert np.all(np.diff(values) <= 1e-9 * np.abs(values[:-1]) + 1e-12)
    W, V, B = fitted.coef_, fitted.latent_, fitted.loadings_

    def value(W, V, B):
        residual = X @ W - V
        residual = residual - residual.mean(axis=0)  # the intercept does that
        smooth = np.trace(V.T @ (knn_laplacian(X, 5) @ V))
        norms = np.sqrt(np.sum(W**2, axis=1) + 1e-16).sum()
        return np.sum(residual**2) + alpha * np.sum((Y - V @ B) ** 2) + beta * smooth + gamma * norms

    assert value(W, V, B) == pytest.approx(values[-1], rel=0.05)  # the intercept is one step older than V
    assert value(W, V, B) <= values[-1] * (1 + 1e-9)
    if scale == "orthonormal":
        assert_allclose(B @ B.T, np.eye(3), atol=1e-10)


def test_latent_labels_are_the_minimiser_of_their_block():
    X, Y = make(12, 4)
    laplacian, B = knn_laplacian(X, 3), np.random.default_rng(1).normal(size=(2, 5))
    target, alpha, beta = X[:, :2], 0.7, 2.0
    V = smooth_fit(laplacian, beta, alpha * B @ B.T, target + alpha * Y @ B.T, np.zeros((12, 2)))

    def value(v):
        v = v.reshape(12, 2)
        fit = np.sum((target - v) ** 2) + alpha * np.sum((Y - v @ B) ** 2)
        return fit + beta * np.trace(v.T @ laplacian.toarray() @ v)

    best = minimize(value, V.ravel() * 0, method="BFGS", options={"gtol": 1e-7})
    assert value(V.ravel()) <= best.fun + 1e-9
    full = np.kron(np.eye(12), alpha * B @ B.T + np.eye(2)) + beta * np.kron(laplacian.toarray(), np.eye(2))
    assert_allclose(V.ravel(), np.linalg.solve(full, (target + alpha * Y @ B.T).ravel()), atol=1e-8)


def test_polar_factor_is_the_best_orthonormal_one():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(3, 6))
    best = np.trace(polar(A) @ A.T)
    assert all(np.trace(polar(rng.normal(size=(3, 6))) @ A.T) <= best for _ in range(50))


def test_published_objective_has_no_minimiser():
    """V and W shrink, B grows, and only the labels' term is left."""
    X, Y = make()
    with pytest.warns(ConvergenceWarning):
        fitted = MIFS(scale="free", n_components=2, tol=0, max_iter=400).fit(X, Y)
    assert np.linalg.norm(fitted.loadings_) > 10 * np.linalg.norm(np.linalg.svd(Y)[2][:2])
    s = np.linalg.svd(Y, compute_uv=False)
    assert fitted.objective_[-1] < 1.2 * np.sum(s[2:] ** 2)


def test_published_loop_is_that_of_the_toolbox():
    X, Y = make()
    alpha, beta, gamma, step = 0.5, 0.3, 0.2, 1e-5
    rng = np.random.default_rng(3)
    W, V, B = rng.random((10, 2)), rng.random((40, 2)), rng.random((2, 5))
    L, D = knn_laplacian(X, 5).toarray(), np.ones(10)
    for _ in range(20):
        DW, XW = gamma * D[:, None] * W, X @ W
        V = V - step * ((V - XW) + alpha * (V @ B - Y) @ B.T + beta * L @ V)
        B = B - step * V.T @ (V @ B - Y)
        W = W - step * (X.T @ (XW - V) + DW)
        D = 1 / (2 * np.sqrt(np.sum(W**2, axis=1) + np.finfo(float).eps))
    options = {"alpha": alpha, "beta": beta, "gamma": gamma, "n_components": 2, "max_iter": 20, "random_state": 3}
    fitted = MIFS(reading="published", **options).fit(X, Y)
    assert_allclose(fitted.coef_, W, rtol=1e-10)
    assert_allclose(fitted.loadings_, B, rtol=1e-10)


def test_published_ranks_empty_columns_first():
    """Nothing moves their random start but the penalty: why MIFS fails on sparse text in the published numbers."""
    rng = np.random.default_rng(0)
    X = (rng.random((300, 40)) < np.repeat([0.0, 0.3], 20)).astype(float)
    Y = X[:, 20:24]
    fitted = MIFS(reading="published", random_state=0).fit(X, Y)
    assert np.mean(fitted.ranking_[:10] < 20) > 0.5
    assert_array_equal(np.sort(MIFS(n_components=4).fit(X, Y).ranking_[:4]), np.arange(20, 24))


def test_sparse_x_gives_what_dense_x_gives_and_large_columns_are_named():
    X, Y = make()
    X = np.maximum(X, 0)
    for options in ({}, {"reading": "published", "random_state": 0}):
        dense, by_sparse = MIFS(**options).fit(X, Y), MIFS(**options).fit(sparse.csr_array(X), Y)
        assert_allclose(by_sparse.scores_, dense.scores_, rtol=1e-5)
    with pytest.raises(ValueError, match="diverge on this X"):
        MIFS(reading="published", random_state=0).fit(1e4 * X, Y)


@pytest.mark.parametrize("options", [{"alpha": 0}, {"gamma": -1}, {"n_components": 6}, {"scale": "x"}, {"max_iter": 0}])
def test_bad_parameters_are_named(options):
    (name,) = options
    with pytest.raises(ValueError, match=f"^{name}="):
        MIFS(**options).fit(*make())
