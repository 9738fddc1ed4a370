"""The bounds against brute force, and how often they mark classifiers that exist."""

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from fslib.datasets import load
from fslib.evaluation.consistency import (
    EXACT,
    THREE_DIGITS,
    common_factor,
    constant_offset,
    density_range,
    largest_average_precision,
    subset_accuracy_range,
)
from fslib.evaluation.hard_outputs import seven_scores
from fslib.evaluation.label_ranking import average_precision, ranking_loss

CLASSIFIERS = {
    "tree": DecisionTreeClassifier(random_state=0),
    "shallow tree": DecisionTreeClassifier(max_depth=3, random_state=0),
    "1NN": KNeighborsClassifier(1),
    "10NN": KNeighborsClassifier(10),
    "naive Bayes": GaussianNB(),
    "logistic": LogisticRegression(),
    "weak logistic": LogisticRegression(C=0.01),
}


@pytest.fixture(scope="module")
def means():
    """Means over three folds, as papers print them, of real classifiers on two data sets."""
    found = {}
    for name in ("emotions", "yeast_ml"):
        data = load(name)
        keep = np.random.default_rng(0).permutation(len(data.y))[:240]
        X, Y = data.X[keep], data.y[keep][:, data.y[keep].sum(axis=0) > 40]
        for label, classifier in CLASSIFIERS.items():
            rows = []
            for train, test in KFold(3).split(X):
                model = make_pipeline(StandardScaler(), MultiOutputClassifier(classifier)).fit(X[train], Y[train])
                scores = np.column_stack([p[:, 1] for p in model.predict_proba(X[test])]) - 0.5
                rows.append({**seven_scores(Y[test], scores), **seven_scores(Y[test], scores, outputs="real")})
            found[name, label] = {key: np.mean([row[key] for row in rows]) for key in rows[0]}, Y
    return found


def test_bounds_hold_for_every_prediction():
    rng = np.random.default_rng(0)
    for _ in range(100):
        n, c = rng.integers(2, 8), rng.integers(2, 6)
        Y, H = (rng.random((2, n, c)) < rng.random((2, 1, 1))).astype(int)
        if not (Y + H).any() or not (Y * H).any():
            continue
        found = seven_scores(Y, H - 0.5)
        assert subset_accuracy_range(found["hamming_loss"], c).holds(found["subset_accuracy"], (1e-12, 1e-12))
        if found["micro_f1"] < 1:
            assert density_range(found["micro_f1"], found["hamming_loss"]).holds(Y.mean(), (1e-9, 1e-9))


def test_bounds_are_reached():
    Y = np.array([[1, 1, 0, 0]])
    for H in ([[1, 0, 0, 0]], [[1, 1, 1, 0]]):  # only a miss, only a false alarm
        found = seven_scores(Y, np.array(H) - 0.5)
        bound = density_range(found["micro_f1"], found["hamming_loss"])
        assert min(abs(bound.low - 0.5), abs(bound.high - 0.5)) < 1e-9
    assert subset_accuracy_range(0.25, 4).low == 0 and subset_accuracy_range(0.25, 4).high == 0.75


@pytest.mark.parametrize("loss", [0.0, 0.1, 0.216, 0.5, 0.9, 1.0])
def test_largest_average_precision_is_that_of_a_linear_programme(loss):
    """Over all patterns of ranks of every number of labels, mixed freely."""
    c, sizes = 5, np.array([1, 1, 2, 3, 3, 4])
    precision, losses, rows = [], [], []
    for m in np.unique(sizes):
        for places in combinations(range(1, c + 1), m):
            precision.append(np.mean([(k + 1) / place for k, place in enumerate(places)]))
            losses.append(sum(place - k - 1 for k, place in enumerate(places)) / (m * (c - m)))
            rows.append(m)
    share = {m: np.mean(sizes == m) for m in np.unique(sizes)}
    equal = np.array([*[[float(r == m) for r in rows] for m in share], losses])
    best = linprog(-np.array(precision), A_eq=equal, b_eq=[*share.values(), loss], bounds=(0, None), method="highs")
    assert largest_average_precision(loss, sizes, c) == pytest.approx(-best.fun, abs=1e-9)


def test_largest_average_precision_is_never_passed():
    rng = np.random.default_rng(0)
    for _ in range(200):
        c = rng.integers(2, 7)
        Y = (rng.random((4, c)) < 0.5).astype(int)
        if not ((Y.sum(axis=1) > 0) & (Y.sum(axis=1) < c)).any():
            continue
        scores = rng.normal(size=Y.shape)
        bound = largest_average_precision(ranking_loss(Y, scores), Y.sum(axis=1), c)
        assert average_precision(Y, scores) <= bound + 1e-12


def test_bounds_never_mark_a_real_classifier(means):
    for found, Y in means.values():
        printed = {key: np.floor(1000 * value) / 1000 for key, value in found.items()}  # cut off, the worse case
        c, loss = Y.shape[1], printed["hamming_loss"]
        assert subset_accuracy_range(loss, c, THREE_DIGITS).holds(printed["subset_accuracy"], THREE_DIGITS)
        assert density_range(printed["micro_f1"], loss, THREE_DIGITS).holds(Y.mean(), EXACT, slack=0.02)
        bound = largest_average_precision(found["ranking_loss_real"], Y.sum(axis=1), c)
        assert found["average_precision_real"] <= bound * 1.02


def test_a_common_factor_is_rare_among_real_classifiers(means):
    """Spread at most .04, as in 32 of the 45 published rows: measured, one in nine pairs of different classifiers."""
    keys = {"falling": ["ranking_loss_hard", "coverage_share_hard"], "rising": ["average_precision_hard", "micro_f1"]}
    spreads = []
    for name in ("emotions", "yeast_ml"):
        for a in CLASSIFIERS:
            for b in CLASSIFIERS:
                if a != b and "logistic" not in a:  # other settings of one classifier do come close
                    spreads.append(common_factor(means[name, a][0], means[name, b][0], **keys).spread)
    assert np.mean(np.array(spreads) <= 0.04) < 0.25
    assert np.median(spreads) > 0.06


def test_a_constant_offset_is_rare_among_real_classifiers(means):
    """Three measures on two data sets that differ by one number to .003: no pair of classifiers does."""
    names = ("micro_f1", "average_precision_hard", "subset_accuracy")
    near = []
    for a, b in combinations(CLASSIFIERS, 2):
        rows = [[means[data, x][0][k] for data in ("emotions", "yeast_ml") for k in names] for x in (a, b)]
        near.append(constant_offset(*rows).spread <= 0.003)
    assert np.mean(near) < 0.05


def test_no_factor_from_a_reference_of_zero():
    with pytest.raises(ValueError, match="loss of the reference is 0"):
        common_factor({"loss": 1.0}, {"loss": 0.0}, falling=["loss"], rising=[])
