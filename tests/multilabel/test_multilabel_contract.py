"""What scikit-learn, and this house, ask of every estimator: a new method is tested by being listed."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from fslib.multilabel.binary_relevance import BinaryRelevance, LabelChain
from fslib.multilabel.cmfs import CMFS
from fslib.multilabel.cocoa import COCOA
from fslib.multilabel.fimf import FIMF
from fslib.multilabel.irus import InverseRandomUnderSampling
from fslib.multilabel.mddm import MDDM
from fslib.multilabel.mdmr import MDMR
from fslib.multilabel.mifs import MIFS
from fslib.multilabel.mlcib import MLCIB
from fslib.multilabel.mlcib_fs import MLCIBFS
from fslib.multilabel.mlknn import MLkNN
from fslib.multilabel.mlmlfs import MLMLFS
from fslib.multilabel.mmib import MMIB
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
    SFUS(reading="published", random_state=0),
    MLMLFS(),
    MLMLFS(p=0.4),
    MLMLFS(reading="published", random_state=0),
    CMFS(scale="minmax", random_state=0),
    CMFS(scale="minmax", alpha="balanced", random_state=0),
    CMFS(scale="minmax", reading="published", random_state=0),
    MLCIBFS(),
    MLCIBFS(graph="none", label_matrix="none"),
    MLCIBFS(graph="labels", label_matrix="agreement"),
    MLCIBFS(reading="published", label_matrix="agreement", gamma=1e-3),
    MIFS(),
    MIFS(scale="free"),
    MIFS(reading="published", random_state=0),
    FIMF(),
    FIMF(n_labels=0),
]
LEARNERS = [BinaryRelevance(), LabelChain(), MLCIB(), InverseRandomUnderSampling(n_estimators=3), COCOA(), MMIB()]

BLIND = [s for s in SELECTORS if isinstance(s, CMFS) or (isinstance(s, MIFS) and s.reading == "published")]
"""Whose top features hardly depend on the labels."""

KEEPS_ITS_START = [s for s in BLIND if isinstance(s, MIFS)]
"""Columns that its steps hardly move rank by the number they were drawn."""

DRAWN = [s for s in SELECTORS if s.get_params().get("random_state") is not None]
"""Whose start is drawn feature by feature, so that the order of the features plays a part."""

MATRIX = "predicts one column per label, also for a one-dimensional y of classes"
BINARY = "feeds a column of class codes 0 to 3 as labels; a label is 0, 1 or NaN"
SPARSE = {"check_estimator_sparse_array": MATRIX, "check_estimator_sparse_matrix": MATRIX}
OF_LEARNERS = {
    "check_classifiers_classes": MATRIX,
    "check_classifiers_train": MATRIX,
    "check_classifier_not_supporting_multiclass": "a one-dimensional y of classes is read as one label per class",
    "check_classifier_data_not_an_array": BINARY,
    "check_estimators_dtypes": BINARY,
    "check_fit2d_1feature": BINARY,
}
TRANSDUCTIVE = "the labels of all samples passed to predict are found together, and not before"
EXPECTED_TO_FAIL = {
    "MLkNN": OF_LEARNERS | SPARSE,
    **{type(learner).__name__: OF_LEARNERS for learner in LEARNERS},
    "MMIB": OF_LEARNERS
    | dict.fromkeys(
        [
            "check_non_transformer_estimators_n_iter",
            "check_methods_sample_order_invariance",
            "check_methods_subset_invariance",
        ],
        TRANSDUCTIVE,
    ),
    "MIFS": dict.fromkeys(
        ["check_fit_idempotent", "check_fit_check_is_fitted", "check_n_features_in"],
        "the fixed steps of the published reading diverge on entries of 100",
    ),
}


def expected_to_fail(estimator):
    if isinstance(estimator, MIFS) and estimator.reading == "corrected":
        return {}
    return EXPECTED_TO_FAIL.get(type(estimator).__name__, {})


@parametrize_with_checks([*SELECTORS, MLkNN(n_neighbors=2), *LEARNERS], expected_failed_checks=expected_to_fail)
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


@pytest.mark.parametrize("selector", [s for s in SELECTORS if s not in BLIND], ids=str)
def test_finds_the_two_features_that_make_the_labels(selector, data):
    assert_array_equal(fitted(selector, *data).get_support(indices=True), [2, 5])


@pytest.mark.parametrize("selector", SELECTORS, ids=str)
def test_fit_writes_to_nothing_and_repeats_itself(selector, data):
    X, y = data
    first = fitted(selector, X, y).ranking_
    for array in (X, y):
        array.flags.writeable = False
    assert_array_equal(fitted(selector, X, y).ranking_, first)


@pytest.mark.parametrize("selector", [s for s in SELECTORS if s not in DRAWN], ids=str)
def test_order_of_columns_and_of_labels_does_not_matter(selector, data):
    X, y = data
    shuffled = np.random.default_rng(1).permutation(9)
    order = fitted(selector, X, y, k=9).ranking_
    assert_array_equal(shuffled[fitted(selector, X[:, shuffled], y[:, ::-1], k=9).ranking_], order)


@pytest.mark.parametrize("selector", [s for s in SELECTORS if s not in KEEPS_ITS_START], ids=str)
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
