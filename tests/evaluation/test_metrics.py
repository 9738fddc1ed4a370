"""Error measures by hand and against scikit-learn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import metrics as sklearn_metrics
from sklearn.model_selection import StratifiedKFold

from fslib.evaluation import metrics

Y = np.array([1, 1, 1, 0, 0, 0, 0, 0, 0, 0])
PREDICTED = np.array([1, 0, 1, 1, 0, 0, 0, 0, 1, 0])  # 2 true positives, 1 false negative, 2 false positives


def test_by_hand():
    assert metrics.error_0_1(Y, PREDICTED) == 0.3
    assert_allclose(metrics.cost_error(Y, PREDICTED, c=0.25), (0.25 * 2 + 0.75 * 1) / 10)
    assert_allclose(metrics.balanced_error(Y, PREDICTED), (1 / 3 + 2 / 7) / 2)
    assert_allclose(metrics.f1(Y, PREDICTED), 4 / 7)  # precision 2/4, recall 2/3


@pytest.mark.parametrize("seed", range(5))
def test_against_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    y, predicted, p = rng.integers(0, 2, 50), rng.integers(0, 2, 50), rng.uniform(0.01, 0.99, 50)
    assert_allclose(metrics.error_0_1(y, predicted), sklearn_metrics.zero_one_loss(y, predicted))
    assert_allclose(metrics.balanced_error(y, predicted), 1 - sklearn_metrics.balanced_accuracy_score(y, predicted))
    for labels in (predicted, y, np.zeros(50, dtype=int), np.ones(50, dtype=int)):
        assert metrics.f1(y, labels) == sklearn_metrics.f1_score(y, labels, zero_division=0)  # to the last bit
    assert_allclose(metrics.log_loss(y, p), sklearn_metrics.log_loss(y, p), rtol=1e-12)


def test_measures_are_linked():
    assert_allclose(2 * metrics.cost_error(Y, PREDICTED, c=0.5), metrics.error_0_1(Y, PREDICTED))
    p = Y.mean()  # a false positive costs p, a false negative 1 - p
    assert_allclose(metrics.cost_error(Y, PREDICTED, c=p), 2 * p * (1 - p) * metrics.balanced_error(Y, PREDICTED))


def test_certain_and_wrong_costs_a_bounded_amount():
    assert_allclose(metrics.log_loss([1, 0], [0.0, 1.0]), -np.log(1e-6))


def test_balanced_error_needs_both_classes():
    with pytest.raises(ValueError, match="both classes"):
        metrics.balanced_error([1, 1], [1, 0])


@pytest.mark.parametrize("seed", range(5))
def test_auc_counts_pairs_and_that_of_labels_is_balanced_accuracy(seed):
    rng = np.random.default_rng(seed)
    y, scores = rng.integers(0, 2, 60), rng.integers(0, 9, 60)
    pairs = scores[y == 1][:, None] - scores[y == 0]
    assert_allclose(metrics.auc(y, scores), np.mean((np.sign(pairs) + 1) / 2))
    labels = scores > 4
    assert_allclose(metrics.auc_hard(y, labels), sklearn_metrics.balanced_accuracy_score(y, labels))
    assert_allclose(metrics.auc_hard(y, labels), metrics.auc(y, labels))
    assert_allclose(metrics.auc_pooled([(y[:25], scores[:25]), (y[25:], scores[25:])]), metrics.auc(y, scores))


def test_auc_is_that_of_scikit_learn_for_every_column_also_with_ties():
    rng = np.random.default_rng(0)
    y = np.arange(30) % 3 == 0
    scores = rng.integers(-3, 4, size=(30, 4)).astype(float)
    assert_allclose(metrics.auc(y, scores), [sklearn_metrics.roc_auc_score(y, column) for column in scores.T])
    labels = [sklearn_metrics.balanced_accuracy_score(y, column > 0) for column in scores.T]
    assert_allclose(metrics.auc(y, scores > 0), labels)


def test_auc_without_pairs_or_with_unknown_scores():
    assert np.isnan(metrics.auc([1, 1], [0.1, 0.2])) and np.isnan(metrics.auc([0, 0], np.eye(2))).tolist() == [True] * 2
    with pytest.raises(ValueError, match="contain NaN"):
        metrics.auc([0, 1], [0.1, np.nan])


def test_pooled_auc_of_training_shares_is_below_one_half():
    """A one-leaf tree in five stratified folds of 198 rows, 47 positive: .5 in every fold, less over all."""
    y = np.arange(198) < 47
    folds = []
    for train, test in StratifiedKFold(5).split(y, y):
        folds.append((y[test], np.full(len(test), y[train].mean())))
    assert {metrics.auc(*fold) for fold in folds} == {0.5}
    assert 0.45 < metrics.auc_pooled(folds) < 0.5
