"""Cells that have a type: of pandas, polars, Arrow, Parquet and spreadsheets. Read, or refused by name."""

import datetime
import decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from fslib.tables import TableError, read_table

NAN = float("nan")


def read(cells, **options):
    n = len(cells)
    other, y = [i * 3 % 7 for i in range(n)], ["uv"[i % 2] for i in range(n)]
    options = {"missing_features": "median"} | options
    return read_table(pd.DataFrame({"x": cells, "other": other, "y": y}), "y", **options)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (pd.array([1, None, 3], dtype="Int64"), [1, NAN, 3]),
        (pd.array([1.5, None, 3], dtype="Float32"), [1.5, NAN, 3]),
        (pd.array([True, None, False], dtype="boolean"), [1, NAN, 0]),
        ([True, False, True], [1, 0, 1]),
        (np.array([True, None, False], dtype=object), [1, NAN, 0]),
        (np.array([1, 2, 5], dtype=object), [1, 2, 5]),
        (np.array([1, 2.5, None], dtype=object), [1, 2.5, NAN]),
        ([decimal.Decimal("1.5"), None, decimal.Decimal("2")], [1.5, NAN, 2]),
        (np.array([2**63 + 5, 2**63 + 6, 1], dtype=np.uint64), [2**63 + 5, 2**63 + 6, 1]),
        (np.array([-(2**63), 2**63 - 1, 1]), [-(2**63), 2**63 - 1, 1]),
        (pd.to_timedelta(["1h", None, "30min"]), [3600, NAN, 1800]),
        ([datetime.timedelta(hours=1), None, datetime.timedelta(0)], [3600, NAN, 0]),
        (pd.arrays.SparseArray([0, 0, 5]), [0, 0, 5]),
        (pd.Categorical([1, 2, 5]), [1, 2, 5]),
        (np.array([1, 2, 5], dtype=np.float16), [1, 2, 5]),
        (np.array(["1,5", "2,5", "3"], dtype=object), [1.5, 2.5, 3]),
        (pd.array(["1", "2", None], dtype="string"), [1, 2, NAN]),
    ],
)
def test_numbers_of_every_type(cells, expected):
    assert read(cells).X["x"].tolist() == pytest.approx(expected, nan_ok=True, rel=0, abs=0)


@pytest.mark.parametrize(
    ("cells", "levels"),
    [
        (pd.Categorical(["u", None, "v"], categories=["v", "u", "w"]), ["u", "v", "missing"]),
        (pd.array(["u", None, "v"], dtype="string"), ["u", "v", "missing"]),
        (np.array(["u", "v", "missing"], dtype=object), ["missing", "u", "v"]),
        (np.array(["missing", None, "v"], dtype=object), ["missing", "v", "empty cell"]),
        (pd.interval_range(0, 3), ["(0, 1]", "(1, 2]", "(2, 3]"]),
        ([b"u", b"v", b"u"], ["u", "v"]),
    ],
)
def test_words_of_every_type(cells, levels):
    assert list(read(cells).X)[:-1] == [f"x={level}" for level in levels]


@pytest.mark.parametrize(
    "cells",
    [
        pd.period_range("2024-01", periods=3, freq="M"),
        pd.date_range("2024-01-01", periods=3, tz="Europe/Berlin"),
        [datetime.date(2024, 1, 1), None, datetime.date(2024, 1, 3)],
        [datetime.datetime(2024, 1, 1, 5), None, datetime.datetime(2024, 1, 3)],
        [datetime.time(5, 30), datetime.time(6), datetime.time(7)],
    ],
)
def test_dates_of_every_type(cells):
    assert read(cells).suspects[["column", "kind"]].to_numpy().tolist() == [["x", "date"]]


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ([1 + 2j, 2, 3], "complex"),
        ([[1], [2], [3]], "list"),
        ([{"a": 1}, {}, {}], "dict"),
        ([set(), set(), {1}], "set"),
    ],
)
def test_what_is_neither_number_nor_word_nor_date_is_refused_by_name(cells, kind):
    with pytest.raises(TableError, match=rf"'x' holds .*{kind}.*drop=\['x'\]"):
        read(cells)


def test_whole_numbers_too_long_for_a_number_become_words_that_are_refused():
    with pytest.raises(TableError, match="'x' holds text with 30 different values"):
        read([10**30 + i for i in range(30)])


def test_long_identifiers_stay_apart_on_their_way_through_a_file(tmp_path):
    frame = pd.DataFrame({"x": [2**53 + i for i in range(4)], "other": [3, 1, 4, 1], "y": [*"uvuv"]})
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    for name in ("t.csv", "t.parquet"):
        assert read_table(tmp_path / name, "y", keep="all").X["x"].nunique() == 4


def test_parquet_keeps_types_and_the_index_is_no_column(tmp_path):
    frame = pd.DataFrame(
        {
            "n": pd.array([1, None, 3, 5], dtype="Int64"),
            "d": [decimal.Decimal("1.50"), None, decimal.Decimal("2"), decimal.Decimal("4")],
            "c": pd.Categorical(["u", "v", "u", "v"]),
            "t": pd.date_range("2024-01-01", periods=4),
            "y": [True, False, True, True],
        },
        index=[7, 8, 9, 3],
    )
    frame.to_parquet(tmp_path / "t.parquet")
    table = read_table(tmp_path / "t.parquet", "y", missing_features="median")
    assert list(table.X) == ["n", "d", "c=u", "c=v"] and table.y.tolist() == [1, 0, 1, 1]
    assert table.X["n"].tolist() == pytest.approx([1, NAN, 3, 5], nan_ok=True)
    for content in (b"PAR1, or so", b""):
        (tmp_path / "u.parquet").write_bytes(content)
        with pytest.raises(TableError, match=r"not a parquet file or a broken one.*Write it anew, or as CSV"):
            read_table(tmp_path / "u.parquet", "y")


def test_polars_and_arrow():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(
        {
            "n": [1, None, 3, 8],
            "w": ["u", "v", None, "u"],
            "e": polars.Series(["p", "q", "p", "p"], dtype=polars.Categorical),
            "day": [datetime.date(2024, 1, i) for i in (1, 2, 5, 9)],
            "y": ["a", "b", "a", "b"],
        }
    )
    for source in (frame, frame.to_arrow()):
        table = read_table(source, "y", missing_features="median")
        assert list(table.X) == ["n", "w=u", "w=v", "w=missing", "e=p", "e=q"] and table.y.tolist() == [*"abab"]


def test_names_of_columns_that_are_no_text():
    frame = pd.DataFrame([[1, 2, "u"], [3, 1, "v"]], columns=[0, 1, "y"])
    assert list(read_table(frame, "y", drop=[0]).X) == ["1"]
    two = pd.DataFrame([[1, "u"], [3, "v"]], columns=pd.MultiIndex.from_tuples([("a", "b"), ("y", "")]))
    assert list(read_table(two, "y").X) == ["a b"]
    with pytest.raises(TableError, match="several columns called 'x'"):
        read_table(pd.DataFrame([[1, 2, "u"]], columns=["x", "x", "y"]), "y")


def test_spreadsheets(write_xlsx, failed, day):
    rows = [
        ["a", "b", "c", "d", "when", "y"],
        [1, "x", True, failed("#DIV/0!"), day(43831), "u"],
        [2.5, None, False, 3, day(43832), "v"],
        [None, "z ", True, 4, None, "v"],
        [7, "x", True, 9, day(43840), "u"],
    ]
    path = write_xlsx({"Notes": [["hidden"]], "More": [], "Data": rows}, merged=["A3:A4"], hidden=["Notes"])
    table = read_table(path, "y", missing_features="median")
    assert list(table.X) == ["a", "b=x", "b=z", "b=missing", "c", "d"]
    assert table.X["a"].tolist() == [1, 2.5, 2.5, 7]  # the value of merged cells stands in all of them
    assert table.X["c"].tolist() == [1, 0, 1, 1] and np.isnan(table.X["d"][0])
    assert table.suspects["kind"].tolist() == ["date"]
    assert any("D2 (#DIV/0!)" in note for note in table.notes) and any(
        "'Data' was read" in note for note in table.notes
    )


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "is empty"),
        ([["a", "y"]], "holds no rows"),
        ([["Results", None, None], ["a", 5, "y"], [1, 2, "u"]], "'Results' only in its first row"),
        ([[1, 3, 2], [4, 5, 6]], r"has numbers .* in its first row.*header='none'"),
        ([[1, 2, 3], [4, 5, 6]], r"The first row holds numbers only .*header='none'"),
        ([["a", "a", "y"], [1, 2, "u"]], "several columns called 'a'"),
    ],
)
def test_spreadsheets_that_are_no_tables(write_xlsx, rows, message):
    with pytest.raises(TableError, match=message):
        read_table(write_xlsx({"S": rows}), "y")


def test_a_spreadsheet_without_names(write_xlsx):
    path = write_xlsx({"a": [[5, 3, "u"], [4, 4, "v"], [6, 3, "u"]]})
    table = read_table(path, "column 3", header="none")
    assert table.X.to_dict("list") == {"column 1": [5, 4, 6], "column 2": [3, 4, 3]} and len(table.y) == 3


@pytest.mark.parametrize("name", ["t.parquet", "t.arff"])
def test_header_is_refused_where_a_file_always_has_names(tmp_path, name):
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(TableError, match="header='none' would have no effect"):
        read_table(tmp_path / name, "y", header="none")
    with pytest.raises(TableError, match="header='none' would have no effect"):
        read_table(pd.DataFrame({"x": [1], "y": [0]}), "y", header="none")


def test_a_sheet_by_name(write_xlsx, tmp_path):
    path = write_xlsx({"one": [["a", "y"], [1, "u"], [2, "v"]], "two": [["b", "y"], [3, "u"], [4, "v"]]})
    assert list(read_table(path, "y", sheet="two").X) == ["b"]
    with pytest.raises(TableError, match=r"no sheet 'three'\. It has 'one', 'two'"):
        read_table(path, "y", sheet="three")
    (tmp_path / "u.xlsx").write_text("a,y\n1,u\n")
    with pytest.raises(TableError, match="cannot be opened as a spreadsheet"):
        read_table(tmp_path / "u.xlsx", "y")


def test_libsvm_with_one_label_per_line_has_one_target(write_text):
    table = read_table(write_text("1 1:0.5 3:2\n-1 2:1\n1 1:1\n", "t.svm"))
    assert table.y.tolist() == [1, -1, 1] and table.task == "classification" and table.X.shape == (3, 3)
    several = read_table(write_text("1,2 1:0.5\n2 2:1\n1 1:1\n", "u.libsvm"))
    assert several.task == "multilabel" and several.label_names == ["1", "2"]


def test_arff_dense_and_sparse(write_text):
    remark = "@attribute remark string\n"
    head = f"@relation r\n@attribute n numeric\n@attribute c {{u,v}}\n{remark}@attribute y {{yes,no}}\n@data\n"
    path = write_text(head + "1,u,'first',yes\n?,v,second,no\n3,v,x,yes\n", "t.arff")
    dense = read_table(path, "y", missing_features="median")
    assert list(dense.X) == ["n", "c=u", "c=v"] and dense.y.tolist() == ["yes", "no", "yes"]
    assert any("'remark'" in note for note in dense.notes)
    sparse = read_table(write_text(head.replace(remark, "") + "{0 1}\n{1 v, 2 no}\n", "u.arff"), "y")
    assert sparse.X["n"].tolist() == [1, 0] and sparse.y.tolist() == ["yes", "no"]


DAYS = [datetime.date(2024, 1, 1 + i % 28) for i in range(30)]


@pytest.mark.parametrize(
    "cells",
    [
        pd.array(DAYS, dtype=pd.ArrowDtype(pa.date32())),
        pd.array(DAYS, dtype=pd.ArrowDtype(pa.timestamp("us", "UTC"))),
        pd.Series(DAYS, dtype=object),
        pd.Series(pd.PeriodIndex(DAYS, freq="D")),
    ],
    ids=["date32", "timestamp", "objects", "period"],
)
def test_dates_of_arrow_and_days_since_1970(cells):
    frame = pd.DataFrame({"x": cells, "n": np.arange(30) % 7, "y": ["u", "v", "v"] * 10})
    assert read_table(frame, "y").suspects["kind"].tolist() == ["date"]
    assert read_table(frame, "y", keep=["x"]).X["x"][:2].tolist() == [19723, 19724]


def test_arrow_in_every_form():
    columns = {"x": pa.array([1.5, 2.5, 2.5]), "y": pa.array(["u", "v", "u"])}
    for frame in (pa.table(columns), pa.record_batch(columns)):
        assert read_table(frame, "y").X["x"].tolist() == [1.5, 2.5, 2.5]
    runs = pa.RunEndEncodedArray.from_arrays([1, 3], [1.5, 2.5])
    assert read_table(pa.table(columns | {"x": runs}), "y").X["x"].tolist() == [1.5, 2.5, 2.5]


def test_polars_in_every_form():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"x": pl.Series([1, 5, 2], dtype=pl.Int128), "o": [3, 1, 2], "y": ["u", "v", "u"]})
    assert read_table(frame, "y").X["x"].tolist() == [1, 5, 2]
    with pytest.raises(TypeError, match=r"frame\.collect"):
        read_table(frame.lazy(), "y")
    with pytest.raises(TableError, match="'o' holds cells that are neither numbers nor words"):
        read_table(frame.with_columns(pl.Series("o", [object()] * 3, dtype=pl.Object)), "y")


def test_a_date_that_a_spreadsheet_made_of_a_word_is_named(write_xlsx, day):
    genes = ["MARCH1", "SEPT2", day(45352)]
    rows = [[genes[i % 3], i * 5 % 7, "uvvu"[i % 4]] for i in range(24)]
    with pytest.raises(TableError, match=r"'gene' holds words and the date 2024-03-01 in row 3"):
        read_table(write_xlsx({"s": [["gene", "n", "y"], *rows]}), "y")
