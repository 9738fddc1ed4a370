"""The bootstrap against its formula by hand, on noise, on separable data, and with the leak it is there to avoid."""

import numpy as np
import pytest
from joblib import parallel_config
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from fslib.evaluation.bootstrap import (
    bootstrap_632_plus,
    bootstrap_on_test_part,
    box_summary,
    combine_632_plus,
)

SELECT_AND_CLASSIFY = make_pipeline(SelectKBest(f_classif, k=10), SVC(kernel="linear"))


def noise(n=60, d=2000, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d)), np.arange(n) % 2


@pytest.mark.parametrize(
    ("apparent", "left_out", "R", "estimate"),
    [
        (1.0, 0.5, 1.0, 0.5),  # nothing but overfitting: w = 1
        (1.0, 0.3, 1.0, 0.5),  # below chance counts as chance
        (1.0, 1.0, 0.0, 1.0),
        (0.9, 0.95, 0.0, 0.368 * 0.9 + 0.632 * 0.95),  # no overfitting: plain .632
        (1.0, 0.75, 0.5, 0.184 / 0.816 * 1.0 + 0.632 / 0.816 * 0.75),
        (0.4, 0.4, 0.0, 0.368 * 0.4 + 0.632 * 0.5),
    ],
)
def test_formula_by_hand(apparent, left_out, R, estimate):
    found, overfitting = combine_632_plus(apparent, left_out)
    assert_allclose([found, overfitting], [estimate, R], rtol=1e-12)


def test_noise_is_worth_a_half_and_selecting_on_all_rows_hides_it():
    X, y = noise()
    inside = bootstrap_632_plus(SELECT_AND_CLASSIFY, X, y, n_bootstraps=15, random_state=0)["auc"]
    best = SelectKBest(f_classif, k=10).fit(X, y).get_support()
    outside = bootstrap_632_plus(SVC(kernel="linear"), X[:, best], y, n_bootstraps=15, random_state=0)["auc"]
    assert inside.estimate[0] < 0.65 and inside.apparent[0] > 0.95
    assert outside.estimate[0] > 0.9


def test_separable_data_overfit_nothing():
    X, y = noise(40, 5)
    X[:, 0] += 8 * y
    found = bootstrap_632_plus(SVC(kernel="linear"), X, y, n_bootstraps=10, random_state=0)
    for result in found.values():
        assert_array_equal(result.overfitting, 0)
        assert_array_equal(result.estimate, 1)
        assert result.out_of_bag.shape == result.per_sample.shape == (10, 1)


def test_rows_left_out_are_never_seen_and_bags_keep_the_class_sizes():
    y = np.repeat([0, 1], [14, 6])
    X = np.arange(20.0)[:, None]
    calls = []

    def spy(X_train, y_train, X_test):
        calls.append((X_train[:, 0].astype(int), y_train, X_test[:, 0].astype(int)))
        return np.column_stack([X_test[:, 0], -X_test[:, 0]])

    found = bootstrap_632_plus(spy, X, y, n_bootstraps=25, random_state=0)["auc"]
    (whole, _, also), *bags = calls
    assert_array_equal(whole, also)
    for train, labels, test in bags:
        assert_array_equal(labels, y[train])
        assert_array_equal(np.bincount(labels), [14, 6])
        assert not set(train) & set(test) and set(train) | set(test) == set(range(20))
        assert len(set(y[test])) == 2
    assert_array_equal(found.out_of_bag, np.tile([1.0, 0.0], (25, 1)))
    assert_array_equal(found.estimate, [1, 0.632 * 0.5])


def test_mean_over_samples_is_no_estimate_on_noise():
    left_out = np.array([0.3, 0.7, 0.4, 0.6])
    assert combine_632_plus(1.0, left_out.mean())[0] == 0.5
    assert combine_632_plus(1.0, left_out)[0].mean() > 0.53


def test_same_seed_same_numbers_whatever_the_jobs():
    X, y = noise(30, 20)
    fit = lambda seed, n_jobs: (
        bootstrap_632_plus(SVC(kernel="linear"), X, y, n_bootstraps=4, random_state=seed, n_jobs=n_jobs)[
            "auc"
        ].out_of_bag
    )
    one = fit(5, 1)
    with parallel_config("threading"):
        assert_array_equal(fit(5, 2), one)
    assert (fit(6, 1) != one).any()


def test_test_part_stays_and_training_rows_vary():
    X, y = noise(40, 5)
    X[:, 0] += y
    seen = []

    def spy(X_train, y_train, X_test):
        seen.append(X_test)
        return SVC(kernel="linear").fit(X_train, y_train).decision_function(X_test)

    found = bootstrap_on_test_part(spy, X[:30], y[:30], X[30:], y[30:], n_bootstraps=6, random_state=0)
    assert found["auc"].shape == found["auc_hard"].shape == (6, 1)
    assert all(np.array_equal(part, X[30:]) for part in seen)
    # five and five test rows: hard AUC is a multiple of a tenth
    assert_allclose(10 * found["auc_hard"], np.rint(10 * found["auc_hard"]), atol=1e-12)
    assert len(np.unique(found["auc"])) > 1


def test_classes_that_cannot_be_judged_are_refused():
    X, _ = noise(12, 3)
    with pytest.raises(ValueError, match="two classes, y has 3"):
        bootstrap_632_plus(SVC(), X, np.arange(12) % 3)
    with pytest.raises(ValueError, match="too small"):
        bootstrap_632_plus(SVC(), X, np.r_[1, np.zeros(11)])


def test_boxes_are_quantiles():
    values = np.random.default_rng(0).random((50, 2))
    table = box_summary(values, ["a", "b"])
    assert list(table.columns) == ["min", "q1", "median", "mean", "q3", "max"]
    assert_allclose(table.loc["b", "q3"], np.percentile(values[:, 1], 75))
    assert_allclose(table.loc["a", "mean"], values[:, 0].mean())
