"""From repeats to tables: the percentage is chosen by validation, leads and tests are those of the numbers."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_rel

from fslib.papers.rrmvfs import layout as rrmvfs_layout
from fslib.papers.rrmvfs import tables as rrmvfs_summary
from fslib.papers.rrmvfs.items import VIEW_ORDERS, view_sets
from fslib.reproduction.compare.join import join
from fslib.reproduction.compare.reported import read_reported
from fslib.tidy import tidy

ALL = "fou+fac+kar+pix+zer+mor"


def raw_rows(values, views=ALL, dataset="mfeat", sizes=(12,), metric="accuracy"):
    """Rows of trials; ``values``: method -> one number per repeat. Validation takes 20 %, the test part 90 %."""
    return pd.DataFrame(
        [
            {"dataset": dataset, "views": views, "train_per_class": size, "method": method, "repeat": repeat}
            | {"pct": pct, "validation": validation, "protocol": protocol, "metric": metric}
            | {"value": value + (0.1 if pct == 90 else 0.0) + (0.01 if protocol == "published" else 0.0)}
            for size in sizes
            for method, series in values.items()
            for repeat, value in enumerate(series)
            for pct, validation in ((10, 0.5), (20, 0.9), (90, 0.9))
            for protocol in ("held_out", "published")
        ]
    )


VALUES = {"RRMVFS": [0.80, 0.84, 0.83], "RFS": [0.79, 0.80, 0.82], "CAT": [0.7, 0.7, 0.7], "Single": [0.9, 0.9, 0.9]}


def test_tables_show_the_percentage_that_validation_prefers_not_the_best_on_test():
    table = rrmvfs_summary.table_rows(raw_rows(VALUES))["Table 2"].set_index(["method", "setting"])
    row = table.loc[("RRMVFS", "views=all;train_per_class=12;protocol=held_out")]
    assert row["value"] == pytest.approx(np.mean(VALUES["RRMVFS"])) and row["n"] == 3
    assert row["std"] == pytest.approx(np.std(VALUES["RRMVFS"], ddof=1))
    published = table.loc[("RRMVFS", "views=all;train_per_class=12;protocol=published"), "value"]
    assert published == pytest.approx(row["value"] + 0.01)
    tidy(rrmvfs_summary.table_rows(raw_rows(VALUES))["Table 2"], "rrmvfs", "Table 2")


def test_figures_go_to_the_item_of_their_data_set():
    raw = pd.concat([raw_rows(VALUES), raw_rows(VALUES, "seg1+seg2", "BBCSport (ours)"), raw_rows(VALUES, "fou+mor")])
    figures = rrmvfs_summary.figure_rows(raw)
    assert list(figures) == ["Figure 2", "Further data sets"]
    assert len(figures["Figure 2"]) == 4 * 3 * 2  # without the pair of views


def test_leads_are_against_the_best_baseline_and_tested_pair_by_pair():
    lead = rrmvfs_summary.leads(raw_rows(VALUES)).iloc[0]
    assert lead["runner_up"] == "RFS"  # Single is a reference point, not a baseline
    assert lead["lead"] == pytest.approx(np.mean(VALUES["RRMVFS"]) - np.mean(VALUES["RFS"]))
    assert lead["lead_in_std"] == pytest.approx(lead["lead"] / np.std(VALUES["RRMVFS"], ddof=1))
    assert lead["p_paired"] == pytest.approx(ttest_rel(VALUES["RRMVFS"], VALUES["RFS"]).pvalue)
    assert lead["p_corrected"] > lead["p_paired"]


def test_published_leads_are_those_that_claims_csv_states():
    leads = rrmvfs_summary.published_leads(read_reported("rrmvfs", "Table 1"))
    wide = leads[leads["views"].str.count(r"\+") != 1]["lead_in_std"]
    assert wide.min().round(2) == 0.07 and wide.max().round(2) == 0.22  # "leads by 0.07 to 0.22"
    best = rrmvfs_summary.published_leads(read_reported("rrmvfs", "Table 2"))
    assert best["lead_in_std"].max().round(2) == 2.81


def test_every_order_names_the_groups_it_is_asked_for():
    for name, order in VIEW_ORDERS.items():
        pair, four, everything = view_sets("mfeat", order).values()
        assert set(pair) == {order[0], order[5]} and set(four) == {*order[:3], order[5]} and len(everything) == 6
        rows = rrmvfs_layout.order_rows(raw_rows(VALUES, "+".join(pair)), order, name)
        assert rows["setting"].str.startswith("views=V1+V6;").all() and rows["setting"].str.endswith(name).all()


def test_layouts_lose_no_number():
    raw = pd.concat([raw_rows(VALUES), raw_rows(VALUES, "fou+mor")])
    raw = pd.concat([raw, raw.assign(metric="macro_f1")])
    tables = rrmvfs_summary.table_rows(raw)
    shown = rrmvfs_layout.as_published(tables)
    assert shown.loc[("mfeat", "RRMVFS"), ("accuracy", "all")] == "0.823\u00a0(0.021)"
    assert list(shown["accuracy"].columns[:1]) == ["two"] and shown.notna().to_numpy().sum() == 4 * 2 * 2


def test_panels_come_in_the_order_of_the_paper_and_without_the_leak():
    raw = raw_rows(VALUES, sizes=(12, 6, 9))
    rows = tidy(
        rrmvfs_summary.figure_rows(pd.concat([raw, raw.assign(metric="macro_f1")]))["Figure 2"], "rrmvfs", "Figure 2"
    )
    shown = rrmvfs_layout.panel_rows(rows)
    per_class = ["6/class", "9/class", "12/class"]
    assert list(shown["panel"].unique()) == [f"mfeat: {m}, {n}" for m in ("accuracy", "macro F1") for n in per_class]
    assert len(shown) == len(rows) / 2 and (shown["protocol"] == "held_out").all()


def test_comparison_keeps_every_published_number_of_what_was_run():
    raw = raw_rows({m: VALUES["RFS"] for m in ("RRMVFS", "RFS", "CAT", "Single")})
    table = rrmvfs_summary.table_rows(pd.concat([raw, raw.assign(metric="macro_f1")], ignore_index=True))["Table 2"]
    published = tidy(table[table["setting"].str.contains("published")], "rrmvfs", "Table 2")
    compared = rrmvfs_layout.beside_published(join(published, "rrmvfs", "Table 2"))
    assert len(compared) == 3 and compared.loc[("mfeat", "all", "RRMVFS"), ("accuracy", "paper")] == "0.9591"
    assert compared.loc[("mfeat", "all", "RFS"), ("macro_f1", "here")] == "0.8133"


def test_nearest_groups_come_nearest_first():
    raw = pd.concat([raw_rows({"CAT": [value - 0.11]}, views) for views, value in (("a", 0.5), ("b", 0.9), ("c", 0.8))])
    assert rrmvfs_layout.nearest_groups(raw, 0.82)["views"].tolist() == ["c", "b", "a"]


def test_ranks_need_three_data_sets():
    scores = rrmvfs_summary.score_table(raw_rows(VALUES))
    assert scores.loc["mfeat", "RFS"] == pytest.approx(np.mean(VALUES["RFS"]))
    assert rrmvfs_summary.ranks_over_data_sets(scores) is None
    three = pd.concat([scores, scores * 0.9, scores * 0.8])
    assert rrmvfs_summary.ranks_over_data_sets(three).average_ranks["Single"] == 1


def test_optimism_is_published_minus_held_out():
    assert rrmvfs_summary.optimism(raw_rows(VALUES)).to_numpy().tolist() == [[0.01]]
