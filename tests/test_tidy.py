"""The tidy row: what is refused, and that numbers survive their file."""

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from fslib.tidy import read_csv, read_table, tidy, write_csv, write_table


def rows(**changes):
    columns = {"dataset": ["b", "a"], "method": "m", "setting": "k=5", "metric": "auc", "value": [0.1 + 0.2, 1 / 3]}
    return pd.DataFrame(columns | changes)


@pytest.mark.parametrize("value", [1e-300, 5e-324, 1.7976931348623157e308, 0.1, np.pi, -1 / 3, np.inf])
def test_every_float_survives_its_file(tmp_path, value):
    write_table(tidy(rows(value=value), "bayes", "x"), tmp_path / "t.csv")
    assert set(read_table(tmp_path / "t.csv")["value"]) == {value}


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (rows().drop(columns="metric"), r"missing columns \['metric'\]"),
        (rows(note="x"), r"unknown columns \['note'\]"),
        (rows().iloc[:0], "no rows"),
        (rows(value=[0.5, np.nan]), "value is NaN for {'dataset': 'a'"),
        (rows(value=["high", "low"]), "must be numbers"),
        (rows(n=np.nan), "must be numbers"),
        (rows(setting="k:5"), "'k:5' is not of the form"),
        (rows(setting="k=5;"), "is not of the form"),
        (rows(dataset="a"), "two rows share the name"),
        (rows(paper="mlmlfs"), r"column paper says \['mlmlfs'\]"),
    ],
)
def test_rows_that_cannot_be_compared_are_refused(frame, message):
    with pytest.raises(ValueError, match=message):
        tidy(frame, "bayes", "Table 2")


FORMULAS = ["=1+1", "+1+1", "@SUM(A1)", "-2+3", "\t=1", "'=1", "''+x", "=cmd|' /C calc'!A0"]
HARMLESS = ["a=b", "1+1", "-0.5", "-1e-05", "", "'quoted'", "x@y", "a-b", "'-0.5"]


def test_no_text_of_a_table_is_a_formula_and_all_of_it_comes_back(tmp_path):
    texts = FORMULAS + HARMLESS
    rows = pd.DataFrame({"dataset": texts, "method": texts[::-1], "metric": "m", "value": -0.5})
    rows = tidy(rows, "bayes", "Table 1")
    write_table(rows, tmp_path / "t.csv")
    stored = pd.read_csv(tmp_path / "t.csv", dtype=str, keep_default_na=False)
    cells = set(stored["dataset"]) | set(stored["method"])
    assert not [text for text in cells if text[:1] in tuple("=+@\t\r") or (text[:1] == "-" and text not in HARMLESS)]
    assert set(stored["value"]) == {"-0.5"}
    assert_frame_equal(read_table(tmp_path / "t.csv"), rows)
    write_csv(pd.DataFrame({"column": FORMULAS}), tmp_path / "columns.csv", index=True)
    assert read_csv(tmp_path / "columns.csv")["column"].tolist() == FORMULAS
