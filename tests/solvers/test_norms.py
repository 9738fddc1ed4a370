"""The norms' weights must majorise their values: that is the whole reason why reweighted methods descend."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fslib.solvers.norms import G1, G21, L2p, SumOfNorms

VIEWS = [np.array([0, 3]), np.array([1, 2, 4])]
NORMS = [L2p(), L2p(p=0.5), L2p(p=0.8, epsilon=0.1), G1(VIEWS), G1(VIEWS, epsilon=0.1), G21(VIEWS), G21(VIEWS, 0.1)]
NORMS.append(SumOfNorms((0.5, L2p()), (0.0, G21(VIEWS)), (2.0, G1(VIEWS))))


def test_values_by_hand():
    W = np.array([[3.0, 0.0], [0.0, 2.0], [0.0, 0.0], [4.0, 0.0], [0.0, 0.0]])
    assert_allclose(L2p().value(W), 3 + 2 + 4, atol=1e-7)
    assert_allclose(L2p(p=0.5).value(W), np.sqrt(3) + np.sqrt(2) + 2, atol=1e-3)  # epsilon^p of the empty rows remains
    assert_allclose(G1(VIEWS).value(W), 5 + 0 + 0 + 2, atol=1e-7)
    assert_allclose(G21(VIEWS).value(W), 5 + 2, atol=1e-7)


@pytest.mark.parametrize("norm", NORMS, ids=repr)
def test_weights_are_half_the_gradient_per_coefficient(norm):
    W = np.random.default_rng(0).normal(size=(5, 3))
    step = 1e-6
    for i, p in np.ndindex(*W.shape):
        up, down = W.copy(), W.copy()
        up[i, p] += step
        down[i, p] -= step
        slope = (norm.value(up) - norm.value(down)) / (2 * step)
        assert_allclose(2 * np.broadcast_to(norm.weights(W), W.shape)[i, p] * W[i, p], slope, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("norm", NORMS, ids=repr)
def test_quadratic_lies_above_the_norm_and_touches_it(norm):
    rng = np.random.default_rng(1)
    for _ in range(50):
        at, elsewhere = rng.normal(size=(5, 3)) * rng.choice([0, 1e-3, 1], size=(5, 1)), rng.normal(size=(5, 3))
        weights = norm.weights(at)
        rise = np.sum(weights * elsewhere**2) - np.sum(weights * at**2)
        assert norm.value(elsewhere) <= norm.value(at) + rise + 1e-9 * (1 + abs(rise))


def test_dead_rows_have_finite_weights():
    W = np.zeros((5, 3))
    assert all(np.isfinite(norm.weights(W)).all() for norm in NORMS)
