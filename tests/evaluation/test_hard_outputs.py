import numpy as np
import pytest
from sklearn.metrics import (
    accuracy_score,
    coverage_error,
    f1_score,
    hamming_loss,
    label_ranking_average_precision_score,
    label_ranking_loss,
)

from fslib.evaluation.hard_outputs import seven_scores


def make(seed=0, n=60, c=5):
    rng = np.random.default_rng(seed)
    Y = (rng.random((n, c)) < 0.3).astype(int)
    Y[0], Y[1] = 0, 1  # a row without labels, one with all
    scores = rng.normal(size=(n, c)) + 1.2 * Y - 0.6
    scores[2] = -1.0  # a row without a predicted label
    return Y, scores


def ranks(predicted, key):
    """Rank 1 for the best: predicted before not predicted, ties by ``key``."""
    order = sorted(range(len(predicted)), key=lambda j: (-predicted[j], key(j)))
    return {j: k for k, j in enumerate(order, start=1)}


@pytest.mark.parametrize("seed", range(5))
def test_hard_measures_are_their_rules_row_by_row(seed):
    Y, scores = make(seed)
    H, c = (scores > 0).astype(int), Y.shape[1]
    one_error, loss, coverage, precision = [], [], [], []
    for y, h in zip(Y, H, strict=True):
        relevant, rest = np.flatnonzero(y), np.flatnonzero(1 - y)
        one_error.append(not any(h[j] == h.max() for j in relevant))
        wrong = [h[a] <= h[b] for a in relevant for b in rest]
        loss.append(np.mean(wrong) if wrong else 0)
        earlier, later = ranks(h, lambda j: j), ranks(h, lambda j: -j)
        coverage.append(max((earlier[j] for j in relevant), default=1) - 1)
        each = [sum(later[k] <= later[j] for k in relevant) / later[j] for j in relevant]
        precision.append(np.mean(each) if each else 0)
    found = seven_scores(Y, scores)
    assert found["one_error_hard"] == pytest.approx(np.mean(one_error))
    assert found["ranking_loss_hard"] == pytest.approx(np.mean(loss))
    assert found["coverage_share_hard"] == pytest.approx(np.mean(coverage) / c)
    assert found["average_precision_hard"] == pytest.approx(np.mean(precision))
    assert found["empty_predictions"] == pytest.approx(np.mean(H.sum(axis=1) == 0))
    assert found["hamming_loss"] == pytest.approx(hamming_loss(Y, H))
    assert found["subset_accuracy"] == pytest.approx(accuracy_score(Y, H))
    assert found["micro_f1"] == pytest.approx(f1_score(Y, H, average="micro"))


def test_real_measures_are_those_of_scikit_learn_on_rows_with_some_labels():
    Y, scores = make()
    scores[2] = np.arange(5)  # no ties
    found = seven_scores(Y, scores, outputs="real")
    valid = (Y.sum(axis=1) > 0) & (Y.sum(axis=1) < 5)
    Y, scores = Y[valid], scores[valid]
    assert found["average_precision_real"] == pytest.approx(label_ranking_average_precision_score(Y, scores))
    assert found["ranking_loss_real"] == pytest.approx(label_ranking_loss(Y, scores))
    assert found["coverage_share_real"] == pytest.approx((coverage_error(Y, scores) - 1) / 5)
    assert found["one_error_real"] == pytest.approx(np.mean(Y[np.arange(len(Y)), scores.argmax(axis=1)] == 0))


def test_threshold_per_label():
    Y, scores = make()
    t = np.array([0.1, -0.2, 0.3, 0.0, 0.5])
    assert seven_scores(Y, scores, threshold=t) == pytest.approx(seven_scores(Y, scores - t))


def test_what_cannot_be_judged_is_refused():
    with pytest.raises(ValueError, match="outputs='soft'"):
        seven_scores([[1, 0]], [[1.0, 0.0]], outputs="soft")
    with pytest.raises(ValueError, match="NaN or infinity"):
        seven_scores([[1, 0]], [[np.nan, 0.0]])
