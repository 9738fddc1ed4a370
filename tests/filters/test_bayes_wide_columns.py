"""Columns of thousands of levels: searches count what occurs, whatever tables would be possible."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

from fslib.filters import MRMR, BayesGreedy
from fslib.filters.criteria import AUC, CostMatrix
from fslib.filters.search import problem

pytestmark = [
    pytest.mark.filterwarnings("ignore::fslib.filters.OutOfInformationWarning"),  # small data run dry
    pytest.mark.filterwarnings("ignore:.*no better than by chance"),
]

CRITERIA = [
    "zero_one",
    "balanced",
    "log",
    "f_beta",
    "yang_hu",
    AUC("ovo"),
    CostMatrix([[0, 1, 2], [1, 0, 3], [5, 2, 0]]),
]


@pytest.mark.parametrize("criterion", CRITERIA, ids=str)
@pytest.mark.parametrize("order", ["exact", 2, 3])
@pytest.mark.parametrize("limit", [0, 100])
def test_counting_what_occurs_changes_nothing(monkeypatch, criterion, order, limit):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 3, (150, 4)), rng.integers(0, 40, 150), 5 * rng.integers(0, 20, (150, 2))])
    y = (X[:, 0] + rng.integers(0, 2, 150)) % 3
    for data in (X, sp.csc_array(X)):
        with monkeypatch.context() as patch:
            expected = BayesGreedy(criterion, n_features_to_select=6, order=order).fit(data, y)
            patch.setattr(problem, "MAX_TABLE", limit)
            found = BayesGreedy(criterion, n_features_to_select=6, order=order).fit(data, y)
        assert_array_equal(found.ranking_, expected.ranking_)
        assert_allclose(found.criterion_values_, expected.criterion_values_, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("scheme", ["difference", "quotient"])
@pytest.mark.parametrize("limit", [0, 100])
def test_mrmr_counts_what_occurs_likewise(monkeypatch, scheme, limit):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 3, (150, 4)), rng.integers(0, 40, (150, 2)), np.zeros(150, dtype=int)])
    y = (X[:, 0] + rng.integers(0, 2, 150)) % 3
    expected = MRMR(scheme, n_features_to_select=6).fit(X, y).ranking_
    monkeypatch.setattr(problem, "MAX_TABLE", limit)
    for data in (X, sp.csc_array(X)):
        assert_array_equal(MRMR(scheme, n_features_to_select=6).fit(data, y).ranking_, expected)


@pytest.mark.parametrize(
    "selector",
    [
        BayesGreedy("zero_one", n_features_to_select=4),
        BayesGreedy("squared", n_features_to_select=4),
        MRMR(n_features_to_select=4),
    ],
    ids=repr,
)
def test_memory_follows_the_samples(selector):
    """Thousands of cells times thousands of levels would be gigabytes."""
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.integers(0, 6, (10_000, 4)), rng.integers(0, 5000, (10_000, 2))])
    y = rng.integers(0, 3, 10_000)
    tracemalloc.start()
    selector.fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 250e6
