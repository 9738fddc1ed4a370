"""Published numbers and ours: an exact join, loud where it cannot be exact, and a verdict for each published number."""

import numpy as np
import pandas as pd
import pytest

from fslib.datasets import unavailable_reason
from fslib.reproduction.compare.agreement import KINDS, agreement, judge
from fslib.reproduction.compare.join import join, published_numbers
from fslib.reproduction.compare.reported import declared_keys, read_reported, reported_items
from fslib.reproduction.compare.totals import AGREE, causes, outliers, totals
from fslib.reproduction.paths import REFERENCE, REPORTED, item_slug
from fslib.tidy import read_table

PAPERS = ("bayes", "rrmvfs", "mlmlfs", "braytee")


@pytest.mark.parametrize(
    ("value", "published", "std", "own_std", "verdict"),
    [
        (0.1254, "0.13", "", np.nan, "as published"),  # rounds to it
        (0.135, "0.13", "", np.nan, "as published"),  # exactly half a digit off: either rounding is right
        (0.1351, "0.13", "", np.nan, "differs"),
        (0.1351, "0.130", "0.006", np.nan, "within the paper's spread"),
        (0.1361, "0.130", "0.006", 0.1, "differs"),  # the paper's spread counts, not our wide one
        (0.1361, "0.130", "", 0.0062, "within our spread"),
        (0.1361, "0.130", "", 0.006, "differs"),
        (7.2, "7", "", np.nan, "as published"),
        (3.44e-3, "3.4e-3", "", np.nan, "as published"),
        (3.46e-3, "3.4e-3", "", np.nan, "differs"),
        ([0.10, 0.20], "0.150", "", 0.05, "within the range of starts"),
        ([0.10, 0.1504, 0.20], "0.150", "", np.nan, "as published"),
        ([0.10, 0.20], "0.210", "", 0.05, "differs"),  # the range of starts is the spread
        ([0.10, 0.20], "0.210", "0.07", 0.05, "within the paper's spread"),  # of the median
    ],
)
def test_verdict_boundaries(value, published, std, own_std, verdict):
    assert agreement(value, published, std, own_std) == verdict
    assert verdict in KINDS


def test_run_times_get_a_ratio_and_no_verdict_by_value():
    paper = {"metric": "runtime_s", "value": "10", "std": ""}
    fast, slow = ({"value": seconds, "std": np.nan, "starts": (seconds,)} for seconds in (2.0, 25.0))
    assert judge(fast, paper)[:2] == ("run time", "5 times as fast")
    assert judge(slow, paper)[:2] == ("run time", "2.5 times as slow")
    assert np.isnan(judge(fast, paper)[2])


# Joining


def ours(**changes):
    setting = "k=10;loss=cost-sensitive;c=0.250;estimation=exact"
    row = {"dataset": "Adult", "method": "BayesGreedy", "setting": setting, "metric": "runtime_s"}
    return pd.DataFrame([row | {"value": 1.0, "std": np.nan} | changes])


def met(rows, item="Table 2", paper="bayes"):
    joined = join(rows, paper, item)
    return joined.loc[~joined["verdict"].isin(["not published", "not run"]), "reported"].tolist()


SETTING = "loss=cost-sensitive;c=0.25;estimation=exact"


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, ["12.78"]),  # 0.250 is 0.25
        ({"method": "c-BayesGreedy"}, ["12.78"]),
        ({"setting": f"k=10;{SETTING};machine=mine"}, ["12.78"]),
        ({"setting": f"k=11;{SETTING}"}, []),  # a number that the paper does not have
        ({"method": "MIGreedy"}, ["15.63"]),
        ({"method": "BayesScore"}, ["0.10"]),
        ({"method": "mine"}, []),
        ({"dataset": "Splice"}, []),
        ({"metric": "error_0_1"}, []),
    ],
)
def test_numbers_are_joined_by_name_and_by_the_declared_keys(changes, found):
    assert met(ours(**changes)) == found


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dataset": "adult"}, "data set 'adult' of ours is published as 'Adult'"),
        ({"method": "MI-Greedy"}, "method 'MI-Greedy' of ours is published as 'MIGreedy'"),
        ({"metric": "Runtime_S"}, "metric 'Runtime_S' of ours is published as 'runtime_s'"),
        ({"setting": SETTING}, "has k=''"),
        ({"setting": "k=10;loss=0-1;c=0.25;estimation=exact"}, "has loss='0-1', published are cost-sensitive"),
    ],
)
def test_what_could_be_a_misspelling_is_an_error(changes, message):
    with pytest.raises(ValueError, match=message):
        join(ours(**changes), "bayes", "Table 2")


@pytest.mark.parametrize("paper", PAPERS)
def test_every_published_number_finds_itself_and_only_itself(paper):
    for item in reported_items(paper):
        reported = read_reported(paper, item)
        reported = reported[reported["value"] != ""]
        rows = reported.assign(value=reported["value"].astype(float), std=np.nan)
        table = published_numbers(rows, paper, item)
        assert len(table) == len(reported) and set(table["kind"]) <= {"as published", "run time"}, item
        assert table["reproduced"].tolist() == rows["value"].tolist()


def test_every_declared_key_is_one_of_its_table():
    declared = pd.read_csv(REPORTED / "keys.csv")
    assert not declared.duplicated(["paper", "item"]).any()
    for row in declared.itertuples():
        settings = read_reported(row.paper, row.item)["setting"]
        for key in declared_keys(row.paper, row.item):
            assert settings.str.contains(f"(?:^|;){key}=").any(), (row.item, key)


def test_a_join_keeps_what_only_one_of_the_two_has():
    table = join(pd.concat([ours(), ours(dataset="Splice")], ignore_index=True), "bayes", "Table 2")
    assert table["verdict"].value_counts().to_dict() == {"not run": 35, "not published": 1, "12.8 times as fast": 1}


# Readings and starts


def mlmlfs(value, **settings):
    setting = ";".join(f"{key}={text}" for key, text in {"missing_pct": 0, "p": 1, **settings}.items())
    row = {"dataset": "Yeast", "method": "MLMLFS", "setting": setting, "metric": "one_error", "std": np.nan}
    return row | {"value": value}


def compared(*rows):
    table = published_numbers(pd.DataFrame(rows), "mlmlfs", "Table 2")
    named = (table["dataset"] == "Yeast") & (table["metric"] == "one_error") & table["setting"].str.contains("p=1;")
    return table[named].iloc[0]  # published as 0.2246


def test_the_published_reading_is_compared_and_the_other_stands_beside():
    held_out, published, silent = mlmlfs(0.3, protocol="held_out"), mlmlfs(0.2246, protocol="published"), mlmlfs(0.4)
    for order in ([held_out, published], [published, held_out]):
        row = compared(*order)
        assert (row["reproduced"], row["kind"], row["beside"]) == (0.2246, "as published", "protocol=held_out: 0.3")
    assert compared(silent, published)["reproduced"] == 0.2246
    assert compared(held_out, silent)["reproduced"] == 0.4
    assert compared(held_out)["kind"] == "differs"  # alone, the other reading is what there is


def test_two_rows_with_equal_rights_are_an_error():
    with pytest.raises(ValueError, match=r"'missing_pct=0;p=1;labels=a' and 'missing_pct=0;p=1;labels=b'"):
        compared(mlmlfs(0.2246, labels="a"), mlmlfs(0.3, labels="b"))
    with pytest.raises(ValueError, match="several rows of ours are called"):
        compared(mlmlfs(0.2), mlmlfs(0.3))


def test_starts_are_one_number_with_a_range():
    published = {"protocol": "published"}
    inside = compared(*(mlmlfs(v, **published, start=i) for i, v in enumerate((0.22, 0.24, 0.23))))
    assert inside[["reproduced", "low", "high", "kind"]].tolist() == [0.23, 0.22, 0.24, "within the range of starts"]
    assert inside["std"] == pytest.approx(0.01) and inside["difference"] == pytest.approx(0.0054)
    hit = compared(*(mlmlfs(v, **published, start=i) for i, v in enumerate((0.2246, 0.24, 0.25))), mlmlfs(0.3))
    assert (hit["kind"], hit["verdict"], hit["beside"]) == (
        "as published",
        "as published, 1 of 3 starts",
        "another row: 0.3",
    )
    outside = compared(*(mlmlfs(v, **published, start=i) for i, v in enumerate((0.23, 0.24))))
    assert outside["kind"] == "differs"
    with pytest.raises(ValueError, match="several rows of ours"):
        compared(mlmlfs(0.2, start=0), mlmlfs(0.3, start=0))
    with pytest.raises(ValueError, match="several rows of ours"):
        compared(mlmlfs(0.2, start=0), mlmlfs(0.3))


def test_what_did_not_run_has_a_reason(monkeypatch, tmp_path):
    monkeypatch.setenv("FSLIB_DATA", str(tmp_path))
    table = published_numbers(pd.DataFrame([mlmlfs(0.2)]), "mlmlfs", "Table 2")
    missing = table[table["kind"] == "not run"].set_index("dataset")["reason"]
    assert set(missing["Bookmarks"]) == {unavailable_reason("bookmarks")}
    assert set(missing["Birds"]) == {unavailable_reason("mlmlfs_birds")} != {""}
    assert len(table) == 192 and len(missing) == 191
    rows = published_numbers(None, "bayes", "Table 1", "quick").set_index("dataset")["reason"]
    assert set(rows["Adult"]) == {"not part of the quick profile"}  # it is bundled


# Totals


@pytest.fixture
def table():
    row = {"item": "Table 2", "dataset": "Yeast", "method": "PMU", "metric": "one_error", "reported": "0.10"}
    row |= {"reported_std": "", "reason": ""}
    rows = [
        row | {"kind": "as published", "difference": 0.0},
        row | {"kind": "within the range of starts", "difference": 0.005},
        row | {"kind": "within our spread", "difference": -0.010},
        row | {"kind": "differs", "difference": -0.3, "reason": "rounding"},
        row | {"kind": "differs", "difference": 0.1, "method": "MDDM"},
        row | {"kind": "not run", "difference": np.nan},
        row | {"kind": "run time", "difference": np.nan, "metric": "runtime_s"},
        row | {"kind": "differs", "difference": 900.0, "metric": "n_instances", "reported": "48824", "method": ""},
    ]
    return pd.DataFrame(rows)


def test_totals_count_every_number_that_was_run_once(table):
    lines = totals(table).set_index("method")
    pmu = lines.loc["PMU", ["numbers", "as_published", "in_range", "in_spread", "differ"]]
    assert pmu.tolist() == [4, 1, 1, 1, 1]
    assert lines.loc["PMU", ["median", "within_0.005", "within_0.01", "within_0.02"]].tolist() == [
        0.0075,
        0.5,
        0.75,
        0.75,
    ]
    assert lines["numbers"].sum() == 6  # without the run time and what did not run
    assert np.isnan(lines.loc["", "median"])  # a count has no distance on this scale
    assert totals(table, ["dataset", "method"])["numbers"].sum() == 6
    assert totals(table.iloc[:0]).empty and set(AGREE) < set(KINDS)


def test_outliers_are_named_furthest_first(table):
    assert outliers(table)["difference"].tolist() == [-0.3, 0.1]
    assert outliers(table, at_most=1)["difference"].tolist() == [-0.3]


def test_what_differs_is_grouped_by_cause(table):
    assert causes(table).values.tolist() == [
        ["", 2, "Table 2 MDDM, Table 2"],
        ["rounding", 1, "Table 2 PMU"],
    ]


def test_every_reason_is_one_of_a_number_that_differs():
    """A reason that explains nothing any more goes; the committed reference decides."""
    reasons = pd.read_csv(REPORTED / "reasons.csv", dtype=str, keep_default_na=False)
    assert not reasons.duplicated(["paper", "item", "method", "dataset"]).any() and (reasons["reason"] != "").all()
    for paper, group in reasons.groupby("paper"):
        used = set()
        for item in reported_items(paper):
            path = REFERENCE / "tables" / f"{paper}_{item_slug(item)}.csv"
            rows = read_table(path) if path.exists() else None
            table = published_numbers(rows, paper, item)
            used |= set(table.loc[table["kind"] == "differs", "reason"])
        assert set(group["reason"]) == used - {""}


def test_the_join_of_the_committed_reference_is_exact():
    """Every row of ours is a published number or an extra; nothing raises, and nothing that ran stays unmatched."""
    for path in sorted((REFERENCE / "tables").glob("*_table_?.csv")):
        rows = read_table(path)
        paper, item = rows[["paper", "item"]].iloc[0]
        table = published_numbers(rows, paper, item)
        absent = set(table.loc[table["kind"] == "not run", "dataset"])
        assert absent <= {"Bookmarks", "NUS", "Gisette"}
