import numpy as np
import pytest

from fslib.base import TIE_TOLERANCE, FeatureSelector, rank_by_score, resolve_n_features, tie_groups
from fslib.classes import sorted_classes
from fslib.filters import InformationGreedy


@pytest.mark.parametrize(("asked", "k"), [(1, 1), (7, 7), (0.5, 3), (1.0, 7), (0.01, 1), (None, 3)])
def test_number_of_features(asked, k):
    assert resolve_n_features(asked, 7) == k


def test_every_whole_percentage_of_the_columns_is_met_exactly():
    for d in (100, 700, 139_300):
        assert [resolve_n_features(p / 100, d) for p in range(1, 101)] == [p * d // 100 for p in range(1, 101)]
    assert [resolve_n_features(1 / m, 840) for m in range(1, 9)] == [840 // m for m in range(1, 9)]
    assert resolve_n_features(0.2899, 100) == 28  # still rounded down


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        (0, ValueError, "not between 1 and the 7"),
        (8, ValueError, "not between 1 and the 7"),
        (-1, ValueError, "not between"),
        (0.0, ValueError, "share"),
        (1.5, ValueError, "share"),
        (True, TypeError, "must be an int"),
        ("3", TypeError, "must be an int"),
    ],
)
def test_impossible_numbers_of_features(asked, error, message):
    with pytest.raises(error, match=message):
        resolve_n_features(asked, 7)


def test_equal_up_to_rounding_is_a_tie_and_the_lower_index_wins():
    scores = np.array([0.3, 0.7 + TIE_TOLERANCE / 4, 0.1 + 0.2, 0.7])
    assert tie_groups(scores).tolist() == [1, 0, 1, 0]
    assert rank_by_score(scores).tolist() == [1, 3, 0, 2]


def test_a_difference_above_rounding_is_none():
    assert rank_by_score([1.0, 1.0 + 1e-9]).tolist() == [1, 0]
    assert rank_by_score([1e-13, 3e-12]).tolist() == [1, 0]
    assert rank_by_score([1e6, 1e6 + 1e-7]).tolist() == [0, 1]  # relative to the size of the scores


@pytest.mark.parametrize("worst", [-np.inf, -5.0])
def test_infinite_scores_tie_with_each_other_only(worst):
    scores = np.array([worst, 1.0, np.inf, worst, np.inf])
    assert tie_groups(scores).tolist() == [2, 1, 0, 2, 0]
    assert rank_by_score(scores).tolist() == [2, 4, 1, 0, 3]


class Fixed(FeatureSelector):
    """Selector with the scores or the order it is given."""

    def fit(self, X, y=None, *, scores=None, order=None):
        self.n_features_in_ = X.shape[1]
        return self._store_ranking(scores=scores, order=order)


def test_stored_ranking_decides_the_support():
    fitted = Fixed(n_features_to_select=2).fit(np.zeros((1, 4)), scores=[0.1, 0.9, 0.9, 0.5])
    assert fitted.ranking_.tolist() == [1, 2, 3, 0]
    assert fitted.get_support(indices=True).tolist() == [1, 2]
    assert fitted.fit(np.zeros((1, 4)), order=[3, 0, 1, 2]).get_support(indices=True).tolist() == [0, 3]
    assert fitted.scores_ is None


def test_a_published_reading_keeps_the_plain_order_of_ties():
    selector = Fixed(n_features_to_select=2)
    selector._constant = np.array([True, False, False])
    ranking = {}
    for reading in ("corrected", "published"):
        selector.reading = reading
        ranking[reading] = selector.fit(np.zeros((1, 3)), scores=[0.5, 0.5, 0.9]).ranking_.tolist()
    assert ranking == {"corrected": [2, 1, 0], "published": [2, 0, 1]}


@pytest.mark.parametrize("wrong", [{"order": [0, 0, 1, 2]}, {"order": [0, 1]}, {"scores": [1.0]}])
def test_a_short_list_or_a_repeated_index_never_leaves_a_selector(wrong):
    with pytest.raises(AssertionError):
        Fixed(n_features_to_select=2).fit(np.zeros((1, 4)), **wrong)


def test_scores_that_are_no_numbers_end_in_words():
    with pytest.raises(ValueError, match="Fixed ended in numbers out of range, without scores: scale the features"):
        Fixed(n_features_to_select=2).fit(np.zeros((1, 4)), scores=[1.0, np.nan, 0, 0])


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64])
@pytest.mark.parametrize("values", [[-128, 127, 0], [3, 5, 5], [0, 1, 200], [1, 0, 2]])
@pytest.mark.parametrize(("repeat", "n"), [(np.tile, 300), (np.repeat, 5000)], ids=["mixed", "one after the other"])
def test_whole_numbers_are_classes_as_numpy_sorts_them(dtype, values, repeat, n):
    y = repeat(np.array(values).astype(dtype), n)
    classes, codes = sorted_classes(y)
    expected, inverse = np.unique(y, return_inverse=True)
    assert classes.dtype == expected.dtype and codes.dtype == inverse.dtype
    np.testing.assert_array_equal(classes, expected)
    np.testing.assert_array_equal(codes, inverse)


def test_a_grid_may_be_an_array_of_text():
    """GridSearchCV hands out its elements, which are ``np.str_``."""
    X, y = np.arange(40).reshape(-1, 2) % 3, np.arange(20) % 2
    for name in np.array(["jmi", "cmim"]):
        expected = InformationGreedy(str(name), n_features_to_select=1).fit(X, y)
        np.testing.assert_array_equal(
            InformationGreedy(name, n_features_to_select=1).fit(X, y).ranking_, expected.ranking_
        )
    with pytest.raises(ValueError, match="must be one of"):
        InformationGreedy(True).fit(X, y)
