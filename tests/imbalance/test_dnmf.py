"""DNMF: its update against the stationarity of what it minimises, its descent, and planted features."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fslib.imbalance import DNMF
from fslib.imbalance.dnmf import _kl, _scatters, _update_basis, _update_coefficients

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def data(n=40, n_rare=12, d=200, seed=0):
    rng = np.random.default_rng(seed)
    X, y = rng.gamma(2.0, size=(n, d)), np.arange(n) < n_rare
    X[np.ix_(y, np.arange(10))] += 3
    return X, y


@pytest.mark.parametrize(("gamma", "delta"), [(0.1, 1e-4), (2.0, 0.5), (0.0, 0.0)])
def test_every_coefficient_is_stationary_with_the_others_at_their_old_values(gamma, delta):
    """Derivative of the majoriser of KL, ``sum_i w_i h - h_old r log h``, plus that of the scatters."""
    rng = np.random.default_rng(0)
    V, W, H, codes = rng.random((6, 9)), rng.random((6, 2)), rng.random((2, 9)), np.arange(9) % 3 // 2
    W /= W.sum(axis=0)
    new = _update_coefficients(V, W, H, codes, gamma, delta)
    r = W.T @ (V / (W @ H))
    for k, j in np.ndindex(H.shape):

        def value(h, k=k, j=j):
            moved = H.copy()
            moved[k, j] = h
            within, between = _scatters(moved, codes)
            return h * W[:, k].sum() - H[k, j] * r[k, j] * np.log(h) + gamma * within - delta * between

        h = new[k, j]
        assert_allclose((value(h + 1e-6) - value(h - 1e-6)) / 2e-6, 0, atol=1e-7)


def test_without_scatter_it_is_lee_and_seungs_divergence_update():
    rng = np.random.default_rng(0)
    V, W, H = rng.random((6, 9)), rng.random((6, 2)), rng.random((2, 9))
    W /= W.sum(axis=0)
    new = _update_coefficients(V, W, H, np.arange(9) % 2, 0.0, 0.0)
    assert_allclose(new, H * (W.T @ (V / (W @ H))))
    assert _kl(V, W, new) < _kl(V, W, H)
    W_new, H_new = _update_basis(V, W, new)
    assert_allclose(W_new.sum(axis=0), 1)
    assert _kl(V, W_new, H_new) < _kl(V, W, new)


@pytest.mark.parametrize("seed", range(3))
def test_objective_never_rises_and_the_planted_features_come_first(seed):
    X, y = data(seed=seed)
    model = DNMF(n_features_to_select=10, random_state=seed).fit(X, y)
    assert np.diff(model.objective_).max() <= 1e-9 * model.objective_[0]
    assert np.count_nonzero(model.support_[:10]) >= 9
    assert model.loadings_[0, 1] > model.loadings_[0, 0]  # larger in True, the second class
    assert_allclose(model.scores_, abs(model.loadings_[:, 1] - model.loadings_[:, 0]))


def test_large_penalties_end_the_iterations_before_the_objective_rises():
    X, y = data(d=20)
    for seed in range(5):
        model = DNMF(gamma=50.0, delta=20.0, random_state=seed).fit(X, y)
        assert np.isfinite(model.loadings_).all()
        assert len(model.objective_) < 2 or np.diff(model.objective_).max() <= 1e-9 * abs(model.objective_).max()


def test_zeros_stay_finite():
    X, y = data(d=20)
    X[:, 3], X[5], X[X < 1] = 0, 0, 0
    model = DNMF(random_state=0).fit(X, y)
    assert model.scores_[3] == 0 and np.isfinite(model.scores_).all()


@pytest.mark.parametrize(
    ("y", "message"), [(np.arange(40) % 3, "3 classes"), (np.arange(40) == 0, "39 and 1"), (np.zeros(40), "one class")]
)
def test_impossible_classes(y, message):
    with pytest.raises(ValueError, match=message):
        DNMF().fit(data()[0], y)
