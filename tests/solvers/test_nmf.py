"""The factorisation core against its definition, scikit-learn's two solvers, and the conditions of an optimum."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import nnls
from scipy.sparse.linalg import LinearOperator
from sklearn.decomposition import non_negative_factorization

from fslib.solvers.nmf import Block, factorise, nonnegative_coefficients, random_start, with_unit_coefficients
from fslib.solvers.norms import L2p, SumOfNorms

SOLVERS = ["hals", "multiplicative"]
PENALTY = SumOfNorms((0.7, L2p(epsilon=1e-3)))


def problem(seed=0, d=9, sizes=(7, 4), k=3):
    """Two blocks with weights of both kinds and a ridge, and a start."""
    rng = np.random.default_rng(seed)
    matrices = [rng.gamma(1.0, size=(d, n)) for n in sizes]
    blocks = [Block(matrices[0], rng.uniform(0.2, 3, sizes[0])), Block(matrices[1], 2.5, ridge=0.3)]
    return blocks, *random_start(blocks, k, rng)


def definition(blocks, U, V, penalty=None):
    """The objective, entry by entry."""
    total = penalty.value(U) if penalty else 0.0
    for block, part in zip(blocks, V, strict=True):
        M, s = block.matrix, np.broadcast_to(block.weights, block.matrix.shape[1])
        for i in range(M.shape[1]):
            total += s[i] * (sum((M[:, i] - U @ part[i]) ** 2) + block.ridge * sum(part[i] ** 2))
    return total


@pytest.mark.parametrize("basis_first", [True, False])
@pytest.mark.parametrize("penalty", [None, PENALTY])
@pytest.mark.parametrize("solver", SOLVERS)
def test_objective_is_the_definition_at_every_iteration(solver, penalty, basis_first):
    blocks, U, V = problem()
    options = {"solver": solver, "penalty": penalty, "basis_first": basis_first, "tol": 0}
    objective = factorise(blocks, U, V, max_iter=5, **options).objective
    for steps in (1, 2, 5):
        found = factorise(blocks, U, V, max_iter=steps, **options)
        assert_allclose(objective[steps - 1], definition(blocks, found.basis, found.coefficients, penalty), rtol=1e-12)


@pytest.mark.parametrize("penalty", [None, PENALTY])
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", range(8))
def test_objective_never_rises(seed, solver, penalty):
    blocks, U, V = problem(seed)
    start = definition(blocks, U, V, penalty)
    objective = factorise(blocks, U, V, solver=solver, penalty=penalty, tol=0, max_iter=150).objective
    assert np.diff([start, *objective]).max() <= 1e-12 * start
    assert objective[-1] < 0.8 * start


def slopes(function, F, step=1e-5):
    """Central differences in every entry of F."""
    out = np.empty_like(F)
    for place in np.ndindex(F.shape):
        shift = np.zeros_like(F)
        shift[place] = step
        out[place] = (function(F + shift) - function(F - shift)) / (2 * step)
    return out


@pytest.mark.parametrize("penalty", [None, PENALTY])
def test_running_ahead_saves_iterations_and_changes_no_optimum(penalty):
    blocks, U, V = problem(k=2)
    blocks = [Block(b.matrix, b.weights, ridge=1.0 if penalty else 0.0) for b in blocks]
    plain, fast = (
        factorise(blocks, U, V, penalty=penalty, accelerate=choice, tol=1e-13, max_iter=20_000)
        for choice in (False, True)
    )
    assert plain.converged and fast.converged
    assert_allclose(fast.objective[-1], plain.objective[-1], rtol=1e-9)
    assert 2 * len(fast.objective) < len(plain.objective)


@pytest.mark.parametrize("penalty", [None, PENALTY])
def test_ends_where_no_entry_can_improve(penalty):
    blocks, U, V = problem(k=2)
    if penalty is None:  # a ridge on V alone has no optimum: U grows for ever
        blocks = [Block(block.matrix, block.weights) for block in blocks]
    found = factorise(blocks, U, V, penalty=penalty, tol=0, max_iter=5000)
    U, V = found.basis, found.coefficients
    for F, value in [
        (U, lambda F: definition(blocks, F, V, penalty)),
        (V[0], lambda F: definition(blocks, U, [F, V[1]], penalty)),
        (V[1], lambda F: definition(blocks, U, [V[0], F], penalty)),
    ]:
        slope = slopes(value, F)
        assert_allclose(slope[F > 0], 0, atol=2e-4)
        assert (slope[F == 0] > -2e-4).all()


@pytest.mark.parametrize(("solver", "theirs"), [("hals", "cd"), ("multiplicative", "mu")])
def test_takes_the_steps_of_scikit_learn(solver, theirs):
    """One sweep is one pass of its coordinate descent: rows do not interact."""
    M = np.random.default_rng(3).gamma(1.0, size=(8, 30))
    U, (V,) = random_start([Block(M)], 3, np.random.default_rng(4))
    found = factorise([Block(M)], U, [V], solver=solver, sweeps=1, accelerate=False, max_iter=7, tol=0)
    W, H, _ = non_negative_factorization(
        M.T, V.copy(), U.T.copy(), init="custom", solver=theirs, max_iter=7, tol=0, n_components=3
    )
    assert_allclose(found.coefficients[0], W, rtol=1e-9)
    assert_allclose(found.basis.T, H, rtol=1e-9)


@pytest.mark.parametrize("solver", SOLVERS)
def test_classes_with_a_weight_are_one_scaled_matrix(solver):
    rng = np.random.default_rng(5)
    M, s = rng.gamma(1.0, size=(10, 12)), np.repeat([0.6, 3.0], [8, 4])
    U, (V,) = random_start([Block(M)], 2, rng)
    options = {"solver": solver, "max_iter": 20, "tol": 0}
    classes = factorise([Block(M[:, :8], 0.6), Block(M[:, 8:], 3.0)], U, [V[:8], V[8:]], **options)
    weights = factorise([Block(M, s)], U, [V], **options)
    root = np.sqrt(s)[:, None]
    scaled = factorise([Block(M * root.T)], U, [root * V], **options)
    for other, coefficients in [(classes, np.vstack(classes.coefficients)), (scaled, scaled.coefficients[0] / root)]:
        assert_allclose(other.objective, weights.objective, rtol=1e-10)
        assert_allclose(other.basis, weights.basis, rtol=1e-8, atol=1e-12)
        assert_allclose(coefficients, weights.coefficients[0], rtol=1e-8, atol=1e-12)


def as_operator(M):
    return LinearOperator(M.shape, matvec=lambda v: M @ v, rmatvec=lambda v: M.T @ v, matmat=lambda P: M @ P,
                          rmatmat=lambda P: M.T @ P, dtype=float)  # fmt: skip


@pytest.mark.parametrize("solver", SOLVERS)
def test_sparse_matrices_and_operators_are_as_good_as_dense_ones(solver):
    blocks, U, V = problem()
    M = np.where(blocks[0].matrix > 1, blocks[0].matrix, 0.0)
    s = blocks[0].weights
    dense = factorise([Block(M, s), blocks[1]], U, V, solver=solver, max_iter=10, tol=0)
    for matrix, norm in [(sp.csr_array(M), None), (sp.csc_array(M), None), (as_operator(M), Block(M, s).total())]:
        block = Block(matrix, s, squared_norm=norm)
        assert_allclose(block.total(), Block(M, s).total())
        other = factorise([block, blocks[1]], U, V, solver=solver, max_iter=10, tol=0)
        assert_allclose(other.objective, dense.objective, rtol=1e-10)
        assert_allclose(random_start([block], 2, np.random.default_rng(0))[0],
                        random_start([Block(M)], 2, np.random.default_rng(0))[0])  # fmt: skip


@pytest.mark.parametrize("solver", SOLVERS)
def test_rows_and_columns_of_zeros_end_at_zero(solver):
    M = np.random.default_rng(0).gamma(1.0, size=(6, 5))
    M[2], M[:, 3] = 0, 0
    found = factorise([Block(M)], *random_start([Block(M)], 2, np.random.default_rng(1)), solver=solver)
    assert_array_equal(found.basis[2], 0)
    assert_array_equal(found.coefficients[0][3], 0)
    assert np.isfinite(found.basis).all() and np.isfinite(found.objective).all()


@pytest.mark.parametrize("penalty", [None, PENALTY])
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_matrix_of_zeros(solver, penalty):
    blocks = [Block(np.zeros((4, 3)))]
    found = factorise(blocks, *random_start(blocks, 2, np.random.default_rng(0)), solver=solver, penalty=penalty)
    assert found.converged and np.isfinite(found.basis).all()
    assert_allclose(found.basis @ found.coefficients[0].T, 0, atol=1e-12)


def test_a_component_without_coefficients_comes_back():
    M = np.random.default_rng(0).gamma(1.0, size=(6, 5))
    U, (V,) = random_start([Block(M)], 2, np.random.default_rng(1))
    V[:, 1] = 0
    both = factorise([Block(M)], U, [V], basis_first=True)
    one = factorise([Block(M)], U[:, :1], [V[:, :1]])
    assert both.coefficients[0][:, 1].max() > 0 and both.objective[-1] < 0.9 * one.objective[-1]


def test_a_strong_penalty_empties_rows():
    blocks, U, V = problem()
    blocks = [Block(b.matrix, b.weights, ridge=1.0) for b in blocks]  # else the scale escapes into V
    found = factorise(blocks, U, V, penalty=SumOfNorms((1e4, L2p())), max_iter=500)
    assert_allclose(found.basis, 0, atol=1e-6)


@pytest.mark.parametrize("solver", SOLVERS)
def test_units_change_nothing(solver):
    M = np.random.default_rng(0).gamma(1.0, size=(12, 9))
    U, (V,) = random_start([Block(M)], 2, np.random.default_rng(1))
    plain = factorise([Block(M)], U, [V], solver=solver)
    tiny = factorise([Block(1e-12 * M)], 1e-6 * U, [1e-6 * V], solver=solver)
    assert plain.converged and len(tiny.objective) == len(plain.objective)
    assert_allclose(1e24 * tiny.objective, plain.objective, rtol=1e-9)


def test_stops_by_itself_or_says_that_it_did_not():
    blocks, U, V = problem()
    long = factorise(blocks, U, V, tol=1e-4, max_iter=2000)
    drops = -np.diff(long.objective) / long.objective[1:]
    assert long.converged and drops[-1] <= 1e-4 < drops[:-1].min()
    assert not factorise(blocks, U, V, tol=1e-4, max_iter=len(drops)).converged


def test_does_not_write_to_its_input():
    blocks, U, V = problem()
    for array in (U, *V, *(b.matrix for b in blocks), blocks[0].weights):
        array.flags.writeable = False
    factorise(blocks, U, V, max_iter=2)


def test_unknown_solver_is_refused():
    with pytest.raises(ValueError, match="solver='cd' must be one of 'hals', 'multiplicative'"):
        factorise(*problem(), solver="cd")


def test_unit_coefficients_leave_the_product():
    blocks, U, V = problem()
    U[:, 2], V[0][:, 1], V[1][:, 1] = 0, 0, 0  # one component without basis, one without coefficients
    scaled, parts = with_unit_coefficients(blocks, U, V)
    norms = sum((b.weigh(part) * part).sum(axis=0) for b, part in zip(blocks, parts, strict=True))
    assert_allclose(norms, [1, 0, 1])
    assert_array_equal(scaled[:, 1], 0)
    for part, before in zip(parts, V, strict=True):
        assert_allclose(scaled @ part.T, U @ before.T, atol=1e-12)


@pytest.mark.parametrize("twin", [False, True])
def test_coefficients_are_least_squares(twin):
    rng = np.random.default_rng(0)
    H, X = rng.random((8, 3)), rng.normal(1, 1, size=(20, 8))
    if twin:
        H[:, 2] = H[:, 1]  # not unique, but the fit is
    W = nonnegative_coefficients(X, H)
    assert W.min() == 0 and W.shape == (20, 3)
    assert_allclose(np.linalg.norm(X - W @ H.T, axis=1), [nnls(H, x)[1] for x in X], rtol=1e-10)
