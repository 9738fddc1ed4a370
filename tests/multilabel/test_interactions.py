from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from fslib.multilabel.interactions import LabelInteractions, binarize
from fslib.multilabel.mdmr import MDMR
from fslib.multilabel.pmu import PMU
from fslib.multilabel.three_levels import ThreeLevelInteractions


def entropy(*columns):
    _, counts = np.unique(np.column_stack(columns), axis=0, return_counts=True)
    share = counts / counts.sum()
    return -np.sum(share * np.log(share))


def information(a, *b):
    return entropy(a) + entropy(*b) - entropy(a, *b)


def interaction(f, a, b):
    """I(f; a; b) over the rows where both a and b are known."""
    known = ~(np.isnan(a) | np.isnan(b))
    f, a, b = f[known], a[known], b[known]
    return information(f, a) + information(f, b) - information(f, a, b)


@pytest.fixture(params=[0.0, 0.3], ids=["complete", "missing"])
def case(request):
    rng = np.random.default_rng(0)
    Z = rng.random((50, 6)) < rng.uniform(0.2, 0.8, size=6)
    Y = (rng.random((50, 5)) < 0.4).astype(float)
    Y[:, 0] = Z[:, 1]
    Y[rng.random(Y.shape) < request.param] = np.nan
    return Z, Y


def test_sums_of_information_against_entropies(case):
    Z, Y = case
    info = LabelInteractions(Z, Y)
    known = ~np.isnan(Y)
    relevance = [sum(information(f[k], y[k]) for y, k in zip(Y.T, known.T, strict=True)) for f in Z.T]
    pairs = [sum(interaction(f, a, b) for a, b in combinations(Y.T, 2)) for f in Z.T]
    with_2 = [sum(interaction(f, Z[:, 2].astype(float), y) for y in Y.T) for f in Z.T]
    assert_allclose(info.relevance(), relevance, atol=1e-13)
    assert_allclose(info.label_pairs(), pairs, atol=1e-13)
    assert_allclose(info.with_feature(2), with_2, atol=1e-13)
    assert_allclose(info.between_features(2), [information(f, Z[:, 2]) for f in Z.T], atol=1e-13)


def test_unknown_as_a_third_level_against_entropies(case):
    Z, Y = case
    levels, info = np.nan_to_num(Y, nan=0.5), ThreeLevelInteractions(Z, Y)
    with_2 = [
        sum(information(f, Z[:, 2]) - conditional(f, Z[:, 2], y) for y in levels.T)  # I(f; s) - I(f; s | l)
        for f in Z.T
    ]
    assert_allclose(info.relevance(), [relevance(f, levels) for f in Z.T], atol=1e-13)
    assert_allclose(info.with_feature(2), with_2, atol=1e-13)


def test_two_labels_never_known_together_have_no_interaction():
    Y = np.array([[1, np.nan], [0, np.nan], [np.nan, 1], [np.nan, 0]])
    assert_array_equal(LabelInteractions(np.eye(4, dtype=bool), Y).label_pairs(), 0)


def literal_order(Z, Y, criterion, n_steps):
    chosen = []
    while len(chosen) < n_steps:
        rest = [f for f in range(Z.shape[1]) if f not in chosen]
        values = np.array([criterion(Z[:, f], Z[:, chosen].T, Y) for f in rest])
        chosen.append(rest[int(np.flatnonzero(values > values.max() - 1e-12)[0])])
    return chosen


def relevance(f, Y):
    return sum(information(f, y) for y in Y.T)


def conditional(a, b, given):
    """I(a; b | given)."""
    return entropy(a, given) + entropy(b, given) - entropy(a, b, given) - entropy(given)


CRITERIA = {
    "PMU": (
        PMU(),
        lambda f, S, Y: (
            relevance(f, Y)
            - sum(interaction(f, a, b) for a, b in combinations(Y.T, 2))
            - sum(interaction(f, s.astype(float), y) for s in S for y in Y.T)
        ),
    ),
    "MDMR": (
        MDMR(),
        lambda f, S, Y: relevance(f, Y) - sum(information(f, s) - conditional(f, s, y) for s in S for y in Y.T),
    ),
    "quoted": (
        MDMR(variant="quoted"),
        lambda f, S, Y: (
            relevance(f, Y)
            - sum(information(f, s) - sum(conditional(f, y, s) for y in Y.T) for s in S) / max(len(S), 1)
        ),
    ),
}


@pytest.mark.parametrize("name", CRITERIA)
def test_greedy_order_against_the_criterion_written_out(name):
    rng = np.random.default_rng(3)
    Z = rng.random((40, 7)) < 0.5
    Y = np.column_stack([Z[:, 0] ^ (rng.random(40) < 0.1), Z[:, 3] | Z[:, 0], rng.random(40) < 0.3]).astype(float)
    estimator, criterion = CRITERIA[name]
    estimator.set_params(n_features_to_select=5).fit(Z.astype(float), Y)
    assert_array_equal(estimator.ranking_[:5], literal_order(Z, Y, criterion, 5))


def test_median_split_and_two_valued_columns():
    X = np.array([[0, 5, 1], [1, 5, 2], [1, 5, 2], [1, 5, 3.0]])
    assert_array_equal(binarize(X)[:, 0], [0, 1, 1, 1])
    assert_array_equal(binarize(X, keep_two_valued=False)[:, 0], 0)  # the median is 1, and nothing is above it
    assert_array_equal(binarize(X)[:, 1:], [[0, 0], [0, 0], [0, 0], [0, 1]])


def half_known():
    rng = np.random.default_rng(5)
    X = rng.random((60, 5))
    Y = (X[:, :3] > 0.5).astype(float)
    Y[rng.random(Y.shape) < 0.5] = np.nan
    return X, Y


def test_published_pmu_counts_unknown_as_absent_and_corrected_leaves_it_out():
    X, Y = half_known()
    published = PMU(n_features_to_select=5, reading="published").fit(X, Y).ranking_
    assert_array_equal(published, PMU(n_features_to_select=5, reading="published").fit(X, np.nan_to_num(Y)).ranking_)
    assert not np.array_equal(PMU(n_features_to_select=5).fit(X, Y).ranking_, published)


def test_published_mdmr_has_a_third_level():
    """Greedy order against the criterion on labels of three values; counting unknown as absent gives another."""
    X, Y = half_known()
    Z = binarize(X, keep_two_valued=False)
    published = MDMR(n_features_to_select=5, reading="published").fit(X, Y).ranking_
    assert_array_equal(published, literal_order(Z, np.nan_to_num(Y, nan=0.5), CRITERIA["MDMR"][1], 5))
    assert not np.array_equal(
        published, MDMR(n_features_to_select=5, reading="published").fit(X, np.nan_to_num(Y)).ranking_
    )


@pytest.mark.parametrize("selector", [PMU, MDMR])
def test_constant_columns_come_last_and_copies_late(selector):
    rng = np.random.default_rng(7)
    base = rng.random((80, 4)) > 0.5
    X = np.column_stack([np.ones(80), base, base[:, 0], base[:, 1]]).astype(float)
    order = selector(n_features_to_select=7).fit(X, base[:, :2].astype(float)).ranking_
    assert order[-1] == 0
    assert_array_equal(np.sort(order[:2]), [1, 2])  # columns 5 and 6 repeat them
