"""Fisher score: the F-test up to degrees of freedom, with the limits that the F-test leaves to rounding."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.feature_selection import f_classif

from fslib.filters import FisherScore
from fslib.filters.fisher import fisher_score


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
@pytest.mark.parametrize("wrap", [np.asarray, sp.csr_array])
def test_is_the_anova_f_up_to_degrees_of_freedom(load, wrap):
    X, y = load(return_X_y=True)
    n, c = len(y), len(np.unique(y))
    assert_allclose(fisher_score(wrap(X), y) * (n - c) / (c - 1), f_classif(X, y)[0], rtol=1e-10)


def test_constant_columns_score_zero_whatever_their_mean_rounds_to():
    X = np.tile(np.random.default_rng(0).uniform(-9, 9, 200), (11, 1))
    assert_array_equal(fisher_score(X, np.arange(11) % 3), np.zeros(200))


@pytest.mark.parametrize("wrap", [np.asarray, sp.csr_array])
def test_limits_are_exact_whatever_the_values_round_to(wrap):
    y = np.array([0, 0, 0, 1, 1, 1, 1])
    X = np.column_stack([np.full(7, 0.1), np.where(y == 1, 0.7, 0.1), [0.0, 1, 0, 1, 0, 1, 1], np.zeros(7), 0.3 * y])
    scores = fisher_score(wrap(X), y)
    assert_array_equal(scores[[0, 1, 3, 4]], [0, np.inf, 0, np.inf])
    assert 0 < scores[2] < 1
    assert_array_equal(FisherScore().fit(wrap(X), y).ranking_, [1, 4, 2, 0, 3])


def test_scale_shift_and_permutations_change_nothing_else():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 9)), rng.integers(0, 3, 80)
    scores = fisher_score(X, y)
    assert_allclose(fisher_score(X * rng.uniform(0.1, 10, 9) - 3, y), scores, rtol=1e-9)
    rows, columns = rng.permutation(80), rng.permutation(9)
    assert_allclose(fisher_score(X[rows][:, columns], np.array([7, 2, 5])[y[rows]]), scores[columns], rtol=1e-12)


def test_blocks_of_columns_change_nothing(monkeypatch):
    X, y = load_wine(return_X_y=True)
    expected = fisher_score(X, y)
    monkeypatch.setattr("fslib.filters.fisher._COLUMNS", 4)
    assert_array_equal(fisher_score(X, y), expected)
