"""All defects of a table in one message, with the arguments that settle them."""

import pickle

import numpy as np
import pandas as pd
import pytest

from fslib.tables import Defect, TableError, read_table


@pytest.fixture
def hospital(tmp_path):
    """The table of a data scientist that took eight runs to be read."""
    rng = np.random.default_rng(0)
    n = 200
    frame = pd.DataFrame(
        {
            "customer_id": [f"C{i:05}" for i in range(n)],
            "age": rng.integers(18, 80, n),
            "income": [f"€ {v:,.2f}" for v in rng.normal(3000, 500, n)],
            "joined": pd.date_range("2020-01-01", periods=n, freq="37h").strftime("%d.%m.%Y"),
            "comment": [f"free text number {i}" for i in range(n)],
            "dose": [*["12 mg"] * (n - 1), "0.5 g"],
            "smoker": rng.choice(["yes", "no"], n),
            "country": "DE",
            "nothing": np.nan,
            "crp": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n).round(2)),
            "ill": np.where(rng.random(n) < 0.02, None, rng.choice(["ill", "well"], n)),
        }
    )
    frame["months"] = frame["age"] * 12
    frame.to_csv(tmp_path / "hospital.csv")
    return tmp_path / "hospital.csv"


def test_all_problems_come_in_one_message_and_what_it_proposes_works(hospital):
    with pytest.raises(TableError) as caught:
        read_table(hospital, "ill")
    error = caught.value
    assert {defect.column for defect in error.defects} == {"ill", "customer_id", "comment", "dose", ""}
    assert error.drop == ["customer_id", "comment", "dose"]
    proposed = str(error).splitlines()[-1]
    assert proposed == (
        "Proposed: drop=['customer_id', 'comment', 'dose'], missing_target='drop_rows', missing_features='median'."
    )
    table = read_table(hospital, "ill", drop=error.drop, missing_target="drop_rows", missing_features="median")
    assert list(table.X) == ["age", "income", "smoker=no", "smoker=yes", "crp"]
    kinds = dict(zip(table.suspects["column"], table.suspects["kind"], strict=True))
    assert kinds == {
        "Unnamed: 0": "row number",
        "joined": "date",
        "country": "constant",
        "nothing": "empty",
        "months": "duplicate",
    }


def test_columns_that_are_dropped_already_stay_in_the_proposal(hospital):
    with pytest.raises(TableError, match=r"drop=\['comment', 'customer_id', 'dose'\]"):
        read_table(hospital, "ill", drop=["comment"])


def test_wrong_names_come_together_with_what_is_wrong_in_the_cells(hospital):
    with pytest.raises(TableError) as caught:
        read_table(hospital, "sick", drop=["coment", "Age"], groups="hospital")
    said = [f"{defect.column} {defect.what} {defect.advice}" for defect in caught.value.defects]
    of_names = [text for text in said if "has no column" in text]
    assert len(of_names) == 4 and "'comment'" in of_names[1] and "'age'" in of_names[2]
    assert {"customer_id", "comment", "dose"} <= {defect.column for defect in caught.value.defects}


def test_one_problem_is_one_sentence_and_several_are_a_table():
    one = Defect("x", "holds words.", "Drop it.", drop=True)
    assert str(TableError("t.csv", [one])) == "t.csv: column 'x' holds words. Drop it. Proposed: drop=['x']."
    two = str(TableError("t.csv", [one, Defect("", "has empty cells.", "", setting="missing_features='median'")]))
    assert two.splitlines() == [
        "t.csv cannot be used as it is, for 2 reasons:",
        "  column 'x'  holds words. Drop it.",
        "  the table   has empty cells.",
        "Proposed: drop=['x'], missing_features='median'.",
    ]


def test_the_error_survives_the_way_between_processes():
    error = TableError("t.csv", [Defect("x", "holds words.", "Drop it.", drop=True)], drop=["id"])
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error) and copy.drop == error.drop and copy.defects == error.defects
