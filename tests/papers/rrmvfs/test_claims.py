"""Each check gives every verdict it can give: decided on rows made by hand."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import check_grad

from fslib.classes import one_versus_rest
from fslib.evaluation.stats import paired_t
from fslib.papers.rrmvfs import claims_figures, claims_tables
from fslib.papers.rrmvfs import claims_theory as rrmvfs_theory_claims
from fslib.papers.rrmvfs.items import METHODS, PERCENTAGES, TRAIN_SIZES
from fslib.papers.rrmvfs.tables import TEST_TO_TRAIN
from fslib.papers.rrmvfs.theory import joint_objective, joint_solution, make_views

CLEAR, NOISY = 0.0001, 0.5
"""Standard deviations over repeats: one leaves the differences of the made rows standing, one drowns them."""


def figure(curves, item="Figure 2", std=CLEAR):
    """Rows of a figure in both metrics and all sizes; methods that are not given stay at 0.8 throughout."""
    return {
        item: pd.DataFrame(
            [
                {"dataset": "x", "method": method, "metric": metric, "value": value if protocol == "held_out" else 0.0}
                | {
                    "setting": f"top_features_pct={pct};train_per_class={size};views=all;protocol={protocol}",
                    "std": std,
                    "n": 10,
                }
                for method in METHODS
                for metric in ("accuracy", "macro_f1")
                for size in TRAIN_SIZES
                for pct, value in zip(PERCENTAGES, np.broadcast_to(curves.get(method, 0.8), 9), strict=True)
                for protocol in ("held_out", "published")
            ]
        )
    }


RISING, FALLING, STEEP = np.linspace(0.70, 0.85, 9), np.linspace(0.85, 0.70, 9), np.linspace(0.5, 0.85, 9)
RISE = ["WMCFS", "SMML", "RRMVFS"]
PEAK = np.array([0.83, *[0.8] * 8])
AHEAD = {"RRMVFS": 0.81}


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [
        ("fig2_mfeat_cat_beats_single", {"Single": 0.7}, {"Single": 0.81}),
        ("fig2_mfeat_fs_at_least_cat", AHEAD | {"WMCFS": 0.795}, AHEAD | {"WMCFS": 0.78}),
        ("fig2_mfeat_fs_at_least_cat", AHEAD, {"RRMVFS": 0.799}),
        ("fig2_three_methods_level", {"RFS": 0.809}, {"RFS": 0.811}),
        ("fig2_three_methods_level", {"SMML": 0.9}, {"DSML-FS": 0.9}),
        ("fig2_rrmvfs_best_at_10pct", {"RRMVFS": PEAK}, {"RRMVFS": RISING}),
        ("fig1_rrmvfs_mostly_best", {"RRMVFS": RISING + 0.08}, {"RRMVFS": RISING}),
        ("fig3_four_methods_level", {"SMML": 0.815}, {"SMML": 0.825}),
        ("fig3_rrmvfs_best", AHEAD, {"RRMVFS": 0.79}),
    ],
)
def test_figure_claims_give_every_verdict(name, yes, no):
    item, judge = f"Figure {name[3]}", getattr(claims_figures, name)
    assert judge(figure(yes, item)).word == "holds"
    assert judge(figure(no, item)).word == "does not hold"
    for curves in (yes, no):
        assert judge(figure(curves, item, NOISY)).word == "undecided"
        assert judge(figure(curves, item, np.nan)).word == "undecided", "one repeat has no spread"


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [
        ("fig2_smml_wmcfs_rise", {"SMML": RISING, "WMCFS": STEEP}, {"SMML": FALLING, "WMCFS": STEEP}),
        ("fig2_smml_wmcfs_rise", {"SMML": RISING, "WMCFS": STEEP}, {"SMML": STEEP, "WMCFS": RISING}),
        ("fig1_three_methods_rise", dict.fromkeys(RISE, RISING), dict.fromkeys(RISE, FALLING)),
        (
            "fig3_peak_at_10pct_then_flat",
            dict.fromkeys(["RFS", "SSMVFS", "SMML", "DSML-FS"], PEAK),
            dict.fromkeys(["RFS", "SSMVFS"], RISING),
        ),
    ],
)
def test_claims_about_the_form_of_curves_give_every_verdict(name, yes, no):
    """What is counted here (steps, ranks, peaks) fails whatever the noise is."""
    item, judge = f"Figure {name[3]}", getattr(claims_figures, name)
    assert judge(figure(yes, item)).word == "holds"
    assert judge(figure(no, item)).word == "does not hold"
    assert judge(figure(yes, item, NOISY)).word == "undecided"


@pytest.mark.parametrize(
    ("swaps", "word"), [(0, "holds"), (1, "holds"), (2, "undecided"), (8, "does not hold")]
)  # Spearman correlations 1, 0.95, 0.74 and -1
def test_measures_agree_by_the_order_of_the_methods(swaps, word):
    scores = np.linspace(0.5, 0.7, 8)
    other = {0: scores, 1: scores[[1, 0, 3, 2, 4, 5, 6, 7]], 2: scores[[2, 1, 0, 3, 7, 5, 6, 4]], 8: scores[::-1]}[
        swaps
    ]
    for name in ("fig1_nus_ac_f1_agree", "fig2_mfeat_ac_f1_agree", "fig3_ads_ac_f1_agree"):
        item = f"Figure {name[3]}"
        rows = figure(dict(zip(METHODS, scores, strict=True)), item)[item]
        f1 = figure(dict(zip(METHODS, other, strict=True)), item)[item]
        mixed = pd.concat([rows[rows["metric"] == "accuracy"], f1[f1["metric"] == "macro_f1"]])
        assert getattr(claims_figures, name)({item: mixed}).word == word


def test_noise_counts_repeats_that_share_samples():
    """sqrt(2) std sqrt(1/10 + 0.8) for two methods that spread alike over ten repeats."""
    rows = figure({"Single": 0.77}, std=0.02)
    noise = np.sqrt(2) * 0.02 * np.sqrt(0.1 + TEST_TO_TRAIN)
    assert f"+0.0300 (noise {noise:.4f})" in claims_figures.fig2_mfeat_cat_beats_single(rows).value
    assert claims_figures.fig2_mfeat_cat_beats_single(rows).word == "holds"
    assert claims_figures.fig2_mfeat_cat_beats_single(figure({"Single": 0.78}, std=0.02)).word == "undecided"


def table(values, item="Table 2", std=CLEAR):
    """Rows of a table: method -> accuracy with two, four and all views."""
    return {
        item: pd.DataFrame(
            [
                {"dataset": "mfeat", "method": method, "metric": "accuracy", "value": value}
                | {"setting": f"views={views};train_per_class=12;protocol=held_out", "std": std, "n": 10}
                for method, series in values.items()
                for views, value in zip(("V1+V6", "V1+V2+V3+V6", "all"), series, strict=True)
            ]
        )
    }


def test_more_views():
    up, down = (0.7, 0.8, 0.9), (0.7, 0.8, 0.79)
    judge = partial(claims_tables._more_views_better, item="Table 2")
    assert judge(table({"CAT": up, "RFS": up, "SMML": up, "WMCFS": down})).word == "holds"
    found = judge(table({"CAT": up, "RFS": up, "SMML": down, "WMCFS": down, "Single": up}))
    assert found.word == "does not hold" and "SMML accuracy -0.0100 (noise 0.0001)" in found.note
    noisy = judge(table({"CAT": up, "RFS": up, "SMML": up, "WMCFS": up}, std=NOISY))
    assert noisy.word == "undecided" and "4 by value alone" in noisy.value


def leads(two, four, noise=0.001):
    rows = [("V1+V6", two), ("V1+V2+V3+V6", four), ("all", four)]
    return pd.DataFrame(
        [
            {"dataset": "mfeat", "views": views, "metric": metric, "runner_up": "RFS", "lead": lead, "noise": noise}
            | {"p_paired": 0.01, "p_corrected": 0.02}
            for views, lead in rows
            for metric in ("accuracy", "macro_f1")
        ]
    )


def test_two_four_and_all_views():
    named = {"item": "Table 2", "dataset": "mfeat"}
    two, four = partial(claims_tables._two_views_not_best, **named), partial(claims_tables._four_and_all_best, **named)
    assert "-0.0100 (noise 0.0010) against RFS" in two(leads(-0.01, 0.01)).value
    assert two(leads(-0.01, 0.01)).word == "holds" and two(leads(0.01, 0.01)).word == "does not hold"
    assert four(leads(-0.01, 0.01)).word == "holds" and four(leads(-0.01, -0.01)).word == "does not hold"
    assert two(leads(-0.01, 0.01, noise=0.02)).word == four(leads(-0.01, 0.01, noise=0.02)).word == "undecided"
    half = leads(-0.01, 0.01)
    half.loc[half["views"] == "all", "lead"] = 0.0005
    assert four(half).word == "undecided", "in front in two columns, on par in two"


def test_claims_about_some_views_of_mfeat_wait_for_their_names():
    up = table({"CAT": (0.7, 0.8, 0.9)})
    for check, rows in [
        (claims_tables.tab2_mfeat_more_views_better, up),
        (claims_tables.tab2_mfeat_two_views_not_best, leads(-0.01, 0.01)),
        (claims_tables.tab2_mfeat_four_and_all_best, leads(-0.01, 0.01)),
    ]:
        found = check(rows)
        assert (found.word, found.n_tested) == ("cannot be tested", 0)
        assert "under that order, not counted: holds, " in found.note


def test_what_was_not_run_cannot_be_tested_and_says_why():
    empty = pd.DataFrame(columns=leads(0, 0).columns).astype({"views": str})
    by_input = [
        (claims_figures.FIGURE_CHECKS, {}),
        (claims_tables.TABLE_CHECKS, {}),
        (claims_tables.LEAD_CHECKS, empty),
    ]
    for checks, nothing in by_input:
        for check in checks:
            found = check(nothing)
            assert (found.word, found.n_tested) == ("cannot be tested", 0) and found.n_claimed > 0
            assert ("NUS" in found.note) == (check.claim_id[3] == "1")


def test_claims_about_the_model():
    assert rrmvfs_theory_claims.views_separate().word == "holds"
    assert rrmvfs_theory_claims.objective_monotone(max_iter=8).word == "holds"


def test_views_that_compete_would_be_noticed(monkeypatch):
    """A fit that shares one intercept over the views, as an additive model would, is not the joint optimum."""

    class Shared(rrmvfs_theory_claims.RRMVFS):
        def fit(self, X, y):
            super().fit(X, y)
            self.coef_ = self.coef_ * np.repeat([1.0, 0.99], [10, 20])
            return self

    monkeypatch.setattr(rrmvfs_theory_claims, "RRMVFS", Shared)
    assert rrmvfs_theory_claims.views_separate().word == "does not hold"


def test_gradient_of_the_joint_objective():
    X, y, views, _ = make_views(5)
    problem = (X, one_versus_rest(y), list(views.values()), 0.3, 0.7, 0.1)
    at = np.random.default_rng(0).normal(size=33 * 3)
    error = check_grad(lambda z: joint_objective(z, *problem)[0], lambda z: joint_objective(z, *problem)[1], at)
    assert error < 1e-5 * np.linalg.norm(joint_objective(at, *problem)[1])


def test_the_joint_solution_is_that_of_an_independent_solver():
    import cvxpy as cp

    X, y, _, _ = make_views(8)
    X, views, gammas = X[:, :9], [np.array([0, 2, 4, 6]), np.array([1, 3, 5, 7, 8])], (0.2, 0.4)
    Y = one_versus_rest(y)
    W, b = cp.Variable((9, 3)), cp.Variable((2, 3))
    loss = sum(cp.norm(X[:, v] @ W[v] + np.ones((24, 1)) @ b[[i]] - Y, "fro") for i, v in enumerate(views))
    classes = sum(cp.sum(cp.norm(W[v], 2, axis=0)) for v in views)
    problem = cp.Problem(cp.Minimize(loss + gammas[0] * classes + gammas[1] * cp.sum(cp.norm(W, 2, axis=1))))
    best = problem.solve(solver=cp.CLARABEL, tol_gap_abs=1e-10, tol_gap_rel=1e-10, tol_feas=1e-10)
    found = joint_solution(X, y, views, *gammas)
    value = joint_objective(np.concatenate(found).ravel(), X, Y, views, *gammas, 1e-12)[0]
    assert_allclose(value, best, rtol=1e-7)
    assert_allclose(found[0], W.value, atol=1e-4)
    assert_allclose(found[1], b.value, atol=1e-4)


def test_an_objective_that_rises_is_noticed(monkeypatch):
    class Lagged(rrmvfs_theory_claims.RRMVFS):
        def __init__(self, views, *, gamma1, gamma2, max_iter):
            more = {"max_iter": max_iter, "tol": -np.inf, "reading": "published"}
            super().__init__(views, gamma1=gamma1, gamma2=gamma2, **more)

    monkeypatch.setattr(rrmvfs_theory_claims, "RRMVFS", Lagged)
    assert rrmvfs_theory_claims.objective_monotone(max_iter=8).word == "does not hold"


def drops(lost, step=0.001):
    """Ten repeats in which RRMVFS loses so much and the squared loss 0.02, with a spread of the differences."""
    return pd.DataFrame(
        [
            (method, repeat, loss + step * (-1.0) ** repeat * (method == "RRMVFS"))
            for method, loss in (("RRMVFS", lost), ("squared loss", 0.02), ("RFS", 0.0))
            for repeat in range(10)
        ],
        columns=["method", "repeat", "drop"],
    )


@pytest.mark.parametrize(
    ("lost", "step", "word"),
    [
        (0.01, 0.001, "holds"),
        (0.03, 0.001, "does not hold"),
        (0.01, 0.02, "undecided"),
        (0.019, 0.001, "undecided"),
    ],
)
def test_outliers(lost, step, word):
    frame = drops(lost, step)
    found = rrmvfs_theory_claims.robust_to_outliers({"labels": frame, "values": frame})
    assert found.word == word
    wide = frame.pivot(index="repeat", columns="method", values="drop")
    p = paired_t(wide["RRMVFS"], wide["squared loss"], test_to_train=TEST_TO_TRAIN).pvalue
    assert f"p = {p:.2g}" in found.note and (p < 0.05) == (word != "undecided")
    opposed = rrmvfs_theory_claims.robust_to_outliers({"labels": drops(0.01), "values": drops(0.03)})
    assert opposed.word == "does not hold"


@pytest.mark.parametrize(
    ("ranks", "word"),
    [([1] * 10, "holds"), ([1] * 9 + [2], "undecided"), ([1] * 7 + [2] * 3, "does not hold")],
)
def test_view_weights(ranks, word):
    frame = pd.DataFrame({"replaced": "kar", "view": "kar", "gamma": 1.0, "rank": [float(r) for r in ranks]})
    others = frame.assign(view="pix", rank=1.0)  # ranks of other views do not count
    assert rrmvfs_theory_claims.weights_favour_good_views(pd.concat([frame, others])).word == word
    assert rrmvfs_theory_claims.weights_favour_good_views(others).word == "cannot be tested"
