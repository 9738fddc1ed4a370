"""The bound on AUC and F1 against real classifiers, the written-out search against the library, the planted case."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from imblearn.under_sampling import RandomUnderSampler
from numpy.testing import assert_allclose
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, roc_auc_score, roc_curve
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from fslib.datasets import load
from fslib.imbalance import ABCSampling
from fslib.papers.braytee.ch3_3_sampling import theory
from fslib.reproduction.compare.reported import read_reported

ROUNDING = 1e-12


def test_the_bound_is_the_maximum_over_all_points():
    f = np.linspace(0, 1, 20_001)
    for p in (0.05, 0.25, 0.5):
        for auc in (0.3, 0.5, 0.62, 0.9, 1.0):
            t = np.clip(2 * auc - 1 + f, 0, 1)
            everywhere = 2 * p * t / (p * t + (1 - p) * f + p)
            assert_allclose(theory.largest_f1(auc, p), everywhere.max(), atol=1e-4)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=4, max_size=40))
def test_no_predicted_labels_break_the_bound(pairs):
    y, labels = np.array(pairs).T
    if y.all() or not y.any():
        return
    assert f1_score(y, labels, zero_division=0.0) <= theory.largest_f1(roc_auc_score(y, labels), y.mean()) + ROUNDING


@pytest.mark.parametrize("model", [LogisticRegression(), GaussianNB(), DecisionTreeClassifier(random_state=0),
                                   KNeighborsClassifier(3)])  # fmt: skip
@pytest.mark.parametrize("name", ["haberman", "blood_transfusion"])
def test_real_classifiers_keep_the_bound_by_labels_and_by_a_concave_curve(name, model):
    data = load(name)
    X, y = data.X[::2], data.y[::2]
    X_test, y_test = data.X[1::2], data.y[1::2]
    model.fit(X, y)
    labels = model.predict(X_test)
    bound = theory.largest_f1(roc_auc_score(y_test, labels), y_test.mean())
    assert f1_score(y_test, labels) <= bound + ROUNDING
    fpr, tpr, _ = roc_curve(y_test, model.predict_proba(X_test)[:, 1])
    hull_f, hull_t = concave_hull(fpr, tpr)
    auc, p = np.trapezoid(hull_t, hull_f), y_test.mean()
    f1 = 2 * p * hull_t / (p * hull_t + (1 - p) * hull_f + p)
    assert f1.max() <= theory.largest_f1(auc, p) + ROUNDING


def concave_hull(fpr, tpr):
    hull = []
    for point in zip(fpr, tpr, strict=True):
        while len(hull) > 1 and np.linalg.det([np.subtract(hull[-1], hull[-2]), np.subtract(point, hull[-2])]) >= 0:
            hull.pop()
        hull.append(point)
    return np.array(hull).T


def test_a_curve_that_is_not_concave_can_break_it():
    y = np.r_[np.ones(5), np.zeros(95), np.ones(5)]
    scores = np.arange(len(y))[::-1]  # half of the positives first, the others last
    called = scores >= scores[4]
    assert f1_score(y, called) > theory.largest_f1(roc_auc_score(y, scores), y.mean()) + 0.1


@pytest.mark.parametrize(("item", "n"), [("Table 3.15", 5), ("Table 3.16", 23), ("Table 3.17", 16)])
def test_published_pairs_that_break_the_bound(item, n):
    pairs = theory.impossible_pairs(read_reported("braytee", item), read_reported("braytee", "Table 3.14"))
    assert (pairs["impossible"].sum(), len(pairs)) == (n, {"Table 3.15": 28, "Table 3.16": 24, "Table 3.17": 42}[item])


def test_rounding_of_the_published_digits_is_allowed():
    ratios = read_reported("braytee", "Table 3.14").query("dataset == 'Blood'")
    table = read_reported("braytee", "Table 3.15").query("dataset == 'Blood' and method == 'RU'")
    assert not theory.impossible_pairs(table, ratios)["impossible"].any()
    largest = float(theory.largest_f1(0.668, 1 / 4.16))
    above = table.assign(value=["0.668" if m == "auc" else f"{largest + 0.004:.3f}" for m in table["metric"]])
    assert theory.impossible_pairs(above, ratios)["impossible"].all()


def test_the_written_out_search_is_that_of_the_library():
    X, y, _ = theory.planted(n_rare=10, n_good=12, n_bad=6)
    for seed in (0, 1):
        counts, fitness = theory.naive_counts(X, y, seed, m=6, n_steps=12, limit=3)  # scouts fly
        sampler = ABCSampling(n_sources=6, max_iter=12, limit=3, cv=3, max_evaluations=None, random_state=seed)
        sampler.fit_resample(X, y)
        in_order = counts[np.searchsorted(np.flatnonzero(y == 0), sampler.ranking_)]
        assert np.all(np.diff(in_order) <= 0) and len(set(in_order)) > 3
        assert sampler.n_evaluations_ == fitness.n_evaluations


def test_the_written_out_fitness_is_that_of_the_library():
    X, y, _ = theory.planted()
    _, fitness = theory.naive_counts(X, y, 0, m=2, n_steps=1)
    bits = np.random.default_rng(0).random((20, fitness.n_bits)) < 0.5
    alone = [theory.naive_fitness(row, X, y == 1, fitness.fold) for row in bits]
    assert len(set(alone)) > 5
    assert_allclose(fitness.evaluate(bits), alone, atol=1e-12)


def test_the_search_finds_the_planted_subset_and_the_published_fitness_the_easy_one():
    shares = []
    for seed in range(3):
        X, y, good = theory.planted(seed=seed)
        options = {"n_sources": 10, "max_evaluations": 800, "cv": 3, "random_state": seed}
        random = theory.share_of_good(RandomUnderSampler(random_state=seed), X, y, good)
        found = [
            theory.share_of_good(ABCSampling(reading=r, **options), X, y, good) for r in ("published", "corrected")
        ]
        even = theory.planted(n_good=20, n_bad=20, seed=seed)
        easy = theory.share_of_good(ABCSampling(reading="published", **options), *even)
        shares.append([random, *found, easy])
    random, published, corrected, easy = np.mean(shares, axis=0)
    assert published > 0.9 and corrected > 0.85 and abs(random - 0.75) < 0.1
    assert easy < 0.4, "outliers are kept; random draws give 0.5, with a standard deviation of 0.05"
