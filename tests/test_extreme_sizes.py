"""Features of any size: the answer of the same features in other units, or soon a message that says to scale them."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC, LinearSVC

from fslib.correlated import SVMRFE, FuzzESVM
from fslib.imbalance import BalancedIterativeRandomForest, ml_cst
from fslib.multilabel import COCOA, BinaryRelevance, InverseRandomUnderSampling, LabelChain
from fslib.solvers.machines import linear_machine

pytestmark = pytest.mark.timeout(60)  # without a limit the solvers go on for hours

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 5))
LABELS = (X[:, :2] + 0.5 * RNG.normal(size=(60, 2)) > [0.0, 0.8]).astype(int)
Y = LABELS[:, 1]
ONE = np.array([1.0, 1.0, 1e15, 1.0, 1.0])
"""Factors: one huge column."""

LINEAR = [BinaryRelevance(), LabelChain(random_state=0)]
TREES = [
    COCOA(random_state=0),
    InverseRandomUnderSampling(random_state=0),
    BalancedIterativeRandomForest(n_estimators=5, random_state=0),
]
named = lambda estimator: type(estimator).__name__


def target(estimator):
    return Y if isinstance(estimator, BalancedIterativeRandomForest) else LABELS


@pytest.mark.parametrize("learner", LINEAR, ids=named)
@pytest.mark.parametrize("size", [1e6, 1e15, ONE], ids=["1e6", "1e15", "one column"])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_labels_that_do_not_separate_at_a_huge_size_are_an_error(learner, size, kind):
    with pytest.raises(ValueError, match=r"no solution in \d+ steps; X holds .* in column \d: scale the features"):
        clone(learner).fit(kind(X * size), LABELS)


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_the_largest_feature_is_named(n_jobs):
    frame = pd.DataFrame(X * ONE, columns=list("abcde"))
    with pytest.raises(ValueError, match=r"as large as \d\.\d+e\+15 in column 'c'"):
        BinaryRelevance(n_jobs=n_jobs).fit(frame, LABELS)


@pytest.mark.parametrize("learner", LINEAR, ids=named)
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_labels_that_separate_are_learned_at_any_size(learner, kind):
    rows = np.arange(40.0)[:, None] - 19.5
    y = np.column_stack([rows[:, 0] > 0, rows[:, 0] > 0]).astype(int)
    for size in (1.0, 1e6, 1e15):
        assert_array_equal(clone(learner).fit(kind(rows * size), y).predict(kind(rows * size)), y)


@pytest.mark.parametrize("learner", LINEAR, ids=named)
def test_an_estimator_of_the_caller_is_left_alone(learner):
    clone(learner).set_params(estimator=LogisticRegression()).fit(X * 1e15, LABELS)


def test_a_machine_that_ends_is_that_of_scikit_learn():
    dense = linear_machine(X).fit(X, Y)
    assert_array_equal(dense.coef_, SVC(kernel="linear").fit(X, Y).coef_)
    rows = sparse.csr_array(X)
    same = LinearSVC(loss="hinge", max_iter=5000, random_state=0).fit(rows, Y)
    assert_array_equal(linear_machine(rows).fit(rows, Y).coef_, same.coef_)


def test_a_sparse_machine_short_of_its_solution_warns():
    rows = sparse.csr_array(X * 300)
    with pytest.warns(ConvergenceWarning, match="no solution in 5000 steps: scale the features"):
        linear_machine(rows).fit(rows, Y)


@pytest.mark.parametrize("selector", [SVMRFE(scale=False), FuzzESVM(scale=False, random_state=0)], ids=named)
def test_elimination_on_raw_features_ends(selector):
    with pytest.raises(ValueError, match=r"no solution in 200000 steps: scale the features first"):
        clone(selector).fit(X * 1e12, Y)
    assert sorted(clone(selector).set_params(scale=True).fit(X * 1e12, Y).ranking_) == list(range(5))


@pytest.mark.parametrize("estimator", TREES, ids=named)
def test_trees_say_that_they_see_nothing(estimator):
    with pytest.raises(ValueError, match=r"No feature of X varies by more than 1e-07.*scale"):
        clone(estimator).fit(X * 1e-15, target(estimator))
    clone(estimator).fit(X * [1e-15, 1, 1, 1, 1], target(estimator))


@pytest.mark.parametrize("estimator", TREES, ids=named)
def test_trees_say_which_feature_they_cannot_hold(estimator):
    with pytest.raises(ValueError, match=r"as large as .*e\+40 in column 'c', which trees cannot hold"):
        clone(estimator).fit(pd.DataFrame(X * [1, 1, 1e40, 1, 1], columns=list("abcde")), target(estimator))


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_logistic_regression_far_from_its_solution_is_an_error(kind):
    for wrong in (X * 1e8, X * ONE, X + 1e12 * (ONE > 1)):
        with pytest.raises(ValueError, match=r"far from its solution.*scale them first"):
            ml_cst().fit(kind(wrong), Y)
    for right in (X * 1e-15, X, X * 1e4, X + 100.0):
        same = LogisticRegression(class_weight="balanced", max_iter=1000).fit(kind(right), Y)
        assert_array_equal(ml_cst().fit(kind(right), Y).coef_, same.coef_)
