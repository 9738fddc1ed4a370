"""Nogueira's stability: known values, chance, its variance against a simulation and the jackknife."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fslib.evaluation.stability import selection_stability


def draw(rng, M, p):
    return rng.random((M, len(p))) < p


def test_same_selections_are_1_and_complements_minus_1():
    one = np.tile([1, 0, 1, 0, 0], (6, 1))
    found = selection_stability(one)
    assert found.stability == 1 and found.variance == pytest.approx(0, abs=1e-30)
    assert_allclose(selection_stability([[1, 1, 0, 0], [0, 0, 1, 1]]).stability, -1)


def test_for_equal_sizes_it_is_kunchevas_mean_index_of_pairs():
    rng = np.random.default_rng(0)
    Z = np.array([rng.permutation(12) < 5 for _ in range(7)])
    overlap = [(Z[i] & Z[j]).sum() for i in range(7) for j in range(i)]
    expected = np.mean([(r - 25 / 12) / (5 - 25 / 12) for r in overlap])
    assert_allclose(selection_stability(Z).stability, expected)


def test_random_selections_are_0_in_the_mean_whatever_their_sizes():
    rng = np.random.default_rng(0)
    values = [selection_stability(draw(rng, 10, np.full(40, share))).stability for share in (0.1, 0.5) * 150]
    assert abs(np.mean(values)) < 4 * np.std(values) / np.sqrt(300)


def test_variance_is_that_of_repeated_experiments_and_the_interval_covers():
    rng = np.random.default_rng(1)
    p = np.concatenate([np.full(10, 0.8), np.full(50, 0.05)])
    found = [selection_stability(draw(rng, 60, p)) for _ in range(300)]
    values = np.array([f.stability for f in found])
    assert_allclose(np.mean([f.variance for f in found]), values.var(), rtol=0.25)
    share = np.mean([p.mean()])
    truth = 1 - np.mean(p * (1 - p)) / (share * (1 - share))
    covered = np.mean([f.low <= truth <= f.high for f in found])
    assert 0.91 < covered < 0.98


def test_variance_is_near_the_jackknife():
    Z = draw(np.random.default_rng(2), 80, np.linspace(0.05, 0.95, 30))
    without = np.array([selection_stability(np.delete(Z, i, 0)).stability for i in range(80)])
    assert_allclose(selection_stability(Z).variance, 79 / 80 * np.sum((without - without.mean()) ** 2), rtol=0.1)


def test_what_cannot_vary_is_refused():
    for selections, words in [
        ([[1, 0]], "at least two"),
        (np.ones((3, 4)), "all features"),
        (np.zeros((3, 4)), "none"),
    ]:
        with pytest.raises(ValueError, match=words):
            selection_stability(selections)


@pytest.mark.parametrize("confidence", [0, 1, 2, -1, "0.9", None, np.nan, True])
def test_confidence_lies_between_0_and_1(confidence):
    with pytest.raises(ValueError, match="between 0 and 1"):
        selection_stability([[1, 0], [0, 1]], confidence=confidence)
