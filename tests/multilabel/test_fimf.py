from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import mutual_info_score

from fslib.multilabel.fimf import FIMF, largest_entropy
from fslib.multilabel.interactions import binarize
from fslib.multilabel.pmu import PMU


def make():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    Y = (X[:, [0, 1, 2, 3, 0]] + 0.5 * rng.normal(size=(60, 5)) > [0, 0.4, 0.8, 1.2, 0.1]).astype(int)
    return X, Y


@pytest.mark.parametrize("n_labels", [0, 1, 3, 10])
def test_scores_are_the_definition(n_labels):
    X, Y = make()
    Z = binarize(X).astype(int)
    entropy = [-sum(p * np.log(p) for p in (y.mean(), 1 - y.mean())) for y in Y.T]
    chosen = np.argsort(entropy)[::-1][:n_labels]
    expected = []
    for f in Z.T:
        score = sum(mutual_info_score(f, y) for y in Y.T)
        for i, j in combinations(chosen, 2):
            pair = mutual_info_score(f, Y[:, i] + 2 * Y[:, j])
            score -= mutual_info_score(f, Y[:, i]) + mutual_info_score(f, Y[:, j]) - pair
        expected.append(score)
    assert_allclose(FIMF(n_labels=n_labels).fit(X, Y).scores_, expected, atol=1e-12)


def test_with_all_labels_it_starts_as_pmu_does():
    X, Y = make()
    assert FIMF(n_labels=5).fit(X, Y).ranking_[0] == PMU(n_features_to_select=1).fit(X, Y).ranking_[0]


def test_largest_entropy_is_nearest_to_a_half():
    assert_array_equal(largest_entropy(np.array([[1, 0, 1, 1], [1, 0, 0, 1], [1, 0, 0, 1], [1, 1, 1, 0.0]]), 2), [1, 2])


def test_missing_labels():
    X, Y = make()
    hidden = np.where(np.random.default_rng(1).random(Y.shape) < 0.3, np.nan, Y)
    negative = FIMF(missing="negative").fit(X, hidden).scores_
    assert_allclose(negative, FIMF().fit(X, np.nan_to_num(hidden)).scores_, atol=1e-12)
    assert not np.allclose(negative, FIMF().fit(X, hidden).scores_)
    for options in ({"missing": "x"}, {"n_labels": -1}):
        (name,) = options
        with pytest.raises(ValueError, match=f"^{name}="):
            FIMF(**options).fit(X, Y)
