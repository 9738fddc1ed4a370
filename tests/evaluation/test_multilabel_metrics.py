from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import coverage_error, label_ranking_average_precision_score

from fslib.evaluation.label_ranking import average_precision, coverage, one_error, one_error_expected, ranking_loss
from fslib.evaluation.multilabel_metrics import (
    RANKING_METRICS,
    example_f1,
    label_macro_f1,
    micro_f1,
    micro_f1_of_known_labels,
    multilabel_scores,
)


def literal_lamda(y, scores):
    """Average precision and coverage as the LAMDA programs compute them, from an ascending sort."""
    precisions, depths = [], []
    for truth, values in zip(y, scores, strict=True):
        c = len(values)
        order = sorted(range(c), key=lambda j: (values[j], j))  # MATLAB's sort is stable
        rank = {label: c - position for position, label in enumerate(order)}
        relevant = [j for j in range(c) if truth[j]]
        depths.append(max((rank[j] for j in relevant), default=0))
        if 0 < len(relevant) < c:
            precisions.append(np.mean([sum(rank[i] <= rank[j] for i in relevant) / rank[j] for j in relevant]))
    return np.mean(precisions), np.mean(depths) - 1


@pytest.fixture(params=[3, 1000], ids=["ties", "no ties"])
def case(request):
    rng = np.random.default_rng(0)
    y = rng.random((200, 5)) < 0.4
    y[0], y[1] = False, True  # rows that cannot be ranked
    return y, rng.integers(request.param, size=y.shape) / request.param


def test_against_scikit_learn_on_the_rows_that_can_be_ranked(case):
    y, scores = case
    valid = y.any(axis=1) & ~y.all(axis=1)
    expected = label_ranking_average_precision_score(y[valid], scores[valid])
    assert_allclose(average_precision(y, scores), expected, rtol=1e-12)
    assert label_ranking_average_precision_score(y, scores) > expected  # it counts the others as perfect
    assert_allclose(coverage(y, scores), coverage_error(y, scores) - 1)


def test_lamda_ties_against_the_literal_loop(case):
    precision, depth = literal_lamda(*case)
    assert_allclose(average_precision(*case, ties="lamda"), precision, rtol=1e-12)
    assert_allclose(coverage(*case, ties="lamda"), depth, rtol=1e-12)


def test_ranking_loss_is_the_share_of_wrong_pairs_and_a_tie_is_wrong(case):
    y, scores = case
    losses = []
    for truth, values in zip(y, scores, strict=True):
        pairs = [(i, j) for i in np.flatnonzero(truth) for j in np.flatnonzero(~truth)]
        if pairs:
            losses.append(np.mean([values[i] <= values[j] for i, j in pairs]))
    assert_allclose(ranking_loss(y, scores), np.mean(losses), rtol=1e-12)


def test_one_error_is_kind_to_ties_and_its_expectation_is_not():
    y, scores = [[1, 0, 0], [0, 1, 0]], [[0.5, 0.5, 0.1], [0.9, 0.1, 0.1]]
    assert one_error(y, scores) == 0.5
    assert one_error_expected(y, scores) == 0.75


def test_f_measures_by_hand_with_their_zero_rules():
    y = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 0]])
    h = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 0]])
    # rows: 1, 2/3, both empty: 1; labels: 2/3, 1, 0/0: 0; cells: 2 hits of 3 and 2
    assert example_f1(y, h) == pytest.approx(8 / 9)
    assert label_macro_f1(y, h) == pytest.approx(5 / 9)
    assert micro_f1(y, h) == pytest.approx(4 / 5)
    assert example_f1([[0, 0], [1, 0]], [[1, 0], [0, 0]]) == 0  # one side empty


def test_all_at_once_equals_one_by_one():
    rng = np.random.default_rng(2)
    y, scores = (rng.random((30, 4)) < 0.4).astype(int), rng.random((30, 4))
    found = multilabel_scores(y, scores, ties="lamda")
    assert found["one_error"] == one_error(y, scores)
    assert found["average_precision"] == average_precision(y, scores, ties="lamda")
    assert found["hamming_loss"] == np.mean((scores >= 0.5) != y)
    assert found["subset_accuracy"] == np.mean(np.all((scores >= 0.5) == y, axis=1))
    assert len(found) == 10


def test_a_single_label_has_predictions_but_no_ranking():
    y, scores = np.array([[1], [0], [1]]), np.array([[0.9], [0.8], [0.2]])
    assert multilabel_scores(y, scores)["label_macro_f1"] == 0.5
    with pytest.raises(ValueError, match="at least two"):
        multilabel_scores(y, scores, metrics=["one_error"])


@pytest.mark.parametrize("metric", RANKING_METRICS.values())
def test_bad_input(metric):
    with pytest.raises(ValueError, match="NaN or infinity"):
        metric([[1, 0]], [[np.nan, 0.5]])
    with pytest.raises(ValueError, match="one shape"):
        metric([[1, 0]], [[0.5, 0.5, 0.5]])


@pytest.mark.parametrize("metric", RANKING_METRICS.values())
@pytest.mark.parametrize("entry", [np.nan, -1, 2])
def test_what_is_no_label_is_not_taken_for_a_relevant_one(metric, entry):
    with pytest.raises(ValueError, match="0 and 1 only"):
        metric([[entry, 0], [1, 0]], [[0.2, 0.7], [0.2, 0.7]])


@pytest.mark.parametrize(("y", "scores"), [([1, 0], [0.2, 0.7]), ([[1, 0]], [[0.2, 0.7, 0.1]])])
def test_shapes_that_do_not_match(y, scores):
    with pytest.raises(ValueError, match="one shape"):
        multilabel_scores(y, scores)


class Says:
    def predict(self, X):
        return np.asarray(X)


def test_a_scorer_for_incomplete_labels_counts_the_known_ones_only():
    y = np.array([[1, np.nan], [np.nan, 1], [1, 0]])
    said = [[1, 1], [0, 0], [1, 1]]
    # known cells: 1 1 1 0 against said 1 0 1 1
    assert micro_f1_of_known_labels(Says(), said, y) == pytest.approx(2 / 3)
    assert micro_f1_of_known_labels(Says(), said, pd.DataFrame(y).astype("Int64")) == pytest.approx(2 / 3)


def test_no_row_to_rank_and_unknown_names():
    with pytest.raises(ValueError, match="No row"):
        one_error([[1, 1], [0, 0]], [[0.1, 0.2], [0.1, 0.2]])
    with pytest.raises(ValueError, match="called \\['accuracy'\\]"):
        multilabel_scores([[1, 0]], [[0.1, 0.2]], metrics=["accuracy"])
    with pytest.raises(ValueError, match="ties='best'"):
        average_precision([[1, 0]], [[0.1, 0.2]], ties="best")


def test_scores_that_are_not_defined_are_left_out_and_not_counted_as_0():
    """All is rightly absent: no F1 says anything, and a mean over folds must not take 0."""
    nothing = np.zeros((4, 2), dtype=int)
    right = SimpleNamespace(predict=lambda X: nothing)
    assert np.isnan(micro_f1_of_known_labels(right, None, nothing))
    assert np.isnan(micro_f1_of_known_labels(right, None, np.where(nothing == 0, np.nan, 0)))
    assert np.isnan(micro_f1(nothing, nothing, zero_division=np.nan))
    one = nothing.copy()
    one[0, 0] = 1
    assert label_macro_f1(one, one, zero_division=np.nan) == 1 and label_macro_f1(one, one) == 0.5
    assert micro_f1_of_known_labels(right, None, one) == 0  # a label that is missed
