"""Learners against slower or independent solutions of the same problems."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, TunedThresholdClassifierCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from fslib.counts.rows import distinct_rows
from fslib.evaluation import metrics
from fslib.evaluation.kernel_logistic import DistinctRowsNystroem, logistic_classifier
from fslib.evaluation.learners import BinaryKeepingScaler, TunedLearner
from fslib.names import LARGER_IS_BETTER

GRID = {"C": [0.1, 1.0, 10.0], "gamma": [0.3, 1.0]}


@pytest.fixture(scope="module")
def binary():
    """400 rows of four binary columns, hence 16 distinct ones; a quarter of the labels are 1, none are certain."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (400, 4)).astype(float)
    chance = 0.08 + 0.5 * ((X[:, 0] != X[:, 1]) & (X[:, 2] == 1)) + 0.15 * X[:, 3]
    return X, (rng.random(400) < chance).astype(int)


def scorer(measure, c=None):
    sign = 1 if measure in LARGER_IS_BETTER else -1
    more = {} if c is None else {"c": c}
    return lambda model, X, y: sign * getattr(metrics, measure)(y, model.predict(X), **more)


@pytest.mark.parametrize(("measure", "c"), [("error_0_1", None), ("cost_error", 0.25), ("balanced_error", None)])
def test_svm_on_distinct_rows_is_grid_search_on_all_rows(binary, measure, c):
    """scikit-learn's own search, on uncollapsed rows: same held-out values, same choice, same predictions."""
    X, y = binary
    learner = TunedLearner(measure, c=0.5 if c is None else c, **GRID).fit(X, y)
    fit, held = train_test_split(np.arange(len(y)), test_size=0.2, stratify=y, random_state=0)
    p = y.mean()  # 0.25 in the rows that are fitted on, too
    weight = {
        "error_0_1": None,
        "cost_error": {0: c, 1: 1 - c if c else 0},
        "balanced_error": {0: 1 / (1 - p), 1: 1 / p},
    }
    grid = {"C": GRID["C"], "gamma": [gamma / 4 for gamma in GRID["gamma"]]}
    search = GridSearchCV(SVC(class_weight=weight[measure]), grid, cv=[(fit, held)], scoring=scorer(measure, c)).fit(
        X, y
    )
    assert_allclose(learner.grid_.ravel(), -search.cv_results_["mean_test_score"])
    assert learner.best_ == {"C": search.best_params_["C"], "gamma": 4 * search.best_params_["gamma"]}
    assert_array_equal(learner.predict(X), search.predict(X))
    assert learner.measure_on(X, y) == -scorer(measure, c)(search, X, y)


def irls(X, y, C, gamma):
    """Probabilities of kernel logistic regression by Newton's method on the full Gram matrix of all rows."""
    K = rbf_kernel(X, gamma=gamma)
    f = np.zeros(len(y))
    for _ in range(50):
        p = 1 / (1 + np.exp(-f))
        w = p * (1 - p)
        z = f + (y - p) / w
        solved = np.linalg.solve(K + np.diag(1 / (C * w)), np.column_stack([z, np.ones(len(y))]))
        b = solved[:, 0].sum() / solved[:, 1].sum()
        a = solved[:, 0] - b * solved[:, 1]
        f, before = K @ a + b, f
        if np.abs(f - before).max() < 1e-10:
            return 1 / (1 + np.exp(-f))
    raise AssertionError("Newton did not converge")


def on_kernel_map(C, gamma):
    return make_pipeline(DistinctRowsNystroem(gamma=gamma, random_state=0), logistic_classifier(C))


@pytest.mark.parametrize("C", [0.1, 10.0])
def test_kernel_logistic_regression_solves_the_full_problem(binary, C):
    X, y = binary
    expected = irls(X, y, C, gamma=0.25)
    assert_allclose(on_kernel_map(C, 0.25).fit(X, y).predict_proba(X)[:, 1], expected, atol=3e-4)
    learner = TunedLearner("log_loss", C=[C], gamma=[1.0]).fit(X, y)  # one cell: tuning has no choice
    assert_allclose(learner.predict_proba(X)[:, 1], expected, atol=3e-4)
    assert_allclose(learner.measure_on(X, y), metrics.log_loss(y, expected), atol=3e-4)


def test_large_kernels_are_sampled_and_stay_close():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1200, 2))
    y = (X[:, 0] + 0.5 * X[:, 1] ** 2 + rng.normal(size=1200) > 0).astype(int)
    model = on_kernel_map(1.0, 0.5).fit(X, y)
    assert model[0].components_.shape == (600, 2)
    assert_allclose(model.predict_proba(X)[:, 1], irls(X, y, 1.0, 0.5), atol=0.01)


def test_a_kernel_map_keeps_its_parameters_and_takes_its_size_from_the_rows():
    kernel = DistinctRowsNystroem(gamma=0.5, random_state=0)
    before = kernel.get_params()
    rng = np.random.default_rng(0)
    for n, landmarks in ((30, 30), (1200, 600), (7, 7)):
        X = rng.normal(size=(n, 2))
        found = kernel.fit(np.repeat(X, 2, axis=0)).transform(X)
        assert found.shape == (n, landmarks) and kernel.components_.shape == (landmarks, 2)
        assert kernel.get_params() == before
        assert_array_equal(clone(kernel).fit(X).transform(X), found)


def test_plug_in_classifier_moves_the_threshold(binary):
    X, y = binary
    rare = np.flatnonzero(y == 0).tolist() + np.flatnonzero(y == 1)[:40].tolist()
    plug_in = TunedLearner("f1", C=[10.0], gamma=[1.0]).fit(X[rare], y[rare])
    half = TunedLearner("log_loss", C=[10.0], gamma=[1.0]).fit(X[rare], y[rare])
    assert metrics.f1(y[rare], half.predict(X[rare])) < plug_in.measure_on(X[rare], y[rare])


def test_plug_in_classifier_is_scikit_learns_on_the_whole_pipeline(binary):
    """One kernel map for all folds against a map per fold, and our F1 against scikit-learn's."""
    X, y = binary
    learner = TunedLearner("f1", C=[1.0], gamma=[1.0]).fit(X, y)
    pipeline = on_kernel_map(1.0, 1 / X.shape[1])
    expected = TunedThresholdClassifierCV(pipeline, scoring="f1", cv=5).fit(X, y)
    assert_allclose(learner._trained.model.best_threshold_, expected.best_threshold_, atol=1e-3)
    assert_array_equal(learner.predict(X), expected.predict(X))


def test_ties_go_to_the_smallest_pair():
    """Two copies of one column: with labels that follow it every pair is perfect."""
    X = np.repeat([[0.0, 0.0], [1.0, 1.0]], 20, axis=0)
    learner = TunedLearner("error_0_1", C=[10.0, 1.0], gamma=[3.0, 1.0]).fit(X, np.repeat([0, 1], 20))
    assert (learner.grid_ == 0).all() and learner.best_ == {"C": 1.0, "gamma": 1.0}


def test_tuning_does_not_see_the_scale_of_held_out_rows():
    """Held-out rows enter as rows to predict only: their own values must not move the scaler."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(100, 2)), np.tile([0, 1], 50)
    X[:, 0] += 4 * y
    held = train_test_split(np.arange(100), test_size=0.2, stratify=y, random_state=0)[1]
    learner = TunedLearner("log_loss", C=[1.0], gamma=[1.0])
    moved = X.copy()
    moved[held[0]] += 1e6  # one row far out: a kernel of zeros, while a scaler that saw it would squeeze all others
    before, after = (clone(learner).fit(data, y).grid_[0, 0] for data in (X, moved))
    assert before < 0.2 and before != after, "the learner has something to lose"
    assert abs(before - after) < 0.1


def test_scaler_leaves_binary_columns():
    X = np.column_stack([np.tile([0.0, 1.0], 4), np.arange(8.0), np.ones(8), np.full(8, 5.0)])
    Z = BinaryKeepingScaler().fit_transform(X)
    assert_array_equal(Z[:, [0, 2]], X[:, [0, 2]])
    assert_allclose([Z[:, 1].mean(), Z[:, 1].std()], [0, 1], atol=1e-12)
    assert_array_equal(Z[:, 3], 0)


def test_distinct_rows_are_those_of_numpy():
    X = np.random.default_rng(0).integers(-1, 2, (200, 4)).astype(float)
    first, group = distinct_rows(X)
    rows, inverse = np.unique(X, axis=0, return_inverse=True)
    assert_array_equal(X[first], rows)
    assert_array_equal(group, inverse.ravel())
    assert len(DistinctRowsNystroem().fit(X).components_) == len(rows)


@pytest.mark.parametrize("y", [[0] * 9 + [1], [0] * 10, [1, 2] * 5])
def test_labels_must_be_two_classes_coded_0_and_1(y):
    with pytest.raises(ValueError, match="labels 0 and 1"):
        TunedLearner().fit(np.zeros((10, 1)), np.array(y))


def test_only_the_logistic_learner_gives_probabilities(binary):
    with pytest.raises(AttributeError, match="predicts labels"):
        TunedLearner("error_0_1", C=[1.0], gamma=[1.0]).fit(*binary).predict_proba(binary[0])
