"""Section 3.1 of the thesis: nothing sees a test row, chance is chance, and every verdict can be given."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.decomposition import PCA

from fslib.imbalance import CSPCA
from fslib.papers.braytee import ch3_data
from fslib.papers.braytee.ch3_1_extraction import (
    claims_results,
    claims_theory,
    items,
    protocol,
    sources_of_gain,
    tables,
    theory,
)
from fslib.papers.braytee.published_tests import ITEMS, published_tests

METHODS = [method for methods in protocol.FAMILIES.values() for method in methods]
SMALL = {"dataset": "ecoli", "components": 2, "reading": "corrected", "repeat": 0, "seed": 0}


@pytest.mark.parametrize("method", METHODS)
def test_test_rows_change_no_feature_of_another_row(method):
    """Other test rows, and another order of them: training features stay, and each row has its own features."""
    X, y = ch3_data.load_task("ecoli")
    train, test = protocol.folds_of("ecoli", 0, 0)[0]
    first = protocol.extract(method, 2, "corrected", X[train], y[train], X[test], 0)
    second = protocol.extract(method, 2, "corrected", X[train], y[train], X[test][::-1], 0)
    assert_array_equal(first[0], second[0])
    assert_allclose(first[1], second[1][::-1], atol=1e-12)
    other = protocol.extract(method, 2, "corrected", X[train], y[train], X[test] + 1, 0)
    assert_array_equal(first[0], other[0])


@pytest.mark.parametrize("method", ["PCA", "CSPCA", "NMF", "CSNMF"])
def test_training_rows_are_transformed_as_test_rows_are(method):
    X, y = ch3_data.load_task("glass")
    F, F_test, *_ = protocol.extract(method, 2, "published", X, y, X, 0)
    assert_allclose(F, F_test, atol=1e-9)


def test_folds_part_the_rows_and_share_the_classes():
    _, y = ch3_data.load_task("ecoli")
    folds = protocol.folds_of("ecoli", 0, 0)
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(len(y)))
    assert {int(y[test].sum()) for _, test in folds} == {7}
    assert not np.array_equal(folds[0][1], protocol.folds_of("ecoli", 1, 0)[0][1])


def test_shuffled_training_labels_give_chance():
    """Seven positives per fold, two data sets, two repeats: the mean labels' AUC has a standard error of about 0.03."""
    named = SMALL | {"method": protocol.CHANCE, "classifiers": ["SVM", "Naive Bayes"]}
    rows = [
        row
        for dataset in ("ecoli", "haberman")
        for repeat in range(2)
        for row in protocol.run_trial(**(named | {"dataset": dataset, "repeat": repeat}))
    ]
    raw = pd.DataFrame(rows)
    hard = raw[(raw["metric"] == "auc_hard") & (raw["rule"] == "balanced")]
    assert hard["value"].mean() == pytest.approx(0.5, abs=0.09)


def test_extraction_that_knows_the_test_labels_would_be_noticed(monkeypatch):
    X, y = ch3_data.load_task("haberman")
    labels = {row.tobytes(): label for row, label in zip(X, y, strict=True)}

    def leak(method, components, reading, X_train, y_train, X_test, random_state):
        F = np.array([[labels[row.tobytes()]] for row in X_test], dtype=float)
        return y_train[:, None].astype(float), F, y_train, ""

    monkeypatch.setattr(protocol, "extract", leak)
    raw = pd.DataFrame(
        protocol.run_trial(**(SMALL | {"dataset": "haberman", "method": "PCA", "classifiers": ["Naive Bayes"]}))
    )
    assert raw[raw["metric"] == "auc_hard"]["value"].mean() > 0.9


@pytest.mark.parametrize("name", protocol.CLASSIFIERS)
def test_a_balanced_rule_calls_more_rows_positive(name):
    rng = np.random.default_rng(0)
    y = np.arange(200) < 20
    F = rng.normal(size=(200, 2)) + 1.0 * y[:, None]
    models = [protocol.make_classifier(name, rule, 0.1, 0).fit(F, y.astype(int)) for rule in protocol.RULES]
    counts = [int(model.predict(F).sum()) for model in models]
    assert counts[1] == counts[0] if name == "CCPDT" else counts[1] > counts[0]


def test_trials_and_columns():
    trials, not_run = items.table_trials(datasets=["ecoli", "spambase"], n_repeats=2, n_repeats_plain=3)
    assert len(trials) == 2 * (13 * 2 + 3) and not_run.empty
    few, _ = items.table_trials(datasets=["spambase"], n_repeats=2, n_repeats_plain=3, few_repeats=["spambase"])
    assert len(few) == 14
    assert set(items.TABLES) == {f"Table 3.{i}" for i in range(2, 10)}


# Made rows


def made(lift, n_datasets=6, spread=0.0, repeats=1):
    """Rows of a run: labels' AUC of 0.7 everywhere, and ``lift`` more for the methods it names."""
    rng, rows = np.random.default_rng(0), []
    for dataset in list(ch3_data.SECTION_3_1)[-1 - n_datasets : -1]:  # Adeno is the last
        hard = rng.uniform(-0.01, 0.01)
        for method, components, reading in items.columns(share=False):
            for classifier in items.classifiers_of(method):
                for rule in protocol.RULES if classifier != "CCPDT" else ("",):
                    for repeat in range(repeats):
                        named = {"dataset": dataset, "method": method, "components": components, "reading": reading}
                        named |= {"classifier": classifier, "rule": rule, "repeat": repeat, "sampler": ""}
                        value = 0.7 + hard + lift.get(method, 0.0)
                        for fold in range(5):
                            noise = spread * rng.normal()
                            rows += [
                                named | {"fold": fold, "metric": metric, "value": value + noise}
                                for metric in ("auc", "auc_hard")
                            ]
                        rows.append(named | {"fold": -1, "metric": "auc_pooled", "value": value})
            for fold in range(5):
                named = {"dataset": dataset, "method": method, "components": components, "reading": reading}
                named |= {"classifier": "", "rule": "", "repeat": 0, "fold": fold, "sampler": ""}
                value = 0.5 + 10 * lift.get(method, 0.0) + spread * rng.normal()
                rows.append(named | {"metric": "fisher_ratio", "value": value})
    return pd.DataFrame(rows)


AHEAD, BEHIND = {"CSPCA": 0.03, "CSNMF": 0.03}, {"CSPCA": -0.03, "CSNMF": -0.03}
EMPTY = made({}, n_datasets=1).iloc[:0]


@pytest.fixture(scope="module")
def runs():
    noisy = made(AHEAD, spread=0.3)
    return {"holds": made(AHEAD), "does not hold": made(BEHIND), "undecided": noisy, "cannot be tested": EMPTY}


BY_DATASET = [claims_results.tab3_2_cspca_best, claims_results.tab3_9_csnmf_best]
BY_TEST = [claims_results.tab3_6_significant, claims_results.p_below_1pct_most]
OTHERS = [
    claims_results.sampling_does_not_suffice,
    claims_results.tab3_10_beats_ml_cst,
    claims_results.tab3_11_beats_ccpdt,
    claims_theory.fig3_3_less_overlap,
]


@pytest.mark.parametrize("check", [*BY_DATASET, *BY_TEST, *OTHERS], ids=lambda check: check.claim_id)
def test_every_verdict_can_be_given(runs, check):
    words = ["holds", "does not hold", "cannot be tested"]
    if check in BY_DATASET:
        words.append("undecided")
    for word in words:
        assert check(runs[word]).word == word


def test_overlap_has_every_verdict():
    check = claims_theory.fig3_1_overlap
    assert check(made({})).word == "holds" and check(EMPTY).word == "cannot be tested"
    assert check(made({"PCA": 0.2})).word == "does not hold"
    assert check(made({"PCA": 0.04}, spread=0.2)).word == "undecided"


def test_a_significant_loss_is_no_gain_and_few_data_sets_are_no_test(runs):
    found = claims_results.tab3_2_significant(runs["does not hold"])
    assert found.word == "does not hold" and "-0.030" in found.value
    assert claims_results.tab3_2_significant(made(AHEAD, n_datasets=5)).word == "cannot be tested"


def test_the_pipeline_claim_holds_and_a_class_scaled_pipeline_would_not(monkeypatch):
    assert claims_theory.fig3_2_weight_train_only().word == "holds"
    extract = claims_theory.extract

    def scaled(method, components, reading, X, y, X_test, seed):
        F, F_test, *rest = extract(method, components, reading, X, y, X_test, seed)
        return F * np.where(y == 1, 5.0, 1.0)[:, None], F_test, *rest

    monkeypatch.setattr(claims_theory, "extract", scaled)
    assert claims_theory.fig3_2_weight_train_only().word == "does not hold"


# Tables and theory


def test_rows_of_the_tables_follow_the_arms():
    raw = made({"PCA": -0.1}, n_datasets=2)
    raw.loc[(raw["classifier"] == "SVM") & (raw["rule"] == "balanced"), "value"] = 0.9
    rows = tables.table_rows(raw)["Table 3.2"]
    published = rows[rows["setting"].str.contains("arm=published")]
    assert_allclose(published["value"], 0.9)
    assert set(published["metric"]) == {"auc"} and published["setting"].str.contains("start=0").all()
    plain = rows[rows["setting"].str.contains("arm=plain") & (rows["method"] == "PCA")]
    assert (plain["value"] < 0.62).all() and set(plain["metric"]) == {"auc", "auc_hard"}


def test_gains_tell_axes_from_rule():
    raw = made({"CSPCA": 0.02}, n_datasets=3)
    raw.loc[raw["rule"] == "balanced", "value"] += 0.1
    found = sources_of_gain.gains(tables.repeat_means(raw), "corrected").loc["PCA"]
    assert_allclose(found[["axes, plain rule", "axes, balanced rule"]], 0.02)
    assert_allclose(found["rule, plain axes"], 0.1)


def test_fits_of_the_published_values_themselves_are_perfect():
    raw = made({}, n_datasets=11)
    theirs = {item: sources_of_gain.published_table(item) for item in items.TABLES}
    for item, (_, classifier) in items.TABLES.items():
        for dataset, title in list(ch3_data.SECTION_3_1.items())[:11]:
            for method in theirs[item]:
                at = (raw["dataset"] == dataset) & (raw["method"] == method) & (raw["classifier"] == classifier)
                raw.loc[at & (raw["metric"] == "auc_hard"), "value"] = theirs[item].loc[title, method]
    fits = sources_of_gain.fits(tables.repeat_means(raw))
    perfect = fits.loc["PCA: two components, as published"]
    assert perfect["all"] == pytest.approx(0, abs=1e-12) and perfect["within our range"] == perfect["values"] == 44


def test_copies_of_the_positives_are_weights():
    X, y = theory.make_toy()
    assert_allclose(theory.components_by_copies(X, y), CSPCA(n_components=None).fit(X, y).components_, atol=1e-10)
    plain = PCA().fit(X).components_
    assert abs(plain[0] @ theory.components_by_copies(X, y)[0]) < 0.9


def test_csnmf_takes_the_steps_of_its_equations():
    X, y = theory.make_toy()
    assert theory.csnmf_difference(np.abs(X), y, n_steps=20) < 1e-9


def test_rows_scaled_by_class_are_learnt_and_useless():
    table = theory.scaled_rows(["ecoli"], classifiers=("Naive Bayes", "CART")).loc["Ecoli"]
    scaled, plain = table["scaled by class"], table["as they are"]
    assert (scaled["training"] > 0.97).all() and (scaled["test"] < 0.6).all()
    assert (scaled["test"] < plain["test"]).all()


def test_one_leaf_by_hand():
    """Five rows in two folds, two positives. Two negatives and a positive get 1/2, the others 1/3.

    Of the six pairs the positive with 1/2 wins one and ties two, that with 1/3 ties one: 2.5 of 6.
    """
    assert theory.one_leaf_auc(3, 2, 2) == pytest.approx(5 / 12)
    assert theory.one_leaf_auc(40, 40) == pytest.approx(0.5)


def test_published_columns_that_are_one_leaf():
    table = theory.one_leaf_table(sources_of_gain.published_table("Table 3.11"))
    assert (
        table["cells of one leaf"].to_dict() | {"Abalone": 2, "Breast": 2, "Ecoli": 2}
        == table["cells of one leaf"].to_dict()
    )
    assert table["cells of one leaf"].sum() == 8


def test_most_published_p_values_follow_from_their_tables():
    found = published_tests()
    assert len(found) == 46 and set(found["item"]) == set(ITEMS)
    assert found["as_published"].value_counts().to_dict() == {"paired": 32, "unpaired": 9, "neither": 5}
    assert (found["wilcoxon_holm"] >= found["wilcoxon"]).all()


def test_sizes_and_the_lost_decimal_point():
    rows = ch3_data.size_rows(["ecoli"], ch3_data.SECTION_3_1).set_index("metric")["value"]
    assert rows.to_dict() == {"n_instances": 336, "n_attributes": 7, "imbalance_ratio": pytest.approx(8.6)}
    assert_array_equal(ch3_data.without_decimal_point([22.08, 41.0]), [2208, 41])
