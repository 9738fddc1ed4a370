import cvxpy as cp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.linalg import eig
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning

from fslib.multilabel.sfus import SFUS, subspace_ridge
from fslib.solvers.reweighted_ridge import ReweightedRidge


def make(n=50, d=8, c=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X[:, :3] @ rng.normal(size=(3, c)) + rng.normal(size=(n, c)) > 0).astype(float)


@pytest.mark.parametrize(("n", "d"), [(50, 8), (15, 30)])
def test_full_subspace_is_the_convex_l21_regression(n, d):
    X, Y = make(n, d)
    W, b = cp.Variable((d, 4)), cp.Variable((1, 4))
    residual = X @ W + np.ones((n, 1)) @ b - Y
    loss = cp.sum(cp.norm(residual, 2, axis=1)) + 0.5 * cp.sum(cp.norm(W, 2, axis=1))
    optimum = cp.Problem(cp.Minimize(loss)).solve(solver=cp.CLARABEL)
    fitted = SFUS(alpha=0.5, beta=1e3, n_components=4, max_iter=2000, tol=1e-10).fit(X, Y)
    assert fitted.objective_[-1] == pytest.approx(optimum, rel=1e-4)
    assert_allclose(fitted.coef_, W.value, atol=1e-2)


@pytest.mark.parametrize("s", [1, 2, 3])
@pytest.mark.parametrize(("n", "d"), [(30, 5), (10, 16)])
def test_closed_form_beats_descent_from_many_starts(n, d, s):
    """The inner problem over W alone: the best Q leaves the smallest singular values."""
    X, Y = make(n, d)
    rng = np.random.default_rng(1)
    a, D, alpha, beta = rng.uniform(0.5, 2, n), rng.uniform(0.5, 2, d), 0.3, 2.0

    def value(W):
        means = a @ (Y - X @ W) / a.sum()
        tail = np.linalg.svd(W, compute_uv=False)[s:]
        fit = a @ np.sum((X @ W + means - Y) ** 2, axis=1)
        return fit + alpha * D @ np.sum(W**2, axis=1) + beta * np.sum(tail**2)

    W, b = subspace_ridge(ReweightedRidge(X, a), Y, 1 / D, alpha, beta, s)
    assert_allclose(b, a @ (Y - X @ W) / a.sum(), atol=1e-12)
    flat = lambda w: value(w.reshape(d, 4))
    ends = [minimize(flat, start.ravel(), method="L-BFGS-B").fun for start in (W, *rng.normal(size=(3, d, 4)))]
    assert value(W) <= min(ends) * (1 + 1e-6)


@pytest.mark.parametrize("alpha", [1e-4, 1.0, 1e4])
@pytest.mark.parametrize("beta", [0, 1e-2, 1e4])
@pytest.mark.parametrize(("n", "d"), [(50, 8), (15, 30)])
def test_objective_never_rises(n, d, alpha, beta):
    X, Y = make(n, d)
    values = SFUS(alpha=alpha, beta=beta, max_iter=300, tol=1e-4).fit(X, Y).objective_
    assert np.all(np.diff(values) <= 1e-9 * values[:-1])


def test_predictions_are_on_the_scale_of_the_labels():
    X, Y = make(200)
    fitted = SFUS(alpha=0.1).fit(X, Y)
    assert np.mean((X @ fitted.coef_ + fitted.intercept_ > 0.5) == Y) > 0.7


def test_sparse_x_gives_what_dense_x_gives():
    for n, d in ((50, 8), (15, 30)):
        X, Y = make(n, d)
        X = np.maximum(X, 0)
        options = {"max_iter": 500, "tol": 1e-8}
        assert_allclose(SFUS(**options).fit(sparse.csr_array(X), Y).coef_, SFUS(**options).fit(X, Y).coef_, atol=1e-5)


def test_says_when_it_stops_too_early():
    with pytest.warns(ConvergenceWarning, match="max_iter=1 steps"):
        SFUS(max_iter=1).fit(*make())


@pytest.mark.parametrize(
    "options",
    [
        *({"alpha": value} for value in (0, np.inf, "1", None)),
        *({"beta": value} for value in (-1, np.inf, None)),
        *({"tol": value} for value in (-1, np.nan, "1")),
        *({"n_components": value} for value in (0, 5)),
        {"max_iter": 0},
    ],
)
def test_bad_parameters_are_named(options):
    (name,) = options
    with pytest.raises(ValueError, match=f"^{name}="):
        SFUS(**options).fit(*make())


def literal_published(X, Y, alpha, beta, s, start, n_steps):
    """The loop with its d x d generalised eigenvalue problem and an inverse, as one would type it."""
    W, d = np.random.RandomState(start).uniform(size=(X.shape[1], Y.shape[1])), X.shape[1]
    for _ in range(n_steps):
        D = np.diag(0.5 / np.linalg.norm(X @ W - Y, axis=1))
        M = X.T @ D @ X + alpha * np.diag(0.5 / np.linalg.norm(W, axis=1)) + beta * np.eye(d)
        A = np.linalg.inv(M) @ X.T @ D @ Y
        values, vectors = eig(A @ A.T, np.eye(d) - beta * np.linalg.inv(M))
        Q = vectors[:, np.argsort(-values.real)[:s]].real
        Q /= np.linalg.norm(Q, axis=0)
        W = np.linalg.inv(M - beta * Q @ Q.T) @ X.T @ D @ Y
    return W


@pytest.mark.parametrize("s", [2, 4])
def test_published_loop_against_the_literal_one(s):
    X, Y = make()
    Y[:5, 1] = np.nan
    options = {"alpha": 0.5, "beta": 3.0, "n_components": s, "reading": "published"}
    fitted = SFUS(**options, random_state=1, max_iter=5, tol=0).fit(X, Y)
    literal = literal_published(X, np.nan_to_num(2 * Y - 1), 0.5, 3.0, s, start=1, n_steps=5)
    assert_allclose(fitted.coef_, literal, rtol=1e-6, atol=1e-8)
    assert fitted.n_iter_ == 5 and fitted.converged_ is False
    thin = SFUS(**options, random_state=1, max_iter=5, tol=0).fit(sparse.csr_array(X), Y)
    assert_allclose(thin.coef_, fitted.coef_, atol=1e-10)
    assert not np.allclose(SFUS(**options, random_state=2, max_iter=5, tol=0).fit(X, Y).coef_, fitted.coef_)
