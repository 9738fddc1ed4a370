"""Bits, keys and sorted samples against np.bincount, around the borders of words, of stretches and of what is kept."""

import numpy as np
import pytest

from fslib.counts import bits, counter, encoders, ways
from fslib.counts.counter import LevelCounter
from fslib.counts.levels import Levels, encode_levels


def tables(X, group, n_groups, n_levels):
    inside = group >= 0
    flat = [np.bincount(group[inside] * n_levels + x[inside], minlength=n_groups * n_levels) for x in X.T]
    return np.stack([table.reshape(n_groups, n_levels) for table in flat], axis=1)


def draw(n, d, n_levels, n_groups, left_out):
    rng = np.random.default_rng([n, n_levels])
    X = rng.integers(0, n_levels, (n, d), dtype=np.uint8)
    X[: min(n, n_levels)] = np.arange(min(n, n_levels), dtype=np.uint8)[:, None]
    return X, rng.integers(-left_out, n_groups, n)


def as_levels(X, n_levels):
    """Levels that need not all occur."""
    return Levels(np.ascontiguousarray(X.T), np.full(X.shape[1], n_levels))


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("n_levels", range(1, 17))
@pytest.mark.parametrize("n", [1, 63, 64, 65, 129, 500])
@pytest.mark.parametrize("left_out", [0, 1])
def test_bits_of_every_number_of_levels(n_levels, n, left_out):
    X, group = draw(n, 3, n_levels, 3, left_out)
    levels = as_levels(X, n_levels)
    for n_jobs in (1, 2):
        assert levels.counter(n_jobs=n_jobs)._ways.is_packed(n_levels, 3)
        np.testing.assert_array_equal(levels.counter(n_jobs=n_jobs).count(group, 3), tables(X, group, 3, n_levels))


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("n_levels", [2, 3, 4, 7])
@pytest.mark.parametrize("kept", [0, 1, 4, 5, 6, 7, 8])
@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("n_groups", [2, 40])
def test_pieces_stretches_and_kept_words_meet_anywhere(monkeypatch, n_levels, kept, n_jobs, n_groups):
    """Eight words of samples, the last one of one sample; stretches of three words, pieces of two."""
    n, d = 7 * 64 + 1, 5
    monkeypatch.setattr(ways, "CACHE", 8 * d * bits.n_planes(n_levels) * kept)
    monkeypatch.setattr(bits, "_SCRATCH", 3 * (n_levels - 1) * d)
    monkeypatch.setattr(bits, "_FLAGS", 64 * 2)
    monkeypatch.setattr(counter, "_PIECE", 64)
    X, _ = draw(n, d, n_levels, 1, 0)
    found = as_levels(X, n_levels).counter(n_jobs=n_jobs)
    for seed in range(3):  # the first count packs, the others use what was kept
        group = np.random.default_rng(seed).integers(-(seed % 2), n_groups, n)
        np.testing.assert_array_equal(found.count(group, n_groups), tables(X, group, n_groups, n_levels))
    packed = list(found._ways.packed.values())
    assert [block.planes.shape[1] for block in packed] == ([kept] if found._ways.is_packed(n_levels, n_groups) else [])


def test_samples_are_shared_out_where_there_are_few_blocks(monkeypatch, kernels):
    monkeypatch.setattr(counter, "_PIECE", 100)
    X, group = draw(1000, 70, 3, 2, 1)
    found = as_levels(X, 3).counter(n_jobs=2)
    assert found._pieces(2) == (4 if kernels == "NumPy" else 8)
    assert as_levels(X, 3).counter(n_jobs=1)._pieces(2) == 1
    one, two = (
        as_levels(X, 3).counter(n_jobs=j).score(lambda c: np.log1p(c).sum(axis=(0, 2)), group, 2) for j in (1, 2)
    )
    np.testing.assert_array_equal(one, two)


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32])
def test_threads_encode_alike(monkeypatch, order, dtype):
    """Levels that occur in the last rows only, columns with gaps, and columns that do not begin at zero."""
    X, _ = draw(1000, 9, 6, 1, 0)
    X[:, 1] = X[:, 1] // 2 * 2  # gaps
    X[:, 2] += 3
    X[:, 3] = 0
    X[-1, 3] = 7
    X[:, 4] = 200 * (X[:, 4] > 2)
    X = np.asarray(X.astype(dtype), order=order)
    monkeypatch.setattr(encoders, "_SHARE", 100)
    monkeypatch.setattr(encoders, "_VALUES", 700)
    for n_jobs in (1, 2):
        levels = encode_levels(X, n_jobs=n_jobs)
        for j, column in enumerate(X.T):
            values, codes = np.unique(column, return_inverse=True)
            np.testing.assert_array_equal(levels.column(j), codes)
            assert levels.n_levels[j] == len(values)


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("n_classes", [2, 3, 7])
@pytest.mark.parametrize("n_levels", [2, 3, 4, 6])
@pytest.mark.parametrize("kept", [0, 5, 100])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_bits_in_the_order_of_classes_count_the_same(monkeypatch, n_classes, n_levels, kept, n_jobs):
    """Classes begin within words; groups lie within a class, or do not, or leave samples out."""
    n, d = 40 * 64 + 7, 5
    monkeypatch.setattr(ways, "STRATUM", 1)
    monkeypatch.setattr(bits, "_SCRATCH", 6 * (n_levels - 1) * d)
    monkeypatch.setattr(counter, "_PIECE", 64 * 5)
    X, classes = draw(n, d, n_levels, n_classes, 0)
    rng = np.random.default_rng(1)
    for columns in (np.arange(d), np.array([0, 2, 3])):  # consecutive, and not
        some = LevelCounter(as_levels(X, n_levels), n_jobs=n_jobs)
        some._ways.bins = [(n_levels, columns)]
        some.sort_by(classes, n_classes, 100)
        assert some._ways.n_strata == n_classes
        some._ways.free = 8 * len(columns) * bits.n_planes(n_levels) * kept
        within = rng.integers(0, 3, n) * n_classes + classes
        for group, n_groups in (
            (classes, n_classes),
            (within, 3 * n_classes),
            (np.where(rng.random(n) < 0.1, -1, within), 3 * n_classes),
            (rng.integers(0, 3, n), 3),
            (np.zeros(n, dtype=int), 1),
        ):
            ((_, counts),) = some.blocks(group, n_groups)
            np.testing.assert_array_equal(counts, tables(X[:, columns], group, n_groups, n_levels))


def test_masks_of_strata_are_short():
    classes = np.repeat([0, 1, 2, 3], 640)
    group = np.arange(len(classes)) % 2 * 4 + classes
    packed = bits.pack_groups(group, 8, cuts=[0, 640, 1280, 1920, 2560])
    assert [len(mask) for _, _, mask in packed.masks] == [10] * 7  # the eighth is left over
    assert [first for _, first, _ in packed.masks] == [10 * (g % 4) for g, _, _ in packed.masks]
    np.testing.assert_array_equal(packed.sizes, np.full(8, 320))


def test_classes_are_not_sorted_by_without_a_gain(monkeypatch):
    """Few samples in a class, few counts, or bits that cannot be kept."""
    X, classes = draw(4000, 4, 4, 4, 0)
    for n, n_counts, is_sorted in ((4000, 10, True), (500, 10, False), (4000, 1, False)):
        found = as_levels(X[:n], 4).counter()
        monkeypatch.setattr(ways, "CACHE", 4 * 4000 + 8 * 63 * 8)  # the order, and the bits
        found.sort_by(classes[:n], 4, n_counts)
        assert (found._ways.order is not None) == is_sorted
    monkeypatch.setattr(ways, "CACHE", 4 * 4000 + 8 * 63 * 8 - 1)
    found = as_levels(X, 4).counter()
    found.sort_by(classes, 4, 10)
    assert found._ways.order is None
