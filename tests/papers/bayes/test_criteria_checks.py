"""The small table by hand, and formulas against brute force on tables that are not ours."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import fbeta_score, roc_auc_score

from fslib.filters.criteria import AUC, Balanced, FBeta, YangHu, ZeroOne
from fslib.papers.bayes.criteria_checks import (
    CRITERIA,
    SMALL_TABLE,
    auc_by_pairs,
    best_by_brute_force,
    cells_by_class,
    coarser_tables,
    every_classifier,
    smallest_gains,
    value_on,
)


def test_small_table_by_hand():
    # majority calls err on 1 + 2 + 1 + 0 of 20; of 7 x 13 pairs, 8 + 9/2, 1 + 3/2 (twice) and 1/2 (twice) are lost
    assert ZeroOne().value(SMALL_TABLE) == -4 / 20
    assert_allclose(AUC().value(SMALL_TABLE), 1 - (4 + 4.5 + 2 * (1 + 1.5) + 2 * 0.5) / 91)
    assert_allclose(Balanced().value(SMALL_TABLE), -(1 / 7 + 3 / 13 + 1 / 13))


def test_every_classifier_agrees_with_scikit_learn():
    cell = np.repeat(np.arange(4), SMALL_TABLE.sum(axis=1))
    y = np.concatenate([np.repeat([0, 1], row) for row in SMALL_TABLE])
    called = np.isin(cell, [1, 3])  # "01, 11"
    row = every_classifier().loc["01, 11"]
    assert_allclose(row["F2"], fbeta_score(y, called, beta=2))
    assert_allclose(row["F2 as printed"], fbeta_score(y, called, beta=0.5))
    assert_allclose(row["0-1 error"], -np.mean(called != y))
    assert len(every_classifier()) == 16


@pytest.mark.parametrize("seed", range(4))
def test_formulas_match_brute_force_on_other_tables(seed):
    table = np.random.default_rng(seed).integers(1, 9, (4, 2))
    best = best_by_brute_force(table)
    on_a_grid = best.index.isin(["log", "squared"])
    assert_allclose(best["difference"][~on_a_grid], 0, atol=1e-12)
    # the grid misses the best probability by 1/2000 at most, and no probability beats the formula
    assert (best["difference"][on_a_grid] >= -1e-12).all() and (best["difference"][on_a_grid] < 1e-5).all()
    assert_allclose(auc_by_pairs(table), AUC().value(table))


def test_best_score_of_the_cells_reaches_the_auc_formula():
    cell = np.repeat(np.arange(4), SMALL_TABLE.sum(axis=1))
    y = np.concatenate([np.repeat([0, 1], row) for row in SMALL_TABLE])
    eta = SMALL_TABLE[:, 1] / SMALL_TABLE.sum(axis=1)
    assert_allclose(auc_by_pairs(), roc_auc_score(y, eta[cell]))


def test_squared_error_of_a_label_is_half_of_yang_and_hu():
    assert_allclose(value_on(CRITERIA["squared"], SMALL_TABLE), YangHu().value(SMALL_TABLE) / 2)


def test_coarser_tables_lose_no_sample_and_never_gain():
    tables = coarser_tables()
    assert all(table.sum(axis=0).tolist() == [13, 7] for table in tables.values())
    for criterion in CRITERIA.values():
        none, first, second, both = (value_on(criterion, table) for table in tables.values())
        assert none <= min(first, second) + 1e-12 and max(first, second) <= both + 1e-12


def test_smallest_gain_is_seen_where_a_column_says_nothing():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    informative = np.stack([y ^ (rng.random(200) < 0.3) for _ in range(3)], axis=1)
    assert (smallest_gains(informative, y, n_chains=3, length=2)[["log", "AUC"]] > 1e-6).all()
    with_constant = np.column_stack([informative, np.zeros(200, dtype=int)])
    assert_allclose(smallest_gains(with_constant, y, n_chains=5, length=4), 0, atol=1e-12)


def test_a_falling_measure_would_be_noticed(monkeypatch):
    worse = FBeta(1)
    monkeypatch.setattr("fslib.papers.bayes.criteria_checks.value_on", lambda criterion, table: -worse.value(table))
    rng = np.random.default_rng(1)
    assert (smallest_gains(rng.integers(0, 2, (50, 4)), rng.integers(0, 2, 50), 2, 4) < 0).all()


def test_cells_are_counted_by_class():
    assert cells_by_class(np.zeros((3, 0), dtype=int), np.array([0, 1, 1])).tolist() == [[1, 2]]
