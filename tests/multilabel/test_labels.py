import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from fslib.multilabel import MLkNN
from fslib.multilabel.binary_relevance import BinaryRelevance
from fslib.multilabel.labels import check_labels


def test_names_of_a_data_frame_and_every_way_to_write_unknown():
    frame = pd.DataFrame({"sad": [True, False, None], "calm": pd.array([1, pd.NA, 0], dtype="Int64")})
    labels = check_labels(frame)
    assert_array_equal(labels.names, ["sad", "calm"])
    assert_array_equal(labels.values, [[1, 1], [0, np.nan], [np.nan, 0]])
    assert_array_equal(labels.known, [[True, True], [True, False], [False, True]])


def test_the_callers_labels_are_copied():
    y = np.array([[0.0, 1.0], [1.0, np.nan]])
    check_labels(y).values[:] = 7
    assert_array_equal(y, [[0, 1], [1, np.nan]])


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([[1, 0], [-1, 0]], r"-1 at row 1, column 0 \(1 such"),
        ([[1, 0], [0, 0.5]], r"0.5 at row 1, column 1"),
        ([[np.inf, 0], [0, 1]], "inf at row 0"),
        ([[np.nan, 0], [np.nan, 1]], r"No label is known in column\(s\) \[0\]"),
        (np.zeros((2, 0)), "shape"),
        (np.zeros((2, 2, 2)), "3 dimensions"),
        ([["yes", "no"], ["no", "no"]], "numbers 0 and 1"),
        (sparse.csr_array(2 * np.eye(2)), "2 at row 0"),
        (None, "requires y"),
        ([np.nan, np.nan], "Nothing is known"),
        ([0.3, 1.7, 2.2], "Unknown label type"),
        (np.array(["cat", 3], dtype=object), r"without a common order \(int, str\)"),
    ],
)
def test_bad_labels_are_refused_with_where_and_why(y, message):
    with pytest.raises(ValueError, match=message):
        check_labels(y)


def test_a_row_without_known_labels_and_a_label_without_positives_are_welcome():
    assert check_labels([[np.nan, np.nan], [0, 1]]).values.shape == (2, 2)


def test_one_dimension_means_one_label_per_class():
    labels = check_labels(pd.Series(["b", "a", None, "c"]))
    assert_array_equal(labels.names, ["a", "b", "c"])
    assert_array_equal(labels.values, [[0, 1, 0], [1, 0, 0], [np.nan] * 3, [0, 0, 1]])
    assert_array_equal(check_labels([-1, 1, 1]).values, [[0], [1], [1]])


@pytest.mark.parametrize(
    "y",
    [
        pd.array([True, None, False], dtype="boolean"),
        pd.array([1, None, 0], dtype="Int64"),
        pd.array(["yes", None, "no"], dtype="string"),
        pd.Categorical(["yes", None, "no"]),
        [True, None, False],
        ["yes", None, "no"],
    ],
    ids=lambda y: str(getattr(y, "dtype", type(y))),
)
def test_one_dimension_in_every_kind_of_column(y):
    assert_array_equal(check_labels(pd.Series(y)).values, [[1], [np.nan], [0]])


@pytest.mark.parametrize("absent", [0, 0.0, False])
def test_a_single_code_of_zero_is_a_label_without_positives(absent):
    assert_array_equal(check_labels([absent, absent]).values, [[0], [0]])
    assert_array_equal(check_labels([absent, absent]).names, [1])
    assert_array_equal(check_labels([1, 1]).values, [[1], [1]])
    assert_array_equal(check_labels(["only", "only"]).values, [[1], [1]])


def test_what_a_mask_hides_is_unknown():
    y = np.ma.masked_array([[1, 0], [0, 1], [1, 1]], mask=[[0, 1], [0, 0], [1, 0]])
    assert_array_equal(check_labels(y).values, [[1, np.nan], [0, 1], [np.nan, 1]])


def test_centred_labels_pull_nowhere_where_unknown():
    centred = check_labels([[1, 0], [0, np.nan], [np.nan, 1], [np.nan, 1]]).centred()
    assert_allclose(centred, [[0.5, -2 / 3], [-0.5, 0], [0, 1 / 3], [0, 1 / 3]], rtol=1e-15)


def test_what_a_sparse_matrix_does_not_store_is_absent():
    labels = check_labels(sparse.csr_array([[1.0, 0.0], [np.nan, 1.0]]))
    assert_array_equal(labels.values, [[1, 0], [np.nan, 1]])


def test_labels_of_polars_keep_their_names():
    polars = pytest.importorskip("polars")
    labels = check_labels(polars.DataFrame({"sad": [1, 0, None], "calm": [True, False, True]}))
    assert_array_equal(labels.names, ["sad", "calm"])
    assert_array_equal(labels.values, [[1, 1], [0, 0], [np.nan, 1]])
    assert_array_equal(check_labels(polars.Series(["b", "a", "b"])).values.ravel(), [1, 0, 1])


@pytest.mark.parametrize(
    "y", [["yes", "no"] * 6, [0, 1] * 6, [True, False] * 6, [0, 1, 2] * 4, pd.Series(["a", "b"] * 6)]
)
@pytest.mark.parametrize("learner", [MLkNN(n_neighbors=2), BinaryRelevance()], ids=str)
def test_learners_of_several_labels_refuse_one_column_of_classes(learner, y):
    """Their predictions would have another shape and other values than y."""
    with pytest.raises(ValueError, match=rf"{type(learner).__name__} learns several labels.*get_dummies"):
        learner.fit(np.arange(24.0).reshape(12, 2), y)
