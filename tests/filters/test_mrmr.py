"""mRMR: against the definition computed pair by pair, on data where every step is known, and under permutations."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import mutual_info_score

from fslib.filters import MRMR


def by_definition(X, y, k, scheme):
    """Recompute every mean from scratch at every step."""
    relevance = np.array([mutual_info_score(x, y) for x in X.T])
    chosen = [int(relevance.argmax())]
    while len(chosen) < k:
        redundancy = np.array([np.mean([mutual_info_score(x, X[:, i]) for i in chosen]) for x in X.T])
        value = relevance - redundancy if scheme == "difference" else relevance / (redundancy + 0.01)
        value[chosen] = -np.inf
        chosen.append(int(value.argmax()))
    return chosen


def informative_data(n=300, d=14, seed=0):
    """Columns of two to five levels that agree with a hidden class more or less often."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    X = rng.integers(0, rng.integers(2, 6, d), (n, d))
    agree = rng.random((n, d)) < np.linspace(0, 0.6, d)
    return np.where(agree, y[:, None] % (X.max(axis=0) + 1), X), y


@pytest.mark.parametrize("scheme", ["difference", "quotient"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_is_the_definition(scheme, seed):
    X, y = informative_data(seed=seed)
    selector = MRMR(scheme, n_features_to_select=8).fit(X, y)
    assert_array_equal(selector.ranking_[:8], by_definition(X, y, 8, scheme))
    assert_allclose(selector.relevance_, [mutual_info_score(x, y) for x in X.T], atol=1e-13)


SCHEMES = ("difference", "quotient")


def test_schemes_differ_between_a_strong_half_copy_and_a_faint_independent_column():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 4000)
    flip = lambda z, p: z ^ (rng.random(len(z)) < p)
    first = flip(y, 0.1)
    half_copy = np.where(rng.random(4000) < 0.25, first, flip(y, 0.2))
    faint = np.where(first == y, flip(y, 0.444), y)  # 0.9 (1 - 2 * 0.444) = 0.1: uncorrelated with the first
    X = np.column_stack([first, half_copy, faint]).astype(int)
    D, R = (np.array([mutual_info_score(x, z) for x in X.T[1:]]) for z in (y, first))
    assert (D - R)[0] > (D - R)[1] and (D / (R + 0.01))[0] < (D / (R + 0.01))[1]
    second = {scheme: MRMR(scheme, n_features_to_select=2).fit(X, y).ranking_[1] for scheme in SCHEMES}
    assert second == {"difference": 1, "quotient": 2}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_sparse_threads_relabelling_and_permutations_change_nothing_else(scheme):
    X, y = informative_data()
    ranking = MRMR(scheme, n_features_to_select=6).fit(X, y).ranking_
    rng = np.random.default_rng(1)
    rows, columns = rng.permutation(len(y)), rng.permutation(X.shape[1])
    assert_array_equal(MRMR(scheme, n_features_to_select=6).fit(sp.csr_array(X), y).ranking_, ranking)
    assert_array_equal(MRMR(scheme, n_features_to_select=6, n_jobs=2).fit(X, y).ranking_, ranking)
    assert_array_equal(
        MRMR(scheme, n_features_to_select=6).fit(5 - 3 * X, np.array(["b", "c", "a"])[y]).ranking_, ranking
    )
    assert_array_equal(
        columns[MRMR(scheme, n_features_to_select=6).fit(X[rows][:, columns], y[rows]).ranking_], ranking
    )


def test_candidates_are_the_most_relevant_and_the_rest_follows_by_relevance():
    X, y = informative_data()
    selector = MRMR(n_features_to_select=3, candidates=5).fit(X, y)
    by_relevance = np.argsort(-selector.relevance_, kind="stable")
    assert set(selector.ranking_[:5]) == set(by_relevance[:5])
    assert_array_equal(selector.ranking_[5:], by_relevance[5:])
    best = np.sort(by_relevance[:5])
    assert_array_equal(selector.ranking_[:3], best[by_definition(X[:, best], y, 3, "difference")])


def test_copies_wait_and_constants_come_last():
    X, y = informative_data(d=4)
    X = np.column_stack([np.zeros(len(y), dtype=int), X, X[:, 3], np.full(len(y), 7)])
    ranking = MRMR(n_features_to_select=7).fit(X, y).ranking_
    assert_array_equal(ranking[-2:], [0, 6])
    assert ranking[0] == 4  # and not its copy 5


def test_all_columns_constant():
    with pytest.warns(UserWarning, match="All 3 features are constant"):
        assert_array_equal(MRMR(n_features_to_select=2).fit(np.ones((6, 3), dtype=int), [0, 1] * 3).ranking_, [0, 1, 2])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"scheme": "sum"}, "scheme='sum' must be one of 'difference', 'quotient'"),
        ({"candidates": 2, "n_features_to_select": 3}, "fewer than the 3 to select"),
        ({"candidates": 0}, "=0 is not between"),
    ],
)
def test_bad_parameters(parameters, message):
    X, y = informative_data()
    with pytest.raises(ValueError, match=message):
        MRMR(**parameters).fit(X, y)
