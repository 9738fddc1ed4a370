"""Three levels: NumPy's digitize, the columns that are left alone, and the same partition for sparse data."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from fslib.counts.discretize import ThreeLevelDiscretizer
from fslib.datasets import load


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
@pytest.mark.parametrize("ddof", [0, 1])
def test_is_digitize_between_mean_minus_and_plus_deviation(load, ddof):
    X, _ = load(return_X_y=True)
    train, test = X[::2], X[1::2]
    discretizer = ThreeLevelDiscretizer(ddof).fit(train)
    for x, codes, fresh in zip(train.T, discretizer.transform(test).T, test.T, strict=True):
        cuts = [x.mean() - x.std(ddof=ddof), x.mean() + x.std(ddof=ddof)]
        assert_array_equal(codes, np.digitize(fresh, cuts))


def test_a_value_on_the_cut_reaches_it_in_any_order_of_rows():
    """Mean 0.2, deviation 0.1: the cuts 0.1 and 0.3 are values of the column, neither of them exact in binary."""
    x = np.array([0.1, 0.2, 0.3])
    for order in ([0, 1, 2], [2, 1, 0], [1, 2, 0]):
        assert_array_equal(ThreeLevelDiscretizer().fit_transform(x[order, None])[:, 0], np.array([1, 1, 2])[order])


def test_discrete_columns_are_left_alone():
    X = np.column_stack([[0, 1, 1, 1, 1, 1], [5] * 6, [-1, -1, -1, -1, -1, 9], [0] * 6]).astype(float)
    discretizer = ThreeLevelDiscretizer().fit(X)
    assert_array_equal(discretizer.transform(X).T, [X[:, 0], [0] * 6, [0] * 5 + [1], [0] * 6])
    assert_array_equal(discretizer.transform([[1, 77, 8, -4]]), [[1, 0, 0, 0]])


@pytest.mark.parametrize("low", [0, -4])
def test_sparse_gives_the_same_partition_and_stays_sparse(low):
    rng = np.random.default_rng(0)
    X = rng.integers(low, 5, size=(200, 30)) * (rng.random((200, 30)) < np.linspace(0, 1, 30))
    X[:, 4], X[:, 5], X[:, 6] = 3, np.where(rng.random(200) < 0.5, -1, 1), rng.random(200) < 0.1
    X[:, 7] = rng.integers(-1, 2, 200)  # two values are stored, zero is the third
    fresh = rng.integers(low, 5, size=(50, 30))
    discretizer = ThreeLevelDiscretizer()
    for data in (X, fresh):
        dense = discretizer.fit(X).transform(data)
        at_zero = discretizer.transform(np.zeros((1, 30)))
        codes = discretizer.fit(sp.csr_array(X)).transform(sp.csr_array(data))
        assert sp.issparse(codes)
        assert codes.nnz == np.count_nonzero(codes.toarray())
        assert_array_equal(codes.toarray(), dense - at_zero)


def test_frames_keep_names_and_training_cuts_serve_new_data():
    X, _ = load_wine(return_X_y=True, as_frame=True)
    discretizer = ThreeLevelDiscretizer().set_output(transform="pandas").fit(X[:100])
    codes = discretizer.transform(X[100:])
    assert isinstance(codes, pd.DataFrame)
    assert list(codes.columns) == list(X.columns)
    assert_array_equal(codes.to_numpy(), ThreeLevelDiscretizer().fit(X[:100].to_numpy()).transform(X[100:].to_numpy()))


def test_blocks_of_columns_change_nothing(monkeypatch):
    X, _ = load_wine(return_X_y=True)
    expected = ThreeLevelDiscretizer().fit_transform(X)
    monkeypatch.setattr("fslib.counts.discretize._COLUMNS", 4)
    assert_array_equal(ThreeLevelDiscretizer().fit_transform(X), expected)


@pytest.mark.parametrize("ddof", [2, -1, None])
def test_bad_ddof(ddof):
    with pytest.raises(ValueError, match="ddof must be 0 or 1"):
        ThreeLevelDiscretizer(ddof).fit([[0.0], [1.0]])


def test_one_row_is_one_level():
    assert_array_equal(ThreeLevelDiscretizer().fit_transform([[3.0, 0.0]]), [[0, 0]])


as_dense_or_sparse = pytest.mark.parametrize("kind", [np.asarray, sp.csc_array])


@as_dense_or_sparse
@pytest.mark.parametrize("exponent", [-1000, -40, 0, 40, 1000])
def test_a_unit_changes_no_level(kind, exponent):
    """2**1000 is about 1e301, whose square no float holds; the square of 2**-1000 is zero."""
    X, _ = load_wine(return_X_y=True)
    expected = ThreeLevelDiscretizer().fit_transform(X)
    discretizer = ThreeLevelDiscretizer().fit(kind(np.ldexp(X, exponent)))
    assert_array_equal(discretizer.transform(np.ldexp(X, exponent)), expected)


@as_dense_or_sparse
@pytest.mark.parametrize("shift", [2**20, 2**40, -(2**50)])
def test_a_mean_far_from_zero_changes_no_level(kind, shift):
    """Whole numbers around 2**50 have no rounding of their own, and gaps of a quarter between neighbouring floats."""
    X = np.random.default_rng(0).binomial(12, 0.5, size=(500, 40)).astype(float)
    expected = ThreeLevelDiscretizer().fit_transform(X)
    discretizer = ThreeLevelDiscretizer().fit(kind(X + shift))
    assert_array_equal(discretizer.transform(X + shift), expected)
    assert_allclose(discretizer.std_, X.std(axis=0, ddof=1), rtol=1e-12)


def test_levels_of_waveform_and_wine_are_those_of_the_plain_formula():
    for X in (load("waveform").X, load_wine().data):
        mean, std = X.mean(axis=0), X.std(axis=0, ddof=1)
        slack = 1e-12 * (np.abs(mean) + std)
        expected = (mean - std - slack <= X) + (mean + std - slack <= X).astype(int)
        assert_array_equal(ThreeLevelDiscretizer().fit_transform(X), expected)


def test_the_order_of_rows_changes_no_bit_of_the_cuts():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(700, 12)) * 10.0 ** rng.integers(-200, 200, 12) + rng.normal(size=12)
    expected = ThreeLevelDiscretizer().fit(X)
    for _ in range(5):
        found = ThreeLevelDiscretizer().fit(rng.permutation(X))
        for name in ("mean_", "std_", "cuts_"):
            assert_array_equal(getattr(found, name), getattr(expected, name))


@pytest.mark.parametrize("ddof", [0, 1])
def test_moments_of_whole_numbers_are_those_of_exact_fractions(ddof):
    """Up to 2**40 above the smallest, so that no value is rounded; squares need 80 bits and more."""
    X = np.random.default_rng(0).integers(-(2**40), 2**40, size=(1500, 5)) // [1, 3, 2**20, 2**38, 2**39]
    found = ThreeLevelDiscretizer(ddof).fit(X)
    for j, column in enumerate(X.T.tolist()):
        mean = Fraction(sum(column), len(column))
        variance = sum((x - mean) ** 2 for x in column) / (len(column) - ddof)
        assert_allclose(found.mean_[j], float(mean), rtol=1e-15, atol=2**-12)
        assert_allclose(found.std_[j], math.sqrt(variance), rtol=1e-15)


def parted(X):
    """Blocks of rows with classes, one of them empty."""
    return [(X[a:b], np.zeros(len(X[a:b]))) for a, b in ((0, 1), (1, 60), (60, 60), (60, len(X)))]


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_blocks_of_rows_give_the_same_cuts(load, tmp_path):
    X, _ = load(return_X_y=True, as_frame=True)
    X["flag"], X["same"] = np.arange(len(X)) % 2 * 7.5, 3
    X.loc[0, "flag"] = 7.5  # the first block holds one of its two values
    expected = ThreeLevelDiscretizer().fit(X)
    table = tmp_path / "table.parquet"
    X.to_parquet(table, row_group_size=40)
    for source, named in ((parted(X), True), (parted(X.to_numpy()), False), (X.to_numpy(), False), (table, True)):
        found = ThreeLevelDiscretizer().fit_blocks(source, memory=1 << 20)
        for name in ("mean_", "std_", "cuts_"):
            assert_array_equal(getattr(found, name), getattr(expected, name))
        assert hasattr(found, "feature_names_in_") == named
        assert_array_equal(found.transform(X if named else X.to_numpy()), expected.transform(X))


def test_bad_blocks():
    X = np.ones((4, 2))
    for value, kind in ((np.nan, "NaN"), (-np.inf, "infinity")):
        X[3, 1] = value
        with pytest.raises(ValueError, match=rf"contains {kind} in column 1 \(1 cell\)"):
            ThreeLevelDiscretizer().fit_blocks(X)
    with pytest.raises(ValueError, match="Column 0 of X holds what is no number"):
        ThreeLevelDiscretizer().fit_blocks([(np.full((2, 2), "a"), [0, 1])])
    with pytest.raises(ValueError, match="the source holds no rows"):
        ThreeLevelDiscretizer().fit_blocks([])
