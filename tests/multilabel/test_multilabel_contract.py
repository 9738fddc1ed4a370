"""What scikit-learn, and this house, ask of every estimator: a new method is tested by being listed."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from fslib.multilabel.mddm import MDDM
from fslib.multilabel.mdmr import MDMR
from fslib.multilabel.mlknn import MLkNN
from fslib.multilabel.mlmlfs import MLMLFS
from fslib.multilabel.pmu import PMU
from fslib.multilabel.sfus import SFUS

SELECTORS = [
    MDDM(),
    MDDM(kind="spc"),
    MDMR(),
    MDMR(variant="quoted"),
    MDMR(reading="published"),
    PMU(),
    PMU(reading="published"),
    SFUS(),
    MLMLFS(),
    MLMLFS(p=0.4),
    MLMLFS(reading="published"),
]

MATRIX = "predicts one column per label, also for a one-dimensional y of classes"
BINARY = "feeds a column of class codes 0 to 3 as labels; a label is 0, 1 or NaN"
EXPECTED_TO_FAIL = {
    "MLMLFS": {"check_estimator_sparse_array": MATRIX, "check_estimator_sparse_matrix": MATRIX},
    "MLkNN": {
        "check_estimator_sparse_array": MATRIX,
        "check_estimator_sparse_matrix": MATRIX,
        "check_classifiers_one_label": MATRIX,
        "check_classifiers_classes": MATRIX,
        "check_classifiers_train": MATRIX,
        "check_classifier_not_supporting_multiclass": "a one-dimensional y of classes is read as one label per class",
        "check_classifier_data_not_an_array": BINARY,
        "check_estimators_dtypes": BINARY,
        "check_fit2d_1feature": BINARY,
    },
}


@parametrize_with_checks(
    [*SELECTORS, MLkNN(n_neighbors=2)], expected_failed_checks=lambda e: EXPECTED_TO_FAIL.get(type(e).__name__, {})
)
def test_scikit_learn_contract(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # on the noise that some checks feed
        check(estimator)


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 9))
    y = (X[:, [2, 5]] + 0.2 * rng.normal(size=(80, 2)) > 0).astype(float)
    y[rng.random(y.shape) < 0.25] = np.nan
    return X, y


def fitted(selector, X, y, k=2):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return clone(selector).set_params(n_features_to_select=k).fit(X, y)


@pytest.mark.parametrize("selector", SELECTORS, ids=str)
def test_finds_the_two_features_that_make_the_labels(selector, data):
    assert_array_equal(fitted(selector, *data).get_support(indices=True), [2, 5])


@pytest.mark.parametrize("selector", SELECTORS, ids=str)
def test_fit_writes_to_nothing_and_repeats_itself(selector, data):
    X, y = data
    first = fitted(selector, X, y).ranking_
    for array in (X, y):
        array.flags.writeable = False
    assert_array_equal(fitted(selector, X, y).ranking_, first)


@pytest.mark.parametrize("selector", SELECTORS, ids=str)
def test_order_of_columns_and_of_labels_does_not_matter(selector, data):
    X, y = data
    shuffled = np.random.default_rng(1).permutation(9)
    order = fitted(selector, X, y, k=9).ranking_
    assert_array_equal(shuffled[fitted(selector, X[:, shuffled], y[:, ::-1], k=9).ranking_], order)


@pytest.mark.parametrize("selector", SELECTORS, ids=str)
def test_constant_columns_rank_last_and_never_break_the_fit(selector, data):
    X, y = data
    X = np.column_stack([np.full(80, 0.1), X])
    assert fitted(selector, X, y).ranking_[-1] == 0


@pytest.mark.parametrize("selector", SELECTORS, ids=str)
def test_more_features_than_there_are_is_refused_before_the_work(selector, data):
    asked = clone(selector).set_params(n_features_to_select=10)
    with pytest.raises(ValueError, match="not between 1 and the 9 features"):
        asked.fit(*data)
    assert not hasattr(asked, "n_iter_")


@pytest.mark.parametrize("selector", SELECTORS, ids=str)
def test_bad_labels_are_refused(selector, data):
    X, y = data
    with pytest.raises(ValueError, match="-1 at row"):
        fitted(selector, X, 2 * y - 1)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        fitted(selector, X, y[1:])
    y[:, 1] = np.nan
    with pytest.raises(ValueError, match="No label is known"):
        fitted(selector, X, y)
