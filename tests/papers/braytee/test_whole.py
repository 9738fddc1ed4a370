"""Claims about the thesis as a whole: contributions and descriptions of data give every verdict they can give."""

import pandas as pd
import pytest

from fslib.papers.braytee import claims_whole, whole
from fslib.papers.braytee.digits import gives_digits
from fslib.reproduction.compare.reported import read_reported


def test_every_contribution_has_a_class_and_a_notebook(tmp_path):
    assert claims_whole.fig1_1_structure(whole.contributions()).word == "holds"
    absent = claims_whole.fig1_1_structure(whole.contributions(tmp_path))
    assert (absent.word, absent.note) == ("does not hold", "without: 1, 2, 3, 4, 5, 6, 7")
    renamed = whole.contributions().assign(classes="imbalance.CSPCA")
    renamed.loc[4, "classes"] = "correlated.NoSuchClass"
    assert claims_whole.fig1_1_structure(renamed).note == "without: 4"


@pytest.mark.parametrize(
    ("here", "published", "same"),
    [(500 / 268, "1.86", True), (500 / 268, "1.87", True), (500 / 268, "1.85", False), (4.0, "4", True)]
    + [(4.0, "5", False), (87.6993, "87.69", True), (87.6993, "87.7", True), (87.6993, "87.68", False)],
)
def test_digits_may_be_rounded_or_cut_off(here, published, same):
    assert any(gives_digits(here, published)) is same


def sizes(item, **changed):
    """The published rows of a table as if they were ours."""
    rows = read_reported("braytee", item).head(6)
    rows = rows.assign(value=rows["value"].astype(float))
    for dataset, factor in changed.items():
        rows.loc[rows["dataset"] == dataset, "value"] *= factor
    return {item: rows[["dataset", "setting", "metric", "value"]]}


@pytest.mark.parametrize("item", claims_whole.SIZE_TABLES)
def test_descriptions_of_data_hold_or_do_not(item):
    assert claims_whole.dataset_descriptions(sizes(item)).word == "holds"
    dataset = read_reported("braytee", item)["dataset"].iloc[0]
    wrong = claims_whole.dataset_descriptions(sizes(item, **{dataset: 2.0}))
    assert wrong.word == "does not hold" and wrong.note.startswith(f"{item} {dataset}")


def test_no_data_no_verdict():
    empty = {"Table 3.1": pd.DataFrame(columns=["dataset", "metric", "value"])}
    assert claims_whole.dataset_descriptions(empty).word == "cannot be tested"
    assert claims_whole.fig2_2_svm().word == "cannot be tested"


def test_bundled_data_are_described(monkeypatch, tmp_path):
    monkeypatch.setenv("FSLIB_DATA", str(tmp_path))
    tables = whole.size_tables()
    assert set(tables) == set(claims_whole.SIZE_TABLES)
    found = claims_whole.dataset_descriptions(tables)
    assert found.word == "does not hold" and "Table 3.1 Blood n_attributes: 5, here 4" in found.note
    assert "Table 5.5" not in found.note, "Emotions is as published, its digits cut off"
