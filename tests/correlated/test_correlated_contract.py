"""What scikit-learn, and this house, ask of every estimator: a new method is tested by being listed."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from fslib.correlated import (
    ESVMRFE,
    HLR,
    SCANMF,
    SVMRFE,
    CoexpressionModules,
    ElasticNetPath,
    FuzzESVM,
    FuzzyForest,
    LassoPath,
)

SUPERVISED = [
    SVMRFE(),
    SVMRFE(step=3, one_by_one=0),
    ESVMRFE(n_models=5, random_state=0),
    ESVMRFE(n_models=5, normalise=True, random_state=0),
    ESVMRFE(n_models=5, reading="published", random_state=0),
    FuzzESVM(n_models=5, random_state=0),
    FuzzyForest(keep_fraction=0.5, n_trees=20, final_trees=40, random_state=0),
    HLR(n_lambdas=8),
    ElasticNetPath(n_lambdas=30, ratio=1e-2),
    LassoPath(n_lambdas=30, ratio=1e-2),
]
SCALED = [
    SCANMF(random_state=0, scale="minmax"),
    SCANMF(random_state=0, scale="minmax", theta=2, ridge=0.5, normalise_terms=True),
    SCANMF(random_state=0, scale="clip", threshold=0.5),
    SCANMF(random_state=0, scale="log2", alpha=0),
    SCANMF(random_state=0, scale="minmax", reading="published"),
]
SELECTORS = SUPERVISED + SCALED


@pytest.mark.filterwarnings("ignore:All 2 features are constant")  # of a check that feeds such
@parametrize_with_checks([*SELECTORS, SCANMF(random_state=0), CoexpressionModules()])
def test_scikit_learn_contract(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # on the noise that some checks feed
        check(estimator)


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 9))
    X[:, [2, 5]] += 3 * y[:, None]
    return X, y


def fitted(selector, X, y, k=2):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return clone(selector).set_params(n_features_to_select=k).fit(X, y)


@pytest.mark.parametrize("selector", SUPERVISED, ids=str)
def test_finds_the_two_features_that_tell_the_classes_apart(selector, data):
    assert_array_equal(fitted(selector, *data).get_support(indices=True), [2, 5])


@pytest.mark.parametrize("selector", SELECTORS, ids=str)
def test_fit_writes_to_nothing_and_repeats_itself(selector, data):
    X, y = data
    first = fitted(selector, X, y).ranking_
    for array in (X, y):
        array.flags.writeable = False
    assert_array_equal(fitted(selector, X, y).ranking_, first)


@pytest.mark.parametrize("selector", [s for s in SUPERVISED if not isinstance(s, FuzzyForest)], ids=str)
def test_order_of_columns_does_not_matter(selector, data):
    X, y = data
    shuffled = np.random.default_rng(1).permutation(9)
    order = fitted(selector, X, y, k=9).ranking_
    assert_array_equal(shuffled[fitted(selector, X[:, shuffled], y, k=9).ranking_], order)


@pytest.mark.parametrize("selector", SELECTORS, ids=str)
def test_constant_columns_rank_last_and_never_break_the_fit(selector, data):
    X, y = data
    X = np.column_stack([np.full(60, 0.1), X])
    assert fitted(selector, X, y).ranking_[-1] == 0


@pytest.mark.parametrize("selector", SELECTORS, ids=str)
def test_all_columns_constant_leaves_their_order(selector):
    with pytest.warns(UserWarning, match="All 4 features are constant"):
        constant = fitted(selector, np.full((12, 4), 0.3), np.arange(12) % 2)
    assert_array_equal(constant.ranking_, range(4))


@pytest.mark.parametrize("selector", SELECTORS, ids=str)
@pytest.mark.parametrize("k", [1, 5, 9])
def test_exactly_as_many_features_as_asked(selector, data, k):
    assert fitted(selector, *data, k=k).support_.sum() == k


@pytest.mark.parametrize("selector", SELECTORS, ids=str)
def test_more_features_than_there_are_is_refused_before_the_work(selector, data):
    asked = clone(selector).set_params(n_features_to_select=10)
    with pytest.raises(ValueError, match="not between 1 and the 9 features"):
        asked.fit(*data)
    assert not hasattr(asked, "classes_")


@pytest.mark.parametrize("selector", SELECTORS, ids=str)
def test_bad_classes_are_refused(selector, data):
    X, y = data
    with pytest.raises(ValueError, match="one class only"):
        fitted(selector, X, np.zeros(60))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        fitted(selector, X, y[1:])


@pytest.mark.parametrize("selector", [HLR(), ElasticNetPath(), LassoPath()], ids=str)
def test_a_third_class_is_refused_where_the_method_is_binary(selector, data):
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        selector.fit(data[0], np.arange(60) % 3)


@pytest.mark.parametrize(
    ("selector", "name", "value"),
    [
        (SVMRFE, "C", 0),
        (SVMRFE, "step", 1.0),
        (SVMRFE, "step", 0),
        (SVMRFE, "one_by_one", -1),
        (ESVMRFE, "drop", 1.0),
        (ESVMRFE, "n_models", 0),
        (ESVMRFE, "bag_size", 0),
        (ESVMRFE, "reading", "literal"),
        (FuzzESVM, "intra_d", 0),
        (FuzzyForest, "keep_fraction", 0.0),
        (FuzzyForest, "n_trees", 0),
        (HLR, "alpha", 0.0),
        (HLR, "ratio", 1.0),
        (HLR, "tol", 0.0),
        (ElasticNetPath, "l1_ratio", 0.0),
        (LassoPath, "cv", 1),
        (SCANMF, "n_components", 0),
        (SCANMF, "alpha", -1.0),
        (SCANMF, "beta", np.nan),
        (SCANMF, "theta", 0.5),
        (SCANMF, "threshold", 0.0),
        (SCANMF, "scale", "zscore"),
        (SCANMF, "reading", "literal"),
        (CoexpressionModules, "power", 0),
        (CoexpressionModules, "min_size", 1),
        (CoexpressionModules, "deep_split", 5),
        (CoexpressionModules, "cut_height", 1.5),
        (CoexpressionModules, "reading", "literal"),
    ],
)
def test_parameters_outside_their_range_are_refused_by_name(selector, name, value, data):
    with pytest.raises(ValueError, match=name):
        selector().set_params(**{name: value}).fit(np.abs(data[0]), data[1])
