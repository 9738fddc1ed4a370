import numpy as np
import pandas as pd
import pytest

from fslib.tables import TableError, read_table


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
    table = read_table(write(fruit, name), "ripe")
    assert list(table.X) == ["weight", "colour=blue", "colour=green", "colour=red", "n"]
    assert table.X["colour=red"].tolist() == [1, 0, 1, 0]
    assert (table.task, table.y.tolist(), table.views) == ("classification", list("ynyn"), None)
    assert "'colour' became 3 columns" in table.notes[0]


def numbered(n, **columns):
    """A frame with a feature that is not a row number."""
    return pd.DataFrame({"x": np.arange(n) % 7, **columns})


@pytest.mark.parametrize(
    ("y", "task", "expected"),
    [
        (np.arange(30), "auto", "regression"),  # 30 different whole numbers
        (np.arange(30) % 3, "auto", "classification"),
        (np.arange(30) % 3 + 0.5, "auto", "regression"),
        (np.arange(30) % 3, "number", "regression"),  # a whole-number target that shall be a number
        (np.arange(30) % 3 + 0.5, "classes", "classification"),
        (np.arange(30), "classes", "classification"),
        (np.arange(30) % 2 == 0, "auto", "classification"),
        (["a", "b", "c"] * 10, "auto", "classification"),
        (np.arange(30) % 2, "labels", "multilabel"),
    ],
)
def test_kind_of_target(y, task, expected):
    table = read_table(numbered(30, y=y), "y", task=task)
    assert table.task == expected and len(table.y) == 30
    if expected == "regression":
        assert table.y.dtype == float


def test_classes_of_fractions_become_words_that_scikit_learn_takes_for_classes():
    assert read_table(numbered(6, y=[0.5, 1.5] * 3), "y", task="classes").y.tolist() == ["0.5", "1.5"] * 3


def test_fractions_that_could_be_classes_are_mentioned():
    note = lambda y: read_table(numbered(30, y=y), "y").notes
    (sentence,) = note(np.arange(30) % 3 + 0.5)
    assert "'y' holds fractions" in sentence and "3 different values" in sentence and "task='classes'" in sentence
    assert note(np.arange(30) % 3) == note(np.arange(30) / 2) == []
    assert note([0.5] + [1.5, 2.5] * 14 + [1.5]) == []  # a value that occurs once is hardly a class


def test_several_targets_are_labels_with_unknown_cells(write):
    frame = pd.DataFrame({"x": [1, 2, 3], "a": [1, np.nan, 0], "b": ["no", "yes", "yes"], "c": [True, False, True]})
    table = read_table(write(frame), ["a", "b", "c"])
    assert (table.task, table.label_names, table.target) == ("multilabel", ["a", "b", "c"], None)
    np.testing.assert_array_equal(table.y, [[1, 0, 1], [np.nan, 1, 0], [0, 1, 1]])
    assert len(read_table(frame, ["a", "b"], missing_target="drop_rows").y) == 2
    with pytest.raises(TableError, match=r"1 unknown label in 1 row.*missing_target='unknown'"):
        read_table(frame, ["a", "b"], missing_target="error")


def test_views_by_prefix_follow_text_columns(write, fruit):
    table = read_table(write(fruit), "ripe", views=["weight", "colour", "n"])
    assert table.views == {"weight": ["weight"], "colour": ["colour=blue", "colour=green", "colour=red"], "n": ["n"]}
    named = read_table(fruit, "ripe", views={"outside": ["colour", "weight"], "rest": ["n"]}).views
    assert named == {"outside": ["weight", "colour=blue", "colour=green", "colour=red"], "rest": ["n"]}


def test_groups_and_time_are_no_features():
    frame = numbered(20, y=[0, 1] * 10, ward=["a", "b", "b", "c"] * 5, day=pd.date_range("2024-01-01", periods=20))
    table = read_table(frame, "y", groups="ward", time="day")
    assert list(table.X) == ["x"] and table.groups.tolist() == ["a", "b", "b", "c"] * 5
    assert (np.diff(table.time) == 86400).all()
    empty = frame.assign(ward=frame["ward"].where(frame.index > 1))
    with pytest.raises(TableError, match="'ward' is to give the groups and empty in 2 rows"):
        read_table(empty, "y", groups="ward")
    with pytest.raises(TableError, match="'ward' is to give the order in time and holds words"):
        read_table(frame, "y", time="ward")


def test_rows_that_are_left_out_are_left_out_everywhere():
    frame = numbered(20, z=np.arange(20) * 1.5 % 4, y=["a", "b"] * 10, g=[*"pqrst"] * 4, t=np.arange(20) * 2)
    frame.loc[3, "y"], frame.loc[5, "z"] = None, np.nan
    table = read_table(frame, "y", groups="g", time="t", missing_target="drop_rows", missing_features="drop_rows")
    kept = [i for i in range(20) if i not in (3, 5)]
    assert table.X["x"].tolist() == [i % 7 for i in kept] and table.time.tolist() == [2 * i for i in kept]
    assert table.y.tolist() == [["a", "b"][i % 2] for i in kept] and table.groups.tolist() == [
        "pqrst"[i % 5] for i in kept
    ]


def test_empty_cells(write, fruit):
    fruit.loc[1, "weight"] = np.nan
    fruit.loc[2, "colour"] = None
    path = write(fruit)
    with pytest.raises(TableError, match=r"empty cells in 2 columns: 'weight' \(1\), 'colour' \(1\).*'median'"):
        read_table(path, "ripe")
    assert read_table(path, "ripe", missing_features="drop_rows").X["n"].tolist() == [1, 4]
    kept = read_table(path, "ripe", missing_features="median").X  # filled later, from training rows only
    assert kept["weight"].isna().tolist() == [False, True, False, False]
    assert kept["colour=missing"].tolist() == [0, 0, 1, 0]


def test_an_empty_column_does_not_cost_all_rows(fruit):
    table = read_table(fruit.assign(remark=np.nan), "ripe", missing_features="drop_rows")
    assert len(table.X) == 4 and table.suspects["kind"].tolist() == ["empty"]


@pytest.mark.parametrize(
    ("change", "arguments", "message"),
    [
        ({}, {"target": "rip"}, "no column 'rip'.*Did you mean 'ripe'"),
        ({}, {"target": "Ripe"}, "no column 'Ripe'.*Did you mean 'ripe'"),
        ({}, {"target": "ripe", "drop": ["colr"]}, "no column 'colr'"),
        ({}, {"target": "ripe", "groups": "tree"}, r"no column 'tree' \(groups\)"),
        ({}, {"target": "ripe", "views": ["w"]}, "'colour', 'n' belong to no view"),
        ({}, {"target": "ripe", "views": ["weight", "colour", "n", "zzz"]}, "No column starts with .* 'zzz'"),
        (
            {},
            {"target": "ripe", "views": ["weight", "colour", "col", "n"]},
            "'colour' +belongs to the views",
        ),
        ({}, {"target": "ripe", "missing_features": "guess"}, "missing_features must be one of"),
        ({}, {"target": "ripe", "missing_target": "median"}, "missing_target must be one of"),
        ({}, {"target": "ripe", "missing_target": "unknown"}, "unknown rows are of use with several label columns"),
        ({}, {"target": "ripe", "task": "clusters"}, "task must be one of"),
        ({}, {"target": "ripe", "task": "number"}, "holds words, such as 'n'; a number was asked for"),
        ({}, {"target": ["ripe", "n"]}, r"labels are 1, 0 or empty"),
        ({}, {"target": []}, "at least one target"),
        ({}, {"target": ["ripe", "ripe"]}, "target names a column twice"),
        ({}, {"target": "ripe", "drop": ["ripe"]}, "'ripe' is named both as target and as drop"),
        ({"ripe": "y"}, {"target": "ripe"}, "one value only"),
        ({"ripe": ["y", None, "n", "n"]}, {"target": "ripe"}, "empty in 1 row.*drop_rows"),
        ({"ripe": None}, {"target": "ripe", "missing_target": "drop_rows"}, "empty throughout"),
        ({"weight": [1.0, np.inf, 2, 3]}, {"target": "ripe"}, r"'weight' holds numbers, but not in row 2 \('inf'\)"),
        (
            {"weight": [np.nan, 1, np.nan, 2], "n": [1, None, 2, None]},
            {"target": "ripe", "missing_features": "drop_rows"},
            "every row",
        ),
    ],
)
def test_what_is_wrong_is_said(write, fruit, change, arguments, message):
    with pytest.raises(TableError, match=message):
        read_table(write(fruit.assign(**change)), **arguments)


@pytest.mark.parametrize("argument", ["drop", "keep", "views", "text"])
@pytest.mark.parametrize("value", ["n", "weight,n", "['n']"])
def test_text_where_a_list_is_meant_is_refused_with_a_word_about_papermill(fruit, argument, value):
    """Its letters would be taken for names: drop='ab' left out a and b and kept ab."""
    with pytest.raises(TableError, match=rf"{argument}=.* is text, where a list of names is meant.*-y "):
        read_table(fruit, "ripe", **{argument: value})


def test_a_list_of_targets_as_text_is_refused():
    with pytest.raises(TableError, match=r"Write target=\['a', 'b'\]"):
        read_table(pd.DataFrame({"x": [1, 2], "a": [0, 1], "b": [1, 0]}), "[a, b]")


def test_long_text_is_refused(write):
    frame = numbered(25, name=[f"person {i}" for i in range(25)], y=[0, 1] * 12 + [0])
    with pytest.raises(TableError, match=r"'name' holds text with 25 different values.*Drop it"):
        read_table(write(frame), "y")
    repeated = numbered(50, house=[f"house {i // 2}" for i in range(50)], y=[0, 1, 1, 0, 1] * 10)
    with pytest.raises(TableError, match="pass groups='house'"):
        read_table(repeated, "y")


@pytest.mark.parametrize("other", [{"colour=red": [1, 0, 0, 1]}, {"colour=blue": [*"abab"]}])
def test_made_up_names_that_meet_existing_ones_are_refused(fruit, other):
    with pytest.raises(TableError, match=r"'colour=\w+' has the name that a level of .* 'colour' would get"):
        read_table(fruit.assign(**other), "ripe")


def test_a_wrong_path_names_the_tables_beside_it(write, fruit, monkeypatch):
    path = write(fruit, "fruit.csv")
    with pytest.raises(FileNotFoundError, match=r"no file .*fruits\.csv.*fruit\.csv"):
        read_table(path.with_name("fruits.csv"), "ripe")
    monkeypatch.setenv("HOME", str(path.parent))
    assert len(read_table("~/fruit.csv", "ripe").X) == 4


def test_a_frame_is_read_and_left_as_it_is(fruit):
    before = fruit.copy(deep=True)
    read_table(fruit, "ripe")
    pd.testing.assert_frame_equal(fruit, before)
    with pytest.raises(TypeError, match="a path or a DataFrame"):
        read_table(fruit.to_numpy(), "ripe")
