"""The permutation test against its definition, and every way of shuffling."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from fslib.filters import MRMR, BayesScore, FisherScore, MIScore, permutation_test
from fslib.filters.criteria import Squared
from fslib.filters.permutation import false_discovery_rates, familywise_pvalues
from fslib.filters.shuffles import SHUFFLES, shuffled_target


def data(n=60, d=5):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    X = rng.integers(0, 4, (n, d))
    X[:, 1] = np.where(rng.random(n) < 0.4, y, X[:, 1])
    return X, y


@pytest.mark.parametrize("n_jobs", [None, 2])
@pytest.mark.parametrize("selector", [MIScore(), BayesScore("balanced"), FisherScore()], ids=repr)
def test_permutation_test_is_the_definition(selector, n_jobs):
    X, y = data()
    test = permutation_test(selector, X, y, n_permutations=30, random_state=3, return_null_scores=True, n_jobs=n_jobs)
    rng = np.random.default_rng(3)
    shuffled = np.array([selector.fit(X, rng.permutation(y)).scores_ for _ in range(30)])
    scores = selector.fit(X, y).scores_
    assert_allclose(test.scores, scores, atol=1e-14)
    assert_allclose(test.null_scores, shuffled, atol=1e-14)
    assert_allclose(test.p_values, (1 + (shuffled >= scores - 1e-12).sum(axis=0)) / 31)
    assert_allclose(test.chance, shuffled.mean(axis=0))
    order = np.argsort(test.p_values)
    raw = test.p_values[order] * 5 / np.arange(1, 6)
    assert_allclose(test.q_values[order], np.minimum.accumulate(raw[::-1])[::-1].clip(max=1))


def test_permutation_test_of_a_numeric_target():
    X, _ = data()
    y = X[:, 2] + np.random.default_rng(1).normal(size=len(X))
    test = permutation_test(BayesScore("squared"), X, y, n_permutations=49)
    assert test.p_values.argmin() == 2 and test.p_values[2] == 1 / 50 and test.null_scores is None


def test_permutation_test_of_least_squares():
    """Least squares have no counts: fitted anew for each permutation."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 3))
    y = X[:, 2] + rng.normal(size=60)
    selector = BayesScore(Squared("linear"))
    test = permutation_test(selector, X, y, n_permutations=49)
    assert_allclose(test.scores, selector.fit(X, y).scores_)
    assert test.p_values.argmin() == 2 and test.p_values[2] == 1 / 50


@pytest.mark.filterwarnings("error")
def test_a_perfect_separator_is_reached_by_perfect_separators():
    """Four groups of two classes: one shuffle of the groups in three gives the same partition, so p is near 1/3."""
    groups = np.repeat(np.arange(4), 5)
    y = groups % 2
    X = np.column_stack([y, np.random.default_rng(0).normal(size=20)])
    test = permutation_test(FisherScore(), X, y, shuffle="whole_groups", groups=groups, n_permutations=199)
    assert np.isinf(test.scores[0])
    assert abs(test.p_values[0] - 1 / 3) < 4 * np.sqrt(2 / 9 / 199)


def test_the_selector_stays_as_it_is():
    selector = MIScore()
    permutation_test(selector, *data(), n_permutations=1)
    assert vars(selector) == vars(MIScore())


def test_permutation_test_refuses():
    with pytest.raises(ValueError, match="n_permutations=0"):
        permutation_test(MIScore(), *data(), n_permutations=0)
    for odd in (
        {"n_permutations": "10"},
        {"n_permutations": 1.5},
        {"progress": 1},
        {"random_state": -1},
        {"n_jobs": 0},
    ):
        with pytest.raises(ValueError, match=f"{next(iter(odd))}=.* must be"):
            permutation_test(MIScore(), *data(), **odd)
    with pytest.raises(TypeError, match="MRMR"):
        permutation_test(MRMR(), *data())
    with pytest.raises(ValueError, match="shuffle='whole' must be one of 'rows'"):
        permutation_test(MIScore(), *data(), shuffle="whole")
    with pytest.raises(ValueError, match="needs groups: one for each of the 60 rows"):
        permutation_test(MIScore(), *data(), shuffle="within_groups")
    with pytest.raises(ValueError, match="time holds 5 values: give one for each of the 60 rows"):
        permutation_test(MIScore(), *data(), shuffle="circular", time=np.arange(5))
    with pytest.raises(ValueError, match="'rows' does not use groups: pass shuffle='whole_groups'"):
        permutation_test(MIScore(), *data(), groups=np.arange(60))
    with pytest.raises(ValueError, match="'whole_groups' does not use time: pass shuffle='circular'"):
        permutation_test(MIScore(), *data(), shuffle="whole_groups", groups=np.arange(60), time=np.arange(60))
    with pytest.raises(ValueError, match="several values of y: pass shuffle='within_groups'"):
        permutation_test(MIScore(), *data(), shuffle="whole_groups", groups=np.zeros(60))


def test_shuffles_keep_what_makes_rows_alike():
    rng, y = np.random.default_rng(0), np.repeat([0, 1], [40, 20])
    groups = np.arange(60) // 4  # one class per group
    whole = shuffled_target(y, rng, "whole_groups", groups=groups)
    assert all(len(set(whole[groups == g])) == 1 for g in range(15))
    mixed = np.arange(60) % 4
    within = shuffled_target(y, rng, "within_groups", groups=mixed)
    assert all(within[mixed == g].sum() == y[mixed == g].sum() for g in range(4))
    time = rng.permutation(60)
    circular = shuffled_target(y, rng, "circular", time=time)
    shift = [np.array_equal(circular[np.argsort(time)], np.roll(y[np.argsort(time)], s)) for s in range(60)]
    assert any(shift)
    rows = shuffled_target(y, rng)
    for shuffled in (whole, within, circular, rows):
        assert sorted(shuffled) == sorted(y) and (shuffled != y).any()


@pytest.mark.parametrize("shuffle", SHUFFLES)
def test_every_order_that_a_shuffle_allows_is_as_likely(shuffle):
    """Orders of four rows in two groups: 4!, 2! 2!, 2! of the groups, and 4 shifts."""
    rng, groups = np.random.default_rng(0), np.array([0, 0, 1, 1])
    y = np.array([5, 5, 7, 7]) if shuffle == "whole_groups" else np.arange(4)
    given = {"groups": groups} if shuffle.endswith("groups") else {}
    orders = [tuple(shuffled_target(y, rng, shuffle, **given).tolist()) for _ in range(2400)]
    counts = np.unique(orders, axis=0, return_counts=True)[1]
    assert len(counts) == {"rows": 24, "within_groups": 4, "whole_groups": 2, "circular": 4}[shuffle]
    expected = 2400 / len(counts)
    assert (abs(counts - expected) < 4 * np.sqrt(expected)).all()


def test_copies_of_rows_are_evidence_once():
    """Ten copies of each of 12 rows: by rows p is tiny, by groups it is that of twelve rows."""
    rng = np.random.default_rng(3)
    X, y = np.repeat(rng.normal(size=(12, 4)), 10, axis=0), np.repeat(rng.permutation([0, 1] * 6), 10)
    groups = np.repeat(np.arange(12), 10)
    by_rows = permutation_test(FisherScore(), X, y, n_permutations=199)
    by_groups = permutation_test(FisherScore(), X, y, shuffle="whole_groups", groups=groups, n_permutations=199)
    alone = permutation_test(FisherScore(), X[::10], y[::10], n_permutations=199)
    assert by_rows.p_values.min() < 0.01 < by_groups.p_values.min()
    assert_array_equal(by_groups.p_values, alone.p_values)  # the same draws


def test_familywise_pvalues_by_hand():
    """One feature: the correction changes nothing. A copy of it: neither."""
    null, score = np.random.default_rng(0).normal(size=(99, 1)), np.array([1.0])
    p = (1 + (null >= 1).sum()) / 100
    assert_allclose(familywise_pvalues(score, null), p)
    assert_allclose(familywise_pvalues(np.repeat(score, 3), np.repeat(null, 3, axis=1)), p)


def test_false_discovery_rates_by_hand():
    p = np.array([0.04, 0.01, 0.03, 0.5])  # sorted, times 4/1, 4/2, 4/3, 1, then the least from the right
    assert_allclose(false_discovery_rates(p), [0.16 / 3, 0.04, 0.16 / 3, 0.5])
