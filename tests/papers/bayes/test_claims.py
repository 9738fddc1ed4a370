"""Every claim of the paper has a function, and each function can say yes and no: decided on rows made by hand."""

import numpy as np
import pandas as pd
import pytest

from fslib.papers.bayes import claims_results as bayes_claims
from fslib.papers.bayes import claims_runtime as bayes_runtime_claims
from fslib.papers.bayes import claims_theory as bayes_theory_claims
from fslib.papers.bayes.items import METHODS, METHODS_CPE
from fslib.papers.verdict import Verdict
from fslib.reproduction.compare.reported import read_claims, read_reported

MODULES = (bayes_claims, bayes_runtime_claims, bayes_theory_claims)
BETTER, WORSE = [0.1] * 6, [0.3] * 6
KS = range(1, 7)


def rows(item, dataset, curves, loss="0-1", c=None, ks=KS, metric="error_0_1"):
    """Tidy rows of one panel; methods that are not given have the curve 0.2."""
    methods = METHODS_CPE if loss == "log" else METHODS
    setting = f"loss={loss}" + (f";c={c}" if c else "")
    return pd.DataFrame(
        [
            (item, dataset, method, f"k={k};{setting}", metric, value)
            for method in methods
            for k, value in zip(ks, curves.get(method, [0.2] * len(ks)), strict=True)
        ],
        columns=["item", "dataset", "method", "setting", "metric", "value"],
    )


@pytest.mark.parametrize("claim", read_claims("bayes")["claim_id"])
def test_every_claim_has_one_function_of_its_name(claim):
    name = claim.replace("-", "_")
    assert sum(callable(getattr(module, name, None)) for module in MODULES) == 1


@pytest.mark.parametrize(
    "name",
    [
        "ex1_mi_picks_feature_2",
        "ex1_bayes_picks_feature_1",
        "ex1_sample_version",
        "logloss_equals_mi",
        "squared_loss_equals_forward_regression",
        "yang_hu_objective_differs",
        "criteria_match_brute_force",
    ],
)
def test_claims_about_the_criteria_hold(name):
    verdict = getattr(bayes_theory_claims, name)()
    assert verdict.holds is True and verdict.value


@pytest.mark.parametrize(
    ("broken", "name"),
    [
        ("ZeroOne", "ex1_bayes_picks_feature_1"),
        ("Log", "logloss_equals_mi"),
        ("Balanced", "criteria_match_brute_force"),
    ],
)
def test_a_wrong_criterion_is_noticed(monkeypatch, broken, name):
    class Wrong(getattr(bayes_theory_claims, broken)):
        def value(self, table):
            return super().value(table) - 0.01

    monkeypatch.setattr(bayes_theory_claims, broken, Wrong)
    assert getattr(bayes_theory_claims, name)().holds is False


def test_monotone_paths():
    path = pd.DataFrame({"criterion": [-0.3, -0.2, -0.2]})
    assert bayes_theory_claims.greedy_value_monotone({"a": path}).holds is True
    falls = pd.DataFrame({"criterion": [-0.3, -0.2, -0.21]})
    verdict = bayes_theory_claims.greedy_value_monotone({"a": path, "b": falls})
    assert verdict.holds is False and "(b)" in verdict.value


def test_ties_grow_where_rows_become_unique_and_not_where_columns_are_few():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (60, 40)), rng.integers(0, 2, 60)
    assert bayes_theory_claims.large_k_ties(X, y, "toy", k=12).holds is True
    assert bayes_theory_claims.large_k_ties(X[:, :3], y, "toy", k=3).holds is False


def test_table_1():
    printed = read_reported("bayes", "Table 1")
    table = printed.assign(value=printed["value"].astype(float))
    assert bayes_claims.tab1_datasets(table, printed).holds is True
    part = table[table["dataset"] != "Gisette"]
    assert bayes_claims.tab1_datasets(part, printed) == Verdict(None, "8 data sets as printed", "not at hand: Gisette")
    part.loc[part["value"] == 48824, "value"] = 48842
    verdict = bayes_claims.tab1_datasets(part, printed)
    assert verdict.holds is False and verdict.value == "Adult n_instances 48842, printed 48824"


CURVE_CLAIMS = {
    # name: (item, data set, loss, curves with which it holds, curves with which it does not)
    "fig1_bayesgreedy_competitive": (
        "Figure 1",
        "Splice",
        "0-1",
        {"BayesGreedy": [0.3] * 3 + [0.2] * 3},
        {"MRMR": BETTER},
    ),
    "fig1_semeion_exception": ("Figure 1", "Semeion", "0-1", {"BayesGreedy": WORSE}, {"BayesGreedy": BETTER}),
    "fig12_score_methods_weaker": ("Figure 2", "Adult", "cost-sensitive", {"MRMR": BETTER}, {"FScore": BETTER}),
    "fig3_migreedy_best_logloss": ("Figure 3", "Adult", "log", {"FScore": [0.2] * 4 + [0.1] * 2}, {"FScore": BETTER}),
    "fig4a_semeion_balanced": ("Figure 4(a)", "Semeion", "balanced", {"BayesScore": BETTER}, {"MIScore": BETTER}),
    "fig4b_semeion_f1": ("Figure 4(b)", "Semeion", "F1", {"BayesGreedy": WORSE}, {"BayesGreedy": BETTER}),
    "fig4c_kddcup_no_winner": (
        "Figure 4(c)",
        "KDDCup01",
        "balanced",
        {"BayesScore": [0.1] * 3 + [0.3] * 3},
        {"BayesScore": BETTER},
    ),
    "fig5_gisette_second": (
        "Figure 5",
        "Gisette",
        "0-1",
        {"MRMR": BETTER, "BayesGreedy": [0.15] * 6},
        {"BayesGreedy": WORSE},
    ),
    "overall_competitive": ("Figure 4(b)", "Semeion", "F1", {"BayesGreedy": WORSE}, {"BayesGreedy": BETTER}),
}


@pytest.mark.parametrize("name", CURVE_CLAIMS)
def test_claims_about_curves_hold_or_not(name):
    item, dataset, loss, yes, no = CURVE_CLAIMS[name]
    claim = getattr(bayes_claims, name)
    assert claim(rows(item, dataset, yes, loss)).holds is True
    assert claim(rows(item, dataset, no, loss)).holds is False
    absent = (
        claim(rows("Figure 9", dataset, yes, loss))
        if name != "overall_competitive"
        else claim(rows(item, dataset, {}, loss)[:0])
    )
    assert absent.holds is None and "not run" in absent.note


def test_semeion_at_large_sizes():
    ks = (5, 25, 50, 75)
    early = rows("Figure 5", "Semeion", {"BayesGreedy": [0.9, 0.2, 0.2, 0.2]}, "balanced", ks=ks)
    assert bayes_claims.fig5_semeion_large_k(early).holds is True, "sizes below 25 do not count"
    late = rows("Figure 5", "Semeion", {"BayesGreedy": [0.2, 0.2, 0.2, 0.9]}, "balanced", ks=ks)
    assert bayes_claims.fig5_semeion_large_k(late).holds is False


def test_cost_panels():
    good, bad = {"BayesGreedy": [0.1] * 3 + [0.2] * 3}, {"BayesGreedy": [0.1] * 3 + [0.3] * 3}
    names = [("Adult", 0.1), ("Adult", 0.25), ("Mushroom", 0.1), ("Mushroom", 0.25)]

    def figure(curves):
        parts = [
            rows("Figure 2", name, c, "cost-sensitive", cost) for (name, cost), c in zip(names, curves, strict=True)
        ]
        return pd.concat(parts)

    assert bayes_claims.fig2_cost_sensitive_small_k(figure([good, good, good, bad])).holds is True
    assert bayes_claims.fig2_cost_sensitive_small_k(figure([good, good, bad, bad])).holds is False
    two = figure([good] * 4).query("dataset == 'Adult'")
    assert bayes_claims.fig2_cost_sensitive_small_k(two).holds is None


@pytest.mark.parametrize(("error", "criterion", "holds"), [(0.1, -0.1, True), (0.3, -0.1, False), (0.1, -0.9, False)])
def test_search_claim_needs_both_parts(error, criterion, holds):
    search = [
        {"dataset": "Semeion", "k": 2, "split": 0, "method": method, "metric": metric, "value": value}
        for method in ("BayesGreedy", "BayesExhaustive", "MIGreedy", "MIExhaustive")
        for metric, value in (("error_0_1", 0.2), ("criterion", -0.2))
    ]
    search = pd.DataFrame(search)
    exhaustive = search["method"] == "BayesExhaustive"
    search.loc[exhaustive & (search["metric"] == "error_0_1"), "value"] = error
    search.loc[exhaustive & (search["metric"] == "criterion"), "value"] = criterion
    assert bayes_claims.fig1_semeion_search_not_criterion(search).holds is holds


def printed_times():
    times = read_reported("bayes", "Table 2")
    return times.assign(value=times["value"].astype(float))


RUN_TIME = [
    "tab2_score_fastest",
    "tab2_bayes_faster_than_mi",
    "tab2_adult_slower_than_mrmr",
    "tab2_gisette_faster_than_mrmr",
]


@pytest.mark.parametrize("name", RUN_TIME)
def test_run_time_claims_hold_for_the_printed_seconds(name):
    claim, times = getattr(bayes_runtime_claims, name), printed_times()
    assert claim(times).holds is True
    swapped = {"0-1-BayesGreedy": "MRMR", "c-BayesGreedy": "MRMR", "mRMR": "BayesGreedy"}
    if name == "tab2_bayes_faster_than_mi":
        swapped = {"0-1-BayesGreedy": "MIGreedy", "c-BayesGreedy": "MIGreedy", "MIGreedy": "BayesGreedy"}
    elif name == "tab2_score_fastest":
        swapped = {"FScore": "MIGreedy", "MIGreedy": "FScore"}
    assert claim(times.assign(method=times["method"].replace(swapped))).holds is False


def test_generated_data_are_named():
    times = printed_times().replace({"dataset": {"Gisette": "Gisette (generated)"}})
    assert "generated data" in bayes_runtime_claims.tab2_gisette_faster_than_mrmr(times).note
    adult = times[times["dataset"] == "Adult"]
    assert bayes_runtime_claims.tab2_gisette_faster_than_mrmr(adult).holds is None
