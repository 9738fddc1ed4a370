"""``contradictions.csv`` lists what the checks of the published tables mark, and the comparison heeds it."""

import pandas as pd

from fslib.papers.braytee import ch5_data
from fslib.papers.braytee.ch4_2_fuzz_esvm.lattice import lattice_table
from fslib.papers.braytee.ch5_2_ml_cib import consistency
from fslib.reproduction.compare.join import NOT_CONSISTENT, join, published_numbers
from fslib.reproduction.compare.reported import read_contradictions, read_reported

LISTED = read_contradictions("braytee")
TABLES = ("Table 5.6", "Table 5.7")


def listed(*items):
    return {(row["dataset"], row["method"]) for row in LISTED if row["item"] in items}


def test_rows_of_table_4_6_are_those_without_a_known_reading():
    table = lattice_table(read_reported("braytee", "Table 4.6"))
    assert listed("Table 4.6") == set(table.index[table["row"] == "no known reading"])
    assert {row["metric"] for row in LISTED if row["item"] == "Table 4.6"} == {"auc_hard"}


def test_rows_of_tables_5_6_and_5_7_are_those_that_are_marked():
    published = consistency.published_scores(pd.concat([read_reported("braytee", item) for item in TABLES]))
    spreads = consistency.factors(published).stack()
    tied = set(spreads.index[spreads <= 0.04]) | {(d, m) for d, m in published.index if m == "MLSMOTE"}
    sizes = read_reported("braytee", "Table 5.5").query("metric == 'n_labels'")
    n_labels = dict(zip(sizes["dataset"], sizes["value"].astype(int), strict=True))
    here, _ = ch5_data.present(list(ch5_data.TITLES), ())
    marked = consistency.check_rows(published, n_labels, consistency.label_facts(here))
    broken = set(marked.index[marked["verdict"] == consistency.NOT_CONSISTENT])
    assert tied | broken <= listed(*TABLES)
    bounds = {(r["dataset"], r["method"]) for r in LISTED if r["reason"].startswith("Hamming")}
    tested = set(marked.index[marked["density"] != ""]) | broken
    assert bounds & tested <= broken and ("Emotions", "ML-CIB") in bounds
    assert listed(*TABLES) - tied == bounds


def test_a_number_that_differs_from_a_contradiction_is_none_that_differs():
    rows = read_reported("braytee", "Table 5.6").query("dataset == 'Emotions' and metric == 'micro_f1'")
    rows = rows.assign(value=rows["value"].astype(float) + 0.1, std=float("nan"), setting="arm=published", n=1)
    table = published_numbers(rows, "braytee", "Table 5.6").dropna(subset="reproduced").set_index("method")
    assert table.loc["MLSMOTE", ["kind", "verdict"]].tolist() == ["cannot be reproduced", NOT_CONSISTENT]
    assert "plus a constant" in table.loc["MLSMOTE", "reason"] and table.loc["BR", "kind"] == "differs"
    shown = join(rows, "braytee", "Table 5.6").dropna(subset="difference").set_index("method")["verdict"]
    assert shown["MLSMOTE"] == NOT_CONSISTENT and shown["BR"] == "differs"
    same = published_numbers(rows.assign(value=rows["value"] - 0.1), "braytee", "Table 5.6").dropna(subset="reproduced")
    assert set(same["kind"]) == {"as published"}
