"""Cells as people write them: read where that is certain, refused with the cell where it is not."""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fslib.tables import TableError, read_table

FILL = {"missing_features": "median"}


def read(cells, sep=";", other=None, **options):
    """A file with a column of these cells, one that varies, and a target; the cells are quoted."""
    other = other or [str(i * 3 % 7) for i in range(len(cells))]
    rows = [f'"{cell}"{sep}"{o}"{sep}{"uv"[i % 2]}' for i, (cell, o) in enumerate(zip(cells, other, strict=True))]
    text = sep.join(["x", "other", "y"]) + "\n" + "\n".join(rows)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        path.write_text(text, encoding="utf-8")
        return read_table(path, "y", **FILL | options)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1,5", "2,25", "3"], [1.5, 2.25, 3]),
        (["1.234,5", "12,25", "3"], [1234.5, 12.25, 3]),
        (["1,234.5", "12.25", "3"], [1234.5, 12.25, 3]),
        (["1 234,5", "12,25", "3"], [1234.5, 12.25, 3]),
        (["1\u00a0234,5", "1\u202f000,25", "3"], [1234.5, 1000.25, 3]),  # blanks that do not break
        (["1'234.5", "12'000.25", "3"], [1234.5, 12000.25, 3]),
        (["1,234,567", "2,345", "3"], [1234567, 2345, 3]),
        (["1.234.567", "2.345.678", "3"], [1234567, 2345678, 3]),
        (["€ 1,234.56", "€ 5.00", "€ 7.50"], [1234.56, 5, 7.5]),
        (["1.234,56 €", "5,00 €", "7,50 €"], [1234.56, 5, 7.5]),
        (["$5", "-$7", "$9.5"], [5, -7, 9.5]),
        (["12 USD", "13 USD", "15 USD"], [12, 13, 15]),
        (["12%", "3.5 %", "40%"], [12, 3.5, 40]),
        (["12 kg", "3.5kg", "40 kg"], [12, 3.5, 40]),
        (["120 mg/dl", "95 mg/dl", "80 mg/dl"], [120, 95, 80]),
        (["(12.5)", "3", "7"], [-12.5, 3, 7]),
        (["−5", "3", "7"], [-5, 3, 7]),  # a minus sign, not a hyphen
        (["+5", "3", "7"], [5, 3, 7]),
        (["1e3", "2.5E-1", "7"], [1000, 0.25, 7]),
        ([" 5", "3 ", "7"], [5, 3, 7]),
        ([".5", "3.", "7"], [0.5, 3, 7]),
        (["9007199254740993", "9007199254740992", "1"], [9007199254740993, 9007199254740992, 1]),  # 2^53 + 1
        (["18446744073709551615", "18446744073709551614", "1"], [2**64 - 1, 2**64 - 2, 1]),
    ],
)
def test_numbers_that_can_be_read_one_way_only(cells, expected):
    assert read(cells).X["x"].tolist() == expected


@pytest.mark.parametrize(
    "cell", ["?", "-", "--", ".", "n/a", "N/A", "NA", "NaN", "null", "None", "missing", "#N/A", " "]
)
def test_words_for_an_empty_cell_among_numbers(cell):
    table = read(["1", cell, "3", "7", "5"])
    assert np.isnan(table.X["x"][1]) and table.X["x"].isna().sum() == 1
    assert cell == " " or any(repr(cell) in note and "empty" in note for note in table.notes)


def test_a_score_with_one_odd_cell_is_never_one_column_per_number():
    scores = [str(i % 10 + 1) for i in range(40)]
    assert list(read([*scores, "?"]).X) == ["x", "other"]
    with pytest.raises(TableError, match=r"'x' holds numbers, but not in row 41 \('10\+'\)"):
        read([*scores, "10+"])


@pytest.mark.parametrize(
    ("cells", "where"),
    [
        (["12", "n/k", "3", "4"], r"row 2 \('n/k'\)"),
        (["12 mg", "13", "15", "16"], r"row 1 \('12 mg'\)"),  # may be another unit
        (["12 mg", "0.5 g", "13 mg", "15 mg"], r"row 2 \('0.5 g'\)"),
        (["€ 5", "6", "7", "8"], r"row 1 \('€ 5'\)"),
        (["5", "6", "<0.1", ">100", "8", "9"], r"row 3 \('<0.1'\), row 4 \('>100'\)"),
        (["5", "6", "7", "about 8"], r"row 4 \('about 8'\)"),
        (["5", "6", "7", "#DIV/0!"], r"row 4 \('#DIV/0!'\)"),
        (["5", "6", "7", "1e999"], "infinite|1e999"),
        (["5", "6", "7", "inf"], "infinite|inf"),
        (["1,5", "2,5", "2.5.1", "3,5"], r"row 3 \('2.5.1'\)"),
        (["<0.5"] * 6 + ["1.2", "3.4"], r"row 1 \('<0.5'\)"),  # known to be small only
        (["<1.5", "2.5", "> 3.5", "4.5", "<6"], r"row 1 \('<1.5'\)"),
        (["1.2 ± 0.1", "1.3 ± 0.2", "1.5±0.1"], r"row 1 \('1.2 ± 0.1'\)"),
        (["1.5x10^3", "2.5 x 10^2", "7·10^1"], r"row 1 \('1.5x10\^3'\)"),
        (["[1, 2]", "[3, 4]", "[5; 6]"], r"row 1 \('\[1, 2\]'\)"),
        (["51°30'", "52° 10' N", "13°40'"], "row 3"),
        (["5", "6", "7 €/kg", "8"], r"row 3 \('7 €/kg'\)"),
        (["1,23,456", "2,34,567", "3", "2"], r"row 1 \('1,23,456'\)"),
        (["1,23,456", "2,34,567"], r"row 1 \('1,23,456'\)"),  # not one column per number either
        (["1.2.3", "1.2.4", "?"], r"row 1 \('1.2.3'\)"),
        (["1", "2", "3", "4 5 6"], r"row 4 \('4 5 6'\)"),
    ],
)
def test_a_cell_that_is_no_number_is_named(cells, where):
    with pytest.raises(TableError, match=rf"'x' holds .*({where}).*drop=\['x'\]"):
        read(cells)


def test_what_is_named_can_be_said_to_be_empty_or_words():
    cells = ["12", "n/k", "3", "4"]
    assert np.isnan(read(cells, empty=["n/k"]).X["x"][1])
    assert list(read(cells, text=["x"]).X) == ["x=12", "x=3", "x=4", "x=n/k", "other"]


@pytest.mark.parametrize(
    ("cells", "other", "sep", "expected"),
    [
        (["1.234", "2.345"], ["0,5", "1,5"], ";", [1234, 2345]),  # another column shows what commas do
        (["1.234", "2.345"], ["0.5", "1.5"], ";", [1.234, 2.345]),
        (["1.234", "2.345"], ["1", "2"], ",", [1.234, 2.345]),
        (["1.234", "2.345"], ["1,5", "2,5"], ",", [1234, 2345]),
        (["1,234", "2,345"], ["1,5", "2,5"], ",", [1.234, 2.345]),
        (["1,234", "2,345"], ["1.5", "2.5"], ",", [1234, 2345]),
        (["0,950", "1,234"], ["1", "2"], ",", [0.95, 1.234]),  # no number of thousands begins with 0
        (["1,234", "2,345"], ["1", "2"], ",", None),
        (["1.234", "2.345"], ["1", "2"], ";", None),
        (["1.234", "2.345"], ["1,5", "2.5"], ";", None),
    ],
)
def test_decimals_or_thousands(cells, other, sep, expected):
    if expected is None:
        with pytest.raises(TableError, match="decimal"):
            read(cells, sep, other)
    else:
        assert read(cells, sep, other).X["x"].tolist() == expected


@pytest.mark.parametrize(("decimal", "expected"), [(".", [1234, 2345]), (",", [1.234, 2.345])])
def test_the_sign_before_decimals_can_be_given(decimal, expected):
    assert read(["1,234", "2,345"], ",", decimal=decimal).X["x"].tolist() == expected


@pytest.mark.parametrize(
    "cells",
    [
        ["2024-01-31", "2024-02-01"],
        ["31.01.2024", "01.02.2024"],
        ["01/31/2024", "02/01/2024"],
        ["31/01/24", "01/02/24"],
        ["2024/01/31", "2024/02/01"],
        ["Jan 31, 2024", "Feb 1, 2024"],
        ["31 January 2024", "1 February 2024"],
        ["2024-01-31 12:30", "2024-02-01 08:15"],
        ["2024-01-31T12:30:00Z", "2024-02-01T08:15:00+02:00"],
        ["2024-01", "2024-02"],
        ["20240131", "20240201", "20240302"],
        ["12:30", "08:15"],
        ["1.5.2024", "2.5.2024"],
        ["03/2024", "04/2024"],
        ["31.01.2024", "2024-02-01", "3/31/2024"],  # written in several ways
        ["NaT", *["2024-02-01", "2024-02-02"] * 2],
        ["12:30:15", "08:15:00"],
        ["2:30 pm", "8:15 am"],
        ["2024-01-31", "2024-02-01", "2024-03-01", "2024-04-01", "?"],
    ],
)
def test_dates_are_recognised_and_left_out(cells):
    table = read(cells * 3)
    assert list(table.X) == ["other"]
    assert table.suspects[["column", "kind"]].to_numpy().tolist() == [["x", "date"]]


def test_a_date_can_be_used_as_a_number_of_days():
    table = read(["31.01.1970", "01.02.1970", "15.02.1970"], keep=["x"])
    assert table.X["x"].tolist() == [30, 31, 45]


@pytest.mark.parametrize(
    ("words", "n"), [(["no", "no ", " no", "yes"], 2), (["a  b", "a b", "c"], 2), (["x\u00a0", "x", "z"], 2)]
)
def test_blanks_around_words_make_no_words(words, n):
    assert sum(name.startswith("x=") for name in read(words).X) == n
    frame = pd.DataFrame({"x": np.arange(len(words)) % 3, "y": words})
    table = read_table(frame, "y")
    assert len(set(table.y)) == n and any("blanks" in note for note in table.notes)


@pytest.mark.parametrize("word", ["None", "NA", "null", "nan", "N/A", "-", "?"])
def test_words_among_words_are_no_empty_cells(write_text, word):
    """A class called None, or an alley that is NA: pandas reads both as empty."""
    rows = "".join(
        f"{i * 3 % 5},{w},{c}\n" for i, (w, c) in enumerate(zip([word, "Paved"] * 4, [word, "b"] * 4, strict=True))
    )
    table = read_table(write_text("x,alley,y\n" + rows), "y", keep="all")
    assert set(table.y) == {word, "b"} and f"alley={word}" in table.X


@pytest.mark.parametrize("classes", [["Yes", "yes", "no"], ["M", "m", "F"]])
def test_classes_that_differ_in_case_only_are_refused(classes):
    frame = pd.DataFrame({"x": [1, 2, 3] * 2, "y": classes * 2})
    with pytest.raises(TableError, match="Write them alike"):
        read_table(frame, "y")
    assert len(set(read_table(frame, "y", text=["y"]).y)) == 3
    noted = read_table(frame.rename(columns={"x": "y", "y": "x"}), "y").notes
    assert any("different words" in note for note in noted)


@pytest.mark.parametrize("code", [-999, -99, 999, 9999, -9, 99])
def test_codes_for_missing_are_noted_and_can_be_read_as_empty(code):
    values = [code if i % 9 == 0 else i * 7 % 5 + 1 for i in range(60)]
    frame = pd.DataFrame({"x": values, "other": np.arange(60) % 7, "y": [0, 1, 1] * 20})
    table = read_table(frame, "y")
    assert table.suspects[["column", "kind", "left_out"]].to_numpy().tolist() == [["x", "missing code", False]]
    assert any(str(code) in note for note in table.notes)
    assert read_table(frame, "y", empty=[code], **FILL).X["x"].isna().sum() == values.count(code)


def test_ordinary_extremes_are_no_codes():
    frame = pd.DataFrame({"x": [99, *range(40, 98), 99], "z": [-1, 0, 1, 1, -1] * 12, "y": [0, 1, 1] * 20})
    assert not len(read_table(frame, "y").suspects)


def test_leading_zeros_are_mentioned():
    assert any("leading zeros" in note for note in read(["007", "012", "7"]).notes)


@pytest.mark.parametrize(
    "words", [["10-19", "20-29"], ["120/80", "110/70"], ["5/10", "3/10"], ["May", "June"], ["1-2", "3-4"]]
)
def test_words_with_digits_are_no_dates(words):
    assert [name for name in read(words * 2).X if name != "other"] == [f"x={word}" for word in sorted(words)]


@pytest.mark.parametrize("word", ["?", "NA", "none"])
def test_a_word_that_may_stand_for_an_empty_cell_is_mentioned(word):
    """As a feature and as a class."""
    frame = pd.DataFrame({"x": ["a", "b", word, "a", "b"], "y": ["u", word, "v", "u", "v"]})
    said = f"{word!r} is taken for a word; empty=[{word!r}]"
    assert [said in note for note in read_table(frame, "y").notes].count(True) == 2
    table = read_table(frame, "y", empty=[word], missing_target="drop_rows", **FILL)
    assert set(table.y) == {"u", "v"} and "x=missing" in table.X


def test_a_code_for_missing_in_the_target_is_mentioned():
    y = [-999 if i % 9 == 0 else i * 1.5 for i in range(60)]
    table = read_table(pd.DataFrame({"x": np.arange(60) % 7, "y": y}), "y")
    assert any("-999 in 7 rows" in note for note in table.notes)


def test_classes_of_one_row_are_mentioned():
    y = ["a", "b"] * 15 + ["c"]
    assert any(
        "classes of one row: 'c'" in n for n in read_table(pd.DataFrame({"x": np.arange(31) % 7, "y": y}), "y").notes
    )


@pytest.mark.parametrize("words", [["<18", "18-65", ">65"], ["(0, 1]", "(1, 2]"], ["<5", ">=5"]])
def test_ranges_are_words(words):
    assert [name for name in read(words * 3).X if name != "other"] == [f"x={word}" for word in sorted(words)]


@pytest.mark.parametrize(
    ("cells", "seconds"),
    [
        (["25:30:00", "30:00:10", "0:15:00"], [91800, 108010, 900]),
        (["03:25.5", "04:10.2", "65:00"], [205.5, 250.2, 3900]),
        (["03:25.5", "?", "65:00"], [205.5, np.nan, 3900]),
    ],
)
def test_durations_are_seconds(cells, seconds):
    np.testing.assert_allclose(read(cells).X["x"], seconds)


@pytest.mark.parametrize(
    ("cells", "days"),
    [
        (["2. Januar 1970", "1. März 1970", "31. Mai 1970"], [1, 59, 150]),
        (["2 janvier 1970", "1 février 1970", "14 août 1970"], [1, 31, 225]),
        (["2 de enero de 1970", "1 de febrero de 1970", "1 de marzo de 1970"], [1, 31, 59]),
        (["2 Jan 1970", "1 Feb 1970", "1 Sep 1970"], [1, 31, 243]),
    ],
)
def test_dates_with_the_names_of_months(cells, days):
    assert read(cells).suspects["kind"].tolist() == ["date"]
    assert read(cells, keep=["x"]).X["x"].tolist() == days


@pytest.mark.parametrize("cells", [["3 Mar", "4 Mar", "5 Apr"], ["March 3", "March 4", "May 6"]])
def test_days_of_a_month_are_dates_and_no_unit(cells):
    assert read(cells).suspects["kind"].tolist() == ["date"]


@pytest.mark.parametrize(
    ("cells", "odd"),
    [
        (["2024-02-01", "soon", "2024-02-03", "later"], r"row 2 \('soon'\), row 4 \('later'\)"),
        ([*(f"2024-02-0{day}" for day in range(1, 9)), "unclear", "pending"], r"row 9 \('unclear'\)"),
    ],
)
def test_words_among_dates_are_named(cells, odd):
    """And never one column per day."""
    with pytest.raises(TableError, match=rf"holds dates, but not in {odd}.*drop=\['x'\]"):
        read(cells * 3)


def test_whole_numbers_that_were_rounded_are_mentioned():
    table = read(["9007199254740993", "0.5", "1"])
    assert any("beyond 2^53 were rounded" in note for note in table.notes)


@pytest.mark.parametrize(("cells", "expected"), [(['5"', '3"', '7.5"'], [5, 3, 7.5]), (["5′", "3′", "7′"], [5, 3, 7])])
def test_signs_of_length_are_units(cells, expected):
    assert read([cell.replace('"', '""') for cell in cells]).X["x"].tolist() == expected


def test_columns_read_alike_share_a_sentence_and_others_do_not():
    frame = pd.DataFrame({f"x{j}": [f"{j},{i}5" for i in range(1, 7)] for j in range(3)} | {"y": [*"uvuvuv"]})
    frame["t"] = ["1.234", "2.345", "999", "3.456", "12", "7.800"]
    notes = read_table(frame, "y", decimal=",", keep="all").notes
    assert "Columns 'x0', 'x1', 'x2': '0,15' was read as 0.15 (the others alike)." in notes
    assert "Column 't': '1.234' was read as 1234." in notes
