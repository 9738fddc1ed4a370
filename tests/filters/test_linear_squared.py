"""The squared criterion with a linear mean is forward selection by ordinary least squares."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression

from fslib.filters import BayesGreedy, BayesScore
from fslib.filters.criteria import Squared

pytestmark = pytest.mark.filterwarnings("ignore::fslib.filters.OutOfInformationWarning")  # small data run dry

LINEAR = Squared("linear")


def error_of(X, y, columns):
    model = LinearRegression().fit(X[:, columns], y)
    return ((y - model.predict(X[:, columns])) ** 2).mean()


def test_is_forward_selection_by_least_squares():
    X, y = load_diabetes(return_X_y=True, scaled=False)
    greedy = BayesGreedy(LINEAR, n_features_to_select=10).fit(X, y)
    chosen = []
    for t in range(10):
        errors = {j: error_of(X, y, [*chosen, j]) for j in range(10) if j not in chosen}
        chosen.append(min(errors, key=errors.get))
        assert_allclose(greedy.criterion_values_[t], -errors[chosen[-1]], rtol=1e-9)
    assert_array_equal(greedy.ranking_, chosen)


def test_scores_are_squared_correlations():
    X, y = load_diabetes(return_X_y=True)
    scores = BayesScore(LINEAR).fit(X, y).scores_
    correlation = np.corrcoef(X.T, y)[-1, :-1]
    assert_allclose(scores, -(1 - correlation**2) * y.var(), rtol=1e-12)


def test_cells_and_lines_agree_for_one_binary_column_and_part_for_two():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (200, 5))
    y = X[:, 1] * X[:, 3] + 0.1 * rng.normal(size=200)
    cells, lines = (BayesGreedy(criterion, n_features_to_select=2).fit(X, y) for criterion in ("squared", LINEAR))
    assert_allclose(cells.criterion_values_[0], lines.criterion_values_[0])
    assert cells.criterion_values_[1] > lines.criterion_values_[1] + 0.01  # a product is not a sum


@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_units_and_offsets_do_not_matter(scale):
    X, y = load_diabetes(return_X_y=True)
    expected = BayesGreedy(LINEAR, n_features_to_select=6).fit(X, y).ranking_
    assert_array_equal(
        BayesGreedy(LINEAR, n_features_to_select=6).fit(X * scale + 5 * scale, y / scale - 3).ranking_, expected
    )


def test_copies_combinations_and_constants_bring_nothing():
    rng = np.random.default_rng(1)
    Z = rng.normal(size=(60, 3))
    X = np.column_stack([np.full(60, 7.0), Z[:, 0], Z[:, 0], Z[:, 1], Z[:, 0] + Z[:, 1], Z[:, 2]])
    y = 3 * Z[:, 0] + Z[:, 1] + 0.5 * Z[:, 2] + 0.01 * rng.normal(size=60)
    greedy = BayesGreedy(LINEAR, n_features_to_select=6).fit(X, y)
    assert greedy.n_informative_ == 3
    assert greedy.ranking_[-1] == 0
    assert_allclose(greedy.criterion_values_[3:], greedy.criterion_values_[2])
    assert_allclose(greedy.criterion_values_[2], -error_of(X, y, [1, 3, 5]), rtol=1e-6)


def test_exact_fit_stops():
    X = np.random.default_rng(2).normal(size=(30, 4))
    greedy = BayesGreedy(LINEAR, n_features_to_select=3).fit(X, 2 * X[:, 2] - 1)
    assert greedy.n_informative_ == 1
    assert greedy.ranking_[0] == 2
    assert_allclose(greedy.criterion_values_, 0, atol=1e-12)


def test_constant_columns_are_known_by_their_values():
    X = np.random.default_rng(3).normal(size=(1000, 3))
    X[:, 0] = 1e9 / 3  # its mean rounds
    greedy = BayesGreedy(LINEAR, n_features_to_select=3).fit(X, X[:, 2])
    assert_array_equal(greedy.ranking_, [2, 1, 0])
    assert BayesGreedy(LINEAR, n_features_to_select=3).fit(X, X[:, 1] + 0.1 * X[:, 2] + X[::-1, 2]).n_informative_ == 2


def test_nothing_but_constant_columns():
    y = np.arange(10.0)
    greedy = BayesGreedy(LINEAR, n_features_to_select=2).fit(np.ones((10, 3)), y)
    assert_array_equal(greedy.ranking_, [0, 1, 2])
    assert_allclose(greedy.criterion_values_, -y.var())
    assert greedy.n_informative_ == 0


@pytest.mark.parametrize("scale", [1e-200, 1e-13, 1e200])
def test_a_column_in_odd_units_is_still_found(scale):
    X = np.random.default_rng(4).normal(size=(50, 3))
    y = X[:, 2] + 0.1 * X[:, 0]
    assert_array_equal(BayesGreedy(LINEAR, n_features_to_select=3).fit(X * [1, 1, scale], y).ranking_[:2], [2, 0])


@pytest.mark.parametrize("criterion", ["squared", LINEAR])
def test_a_target_of_truth_values_is_one_of_numbers(criterion):
    X = np.random.default_rng(5).integers(0, 3, (40, 3))
    y = X[:, 1] > 0
    scores = BayesScore(criterion).fit(X, y).scores_
    assert_array_equal(scores, BayesScore(criterion).fit(X, y.astype(int)).scores_)
