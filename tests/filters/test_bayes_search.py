"""Searches of the Bayes selectors against searches written out naively, and the facts theory has about them."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from fslib.filters import BayesExhaustive, BayesGreedy, BayesScore
from fslib.filters.criteria import AUC, Balanced, CostMatrix, CostSensitive, FBeta, Log, Squared, YangHu, ZeroOne

CRITERIA = [ZeroOne(), CostSensitive(0.3), CostMatrix([[0.2, 1], [3, 0]]), Balanced(), Log(), YangHu(), FBeta(2), AUC()]
MULTICLASS = [ZeroOne(), Balanced(), Log(), FBeta(1), AUC(), CostMatrix(1 - np.eye(3))]
each_criterion = pytest.mark.parametrize("criterion", CRITERIA, ids=repr)


def data(n=120, d=7, n_classes=2, seed=0):
    """Columns of two to four levels, more or less tied to the class, unbalanced classes."""
    rng = np.random.default_rng(seed)
    y = rng.choice(n_classes, size=n, p=np.arange(1, n_classes + 1)[::-1] / comb(n_classes + 1, 2))
    X = rng.integers(0, rng.integers(2, 5, size=d), size=(n, d))
    informed = rng.random((n, d)) < rng.uniform(0, 0.5, size=d)
    return np.where(informed, np.minimum(y[:, None], X.max(axis=0)), X), y


def criterion_of(X, y, columns, criterion):
    """Criterion of a set of columns, by the table of its distinct rows."""
    _, cell = np.unique(X[:, list(columns)], axis=0, return_inverse=True)
    cell = cell.ravel()
    if criterion.task == "regression":
        y = y - y.mean()
        table = [[(cell == z).sum(), y[cell == z].sum(), (y[cell == z] ** 2).sum()] for z in np.unique(cell)]
    else:
        table = [[((cell == z) & (y == c)).sum() for c in np.unique(y)] for z in np.unique(cell)]
    return criterion.value(table)


def average_of(X, y, columns, criterion, s):
    subsets = list(combinations(columns, min(s, len(columns))))
    return np.mean([criterion_of(X, y, subset, criterion) for subset in subsets])


def forward_by_definition(X, y, k, objective):
    chosen = []
    for _ in range(k):
        left = [j for j in range(X.shape[1]) if j not in chosen]
        values = np.array([objective([*chosen, j]) for j in left])
        chosen.append(left[np.flatnonzero(values >= values.max() - 1e-12)[0]])
    return chosen


def backward_by_definition(X, k, objective):
    chosen = list(range(X.shape[1]))
    while len(chosen) > k:
        values = np.array([objective([i for i in chosen if i != j]) for j in chosen])
        del chosen[np.flatnonzero(values >= values.max() - 1e-12)[-1]]
    return chosen


def assert_path(selector, X, y, criterion, s=None):
    """The values along the path are those of its columns."""
    for t, value in enumerate(selector.criterion_values_, start=1):
        columns = selector.ranking_[:t]
        expected = average_of(X, y, columns, criterion, s) if s else criterion_of(X, y, columns, criterion)
        assert_allclose(value, expected, atol=1e-12)


@each_criterion
@pytest.mark.parametrize("seed", [0, 1])
def test_forward_is_the_definition(criterion, seed):
    X, y = data(seed=seed)
    greedy = BayesGreedy(criterion, n_features_to_select=4, tie_break="index").fit(X, y)
    expected = forward_by_definition(X, y, 4, lambda columns: criterion_of(X, y, columns, criterion))
    assert_array_equal(greedy.ranking_[:4], expected)
    assert_path(greedy, X, y, criterion)


@pytest.mark.parametrize("criterion", MULTICLASS, ids=repr)
@pytest.mark.parametrize("order", ["exact", 2])
def test_forward_with_three_classes(criterion, order):
    X, y = data(n_classes=3)
    greedy = BayesGreedy(criterion, n_features_to_select=4, order=order, tie_break="index").fit(X, y)
    objective = criterion_of if order == "exact" else lambda *args: average_of(*args, 2)
    expected = forward_by_definition(X, y, 4, lambda columns: objective(X, y, columns, criterion))
    assert_array_equal(greedy.ranking_[:4], expected)


@each_criterion
@pytest.mark.parametrize("s", [2, 3])
def test_average_is_the_definition(criterion, s):
    X, y = data(seed=2)
    greedy = BayesGreedy(criterion, n_features_to_select=5, order=s, tie_break="index").fit(X, y)
    expected = forward_by_definition(X, y, 5, lambda columns: average_of(X, y, columns, criterion, s))
    assert_array_equal(greedy.ranking_[:5], expected)
    assert_path(greedy, X, y, criterion, s)


@each_criterion
@pytest.mark.parametrize("order", ["exact", 2])
def test_backward_is_the_definition(criterion, order):
    X, y = data(n=60, d=6, seed=3)
    s = None if order == "exact" else order
    greedy = BayesGreedy(criterion, n_features_to_select=3, order=order, direction="backward", tie_break="index").fit(
        X, y
    )
    objective = criterion_of if s is None else lambda *args: average_of(*args, s)
    expected = backward_by_definition(X, 3, lambda columns: objective(X, y, columns, criterion))
    assert_array_equal(greedy.get_support(indices=True), expected)
    assert_path(greedy, X, y, criterion, s)


@each_criterion
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_exhaustive_is_plain_enumeration(criterion, k):
    X, y = data(n=50, d=7, seed=4)
    exhaustive = BayesExhaustive(criterion, n_features_to_select=k).fit(X, y)
    values = {columns: criterion_of(X, y, columns, criterion) for columns in combinations(range(7), k)}
    best = max(values.values())
    first = next(columns for columns, value in values.items() if value >= best - 1e-12)
    assert_allclose(exhaustive.criterion_value_, best, atol=1e-12)
    assert_array_equal(exhaustive.get_support(indices=True), first)
    assert exhaustive.n_evaluated_ <= comb(7, k)


def test_bounds_skip_branches():
    X, y = data(n=400, d=16, seed=5)
    X[:, 1] = y ^ (X[:, 0] > 0)  # columns 0 and 1 say everything: nothing later can
    exhaustive = BayesExhaustive("log", n_features_to_select=5).fit(X, y)
    assert exhaustive.n_evaluated_ < comb(16, 5) / 3
    assert_array_equal(exhaustive.get_support(indices=True), [0, 1, 2, 3, 4])


@pytest.mark.filterwarnings("ignore:.*no better than by chance")
def test_exhaustive_counts_sparse_and_wide_columns_by_other_means():
    X, y = data(n=80, d=6, seed=6)
    expected = BayesExhaustive("auc", n_features_to_select=3).fit(X, y)
    assert_array_equal(
        BayesExhaustive("auc", n_features_to_select=3).fit(sp.csr_array(X), y).support_, expected.support_
    )
    wide = np.column_stack([X, np.arange(80) % 20])  # more levels than are packed
    with pytest.warns(UserWarning, match="by chance"):
        columns = BayesExhaustive("auc", n_features_to_select=2).fit(wide, y).get_support(indices=True)
    values = {pair: criterion_of(wide, y, pair, AUC()) for pair in combinations(range(7), 2)}
    assert_array_equal(columns, max(values, key=values.get))


@each_criterion
def test_single_columns_agree_across_selectors(criterion):
    X, y = data(seed=7)
    score = BayesScore(criterion, n_features_to_select=1).fit(X, y)
    assert_allclose(score.scores_, [criterion_of(X, y, [j], criterion) for j in range(7)], atol=1e-13)
    assert BayesGreedy(criterion, n_features_to_select=1).fit(X, y).ranking_[0] == score.ranking_[0]
    assert_array_equal(BayesExhaustive(criterion, n_features_to_select=1).fit(X, y).support_, score.support_)


@each_criterion
def test_exact_is_pairwise_at_two_columns(criterion):
    X, y = data(seed=8)
    exact, pairwise = (BayesGreedy(criterion, n_features_to_select=2, order=order).fit(X, y) for order in ("exact", 2))
    assert_array_equal(exact.ranking_[:2], pairwise.ranking_[:2])
    assert_allclose(exact.criterion_values_, pairwise.criterion_values_, rtol=1e-13)


@each_criterion
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_values_never_fall_along_an_exact_path(criterion, seed):
    X, y = data(n=40, seed=seed)
    values = BayesGreedy(criterion, n_features_to_select=7).fit(X, y).criterion_values_
    assert (np.diff(values) >= -1e-12).all()


def test_the_average_over_pairs_does_fall():
    """An exclusive or of two columns, then one and two columns of noise: each further pair says nothing."""
    X = np.array([[a, b, c, e] for a in (0, 1) for b in (0, 1) for c in (0, 1) for e in (0, 1)])
    y = X[:, 0] ^ X[:, 1]
    averages = [average_of(X, y, range(k), ZeroOne(), 2) for k in (2, 3, 4)]
    assert_allclose(averages, [0, -1 / 3, -5 / 12])
    backward = BayesGreedy("zero_one", n_features_to_select=4, order=2, direction="backward").fit(X, y)
    assert_allclose(backward.criterion_values_[1:], averages)


@pytest.mark.parametrize("order", ["exact", 2])
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_order_of_rows_and_columns_names_of_levels_threads_and_storage_do_not_matter(order, direction):
    X, y = data(n=300, d=9, seed=9)
    fit = lambda X, y, n_jobs=None: BayesGreedy(
        "log", n_features_to_select=5, order=order, direction=direction, n_jobs=n_jobs
    ).fit(X, y)
    expected = fit(X, y)
    rows, columns = np.random.default_rng(0).permutation(300), np.random.default_rng(1).permutation(9)
    assert_array_equal(fit(X[rows], y[rows]).ranking_, expected.ranking_)
    assert_array_equal(columns[fit(X[:, columns], y).ranking_], expected.ranking_)
    assert_array_equal(fit((7 - X) ** 2, np.array(["b", "a"])[y]).ranking_, expected.ranking_)
    assert_array_equal(fit(sp.csc_array(X), y).ranking_, expected.ranking_)
    assert_array_equal(fit(X, y, n_jobs=2).criterion_values_, expected.criterion_values_)


def test_many_columns_are_counted_alike_by_any_number_of_threads():
    """More columns than a block holds, so that threads do share the work."""
    rng = np.random.default_rng(10)
    X, y = rng.integers(0, 3, size=(150, 3000)), rng.integers(0, 2, size=150)
    one, two = (BayesGreedy("auc", n_features_to_select=6, order=2, n_jobs=n).fit(X, y) for n in (1, 2))
    assert_array_equal(one.ranking_, two.ranking_)
    assert_array_equal(one.criterion_values_, two.criterion_values_)
    one, two = (
        BayesGreedy("log", n_features_to_select=6, order=2, direction="backward", n_jobs=n).fit(X[:, :600], y)
        for n in (1, 2)
    )
    assert_array_equal(one.criterion_values_, two.criterion_values_)


def test_regression_is_the_definition_and_does_not_depend_on_units():
    X, _ = data(n=90, d=6, seed=11)
    rng = np.random.default_rng(0)
    y = X[:, 2] - 2.0 * X[:, 4] * X[:, 1] + rng.normal(size=90)
    objective = lambda columns: criterion_of(X, y, columns, Squared())
    for scale in (1.0, 1e-9, 1e9):
        greedy = BayesGreedy("squared", n_features_to_select=3).fit(X, y * scale)
        assert_array_equal(greedy.ranking_[:3], forward_by_definition(X, y, 3, objective))
        assert_allclose(greedy.criterion_values_[2], objective(greedy.ranking_[:3]) * scale**2)
    average = BayesGreedy("squared", n_features_to_select=4, order=2).fit(X, y)
    assert_path(average, X, y, Squared(), 2)
    backward = BayesGreedy("squared", n_features_to_select=3, direction="backward").fit(X, y)
    assert_array_equal(backward.get_support(indices=True), backward_by_definition(X, 3, objective))
    pairs = {pair: objective(pair) for pair in combinations(range(6), 2)}
    assert_array_equal(
        BayesExhaustive("squared", n_features_to_select=2).fit(X, y).get_support(indices=True),
        max(pairs, key=pairs.get),
    )
