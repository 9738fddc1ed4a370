import warnings

import cvxpy as cp
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.optimize import approx_fprime
from sklearn.exceptions import ConvergenceWarning

from fslib.multilabel.graph import knn_laplacian
from fslib.multilabel.mlmlfs import MLMLFS
from fslib.multilabel.mlmlfs_solver import objective, solve_by_continuation
from fslib.solvers.manifold_ridge import ManifoldRidge
from fslib.solvers.norms import L2p, row_squares, smoothed

ALPHA, LAM = 0.01, 0.5
CASES = [(60, 15, 4), (30, 50, 3)]


def make(n, d, c, missing, seed=1):
    """Four features matter; some of the labels are hidden. Returns X, labels with NaN, all labels."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    truth = (X[:, :4] @ rng.normal(size=(4, c)) + 0.3 * rng.normal(size=(n, c)) > 0).astype(float)
    return X, np.where(rng.random((n, c)) < missing, np.nan, truth), truth


def problem(X, Y):
    centred = X - X.mean(axis=0)
    return ManifoldRidge(centred, knn_laplacian(centred, 5), ALPHA, LAM), np.nan_to_num(2 * Y - 1), np.isnan(Y)


def printed_objective(fitted, X, p=1.0):
    """J without smoothing at what a fit returned."""
    P = fitted.decision_function(X)
    laplacian = knn_laplacian(X - X.mean(axis=0), 5)
    loss = np.linalg.norm(P - fitted.label_matrix_, axis=1).sum()
    return loss + ALPHA * np.trace(P.T @ laplacian @ P) + LAM * np.sum(np.linalg.norm(fitted.coef_, axis=1) ** p)


def convex_optimum(X, Y):
    """J's minimum for p = 1 by an interior-point solver that knows nothing of reweighting."""
    (n, d), c = X.shape, Y.shape[1]
    values, vectors = np.linalg.eigh(knn_laplacian(X - X.mean(axis=0), 5).toarray())
    root = np.sqrt(np.maximum(values, 0))[:, None] * vectors.T
    W, b, F = cp.Variable((d, c)), cp.Variable((1, c)), cp.Variable((n, c))
    P = X @ W + np.ones((n, 1)) @ b
    loss = cp.sum(cp.norm(P - F, 2, axis=1)) + ALPHA * cp.sum_squares(root @ P)
    known = ~np.isnan(Y)
    constraints = [cp.multiply(known, F) == np.where(known, 2 * np.nan_to_num(Y) - 1, 0), F <= 1, F >= -1]
    done = cp.Problem(cp.Minimize(loss + LAM * cp.sum(cp.norm(W, 2, axis=1))), constraints)
    return done.solve(solver=cp.CLARABEL), W.value


@pytest.mark.parametrize(("n", "d", "c"), CASES)
@pytest.mark.parametrize(("missing", "gap"), [(0.0, 1e-4), (0.3, 5e-4), (0.8, 5e-3)])
def test_reaches_the_convex_optimum_at_p_1(n, d, c, missing, gap):
    X, Y, _ = make(n, d, c, missing)
    optimum, W = convex_optimum(X, Y)
    fitted = MLMLFS(alpha=ALPHA, lam=LAM, max_iter=60, inner_iter=10, tol=0).fit(X, Y)
    found = printed_objective(fitted, X)
    assert optimum * (1 - 1e-6) <= found <= optimum * (1 + gap)
    if missing == 0:
        assert_allclose(fitted.coef_, W, atol=5e-3 * np.abs(W).max())


def test_published_reading_takes_its_steps_and_no_test_stops_it():
    X, Y, _ = make(60, 15, 4, 0.5)
    fitted = MLMLFS(alpha=ALPHA, lam=LAM, reading="published", random_state=0, tol=0.5).fit(X, Y)
    assert fitted.n_iter_ == len(fitted.objective_) == 20 and fitted.converged_ is None
    again = MLMLFS(alpha=ALPHA, lam=LAM, reading="published", random_state=0, max_iter=3).fit(X, Y)
    assert_array_equal(again.objective_, fitted.objective_[:3])


def test_the_start_of_the_published_reading_matters_where_labels_are_missing():
    X, Y, complete = make(60, 15, 4, 0.5)
    for y, same in ((complete, True), (Y, False)):
        first, second = (
            MLMLFS(alpha=ALPHA, lam=LAM, reading="published", random_state=start, max_iter=60).fit(X, y).coef_
            for start in (0, 1)
        )
        assert np.allclose(first, second, atol=1e-3) is same


def test_published_ranking_orders_norms_too_small_to_tell_apart_by_a_tolerance():
    X, Y, _ = make(60, 15, 4, 0.0)
    fitted = MLMLFS(alpha=ALPHA, lam=1e6, reading="published", random_state=0).fit(X, Y)
    assert fitted.scores_.max() < 1e-12
    assert_array_equal(fitted.ranking_, np.argsort(-fitted.scores_, kind="stable"))
    assert not np.array_equal(fitted.ranking_, np.arange(15))


@pytest.mark.parametrize(("n", "d", "c"), CASES)
@pytest.mark.parametrize("missing", [0.0, 0.5])
@pytest.mark.parametrize("p", [0.4, 0.6, 0.8, 1.0])
def test_objective_never_rises(n, d, c, missing, p):
    X, Y, _ = make(n, d, c, missing)
    values = MLMLFS(alpha=ALPHA, lam=LAM, p=p, max_iter=80, tol=0).fit(X, Y).objective_
    assert len(values) > 20 and values[-1] < 0.9 * values[0]
    assert np.all(np.diff(values) <= 0)


@pytest.mark.parametrize("p", [0.4, 1.0])
def test_weights_give_the_gradient_of_the_smoothed_objective(p):
    """A majoriser that touches has the same slope: 2 X^T (g R) + 2 alpha X^T L P + 2 lam h W."""
    X, Y, _ = make(20, 5, 3, 0.3)
    ridge, F, _ = problem(X, Y)
    rng = np.random.default_rng(0)
    W, b, e0, e1 = rng.normal(size=(5, 3)), rng.normal(size=3), 0.3, 0.2

    def smooth(parameters):
        W = parameters.reshape(5, 3)
        return objective(ridge, W, ridge.X @ W + b, F, p, (e0, e1))

    P = ridge.X @ W + b
    g = 0.5 / smoothed(row_squares(P - F), e0)
    slope = ridge.X.T @ (g[:, None] * (P - F) + ALPHA * (ridge.laplacian @ P)) + LAM * L2p(p, e1).weights(W) * W
    assert_allclose(approx_fprime(W.ravel(), smooth, 1e-7).reshape(5, 3), 2 * slope, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("p", [0.4, 1.0])
def test_ends_at_a_stationary_point_of_the_printed_objective(p):
    X, Y, _ = make(60, 15, 4, 0.0)  # nothing hidden, so that no residual vanishes and the loss has a gradient
    ridge, F, unknown = problem(X, Y)
    ridge.lam = 5.0
    found = solve_by_continuation(ridge, F, unknown, np.ones(15), p, max_iter=200, inner_iter=1, tol=0)
    P = ridge.X @ found.W + found.b
    loss_slope = (P - F) / np.linalg.norm(P - F, axis=1, keepdims=True) + 2 * ALPHA * (ridge.laplacian @ P)
    norms = np.linalg.norm(found.W, axis=1, keepdims=True)
    kept = norms.ravel() > 1e-3
    assert 4 <= kept.sum() < 15
    slope = ridge.X.T @ loss_slope + ridge.lam * p * found.W * norms ** (p - 2)
    assert_allclose(slope[kept], 0, atol=1e-3)
    assert_allclose(loss_slope.sum(axis=0), 0, atol=1e-6)  # in b


@pytest.mark.parametrize(("n", "d", "c"), CASES)
@pytest.mark.parametrize("reading", ["corrected", "published"])
def test_dual_form_equals_primal_form(monkeypatch, n, d, c, reading):
    X, Y, _ = make(n, d, c, 0.4)
    found = []
    for form in ("primal", "dual"):
        monkeypatch.setattr("fslib.multilabel.mlmlfs.ManifoldRidge", lambda *a, form=form, **_: ManifoldRidge(*a, form))
        found.append(MLMLFS(alpha=ALPHA, lam=LAM, max_iter=15, tol=0, reading=reading, random_state=0).fit(X, Y))
    assert_allclose(found[0].coef_, found[1].coef_, rtol=1e-5, atol=1e-7)
    assert_allclose(found[0].objective_, found[1].objective_, rtol=1e-8)


def test_finds_features_and_recovers_hidden_labels():
    X, Y, truth = make(400, 20, 5, 0.5)
    fitted = MLMLFS(alpha=ALPHA, lam=20.0, n_features_to_select=4).fit(X, Y)
    assert_array_equal(fitted.get_support(indices=True), [0, 1, 2, 3])
    hidden, known = np.isnan(Y), ~np.isnan(Y)
    assert_array_equal(fitted.recovered_labels_[known], truth[known])
    assert np.mean(fitted.recovered_labels_[hidden] == truth[hidden]) > 0.9
    assert_array_equal(fitted.label_matrix_[known], 2 * truth[known] - 1)
    assert np.abs(fitted.label_matrix_).max() <= 1
    assert_array_equal(fitted.recovered_labels_, fitted.label_matrix_ > 0)


def test_sparse_x_gives_what_dense_x_gives():
    for n, d, c in CASES:
        X, Y, _ = make(n, d, c, 0.4)
        X = np.maximum(X - 0.5, 0)
        dense, thin = (MLMLFS(alpha=ALPHA, lam=LAM, tol=0).fit(Z, Y) for Z in (X, sparse.csr_array(X)))
        assert_allclose(thin.coef_, dense.coef_, rtol=1e-4, atol=1e-6)
        assert_allclose(thin.decision_function(sparse.csr_array(X)), dense.decision_function(X), atol=1e-6)


def test_names_of_features_and_labels():
    X, Y, _ = make(40, 5, 2, 0.2)
    columns = [f"f{j}" for j in range(5)]
    y = pd.DataFrame(Y, columns=["sad", "calm"])
    fitted = MLMLFS(n_features_to_select=2).fit(pd.DataFrame(X, columns=columns), y)
    assert_array_equal(fitted.label_names_, ["sad", "calm"])
    assert set(fitted.get_feature_names_out()) <= set(columns[:4])


class TestDegenerate:
    @pytest.mark.parametrize("p", [0.4, 1.0])
    @pytest.mark.parametrize("reading", ["corrected", "published"])
    def test_rows_without_known_labels(self, p, reading):
        X, Y, _ = make(40, 6, 3, 0.2)
        Y[:10] = np.nan
        fitted = MLMLFS(p=p, reading=reading, max_iter=200, random_state=0).fit(X, Y)
        assert np.isfinite(fitted.coef_).all() and np.isfinite(fitted.label_matrix_).all()

    def test_a_row_without_known_labels_costs_nothing_but_its_place_in_the_graph(self):
        X, Y, _ = make(40, 6, 3, 0.0)
        alone = MLMLFS(alpha=0.0, lam=LAM, max_iter=100, tol=0).fit(X, Y)
        blank = np.vstack([Y, np.full((20, 3), np.nan)])
        more = MLMLFS(alpha=0.0, lam=LAM, max_iter=100, inner_iter=30, tol=0).fit(np.vstack([X, 0.1 * X[:20]]), blank)
        assert_allclose(more.coef_, alone.coef_, atol=1e-3)

    def test_a_label_without_positives(self):
        X, Y, _ = make(60, 5, 3, 0.0)
        Y[:, 1] = 0
        fitted = MLMLFS(alpha=ALPHA, lam=LAM, max_iter=200, tol=1e-9).fit(X, Y)
        assert_allclose(fitted.coef_[:, 1], 0, atol=1e-12)
        assert_allclose(fitted.intercept_[1], -1, atol=1e-12)
        assert_array_equal(fitted.predict(X)[:, 1], 0)

    def test_a_single_label_one_dimensional_or_not(self):
        X, Y, _ = make(40, 5, 1, 0.3)
        flat, column = MLMLFS().fit(X, Y[:, 0]), MLMLFS().fit(X, Y)
        assert_array_equal(flat.coef_, column.coef_)
        assert column.predict(X).shape == (40, 1)

    def test_constant_columns_score_exactly_zero_and_come_last(self):
        for n, d, c in CASES:
            X, Y, _ = make(n, d, c, 0.3)
            X[:, 1] = 0.1
            for Z in (X, sparse.csr_array(X)):
                fitted = MLMLFS().fit(Z, Y)
                assert fitted.scores_[1] == 0 and fitted.ranking_[-1] == 1

    @pytest.mark.parametrize("scale", [1e-3, 1e3])
    def test_units_of_x_move_only_the_coefficients(self, scale):
        X, Y, _ = make(60, 15, 4, 0.3)
        one = MLMLFS(alpha=ALPHA, lam=LAM, tol=0).fit(X, Y)
        other = MLMLFS(alpha=ALPHA, lam=LAM * scale, max_iter=60, tol=0).fit(scale * X, Y)
        assert_allclose(scale * other.coef_, one.coef_, atol=1e-2)

    def test_tiny_sparsity_with_more_features_than_samples(self):
        X, Y, _ = make(30, 50, 3, 0.3)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            fitted = MLMLFS(alpha=ALPHA, lam=1e-6).fit(X, Y)
        assert np.all(np.diff(fitted.objective_) <= 0) and np.isfinite(fitted.scores_).all()

    def test_fit_writes_to_nothing(self):
        X, Y, _ = make(40, 5, 2, 0.3)
        for array in (X, Y):
            array.flags.writeable = False
        MLMLFS().fit(X, Y)


def test_says_when_it_stops_too_early():
    X, Y, _ = make(40, 5, 2, 0.3)
    with pytest.warns(ConvergenceWarning, match="max_iter=2 steps"):
        fitted = MLMLFS(max_iter=2).fit(X, Y)
    assert not fitted.converged_ and fitted.n_iter_ == 2


@pytest.mark.parametrize(
    "options",
    [
        {"alpha": -1},
        {"lam": 0},
        {"p": 0},
        {"p": 1.5},
        {"max_iter": 0},
        {"inner_iter": 2.5},
        {"tol": np.nan},
        {"reading": "x"},
    ],
)
def test_bad_parameters_are_named(options):
    X, Y, _ = make(20, 5, 2, 0.3)
    (name,) = options
    with pytest.raises(ValueError, match=f"^{name}="):
        MLMLFS(**options).fit(X, Y)
