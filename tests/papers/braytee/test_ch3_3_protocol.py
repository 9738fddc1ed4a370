"""No choice sees a test row, chance is chance, and the rows and trials are those of the tables."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import f1_score

from fslib.papers.braytee.ch3_3_sampling import budgets, chapter, items, protocol, tables
from fslib.papers.braytee.ch3_data import load_task
from fslib.reproduction.compare.join import join
from fslib.tidy import tidy

SEARCH = {"n_sources": 5, "max_iter": 250, "limit": 10, "max_evaluations": 60}


@pytest.fixture(autouse=True)
def fresh():
    protocol.split_parts.cache_clear()
    yield
    protocol.split_parts.cache_clear()


def trial(method, dataset="haberman", **changed):
    reading = "published" if method == items.PROPOSED else ""
    options = SEARCH if method in items.SEARCHES else {}
    named = {"dataset": dataset, "ratio": "", "method": method, "reading": reading, "options": options}
    return named | {"split": 0, "seed": 0} | changed


@pytest.mark.parametrize("method", [m for m in items.METHODS if m != "BIRF"])
def test_a_trial_repeats_itself_and_searches_without_test_rows(method, monkeypatch):
    seen = []

    def record(X, y, sampler, seed):
        seen.append((X.tobytes(), sampler.sample_indices_.tolist()))
        return {}

    monkeypatch.setattr(protocol, "_fitness", record)
    monkeypatch.setattr(protocol, "measures", lambda y, scores, labels: [("auc", "", 0.0)] * 5)
    monkeypatch.setattr(protocol, "_scores", lambda classifier, X: seen.append(classifier.coef_.tolist()))
    protocol.run_trial(**trial(method))
    first, seen[:] = seen.copy(), []
    (_, _), (X_test, y_test) = protocol.split_parts("haberman", "", 0, 0)
    X_test[:], y_test[:] = np.random.default_rng(0).normal(size=X_test.shape), 1 - y_test
    protocol.run_trial(**trial(method))
    assert first == seen and first


def test_scaling_is_that_of_the_training_part():
    (X, _), (X_test, _) = protocol.split_parts("haberman", "", 0, 0)
    assert np.allclose(X.mean(axis=0), 0) and np.allclose(X.std(axis=0), 1)
    assert not np.allclose(X_test.mean(axis=0), 0, atol=1e-3)
    assert len(X) == 204 and len(X_test) == 102


def test_shuffled_labels_give_chance():
    aucs = [
        row["value"]
        for split in range(12)
        for row in protocol.run_trial(**trial(items.CHANCE, "ionosphere", split=split))
        if row["metric"] == "auc" and row["arm"] == "scores"
    ]
    assert abs(np.mean(aucs) - 0.5) < 3 * np.std(aucs) / np.sqrt(12) and np.std(aucs) > 0.02


def test_both_searches_get_the_same_budget_and_report_what_they_reached():
    rows = {m: protocol.run_trial(**trial(m)) for m in items.SEARCHES}
    value = lambda m, metric: next(r["value"] for r in rows[m] if r["metric"] == metric)
    assert [value(m, "n_evaluations") for m in items.SEARCHES] == [60, 60]
    for m in items.SEARCHES:
        test = np.mean([value(m, "f_measure"), next(r["value"] for r in rows[m] if r["arm"] == "scores")])
        assert value(m, "fitness_test") == pytest.approx(test)
        assert 0 < value(m, "fitness_best") <= 1


def test_dropped_rows_join_the_test_part_of_biomedical_data_only():
    protocols = lambda d, **c: {row["protocol"] for row in protocol.run_trial(**trial("RU", d, **c))}
    assert protocols("haberman") == {"held_out", "published"}
    assert protocols("ionosphere", ratio="1:5") == {"held_out"}
    assert {row["protocol"] for row in protocol.run_trial(**trial("SMOTE"))} == {"held_out"}


def test_what_drew_is_recorded():
    assert {row["used"] for row in protocol.run_trial(**trial("ADASYN"))} == {"ADASYN"}
    assert {row["used"] for row in protocol.run_trial(**trial("SMOTE"))} == {""}


def test_thinning_keeps_all_common_samples_and_the_published_ratios():
    _, y = load_task("ionosphere")
    sizes = {}
    for ratio, n_rare in items.RATIOS["ionosphere"].items():
        rows = protocol.thinned(y, n_rare, np.random.default_rng(0))
        assert np.sum(y[rows] == 0) == 225
        sizes[ratio] = np.sum(y[rows])
    assert sizes == {"1:5": 45, "1:10": 25, "1:15": 15}
    assert [round(383 / n, 2) for n in items.RATIOS["australian"].values()] == [4.97, 10.08, 14.73]


def test_f1_at_equal_class_sizes_is_that_of_copied_rows():
    rng = np.random.default_rng(0)
    y, labels = np.r_[np.ones(5, int), np.zeros(20, int)], rng.integers(0, 2, 25)
    found = {metric: value for metric, arm, value in protocol.measures(y, labels, labels) if arm != "scores"}
    copies = np.r_[np.tile(np.arange(5), 4), np.arange(5, 25)]
    assert found["f1_balanced"] == pytest.approx(f1_score(y[copies], labels[copies]))
    assert found["macro_f1"] == pytest.approx(f1_score(y, labels, average="macro"))


def test_tables_join_the_published_numbers():
    options = {"n_splits": 1, "n_search_splits": 0, "seed": 0}
    wanted = ("RU", items.PLAIN)
    trials, _ = items.method_trials(["haberman", "childhood_leukaemia"], {"other": 5}, **options)
    more, _ = items.method_trials(["ionosphere"], {"other": 5}, ratios=True, **options)
    for item, chosen in (("Table 3.15", trials), ("Table 3.16", more)):
        raw = pd.DataFrame([row for t in chosen if t["method"] in wanted for row in protocol.run_trial(**t)])
        raw["used"] = raw["used"].fillna("")
        table = join(tidy(tables.item_rows(raw, item), "braytee", item), "braytee", item)
        met = table[~table["verdict"].isin(["not run", "not published"])]
        n_published = 2 * len(wanted) * (1 if item == "Table 3.15" else 3)
        assert met[["dataset", "method", "metric", "reported"]].drop_duplicates().shape[0] >= n_published


def test_trials_of_the_options():
    limits, _ = items.limit_trials(["haberman"], {"other": 7}, limits=[5, 10], n_sources=3, n_splits=2, seed=0)
    assert [t["options"]["limit"] for t in limits] == [5, 5, 10, 10] and limits[0]["options"]["max_evaluations"] == 7
    steps, missing = items.iteration_trials(
        ["haberman", "childhood_leukaemia", "ionosphere"], iterations=[3], n_sources=3, n_splits=1, seed=0
    )
    assert len(steps) == 1 and steps[0]["options"]["max_evaluations"] is None
    assert missing["reason"].tolist() == ["patient data of a hospital, never released"]


def test_the_thesis_budget_has_no_limit_but_that_of_its_iterations():
    trials, not_run = budgets.thesis_budget_trials(["haberman", "childhood_leukaemia"], n_splits=2, seed=0)
    assert len(trials) == 2 and len(not_run) == 1
    assert trials[0]["options"] == {"n_sources": 102, "max_iter": 250, "limit": 10, "max_evaluations": None}


def test_both_budgets_stand_on_the_splits_that_both_ran():
    fixed = pd.DataFrame([row for split in (0, 1) for row in protocol.run_trial(**trial("ABC-Sampling", split=split))])
    more = trial("ABC-Sampling", options=SEARCH | {"max_evaluations": 90})
    rows = budgets.both_budgets(fixed, pd.DataFrame(protocol.run_trial(**more)))
    assert set(rows["split"]) == {0} and set(rows["budget"]) == {"fixed", "thesis"}
    beside = budgets.budgets_beside(rows)
    assert list(beside.columns) == list(budgets.MEASURES.values()) and beside.notna().all(axis=None)
    assert beside["n_evaluations"].tolist() == [60, 90] and budgets.gains(rows)["n_evaluations"].tolist() == [30]
    tidy_rows = tidy(budgets.budget_rows(rows), "braytee", "Section 3.3, budgets")
    assert len(tidy_rows) == 2 * len(budgets.MEASURES)
    assert budgets.both_budgets(fixed, pd.DataFrame()).empty


@pytest.mark.parametrize("method", chapter.OTHERS)
def test_the_chapters_other_methods_see_no_test_label(method, monkeypatch):
    X, y = load_task("ecoli")
    parts = chapter.stratified_split(y, train_size=protocol.TRAIN_SIZE, dataset="ecoli", split=0, seed=0)
    other, seen = y.copy(), []
    other[parts[1]] = np.random.default_rng(0).permutation(y[parts[1]])
    monkeypatch.setitem(chapter.SECTION_3_3, "ecoli", "Ecoli")
    monkeypatch.setattr(chapter, "stratified_split", lambda *args, **options: parts)
    monkeypatch.setattr(chapter, "measures", lambda y, scores, labels: seen.append((y, scores, labels)) or [])
    for labels in (y, other):
        monkeypatch.setattr(chapter, "load_task", lambda name, labels=labels: (X, labels))
        chapter.run_trial(dataset="ecoli", method=method, split=0, seed=0)
    (y_test, scores, labels), (changed, again, labels_again) = seen
    assert not np.array_equal(y_test, changed)
    assert np.array_equal(scores, again) and np.array_equal(labels, labels_again)


def test_the_chapters_methods_meet_on_common_splits():
    natural = pd.DataFrame([row for s in (0, 1) for row in protocol.run_trial(**trial("ABC-Sampling", split=s))])
    trials, _ = chapter.chapter_trials(["haberman"], n_splits=1, seed=0)
    rows = chapter.together(natural, pd.DataFrame([row for t in trials for row in chapter.run_trial(**t)]))
    assert set(rows["split"]) == {0} and set(rows["method"]) == {"ABC-Sampling", *chapter.OTHERS}
    assert len(tidy(chapter.chapter_rows(rows), "braytee", "Section 3.4")) == 3 * 4
    assert chapter.chapter_means(rows).notna().all(axis=None)
    assert chapter.together(natural, pd.DataFrame()).empty
