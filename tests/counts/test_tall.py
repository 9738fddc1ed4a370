"""Counting samples sorted by group, against counts taken one by one."""

import numpy as np
import pytest

from fslib.counts import tall
from fslib.counts.tall import SortedGroups, fold_tables


def data(n, d, n_levels, n_groups, seed=0):
    """Codes (d, n), and groups of which one is large, one is empty and some samples are left out."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, n_levels, (d, n)).astype(np.min_scalar_type(n_levels - 1))
    group = rng.integers(-1, n_groups, n)
    group[group == n_groups // 2] = 0
    group[n // 2 :] = n_groups - 1
    return codes, group


def counted(codes, columns, n_levels, group, n_groups):
    out = np.zeros((n_groups, len(columns), n_levels), dtype=np.int64)
    inside = np.flatnonzero(group >= 0)
    for b, column in enumerate(columns):
        np.add.at(out, (group[inside], b, codes[column, inside]), 1)
    return out


@pytest.mark.parametrize("n_levels", [1, 2, 3, 4, 5, 7, 16, 17, 256, 300])
@pytest.mark.parametrize("n", [7, 40, 3000])
@pytest.mark.parametrize("sizes", [{}, {"_COUNTERS": 5000, "_TABLE": 500, "_PIECE": 33}], ids=["one stretch", "many"])
def test_every_sample_is_counted_once(monkeypatch, n_levels, n, sizes):
    for name, size in sizes.items():
        monkeypatch.setattr(tall, name, size)
    codes, group = data(n, 23, n_levels, 12)
    columns = np.flatnonzero(np.arange(23) % 3 != 1)
    stretches = []

    def add(before, counts):
        assert len(counts) % 3 == 0
        stretches.append(counts)
        return len(counts) + (before or 0)

    assert fold_tables(codes, columns, n_levels, SortedGroups(group, 12), 3, add) == 12
    np.testing.assert_array_equal(np.concatenate(stretches), counted(codes, columns, n_levels, group, 12))
    assert len(stretches) == 1 or sizes


@pytest.mark.parametrize("size", [254, 255, 256, 510, 511, 70_000])
def test_counters_of_a_byte_do_not_overflow(size):
    codes = np.ones((9, size + 3), dtype=np.uint8)
    group = np.zeros(size + 3, dtype=int)
    group[:3] = 1
    seen = []
    fold_tables(codes, np.arange(9), 4, SortedGroups(group, 2), 1, lambda before, counts: seen.append(counts))
    assert np.concatenate(seen)[:, :, 1].tolist() == [[size] * 9, [3] * 9]


def test_all_samples_left_out():
    seen = []
    groups = SortedGroups(np.full(5, -1), 4)
    fold_tables(np.zeros((3, 5), dtype=np.uint8), np.arange(3), 2, groups, 2, lambda _, counts: seen.append(counts))
    np.testing.assert_array_equal(np.concatenate(seen), np.zeros((4, 3, 2)))


def test_memory_of_mixed_codes_is_bounded(monkeypatch):
    monkeypatch.setattr(tall, "_MIXED", 1000)
    columns = np.arange(100)

    def sizes(n, n_levels):
        return [len(part) for part in SortedGroups(np.zeros(n, dtype=int), 1).split(columns, n_levels)]

    assert sizes(100, 4) == [36, 36, 28]  # at most ten bytes a sample, four features each
    assert sizes(10_000, 4) == [16, 16, 16, 16, 16, 16, 4]
    assert sizes(10, 2) == [100]
    assert sizes(10, 300) == [15, 15, 15, 15, 15, 15, 10]
