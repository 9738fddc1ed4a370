"""Every claim of the paper has a function, and each function can say yes and no: decided on rows made by hand."""

import numpy as np
import pandas as pd
import pytest

from fslib.papers.rrmvfs import claims_results as rrmvfs_claims
from fslib.papers.rrmvfs import claims_theory as rrmvfs_theory_claims
from fslib.papers.rrmvfs.items import METHODS, PERCENTAGES, TRAIN_SIZES
from fslib.reproduction.compare.reported import read_claims

MODULES = (rrmvfs_claims, rrmvfs_theory_claims)


def figure(curves, item="Figure 2", other_protocol=0.0):
    """Rows of a figure in both metrics and all sizes; methods that are not given stay at 0.8 throughout."""
    return {
        item: pd.DataFrame(
            [
                {"dataset": "x", "method": method, "metric": metric, "value": value if protocol == "held_out" else 0.0}
                | {
                    "setting": f"top_features_pct={pct};train_per_class={size};views=all;protocol={protocol}",
                    "std": 0.02,
                }
                for method in METHODS
                for metric in ("accuracy", "macro_f1")
                for size in TRAIN_SIZES
                for pct, value in zip(PERCENTAGES, np.broadcast_to(curves.get(method, 0.8), 9), strict=True)
                for protocol in ("held_out", "published")
            ]
        )
    }


RISING, FALLING = np.linspace(0.70, 0.85, 9), np.linspace(0.85, 0.70, 9)
RISE = ["WMCFS", "SMML", "RRMVFS"]
PEAK = np.array([0.83, *[0.8] * 8])


@pytest.mark.parametrize("claim", read_claims("rrmvfs")["claim_id"])
def test_every_claim_has_one_function_of_its_name(claim):
    name = claim.replace("-", "_")
    assert sum(callable(getattr(module, name, None)) for module in MODULES) == 1


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [
        ("fig2_mfeat_ac_f1_agree", {m: 0.5 + i / 50 for i, m in enumerate(METHODS)}, None),
        ("fig2_mfeat_cat_beats_single", {"Single": 0.7}, {"Single": 0.81}),
        ("fig2_mfeat_fs_at_least_cat", {"WMCFS": 0.795}, {"WMCFS": 0.78}),
        ("fig2_mfeat_fs_at_least_cat", {"RRMVFS": 0.801}, {"RRMVFS": 0.799}),
        ("fig2_three_methods_level", {"RFS": 0.809}, {"RFS": 0.811}),
        ("fig2_three_methods_level", {"SMML": 0.9}, {"DSML-FS": 0.9}),
        ("fig2_smml_wmcfs_rise", {"SMML": RISING, "WMCFS": RISING}, {"SMML": FALLING, "WMCFS": RISING}),
        ("fig2_smml_wmcfs_rise", {"WMCFS": RISING}, {"SMML": RISING}),
        ("fig2_rrmvfs_best_at_10pct", {"RRMVFS": PEAK}, {"RRMVFS": RISING}),
        ("fig1_three_methods_rise", dict.fromkeys(RISE, RISING), dict.fromkeys(RISE, FALLING)),
        ("fig1_rrmvfs_mostly_best", {"RRMVFS": RISING + 0.08}, {"RRMVFS": RISING}),
        ("fig3_four_methods_level", {"SMML": 0.815}, {"SMML": 0.825}),
        (
            "fig3_peak_at_10pct_then_flat",
            dict.fromkeys(["RFS", "SSMVFS", "SMML"], PEAK),
            dict.fromkeys(["RFS", "SSMVFS"], RISING),
        ),
        ("fig3_rrmvfs_best", {"RRMVFS": 0.81}, {"RRMVFS": 0.79}),
    ],
)
def test_figure_claims_can_hold_and_fail(name, yes, no):
    item = f"Figure {name[3]}"
    judge = getattr(rrmvfs_claims, name)
    assert judge(figure(yes, item)).holds is True
    if no is not None:
        assert judge(figure(no, item)).holds is False


@pytest.mark.parametrize(
    ("name", "curves", "text"),
    [
        ("fig2_mfeat_cat_beats_single", {"Single": 0.77}, "+0.0300 (+1.50 std)"),
        ("fig2_mfeat_fs_at_least_cat", {"WMCFS": 0.79}, "WMCFS -0.0100 (-0.50 std)"),
        ("fig2_three_methods_level", {"RFS": 0.83}, "+0.0300 (+1.50 std)"),
        ("fig1_three_methods_rise", dict.fromkeys(RISE, RISING), "+0.1500 (+7.50 std)"),
        ("fig2_smml_wmcfs_rise", {"SMML": FALLING}, "-0.1500 (-7.50 std)"),
        ("fig2_rrmvfs_best_at_10pct", {"RRMVFS": PEAK}, "accuracy, 6: +0.0300 (+1.50 std)"),
        ("fig3_peak_at_10pct_then_flat", {"RFS": FALLING}, "+0.1313 (+6.56 std)"),
        ("fig3_rrmvfs_best", {"RRMVFS": 0.79}, "accuracy, 9: -0.0100 (-0.50 std)"),
    ],
)
def test_differences_come_with_their_size_in_standard_deviations(name, curves, text):
    rows = figure(curves, f"Figure {name[3]}")
    assert text in "; ".join(getattr(rrmvfs_claims, name)(rows)[1:])
    once = {item: frame.assign(std=np.nan) for item, frame in rows.items()}  # one repeat has no spread
    assert "std" not in "; ".join(getattr(rrmvfs_claims, name)(once)[1:])


def test_measures_that_disagree_are_noticed():
    rows = figure({m: 0.5 + i / 50 for i, m in enumerate(METHODS)})["Figure 2"]
    rows.loc[rows["metric"] == "macro_f1", "value"] *= -1
    assert rrmvfs_claims.fig2_mfeat_ac_f1_agree({"Figure 2": rows}).holds is False


def table(values, item="Table 2"):
    """Rows of a table: method -> accuracy with two, four and all views."""
    return {
        item: pd.DataFrame(
            [
                {"dataset": "mfeat", "method": method, "metric": "accuracy", "value": value}
                | {"setting": f"views={views};train_per_class=12;protocol=held_out", "std": 0.02}
                for method, series in values.items()
                for views, value in zip(("V1+V6", "V1+V2+V3+V6", "all"), series, strict=True)
            ]
        )
    }


def test_more_views():
    up, down = (0.7, 0.8, 0.9), (0.7, 0.8, 0.79)
    judge = rrmvfs_claims.tab2_mfeat_more_views_better
    assert judge(table({"CAT": up, "RFS": up, "SMML": up, "WMCFS": down})).holds is True
    verdict = judge(table({"CAT": up, "RFS": up, "SMML": down, "WMCFS": down, "Single": up}))
    assert verdict.holds is False and "SMML accuracy -0.0100 (-0.50 std)" in verdict.note


def leads(two, four, p=0.01):
    rows = [("V1+V6", two), ("V1+V2+V3+V6", four), ("all", four)]
    return pd.DataFrame(
        [
            {"dataset": "mfeat", "views": views, "metric": metric, "runner_up": "RFS", "lead": lead}
            | {"lead_in_std": lead / 0.01, "p_paired": p, "p_corrected": 2 * p}
            for views, lead in rows
            for metric in ("accuracy", "macro_f1")
        ]
    )


def test_two_four_and_all_views():
    two, four = rrmvfs_claims.tab2_mfeat_two_views_not_best, rrmvfs_claims.tab2_mfeat_four_and_all_best
    assert "-0.0100 (-1.00 std) against RFS" in two(leads(-0.01, 0.01)).value
    assert two(leads(-0.01, 0.01)).holds is True and two(leads(0.01, 0.01)).holds is False
    assert four(leads(-0.01, 0.01)).holds is True
    assert four(leads(-0.01, 0.01, p=0.2)).holds is False  # in front, but not clearly
    assert four(leads(-0.01, -0.01)).holds is False


def test_what_was_not_run_cannot_be_tested_and_says_why():
    empty = pd.DataFrame(columns=leads(0, 0).columns).astype({"views": str})
    for claim in read_claims("rrmvfs")["claim_id"]:
        name = claim.replace("-", "_")
        if name.startswith(("fig", "tab")):
            rows = empty if name.startswith("tab") and "more_views" not in name else {}
            verdict = getattr(rrmvfs_claims, name)(rows)
            assert verdict.holds is None and verdict.note
            assert ("NUS" in verdict.note) == (name[3] == "1")


def test_claims_about_the_model():
    assert rrmvfs_theory_claims.views_separate().holds is True
    assert rrmvfs_theory_claims.objective_monotone(max_iter=8).holds is True


def test_an_objective_that_rises_is_noticed(monkeypatch):
    class Lagged(rrmvfs_theory_claims.RRMVFS):
        def __init__(self, views, *, gamma1, gamma2, max_iter):
            super().__init__(views, gamma1=gamma1, gamma2=gamma2, max_iter=max_iter, tol=-np.inf, reading="published")

    monkeypatch.setattr(rrmvfs_theory_claims, "RRMVFS", Lagged)
    assert rrmvfs_theory_claims.objective_monotone(max_iter=8).holds is False


@pytest.mark.parametrize(("drop", "holds"), [(0.01, True), (0.03, False)])
def test_outliers(drop, holds):
    frame = pd.DataFrame(
        [
            (m, r, d + 0.001 * r * (m == "RRMVFS"))
            for m, d in (("RRMVFS", drop), ("squared loss", 0.02), ("RFS", 0.0))
            for r in (0, 1, 2)
        ],
        columns=["method", "repeat", "drop"],
    )
    verdict = rrmvfs_theory_claims.robust_to_outliers({"labels": frame, "values": frame})
    assert verdict.holds is holds
    assert f"labels: difference {drop - 0.019:+.4f} ({(drop - 0.019) / 0.001:+.2f} std)" in verdict.note


@pytest.mark.parametrize(("ranks", "holds"), [([1] * 9 + [2], True), ([1] * 8 + [2] * 2, False)])
def test_view_weights(ranks, holds):
    frame = pd.DataFrame({"replaced": "kar", "view": "kar", "gamma": 1.0, "rank": [float(r) for r in ranks]})
    others = frame.assign(view="pix", rank=1.0)  # ranks of other views do not count
    assert rrmvfs_theory_claims.weights_favour_good_views(pd.concat([frame, others])).holds is holds
