"""Every claim of the paper has a function, and each function can say yes and no: decided on rows made by hand."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from fslib.multilabel import MLMLFS
from fslib.papers.mlmlfs import claims_results as mlmlfs_claims
from fslib.papers.mlmlfs import claims_theory as mlmlfs_model_claims
from fslib.papers.mlmlfs import model as mlmlfs_model
from fslib.papers.mlmlfs import tables as mlmlfs_arms
from fslib.papers.mlmlfs.items import METHODS
from fslib.papers.mlmlfs.theory import distances_to_optimum, equation_9, equation_11, make_toy, objective_of
from fslib.reproduction.compare.reported import read_claims

LOSSES = ("hamming_loss", "one_error")
GAINS = ("average_precision", "example_f1")
PS = (0.4, 0.6, 0.8, 1.0)
RATES = (0, 25, 50, 80)


def table(value, datasets=("Yeast", "Birds"), rates=RATES):
    """Rows of the published arm; ``value(method, rate, p)`` is how good, and losses are turned round."""
    rows = []
    for dataset, rate, metric, method in product(datasets, rates, LOSSES + GAINS, METHODS):
        for p in PS if method == "MLMLFS" else (None,):
            good = value(method, rate, p)
            more = {"alpha": 1.0, "lam": 1.0, "reading": "" if method == "SFUS" else "published", "k": 1}
            rows.append(
                {
                    "dataset": dataset,
                    "missing_pct": rate,
                    "metric": metric,
                    "method": method,
                    "p": p,
                    "arm": "published",
                }
                | {"labels": "own", "value": 1 - good if metric in LOSSES else good, "validation": np.nan}
                | more
            )
    return pd.DataFrame(rows)


def as_the_paper_says(method, rate, p):
    """MLMLFS falls slowly, its rivals fast; one p after the other is best, and 0.4 never is."""
    if method != "MLMLFS":
        return 0.7 - 0.004 * rate
    return 0.8 - 0.001 * rate + (0.01 if p == (0.6, 0.8, 1.0, 0.6)[RATES.index(rate)] else -0.01 * (p == 0.4))


@pytest.mark.parametrize("claim", read_claims("mlmlfs")["claim_id"])
def test_every_claim_has_one_function_of_its_name(claim):
    name = claim.replace("-", "_")
    assert sum(callable(getattr(module, name, None)) for module in (mlmlfs_claims, mlmlfs_model_claims)) == 1


def test_all_claims_of_the_tables_hold_on_rows_that_agree():
    verdicts = mlmlfs_claims.table_claims(table(as_the_paper_says))
    absent = {
        "fig3-artificial-gap-grows",
        "fig5-bookmarks-gap-grows",
        "fig6-reference-gap-grows",
        "fig7-social-gap-grows",
    }
    assert {name for name, verdict in verdicts.items() if verdict.holds is None} == absent
    assert {verdict.holds for name, verdict in verdicts.items() if name not in absent} == {True}
    assert all(verdict.note for name, verdict in verdicts.items() if name in absent)


CONTRARY = {
    "one rival better": lambda method, rate, p: 0.9 if method == "PMU" else as_the_paper_says(method, rate, p),
    "rivals do not degrade": lambda method, rate, p: as_the_paper_says(method, rate if method == "MLMLFS" else 0, p),
    "p = 1 always best": lambda method, rate, p: 0.8 + 0.1 * p if method == "MLMLFS" else 0.7 - 0.004 * rate,
}


@pytest.mark.parametrize(
    ("what", "fails"),
    [
        (
            "one rival better",
            ["tab2-mlmlfs-best-0", "tab3-mlmlfs-best-25", "tab4-mlmlfs-best-50", "tab5-mlmlfs-best-80"],
        ),
        ("one rival better", ["mlmlfs-consistently-best", "fig4-birds-gap-grows", "fig8-yeast-gap-grows"]),
        ("rivals do not degrade", ["fig3-8-baselines-degrade", "fig4-birds-gap-grows"]),
        ("p = 1 always best", ["p-no-single-best"]),
    ],
)
def test_claims_of_the_tables_fail_on_contrary_rows(what, fails):
    verdicts = mlmlfs_claims.table_claims(table(CONTRARY[what]))
    assert [verdicts[name].holds for name in fails] == [False] * len(fails)


def test_the_wrong_orientation_of_a_loss_is_noticed(monkeypatch):
    monkeypatch.setattr(mlmlfs_arms, "LARGER_IS_BETTER", frozenset(LOSSES + GAINS))
    assert mlmlfs_claims.tab2_mlmlfs_best_0(table(as_the_paper_says)).holds is False


def test_sizes_of_table_1():
    sizes = mlmlfs_model.table_1(["emotions"])
    printed = pd.DataFrame(
        {"dataset": sizes["dataset"], "metric": sizes["metric"], "value": sizes["value"].map("{:g}".format)}
    )
    assert mlmlfs_claims.tab1_datasets(sizes, printed).holds is True
    assert mlmlfs_claims.tab1_datasets(sizes, printed.assign(value="7")).holds is False
    more = pd.concat([printed, printed.assign(dataset="Bookmarks")])
    assert mlmlfs_claims.tab1_datasets(sizes, more).holds is None


def test_algorithm_claims_hold():
    assert mlmlfs_model_claims.objective_monotone(n_steps=25).holds is True
    verdict = mlmlfs_model_claims.woodbury_equal(wide=(20, 400))
    assert float(verdict.value.split()[2].rstrip(",")) < 1e-8


def test_printed_formulas_minimise_the_bound():
    """Gradient of the weighted problem in W at the formulas' solution, b at its optimum: zero."""
    X, F, laplacian, g, h = mlmlfs_model_claims._random_problem(12, 5, 0)
    for formula in (equation_9, equation_11):
        W = formula(X, F, laplacian, g, h, 0.3, 0.7)
        P = X @ W
        P += g @ (F - P) / g.sum()
        gradient = X.T @ (g[:, None] * (P - F)) + 0.3 * X.T @ laplacian @ P + 0.7 * h[:, None] * W
        assert_allclose(gradient, 0, atol=1e-12)


def fits(**columns):
    named = {
        "dataset": "A",
        "missing_pct": 50,
        "reading": "published",
        "alpha": 1.0,
        "lam": 1.0,
        "p": 1.0,
        "iteration": 0,
    }
    return pd.DataFrame([named | row for row in columns["rows"]])


def test_convergence_counts_iterations():
    def curve(values):
        return fits(rows=[{"metric": "objective", "iteration": i, "value": v} for i, v in enumerate(values, start=1)])

    assert mlmlfs_model_claims.fig2_convergence(curve([5, 4, 4.001])).holds is True
    assert "p=1 3" in mlmlfs_model_claims.fig2_convergence(curve([5, 4, 4.001])).value
    assert mlmlfs_model_claims.fig2_convergence(curve(np.linspace(5, 4, 30))).holds is False


@pytest.mark.parametrize(("auc", "expected"), [(0.9, True), (0.5, False)])
def test_recovery_is_judged_against_frequencies(auc, expected):
    values = {"recovery_auc": auc, "frequency_auc": 0.7, "recovery_f1": 0.1, "frequency_f1": 0.2}
    raw = fits(rows=[{"metric": metric, "value": value} for metric, value in values.items()])
    assert mlmlfs_model_claims.recovers_missing_labels(raw).holds is expected


@pytest.mark.parametrize(("shares", "expected"), [([0.5, 0.4], True), ([0.4, 0.5], False)])
def test_sparsity_is_ordered_by_p(shares, expected):
    raw = fits(rows=[{"metric": "zero_rows", "p": p, "value": s} for p, s in zip((0.4, 1.0), shares, strict=True)])
    assert mlmlfs_model_claims.smaller_p_sparser(raw).holds is expected


def test_the_long_run_is_the_convex_optimum():
    """An independent solver agrees to a thousandth with the run that stands for the optimum; nothing falls below it."""
    cp = pytest.importorskip("cvxpy")
    toy = make_toy(30, 5, missing=0.5, seed=2)
    model = MLMLFS(alpha=0.01, lam=1.0, p=1.0, max_iter=300, inner_iter=30, tol=0).fit(toy.X, toy.y)
    W, b, F = cp.Variable((5, 3)), cp.Variable(3), cp.Variable((30, 3))
    P = toy.X @ W + np.ones((30, 1)) @ cp.reshape(b, (1, 3), order="C")
    root = np.linalg.cholesky(
        mlmlfs_model_claims.knn_laplacian(toy.X - toy.X.mean(axis=0), 5).toarray() + 1e-12 * np.eye(30)
    )
    known = ~np.isnan(toy.y)
    problem = cp.Problem(
        cp.Minimize(cp.sum(cp.norm(P - F, axis=1)) + 0.01 * cp.sum_squares(root.T @ P) + cp.sum(cp.norm(W, axis=1))),
        [cp.multiply(known, F) == np.where(known, 2 * np.nan_to_num(toy.y) - 1, 0), F <= 1, F >= -1],
    )
    problem.solve(solver=cp.CLARABEL)
    assert_allclose(objective_of(model, toy.X), problem.value, rtol=1e-3)
    assert (distances_to_optimum(toy.X, toy.y, iterations=(5, 20)) > -1e-3).all(axis=None)


def test_one_fit_is_described():
    cells = mlmlfs_model.model_trials(datasets=["emotions"], missing=[50], max_iter=5)
    rows = pd.DataFrame(mlmlfs_model.run_model_trial(**cells[0])).set_index("metric")["value"]
    assert len(rows["objective"]) == 5
    assert rows["recovery_auc"] > rows["frequency_auc"]
    hidden = np.array([[np.nan, 1.0], [0.0, np.nan], [1.0, 0.0]])
    found = mlmlfs_model.recovery(
        np.array([[1, 0.9], [0.1, 1], [-0.2, -1]]), np.where(np.isnan(hidden), 1.0, np.nan), hidden
    )
    assert found["recovery_auc"] == pytest.approx(
        3 / 4
    )  # of four pairs of a present and an absent label one is swapped
    assert found["recovery_auc_per_label"] == pytest.approx(1 / 2)
    assert found["recovery_f1"] == pytest.approx(1 / 2)
