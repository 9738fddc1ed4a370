import numpy as np
import pandas as pd
import pytest

from fslib.datasets.tables import table_from_file


@pytest.fixture
def write(tmp_path):
    def to_file(frame, name="table.csv"):
        path = tmp_path / name
        frame.to_parquet(path) if path.suffix == ".parquet" else frame.to_csv(path, index=False)
        return path

    return to_file


@pytest.fixture
def fruit():
    return pd.DataFrame(
        {
            "weight": [120.5, 80, 95, 70],
            "colour": ["red", "green", "red", "blue"],
            "n": [1, 2, 3, 4],
            "ripe": list("ynyn"),
        }
    )


@pytest.mark.parametrize("name", ["fruit.csv", "fruit.parquet"])
def test_text_becomes_one_column_per_level(write, fruit, name):
    table = table_from_file(write(fruit, name), "ripe")
    assert list(table.X) == ["weight", "colour=blue", "colour=green", "colour=red", "n"]
    assert table.X["colour=red"].tolist() == [1, 0, 1, 0]
    assert (table.task, table.y.tolist(), table.views) == ("classification", list("ynyn"), None)
    assert "'colour' became 3 columns" in table.notes[0]


def test_kind_of_target(write):
    X = np.arange(30)
    kind = lambda y: table_from_file(write(pd.DataFrame({"x": X, "y": y})), "y").task
    assert kind(X) == "regression"  # 30 distinct whole numbers
    assert kind(X % 3) == "classification"
    assert kind(X % 3 + 0.5) == "regression"


def test_fractions_that_could_be_classes_are_mentioned(write):
    note = lambda y: table_from_file(write(pd.DataFrame({"x": np.arange(30), "y": y})), "y").notes
    (sentence,) = note(np.arange(30) % 3 + 0.5)
    assert "'y' holds fractions" in sentence and "3 different values" in sentence and "as words" in sentence
    assert note(np.arange(30) % 3) == note(np.arange(30) / 2) == []
    assert note([0.5] + [1.5, 2.5] * 14 + [1.5]) == []  # a value that occurs once is hardly a class


def test_several_targets_are_labels_with_unknown_cells(write):
    frame = pd.DataFrame({"x": [1, 2, 3], "a": [1, np.nan, 0], "b": [0, 1, 1]})
    table = table_from_file(write(frame), ["a", "b"])
    assert table.task == "multilabel"
    np.testing.assert_array_equal(table.y, [[1, 0], [np.nan, 1], [0, 1]])


def test_views_by_prefix_follow_text_columns(write, fruit):
    table = table_from_file(write(fruit), "ripe", views=["weight", "colour", "n"])
    assert table.views == {"weight": ["weight"], "colour": ["colour=blue", "colour=green", "colour=red"], "n": ["n"]}


def test_empty_cells(write, fruit):
    fruit.loc[1, "weight"] = np.nan
    fruit.loc[2, "colour"] = None
    path = write(fruit)
    with pytest.raises(
        ValueError, match=r"2 columns have empty cells: 'weight' \(1\), 'colour' \(1\).*missing='median'"
    ):
        table_from_file(path, "ripe")
    assert table_from_file(path, "ripe", missing="drop_rows").X["n"].tolist() == [1, 4]
    kept = table_from_file(path, "ripe", missing="median").X  # filled later, from training rows only
    assert kept["weight"].isna().tolist() == [False, True, False, False]
    assert kept["colour=missing"].tolist() == [0, 0, 1, 0]


@pytest.mark.parametrize(
    ("change", "arguments", "message"),
    [
        ({}, {"target": "rip"}, "no column 'rip'.*Did you mean 'ripe'"),
        ({}, {"target": "ripe", "drop": ["colr"]}, "no column 'colr'"),
        ({}, {"target": "ripe", "views": ["w"]}, "'colour' belongs to no view"),
        ({}, {"target": "ripe", "views": ["zzz"]}, "No column starts with the view prefix 'zzz'"),
        ({}, {"target": "ripe", "missing": "guess"}, "missing must be one of"),
        ({}, {"target": ["ripe", "n"]}, r"labels are 1, 0 or empty"),
        ({}, {"target": []}, "at least one target"),
        ({}, {"target": ["ripe", "ripe"]}, "target names a column twice"),
        ({"ripe": "y"}, {"target": "ripe"}, "one value only"),
        ({"ripe": ["y", None, "n", "n"]}, {"target": "ripe"}, "empty in 1 rows.*drop_rows"),
        ({"weight": [1.0, np.inf, 2, 3]}, {"target": "ripe"}, "'weight' holds infinite"),
    ],
)
def test_what_is_wrong_is_said(write, fruit, change, arguments, message):
    with pytest.raises(ValueError, match=message):
        table_from_file(write(fruit.assign(**change)), **arguments)


def test_long_text_is_refused(write):
    frame = pd.DataFrame({"name": [f"person {i}" for i in range(25)], "y": [0, 1] * 12 + [0]})
    with pytest.raises(ValueError, match=r"'name' holds text with 25 different values.*Drop it"):
        table_from_file(write(frame), "y")


def test_wrong_path_names_the_tables_beside_it(write, fruit):
    path = write(fruit, "fruit.csv")
    with pytest.raises(FileNotFoundError, match=r"no file .*fruits\.csv.*fruit\.csv"):
        table_from_file(path.with_name("fruits.csv"), "ripe")
    with pytest.raises(ValueError, match="kind of file is unknown"):
        table_from_file(path.with_suffix(".xlsx"), "ripe")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.csv", b"", "is empty; its first line must name the columns"),
        ("t.csv", b"\n\n", "is empty"),
        ("t.csv", b"x,y\n", "holds no rows"),
        ("t.csv", "größe,y\n1,2\n".encode("latin-1"), "not text in UTF-8; save it again"),
        ("t.csv", "x,y\n1,größe\n".encode("latin-1"), "not text in UTF-8; save it again"),
        ("t.csv", b"x;y\n1;2\n", "separated by ';', not ','; save it with commas"),
        ("t.csv", b"x;y\n1,5;2\n1,5;2,5\n", "separated by ';'"),
        ("t.tsv", b"x,y\n1,2\n", "separated by ',', not .*; save it with tabs"),
        ("t.csv", b"x,x,y\n1,2,3\n", "several columns called 'x'; rename them"),
        ("t.csv", b"x,y\n1,2\n1,2,3,4\n", "is no table .*line 3.*as many cells as the header"),
        ("t.parquet", b"PAR1, or so", "no parquet file or a broken one.*write it anew, or as CSV"),
        ("t.parquet", b"", "no parquet file or a broken one"),
    ],
)
def test_a_file_that_is_no_table_is_explained_in_one_sentence(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=message) as caught:
        table_from_file(tmp_path / name, "y")
    assert type(caught.value) is ValueError and str(tmp_path / name) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_quoted_names_and_a_byte_order_mark_are_read(tmp_path):
    (tmp_path / "t.csv").write_bytes('\ufeff"a;b","c, d",y\n1,2,x\n3,4,z\n'.encode())
    assert list(table_from_file(tmp_path / "t.csv", "y").X) == ["a;b", "c, d"]
