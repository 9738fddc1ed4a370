"""Frequencies, bounds, p-values and groups of redundant features."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency, kstest, spearmanr

from fslib import filters
from fslib.select.certainty import (
    false_selection_bounds,
    permutation_pvalues,
    score_to_permute,
    selection_frequencies,
)
from fslib.select.redundancy import association, redundant_groups


def test_bounds_by_hand():
    # k = 4 of d = 40: theta = 0.1
    assert false_selection_bounds(4, 40, 50, 0.75)[0] == pytest.approx(0.4 / 0.5)
    assert false_selection_bounds(4, 40, 50, 0.75)[1] == pytest.approx(0.4 / (2 * (0.5 - 0.01)))
    assert false_selection_bounds(4, 40, 50, 0.9)[1] == pytest.approx(0.4 * 4 * 0.11 / 1.02)
    assert np.isnan(false_selection_bounds(6, 10, 50, 0.75)[1])  # theta above 1 / sqrt(3)
    assert np.isnan(false_selection_bounds(4, 40, 5, 0.52)[1])  # five pairs are too few for it
    with pytest.raises(ValueError, match="larger than 1/2"):
        false_selection_bounds(4, 40, 50, 0.5)


def test_frequencies_of_a_sure_feature_and_of_two_that_share(planted, problem_with):
    problem = problem_with(planted.X, planted.y)
    selector = filters.Discretized(filters.MRMR(n_features_to_select=2))
    found = selection_frequencies(problem, selector, 2, 10)
    share = pd.Series(found.share, index=planted.X.columns)
    assert found.chosen.sum(axis=1).tolist() == [2] * 20 and share["weight"] == 1
    members = planted.X.columns.get_indexer(["size", "copy"])
    assert found.of_group(members) == 1 and share["size"] + share["copy"] == pytest.approx(1)
    assert found.stability.stability < 1
    assert selection_frequencies(problem, selector, 8, 2).stability is None


def test_halves_without_a_class_are_left_out_and_counted(problem_with):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(40, 3)))
    problem = problem_with(X, ["a"] * 30 + ["b"] * 10, groups=np.repeat([0, 1, 2, 3, 4, 4, 5, 6], 5))
    found = selection_frequencies(problem, filters.FisherScore(n_features_to_select=1), 1, 12)
    assert 0 < found.n_failed < 12 and len(found.chosen) == 2 * (12 - found.n_failed)


def test_p_values_of_noise_are_uniform_and_those_of_a_signal_small(problem_with):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(60, 60)))
    y = np.repeat(["a", "b"], 30)
    X[7] += 3 * (y == "a")
    problem = problem_with(X, y)
    for method in ("MIScore", "FScore"):
        p, corrected = permutation_pvalues(problem, score_to_permute(problem, method)[0], 99)
        assert p[7] == corrected[7] == pytest.approx(0.01)
        noise = np.delete(p, 7)
        # ties of counts make p-values larger, never smaller
        assert kstest(noise, "uniform", alternative="greater").pvalue > 0.01 and np.median(noise) < 0.75
        assert np.delete(corrected, 7).min() > 0.05
        assert (corrected >= p - 1e-12).all()


def test_p_values_do_not_depend_on_the_number_of_processes_and_know_groups(problem_with):
    """Ten copies of each of 12 rows: by rows the first feature is certain, by groups it is one of twelve."""
    rng = np.random.default_rng(3)
    X = pd.DataFrame(np.repeat(rng.normal(size=(12, 4)), 10, axis=0))
    y = np.repeat(rng.permutation(["a", "b"] * 6), 10)
    rows = problem_with(X, y)
    groups = problem_with(X, y, groups=np.repeat(np.arange(12), 10))
    score = score_to_permute(rows, "FScore")[0]
    assert permutation_pvalues(rows, score, 199)[0].min() < 0.01
    fair = permutation_pvalues(groups, score, 199)
    assert fair[0].min() > 0.01
    np.testing.assert_array_equal(fair, permutation_pvalues(groups, score, 199, n_jobs=2))


def test_association_is_spearman_and_cramers_v_for_two_values():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 4)).round(1)
    X[:, 3] += 2 * X[:, 0]
    np.testing.assert_allclose(association(X), np.abs(spearmanr(X).statistic), atol=1e-12)
    binary = (X[:, [0, 3]] > 0).astype(float)
    table = pd.crosstab(binary[:, 0], binary[:, 1])
    v = np.sqrt(chi2_contingency(table, correction=False).statistic / 50)
    assert association(binary)[0, 1] == pytest.approx(v)
    assert association(np.column_stack([np.ones(5), np.arange(5)])).tolist() == [[1, 0], [0, 1]]


def test_a_chain_is_no_group(problem_with):
    """Each of 20 neighbours is close to the next, the ends are not: every pair of a group must be close."""
    rng = np.random.default_rng(0)
    walk = np.cumsum(rng.normal(size=(300, 20)) * ([2.0] + [1.0] * 19), axis=1)
    problem = problem_with(pd.DataFrame(walk), np.tile(["a", "b"], 150))
    groups, strength = redundant_groups(problem)
    assert len(groups) > 1 and min(strength.values()) >= 0.8
    similar = association(walk)
    assert similar[0, -1] < 0.8 and all(similar[i, i + 1] > 0.7 for i in range(19))
