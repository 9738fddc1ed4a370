"""The trials of section 3: nothing sees a test row, neighbours are scikit-learn's, choices follow the protocol."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import FunctionTransformer

from fslib.papers.rrmvfs import protocol as rrmvfs
from fslib.papers.rrmvfs.items import CHANCE, METHODS, PERCENTAGES, SELECTORS, VIEW_ORDERS, view_sets
from fslib.papers.rrmvfs.trials import cat_trials, figure_trials, order_trials, table_trials, trials_of

VIEWS = ["zer", "mor"]


def trial(method, gammas=(0.1, 10.0), **more):
    gammas = list(gammas) if method in SELECTORS else []
    named = {"dataset": "mfeat", "views": VIEWS, "train_per_class": 6, "method": method, "gammas": gammas}
    return named | {"max_iter": 5, "repeat": 0, "seed": 0} | more


def test_parts_are_halves_without_common_rows():
    X, *_ = rrmvfs.load_task("mfeat")
    (train, validation, rest), _ = rrmvfs.split_parts("mfeat", 12, 0, 0)
    assert [len(part[1]) for part in (train, validation, rest)] == [120, 200, 800]
    assert_array_equal(np.bincount(train[1]), np.full(10, 12))
    assert_array_equal(np.bincount(validation[1]), np.full(10, 20))
    _, index = np.unique(X, axis=0, return_index=True)
    assert len(index) >= 1990  # so that rows can be told apart by their values
    rows = [set(map(bytes, np.ascontiguousarray(part[0]))) for part in (train, validation, rest)]
    common = [rows[0] & rows[1], rows[0] & rows[2], rows[1] & rows[2]]
    assert sum(map(len, common)) <= len(X) - len(index)  # mfeat holds a few rows twice


def test_columns_are_scaled_by_training_rows_alone():
    (train, validation, _), _ = rrmvfs.split_parts("mfeat", 6, 0, 0)
    np.testing.assert_allclose(train[0].mean(axis=0), 0, atol=1e-9)
    assert np.abs(validation[0].mean(axis=0)).max() > 0.05


def test_larger_training_sets_contain_the_smaller_and_repeats_differ(monkeypatch):
    monkeypatch.setattr(rrmvfs, "StandardScaler", lambda: FunctionTransformer())  # rows stay as they are
    small, large, other = (
        {row.tobytes() for row in rrmvfs.split_parts("mfeat", size, repeat, 0)[0][0][0]}
        for size, repeat in ((6, 0), (12, 0), (6, 1))
    )
    assert small < large and not small & other == small


@pytest.mark.parametrize("method", [*METHODS, CHANCE])
def test_test_rows_have_no_say_in_what_is_chosen(monkeypatch, method):
    """Scramble the reported test rows: penalties and validation accuracies stay, test results move."""
    first = pd.DataFrame(rrmvfs.run_trial(**trial(method)))
    parts, views = rrmvfs.split_parts("mfeat", 6, 0, 0)
    moved = [*parts[:2], (np.roll(parts[2][0], 1, axis=1), parts[2][1])]
    monkeypatch.setattr(rrmvfs, "split_parts", lambda *key: (moved, views))
    second = pd.DataFrame(rrmvfs.run_trial(**trial(method)))
    chosen = [name for name in ("pct", "gamma1", "gamma2", "validation") if name in first]
    pd.testing.assert_frame_equal(first[chosen], second[chosen])
    assert (first["value"] != second["value"]).any()


def test_nearest_labels_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    X, y, X_new, order = rng.normal(size=(30, 8)), rng.integers(0, 3, 30), rng.normal(size=(40, 8)), rng.permutation(8)
    found = rrmvfs.nearest_labels(X, y, X_new, order, [1, 3, 3, 8])
    for labels, size in zip(found, [1, 3, 3, 8], strict=True):
        model = KNeighborsClassifier(1, algorithm="brute").fit(X[:, order[:size]], y)
        assert_array_equal(labels, model.predict(X_new[:, order[:size]]))


def test_rows_of_a_trial():
    rows = pd.DataFrame(rrmvfs.run_trial(**trial("RRMVFS")))
    assert len(rows) == len(PERCENTAGES) * 2 * 2 and set(rows["pct"]) == set(PERCENTAGES)
    assert rows["value"].between(0, 1).all() and set(rows["gamma1"]) <= {0.1, 10.0}
    (_, validation, rest), _ = rrmvfs.split_parts("mfeat", 6, 0, 0)
    accuracy = rows[rows["metric"] == "accuracy"].pivot(index="pct", columns="protocol", values="value")
    n, m = len(validation[1]), len(rest[1])
    share = rows.drop_duplicates("pct").set_index("pct")["validation"]
    np.testing.assert_allclose(accuracy["published"], (n * share + m * accuracy["held_out"]) / (n + m))


def test_ties_between_penalties_go_to_the_larger_gamma2_then_gamma1():
    (train, *_), views = rrmvfs.split_parts("mfeat", 6, 0, 0)
    orders = rrmvfs.column_orders("RRMVFS", [views[v] for v in VIEWS], [0.1, 10.0], 2, 0, *train)
    assert [penalties for penalties, _ in orders] == [(10.0, 10.0), (0.1, 10.0), (10.0, 0.1), (0.1, 0.1)]


def test_reference_points_do_not_depend_on_the_percentage_and_single_takes_one_view():
    (train, *_), views = rrmvfs.split_parts("mfeat", 6, 0, 0)
    groups = [views[v] for v in VIEWS]
    assert [len(order) for _, order in rrmvfs.column_orders("Single", groups, [], 5, 0, *train)] == [47, 6]
    for method in ("Single", "CAT"):
        rows = pd.DataFrame(rrmvfs.run_trial(**trial(method)))
        assert (rows.groupby(["metric", "protocol"])["value"].nunique() == 1).all()


def test_trials_of_figures_tables_and_orders():
    options = {"gammas": [1.0], "n_repeats": 2}
    trials, not_run = figure_trials(["mfeat"], **options)
    assert len(trials) == 2 * 3 * (len(METHODS) + 1) and set(not_run["dataset"]) == {"NUS", "Ads"}
    trials, _ = table_trials(["mfeat", "nus_wide_object"], **options)
    assert len(trials) == 2 * 3 * (len(METHODS) + 1)  # and random features
    assert len(cat_trials(2, n_repeats=3)) == 15 * 3  # every group in every repeat
    names = [tuple(c["views"]) for c in order_trials(methods=["CAT"], **options)]
    assert len(names) == 2 * len(set(names))
    assert set(names) == {tuple(g) for order in VIEW_ORDERS.values() for g in view_sets("mfeat", order).values()}
    assert len(trials_of("mfeat", [VIEWS], [6, 9], **options)) == 2 * 2 * (len(METHODS) + 1)


def test_constant_columns_do_not_count_as_varying(monkeypatch):
    X = np.random.default_rng(0).normal(size=(40, 4))
    X[:, 3] = 1.0
    monkeypatch.setattr(rrmvfs, "_task", lambda name, seed: (X, np.repeat([0, 1], 20), {"a": np.arange(4)}))
    share = rrmvfs.varying_columns(trials_of("mfeat", [["a"]], [6], gammas=[], n_repeats=2, methods=["CAT"]))
    assert share.to_numpy().tolist() == [[0.75]]


def test_ads_are_918_samples_in_five_complete_views(mirror):
    mirror("Ads")
    X, y, views = rrmvfs.load_task("Ads")
    assert len(X) == 918 and np.bincount(y).tolist() == [459, 459]
    columns = np.concatenate(list(views.values()))
    assert len(views) == 5 and len(columns) == 1554 and not np.isnan(X[:, columns]).any()
