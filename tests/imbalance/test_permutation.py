"""The permutation tests against their definitions, and what each of them can and cannot see."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from fslib.filters import FisherScore
from fslib.imbalance import BSNMF
from fslib.imbalance.permutation import false_discovery_rates, label_pvalues, loading_pvalues, published_pvalue


def shuffles(U, B, seed):
    """The same draws, summed naively."""
    rng, entries = np.random.default_rng(seed), U.reshape(-1).copy()
    for _ in range(B):
        rng.shuffle(entries)
        yield entries.reshape(U.shape[::-1]).sum(axis=0)


def test_loading_pvalues_are_their_definition():
    U = np.random.default_rng(0).gamma(1.0, size=(15, 3)).round(1)  # rounded: ties occur
    null = np.array(list(shuffles(U, 50, 7)))
    naive = [(1 + sum(s >= score - 1e-9 for s in null.ravel())) / (1 + 50 * 15) for score in U.sum(axis=1)]
    assert_allclose(loading_pvalues(U, 50, 7), naive, rtol=1e-12)


def test_published_pvalue_is_its_definition_and_about_one_half():
    U = np.random.default_rng(0).gamma(1.0, size=(15, 3))
    scores = U.sum(axis=1)
    naive = np.mean([np.sum(scores < null) / 15 for null in shuffles(U, 50, 7)])
    assert_allclose(published_pvalue(U, 50, 7), naive, rtol=1e-12)
    strong = U + 100 * (np.arange(15) < 5)[:, None]  # five features far above the others
    assert 0.35 < published_pvalue(strong, 500, 0) < 0.65


def test_one_loading_pvalue_is_uniform_without_structure():
    U = np.random.default_rng(0).gamma(1.0, size=(3000, 2))
    p = np.sort(loading_pvalues(U, 100, 0))
    assert np.abs(p - (np.arange(3000) + 0.5) / 3000).max() < 0.04


def test_a_matrix_of_equal_loadings_has_nothing_to_show():
    assert_array_equal(loading_pvalues(np.full((4, 3), 0.1), 20, 0), 1)


def test_bsnmf_hands_its_loadings_over():
    X, y = np.random.default_rng(0).random((20, 6)), np.arange(20) < 5
    model = BSNMF(random_state=0).fit(X, y)
    assert_array_equal(model.pvalues(50, 3), loading_pvalues(model.components_.T, 50, 3))


def test_labels_matter_to_the_label_test_alone():
    """A feature that is large everywhere passes the test of loadings; one that goes with the class passes the other."""
    rng = np.random.default_rng(1)
    X, y = rng.random((60, 30)), np.arange(60) % 3 == 0
    X[:, 0] += 3
    X[y, 1] += 1
    model = BSNMF(random_state=0, max_iter=1000)
    assert model.fit(X, y).pvalues(500, 0)[0] < 0.01
    by_labels = label_pvalues(model, X, y, 49, random_state=0)
    assert by_labels[1] == 1 / 50 and by_labels[0] > 0.05


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_label_pvalues_are_their_definition(n_jobs):
    X, y = np.random.default_rng(0).normal(size=(20, 4)), np.arange(20) % 2
    rng, observed = np.random.default_rng(5), FisherScore().fit(X, y).scores_
    null = [FisherScore().fit(X, rng.permutation(y)).scores_ for _ in range(30)]
    naive = (1 + (np.array(null) >= observed).sum(axis=0)) / 31
    assert_allclose(label_pvalues(FisherScore(), X, y, 30, random_state=5, n_jobs=n_jobs), naive)


def test_false_discovery_rates_by_hand():
    p = np.array(
        [0.04, 0.01, 0.03, 0.5]
    )  # sorted .01 .03 .04 .5: times 4/1, 4/2, 4/3, 1, then the least from the right
    assert_allclose(false_discovery_rates(p), [0.16 / 3, 0.04, 0.16 / 3, 0.5])
