"""Rows that are not samples, names that meet, and arguments that are none."""

import numpy as np
import pandas as pd
import pytest

from fslib.tables import TableError, read_table

FILL = {"missing_features": "median"}


def said(table, words):
    return pd.Series(table.notes, dtype=str).str.contains(words, regex=False).any()


@pytest.mark.parametrize("units", ["mm,kg,-", "[mm],[kg],", "10^9/L,mm3,", ",kg,"])
def test_a_row_of_units_is_left_out_with_a_note(write_text, units):
    table = read_table(write_text(f"x,n,y\n{units}\n1.5,0,u\n2,3,v\n3,6,u\n4,2,v\n"), "y")
    assert table.X.to_numpy().tolist() == [[1.5, 0], [2, 3], [3, 6], [4, 2]] and said(table, "holds units")
    assert list(table.y) == list("uvuv")


@pytest.mark.parametrize("row", ["n/k,3,u", "12 mg,kg,", "<0.5,kg,", "mm,kg,u"])
def test_other_first_rows_are_not_taken_for_units(write_text, row):
    """They hold a number, a measured value, or a class that other rows have too."""
    with pytest.raises(TableError, match="holds numbers, but not in row 1"):
        read_table(write_text(f"x,n,y\n{row}\n1.5,0,u\n2,3,v\n3,6,u\n4,2,v\n"), "y")


ROWS = [("a", 3, 1.0, 0), ("b", 5, 2.5, 1), ("a", 1, 4.0, 0), ("b", 7, 0.5, 1)]


@pytest.mark.parametrize(
    "last",
    [
        [("Total", 16, 8.0, None)],
        [("Sum:", 16, 8.0, 2)],
        [("Mean", 4, 2.0, 0.5), ("SD", 2.58, 1.58, 0.58)],
        [("Mittelwert", 4, 2.0, 0.5)],
    ],
)
def test_rows_that_sum_up_are_left_out_with_a_note(last):
    frame = pd.DataFrame([*ROWS, *last], columns=["g", "x", "z", "y"])
    table = read_table(frame, "y", keep="all")
    assert len(table.X) == 4 and said(table, "up those above") and table.task == "classification"


def test_a_row_named_like_a_sum_that_is_none_stays_and_is_mentioned():
    frame = pd.DataFrame([*ROWS, ("Total", 2, 9.0, 1)], columns=["g", "x", "z", "y"])
    table = read_table(frame, "y", keep="all")
    assert len(table.X) == 5 and said(table, "may sum up those above")


def test_several_columns_of_one_name_come_with_all_other_problems(write_text):
    lines = "".join(f"{i % 3},{i * 5 % 7},person {i},{'uv'[i % 2]}\n" for i in range(30))
    path = write_text("x,x,name,y\n" + lines)
    with pytest.raises(TableError, match=r"(?s)2 reasons.*several columns called 'x'.*'name'"):
        read_table(path, "y")
    with pytest.raises(TableError, match="no column left"):
        read_table(path, "y", drop=["x", "name"])  # both of them are dropped


@pytest.mark.parametrize(("written", "asked"), [("gro\u0308ße", "größe"), ("\u200by", "y"), ("my  y", "my y")])
def test_names_are_found_however_they_are_composed(write_text, written, asked):
    assert list(read_table(write_text(f"x,{written}\n1,u\n2,v\n4,u\n"), asked).y) == ["u", "v", "u"]


@pytest.mark.parametrize("twice", [("o\u0308l", "öl"), ("u\u200b", "u"), ("Ｎ", "Ｎ ")])
def test_words_that_look_alike_are_one_word(twice):
    frame = pd.DataFrame({"x": [*twice, "z", "z", twice[1]], "y": [*twice, "z", "z", "z"]})
    table = read_table(frame, "y", keep="all")
    assert table.X.shape[1] == 2 and len(set(table.y)) == 2


@pytest.mark.parametrize("target", [2, np.int64(2), "2"])
def test_numbers_that_name_columns(target):
    frame = pd.DataFrame(np.c_[[5, 3, 1, 4], [7, 0, 2, 2], [0, 1, 0, 1], [1, 1, 2, 2]])
    table = read_table(frame, target, drop=[0], groups=3)
    assert list(table.X) == ["1"] and table.target == "2" and table.groups.tolist() == [1, 1, 2, 2]
    assert read_table(frame, 0).target == "0"


def test_names_of_several_levels():
    columns = pd.MultiIndex.from_tuples([("size", "mean"), ("size", "max"), ("out", "y")])
    frame = pd.DataFrame([[1, 5, 0], [2, 3, 1], [4, 4, 0]], columns=columns)
    assert list(read_table(frame, ("out", "y")).X) == ["size mean", "size max"]


@pytest.mark.parametrize("missing", [None, np.nan, ""])
def test_a_column_without_a_name_gets_one(missing):
    frame = pd.DataFrame([[1, 5, 0], [2, 3, 1], [4, 4, 0]], columns=[missing, "x", "y"])
    assert list(read_table(frame, "y").X) == ["Unnamed: 0", "x"]


def test_where_an_index_holds_the_target():
    frame = pd.DataFrame({"x": [1, 2, 4]}, index=pd.Index(["u", "v", "u"], name="y"))
    with pytest.raises(TableError, match=r"no column 'y'.*reset_index"):
        read_table(frame, "y")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"views": {"v": "ab", "w": ["c"]}}, r"views\['v'\]='ab' is text"),
        ({"groups": ["a"]}, "must be the name of one column"),
        ({"drop": ["a"], "keep": ["a"]}, "named both as drop and as keep"),
        ({"keep": ["y"]}, "named both as target and as keep"),
        ({"drop": ["a"], "text": ["a"]}, "named both as drop and as text"),
        ({"empty": {"a": [-9]}}, "not a list of words and numbers"),
        ({"target": pd.Series([0, 1])}, "is to be a name"),
        ({"target": np.array([0, 1])}, "is to be a name"),
    ],
)
def test_arguments_that_are_none(arguments, message):
    frame = pd.DataFrame({"a": [1, 5, 2], "b": [3, 3, 4], "c": [5, 0, 1], "y": ["u", "v", "u"]})
    with pytest.raises(TableError, match=message):
        read_table(frame, **{"target": "y"} | arguments)


def test_a_level_never_takes_the_name_of_the_target():
    frame = pd.DataFrame({"c": ["a", "b", "q"] * 4, "c=a": ["u", "v"] * 6, "x": [3, 1, 2] * 4})
    with pytest.raises(TableError, match="'c=a' is the target"):
        read_table(frame, "c=a")


@pytest.mark.parametrize("code", [-9, "-9", "-9.0"])
def test_numbers_for_empty_cells_may_be_written_as_words(code):
    frame = pd.DataFrame({"k": [-9, 1, 2, 3] * 3, "y": ["u", "v", "v", "u"] * 3})
    assert read_table(frame, "y", empty=[code], **FILL).X["k"].isna().sum() == 3


def test_what_is_to_be_empty_and_stands_nowhere_is_mentioned():
    frame = pd.DataFrame({"k": ["a", "n/k", "b", "b"], "z": [1, 5, 2, 7], "y": ["u", "v", "v", "u"]})
    table = read_table(frame, "y", empty=["n/k", -7, "absent"], **FILL)
    assert said(table, "-7, 'absent' was given as empty and was found in no cell")


def test_a_feature_that_is_constant_once_rows_are_left_out():
    frame = pd.DataFrame(
        {"e": [1.5, 2.5] * 10 + [None] * 20, "k": [0] * 20 + [1] * 20, "y": ["u", "v", "v"] * 13 + ["u"]}
    )
    table = read_table(frame, "y", missing_features="drop_rows")
    assert list(table.X) == ["e"] and ["k", "constant"] in table.suspects[["column", "kind"]].to_numpy().tolist()


def test_dates_that_give_the_order_must_be_certain():
    days = [f"0{1 + i % 9}/0{1 + i // 9}/2024" for i in range(40)]
    frame = pd.DataFrame({"x": np.arange(40) % 7, "t": days, "y": ["u", "v"] * 20})
    with pytest.raises(TableError, match="day first or month first"):
        read_table(frame, "y", time="t")


def test_even_steps_from_row_to_row_number_the_rows():
    frame = pd.DataFrame({"t": np.arange(40) / 10, "x": np.arange(40) * 7 % 11, "y": ["u", "v", "v", "u"] * 10})
    assert list(read_table(frame, "y").X) == ["x"]


@pytest.mark.parametrize(
    ("codes", "shown"), [([-999, -998], "-999, -998"), ([1e20], "1e+20"), ([9999, 9998], "9999, 9998"), ([-88], "-88")]
)
def test_several_codes_for_missing_are_seen_together(codes, shown):
    values = [codes[i // 9 % len(codes)] if i % 9 == 0 else i * 37 % 17 for i in range(90)]
    suspects = read_table(pd.DataFrame({"x": values, "z": np.arange(90) % 7, "y": ["u", "v", "v"] * 30}), "y").suspects
    assert suspects["kind"].tolist() == ["missing code"] and shown in suspects["seen"][0]
