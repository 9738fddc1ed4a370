"""Identity encoding: codes number the sorted values of a column, of any type, and what is not a code is refused."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from fslib.counts.encoders import MAX_FLOAT_LEVELS
from fslib.counts.levels import encode_levels


def assert_encodes(X, levels, zero_first=False):
    """Equal values have equal codes, numbered from 0 by value; in sparse data zero comes first, present or not."""
    for j, column in enumerate(np.asarray(X).T):
        values = sorted(set(column.tolist()), key=lambda v: ("" if isinstance(v, float | int) else type(v).__name__, v))
        if zero_first:
            values = [0, *(v for v in values if v != 0)]
        assert levels.column(j).tolist() == [values.index(v) for v in column.tolist()]
        assert levels.n_levels[j] == len(values)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int16, np.int64, np.uint64, np.float32, np.float64])
@pytest.mark.parametrize("span", [1, 2, 3, 8, 9, 120])
def test_whole_numbers_of_every_type(dtype, span):
    low = np.iinfo(dtype).min if np.issubdtype(dtype, np.signedinteger) else 0
    X = (low + np.random.default_rng(span).integers(0, span, size=(600, 7))).astype(dtype)
    assert_encodes(X, encode_levels(X))


@given(arrays(np.int64, array_shapes(min_dims=2, max_dims=2, min_side=1), elements=st.integers(-(2**63), 2**63 - 1)))
def test_any_integers_are_told_apart(X):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_encodes(X, encode_levels(X))


@given(arrays(np.int16, array_shapes(min_dims=2, max_dims=2, min_side=1), elements=st.integers(-3, 3)))
def test_sparse_and_dense_split_the_samples_alike(X):
    levels = encode_levels(sp.csr_array(X))
    assert levels.is_sparse
    assert_encodes(X, levels, zero_first=True)


def test_columns_of_mixed_width_keep_their_places():
    rng = np.random.default_rng(0)
    X = np.column_stack(
        [
            rng.integers(0, 3, 900),
            10**12 * rng.integers(0, 4, 900),
            rng.choice([0, 250], 900),
            rng.integers(0, 400, 900),
        ]
    )
    levels = encode_levels(X)
    assert_encodes(X, levels)
    assert levels.n_levels.tolist() == [3, 4, 2, len(set(X[:, 3]))]
    assert levels.codes.dtype == np.uint16


def test_strings_categories_booleans_and_numbers_in_one_frame():
    frame = pd.DataFrame(
        {
            "colour": ["red", "blue", "red", "green"],
            "size": pd.Categorical(["S", "L", "L", "S"]),
            "sold": [True, False, True, True],
            "mixed": [1, "1", 2.5, 1],
            "price": [0.5, 0.25, 0.5, 0.25],
        }
    )
    levels = encode_levels(frame)
    assert levels.n_levels.tolist() == [3, 2, 2, 3, 2]
    assert levels.column(0).tolist() == [2, 0, 2, 1]
    assert levels.column(3).tolist() == [0, 2, 1, 0]  # 1, "1", 2.5: numbers before text
    assert_encodes(frame.to_numpy(), encode_levels(frame.to_numpy()))


def test_homogeneous_frame_equals_its_array():
    X = np.random.default_rng(0).integers(-2, 3, size=(30, 4))
    np.testing.assert_array_equal(encode_levels(pd.DataFrame(X)).codes, encode_levels(X).codes)


def test_input_is_read_only_and_stays_as_it_is():
    X = np.random.default_rng(0).integers(0, 3, size=(50, 4))
    X.flags.writeable = False
    encode_levels(X)
    explicit_zero = sp.csr_array((np.array([1, 0, 2]), np.array([0, 1, 2]), np.array([0, 2, 3])), shape=(2, 3))
    for array in (explicit_zero.data, explicit_zero.indices, explicit_zero.indptr):
        array.flags.writeable = False
    assert encode_levels(explicit_zero).n_levels.tolist() == [2, 1, 2]
    assert explicit_zero.nnz == 3


def test_constant_columns_are_known_sparse_ones_too():
    X = np.array([[3, 0, 1], [3, 0, 0], [3, 0, 2]])
    for data in (X, sp.csr_array(X)):
        assert encode_levels(data).is_constant.tolist() == [True, True, False]


def test_some_columns_and_some_samples():
    X = np.random.default_rng(0).integers(0, 4, size=(60, 6))
    rows, columns = np.array([5, 3, 30]), np.array([4, 0])
    for data in (X, sp.csr_array(X)):
        part = encode_levels(data).take(rows).columns(columns)
        assert [part.column(j).tolist() for j in range(2)] == X[np.ix_(rows, columns)].T.tolist()  # all of 0 to 3 occur


@pytest.mark.parametrize("n_threads", [1, 3])
def test_some_samples_of_many_columns_in_threads(n_threads):
    X = np.random.default_rng(0).integers(0, 3, size=(50, 77))
    left = np.arange(0, 50, 3)
    assert np.array_equal(encode_levels(X).take(left, n_threads).codes, X[left].T)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("wrap", [np.asarray, pd.DataFrame, sp.csr_array, lambda X: X.astype(object)])
def test_missing_and_infinite_values_are_refused(bad, wrap):
    X = np.array([[1.0, 2.0], [bad, 1.0]])
    with pytest.raises(ValueError, match=r"NaN.*infinity"):
        encode_levels(wrap(X))


def test_the_message_names_the_column():
    X = np.zeros((3, 4))
    X[1, 2] = np.inf
    for data in (X, sp.csr_array(X), sp.csc_array(X)):
        with pytest.raises(ValueError, match="column 2"):
            encode_levels(data)


@pytest.mark.parametrize("missing", [None, pd.NA, np.nan])
def test_missing_text_is_refused_with_the_name_of_the_column(missing):
    with pytest.raises(ValueError, match="'colour'"):
        encode_levels(pd.DataFrame({"colour": pd.Series(["red", missing], dtype=object), "size": [1, 2]}))


def test_measurements_are_refused_and_the_discretiser_named():
    X = np.random.default_rng(0).normal(size=(MAX_FLOAT_LEVELS + 1, 2))
    for data in (X, pd.DataFrame(X), sp.csr_array(X), X.astype(object)):
        with pytest.raises(ValueError, match="ThreeLevelDiscretizer"):
            encode_levels(data)
    few = X[:MAX_FLOAT_LEVELS].repeat(2, axis=0)
    assert (encode_levels(few).n_levels == MAX_FLOAT_LEVELS).all()


@pytest.mark.parametrize("empty", [np.empty((0, 3)), np.empty((3, 0)), sp.csr_array((0, 3)), sp.csr_array((3, 0))])
def test_empty_is_refused(empty):
    with pytest.raises(ValueError, match="empty"):
        encode_levels(empty)


def test_one_dimension_is_refused():
    with pytest.raises(ValueError, match="two-dimensional"):
        encode_levels(np.arange(3))
