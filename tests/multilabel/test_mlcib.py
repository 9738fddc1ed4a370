import cvxpy as cp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.optimize import approx_fprime
from sklearn.exceptions import ConvergenceWarning

from fslib.multilabel.mlcib import MLCIB
from fslib.multilabel.mlcib_fs import MLCIBFS
from fslib.multilabel.mlcib_problem import (
    EliminatedProblem,
    JointProblem,
    LabelGraph,
    NoGraph,
    SampleGraph,
    label_target,
    largest_square,
)
from fslib.multilabel.mlcib_published import START_EPSILON, solve_as_published
from fslib.solvers.fista import fista, soft_threshold
from fslib.solvers.similarity import CosineSimilarity, NormalizedLaplacian


def make(n=25, d=8, n_labels=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((n, d))
    return X, (X[:, :n_labels] + 0.3 * rng.normal(size=(n, n_labels)) > 0.6).astype(float)


def laplacian_of(A):
    """Normalised Laplacian of the cosine similarity of the rows of A, written out."""
    U = A / np.linalg.norm(A, axis=1, keepdims=True)
    S = U @ U.T
    g = S.sum(axis=1)
    return np.eye(len(A)) - S / np.sqrt(np.outer(g, g))


def graph_of(kind, X, Y, alpha, beta):
    if kind == "none":
        return NoGraph(beta)
    if kind == "labels":
        return LabelGraph(Y, alpha, beta)
    return SampleGraph(NormalizedLaplacian(CosineSimilarity(X)), alpha, beta)


def objective(X, T, W, N, Y, kind, alpha, beta, gamma):
    """F by its definition."""
    smooth = 0.0
    if kind == "samples":
        smooth = np.trace(N.T @ laplacian_of(X) @ N)
    if kind == "labels":
        smooth = np.trace(N @ laplacian_of(Y.T) @ N.T)
    fit = 0.5 * np.sum((X @ W - N) ** 2) + alpha / 2 * smooth + beta / 2 * np.sum((N - T) ** 2)
    return fit + gamma * np.abs(W).sum()


@pytest.mark.parametrize("kind", ["samples", "labels", "none"])
def test_gradient_and_value_of_the_eliminated_problem(kind):
    X, Y = make()
    alpha, beta = 0.8, 0.5
    problem = EliminatedProblem(X, Y, graph_of(kind, X, Y, alpha, beta), alpha, beta, np.full((8, 1), 0.2))
    W = np.random.default_rng(1).normal(size=(8, 4))
    image = problem.image(W, None)
    assert problem.value(image, W) == pytest.approx(objective(X, Y, W, image[1], Y, kind, alpha, beta, 0.2), rel=1e-9)
    smooth = lambda w: problem.value(problem.image(w.reshape(8, 4), None), 0 * W)
    numeric = approx_fprime(W.ravel(), smooth, 1e-6).reshape(8, 4)
    assert_allclose(problem.gradient(image), numeric, atol=1e-4)


def test_gradient_of_the_joint_problem():
    X, Y = make()
    problem = JointProblem(X, Y, graph_of("samples", X, Y, 0.8, 0.5), 0.8, 0.5, np.full((8, 1), 0.2))
    W = np.random.default_rng(1).normal(size=(33, 4))
    smooth = lambda w: problem.value(problem.image(w.reshape(33, 4), None), 0 * W)
    assert_allclose(problem.gradient(problem.image(W, None)).ravel(), approx_fprime(W.ravel(), smooth, 1e-6), atol=1e-4)


@pytest.mark.parametrize("kind", ["samples", "labels", "none"])
@pytest.mark.parametrize("gamma", [0.05, 0.5])
def test_optimum_is_that_of_a_convex_solver(kind, gamma):
    X, Y = make()
    alpha, beta = 0.7, 0.4
    T = label_target(Y, "cooccurrence")
    W, N = cp.Variable((8, 4)), cp.Variable((25, 4))
    loss = 0.5 * cp.sum_squares(X @ W - N) + beta / 2 * cp.sum_squares(N - T) + gamma * cp.sum(cp.abs(W))
    if kind != "none":
        values, vectors = np.linalg.eigh(laplacian_of(X if kind == "samples" else Y.T))
        root = vectors * np.sqrt(np.maximum(values, 0))
        loss += alpha / 2 * cp.sum_squares(root.T @ (N if kind == "samples" else N.T))
    optimum = cp.Problem(cp.Minimize(loss)).solve(solver=cp.CLARABEL)
    fitted = MLCIB(alpha=alpha, beta=beta, gamma=gamma, graph=kind, tol=1e-12, max_iter=5000).fit(X, Y)
    assert fitted.objective_[-1] == pytest.approx(optimum, rel=1e-7)
    assert_allclose(fitted.coef_, W.value, atol=1e-3)
    assert_allclose(fitted.label_matrix_, N.value, atol=1e-3)
    if kind != "labels":
        joint = MLCIB(alpha=alpha, beta=beta, gamma=gamma, graph=kind, tol=1e-12, max_iter=20000, solver="joint").fit(
            X, Y
        )
        assert joint.objective_[-1] == pytest.approx(optimum, rel=1e-7)
        assert_allclose(joint.label_matrix_, N.value, atol=1e-3)


@pytest.mark.parametrize("alpha", [0, 0.1, 10.0])
@pytest.mark.parametrize("seed", range(3))
def test_objective_never_rises_and_curvature_is_an_upper_bound(alpha, seed):
    X, Y = make(60, 30, 5, seed)
    values = MLCIB(alpha=alpha, gamma=0.02, tol=0, max_iter=300).fit(X, Y).objective_
    assert np.all(np.diff(values) <= 1e-12 * values[:-1])
    beta, M = 1.0, 2 * np.eye(60) + alpha * laplacian_of(X)
    hessian = X.T @ (np.eye(60) - np.linalg.inv(M)) @ X
    graph = graph_of("samples", X, Y, alpha, beta)
    bound = EliminatedProblem(X, Y, graph, alpha, beta, np.zeros((30, 1))).curvature
    assert np.linalg.eigvalsh(hessian)[-1] <= bound
    assert np.linalg.svd(X)[1][0] ** 2 <= largest_square(X) <= 1.03 * np.linalg.svd(X)[1][0] ** 2


def test_a_plain_step_replaces_one_that_leads_uphill():
    """Even with a curvature far too small at first, the objective never rises."""
    X, Y = make()
    problem = EliminatedProblem(X, Y, NoGraph(1.0), 0.0, 1.0, np.full((8, 1), 0.1))
    right = fista(problem, np.zeros((8, 4)), max_iter=2000, tol=1e-13)
    problem.curvature /= 50
    found = fista(problem, np.zeros((8, 4)), max_iter=2000, tol=1e-13)
    assert np.all(np.diff(found.objective) <= 1e-12 * found.objective[:-1])
    assert found.objective[-1] == pytest.approx(right.objective[-1], rel=1e-8)


@pytest.mark.parametrize("kind", ["samples", "labels", "none"])
def test_gamma_max_is_the_smallest_that_drops_every_feature(kind):
    X, Y = make()
    limit = MLCIB(graph=kind).fit(X, Y).gamma_max_
    assert not MLCIB(gamma=limit * 1.001, graph=kind).fit(X, Y).coef_.any()
    assert MLCIB(gamma=limit * 0.98, graph=kind).fit(X, Y).coef_.any()
    assert MLCIB(gamma="auto", graph=kind).fit(X, Y).gamma_ == pytest.approx(0.02 * limit)


def test_the_published_similarity_reverses_the_smoothing():
    """As a Laplacian X X^T punishes the smoothest label vector and rewards the roughest; the normalised does not."""
    X, _ = make(40, 10)
    values, vectors = np.linalg.eigh(laplacian_of(X))
    smoothest, roughest = vectors[:, 0], vectors[:, -1]
    assert smoothest @ X @ X.T @ smoothest > 50 * (roughest @ X @ X.T @ roughest)
    assert values[0] < 1e-10 < 0.5 < values[-1]
    Y = (X[:, :3] > 0.5).astype(float)
    norms = [
        np.linalg.norm(X.T @ MLCIB(alpha=a, graph="none", label_matrix="none").fit(X, Y).label_matrix_) for a in (0,)
    ]
    for alpha in (0.1, 1.0):
        reversed_ = MLCIB(alpha=alpha, gamma=1e-4, label_matrix="none", reading="published", max_iter=300).fit(X, Y)
        norms.append(np.linalg.norm(X.T @ reversed_.label_matrix_))
    assert norms[0] > norms[1] > norms[2]  # the more weight, the less the labels agree with the data


def test_published_loop_is_the_printed_one():
    """Typed from Algorithm 6 with full matrices."""
    X, Y = make()
    alpha, beta, gamma = 0.1, 0.5, 0.01
    T = Y @ np.array([[np.mean(Y[:, i] == Y[:, j]) for j in range(4)] for i in range(4)])
    assert_allclose(label_target(Y, "agreement"), T, rtol=1e-12)
    L = X @ X.T
    L_W = largest_square(X)
    L_N = 1 + beta + alpha * L_W
    W = W0 = np.linalg.solve(X.T @ X + START_EPSILON * np.eye(8), X.T @ T)
    N = N0 = T
    k0 = k1 = 1.0
    for _ in range(7):
        omega = (k0 - 1) / k1
        Z = W + omega * (W - W0)
        W0, W = W, soft_threshold(Z - X.T @ (X @ Z - N) / L_W, gamma)
        Z = N + omega * (N - N0)
        N0, N = N, Z - (Z + alpha * L @ Z + beta * Z - X @ W - beta * T) / L_N
        k0, k1 = k1, (1 + np.sqrt(1 + 4 * k1**2)) / 2
    found = solve_as_published(X, T, None, alpha, beta, gamma, 7)
    assert_allclose(found.W, W, atol=1e-10)
    assert_allclose(found.image, N, atol=1e-10)
    fit = MLCIB(
        alpha=alpha, beta=beta, gamma=gamma, label_matrix="agreement", reading="published", max_iter=7, n_jobs=1
    ).fit(X, Y)
    assert_allclose(fit.coef_, W, atol=1e-10)


def test_agreement_is_the_number_of_labels_where_labels_are_rare():
    rng = np.random.default_rng(0)
    Y = (rng.random((500, 60)) < 0.03).astype(float)
    T = label_target(Y, "agreement")
    correlations = [np.corrcoef(T[:, j], Y.sum(axis=1))[0, 1] for j in range(60)]
    assert min(correlations) > 0.99
    assert np.array_equal(label_target(Y, "cooccurrence")[Y == 1], np.ones(int(Y.sum())))


def test_sparse_x_two_threads_and_single_precision_give_the_same():
    rng = np.random.default_rng(0)
    X = rng.random((60, 40)) * (rng.random((60, 40)) < 0.3)
    X[5] = 0  # a sample without features
    Y = (X[:, :4] > 0).astype(float)
    fit = lambda X, **o: MLCIB(gamma=0.05, tol=1e-9, max_iter=2000, **o).fit(X, Y)
    dense = fit(X)
    for other in (fit(sparse.csr_array(X)), fit(sparse.csr_array(X), n_jobs=2)):
        assert_allclose(other.coef_, dense.coef_, atol=1e-5)
    single = MLCIB(gamma=0.05, tol=1e-6).fit(sparse.csr_array(X.astype(np.float32)), Y)
    assert single.coef_.dtype == np.float32 and single.label_matrix_.dtype == np.float32
    assert single.objective_[-1] == pytest.approx(dense.objective_[-1], rel=1e-3)


def test_constant_labels_and_an_unpenalised_intercept():
    X, Y = make()
    Y[:, 1], Y[:, 2] = 0, 1
    fitted = MLCIB(fit_intercept=True, label_matrix="none", gamma="auto").fit(X, Y)
    assert not fitted.coef_[:, 1].any() and abs(fitted.intercept_[1]) < 1e-6
    assert (fitted.predict(X)[:, 1:3] == [0, 1]).all()
    strong = MLCIB(fit_intercept=True, label_matrix="none", graph="none", gamma=1e6, tol=1e-12, max_iter=2000).fit(X, Y)
    assert not strong.coef_.any()
    assert_allclose(strong.intercept_, Y.mean(axis=0), atol=1e-4)


def test_selector_ranks_by_the_coefficients_of_the_classifier():
    X, Y = make()
    X = np.column_stack([X, np.ones(25)])
    selector, classifier = MLCIBFS(n_features_to_select=3).fit(X, Y), MLCIB().fit(X, Y)
    assert_allclose(selector.scores_[:-1], np.linalg.norm(classifier.coef_[:-1], axis=1), rtol=1e-12)
    assert classifier.coef_[-1].any() and selector.scores_[-1] == 0


def test_says_when_it_stops_too_early_and_names_bad_parameters():
    X, Y = make()
    with pytest.warns(ConvergenceWarning, match="max_iter=1 steps"):
        MLCIB(max_iter=1).fit(X, Y)
    bad = [
        {"alpha": -1},
        {"beta": 0},
        {"gamma": "much"},
        {"graph": "x"},
        {"solver": "x"},
        {"max_iter": 0},
        {"n_jobs": 0},
    ]
    for options in bad:
        (name,) = options
        with pytest.raises(ValueError, match=f"^{name}="):
            MLCIB(**options).fit(X, Y)
    with pytest.raises(ValueError, match="graphs of samples only"):
        MLCIB(solver="joint", graph="labels").fit(X, Y)
