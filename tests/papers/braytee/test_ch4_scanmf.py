"""Section 4.1 of the thesis: protocol without leaks, updates written out, and verdicts of every kind."""

import numpy as np
import pandas as pd
import pytest

from fslib.papers.braytee import expression
from fslib.papers.braytee.ch4_1_scanmf import claims_results as checks
from fslib.papers.braytee.ch4_1_scanmf import claims_theory, items, protocol, tables, theory
from fslib.reproduction.compare.join import join
from fslib.reproduction.compare.reported import read_reported

SMALL = {"fold": 0, "n_folds": 3, "pcts": [10], "n_genes": 60, "n_trees": 5, "seed": 0, **items.SETTING}


def test_updates_written_out_are_those_of_the_library():
    found = theory.compare_with_library(n_steps=20)
    assert max(found.values()) < 1e-6  # the network is kept in single precision
    assert claims_theory.fig4_1_schematic().word == "holds"


def test_the_penalty_shrinks_at_no_cost():
    table = theory.scale_free_penalty()
    assert np.ptp(table["misfit"]) < 1e-9 * table["misfit"][0] and table["penalty"].is_monotonic_decreasing


def test_published_p_values_are_those_of_unpaired_tests_in_most_places():
    close = 0
    for item in items.TABLES.values():
        table = theory.t_tests(read_reported("braytee", item))
        close += (np.abs(table["unpaired"] / table["published"] - 1) < 0.05).sum()
    assert close >= 8


def _row(rows, metric):
    return [r["value"] for r in rows if r["metric"] == metric]


@pytest.mark.parametrize(
    ("method", "scale"),
    [("SCANMF", "clip"), ("SCANMF", "minmax"), *[(m, "") for m in items.OTHERS], ("connectivity", "")],
)
def test_no_choice_sees_a_test_row(method, scale, monkeypatch):
    reading = "published" if scale else ""
    named = {"method": method, "reading": reading, "scale": scale}
    own = protocol.run_trial(**named, **SMALL)
    X, y, genes = expression.load_expression("simulated", 60, 0)
    _, test = protocol.fold_rows("simulated", y, 0, 3, 0)
    scrambled = X.copy()
    scrambled[test] = X[test][:, ::-1]
    monkeypatch.setattr(protocol, "load_expression", lambda *args: (scrambled, y, genes))
    other = protocol.run_trial(**named, **SMALL)
    assert _row(own, "chosen") == _row(other, "chosen") and _row(own, "auc") != _row(other, "auc")


def made(leads, n_folds=5, noise=0.0, datasets=checks.OWN):
    """Rows of folds in which a method leads LASSO by ``leads[method]``."""
    # leads differ between data sets: a paired test of equal differences has no variance
    rng = np.random.default_rng(0)
    rows = []
    for i, dataset in enumerate(datasets):
        for fold in range(n_folds):
            for method in ("SCANMF", *items.OTHERS):
                two = {"reading": "published", "scale": "clip"} if method == "SCANMF" else {"reading": "", "scale": ""}
                value = 0.7 + leads.get(method, 0.0) * (1 + 0.05 * i) + noise * rng.normal()
                for classifier in items.TABLES:
                    row = {"dataset": dataset, "method": method, "fold": fold, "classifier": classifier, **two}
                    rows.append(row | items.SETTING | {"pct": 10, "metric": "auc", "value": value})
    return pd.DataFrame(rows)


AHEAD = {"SCANMF": 0.2, "Elastic Net": 0.1, "Fuzzy Forest": 0.1}
BEHIND = {"SCANMF": -0.2, "Elastic Net": -0.1, "Fuzzy Forest": -0.1}


def test_table_claims_have_three_answers():
    for name in ("scanmf_best", "significant", "lasso_below_correlation_aware"):
        for table in ("4_2", "4_3", "4_4"):
            check = getattr(checks, f"tab{table}_{name}")
            assert check(made(AHEAD, noise=1e-3)).word == "holds"
            assert check(made(BEHIND, noise=1e-3)).word == "does not hold"
            assert check(made(AHEAD, datasets=["Simulated modules"])).word == "cannot be tested"
    assert checks.tab4_2_scanmf_best(made({}, noise=0.2)).word == "undecided"
    assert checks.tab4_2_lasso_below_correlation_aware(made({}, noise=0.2)).word == "undecided"


def curves(parameter, values, dataset="Lung cancer", noise=0.0):
    rng = np.random.default_rng(0)
    rows = []
    for at, value in values.items():
        for fold in range(5):
            row = {"dataset": dataset, "method": "SCANMF", "scale": "clip", "fold": fold} | items.SETTING
            row |= {parameter: at, "pct": 10, "classifier": "SVM", "metric": "auc"}
            rows.append(row | {"value": value + noise * rng.normal()})
    return pd.DataFrame(rows)


def test_parameter_claims_have_three_answers():
    middle = {0.1: 0.7, 0.2: 0.75, 0.4: 0.8, 0.7: 0.8, 1.0: 0.7}
    for check, parameter in ((checks.fig4_3_alpha, "alpha"), (checks.fig4_3_beta, "beta")):
        assert check(curves(parameter, middle)).word == "holds"
        assert check(curves(parameter, dict.fromkeys(middle, 0.8))).word == "does not hold"
        assert check(curves(parameter, middle, noise=0.5)).word == "undecided"
        assert check(curves(parameter, middle, dataset="Simulated modules")).word == "cannot be tested"
    falling = {2: 0.9, 4: 0.85, 8: 0.8}
    assert checks.fig4_4_rank(curves("n_components", falling)).word == "holds"
    rising = {2: 0.8, 4: 0.85, 8: 0.9}
    assert checks.fig4_4_rank(curves("n_components", rising)).word == "does not hold"
    assert checks.fig4_4_rank(curves("n_components", falling, noise=0.3)).word == "undecided"
    assert checks.fig4_4_rank(curves("n_components", dict.fromkeys(falling, 0.8))).word == "does not hold"
    assert checks.fig4_4_rank(curves("n_components", {2: 0.8})).word == "cannot be tested"


def test_convergence_claim():
    J = 1 + 0.5 ** np.arange(60)
    rows = [
        {"dataset": dataset, "scale": "clip", "iteration": i, "value": value}
        for dataset in checks.OWN[:2]
        for i, value in enumerate(J, 1)
    ]
    rows = pd.DataFrame(rows)
    assert checks.fig4_2_convergence(rows).word == "holds"
    rising = rows.assign(value=rows["value"] + 0.01 * rows["iteration"])
    assert checks.fig4_2_convergence(rising).word == "does not hold"
    assert checks.fig4_2_convergence(rows[rows["dataset"] == checks.OWN[0]]).word == "cannot be tested"


def test_tables_join_with_the_published_ones():
    tidy = tables.table_rows(made(AHEAD), "SVM")
    joined = join(tidy.assign(paper="braytee", item="Table 4.2"), "braytee", "Table 4.2")
    both = joined[(joined["reported"] != "") & joined["reproduced"].notna()]
    assert len(both) == 5 * len(checks.OWN)


def test_a_setting_at_the_crossing_of_two_figures_runs_once():
    listed = items.sensitivity_trials(
        datasets=["simulated"],
        n_folds=2,
        alphas=[0.1, 0.4],
        betas=[0.1, 0.5],
        ranks=[2, 4],
        pcts=[5, 10],
        scales=["clip"],
        n_genes=60,
        seed=0,
    )
    assert len(listed) == 2 * (2 + 2 + 2 - 2)
