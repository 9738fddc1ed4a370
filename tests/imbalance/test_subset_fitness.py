"""The fitness of the searches against scikit-learn, one fold and one subset at a time; its memory and its budget."""

import json

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.svm import LinearSVC

from fslib.imbalance.subset_fitness import SubsetFitness


class MeanDifference(ClassifierMixin, BaseEstimator):
    """Projection on the difference of the class means: a classifier that costs nothing."""

    def fit(self, X, y):
        high, low = X[y].mean(axis=0), X[~y].mean(axis=0)
        self.coef_, self.middle_ = high - low, (high + low) / 2
        return self

    def decision_function(self, X):
        return (X - self.middle_) @ self.coef_


def data(n=120, n_rare=30, d=4, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) < n_rare
    return rng.normal(size=(n, d)) + 0.8 * y[:, None], y


def subsets(fitness, m=6, seed=1):
    return np.random.default_rng(seed).random((m, fitness.n_bits)) < 0.5


def naive(fitness, X, y, bits, model):
    chosen = y.copy()
    chosen[~y] = bits
    decisions = np.empty(len(y))
    for f in np.unique(fitness.fold):
        train, held = chosen & (fitness.fold != f), fitness.fold == f
        decisions[held] = model.fit(X[train], y[train]).decision_function(X[held])
    counted = np.ones_like(y) if fitness.whole_fold else chosen
    parts = [counted] if fitness.pooled else [counted & (fitness.fold == f) for f in np.unique(fitness.fold)]
    score = lambda p: (roc_auc_score(y[p], decisions[p]) + f1_score(y[p], decisions[p] > 0)) / 2
    return np.mean([score(p) for p in parts])


@pytest.mark.parametrize("whole_fold", [True, False])
@pytest.mark.parametrize(("n", "n_folds"), [(120, None), (120, 5), (60, None), (60, 3)])
@pytest.mark.parametrize("estimator", [None, MeanDifference()], ids=["svm", "other"])
def test_is_its_definition(n, n_folds, whole_fold, estimator):
    X, y = data(n, n // 4)
    fitness = SubsetFitness(X, y, n_folds=n_folds, whole_fold=whole_fold, estimator=estimator)
    assert fitness.pooled == (n == 60 and n_folds is None)
    bits = subsets(fitness, 3)
    model = estimator or LinearSVC(dual=False, tol=1e-9, max_iter=10_000)
    assert_allclose(fitness(bits), [naive(fitness, X, y, b, model) for b in bits], rtol=1e-9)


@pytest.mark.parametrize("container", [sp.csr_array, np.asarray])
def test_more_features_than_samples_are_reduced_to_inner_products(container):
    X, y = data(120, 30, 300)
    fitness, bits = SubsetFitness(container(X), y), subsets(SubsetFitness(X, y), 3)
    assert fitness.svm_rows.shape[1] <= 121
    model = LinearSVC(dual=False, tol=1e-9, max_iter=10_000)
    assert_allclose(fitness(bits), [naive(fitness, X, y, b, model) for b in bits], rtol=1e-6)


def test_ties_count_half():
    X, y = np.repeat([[0.0], [1.0]], 60, axis=0), np.arange(120) % 4 == 0
    X[y] = 1.0
    fitness = SubsetFitness(X, y)
    bits = subsets(fitness, 1)
    assert_allclose(fitness(bits), naive(fitness, X, y, bits[0], LinearSVC(dual=False)), rtol=1e-9)


@pytest.mark.parametrize("whole_fold", [True, False])
def test_a_fold_without_a_selected_sample_is_worth_nothing(whole_fold):
    X, y = data()
    fitness = SubsetFitness(X, y, whole_fold=whole_fold)
    bits = np.zeros((3, 90), bool)
    bits[1, fitness.fold[~y] == 0] = True  # all selected ones in one fold: no other to train its classifier on
    bits[2] = True
    assert_array_equal(fitness(bits) > 0, [False, False, True])


def test_shuffled_labels_give_one_half():
    X, y = data(400, 200)
    y = np.random.default_rng(0).permutation(y)
    fitness = SubsetFitness(X, y)
    assert abs(fitness(np.ones((1, 200), bool))[0] - 0.5) < 0.06


def test_counts_distinct_subsets_and_keeps_to_its_budget():
    X, y = data()
    fitness = SubsetFitness(X, y, max_evaluations=5)
    bits = subsets(fitness, 4)
    once = fitness(bits[[0, 1, 0]])
    assert fitness.n_evaluations == 2 and once[0] == once[2] and not fitness.spent
    fitness(bits)
    more = fitness(subsets(fitness, 3, seed=2))
    assert fitness.spent and fitness.n_evaluations == 5
    assert_array_equal(np.isfinite(more), [True, False, False])
    assert_array_equal(fitness(bits[[0, 1, 0]]), once)


def test_goes_on_from_its_memory(tmp_path, monkeypatch):
    X, y = data()
    path = tmp_path / "values.json"
    first = SubsetFitness(X, y, memory=path)
    bits = subsets(first)
    values = first(bits)
    first.save()
    again = SubsetFitness(X, y, memory=path)
    monkeypatch.setattr(again, "evaluate", lambda bits: [] if len(bits) == 0 else pytest.fail("computed anew"))
    assert_array_equal(again(bits), values)
    assert again.n_evaluations == 6
    for other in (
        SubsetFitness(X + 1, y, memory=path),
        SubsetFitness(X, y, n_folds=4, memory=path),
        SubsetFitness(X, y, whole_fold=False, memory=path),
        SubsetFitness(X, y, estimator=LogisticRegression(), memory=path),
    ):
        assert not other.known
    other.save()
    assert len(json.loads(path.read_text())) == 2


def test_shows_its_progress_when_asked(capsys):
    X, y = data()
    for verbose in (False, True):
        fitness = SubsetFitness(X, y, max_evaluations=9, verbose=verbose)
        fitness(subsets(fitness))
        fitness.save()
        assert ("6/9" in capsys.readouterr().err) == verbose


def test_a_class_of_one_sample_is_refused():
    X, _ = data()
    with pytest.raises(ValueError, match="needs 2 samples of a class"):
        SubsetFitness(X, np.arange(120) == 3)
