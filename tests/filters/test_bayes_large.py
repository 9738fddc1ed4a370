"""Large tables: the ways of counting that small data do not reach give the same search, in bounded memory."""

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from fslib.counts import mixed, tall, ways
from fslib.counts.counter import LevelCounter
from fslib.filters import MRMR, BayesGreedy, MIGreedy, MIScore

pytestmark = pytest.mark.filterwarnings("ignore::fslib.filters.OutOfInformationWarning")


def data(n, d, seed=0, n_levels=4, n_classes=2):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    X = rng.integers(0, n_levels, (n, d), dtype=np.uint8)
    X[:, d // 2] = np.where(rng.random(n) < 0.3, y, X[:, d // 2])
    X[:, -1] = X[:, 0]  # a copy: ties at every step
    return X, y


@pytest.mark.filterwarnings("ignore:.*so many levels")
@pytest.mark.parametrize("criterion", ["zero_one", "balanced", "log", "yang_hu"])
@pytest.mark.parametrize("n", [50, 1500])
@pytest.mark.parametrize(("n_levels", "n_classes"), [(4, 2), (9, 2), (4, 3), (20, 3)])
def test_samples_sorted_by_cell_give_the_same_bits(monkeypatch, criterion, n, n_levels, n_classes):
    X, y = data(n, 12, n_levels=n_levels, n_classes=n_classes)
    with monkeypatch.context() as patch:
        patch.setattr(LevelCounter, "is_tall", lambda *_: False)
        expected = BayesGreedy(criterion, n_features_to_select=9).fit(X, y)
    folded = []
    monkeypatch.setattr(LevelCounter, "_tall", 8)
    monkeypatch.setattr(tall, "_TABLE", 500)
    fold = LevelCounter.fold
    monkeypatch.setattr(LevelCounter, "fold", lambda *a, **k: (folded.append(1), fold(*a, **k))[1])
    found = BayesGreedy(criterion, n_features_to_select=9).fit(X, y)
    assert folded
    for name in ("ranking_", "criterion_values_", "n_tied_"):
        assert_array_equal(getattr(found, name), getattr(expected, name))


@pytest.mark.parametrize(
    ("selector", "share"),
    [
        (MIScore(n_features_to_select=4), 1.0),
        (MIGreedy(order=2, n_features_to_select=4), 1.0),
        (MRMR(n_features_to_select=4), 1.0),
        (BayesGreedy(n_features_to_select=9), 1.5),
    ],
    ids=repr,
)
@pytest.mark.parametrize("dtype", [np.uint8, np.float64])
def test_memory_is_that_of_the_codes(monkeypatch, selector, share, dtype):
    """Codes take a byte per value whatever X takes; the rest does not grow with the number of features."""
    X, y = data(40_000, 160)
    size = X.nbytes
    X = X.astype(dtype)
    monkeypatch.setattr(ways, "CACHE", 1_000_000)
    monkeypatch.setattr(mixed, "_MIXED", 1 << 19)
    monkeypatch.setattr(tall, "_COUNTERS", 1 << 22)
    tracemalloc.start()
    selector.fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < share * size + 8_000_000, f"{peak / 1e6:.1f} MB of {size / 1e6:.1f} MB"


@pytest.mark.parametrize(("n_levels", "n_classes"), [(4, 2), (16, 2), (16, 5)])
def test_pairs_of_many_levels_take_smaller_blocks(n_levels, n_classes):
    """Tables grow with the square of the levels; the blocks of pairs that are counted together shrink instead."""
    X, y = data(500, 128, n_levels=n_levels, n_classes=n_classes)
    greedy = BayesGreedy(order=2, direction="backward", n_features_to_select=2)
    tracemalloc.start()
    greedy.fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 80_000_000, f"{peak / 1e6:.1f} MB"
    assert (
        greedy.criterion_values_[1]
        == BayesGreedy(n_features_to_select=2).fit(X[:, greedy.ranking_[:2]], y).criterion_values_[1]
    )
