"""Chapter 5's trials: nothing sees a test row, shuffled labels give chance, published numbers are read right."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from fslib.evaluation.consistency import largest_average_precision
from fslib.papers.braytee import ch5_data, ch5_selection
from fslib.papers.braytee.ch5_1_cmfs import divergence
from fslib.papers.braytee.ch5_1_cmfs import protocol as cmfs
from fslib.papers.braytee.ch5_1_cmfs import tables as cmfs_tables
from fslib.papers.braytee.ch5_1_cmfs import theory as cmfs_theory
from fslib.papers.braytee.ch5_1_cmfs.items import CONTROLS, SELECTORS
from fslib.papers.braytee.ch5_2_ml_cib import consistency, items, protocol, tables, theory
from fslib.reproduction.compare.reported import read_reported
from fslib.reproduction.paths import REPORTED

SMALL = ch5_data.make_wide_sparse(n=80, d=150, n_labels=4)


@pytest.fixture
def small(monkeypatch):
    """A small simulated data set for all modules of the chapter."""
    for module in (ch5_data, ch5_selection, protocol, cmfs):
        monkeypatch.setattr(module, "load_task", lambda name: (SMALL.X, SMALL.y))
    return SMALL


def scrambled_test_rows(monkeypatch, fold):
    """The same data with the test rows' labels dealt anew; features and training rows stay."""
    _, test = ch5_data.fold_rows(ch5_data.SIMULATED, fold)
    y = SMALL.y.copy()
    y[test] = 1 - y[test]
    for module in (ch5_data, ch5_selection, protocol):
        monkeypatch.setattr(module, "load_task", lambda name: (SMALL.X, y))
    return test


def test_folds_are_disjoint_and_grouped_ones_keep_copies_together(monkeypatch):
    X = sparse.csr_array(np.repeat(np.arange(40.0).reshape(20, 2), 2, axis=0))
    monkeypatch.setattr(ch5_data, "load_task", lambda name: (X, None))
    groups = ch5_data.duplicate_groups(X)
    tested = []
    for fold in range(5):
        train, test = ch5_data.fold_rows("any", fold, folds="grouped")
        assert not set(groups[train]) & set(groups[test])
        tested += test.tolist()
    assert sorted(tested) == list(range(40))
    train, test = ch5_data.fold_rows("any", 0)
    assert not set(train) & set(test) and len(test) == 8


@pytest.mark.parametrize("method", [*items.METHODS, items.CHANCE])
def test_labels_of_test_rows_have_no_say(small, monkeypatch, method):
    """Turn the labels of the test rows round: what was predicted stays, so every right entry becomes a wrong one."""
    options = {"method": method, "fold": 0, "n_trees": 3}
    before = pd.DataFrame(protocol.run_trial(**options))
    scrambled_test_rows(monkeypatch, 0)
    after = pd.DataFrame(protocol.run_trial(**options))
    loss = [rows.query("metric == 'hamming_loss' and outputs == 'hard'")["value"].item() for rows in (before, after)]
    assert_allclose(loss[0] + loss[1], 1.0)


@pytest.mark.parametrize("selector", [*SELECTORS, *CONTROLS], ids=lambda s: f"{s['method']} {s['reading']}")
def test_selection_sees_training_rows_alone(small, monkeypatch, selector):
    seen = []
    rank = ch5_selection.rank_features

    def spy(method, X, Y, **options):
        seen.append((X.copy(), Y.copy()))
        return rank(method, X, Y, **options)

    monkeypatch.setattr(ch5_selection, "rank_features", spy)
    rows = pd.DataFrame(ch5_selection.run_selection(fold=1, **selector))
    train, _ = ch5_data.fold_rows(ch5_data.SIMULATED, 1)
    (X, Y) = seen[0]
    assert_array_equal(Y, SMALL.y[train])
    assert X.shape[0] == len(train) and X.max() <= 1
    assert set(rows["pct"]) == {0, 5, 10, 15, 20} and rows[rows["pct"] > 0]["value"].between(0, 1).all()


def test_shuffled_labels_are_near_chance():
    f1 = {}
    for method in ("BR", items.CHANCE):
        rows = pd.DataFrame([row for fold in (0, 1) for row in protocol.run_trial(method=method, fold=fold)])
        f1[method] = rows[(rows["metric"] == "micro_f1") & (rows["outputs"] == "hard")]["value"].mean()
    density = ch5_data.make_wide_sparse().y.mean()
    assert f1["BR"] > f1[items.CHANCE] + 0.15
    assert f1[items.CHANCE] < 2 * density, "guessing at random has an F1 of about the density"


def test_permuted_labels_leave_the_ranking_of_cmfs(small):
    rows = cmfs.run_overlap(reading="corrected", n_components=2, alpha=0.001, start=0)
    found = {row["metric"]: row["value"] for row in rows}
    assert found["overlap_permuted"] == 1.0, "a weight of labels near 0 gives them no say"


def test_naive_versions_agree_with_the_library():
    assert cmfs_theory.compare_with_library() < 1e-10
    assert theory.compare_with_library() < 1e-5
    derived, printed = cmfs_theory.objectives().values()
    assert (np.diff(derived) <= 0).all() and (np.diff(printed) > 0).any()


def test_setting_says_outputs_and_reading():
    rows = [
        {"dataset": "Emotions", "method": m, "variant": v, "folds": "random", "fold": fold, "outputs": o}
        | {"metric": "micro_f1", "value": 0.5}
        for m, v in (("BR", ""), ("ML-CIB", "published"), ("ML-CIB", "labels"))
        for o in ("hard", "real")
        for fold in (0, 1)
    ]
    found = tables.score_rows(pd.DataFrame(rows))["Table 5.6"]["setting"].tolist()
    assert found[0] == "outputs=hard;arm=published;folds=random"
    assert found[3] == "outputs=real;arm=published;reading=published;folds=random"
    assert found[4] == "outputs=hard;arm=other;reading=corrected;graph=labels;folds=random"


@pytest.fixture(scope="module")
def published():
    return consistency.published_scores(pd.concat([read_reported("braytee", f"Table 5.{n}") for n in (6, 7)]))


def test_published_ranks_and_p_values_are_recomputed(published):
    rows = read_reported("braytee", "Table 5.7")
    files = [pd.read_csv(REPORTED / f"braytee_table_5_{n}.csv", dtype=str) for n in (6, 7)]
    assert tables.with_published(tables.averaged_ranks(pd.concat(files)), rows, "avg_rank")["same"].sum() == 38
    assert tables.with_published(tables.recomputed_p_values(published), rows, "p_value")["same"].sum() == 26


def test_friedman_of_the_published_ranks_of_cmfs():
    rows = pd.read_csv(REPORTED / "braytee_table_5_2.csv", dtype=str)
    found = cmfs_tables.recomputed_p_values(rows)
    assert found["same"].sum() == 31 and found.xs(20, level="pct")["copied"].sum() == 7


def test_mlsmote_is_br_plus_a_constant_and_three_rows_have_one_factor(published):
    assert (consistency.offsets(published)["std"] < 0.001).all()
    shares = consistency.shares_of_small_spread(consistency.factors(published))
    assert (shares["at most 0.04"] > 0.5).all() and (shares["n"] == 15).all()


def test_rows_that_no_prediction_has_are_marked(published):
    sizes = read_reported("braytee", "Table 5.5").query("metric == 'n_labels'")
    n_labels = dict(zip(sizes["dataset"], sizes["value"].astype(int), strict=True))
    marked = consistency.check_rows(published, n_labels, consistency.label_facts(["emotions"]))
    assert marked.loc[("Emotions", "ML-CIB"), "average_precision"] == consistency.NOT_CONSISTENT
    assert marked.loc[("Emotions", "BR"), "verdict"] == consistency.CONSISTENT
    Y = ch5_data.load_task("emotions")[1]
    assert largest_average_precision(0.216, np.asarray(Y.sum(axis=1)), Y.shape[1]) == pytest.approx(0.869, abs=5e-4)


def test_table_5_5_of_emotions_is_cut_off_not_rounded():
    digits = tables.cut_off(tables.table_5_5(["emotions"]), read_reported("braytee", "Table 5.5"))
    assert digits["cut_off"].all() and not digits["rounded"].all()


def test_printed_updates_diverge_and_the_table_says_so(monkeypatch, small):
    monkeypatch.setattr(divergence, "load_task", lambda name: (small.X, small.y))
    assert divergence.run_divergence(reading="published", n_components=2, alpha=10.0, start=0)[0]["value"] == 1.0, "NaN"
    options = {"n_components": 2, "alpha": 1.0, "start": 0}
    runs = {reading: divergence.run_divergence(reading=reading, **options) for reading in ("published", "corrected")}
    assert [rows[0]["value"] for rows in runs.values()] == [1.0, 0.0]
    overlaps = pd.DataFrame([row for reading in runs for row in cmfs.run_overlap(reading=reading, **options)])
    found = pd.DataFrame([row for rows in runs.values() for row in rows])
    shown = divergence.shown_overlaps(overlaps, found)
    assert (shown.xs("published", level="reading") == "diverged").all(axis=None)
    assert (shown.xs("corrected", level="reading") != "diverged").all(axis=None)
    rows = divergence.divergence_rows(found)
    assert rows["value"].tolist() == [1.0, 0.0] and "reading=published" in rows["setting"].iloc[0]
