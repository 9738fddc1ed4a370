"""The convex methods against an independent solver, their own objective and their equivalent forms."""

import cvxpy as cp
import numpy as np
import pytest
from numpy.testing import assert_allclose

from fslib.classes import one_versus_rest
from fslib.multiview.dsmlfs import fit_dsmlfs
from fslib.multiview.rfs import fit_rfs
from fslib.multiview.rrmvfs import RRMVFS, fit_view
from fslib.multiview.smml import fit_smml
from fslib.multiview.ssmvfs import fit_ssmvfs

VIEWS = [np.array([0, 2, 4]), np.array([1, 3, 5, 6])]


def problem(n=18, d=7, classes=3, seed=0):
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % classes
    X = rng.normal(size=(n, d))
    X[:, : d // 2] += rng.normal(size=(classes, d // 2))[codes]
    return X, one_versus_rest(codes), codes


def l21(W):
    return cp.sum(cp.norm(W, 2, axis=1))


def g1(W):
    return sum(cp.sum(cp.norm(W[view], 2, axis=0)) for view in VIEWS)


def optimum(objective, W, b, X, Y):
    """Smallest value of a convex objective, a function of the variables."""
    problem = cp.Problem(cp.Minimize(objective(W, b, X, Y)))
    problem.solve(solver=cp.CLARABEL, tol_gap_abs=1e-10, tol_gap_rel=1e-10, tol_feas=1e-10)
    return problem.value


def rrmvfs(W, b, X, Y, gamma1, gamma2):
    classes = cp.sum(cp.norm(W, 2, axis=0))
    return cp.norm(X @ W + bias(b, X) - Y, "fro") + gamma1 * classes + gamma2 * l21(W)


def rfs(W, b, X, Y, gamma1, gamma2):
    return cp.sum(cp.norm(X @ W + bias(b, X) - Y, 2, axis=1)) + (gamma1 + gamma2) * l21(W)


def ssmvfs(W, b, X, Y, gamma1, gamma2):
    return cp.sum_squares(X @ W + bias(b, X) - Y) + gamma1 * g1(W) + gamma2 * l21(W)


def dsmlfs(W, b, X, Y, gamma1, gamma2):
    # Minimised over M >= 0 the loss is the squared distance to the half line beyond the target.
    shortfall = cp.pos(cp.multiply(Y, (Y > 0) - X @ W - bias(b, X)))
    g21 = sum(cp.norm(W[view], "fro") for view in VIEWS)
    return cp.sum_squares(shortfall) + gamma1 * g21 + gamma2 * l21(W)


def smml(W, b, X, Y, gamma1, gamma2):
    return cp.sum(cp.pos(1 - cp.multiply(Y, X @ W + bias(b, X)))) + gamma1 * g1(W) + gamma2 * l21(W)


def bias(b, X):
    return np.ones((len(X), 1)) @ cp.reshape(b, (1, b.size), order="C")


LONG = dict(max_iter=5000, tol=1e-13)
METHODS = {
    "RRMVFS": (rrmvfs, lambda X, Y, g1, g2, **kw: fit_view(X, Y, g1, g2, **(LONG | kw)), (0.05, 0.1)),
    "RFS": (rfs, lambda X, Y, g1, g2, **kw: fit_rfs(X, Y, g1 + g2, **(LONG | kw)), (0.5, 0.5)),
    "SSMVFS": (ssmvfs, lambda X, Y, g1, g2, **kw: fit_ssmvfs(X, Y, VIEWS, g1, g2, **(LONG | kw)), (1.0, 2.0)),
    "DSMLFS": (
        dsmlfs,
        lambda X, Y, g1, g2, **kw: fit_dsmlfs(X, (Y > 0) * 1.0, VIEWS, g1, g2, **(LONG | kw)),
        (0.3, 0.5),
    ),
}


@pytest.mark.parametrize("n", [18, 6], ids=["n>d", "n<d"])
@pytest.mark.parametrize("name", METHODS)
def test_reaches_the_optimum_of_an_independent_solver(name, n):
    objective, fit, gammas = METHODS[name]
    X, Y, _ = problem(n)
    W, b = cp.Variable((7, 3)), cp.Variable(3)
    best = optimum(lambda *args: objective(*args, *gammas), W, b, X, Y)
    ours = fit(X, Y, *gammas)
    assert_allclose(ours[2][-1], best, rtol=1e-6)
    # and the objective that was recorded is that of the coefficients that are returned
    assert_allclose(objective(ours[0], ours[1], X, Y, *gammas).value, ours[2][-1], rtol=1e-6)
    if n > 7:  # elsewhere the minimiser need not be unique
        assert_allclose(ours[0], W.value, atol=2e-4)


def test_smml_reaches_the_optimum_up_to_its_inner_tolerance():
    X, Y, _ = problem()
    W, b = cp.Variable((7, 3)), cp.Variable(3)
    best = optimum(lambda *args: smml(*args, 0.3, 0.5), W, b, X, Y)
    fitted, intercept, objectives, _ = fit_smml(X, Y, VIEWS, 0.3, 0.5, max_iter=300, tol=1e-9)
    assert_allclose(objectives[-1], best, rtol=1e-4)
    assert_allclose(smml(fitted, intercept, X, Y, 0.3, 0.5).value, objectives[-1], rtol=1e-6)
    assert np.diff(objectives).max() <= 1e-6 * len(X)


@pytest.mark.parametrize("gamma", [1e-5, 1e-2, 1.0, 1e3])
@pytest.mark.parametrize("shape", [(18, 7), (6, 7)], ids=["n>d", "n<d"])
@pytest.mark.parametrize("name", METHODS)
def test_objective_never_rises_from_random_starts(name, shape, gamma):
    fit = METHODS[name][1]
    X, Y, _ = problem(shape[0])
    for seed in range(3):
        start = np.random.default_rng(seed).normal(size=(7, 3)) * 10.0 ** (seed - 1)
        start = (start, np.zeros(3)) if name == "RFS" else start
        objectives = fit(X, Y, gamma, gamma / 2, start=start, max_iter=60, tol=-1.0)[2]
        assert len(objectives) == 60
        # interpolation leaves objectives of about gamma, of which rounding takes its part
        assert np.diff(objectives).max() <= 1e-9 * objectives[0] * min(1.0, gamma)


def test_lagged_weights_as_printed_lose_the_descent_but_not_the_limit():
    X, Y, _ = problem(60, 30, 4)
    current = fit_view(X, Y, 0.5, 0.5, max_iter=500, tol=-1)[2]
    lagged = fit_view(X, Y, 0.5, 0.5, max_iter=500, tol=-np.inf, lagged=True)[2]
    assert np.diff(lagged).max() > 0.01 * lagged[-1]
    assert_allclose(lagged[-1], current[-1], rtol=1e-6)


@pytest.mark.parametrize("gamma", [1e-3, 0.1])
@pytest.mark.parametrize("shape", [(18, 7), (9, 20)], ids=["n>d", "n<d"])
def test_rrmvfs_forms_agree(shape, gamma):
    X, Y, _ = problem(*shape)
    dual = fit_view(X, Y, gamma, gamma, form="dual")
    for form in ("primal", "eigen"):
        other = fit_view(X, Y, gamma, gamma, form=form)
        assert_allclose(other[2], dual[2], rtol=1e-7)
        assert_allclose(other[0], dual[0], atol=1e-6 * np.abs(dual[0]).max())


@pytest.mark.parametrize("name", ["RFS", "SSMVFS", "DSMLFS"])
def test_primal_equals_dual(name):
    X, Y, _ = problem()
    _, fit, gammas = METHODS[name]
    primal, dual = (fit(X, Y, *gammas, form=form, max_iter=20) for form in ("primal", "dual"))
    assert_allclose(primal[2], dual[2], rtol=1e-9)
    assert_allclose(primal[0], dual[0], atol=1e-7)


@pytest.mark.parametrize("n", [18, 6])
def test_rfs_without_intercept_equals_the_iterates_of_the_original(n):
    # The original solves for U = [W; E], E the residuals over gamma, in A U = Y with A = [X, gamma I].
    X, Y, _ = problem(n)
    A, D = np.hstack([X, 0.5 * np.eye(n)]), np.ones(7 + n)
    for _ in range(5):
        U = (A / D).T @ np.linalg.solve((A / D) @ A.T, Y)
        D = 0.5 / np.linalg.norm(U, axis=1)
    start = np.linalg.solve(X.T @ X + 0.25 * np.eye(7), X.T @ Y), np.zeros(3)  # its first step: D = I
    W, b, *_ = fit_rfs(X, Y, 0.5, start=start, max_iter=4, tol=-1, fit_intercept=False)
    assert_allclose(W, U[:7], atol=1e-6)
    assert_allclose(b, 0, atol=0)


def test_primal_forms_survive_interpolation():
    # The labels are among the columns, so that the residual vanishes although n > d.
    _, Y, _ = problem(60)
    X = np.column_stack([Y, np.random.default_rng(0).normal(size=(60, 5))])
    values = [fit_view(X, Y, 1e-5, 1e-5, form=form, max_iter=100, tol=-1)[2] for form in ("dual", "primal", "eigen")]
    assert_allclose(values[1][-1], values[0][-1], rtol=1e-4)
    assert_allclose(values[2][-1], values[0][-1], rtol=1e-4)


def test_rrmvfs_reaches_the_optimum_over_all_views_together():
    """The paper's Eq. 2 with two views, handed to an independent solver whole: one problem, no view on its own."""
    X, Y, codes = problem(30)
    W, b = cp.Variable((7, 3)), cp.Variable((2, 3))
    loss = sum(cp.norm(X[:, view] @ W[view] + np.ones((30, 1)) @ b[[v]] - Y, "fro") for v, view in enumerate(VIEWS))
    joint = cp.Problem(cp.Minimize(loss + 0.05 * g1(W) + 0.1 * l21(W)))
    best = joint.solve(solver=cp.CLARABEL, tol_gap_abs=1e-10, tol_gap_rel=1e-10, tol_feas=1e-10)
    fitted = RRMVFS(VIEWS, gamma1=0.05, gamma2=0.1, **LONG).fit(X, codes)
    assert_allclose(fitted.objective_[-1], best, rtol=1e-6)
    assert_allclose(fitted.coef_, W.value.T, atol=2e-4)
    assert_allclose(fitted.intercept_, b.value, atol=2e-4)
    residual = X[:, VIEWS[0]] @ W.value[VIEWS[0]] + b.value[0] - Y
    assert_allclose(fitted.view_weights_[0], 0.5 / np.linalg.norm(residual), rtol=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_is_squared_loss_at_penalties_times_twice_the_residual(seed):
    # d||R|| = d||R||^2 / (2 ||R||): the unsquared norm of a whole view only rescales the penalties.
    X, Y, _ = problem(seed=seed)
    W, b, *_ = fit_view(X, Y, 0.05, 0.1, **LONG)
    factor = 2 * np.linalg.norm(X @ W + b - Y)
    squared = fit_ssmvfs(X, Y, [np.arange(7)], 0.05 * factor, 0.1 * factor, **LONG)
    assert_allclose(squared[0], W, atol=1e-5)


def test_hand_computed_single_feature():
    # x = -1, 1 and y = -1, 1, one column: J = sqrt(2) |w - 1| + (gamma1 + gamma2) |w|, so w is 1 or 0.
    X, Y = np.array([[-1.0], [1.0]]), np.array([[-1.0], [1.0]])
    assert_allclose(fit_view(X, Y, 0.7, 0.7, **LONG)[0], 1.0, atol=1e-6)  # 1.4 < sqrt(2)
    assert_allclose(fit_view(X, Y, 0.8, 0.7, **LONG)[0], 0.0, atol=1e-6)  # 1.5 > sqrt(2)
