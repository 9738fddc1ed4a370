"""The tests against scipy, tabulated critical values and small cases by hand."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from fslib.evaluation.margins import at_most, enough, exceeds, noise_of_pairs, noise_of_spreads, share_reaches
from fslib.evaluation.stats import critical_difference, friedman, nemenyi, paired_t, rank_table


def scores(n, k, seed=0, decimals=None):
    values = np.random.default_rng(seed).normal(size=(n, k)) + 0.4 * np.arange(k)
    return pd.DataFrame(values if decimals is None else values.round(decimals), columns=list("ABCDEFG")[:k])


def test_paired_t_equals_scipy():
    a, b = np.random.default_rng(0).normal(size=(2, 10))
    ours, other = paired_t(a, b), stats.ttest_rel(a, b)
    assert_allclose([ours.statistic, ours.pvalue], [other.statistic, other.pvalue], rtol=1e-12)


def test_corrected_t_by_hand():
    # differences 1, 2, 3: mean 2, variance 1; halves for training and testing: 2 / sqrt(1/3 + 1)
    ours = paired_t([1, 2, 3], [0, 0, 0], test_to_train=1.0)
    assert_allclose(ours.statistic, 2 / np.sqrt(4 / 3))
    assert_allclose(ours.pvalue, 2 * stats.t.sf(2 / np.sqrt(4 / 3), 2))


def test_corrected_t_keeps_its_level_where_the_plain_one_does_not():
    # Two useless methods, ten random halves of 60 rows each: their scores are dependent through the shared rows.
    rng = np.random.default_rng(1)
    plain = corrected = 0
    for _ in range(300):
        rows = rng.normal(size=60)
        differences = [rows[rng.permutation(60)[:30]].mean() for _ in range(10)]
        plain += paired_t(differences, np.zeros(10)).pvalue < 0.05
        corrected += paired_t(differences, np.zeros(10), test_to_train=1.0).pvalue < 0.05
    assert plain > 60 and corrected < 30


def test_paired_t_without_spread():
    assert paired_t([1, 1], [1, 1]).pvalue == 1.0
    assert paired_t([2, 2], [1, 1]).pvalue == 0.0


def test_rounding_is_no_difference():
    a = np.array([0.1 + 0.2, 0.7, 0.1 + 0.2])
    assert (a - [0.3, 0.7, 0.3]).max() > 0
    assert paired_t(a[[0, 2]], [0.3, 0.3]).pvalue == 1.0  # the same rounding in all repeats: no spread
    assert paired_t(a, [0.3, 0.7, 0.3]).statistic == 0.0
    # and a constant lead stays one, although its repeats differ by rounding
    assert paired_t([0.3, 0.2, 0.8], [0.2, 0.1, 0.7]).statistic == np.inf
    assert paired_t([1e-15, 2e-15], [3e-15, 5e-15]).statistic != 0  # small scores are not rounding


@pytest.mark.parametrize(
    "a, b, ratio, message",
    [
        ([1, 2], [1], 0, "same length"),
        ([1], [1], 0, "at least 2"),
        ([1, np.nan], [1, 2], 0, "finite"),
        ([1, 2], [1, 3], -1, "test_to_train=-1"),
    ],
)
def test_paired_t_refuses(a, b, ratio, message):
    with pytest.raises(ValueError, match=message):
        paired_t(a, b, test_to_train=ratio)


@pytest.mark.parametrize("decimals", [None, 0], ids=["no ties", "ties"])
def test_friedman_equals_scipy(decimals):
    table = scores(9, 5, decimals=decimals)
    other = stats.friedmanchisquare(*table.to_numpy().T)
    ours = friedman(table)
    assert_allclose([ours.statistic, ours.pvalue], [other.statistic, other.pvalue], rtol=1e-10)
    assert_allclose(friedman(-table, larger_is_better=False).statistic, ours.statistic)


def test_iman_davenport_from_the_textbook_formula():
    ours = friedman(scores(9, 5))
    f = 8 * ours.statistic / (9 * 4 - ours.statistic)
    assert_allclose([ours.iman_davenport, ours.iman_davenport_pvalue], [f, stats.f.sf(f, 4, 32)])


def test_perfect_order():
    # k = 4 methods in the same order on N = 5: chi-square N (k - 1) = 15, p = 0.0018
    ours = friedman(pd.DataFrame([[4, 3, 2, 1]] * 5))
    assert_allclose(ours.statistic, 15)
    assert round(ours.pvalue, 4) == 0.0018
    assert ours.iman_davenport == np.inf and ours.iman_davenport_pvalue == 0


def test_two_methods_are_the_sign_test():
    # 9 wins, 3 losses, 3 ties: (9 - 3)^2 / 12 = 3
    a = pd.DataFrame({"A": [1] * 9 + [0] * 3 + [5] * 3, "B": [0] * 9 + [1] * 3 + [5] * 3})
    assert_allclose(friedman(a).statistic, 3)
    assert_allclose(friedman(a).pvalue, stats.chi2.sf(3, 1))


def test_all_tied():
    ours = friedman(pd.DataFrame(np.ones((4, 3))))
    assert ours.statistic == 0 and ours.pvalue == 1 and ours.iman_davenport_pvalue == 1


def test_ranks():
    table = pd.DataFrame([[0.9, 0.9, 0.1], [0.2, 0.5, 0.7]])
    assert rank_table(table).to_numpy().tolist() == [[1.5, 1.5, 3], [3, 2, 1]]
    assert rank_table(table, larger_is_better=False).to_numpy().tolist() == [[2.5, 2.5, 1], [1, 2, 3]]
    rounded = pd.DataFrame([[0.1 + 0.2, 0.3, 0.1], [0.2, 0.5, 0.7]], index=["x", "y"], columns=["A", "B", "C"])
    assert rank_table(rounded).loc["x"].to_dict() == {"A": 1.5, "B": 1.5, "C": 3.0}
    assert rank_table(rounded, larger_is_better=False).loc["x"].to_dict() == {"A": 2.5, "B": 2.5, "C": 1.0}


@pytest.mark.parametrize(
    "broken, message", [([[1, np.nan], [1, 2]], r"rows \[0\]"), ([[1, 2]], "at least 2 data sets")]
)
def test_tables_are_checked(broken, message):
    with pytest.raises(ValueError, match=message):
        rank_table(broken)


def test_printed_critical_values():
    # q at level 0.05 for k = 2..7 as tabulated; the difference at N = 1 is q sqrt(k (k + 1) / 6)
    for k, q in zip(range(2, 8), [1.960, 2.344, 2.569, 2.728, 2.850, 2.949], strict=True):
        assert_allclose(critical_difference(k, 1) / np.sqrt(k * (k + 1) / 6), q, atol=1.1e-3)
    assert round(critical_difference(4, 8), 3) == 1.658
    assert round(critical_difference(3, 5), 3) == 1.482


@pytest.mark.parametrize("wrong", [(1, 5), (3, 0), (3, 5, 0.0), (3, 5, 1.0)])
def test_critical_difference_refuses(wrong):
    with pytest.raises(ValueError, match="at least 2 methods, 1 data set and a level"):
        critical_difference(*wrong)


@pytest.mark.parametrize("decimals", [None, 0], ids=["no ties", "ties"])
def test_nemenyi_is_the_studentised_range_of_the_average_ranks(decimals):
    table = scores(8, 4, decimals=decimals)
    average = np.mean([stats.rankdata(-row) for row in table.to_numpy()], axis=0)
    q = np.abs(np.subtract.outer(average, average)) / np.sqrt(4 * 5 / (12 * 8))  # studentised: sqrt(2) is in the 12
    expected = stats.studentized_range.sf(q, 4, np.inf)
    np.fill_diagonal(expected, 1.0)
    assert_allclose(nemenyi(table), expected, atol=1e-12)
    assert_allclose(nemenyi(table * (1 + 1e-15)), expected, atol=1e-12)  # ties up to rounding are ties


def test_critical_difference_is_where_nemenyi_reaches_the_level():
    table = scores(12, 5)
    ranks = rank_table(table).mean(axis=0).to_numpy()
    far = np.abs(np.subtract.outer(ranks, ranks)) >= critical_difference(5, 12, alpha=0.1)
    assert far.any() and not far.all()
    assert (far == (nemenyi(table).to_numpy() <= 0.1)).all()


@pytest.mark.parametrize("ratio", [0.0, 0.43])
def test_a_difference_beats_the_noise_of_pairs_exactly_when_the_paired_test_rejects(ratio):
    rng = np.random.default_rng(0)
    answers = []
    for _ in range(200):
        a, b = rng.normal(2, 1, 6), rng.normal(0, 1, 6)
        noise = noise_of_pairs(a, b, test_to_train=ratio)
        answers.append(exceeds(abs(np.mean(a - b)), noise=noise) is True)
        assert answers[-1] == (paired_t(a, b, test_to_train=ratio).pvalue < 0.05)
    assert 0 < sum(answers) < 200
    assert np.isnan(noise_of_pairs([0.1], [0.2]))


def test_noise_of_spreads_is_the_standard_error_of_a_difference_of_independent_means():
    rng = np.random.default_rng(0)
    a, b = rng.normal(0, 0.3, (20_000, 5)), rng.normal(0, 0.4, (20_000, 5))
    assert noise_of_spreads(0.3, 0.4, 5) == pytest.approx(np.std(a.mean(axis=1) - b.mean(axis=1)), rel=0.02)
    assert noise_of_spreads(0.3, 0.4, 5, test_to_train=1 / 5) == pytest.approx(0.5 * np.sqrt(2 / 5))
    assert np.isnan(noise_of_spreads(np.nan, 0.4, 1))


@pytest.mark.parametrize(
    ("difference", "margin", "noise", "answer"),
    [
        (0.03, 0.0, 0.01, True),
        (0.03, 0.0, 0.04, None),
        (-0.03, 0.0, 0.04, None),
        (-0.05, 0.0, 0.04, False),
        (0.03, 0.02, 0.02, None),
        (0.03, 0.0, np.nan, None),  # one repeat decides nothing
        (0.0, 0.0, 0.0, False),  # equal is not better
        (0.1 + 0.2, 0.3, 0.0, False),  # up to rounding
        (np.float64(1e-3), 0.0, 0.0, True),
    ],
)
def test_better_by_more_than_a_margin(difference, margin, noise, answer):
    assert exceeds(difference, margin, noise) is answer


@pytest.mark.parametrize(
    ("difference", "tolerance", "noise", "answer"),
    [
        (0.0, 0.0, 0.0, True),
        (0.1 + 0.2, 0.3, 0.0, True),
        (0.31, 0.3, 0.0, False),
        (0.005, 0.01, 0.005, True),
        (0.006, 0.01, 0.005, None),
        (0.016, 0.01, 0.005, False),
        (0.0, 0.0, 0.005, None),
        (-0.1, 0.01, np.nan, None),
    ],
)
def test_on_par_within_a_tolerance(difference, tolerance, noise, answer):
    assert at_most(difference, tolerance, noise) is answer


def test_undecided_comparisons_count_only_where_they_could_turn_the_answer():
    assert enough([True] * 3 + [None, False], 0.6) is True
    assert enough([True, None, None, False, False], 0.6) is None
    assert enough([True, None, False, False, False], 0.6) is False
    assert enough([np.True_, np.True_]) is True and enough([True, None]) is None and enough([None, False]) is False
    with pytest.raises(ValueError, match="nothing to count"):
        enough([])


def test_a_share_near_what_is_claimed_decides_nothing():
    found = [share_reaches(count, 20, 0.75) for count in (12, 13, 14, 15, 16, 17, 18)]
    assert found == [False, False, None, None, None, True, True]
    assert share_reaches(3, 3, 0.8) is None and share_reaches(6, 6, 0.8) is True, "three data sets are few"
    assert share_reaches(4, 4, 1.0) is True and share_reaches(3, 4, 1.0) is False
