"""The trials of section 5.4: what each protocol may see, which labels it gets, and how a choice is made."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from fslib.datasets import unavailable_reason
from fslib.evaluation.multilabel_sweep import sweep_scores
from fslib.multilabel import MLkNN
from fslib.papers.mlmlfs import items as mlmlfs
from fslib.papers.mlmlfs import protocol
from fslib.papers.mlmlfs import tables as mlmlfs_tables
from fslib.reproduction.compare.join import published_numbers

MLMLFS_SETTING = {"alpha": 1e-4, "lam": 1.0, "p": 1.0}
GRID = {"ps": [1.0], "lams": [1.0], "alphas": [1.0], "corrected_lams": [1.0], "corrected_alphas": [1.0]}
PLAIN = {"alpha": None, "lam": None, "p": None}


def trial(method="MDDM", reading="corrected", **more):
    setting = MLMLFS_SETTING if method == "MLMLFS" else PLAIN
    named = {"dataset": "emotions", "missing_pct": 50, "method": method, "reading": reading}
    return named | setting | {"sizes": [5, 20], "start": None, "seed": 0} | more


def rows_of(**more):
    return pd.DataFrame(mlmlfs.run_trial(**trial(**more))).set_index(["protocol", "labels", "metric"]).sort_index()


@pytest.mark.parametrize("missing_pct", [25, 80])
def test_masks_hide_the_asked_share_and_keep_both_values_of_each_label(missing_pct):
    task = protocol.load_task("emotions", missing_pct)
    assert_allclose(np.isnan(task.y).mean(), missing_pct / 100, atol=1e-3)
    assert_array_equal(np.isnan(task.y), ~np.isnan(task.hidden))
    assert (np.nanmin(task.y, axis=0) == 0).all()
    assert (np.nanmax(task.y, axis=0) == 1).all()
    protocol.load_task.cache_clear()
    assert_array_equal(task.y, protocol.load_task("emotions", missing_pct).y)
    assert not np.array_equal(task.y, protocol.load_task("emotions", missing_pct, seed=1).y, equal_nan=True)


def test_authors_masks_are_used_where_there_are_any(mirror, monkeypatch):
    monkeypatch.setattr(protocol, "draw_known", None)  # would fail if called
    path = mirror("mlmlfs_birds")
    with np.load(path) as stored:
        assert_array_equal(np.isnan(protocol.load_task("mlmlfs_birds", 50).y), ~stored["known_50"].astype(bool))


@pytest.mark.parametrize("method", ["MLMLFS", "PMU"])
def test_hidden_labels_and_test_labels_change_no_choice(monkeypatch, method):
    """Replace what no method may see: same numbers of features in the held-out protocol, same validation scores."""
    before = rows_of(method=method)
    task = protocol.load_task("emotions", 50)
    changed = protocol.Task(task.X, task.y, 1 - task.hidden, task.X_test + 1.0, 1 - task.y_test)
    monkeypatch.setattr(protocol, "load_task", lambda *args: changed)
    monkeypatch.setattr(mlmlfs, "load_task", lambda *args: changed)
    protocol.shared_labels.cache_clear()
    after = rows_of(method=method)
    assert_array_equal(before.loc["held_out", "k"], after.loc["held_out", "k"])
    assert_array_equal(before.loc["held_out", "validation"], after.loc["held_out", "validation"])
    assert not np.allclose(before["value"], after["value"])


def test_held_out_is_never_better_than_the_best_on_the_test_set():
    rows = rows_of(method="MLMLFS", sizes=[1, 3, 10, 40])
    gap = mlmlfs_tables.larger_as_better(
        pd.DataFrame({"gap": rows.loc[("published", "own"), "value"] - rows.loc[("held_out", "own"), "value"]})
    )
    assert (gap["gap"] >= 0).all()


def test_same_labels_is_ml_knn_on_the_same_labels():
    """Recompute a number of each label set from its definition."""
    task = protocol.load_task("emotions", 50)
    order = protocol.fit_selector("MDDM", "corrected", {}, task.X, task.y).ranking_[:20]
    shared = protocol.fit_selector("MLMLFS", "corrected", protocol.SHARED, task.X, task.y).recovered_labels_
    rows = rows_of(sizes=[20])
    for labels, y in [("incomplete", task.y), ("recovered", shared)]:
        model = MLkNN().fit(task.X[:, order], y)
        loss = np.mean(model.predict(task.X_test[:, order]) != task.y_test)
        assert_allclose(rows.loc[("same_labels", labels, "hamming_loss"), "value"], loss)


def test_only_mlmlfs_trains_its_classifier_on_recovered_labels_in_the_published_protocol():
    plain, ours = rows_of(method="MDDM"), rows_of(method="MLMLFS")
    own, incomplete, recovered = ("published", "own"), ("same_labels", "incomplete"), ("same_labels", "recovered")
    assert_array_equal(plain.loc[own, "value"], plain.loc[incomplete, "value"])
    assert_array_equal(ours.loc[own, "value"], ours.loc[recovered, "value"])  # its setting is the shared one
    assert not np.allclose(ours.loc[own, "value"], ours.loc[incomplete, "value"])


def test_published_readings_take_part_in_the_published_protocol_only():
    assert set(rows_of(method="PMU", reading="published").index.get_level_values("protocol")) == {"published"}


def test_unknown_labels_of_judged_rows_are_left_out():
    """A label that is unknown in all judged rows: every measure is that of the other labels alone."""
    rng = np.random.default_rng(0)
    X, X_test = rng.normal(size=(40, 2)), rng.normal(size=(15, 2))
    y = (X[:, [0, 1, 0, 1]] + 0.5 * rng.normal(size=(40, 4)) > 0).astype(float)
    y_test = rng.integers(0, 2, size=(15, 4)).astype(float)
    y_test[:, 0] = 0  # no row has all labels, with or without the last one
    metrics = ["one_error", "average_precision", "example_f1", "hamming_loss"]
    with_unknown = sweep_scores(X, {"": y}, X_test, y_test * [1, 1, 1, np.nan], [0, 1], metrics=metrics)[""]
    others = sweep_scores(X, {"": y[:, :3]}, X_test, y_test[:, :3], [0, 1], metrics=metrics)[""]
    others["hamming_loss"] = others["hamming_loss"] * 3 / 4  # the unknown entries count as entries without a mistake
    for metric in metrics:
        assert_allclose(with_unknown[metric], others[metric], err_msg=metric)


def grid_rows():
    """Two settings and two protocols: on the test set the first is better, on validation the second."""
    named = {"dataset": "A", "missing_pct": 50, "method": "MLMLFS", "reading": "corrected", "alpha": 1.0, "p": 1.0}
    named |= {"start": None}
    rows = []
    for lam, value, validation in [(1.0, 0.2, 0.9), (2.0, 0.3, 0.4)]:
        more = named | {"lam": lam, "labels": "own", "metric": "hamming_loss", "value": value, "k": 1}
        rows += [
            more | {"protocol": "published", "validation": np.nan},
            more | {"protocol": "held_out", "validation": validation},
        ]
    return pd.DataFrame(rows)


def test_choice_by_test_and_by_validation():
    chosen = mlmlfs.best_settings(grid_rows()).set_index("protocol")["lam"]
    assert chosen.to_dict() == {"published": 1.0, "held_out": 2.0}
    larger = grid_rows().assign(metric="average_precision")
    assert mlmlfs.best_settings(larger).set_index("protocol")["lam"].to_dict() == {"published": 2.0, "held_out": 1.0}


def test_published_numbers_meet_the_published_protocol():
    """Example-based F1 of the published protocol, and no other row, is compared with the published Macro-F."""
    raw = pd.concat(
        [
            grid_rows().assign(dataset="Birds", metric="example_f1", reading=reading, p=p)
            for reading in ("published", "corrected")
            for p in (0.4, 1.0)
        ]
    )
    raw.loc[raw["reading"] == "published", "value"] = 0.6
    tidy = mlmlfs.summarise(mlmlfs.best_settings(raw.reset_index(drop=True)))
    compared = published_numbers(tidy, "mlmlfs", "Table 4").query("dataset == 'Birds' and method == 'MLMLFS'")
    met = compared[compared["kind"] != "not run"]
    assert met["metric"].unique().tolist() == ["macro_f"]
    assert len(met) == 2  # p = 0.4 and 1
    assert_allclose(met["reproduced"], 0.6)


def test_all_methods_are_judged_at_the_same_sizes_and_those_of_the_corrected_readings_may_be_fewer():
    trials, not_run = mlmlfs.table_trials(
        **GRID | {"datasets": ["emotions", "yeast_ml", "bookmarks"], "missing": [0]},
        sizes={"emotions": [3, 5]},
        corrected_sizes={"yeast_ml": [7]},
        starts={"emotions": 2},
    )
    found = {}
    for one in trials:
        found.setdefault((one["dataset"], one["reading"]), set()).add(tuple(one["sizes"]))
    every = tuple(range(1, 101))
    assert found == {
        ("emotions", "published"): {(3, 5)},
        ("emotions", "corrected"): {(3, 5)},
        ("yeast_ml", "published"): {every},
        ("yeast_ml", "corrected"): {(7,)},
    }
    assert [c["start"] for c in trials if c["method"] == "SFUS" and c["dataset"] == "emotions"] == [0, 1, None]
    assert not_run["reason"].tolist() == [unavailable_reason("bookmarks")]


def test_further_starts_search_the_pairs_that_were_best():
    trials, _ = mlmlfs.table_trials(**GRID | {"datasets": ["emotions"], "missing": [50], "lams": [1.0, 100.0]})
    published = [c for c in trials if c["method"] == "MLMLFS" and c["reading"] == "published"]
    rows = [
        c
        | {"dataset": "Emotions (our masks)", "protocol": "published", "labels": "own", "metric": metric}
        | {"value": c["lam"], "k": 3, "validation": np.nan}
        for c in published
        for metric in ("hamming_loss", "one_error")
    ]
    more = mlmlfs.further_starts(pd.DataFrame(rows), trials, {"emotions": 3})
    assert [(c["start"], c["lam"]) for c in more] == [(1, 1.0), (2, 1.0)]
    assert mlmlfs.further_starts(pd.DataFrame(rows), trials, {}) == []


def test_the_median_of_the_starts_speaks_for_them():
    rows = pd.concat(
        [
            grid_rows().assign(reading="published", start=start, value=value)
            for start, value in enumerate((0.5, 0.1, 0.2))
        ]
    )
    published = rows.query("protocol == 'published'").reset_index(drop=True)
    assert len(mlmlfs.summarise(mlmlfs.best_settings(published))) == 3
    values = mlmlfs_tables.protocol_values(rows.reset_index(drop=True), "as published", ["hamming_loss"])
    assert values["MLMLFS"].tolist() == [0.2]


def test_shuffled_labels_leave_nothing_to_learn():
    task = protocol.load_task("emotions", 50)
    dealt = protocol.shuffle_labels(task, 0)
    assert_allclose(np.nanmean(dealt.y, axis=0), np.nanmean(task.y, axis=0))
    assert_array_equal(np.isnan(dealt.y), ~np.isnan(dealt.hidden))
    one = trial(mlmlfs.CHANCE, "published", start=0)
    chance = pd.DataFrame(mlmlfs.run_trial(**one)).set_index("metric")["value"]
    true = rows_of(method="MLMLFS", reading="published", start=0).loc[("published", "own"), "value"]
    assert chance["average_precision"] < true["average_precision"] - 0.1
    assert chance["hamming_loss"] > true["hamming_loss"]


def test_the_whole_grid_can_be_searched_on_some_data_sets():
    options = GRID | {"datasets": ["emotions", "yeast_ml"], "missing": [0], "ps": [0.4, 1.0], "alphas": [0.5]}
    trials, _ = mlmlfs.table_trials(**options, whole_grid=["emotions"])
    pairs = lambda name: {
        (c["lam"], c["alpha"])
        for c in trials
        if c["dataset"] == name and c["method"] == "MLMLFS" and c["reading"] == "published" and c["p"] == 0.4
    }
    assert pairs("yeast_ml") == {(1.0, 0.5)}
    assert len(pairs("emotions")) == 21
    assert {(1e-6, 1e-6), (1e6, 1e-2), (1.0, 1e-4)} < pairs("emotions")


def test_mddm_as_published_is_a_matter_of_choice():
    """Its order differs by machine; without it the corrected MDDM takes part in every protocol."""
    options = GRID | {"datasets": ["emotions"], "missing": [50]}
    readings = {
        asked: [
            c["reading"] for c in mlmlfs.table_trials(**options, mddm_as_published=asked)[0] if c["method"] == "MDDM"
        ]
        for asked in (True, False)
    }
    assert readings == {True: ["published", "corrected"], False: [""]}
    rows = pd.concat([rows_of(reading=""), rows_of(method="MLMLFS", reading="corrected")]).reset_index()
    for name in mlmlfs_tables.PROTOCOLS:
        assert "MDDM" in mlmlfs_tables.protocol_values(rows, name)


def test_published_pmu_numbers_come_out_through_the_whole_path(mirror):
    mirror("mlmlfs_birds")
    raw = pd.DataFrame(mlmlfs.run_trial(**trial("PMU", "published", dataset="mlmlfs_birds", sizes=list(range(1, 101)))))
    compared = published_numbers(mlmlfs.summarise(mlmlfs.best_settings(raw)), "mlmlfs", "Table 4")
    assert compared.query("dataset == 'Birds' and method == 'PMU'")["kind"].tolist() == ["as published"] * 4
