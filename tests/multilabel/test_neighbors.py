import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from fslib.multilabel import neighbors
from fslib.multilabel.neighbors import nearest, neighbors_by_prefix, neighbors_of, squared_distances


@pytest.mark.parametrize("n_values", [2, 5, 10**6])
@pytest.mark.parametrize("block", [7, 2**17])
def test_nearest_is_the_head_of_a_stable_sort(monkeypatch, n_values, block):
    monkeypatch.setattr(neighbors, "BLOCK_ENTRIES", block)
    distances = np.random.default_rng(n_values).integers(n_values, size=(30, 40)).astype(float)
    distances[np.arange(30), np.arange(30)] = np.inf
    expected = np.sort(np.argsort(distances, axis=1, kind="stable")[:, :6], axis=1)
    assert_array_equal(nearest(distances, 6), expected)


def test_sparse_and_dense_distances_agree_and_copies_tie_exactly():
    rng = np.random.default_rng(0)
    A, B = rng.random((5, 8)).round(1), rng.random((6, 8))
    B[4] = B[1]
    dense = squared_distances(A, B)
    assert_allclose(squared_distances(sparse.csr_array(A), sparse.csr_array(B)), dense, rtol=1e-12)
    assert_array_equal(dense[:, 4], dense[:, 1])
    found = squared_distances(sparse.csr_array(A), sparse.csr_array(B))
    assert_array_equal(found[:, 4], found[:, 1])


def test_neighbors_by_prefix_are_those_of_the_leading_columns():
    rng = np.random.default_rng(1)
    train, test = rng.integers(3, size=(25, 6)).astype(float), rng.integers(3, size=(9, 6)).astype(float)
    order = [4, 0, 3, 1]
    for k, (of_train, of_test) in enumerate(neighbors_by_prefix(train, test, order, 4), start=1):
        columns = order[:k]
        assert_array_equal(of_train, neighbors_of(train[:, columns], train[:, columns], 4, same=True))
        assert_array_equal(of_test, neighbors_of(test[:, columns], train[:, columns], 4))
    assert k == 4


def test_distances_added_up_column_by_column_are_those_of_cdist_to_the_last_bit():
    rng = np.random.default_rng(3)
    A, B = rng.normal(size=(50, 33)) * 10 ** rng.uniform(-3, 3, size=33), rng.normal(size=(21, 33))
    added = sum((a[:, None] - b) ** 2 for a, b in zip(A.T, B.T, strict=True))
    assert_array_equal(added, squared_distances(A, B))


@pytest.mark.parametrize("sizes", [None, {2, 3, 7, 30}])
@pytest.mark.parametrize("kind", ["real", "ties", "sparse"])
def test_candidates_are_searched_anew_when_they_must_be(monkeypatch, kind, sizes):
    monkeypatch.setattr(neighbors, "CANDIDATES", 3)
    rng = np.random.default_rng(2)
    both = {
        "real": rng.normal(size=(90, 30)),
        "ties": rng.integers(2, size=(90, 30)).astype(float),
        "sparse": rng.random((90, 30)).round(1) * (rng.random((90, 30)) < 0.1),
    }[kind]
    train, test = both[:60], both[60:]
    found = list(neighbors_by_prefix(train, test, range(30), 4, sizes=sizes))
    wanted = sorted(sizes or range(1, 31))
    assert len(found) == len(wanted)
    for size, (of_train, of_test) in zip(wanted, found, strict=True):
        columns = list(range(size))
        assert_array_equal(of_train, neighbors_of(train[:, columns], train[:, columns], 4, same=True))
        assert_array_equal(of_test, neighbors_of(test[:, columns], train[:, columns], 4))
