"""CSNMF against its definition, against scikit-learn, and against BSNMF, of which it is the transpose."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import nnls
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning

from fslib.imbalance import BSNMF, CSNMF
from fslib.imbalance.class_costs import sample_costs


def data(n=40, n_rare=8, d=6, seed=0):
    rng = np.random.default_rng(seed)
    return rng.gamma(1.0, size=(n, d)), np.arange(n) < n_rare


def weighted_error(X, costs, H):
    return costs @ [nnls(H.T, x)[1] ** 2 for x in X]


def best_of_seeds(make, value, seeds=8):
    return min(value(make(seed)) for seed in range(seeds))


def test_basis_minimises_the_weighted_error():
    """The objective is that of the best coefficients on the basis; scikit-learn finds no better one on scaled rows."""
    X, y = data()
    costs = sample_costs(y)[1]
    for seed in range(4):
        model = CSNMF(random_state=seed, tol=1e-10, max_iter=5000).fit(X, y)
        assert_allclose(model.objective_[-1], weighted_error(X, costs, model.components_), rtol=1e-6)
    ours = best_of_seeds(lambda s: CSNMF(random_state=s, tol=1e-8, max_iter=5000).fit(X, y), lambda m: m.objective_[-1])
    scaled = np.sqrt(costs)[:, None] * X
    fit = lambda s: NMF(2, init="random", tol=1e-8, max_iter=5000, random_state=s).fit(scaled)
    assert_allclose(ours, best_of_seeds(fit, lambda m: m.reconstruction_err_**2), rtol=1e-5)


def test_published_reading_weighs_by_squared_costs():
    X, y = data()
    model = CSNMF(reading="published", random_state=0, tol=1e-9, max_iter=20_000).fit(X, y)
    costs = sample_costs(y)[1]
    assert_allclose(model.objective_[-1], weighted_error(X, costs**2, model.components_), rtol=1e-4)
    assert np.diff(model.objective_).max() <= 1e-12 * model.objective_[0]


def test_published_reading_is_the_printed_loop():
    """Equations 3.1.6 and 3.1.7 with their transposes exchanged, typed as published, H first."""
    X, y = data()
    with pytest.warns(ConvergenceWarning, match="max_iter=9"):
        model = CSNMF(reading="published", random_state=3, max_iter=9, tol=0).fit(X, y)
    rng = np.random.default_rng(3)
    W, H = 1 - rng.random((40, 2)), 1 - rng.random((6, 2))
    C = np.where(y, 1 / 8, 1 / 32)
    scaled = C[:, None] * X
    for _ in range(9):
        H = H * (scaled.T @ W) / (H @ W.T @ W)
        W = W * (scaled @ H) / (W @ H.T @ H)
    H /= np.linalg.norm(H, axis=0)
    match = model.components_ @ H
    assert_allclose(np.sort(match.max(axis=1)), 1, rtol=1e-9)
    assert_array_equal(np.sort(match.argmax(axis=1)), [0, 1])


def test_typed_into_matlab_the_printed_rules_are_plain_nmf():
    """``X'*W`` is X transposed times W: the weights are gone, and these are Lee and Seung's rules."""
    X, _ = data()
    rng = np.random.default_rng(0)
    W, H = rng.random((40, 2)), rng.random((6, 2))
    plain = W.copy(), H.copy()
    for _ in range(5):
        H = H * (X.T @ W) / (H @ W.T @ W)
        W = W * (X @ H) / (W @ H.T @ H)
    theirs = NMF(2, init="custom", solver="mu", tol=0, max_iter=5)
    rest = theirs.fit_transform(X.T, W=plain[1], H=np.ascontiguousarray(plain[0].T))
    assert_allclose(rest, H, rtol=1e-9)
    assert_allclose(theirs.components_, W.T, rtol=1e-9)


def test_is_bsnmf_with_rows_and_columns_exchanged():
    X, y = data()
    options = {"random_state": 5, "tol": 1e-12, "max_iter": 20_000}
    C, B = CSNMF(**options).fit(X, y), BSNMF(**options).fit(X, y)
    unit = B.components_ / np.linalg.norm(B.components_, axis=1, keepdims=True)
    match = C.components_ @ unit.T
    assert_allclose(np.sort(match, axis=1)[:, -1], 1, rtol=1e-4)
    assert_allclose(C.objective_[-1] / 40, B.objective_[-1] / 80, rtol=1e-6)  # sigma = n / n_c, costs = n / (2 n_c)


def test_equal_classes_give_plain_nmf_up_to_the_start():
    X, _ = data()
    ours = best_of_seeds(lambda s: CSNMF(random_state=s, tol=1e-8, max_iter=5000).fit(X, np.arange(40) % 2),
                         lambda m: m.objective_[-1])  # fmt: skip
    fit = lambda s: NMF(2, init="random", tol=1e-8, max_iter=5000, random_state=s).fit(X)
    assert_allclose(ours, best_of_seeds(fit, lambda m: m.reconstruction_err_**2), rtol=1e-5)


def test_a_row_gets_the_same_coefficients_wherever_it_stands():
    X, y = data()
    model = CSNMF(n_components=3, random_state=0).fit(X, y)
    assert_allclose(model.transform(X)[[4, 30]], model.transform(X[[4, 30]]), rtol=1e-12)
    assert_allclose(model.transform(X)[7], nnls(model.components_.T, X[7])[0], rtol=1e-9)
    assert_allclose(np.linalg.norm(model.components_, axis=1), 1)


def test_more_components_than_the_data_have():
    X, y = np.ones((10, 3)), np.arange(10) < 3
    X[:, 2] = 0
    model = CSNMF(n_components=4, random_state=0).fit(X, y)
    assert_allclose(model.transform(X) @ model.components_, X, atol=1e-6)


@pytest.mark.parametrize("p", [0, 1.5, "two"])
def test_impossible_numbers_of_components(p):
    with pytest.raises(ValueError, match="n_components"):
        CSNMF(n_components=p).fit(*data())
