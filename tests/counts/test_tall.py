"""Counting samples sorted by group, against counts taken one by one."""

import numpy as np
import pytest

from fslib.counts import mixed as mixing
from fslib.counts import sorted_groups, tall
from fslib.counts.levels import Levels
from fslib.counts.mixed import MixedCodes, Mixes
from fslib.counts.sorted_groups import SortedGroups
from fslib.counts.tall import add_up, count_sorted


def data(n, d, n_levels, n_groups, seed=0):
    """Codes (d, n), and groups of which one is large, one is empty and some samples are left out."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, n_levels, (d, n)).astype(np.min_scalar_type(n_levels - 1))
    group = rng.integers(-1, n_groups, n)
    group[group == n_groups // 2] = 0
    group[n // 2 :] = n_groups - 1
    return codes, group


def mix(codes, columns, n_levels):
    return MixedCodes(Levels(codes, np.full(len(codes), n_levels)), columns, n_levels)


def counted(codes, columns, n_levels, group, n_groups):
    out = np.zeros((n_groups, len(columns), n_levels), dtype=np.int64)
    inside = np.flatnonzero(group >= 0)
    for b, column in enumerate(columns):
        np.add.at(out, (group[inside], b, codes[column, inside]), 1)
    return out


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("n_levels", [1, 2, 3, 4, 5, 7, 16, 17, 256, 300])
@pytest.mark.parametrize("n", [7, 40, 3000])
@pytest.mark.parametrize("sizes", [{}, {"_COUNTERS": 5000, "_TABLE": 500, "_PIECE": 33}], ids=["one stretch", "many"])
@pytest.mark.parametrize("wanted", [np.arange(15), np.array([0]), np.array([1, 2, 9, 14])], ids=["all", "one", "some"])
def test_every_sample_is_counted_once(monkeypatch, n_levels, n, sizes, wanted):
    for name, size in sizes.items():
        monkeypatch.setattr(mixing if name == "_PIECE" else tall, name, size)
    codes, group = data(n, 23, n_levels, 12)
    columns = np.flatnonzero(np.arange(23) % 3 != 1)[:15]
    mixed, groups = mix(codes, columns, n_levels), SortedGroups.of(group, 12)
    right = counted(codes, columns[wanted], n_levels, group, 12)
    stretches = []

    def add(before, counts):
        assert counts.dtype in (np.uint8, np.int64)
        assert len(counts) % 3 == 0
        stretches.append(len(counts))
        weights = np.arange(sum(stretches[:-1]), sum(stretches))
        return (weights @ counts.astype(np.int64)) + (0 if before is None else before)

    some, place = mixed.holding(wanted)
    totals = mixed.arranged(add_up(mixed, some, groups, 3, add), some, place)
    np.testing.assert_array_equal(totals, np.tensordot(np.arange(12), right, axes=1))
    assert sum(stretches) == 12
    assert len(stretches) == 1 or sizes

    table = count_sorted(mixed, wanted, groups)
    np.testing.assert_array_equal(table, right)
    assert table.dtype == np.int64
    assert len(wanted) == 1 or table.strides[1] == table.itemsize  # sums run along the features


@pytest.mark.usefixtures("kernels")
def test_codes_wider_than_their_levels():
    """One feature with 300 levels makes the codes of all two bytes wide."""
    codes, group = data(500, 9, 3, 5)
    mixed = mix(codes.astype(np.uint16), np.arange(9), 3)
    table = count_sorted(mixed, np.arange(9), SortedGroups.of(group, 5))
    np.testing.assert_array_equal(table, counted(codes, np.arange(9), 3, group, 5))


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("size", [254, 255, 256, 510, 511, 70_000])
def test_counters_of_a_byte_do_not_overflow(size):
    codes = np.ones((9, size + 3), dtype=np.uint8)
    group = np.zeros(size + 3, dtype=int)
    group[:3] = 1
    counts = count_sorted(mix(codes, np.arange(9), 4), np.arange(9), SortedGroups.of(group, 2))
    assert counts[:, :, 1].tolist() == [[size] * 9, [3] * 9]


@pytest.mark.usefixtures("kernels")
def test_all_samples_left_out():
    mixed = mix(np.zeros((3, 5), dtype=np.uint8), np.arange(3), 2)
    counts = count_sorted(mixed, np.arange(3), SortedGroups.of(np.full(5, -1), 4))
    np.testing.assert_array_equal(counts, np.zeros((4, 3, 2)))


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("n_threads", [1, 2])
def test_no_samples(n_threads):
    levels = Levels(np.zeros((3, 0), dtype=np.uint8), np.full(3, 4))
    assert MixedCodes(levels, np.arange(3), 4, n_threads).codes.shape == (0, 1)


def test_parts_are_bounded_and_about_equally_long(monkeypatch):
    monkeypatch.setattr(mixing, "_MIXED", 1000)

    def sizes(n, n_levels, n_parts=1):
        levels = Levels(np.zeros((100, n), dtype=np.uint8), np.full(100, n_levels))
        return [len(part) for part in Mixes(levels, [(n_levels, np.arange(100))], n_parts).parts]

    assert sizes(100, 4) == [32, 32, 36]  # at most ten bytes a sample, four features each
    assert sizes(10_000, 4) == [12, 16, 12, 16, 12, 16, 16]
    assert sizes(10, 2) == [100]
    assert sizes(10, 2, n_parts=2) == [48, 52]
    assert len(sizes(100, 4, n_parts=2)) == 4  # as much for each of two threads
    assert sizes(10, 300) == [14, 14, 14, 15, 14, 14, 15]


def test_mixed_codes_are_kept_up_to_a_third_of_the_codes():
    codes = np.random.default_rng(0).integers(0, 4, (128, 50)).astype(np.uint8)
    levels = Levels(codes, np.repeat([4, 16], 64))
    bins = [(4, np.arange(64)), (16, np.arange(64, 128))]
    mixes = Mixes(levels, bins)
    assert [len(part) for part in mixes.parts] == [64, 32, 32]
    first, second, third = mixes.part(0), mixes.part(1), mixes.part(2)  # 16 of 128 bytes a sample each
    assert (mixes.part(0), mixes.part(1)) == (first, second)
    assert mixes.part(2) is not third
    np.testing.assert_array_equal(mixes.part(2).codes, third.codes)


@pytest.mark.parametrize("few", [0, 10**6], ids=["many samples", "few"])
@pytest.mark.parametrize("n_groups", [3, 12])
def test_samples_are_ascending_within_groups(monkeypatch, few, n_groups):
    monkeypatch.setattr(sorted_groups, "_FEW", few)
    _, group = data(400, 1, 2, n_groups)
    groups = SortedGroups.of(group, n_groups)
    right = [np.flatnonzero(group == g) for g in range(n_groups)]
    np.testing.assert_array_equal(groups.order, np.concatenate(right))
    np.testing.assert_array_equal(np.diff(groups.start), [len(samples) for samples in right])
    np.testing.assert_array_equal(sorted_groups.by_sample(groups), group)
    np.testing.assert_array_equal(groups.each(np.arange(n_groups)), group[groups.order])


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("loss", [np.sqrt, lambda counts: np.minimum(counts, 7)], ids=["fractions", "whole numbers"])
@pytest.mark.parametrize("some", [[0, 1, 2], [1]])
def test_threads_add_up_to_the_same_bits(monkeypatch, loss, some):
    monkeypatch.setattr(tall, "_TABLE", 200)
    codes, group = data(700, 10, 4, 60)
    mixed, groups = mix(codes, np.arange(10), 4), SortedGroups.of(group, 60)
    n_groups = []

    def add(before, counts):
        n_groups.append(len(counts))
        losses = loss(counts.astype(float))
        if before is not None:
            losses = np.concatenate([before[None], losses])
        return losses.sum(axis=0)

    right = add_up(mixed, np.array(some), groups, 3, add)
    for n_threads in (2, 3):
        n_groups.clear()
        np.testing.assert_array_equal(add_up(mixed, np.array(some), groups, 3, add, n_threads), right)
        assert sum(n_groups) == 60
        assert len(n_groups) >= 4
        assert set(np.mod(n_groups, 3)) == {0}


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("n_threads", [1, 2, 3])
@pytest.mark.parametrize("last", [0, 1, 5])
def test_an_error_in_one_thread_ends_all(monkeypatch, n_threads, last):
    monkeypatch.setattr(tall, "_TABLE", 200)
    codes, group = data(700, 10, 4, 60)
    n_calls = 0

    def add(before, counts):
        nonlocal n_calls
        n_calls += 1
        if n_calls > last:
            raise ZeroDivisionError(f"call {n_calls}")
        return counts.sum(axis=0)

    with pytest.raises(ZeroDivisionError, match=f"^call {last + 1}$"):
        add_up(mix(codes, np.arange(10), 4), np.arange(3), SortedGroups.of(group, 60), 3, add, n_threads)
    assert n_calls == last + 1


def test_what_is_left_of_groups_is_numbered_anew():
    _, group = data(400, 1, 2, 12)
    groups = SortedGroups.of(group, 12)
    kept = np.array([False, True, True, False])  # units of three groups
    some, new = groups.keep(kept), np.where(np.isin(group // 3, [1, 2]), group - 3, -1)
    right = SortedGroups.of(new, 6)
    np.testing.assert_array_equal(some.order, right.order)
    np.testing.assert_array_equal(some.start, right.start)
    packed, right = some.pack(np.flatnonzero(new >= 0)), SortedGroups.of(new[new >= 0], 6)
    np.testing.assert_array_equal(packed.order, right.order)
    assert packed.n_samples == right.n_samples
    assert groups.keep(np.ones(4, dtype=bool)) is groups
    assert groups.keep(np.zeros(4, dtype=bool)).n_groups == 0


@pytest.mark.parametrize("n_samples", [1, 30, 130, 1000])
def test_parts_are_joined_to_the_same_groups(n_samples):
    _, group = data(400, 1, 2, 12)
    groups = SortedGroups.of(group, 12)
    parts = list(groups.parts(n_samples, 3))
    assert sum(part.n_groups for part in parts) == 12
    assert all(part.n_groups % 3 == 0 and part.start[0] == 0 for part in parts)
    joined = SortedGroups.joined(parts)
    np.testing.assert_array_equal(joined.order, groups.order)
    np.testing.assert_array_equal(joined.start, groups.start)
    assert len(parts) == {1: 4, 30: 4, 130: 2, 1000: 1}[n_samples]
