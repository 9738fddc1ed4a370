"""Section 4.2 of the thesis: protocol without leaks, the lattice of Table 4.6, and verdicts of every kind."""

import numpy as np
import pandas as pd
import pytest
from sklearn.utils import Bunch

from fslib.evaluation.metrics import auc
from fslib.papers.braytee import expression
from fslib.papers.braytee.ch4_2_fuzz_esvm import claims_further as further
from fslib.papers.braytee.ch4_2_fuzz_esvm import claims_results as checks
from fslib.papers.braytee.ch4_2_fuzz_esvm import claims_theory, items, lattice, protocol, separation, tables, theory
from fslib.reproduction.compare.join import join
from fslib.reproduction.compare.reported import read_reported

EFFORT = protocol.EFFORT | {"n_models": 3, "n_trees": 5, "final_trees": 10}
SMALL = {"sizes": [2, 10], "n_bootstraps": 3, "n_genes": 60, "effort": EFFORT, "seed": 0, "split": 0}


def test_genes_without_names_are_numbered(monkeypatch):
    X, y = np.arange(12.0).reshape(4, 3), np.array([0, 0, 0, 1])
    monkeypatch.setattr(expression, "load", lambda name: Bunch(X=X, y=y, feature_names=None))
    assert expression.load_expression("nameless")[2].tolist() == ["0", "1", "2"]
    assert expression.load_expression("nameless", 2)[2].shape == (2,)


def test_the_lattice_holds_every_auc_of_labels_and_nothing_else():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [5, 3])
    seen = {round(float(auc(y, rng.integers(0, 2, 8))), 12) for _ in range(3000)}
    assert seen == set(lattice.lattice(5, 3))
    assert lattice.on_lattice([0.5, 0.51], 5, 3).tolist() == [True, False]


def test_published_rows_of_fuzz_esvm_fit_and_shifted_ones_are_found():
    table = lattice.lattice_table(read_reported("braytee", "Table 4.6"))
    fuzz = table.xs("Fuzz-ESVM", level="method")
    assert (fuzz["on lattice"] == 5).all()
    assert table.loc[("Childhood leukaemia", "HLR"), ["on lattice", "then"]].tolist() == [0, 5]
    assert (table.xs("DLBCL-FSCC", level="dataset")["row"] == "possible").sum() == 1


def test_random_numbers_seldom_fit_a_coarse_lattice():
    rng = np.random.default_rng(1)
    hits = lattice.on_lattice(rng.integers(500, 1001, 2000) / 1000, 13, 13).mean()
    assert hits == pytest.approx(lattice.share_of_numbers(13, 13), abs=0.02) and hits < 0.1


def test_test_parts_are_a_quarter_of_each_class_rounded_up():
    for sizes in lattice.CLASS_SIZES.values():
        y = np.repeat([0, 1], sizes)
        train, test = expression.test_part(y, dataset="a", split=1)
        assert np.bincount(y[test]).tolist() == [-(-n // 4) for n in sizes]
        assert sorted([*train, *test]) == list(range(len(y)))


def _row(rows, metric):
    return [r["value"] for r in rows if r["metric"] == metric]


@pytest.mark.parametrize("method", [*items.METHODS, *items.OURS, *expression.CONTROLS])
def test_no_choice_sees_a_test_row(method, monkeypatch):
    own = protocol.run_trial(method=method, reading="", selection="once", **SMALL)
    X, y, genes = expression.load_expression("simulated", 60, 0)
    _, test = expression.test_part(y, dataset="simulated", split=0)
    scrambled = X.copy()
    scrambled[test] = np.random.default_rng(0).permuted(X[test] * 3, axis=1)
    monkeypatch.setattr(protocol, "load_expression", lambda *args: (scrambled, y, genes))
    protocol.modules_of.cache_clear()
    other = protocol.run_trial(method=method, reading="", selection="once", **SMALL)
    protocol.modules_of.cache_clear()
    assert _row(own, "chosen") == _row(other, "chosen") and _row(own, "auc") != _row(other, "auc")


def test_the_leak_sees_them(monkeypatch):
    X, y, genes = expression.load_expression("simulated", 60, 0)
    _, test = expression.test_part(y, dataset="simulated", split=0)
    own = protocol.run_trial(method=items.LEAK, reading="", selection="once", **SMALL)
    scrambled = X.copy()
    scrambled[test] = X[test][:, ::-1]
    monkeypatch.setattr(protocol, "load_expression", lambda *args: (scrambled, y, genes))
    other = protocol.run_trial(method=items.LEAK, reading="", selection="once", **SMALL)
    assert _row(own, "chosen") != _row(other, "chosen")


def test_shuffled_labels_are_at_chance_inside_and_perfect_outside():
    options = {"sizes": [30], "n_bootstraps": 4, "n_genes": 600, "effort": EFFORT, "labels": "shuffled"}

    def mean(inside):  # one permutation of 60 labels may be better than chance by luck, four are less so
        rows = [protocol.estimate_632(method="SVM-RFE", inside=inside, seed=seed, **options)[0] for seed in range(4)]
        return np.mean([row["value"] for row in rows])

    assert mean(True) < 0.65 and mean(False) > 0.95


def test_decisions_are_those_of_machines_fitted_on_the_features():
    from sklearn.svm import SVC

    rng = np.random.default_rng(0)
    X, y, X_test, order = rng.normal(size=(20, 12)), np.arange(20) % 2, rng.normal(size=(6, 12)), rng.permutation(12)
    found = protocol.decisions(X, y, X_test, order, [3, 7])
    for column, k in enumerate((3, 7)):
        machine = SVC(kernel="linear").fit(X[:, order[:k]], y)
        np.testing.assert_allclose(found[:, column], machine.decision_function(X_test[:, order[:k]]), atol=1e-3)


def test_esvm_rfe_written_out_is_the_library_and_labels_apart_are_noise():
    found = theory.compare_with_library()
    assert found["common"] == 1.0
    assert found["informative, library"] > 0.6 > found["informative, labels drawn apart"]
    assert claims_theory.fig4_5_two_phases().word == "holds"


def test_a_pool_without_a_module_is_not_two_phases():
    selector = theory.fitted_fuzz_esvm()
    selector.pool_ = selector.pool_[selector.labels_[selector.pool_] != 1]
    found = theory.phases(selector, sizes_at_least=10)
    assert not found["every module contributes"]


def made(leads, dataset="ALL/AML", ks=(2, 20, 50, 60, 100), n_splits=6, noise=0.0, best=(), steps=None):
    """Rows of trials in which Fuzz-ESVM leads by ``leads`` at each k, with noise between splits."""
    rng = np.random.default_rng(0)
    rows = []
    for split in range(n_splits):
        for i, k in enumerate(ks):
            for method in items.METHODS:
                value = 0.8 + (steps[i] if steps else 0.0)
                value += leads[i] + noise * rng.normal() if method == "Fuzz-ESVM" else 0.0
                value += 0.05 if dict(best).get(method) == k else 0.0
                reading = "published" if method == "Fuzz-ESVM" else ""
                row = {"dataset": dataset, "method": method, "reading": reading, "split": split, "selection": "once"}
                for statistic in items.STATISTICS:
                    for metric in ("auc", "auc_hard"):
                        rows.append(row | {"k": k, "metric": metric, "statistic": statistic, "value": value})
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("leads", "noise", "word"),
    [([0.1] * 5, 0.0, "holds"), ([-0.1] * 5, 0.0, "does not hold"), ([0.0] * 5, 0.3, "undecided")],
)
def test_fuzz_best_has_three_answers(leads, noise, word):
    rows = made(leads, noise=noise)
    assert checks.fig4_14_allaml_fuzz_best(rows).word == word
    assert checks.tab4_6_fuzz_best(rows).word == word
    assert checks.fig4_8_dlbcl_fuzz_best(rows).word == "cannot be tested"


def test_stable_after_50_has_three_answers():
    flat = made([0.0] * 5, steps=[-0.3, -0.1, 0.0, 0.01, 0.0])
    assert checks.fig4_14_allaml_stable_after_50(flat).word == "holds"
    rising = made([0.0] * 5, steps=[-0.3, -0.1, 0.0, 0.1, 0.2])
    assert checks.fig4_14_allaml_stable_after_50(rising).word == "does not hold"
    noisy = made([0.0] * 5, steps=[-0.3, -0.1, 0.0, 0.01, 0.0], noise=0.1)
    assert checks.fig4_14_allaml_stable_after_50(noisy).word == "undecided"
    assert checks.fig4_14_allaml_stable_after_50(flat[flat["k"] <= 50]).word == "cannot be tested"


def test_best_sizes_and_svm_rfe():
    few = {"Fuzz-ESVM": 2, "SVM-RFE": 50, "HLR": 60, "Fuzzy Forest": 100}
    assert checks.tab4_6_fewer_features(made([0.0] * 5, best=few)).word == "holds"
    many = few | {"Fuzz-ESVM": 100}
    assert checks.tab4_6_fewer_features(made([0.0] * 5, best=many)).word == "does not hold"
    assert checks.tab4_6_correlated_beats_svmrfe(made([0.1] * 5)).word == "does not hold"


def test_significance_is_that_of_splits():
    assert further.tab4_6_significant(made([0.1] * 5)).word == "holds"
    behind = further.tab4_6_significant(made([-0.1] * 5))
    assert (behind.word, behind.n_tested, behind.n_claimed) == ("does not hold", 3, 15)
    assert further.tab4_6_significant(made([0.0] * 5, noise=0.3)).word == "undecided"
    one = made([0.1] * 5, n_splits=1)
    assert further.tab4_6_significant(one).word == "undecided", "one split has no noise that is known"
    alone = made([0.1] * 5)
    assert further.tab4_6_significant(alone[alone["method"] == "Fuzz-ESVM"]).word == "cannot be tested"


def separations(gain, noise=0.0):
    rng = np.random.default_rng(0)
    rows = []
    for split in range(4):
        for name, value in (("all features", 0.1), ("Fuzz-ESVM", 0.1 + gain + noise * rng.normal())):
            rows.append({"split": split, "features": name, "silhouette": value, "one_nn": value})
    return pd.DataFrame(rows)


def test_classes_lie_apart_or_do_not():
    check = further.fig4_16_svd_separation
    assert check(separations(0.2)).word == "holds" and check(separations(-0.2)).word == "does not hold"
    assert check(separations(0.0, noise=0.2)).word == "undecided"
    assert check(separations(0.2).head(0)).word == "cannot be tested"


def test_chosen_features_separate_classes_better_than_random_ones():
    X, y, _ = expression.load_expression("simulated", 60, 0)
    informative = np.argsort(-np.abs(np.corrcoef(X.T, y)[-1, :-1]))
    chosen = {"Fuzz-ESVM": informative, "random features": informative[::-1]}
    raw = pd.DataFrame(
        {"dataset": "Simulated modules", "method": method, "reading": "published" if method == "Fuzz-ESVM" else ""}
        | {"split": split, "metric": "chosen", "value": " ".join(map(str, order[:5]))}
        for method, order in chosen.items()
        for split in range(3)
    )
    means = separation.separation(raw, dataset="simulated", n_genes=60).groupby("features")["silhouette"].mean()
    assert means["Fuzz-ESVM"] > means["random features"]
    assert set(means.index) == {"all features", *chosen}
    assert separation.separation(raw, n_genes=60).empty, "a stand-in is not ALL/AML"


def test_the_gene_table_is_counted_and_no_more():
    genes = pd.DataFrame({"pathway": ["Ribosome"] * 12 + ["Asthma"] * 4})
    found = further.tab4_7_ribosome_largest(genes)
    assert found.word == "cannot be tested" and "Ribosome 12" in found.note
    assert further.tab4_7_ribosome_largest(genes.iloc[1:]).word == "does not hold"


def test_stand_ins_are_never_judged():
    rows = made([0.1] * 5, dataset="Simulated modules")
    words = {check(rows).word for check in (*checks.CHECKS, further.tab4_6_significant)}
    assert words == {"cannot be tested"}


def test_tables_join_with_the_published_ones():
    raw = made([0.1] * 5, n_splits=2)
    tidy = tables.table_4_6(raw)
    joined = join(tidy.assign(paper="braytee", item="Table 4.6"), "braytee", "Table 4.6")
    both = joined[(joined["reported"] != "") & joined["reproduced"].notna() & (joined["metric"] == "auc_hard")]
    assert len(both) >= 4 * len(items.STATISTICS)


def test_trials_are_json_and_name_their_data():
    listed, absent = items.trials(
        datasets=["simulated", "golub_train"],
        sizes=[2],
        n_splits={"other": 2, "Fuzz-ESVM": 1},
        n_repeated={"HLR": [1, 2]},
        methods=["HLR", "Fuzz-ESVM"],
        controls=[],
        readings=["published"],
        n_bootstraps=2,
        n_genes=None,
        effort=EFFORT,
        seed=0,
    )
    assert len(listed) == 2 * (2 + 1 + 1) and absent.empty
    assert {trial.get("dataset") for trial in listed} == {None, "golub_train"}
