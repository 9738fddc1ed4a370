"""The correlation network against matrices written out, in all its forms, across the borders of its blocks."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from fslib.solvers.correlation import BLOCK, CorrelationNetwork, standardised_columns

D = 2 * BLOCK + 37


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(25, D)) + rng.normal(size=(25, 1))
    X[:, 5] = 0.1
    return X, rng.random((D, 2))


def written_out(X, theta=1.0, threshold=None):
    with np.errstate(invalid="ignore"):
        A = np.abs(np.nan_to_num(np.corrcoef(X.T)))
    A[5] = A[:, 5] = 0  # corrcoef leaves rounding of a constant column there
    return A**theta if threshold is None else (A >= threshold).astype(float)


@pytest.mark.parametrize(
    ("theta", "threshold", "form"),
    [
        (1, None, "stored"),
        (1, None, "recomputed"),
        (1.5, None, "stored"),
        (2, None, "stored"),
        (2, None, "recomputed"),
        (2, None, "factored"),
        (1, 0.5, "stored"),
        (1, 0.5, "recomputed"),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")
def test_every_form_is_the_matrix_to_single_precision(data, theta, threshold, form):
    X, U = data
    A = written_out(X, theta, threshold)
    network = CorrelationNetwork(X, theta, threshold, form=form)
    # a correlation within rounding of the threshold may fall on either side
    atol = 1e-5 * np.abs(A @ U).max() if threshold is None else 1.0
    assert_allclose(network @ U, A @ U, rtol=0, atol=atol)
    assert (network @ U).dtype == float
    assert_allclose(network.squared_norm, (A**2).sum(), rtol=1e-5 if threshold is None else 1e-4)
    assert_array_equal(network.T @ U, network @ U)
    assert network.shape == (D, D)


def test_double_precision_is_exact(data):
    X, U = data
    for form in ("stored", "recomputed"):
        assert_allclose(CorrelationNetwork(X, form=form, dtype=float) @ U, written_out(X) @ U, rtol=1e-12)


def test_constant_features_have_no_correlation_not_even_with_themselves(data):
    X, _ = data
    for form in ("stored", "recomputed", "factored"):
        product = CorrelationNetwork(X, 2, form=form) @ np.eye(D)[:, [5]]
        assert_array_equal(product, 0)


def test_the_budget_chooses_the_form():
    X = np.random.default_rng(0).normal(size=(10, 300))
    assert CorrelationNetwork(X).form == "stored"
    assert CorrelationNetwork(X, memory_budget=1000).form == "recomputed"
    assert CorrelationNetwork(X, 2).form == "factored"
    assert CorrelationNetwork(X[:, :50], 2).form == "stored"  # 2 n^2 is above d
    assert CorrelationNetwork(X[:, :50], 2, memory_budget=0).form == "factored"
    assert CorrelationNetwork(X, 2, threshold=0.3).form == "stored"


def test_what_cannot_be_is_refused():
    X = np.eye(3)
    for options, words in [
        ({"theta": 0.5}, "theta=0.5"),
        ({"threshold": 2}, "threshold=2"),
        ({"form": "dense"}, "form='dense'"),
        ({"form": "factored"}, "theta=2"),
    ]:
        with pytest.raises(ValueError, match=words):
            CorrelationNetwork(X, **options)


def test_standardising_survives_offsets_and_constants():
    X = np.array([[1e8 + 1, 0.1, 3.0], [1e8 + 3, 0.1, 3.0], [1e8 + 2, 0.1, 9.0]])
    Z = standardised_columns(X, dtype=float)
    assert_allclose(Z[:, 0], np.array([-1, 1, 0]) / np.sqrt(2), atol=1e-9)
    assert_array_equal(Z[:, 1], 0)
