"""Rows read from disk block by block: every selector gives what it gives in memory, bit for bit."""

import tracemalloc

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal
from sklearn.datasets import load_wine
from sklearn.preprocessing import KBinsDiscretizer

from fslib.counts.counter import LevelCounter
from fslib.counts.parts import PartCounter
from fslib.counts.readers import TableReader
from fslib.counts.rowblocks import RowBlocks
from fslib.counts.vocabulary import Vocabulary
from fslib.counts.words import CodedWords
from fslib.filters import (
    MRMR,
    BayesExhaustive,
    BayesGreedy,
    BayesScore,
    Discretized,
    InformationGreedy,
    MIGreedy,
    MIScore,
)
from fslib.filters.search import problem

pytestmark = pytest.mark.filterwarnings("ignore::fslib.filters.OutOfInformationWarning")

SELECTORS = [
    MIScore(),
    BayesScore("auc"),
    BayesGreedy(),
    BayesGreedy("f_beta", order=2),
    MIGreedy(),
    MIGreedy(order=2),
    MRMR(),
    InformationGreedy("jmi"),
]


def data(n=400, d=9, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    X = rng.integers(0, [2, 4, 4, 9, 12, 2, 30, 1, 4], (n, d)) * [1, 1, 3, 1, 1, -1, 1, 1, 1000]
    return np.where(rng.random((n, d)) < np.linspace(0, 0.4, d), X.min(axis=0) * (y[:, None] == 1), X), y


def results(selector):
    names = ("ranking_", "scores_", "criterion_values_", "n_tied_", "relevance_", "classes_", "support_")
    return {name: getattr(selector, name) for name in names if getattr(selector, name, None) is not None}


def assert_same(found, expected):
    expected = results(expected)
    assert set(results(found)) == set(expected)
    for name, value in results(found).items():
        assert_array_equal(value, expected[name], err_msg=name)


@pytest.mark.parametrize("selector", SELECTORS, ids=repr)
@pytest.mark.parametrize("memory", [2**30, 4000], ids=["one pass", "many passes"])
@pytest.mark.parametrize("tall", [False, True])
def test_equals_memory(monkeypatch, selector, memory, tall):
    X, y = data()
    if tall:
        monkeypatch.setattr(LevelCounter, "_tall", 8)
        monkeypatch.setattr(PartCounter, "_tall", 8)
    selector.set_params(n_features_to_select=6)
    expected = results(selector.fit(X, y))
    source = RowBlocks(X, y)
    source.memory, source._reader.n_rows = memory, 37
    found = results(selector.fit(source, None))
    for name, value in found.items():
        assert_array_equal(value, expected[name], err_msg=name)
    assert set(found) == set(expected)


@pytest.fixture
def folder(tmp_path):
    """Parquet files of text, numbers and categories, several row groups in each."""
    X, y = data()
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(9)])
    frame["f1"] = np.array(["low", "mid", "high", "very"])[frame["f1"].abs()]
    frame["f2"] = frame["f2"].astype(float)
    frame["f5"] = frame["f5"] == 0
    frame["class"] = np.array(["a", "b", "c"])[y]
    for i in range(3):
        part = pa.Table.from_pandas(frame[i * 150 : (i + 1) * 150], preserve_index=False)
        part = part.set_column(8, "f8", part["f8"].dictionary_encode())
        pq.write_table(part, tmp_path / f"part{i}.parquet", row_group_size=40)
    return tmp_path, frame


def test_a_parquet_folder_equals_its_frame(folder):
    path, frame = folder
    X, y = frame.drop(columns="class"), frame["class"]
    for selector in (MRMR(n_features_to_select=4), MIScore(n_features_to_select=4)):
        expected = MRMR(n_features_to_select=4) if isinstance(selector, MRMR) else MIScore(n_features_to_select=4)
        expected.fit(X, y)
        for source in (path, str(path), ds.dataset(path)):
            assert_same(selector.fit_blocks(source, "class"), expected)
        assert_array_equal(selector.feature_names_in_, X.columns)
        assert_array_equal(selector.get_feature_names_out(), expected.get_feature_names_out())
        assert selector.transform(X).shape == (400, 4)


def test_pairs_of_blocks_and_memory_maps(tmp_path):
    X, y = data()
    expected = MIGreedy(n_features_to_select=5, order=2).fit(X, y)
    pairs = [(X[i : i + 70], y[i : i + 70]) for i in range(0, 400, 70)]
    assert_same(MIGreedy(n_features_to_select=5, order=2).fit_blocks(pairs), expected)
    frames = [(pd.DataFrame(part), labels) for part, labels in pairs]
    assert_same(MIGreedy(n_features_to_select=5, order=2).fit_blocks(frames), expected)
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    assert_same(MIGreedy(n_features_to_select=5, order=2).fit_blocks(mapped, y), expected)
    assert_same(MIGreedy(n_features_to_select=5, order=2).fit(mapped, y), expected)


def test_memory_does_not_grow_with_the_table(tmp_path):
    """The table would take 16 MB as codes and 32 MB as numbers."""
    n, d = 200_000, 80
    rng = np.random.default_rng(0)
    X = np.lib.format.open_memmap(tmp_path / "X.npy", mode="w+", dtype=np.int16, shape=(n, d))
    y = rng.integers(0, 2, n)
    for start in range(0, n, 10_000):
        X[start : start + 10_000] = rng.integers(0, 4, (10_000, d))
    tracemalloc.start()
    MIScore(n_features_to_select=3).fit_blocks(X, y, memory=4 << 20)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < (4 << 20) + 24 * n + 4_000_000, f"{peak / 1e6:.1f} MB"


@pytest.mark.parametrize(
    ("kind", "n", "d", "memory", "options"),
    [
        (np.uint8, 200_000, 40, 16 << 20, {}),
        (float, 200_000, 40, 64 << 20, {"use_dictionary": False}),
        (
            np.int64,
            1_000_000,
            10,
            256 << 20,
            {"use_dictionary": False, "data_page_size": 1 << 30, "max_rows_per_page": 1 << 30},
        ),
    ],
    ids=["codes", "numbers", "a page for each column"],
)
def test_a_row_group_as_long_as_the_file_is_not_decoded_as_a_whole(monkeypatch, tmp_path, kind, n, d, memory, options):
    """Of millions of values in one row group, 58 to 100 MB decoded, Arrow holds what an eighth of the budget allows."""
    held = []
    columns = {f"f{j}": np.arange(n).astype(kind) // (j + 1) % 4 for j in range(d)}
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table({**columns, "class": np.arange(n) % 2}), path, row_group_size=n, **options)
    assert pq.ParquetFile(path).num_row_groups == 1
    del columns
    before, read = pa.total_allocated_bytes(), TableReader._array

    def note(self, column, name):
        held.append(pa.total_allocated_bytes() - before)
        return read(self, column, name)

    monkeypatch.setattr(TableReader, "_array", note)
    MIScore(n_features_to_select=3).fit_blocks(path, "class", memory=memory)
    assert 0 < max(held) < memory // 8 + 8 * n  # the classes take 8 bytes a row


class Counted:
    """Blocks, and how often they were read."""

    def __init__(self, X, y):
        self.pairs, self.n_read = [(X[i : i + 50], y[i : i + 50]) for i in range(0, len(X), 50)], 0

    def __iter__(self):
        self.n_read += 1
        yield from self.pairs


def test_what_fits_is_read_twice_and_no_more():
    X, y = data()
    source = Counted(X, y)
    expected = MRMR(n_features_to_select=6).fit(X, y)
    assert_same(MRMR(n_features_to_select=6).fit_blocks(source), expected)
    assert source.n_read == 2
    source = RowBlocks(Counted(X, y))
    source.memory = 6000  # half of it keeps some of the columns
    found = MRMR(n_features_to_select=6).fit(source, None)
    assert_same(found, expected)
    assert source._kept._blocks and source._reader.pairs.n_read > 6


def test_names_of_folders_are_columns(tmp_path):
    X, y = data()
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(9)]).assign(year=np.arange(400) // 100, y=y)
    for year, part in frame.groupby("year"):
        (tmp_path / f"year={year}").mkdir()
        part.drop(columns="year").to_parquet(tmp_path / f"year={year}" / "part.parquet")
    source = ds.dataset(tmp_path, partitioning="hive")
    columns = [name for name in source.schema.names if name != "y"]
    expected = MIScore(n_features_to_select=3).fit(frame[columns], frame["y"])
    assert "year" in columns
    assert_same(MIScore(n_features_to_select=3).fit_blocks(source, "y"), expected)


def test_a_table_of_text_is_a_source(tmp_path):
    X, y = data()
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(9)]).assign(y=y)
    frame.to_csv(tmp_path / "table.csv", index=False)
    expected = MIScore(n_features_to_select=3).fit(frame.drop(columns="y"), y)
    assert_same(MIScore(n_features_to_select=3).fit_blocks(ds.dataset(tmp_path, format="csv"), "y"), expected)


@pytest.mark.parametrize("selector", SELECTORS, ids=repr)
def test_measurements_are_cut_as_in_memory(selector, tmp_path):
    X, y = load_wine(return_X_y=True, as_frame=True)
    X["skewed"] = np.exp(3 * X["alcohol"])  # no value below mean - std: two levels
    selector.set_params(n_features_to_select=5)
    expected = Discretized(selector).fit(X, y)
    X.assign(y=y).to_parquet(tmp_path / "wine.parquet", row_group_size=50)
    pairs = [(X[i : i + 60], y[i : i + 60]) for i in range(0, len(X), 60)]
    for source, classes in ((tmp_path / "wine.parquet", "y"), (pairs, None), (X.to_numpy(), y)):
        found = Discretized(selector).fit_blocks(source, classes, memory=1 << 20)
        assert_same(found.selector_, expected.selector_)
        assert_array_equal(found.discretizer_.cuts_, expected.discretizer_.cuts_)
        same = X if hasattr(found, "feature_names_in_") else X.to_numpy()
        assert_array_equal(found.transform(same), X.to_numpy()[:, expected.support_])
    with pytest.raises(ValueError, match="KBinsDiscretizer does not cut rows in parts"):
        Discretized(selector, discretizer=KBinsDiscretizer()).fit_blocks(pairs)


@pytest.mark.parametrize("criterion", ["balanced", "log"])
def test_large_tables_are_counted_alike_where_pure_samples_stay(monkeypatch, criterion):
    """Memory forbids packing the samples that are left; which tables count as mostly empty must not depend on that."""
    monkeypatch.setattr(problem, "MAX_TABLE", 4000)  # as if there were a hundred times the rows
    monkeypatch.setattr(PartCounter, "_tall", LevelCounter._tall)
    rng = np.random.default_rng(5)
    X = rng.integers(0, 8, (3000, 200)).astype(np.uint8)
    y = np.where(rng.random(3000) < 0.6, X[:, 0] % 5, rng.integers(0, 5, 3000))
    selector = BayesGreedy(criterion, n_features_to_select=5)
    expected = selector.fit(X, y).criterion_values_
    assert_array_equal(selector.fit_blocks(X, y, memory=1 << 20).criterion_values_, expected)


class Growing:
    """A source that gives more blocks, or longer ones, the second time, or fewer."""

    def __init__(self, blocks, rows):
        self.blocks, self.rows, self.n_read = blocks, rows, 0

    def __iter__(self):
        i, self.n_read = min(self.n_read, 1), self.n_read + 1
        for _ in range(self.blocks[i]):
            yield np.arange(2 * self.rows[i]).reshape(-1, 2) % 2, np.arange(self.rows[i]) % 2


class Changing:
    """A source that gives other rows the second time."""

    def __init__(self):
        self.seen = 0

    def __iter__(self):
        self.seen += 1
        yield np.full((4, 2), self.seen), np.array([0, 1, 0, 1])


@pytest.mark.parametrize(
    ("source", "y", "message"),
    [
        (iter([]), None, "generator can be read once only"),
        ([], None, "no rows"),
        ([(np.ones((3, 2), dtype=int), [0, 1])], None, "3 rows and 2 classes"),
        ([(np.ones((2, 2)), [0, 1]), (np.ones((2, 3)), [0, 1])], None, "3 columns, the first one 2"),
        ([(np.array([[1.0, np.nan], [1, 2]]), [0, 1])], None, "NaN, None or infinity in column 1"),
        ([(np.random.default_rng(0).normal(size=(50, 2)), np.arange(50) % 2)], None, "ThreeLevelDiscretizer"),
        ([(np.ones((2, 2)), [0, 1]), (np.full((2, 2), "a"), [0, 1])], None, "numbers in one block and text"),
        ([(np.ones((2, 2)), [1, 1])], None, "one class only"),
        (np.ones((3, 2)), None, "one class for each of the 3 rows"),
        (np.ones(3), np.ones(3), "two-dimensional"),
        (Growing((2, 3), (4, 4)), None, "more blocks of rows"),
        (Growing((3, 2), (4, 4)), None, "fewer blocks of rows"),
        (Growing((2, 2), (4, 6)), None, "6 rows, 4 in the first pass"),
        (Changing(), None, "was not there in the first pass"),
        (None, None, "source=None must be a Parquet file"),
        (pd.DataFrame({"a": [0, 1]}), [0, 1], "DataFrame is in memory as a whole"),
        (sp.csr_array(np.eye(2)), [0, 1], "sparse matrix is in memory as a whole"),
        ([np.ones((2, 2)), np.ones((2, 2))], None, "pairs .* but gives ndarray"),
        ({"a": 1}, None, "but gives str"),
        ([(sp.csr_array(np.eye(2)), [0, 1])], None, "a block is sparse"),
        ([(np.ones(2), [0, 1])], None, "two-dimensional"),
        ([(np.ones((2, 2)), np.eye(2))], None, "one class per row"),
        ([(np.ones((2, 1)), np.array([0, 1], "M8[D]")), (np.ones((2, 1)), ["a", "b"])], None, "holds dates and text"),
        (
            [(np.ones((2, 1)), [0, 1]), (np.ones((2, 1)), ["a", "b"])],
            None,
            "y holds numbers and text",
        ),
        (
            [(pd.DataFrame({"a": [0], "b": [1]}), [0]), (pd.DataFrame({"b": [0], "a": [1]}), [1])],
            None,
            "are b, a, those of the first one a, b",
        ),
        ([(pd.DataFrame({"a": [0]}), [0]), (np.ones((1, 1)), [1])], None, "are unnamed, those of the first one a"),
        (np.ones((2, 2)), np.eye(2), r"got shape \(2, 2\)"),
        (np.ones((2, 2)) + 1j, [0, 1], "complex"),
        (np.ones((2, 0)), [0, 1], "no features"),
        (np.ma.masked_equal([[1, 2], [1, 1]], 2), [0, 1], "X has 1 masked entry"),
        (np.ones((2, 2)), np.ma.masked_equal([0, 1], 1), "y has 1 masked entry"),
    ],
)
def test_bad_sources(source, y, message):
    with pytest.raises(ValueError, match=message):
        MIScore().fit_blocks(source, y)


def test_bad_parquet(folder):
    path, frame = folder
    with pytest.raises(ValueError, match="'klass' is not a column"):
        MIScore().fit_blocks(path, "klass")
    with pytest.raises(ValueError, match="the name of the column of the classes, got ndarray"):
        MIScore().fit_blocks(path, np.arange(400))
    frame.drop(columns="f4")[300:].to_parquet(path / "part2.parquet")
    with pytest.raises(ValueError, match="no column 'f4'"):
        MIScore().fit_blocks(path, "class")
    frame.loc[390, "f3"] = None
    frame[300:].to_parquet(path / "part2.parquet")
    with pytest.raises(ValueError, match="'f3' has 1 missing"):
        MIScore().fit_blocks(ds.dataset([path / "part2.parquet"]), "class")


def test_what_is_no_parquet(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such file or folder"):
        MIScore().fit_blocks(tmp_path / "none.parquet", "y")
    with pytest.raises(ValueError, match="holds no Parquet file"):
        MIScore().fit_blocks(tmp_path, "y")
    frame = pd.DataFrame({"a": [0, 1, 0, 1], "y": [0, 1, 0, 1]})
    frame.to_csv(tmp_path / "table.csv", index=False)
    with pytest.raises(ValueError, match="cannot be read as Parquet"):
        MIScore().fit_blocks(tmp_path / "table.csv", "y")
    assert MIScore(n_features_to_select=1).fit_blocks(ds.dataset(tmp_path / "table.csv", format="csv"), "y").scores_ > 0
    frame[["y"]].to_parquet(tmp_path / "no_feature.parquet")
    with pytest.raises(ValueError, match="no feature beside y='y'"):
        MIScore().fit_blocks(tmp_path / "no_feature.parquet", "y")
    frame.assign(a=[[1, 2]] * 4).to_parquet(tmp_path / "lists.parquet")
    with pytest.raises(ValueError, match="'a' holds list"):
        MIScore().fit_blocks(tmp_path / "lists.parquet", "y")


@pytest.mark.parametrize("memory", ["1GB", 1000, -1, True, np.nan, np.inf])
def test_memory_is_a_number_of_bytes(memory):
    with pytest.raises(ValueError, match="must be a number of bytes"):
        MIScore().fit_blocks(*data(), memory=memory)


def test_names_of_frames_in_blocks():
    X = pd.DataFrame({"a": [0, 1, 0, 1], "b": [0, 0, 1, 1]})
    blocks = [(X[:2], [0, 1]), (X[2:], [0, 1])]
    for selector in (MIScore(n_features_to_select=1), Discretized(MIScore(n_features_to_select=1))):
        assert selector.fit_blocks(blocks).get_feature_names_out().tolist() == ["a"]


@pytest.mark.parametrize("name", ["dtype", "ndim", "shape", "columns"])
def test_frames_with_columns_named_as_attributes(name):
    X = pd.DataFrame({name: [0, 1, 0, 1], "b": [0, 0, 1, 1]})
    assert MIScore(n_features_to_select=1).fit_blocks([(X, [0, 1, 0, 1])]).get_feature_names_out().tolist() == [name]
    with pytest.raises(ValueError, match="complex"):
        MIScore().fit_blocks([(X.assign(b=1j), [0, 1, 0, 1])])


@pytest.mark.parametrize(
    "selector",
    [BayesGreedy(direction="backward"), BayesExhaustive(n_features_to_select=2), BayesGreedy("squared")],
    ids=repr,
)
def test_searches_that_need_all_rows_say_so(selector):
    with pytest.raises(ValueError, match="in memory"):
        selector.fit_blocks(*data())


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int16(), pa.string())])
def test_text_is_coded_as_in_memory(tmp_path, kind):
    """Words new in a later block, words that only the file's own list has, and files that do not code words at all."""
    rng = np.random.default_rng(0)
    n = 3000
    words = np.array(["ä", "", "b", "A", "10", "9"])[np.minimum(rng.integers(0, 6, n), np.arange(n) // 500)]
    frame = pd.DataFrame({"w": words, "v": np.where(rng.random(n) < 0.7, words, "b"), "x": rng.integers(0, 3, n)})
    frame["y"] = np.where((words == "b") ^ (rng.random(n) < 0.2), "yes", "no")
    table = pa.Table.from_pandas(frame, preserve_index=False)
    for name in ("w", "v"):
        coded = table[name].combine_chunks().dictionary_encode()
        listed = pa.array(["never", *coded.dictionary.to_pylist()])
        column = pa.DictionaryArray.from_arrays(pa.array(coded.indices.to_numpy() + 1, pa.int16()), listed)
        table = table.set_column(
            table.schema.get_field_index(name), name, column if "dict" in str(kind) else column.cast(kind)
        )
    expected = MIScore(n_features_to_select=2).fit(frame.drop(columns="y"), frame["y"])
    for i, use_dictionary in enumerate([True, False]):
        path = tmp_path / f"{i}.parquet"
        pq.write_table(table, path, row_group_size=700, use_dictionary=use_dictionary)
        found = MIScore(n_features_to_select=2).fit_blocks(path, "y", memory=1 << 20)
        assert_same(found, expected)
        source = RowBlocks(path, "y")
        levels = source.encode()[0].n_levels
        assert levels.tolist() == [frame[name].nunique() for name in ("w", "v", "x")]


def test_text_where_numbers_are_needed_is_named(tmp_path):
    frame = pd.DataFrame({"x": ["1.5", "2.5", "red"] * 10, "y": [0, 1, 1] * 10})
    frame.to_parquet(tmp_path / "t.parquet")
    with pytest.raises(ValueError, match=r"Column 'x' of X holds what is no number .*'red'"):
        Discretized(MIScore()).fit_blocks(tmp_path / "t.parquet", "y")
    with pytest.raises(ValueError, match=r"column 'x' has 1 missing values"):
        frame.assign(x=["a", None, "b"] * 10).iloc[:4].to_parquet(tmp_path / "t.parquet")
        MIScore(n_features_to_select=1).fit_blocks(tmp_path / "t.parquet", "y")


def test_words_that_the_first_pass_has_not_seen(tmp_path):
    words = Vocabulary("'w'")
    words.add(CodedWords(np.array([0, 1, 0]), ["u", "v"]))
    words.close()
    assert words.encode(CodedWords(np.array([1, 0, 1]), ["v", "u"])).tolist() == [0, 1, 0]
    with pytest.raises(ValueError, match="Column 'w' of X holds 'z', which was not there in the first pass"):
        words.encode(CodedWords(np.array([1, 0]), ["z", "u"]))
