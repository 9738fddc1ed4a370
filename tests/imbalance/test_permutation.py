"""Shuffled loadings against their definitions, and what they and shuffled labels can and cannot see."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from fslib.filters import permutation_test
from fslib.imbalance import BSNMF
from fslib.imbalance.permutation import loading_pvalues, published_pvalue


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
    by_labels = permutation_test(model, X, y, n_permutations=49).p_values
    assert by_labels[1] == 1 / 50 and by_labels[0] > 0.05
