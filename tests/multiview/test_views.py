"""Every notation for views gives the same columns, and every mistake its own message."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from fslib.multiview.views import parse_views

NAMES = np.array(["a", "b", "c", "d", "e"])
EXPECTED = [[0, 2], [1, 3, 4]]


@pytest.mark.parametrize(
    "views",
    [
        [[0, 2], [1, 3, 4]],
        [np.array([2, 0]), np.array([4, 1, 3])],
        [["a", "c"], ["b", "d", "e"]],
        {"first": ["a", "c"], "second": [1, 3, 4]},
        np.array([0, 1, 0, 1, 1]),
        [-3, 7, -3, 7, 7],
        np.array([False, True, False, True, True]),
    ],
    ids=["indices", "arrays", "names", "dict", "codes", "list of codes", "truth values"],
)
def test_notations_agree(views):
    for view, expected in zip(parse_views(views, 5, NAMES), EXPECTED, strict=True):
        assert_array_equal(view, expected)


def test_slices_and_none():
    first, second = parse_views([slice(0, 2), slice(2, None)], 5)
    assert_array_equal(first, [0, 1])
    assert_array_equal(second, [2, 3, 4])
    assert_array_equal(parse_views(None, 3)[0], [0, 1, 2])


@pytest.mark.parametrize(
    "views, message",
    [
        ([[0, 1, 2], [2, 3, 4]], r"overlap: columns \[2\]"),
        ([[0, 0, 1, 2, 3, 4]], r"overlap: columns \[0\]"),
        ([[0, 1], [3]], r"columns \[2, 4\] are in no view"),
        ([[0, 1, 2, 3, 4], []], "view 1 holds no column"),
        ([slice(0, 5), slice(5, 5)], "view 1 holds no column"),
        ([slice(0, 5), slice(7, 9)], r"view 1 is slice\(7, 9, None\), but X has 5 columns"),
        ([slice(0, 3), slice(3, 6)], r"view 1 is slice\(3, 6, None\), but X has 5 columns"),  # a sixth was dropped
        ([slice("a", "c"), slice(3, 5)], r"view 0 is slice\('a', 'c', None\)"),
        (7, "views=7 must be a list of slices"),
        (np.array([0.0, 0.0, 1.0, 1.0, 1.0]), r"view 0 is np.float64\(0.0\); views must be .* one whole number per"),
        ([[0, 1, 2, 3], 4], "view 1 is 4; views must be"),
        ([None, [0, 1, 2, 3, 4]], "view 0 is None; views must be"),
        ([[0, 1, 2, 3], [5]], "view 1 holds column 5, but the columns of X are 0 to 4"),
        ([[0, 1, 2, 3], [-1]], "view 1 holds column -1"),
        ([["a", "b"], ["c", "d", "f"]], "view 1 names column 'f', which X does not have; correct it"),
        ([["a", "b"], "cde"], "view 1 is the string 'cde'"),
        ([[0, 1, 2.5], [3, 4]], "view 0 holds 2.5"),
        ([[True, False, True, True, True]], r"columns \[1\] are in no view"),
        ([[True, False, True]], "view 0 is a mask of 3 columns, but X has 5"),
        ([[True, 2, 3, 4]], "view 0 holds True"),
        ([0, 0, 1], "3 codes but X has 5 columns"),
        ([], "views is empty"),
    ],
)
def test_mistakes_are_named(views, message):
    with pytest.raises(ValueError, match=message):
        parse_views(views, 5, NAMES)


def test_names_need_named_columns():
    with pytest.raises(ValueError, match="X has no column names"):
        parse_views([["a", "b"]], 2)


def test_a_long_list_of_missing_columns_is_cut():
    with pytest.raises(ValueError, match=r"\[1, 2, 3, 4, 5\] and 94 more"):
        parse_views([[0]], 100)


@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_masks_are_views(kind):
    masks = [kind([True, False, True]), kind([False, True, False])]
    first, second = parse_views(masks, 3)
    assert first.tolist() == [0, 2] and second.tolist() == [1]
