"""Counts: every way to count equals a loop over the samples, and mutual information equals scikit-learn's."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from fslib.counts import bits, tall, ways
from fslib.counts.counter import LevelCounter, mutual_information
from fslib.counts.levels import encode_levels


def counted_one_by_one(levels, group, n_groups):
    out = np.zeros((n_groups, levels.shape[1], levels.n_levels.max()), dtype=int)
    for j in range(levels.shape[1]):
        for g, level in zip(group, levels.column(j), strict=True):
            if g >= 0:
                out[g, j, level] += 1
    return out


def mixed_data(n, seed=0):
    """Columns of one, two, three, five, seventeen and many levels; the two-level ones dense and rare."""
    rng = np.random.default_rng(seed)
    rare = rng.random((n, 2)) < 0.05
    X = np.column_stack([rng.integers(0, v, n) for v in (1, 2, 3, 2, 5, 17, 3, 1 + n // 4, 2)])
    return np.column_stack([X, rare])


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("wrap", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 200, 500])
@pytest.mark.parametrize("n_groups", [1, 2, 6, 30, 300])
@pytest.mark.parametrize("left_out", [False, True])
def test_equal_to_counting_one_by_one(wrap, n, n_groups, left_out):
    levels = encode_levels(wrap(mixed_data(n)))
    group = np.random.default_rng(n).integers(-1 if left_out else 0, n_groups, n)
    expected = counted_one_by_one(levels, group, n_groups)
    for n_jobs in (1, 2):
        np.testing.assert_array_equal(LevelCounter(levels, n_jobs=n_jobs).count(group, n_groups), expected)


@pytest.mark.parametrize(
    ("n", "n_groups", "ways_taken"),
    [
        (300, 3, {"tables", "count_keys"}),
        (300, 100, {"count_sorted", "count_keys"}),
        (4000, 100, {"tables", "count_sorted", "count_keys", "count_entries"}),  # bits find the rare features
        (40_000, 100, {"tables", "count_sorted", "count_keys", "count_entries"}),
    ],
)
def test_all_ways_are_taken_and_small_blocks_change_nothing(monkeypatch, n, n_groups, ways_taken):
    levels = encode_levels(mixed_data(n))
    group = np.random.default_rng(1).integers(0, n_groups, n)
    taken = set()
    for place, name in (
        (bits.PackedBlock, "tables"),
        (ways, "count_entries"),
        (ways, "count_keys"),
        (ways, "count_sorted"),
    ):
        kernel = getattr(place, name)
        monkeypatch.setattr(place, name, lambda *a, name=name, kernel=kernel: (taken.add(name), kernel(*a))[1])
    expected = LevelCounter(levels).count(group, n_groups)
    monkeypatch.setattr(ways, "_TABLE", 1)
    monkeypatch.setattr(ways, "_SCRATCH", 1)
    np.testing.assert_array_equal(LevelCounter(levels).count(group, n_groups), expected)
    assert taken == ways_taken


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("n_groups", [2, 60])
@pytest.mark.parametrize("cache", [0, 100])
def test_less_kept_changes_nothing(monkeypatch, n_groups, cache):
    levels = encode_levels(mixed_data(300))
    group = np.random.default_rng(1).integers(0, n_groups, 300)
    expected = LevelCounter(levels).count(group, n_groups)
    monkeypatch.setattr(ways, "CACHE", cache)
    monkeypatch.setattr(bits, "_SCRATCH", 6)
    counter = LevelCounter(levels)
    for _ in range(2):
        np.testing.assert_array_equal(counter.count(group, n_groups), expected)
    kept = [slot for slot, _ in counter._ways.slots.values()] + [
        block.planes for block in counter._ways.packed.values()
    ]
    assert sum(array.nbytes for array in kept) <= cache


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("scratch", [bits._SCRATCH, 1])
def test_stretches_of_samples_add_up(monkeypatch, scratch):
    """A quarter of a million samples, more than one stretch of words, flags and keys."""
    n = 262_144 + 65
    X = np.random.default_rng(0).integers(0, 3, (n, 2), dtype=np.uint8)
    monkeypatch.setattr(bits, "_SCRATCH", scratch if scratch > 1 else 6 * 3000)
    monkeypatch.setattr(bits, "_FLAGS", 1 << 17)
    group = np.arange(n) % 5
    for n_groups in (5, 50):  # packed, keys
        counts = LevelCounter(encode_levels(X)).count(group, n_groups)
        for j in (0, 1):
            np.testing.assert_array_equal(counts[:5, j], np.bincount(group * 3 + X[:, j], minlength=15).reshape(5, 3))
        assert not counts[5:].any()


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("table", [1, 40, 1 << 16])
def test_fold_adds_up_every_group_once(monkeypatch, n_jobs, table):
    monkeypatch.setattr(tall, "_TABLE", table)
    monkeypatch.setattr(tall, "_COUNTERS", 2000)
    levels = encode_levels(mixed_data(200))
    group = np.random.default_rng(1).integers(-1, 30, 200)
    group[group >= 0] += 6  # the first groups are empty
    position = np.arange(36) + 1
    seen = []

    def add(before, counts):
        """Sum of the positions of the groups; how many there were is the same in all columns, so the first has it."""
        assert len(counts) % 3 == 0
        first = 0 if before is None else before[1, 0]
        here = position[first : first + len(counts)]
        part = np.stack([here @ counts.astype(int), np.full(counts.shape[1], len(counts))])
        return part if before is None else before + part

    def finish(state):
        seen.append(state[1, 0, 0])
        return state[0].sum(axis=-1)

    values = LevelCounter(levels, n_jobs=n_jobs).fold(add, finish, group, 36, 3)
    np.testing.assert_array_equal(values, np.full(11, (group[group >= 0] + 1).sum()))
    assert set(seen) == {36}
    some = LevelCounter(levels).fold(add, finish, group, 36, 3, columns=[4, 2])
    np.testing.assert_array_equal(some[[2, 4]], values[[2, 4]])


@pytest.mark.parametrize(("dtype", "n_groups"), [(np.int8, 128), (np.uint8, 256), (np.int16, 300)])
@pytest.mark.parametrize("wrap", [np.asarray, sp.csr_array])
def test_groups_of_the_smallest_type(dtype, n_groups, wrap):
    levels = encode_levels(wrap(mixed_data(500)))
    group = np.random.default_rng(0).integers(0, n_groups, 500)
    group[0] = n_groups - 1
    expected = LevelCounter(levels).count(group, n_groups)
    np.testing.assert_array_equal(LevelCounter(levels).count(group.astype(dtype), n_groups), expected)
    np.testing.assert_array_equal(expected, counted_one_by_one(levels, group, n_groups))


def test_exact_beyond_a_byte_and_beyond_sixteen_bits():
    n = 70_000
    X = np.ones((n, 2), dtype=np.uint8)
    X[0] = 0, 2
    group = np.zeros(n, dtype=int)
    group[1] = -1  # with a sample left out, no group follows by subtraction
    assert LevelCounter(encode_levels(X)).count(group, 1).tolist() == [[[1, n - 2], [n - 2, 1]]]


def test_one_wide_column_does_not_widen_the_others():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 1000, 3000), rng.integers(0, 2, (3000, 50))])
    levels = encode_levels(X)
    seen = []
    for columns, counts in LevelCounter(levels).blocks(np.zeros(3000, dtype=int), 1):
        assert counts.shape == (1, len(columns), levels.n_levels[columns].max())
        assert counts.shape[2] <= 2 * levels.n_levels[columns].min()
        seen.extend(columns)
    assert sorted(seen) == list(range(51))


def test_tables_stay_within_their_bound_whatever_was_counted_before():
    levels = encode_levels(np.random.default_rng(0).integers(0, 2, (300, 500)) * (np.arange(500) % 7 == 0))
    counter = LevelCounter(levels)
    for n_groups in (40, 60, 6000):
        group = np.random.default_rng(1).integers(0, n_groups, 300)
        assert max(counts.size for _, counts in counter.blocks(group, n_groups)) <= ways._TABLE


def test_some_columns_in_the_order_asked_for():
    levels = encode_levels(mixed_data(100))
    group = np.random.default_rng(0).integers(0, 3, 100)
    counter = LevelCounter(levels)
    every = counter.count(group, 3)
    np.testing.assert_array_equal(counter.count(group, 3, columns=[6, 1]), every[:, [6, 1], :3])


def test_repeated_use_with_other_groups():
    """Blocks kept from one call serve the next, whatever its number of groups."""
    levels = encode_levels(mixed_data(200))
    counter = LevelCounter(levels)
    rng = np.random.default_rng(0)
    for n_groups in (2, 500, 3, 60, 500, 2):
        group = rng.integers(-1, n_groups, 200)
        np.testing.assert_array_equal(counter.count(group, n_groups), counted_one_by_one(levels, group, n_groups))


@pytest.mark.parametrize(
    ("group", "message"),
    [
        (np.zeros(3, dtype=int), "one integer per sample"),
        (np.zeros(4), "one integer per sample"),
        (np.array([0, 1, 2, 0]), "between -1 and 1"),
        (np.array([0, 1, -2, 0]), "between -1 and 1"),
    ],
)
def test_bad_groups_are_refused(group, message):
    counter = LevelCounter(encode_levels(np.array([[0], [1], [0], [1]])))
    with pytest.raises(ValueError, match=message):
        counter.count(group, 2)


@pytest.mark.parametrize("wrap", [np.asarray, sp.csr_array])
def test_mutual_information_is_scikit_learns(wrap):
    X = mixed_data(400)
    y = np.random.default_rng(3).integers(0, 4, 400)
    got = LevelCounter(encode_levels(wrap(X))).score(mutual_information, y, 4)
    np.testing.assert_allclose(got, [mutual_info_score(column, y) for column in X.T], atol=1e-13)


@given(st.integers(0, 10_000))
def test_mutual_information_is_bounded_by_both_entropies_and_symmetric(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, rng.integers(1, 6), 40), rng.integers(0, rng.integers(1, 6), 40)
    levels = encode_levels(np.column_stack([a, b]))
    row_a, row_b = (
        LevelCounter(levels).score(mutual_information, levels.column(j), int(levels.n_levels[j])) for j in (0, 1)
    )
    # The information of a column about itself is its entropy.
    entropy_a, entropy_b = row_a[0], row_b[1]
    assert abs(row_a[1] - row_b[0]) < 1e-14
    assert 0 <= row_a[1] <= min(entropy_a, entropy_b) + 1e-15


def test_a_group_without_samples_and_no_samples_at_all():
    counts = np.zeros((2, 1, 2), dtype=int)
    assert mutual_information(counts).tolist() == [0.0]
    counts[0, 0] = 3, 4
    assert mutual_information(counts).tolist() == [0.0]


def test_real_sparse_data_is_counted_as_its_dense_part(mirror):
    """Thrombin: 1909 samples, 139351 binary columns, 0.7 % ones."""
    data = np.load(mirror("thrombin"))
    X = sp.csr_array((data["X_data"], data["X_indices"], data["X_indptr"]), shape=data["X_shape"])
    _, y = np.unique(data["y"], return_inverse=True)
    scores = LevelCounter(encode_levels(X)).score(mutual_information, y, 2)
    some = np.argsort(scores)[::-997]
    dense = LevelCounter(encode_levels(X[:, some].toarray())).score(mutual_information, y, 2)
    np.testing.assert_allclose(scores[some], dense, atol=1e-15)
