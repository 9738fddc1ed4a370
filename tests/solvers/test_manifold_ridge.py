"""The inner problem of MLMLFS: both forms against the published formulas and against finite differences."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.optimize import approx_fprime

from fslib.multilabel.graph import knn_laplacian
from fslib.solvers.manifold_ridge import ManifoldRidge

ALPHA, LAM = 0.3, 0.7


def make(n, d, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    X -= X.mean(axis=0)
    F = rng.uniform(-1, 1, size=(n, 3))
    return X, F, rng.uniform(0.1, 5, size=n), rng.uniform(0.1, 5, size=d), knn_laplacian(X, 4)


@pytest.mark.parametrize(("n", "d"), [(20, 8), (12, 30)])
@pytest.mark.parametrize("form", ["primal", "dual"])
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_equals_equation_9_written_with_full_matrices(n, d, form, container):
    """Equation 9 with H - 1 read as H - I and Y as F; the rows of its X are our columns."""
    X, F, g, h, L = make(n, d)
    L_full, G0, one = L.toarray(), np.diag(g), np.ones((n, 1))
    m = g.sum() + ALPHA * L_full.sum()
    H = np.eye(n) - one @ one.T @ G0 / m
    N = np.eye(n) - one @ one.T @ (G0 + ALPHA * L_full) / m
    K = X.T @ N.T
    right = K @ (G0 @ H + ALPHA * L_full @ (H - np.eye(n))) @ F
    W = np.linalg.solve(K @ (G0 + ALPHA * L_full) @ K.T + LAM * np.diag(h), right)
    b = (F.T @ g - W.T @ X.T @ (G0 + ALPHA * L_full.T) @ np.ones(n)) / m

    fitted = ManifoldRidge(container(X), L, ALPHA, LAM, form=form).reweight(1 / g, 1 / h)
    W_found, b_found, P = fitted.fit(F)
    assert_allclose(W_found, W, atol=1e-10)
    assert_allclose(b_found, b, atol=1e-10)
    assert_allclose(P, X @ W + b, atol=1e-10)
    assert_allclose(fitted.predictions(F), P, atol=1e-14)


def test_auto_takes_the_form_with_fewer_operations():
    form = lambda n, d, n_columns: (
        ManifoldRidge(np.zeros((n, d)), sparse.csr_array((n, n)), 0, 1, n_columns=n_columns).form
    )
    assert form(20, 14, 0) == form(20, 14, 1000) == form(20, 20, 0) == "primal"
    assert form(20, 30, 0) == form(20, 21, 1000) == "dual"
    assert form(2000, 2150, 0) == "primal"
    assert form(2000, 2150, 5 * 208) == "dual"  # five fits of every label of Bookmarks


def test_gradient_vanishes_at_the_fit():
    X, F, g, h, L = make(15, 4)

    def quadratic(parameters):
        W, b = parameters[:-3].reshape(4, 3), parameters[-3:]
        P = X @ W + b
        return g @ np.sum((P - F) ** 2, axis=1) + ALPHA * np.sum(P * (L @ P)) + LAM * h @ np.sum(W**2, axis=1)

    W, b, _ = ManifoldRidge(X, L, ALPHA, LAM).reweight(1 / g, 1 / h).fit(F)
    optimum = np.concatenate([W.ravel(), b])
    assert_allclose(approx_fprime(optimum, quadratic, 1e-6), 0, atol=2e-4)
    assert np.abs(approx_fprime(optimum + 0.01, quadratic, 1e-6)).max() > 0.1  # the check can see a gradient


@pytest.mark.parametrize("form", ["primal", "dual"])
def test_a_feature_of_infinite_weight_is_exactly_zero(form):
    X, F, g, h, L = make(15, 6)
    inverse_h = 1 / h
    inverse_h[2] = 0
    W, _, _ = ManifoldRidge(X, L, ALPHA, LAM, form=form).reweight(1 / g, inverse_h).fit(F)
    assert_array_equal(W[2], 0)
    rest = [0, 1, 3, 4, 5]
    without = ManifoldRidge(X[:, rest], L, ALPHA, LAM, form=form).reweight(1 / g, inverse_h[rest]).fit(F)[0]
    assert_allclose(W[rest], without, atol=1e-12)


def test_laplacian_is_sparse_symmetric_and_blind_to_units():
    X = np.random.default_rng(0).normal(size=(30, 3))
    L = knn_laplacian(X, 3)
    assert sparse.issparse(L) and L.nnz <= 30 * 7
    assert_allclose((L - L.T).toarray(), 0)
    assert_allclose(L.sum(axis=1), 0, atol=1e-15)
    assert np.linalg.eigvalsh(L.toarray()).min() > -1e-12
    assert_allclose(knn_laplacian(1000 * X, 3).toarray(), L.toarray(), rtol=1e-9, atol=1e-12)
    assert_allclose(knn_laplacian(sparse.csr_array(X), 3).toarray(), L.toarray(), rtol=1e-9, atol=1e-12)


def test_laplacian_of_copies():
    L = knn_laplacian(np.repeat([[0.0], [1.0]], 3, axis=0), 2).toarray()
    assert_array_equal(L[:3, :3], [[2, -1, -1], [-1, 2, -1], [-1, -1, 2]])
    with pytest.raises(ValueError, match="n_neighbors=6 must be an integer from 1 to 5"):
        knn_laplacian(np.zeros((6, 1)), 6)
    with pytest.raises(ValueError, match=r"n_neighbors=2\.5 must be an integer"):
        knn_laplacian(np.zeros((6, 1)), 2.5)
