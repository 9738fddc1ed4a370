"""Compiled kernels against NumPy: the same levels, the same counts, and the same selections to the last bit."""

import builtins
import multiprocessing
import sys
import warnings
from pickle import UnpicklingError

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from fslib.counts import bits, compiled, compiled_bits, threads, ways
from fslib.counts.counter import LevelCounter, mutual_information, xlogx
from fslib.counts.levels import Levels, RowLevels, encode_levels
from fslib.counts.mixed import MixedCodes
from fslib.counts.sorted_groups import SortedGroups
from fslib.filters import MRMR, BayesExhaustive, BayesGreedy, BayesScore, InformationGreedy, MIGreedy, MIScore
from fslib.filters.search.partition import _split

pytestmark = pytest.mark.skipif(compiled.load() is None, reason="Numba is not installed")


def draw(n, d, n_levels, seed=0):
    """Codes in which every level of every column occurs."""
    X = np.random.default_rng(seed).integers(0, n_levels, (n, d))
    X[:n_levels] = np.arange(n_levels)[:, None]
    return X


@pytest.mark.parametrize("dtype", ["?", "b", "B", "h", "H", "i", "I", "l", "L", "q", "Q", "f", "d"])
@pytest.mark.parametrize("n", [16, 64, 200, 1000])
@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.usefixtures("small")
def test_levels_of_rows(dtype, n, n_threads):
    X = draw(n, 7, 2 if dtype == "?" else 16)
    X[:, 1] //= 4
    X[:, 2] = X[0, 2]
    signed = np.dtype(dtype).kind in "if"
    shift = np.array([0, 0, 0, -3, -20, -60, 90]) if signed else np.array([0, 0, 0, 1, 7, 100, 200])
    X = (X + (0 if dtype == "?" else shift)).astype(dtype)
    levels = encode_levels(X, n_jobs=n_threads)
    assert isinstance(levels, RowLevels)
    assert levels.shape == X.shape
    right = [np.unique(column, return_inverse=True) for column in X.T]
    assert levels.n_levels.tolist() == [len(values) for values, _ in right]
    assert levels.is_constant.tolist() == [len(values) == 1 for values, _ in right]
    some, taken = levels.columns([5, 0, 1]).columns([2, 0]), levels.columns([5, 2, 0]).take(np.arange(1, n, 3))
    for j, (_, codes) in enumerate(right):
        assert levels.column(j).dtype == np.min_scalar_type(-int(levels.n_levels[j]))
        np.testing.assert_array_equal(levels.column(j), codes)
        np.testing.assert_array_equal(levels.codes[j], codes)
    np.testing.assert_array_equal(some.codes, [right[1][1], right[5][1]])
    for row, j in enumerate([5, 2, 0]):
        np.testing.assert_array_equal(taken.codes[row], right[j][1][1::3])
        np.testing.assert_array_equal(taken.column(row), right[j][1][1::3])


@pytest.mark.usefixtures("small")
def test_what_rows_cannot_give_is_encoded_as_ever():
    X = draw(200, 5, 6)
    for other in (
        np.where(X == 3, 2, X),  # gaps
        X * 3,  # gaps of a span beyond 16
        X % 17 + 20 * (np.arange(200) == 7)[:, None],
        draw(200, 5, 17),
        X + 0.5,
        X.astype(np.float16),
        X.astype(">i4"),
        np.asfortranarray(X),
        X.astype(np.int64)[:, ::2],
        X + np.int64(2**62),
        np.where(X == 0, np.iinfo(np.int64).min, np.iinfo(np.int64).max),
        np.where(X == 0, 0, np.iinfo(np.uint64).max).astype(np.uint64),
        X.astype(float) * 2.0**60,
        pd.DataFrame(X),
        sp.csr_array(X),
        X.astype(str),
    ):
        levels = encode_levels(other)
        assert type(levels) is Levels
        columns = other.toarray().T if sp.issparse(other) else np.asarray(other).T
        for j, column in enumerate(columns):
            np.testing.assert_array_equal(levels.column(j), np.unique(column, return_inverse=True)[1])
    for bad in (np.nan, np.inf, -np.inf):
        wrong = X.astype(float)
        wrong[50, 3] = bad
        with pytest.raises(ValueError, match="NaN or infinity in column 3"):
            encode_levels(wrong)


def test_small_tables_are_left_to_numpy():
    assert compiled.kernels(compiled.LARGE - 1) is None
    assert compiled.kernels(compiled.LARGE) is compiled.load()
    assert type(encode_levels(draw(200, 5, 4))) is Levels


@pytest.mark.usefixtures("small")
def test_columns_in_any_order():
    X = draw(300, 9, 4).astype(np.uint8)
    X += np.arange(9, dtype=np.uint8)
    y = (X[:, 4] + X[:, 5]) % 2
    levels = encode_levels(X)
    for order in ([0, 2, 1, 3], [0, 1, 3, 4, 2, 5], [8, 7, 6], [3, 4, 5], [5], []):
        some = levels.columns(order)
        np.testing.assert_array_equal(some.codes, (X - np.arange(9, dtype=np.uint8))[:, order].T)
        np.testing.assert_array_equal(some.take(np.arange(5, 300)).codes, some.codes[:, 5:])
        if order:
            right = Levels(some.codes, some.n_levels).counter().count(y, 2)
            np.testing.assert_array_equal(some.counter().count(y, 2), right)
            many = np.arange(300) % 90
            right = Levels(some.codes, some.n_levels).counter().count(many, 90)
            np.testing.assert_array_equal(some.counter().count(many, 90), right)


@pytest.fixture
def unloaded():
    """Kernels are loaded anew, in the test and after it."""
    compiled.load.cache_clear()
    yield
    compiled.load.cache_clear()


@pytest.mark.parametrize("error", [ImportError, RuntimeError, OSError, AttributeError])
@pytest.mark.usefixtures("small", "unloaded")
def test_with_a_broken_numba_numpy_counts(monkeypatch, error):
    def broken(name, *arguments, real=builtins.__import__):
        if name == "numba":
            raise error("for another NumPy")
        return real(name, *arguments)

    for module in [name for name in sys.modules if name.startswith("fslib.counts.numba_kernels")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.delattr("fslib.counts.numba_kernels", raising=False)
    monkeypatch.setattr(builtins, "__import__", broken)
    with pytest.warns(UserWarning, match=rf"^Numba cannot be used \({error.__name__}: for another NumPy\)"):
        assert compiled.load() is None
    assert type(encode_levels(draw(200, 5, 4))) is Levels  # and no second warning


@pytest.mark.usefixtures("small", "unloaded")
def test_without_numba_numpy_counts(monkeypatch):
    monkeypatch.setattr(compiled, "find_spec", lambda name: None)
    assert type(encode_levels(draw(200, 5, 4))) is Levels


@pytest.mark.parametrize("error", [OSError, EOFError, UnpicklingError])
def test_kernels_work_although_what_was_compiled_cannot_be_kept(error):
    def fails(*arguments):
        raise error("damaged")

    kernel = type(compiled.load().count_groups)(compiled.load().count_groups._function)
    kernel._compiled = fails
    group, order = np.array([0, 1, 1, -1]), np.empty(0, dtype=np.int32)
    assert kernel(group, order, 0, 4, 2).tolist() == [1, 2]
    assert kernel._compiled is not fails


@pytest.mark.usefixtures("small")
def test_rows_that_may_not_be_written_to():
    X, y = draw(300, 6, 4).astype(np.uint8), np.arange(300) % 2
    expected = MRMR(n_features_to_select=3).fit(X, y).ranking_
    X.flags.writeable = False
    np.testing.assert_array_equal(MRMR(n_features_to_select=3).fit(X, y).ranking_, expected)


def tables(X, group, n_groups):
    inside, L = group >= 0, int(X.max()) + 1
    flat = [np.bincount(group[inside] * L + x[inside], minlength=n_groups * L) for x in X.T]
    return np.stack([table.reshape(n_groups, L) for table in flat], axis=1)


@pytest.mark.parametrize("n_levels", [2, 3, 4, 5, 8, 9, 16])
@pytest.mark.parametrize("n", [63, 64, 65, 1000])
@pytest.mark.parametrize("kept", [0, 3, 10**6])
@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("n_classes", [1, 3])
@pytest.mark.usefixtures("small")
def test_counts_within_the_levels_of_a_feature(monkeypatch, n_levels, n, kept, n_jobs, n_classes):
    """In the order of the samples, and in that of the classes; from bits where these are kept."""
    monkeypatch.setattr(RowLevels, "n_bytes_spared", 0)
    monkeypatch.setattr(ways, "CACHE", 8 * 5 * bits.n_planes(n_levels) * kept + 4 * n)
    monkeypatch.setattr(ways, "STRATUM", 1)
    X = draw(n, 5, n_levels).astype(np.uint8)
    classes = np.random.default_rng(1).integers(0, n_classes, n).astype(np.int8)
    for is_sorted in (False, True):
        counter = LevelCounter(encode_levels(X), n_jobs=n_jobs)
        if is_sorted:
            counter.sort_by(classes, n_classes, 10**6)
        counter.score(mutual_information, classes, n_classes)
        for j in (0, 3):
            seen = []
            counter.score_with(lambda counts, seen=seen: seen.append(counts) or counts[0, :, 0], j, classes, n_classes)
            group = X[:, j].astype(int) * n_classes + classes
            np.testing.assert_array_equal(np.concatenate(seen, axis=1), tables(X, group, n_levels * n_classes))
            np.testing.assert_array_equal(counter.column(j), X[:, j])
            of_bits = isinstance(counter._ways.level_groups(j, classes, n_classes), compiled_bits.LevelGroups)
            assert of_bits == counter._ways.is_packed(n_levels, n_levels * n_classes) or kept < 10**6
    if n_classes == 1:
        np.testing.assert_array_equal(
            counter.score_with(mutual_information, 1), counter.score(mutual_information, X[:, 1], n_levels)
        )


@pytest.mark.usefixtures("small")
def test_other_classes_for_the_same_counter():
    X, rng = draw(500, 4, 4).astype(np.uint8), np.random.default_rng(2)
    counter = LevelCounter(encode_levels(X))
    for n_classes in (2, 2, 3, 1):
        classes = rng.integers(0, n_classes, 500).astype(np.int8)
        counter.score(mutual_information, classes, n_classes)
        found = counter.score_with(lambda counts: counts.copy().transpose(0, 2, 1), 1, classes, n_classes)
        group = X[:, 1].astype(int) * n_classes + classes
        np.testing.assert_array_equal(found.transpose(0, 2, 1), tables(X, group, 4 * n_classes))


@pytest.mark.parametrize("n_levels", [2, 3, 4, 5, 6, 16])
@pytest.mark.parametrize("columns", [np.arange(23), np.array([0]), np.array([1, 2, 5, 9, 22])])
@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.usefixtures("small")
def test_mixed_codes_of_rows_are_those_of_codes(monkeypatch, n_levels, columns, n_threads):
    X = draw(300, 23, n_levels)
    for rows in (X.astype(np.uint8), X.astype(np.int32) - 5):
        found = MixedCodes(encode_levels(rows), columns, n_levels, n_threads)
        monkeypatch.setattr(compiled, "LARGE", 10**9)
        right = MixedCodes(encode_levels(rows), columns, n_levels)
        monkeypatch.setattr(compiled, "LARGE", 1)
        np.testing.assert_array_equal(found.codes[:, : found.n_mixed], right.codes[:, : right.n_mixed])


@pytest.mark.parametrize("n_levels", [1, 2, 5, 16])
@pytest.mark.parametrize("K", [2, 3, 5])
@pytest.mark.parametrize("n_cells", [1, 7, 200])
def test_splitting_cells(n_levels, K, n_cells):
    rng = np.random.default_rng([n_levels, K, n_cells])
    groups = SortedGroups.of(rng.integers(-1, n_cells * K, 500), n_cells * K)
    codes = rng.integers(0, n_levels, 500).astype(np.int8)
    right, pure = _split(groups, K, codes, n_levels)
    order = np.empty_like(groups.order)
    found, found_pure = groups.split(K, codes, n_levels, compiled.load().split_cells, order)
    np.testing.assert_array_equal(found.order, right.order)
    np.testing.assert_array_equal(found.start, right.start)
    np.testing.assert_array_equal(found_pure, pure)
    assert found.n_samples == right.n_samples


def cases():
    rng = np.random.default_rng(5)
    for n, sizes, n_classes in (
        (40, [2] * 6, 2),
        (130, [2, 3, 4, 5, 9, 16, 1, 4, 4], 3),
        (700, [4] * 21, 2),
        (3000, [3] * 9 + [6] * 4, 2),
        (5000, [2, 4, 16, 4, 2, 2, 3, 4, 4, 4, 4, 4], 4),
        (2000, [4, 4, 4, 30, 4], 2),
        (400, [3, 4, 1, 4, 4, 1], 2),
    ):
        X = np.column_stack([draw(n, 1, L, seed)[:, 0] for seed, L in enumerate(sizes)])
        y = (X[:, 0] + X[:, 1] + rng.integers(0, 3, n)) % n_classes
        y[:n_classes] = np.arange(n_classes)
        yield X, y


SELECTORS = [
    BayesScore("zero_one"),
    MIScore(),
    MRMR(n_features_to_select=4),
    MRMR("quotient", n_features_to_select=3, candidates=4),
    MIGreedy(n_features_to_select=4, order=2),
    MIGreedy(n_features_to_select=4),
    BayesGreedy("zero_one", n_features_to_select=0.8),
    BayesGreedy("balanced", n_features_to_select=5, order=2),
    BayesGreedy("balanced", n_features_to_select=5, order=3),
    BayesGreedy("zero_one", n_features_to_select=3, direction="backward"),
    *(InformationGreedy(name, n_features_to_select=4) for name in ("jmi", "cmim", "disr", "icap")),
    InformationGreedy("jmi", n_features_to_select=4, estimator="miller_madow"),
    BayesExhaustive(n_features_to_select=2),
]


@pytest.mark.parametrize("selector", SELECTORS, ids=str)
def test_selections_are_the_same_to_the_last_bit(request, selector):
    def fits(X, y, n_jobs=1, **arguments):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted = selector.set_params(n_jobs=n_jobs).fit(X, y, **arguments)
        values = [getattr(fitted, name, None) for name in ("scores_", "criterion_values_", "relevance_", "n_tied_")]
        return [fitted.ranking_, *(np.zeros(0) if value is None else np.asarray(value) for value in values)]

    data = [(X, y, np.arange(len(y)) % 3) for X, y in cases()]
    right = [(fits(X, y), fits(X, y, sample_weight=weights)) for X, y, weights in data]
    request.getfixturevalue("small")
    for (X, y, weights), (plain, weighted) in zip(data, right, strict=True):
        found = [(plain, fits(X.astype(dtype), y, n_jobs)) for dtype in (np.uint8, float) for n_jobs in (1, 2)]
        for expected, fitted in [*found, (weighted, fits(X.astype(np.int16), y, sample_weight=weights))]:
            for a, b in zip(fitted, expected, strict=True):
                np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(("n", "n_levels"), [(5000, 16), (5000, 4), (4000, 16)])
@pytest.mark.parametrize("d", [1, 3, 9])
def test_large_tables_of_single_features_have_the_same_values(request, n, n_levels, d):
    """NumPy counts these features one by one, kernels some together; sums of one and of several differ in order."""
    X, n_groups = draw(n, d, n_levels).astype(np.uint8), 1_000_000 // n_levels
    group = np.random.default_rng(1).integers(0, n_groups, n)
    entropy = lambda counts: xlogx(counts * 0.7).sum(axis=(0, 2))
    right = LevelCounter(encode_levels(X)).score(entropy, group, n_groups)
    request.getfixturevalue("small")
    for n_jobs in (1, 2):
        np.testing.assert_array_equal(
            LevelCounter(encode_levels(X), n_jobs=n_jobs).score(entropy, group, n_groups), right
        )


def _count_in_child(results):
    results.put(list(threads.run([lambda: 1, lambda: 2], 2)))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_gets_threads_of_its_own():
    assert list(threads.run([lambda: 1, lambda: 2], 2)) == [1, 2]
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=_count_in_child, args=(results,))
    child.start()
    assert results.get(timeout=30) == [1, 2]
    child.join()


def test_threads_that_need_threads_do_the_work_themselves():
    inner = lambda: sum(threads.run([lambda: 1, lambda: 2], 2))
    assert list(threads.run([inner] * 8, 2)) == [3] * 8
