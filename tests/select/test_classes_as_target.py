"""A reader's own table with classes or numbers as target: candidates, folds without leaks, chosen columns."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Bunch

from fslib.select import candidate_selectors
from fslib.select.cautions import repeated_rows
from fslib.select.problem import problem_of, scorer_for
from fslib.select.scores import ALL_FEATURES, GUESS, fill, summarise
from fslib.select.splits import possible_folds


def table_of(load, task, views=None):
    X, y = load(return_X_y=True, as_frame=True)
    return Bunch(X=X, y=y.to_numpy(), task=task, views=views, label_names=None, notes=[])


@pytest.fixture(scope="module")
def wine():
    return table_of(load_wine, "classification")


def test_candidates_follow_the_task(wine):
    assert list(candidate_selectors(wine, "zero_one", 3)) == [
        "BayesGreedy",
        "BayesScore",
        "MIGreedy",
        "MIScore",
        "MRMR",
        "FScore",
    ]
    half = list(wine.X.columns[:6])
    viewed = Bunch(**wine | {"views": {"a": half, "b": [c for c in wine.X if c not in half]}})
    assert "RRMVFS" in candidate_selectors(viewed, "zero_one", 3)
    diabetes = table_of(load_diabetes, "regression")
    assert list(candidate_selectors(diabetes, "squared", 3))[:2] == ["BayesGreedy", "BayesScore"]


def test_unequal_classes_bring_two_more_that_find_the_telling_features(score_folds, chosen_features):
    rng = np.random.default_rng(0)
    rare = np.arange(120) < 15
    X = pd.DataFrame(rng.random((120, 6)), columns=list("abcdef"))
    X.loc[rare, ["b", "e"]] += 2
    X.loc[:, ["a", "c", "d", "f"]] **= 8  # the others have few large values
    table = Bunch(X=X, y=np.where(rare, "ill", "well"), task="classification", views=None, label_names=None, notes=[])
    found = candidate_selectors(table, "balanced", 2)
    assert list(found)[-2:] == ["BIRF", "BSNMF"]
    assert all(sorted(chosen_features(table, found[name], 2)) == ["b", "e"] for name in ("BIRF", "BSNMF"))
    folds = score_folds(table, {name: found[name] for name in ("BSNMF",)}, [2], criterion="balanced", n_folds=2)
    assert folds.query("method == 'BSNMF'")["score"].min() > 0.9
    even = Bunch(**table | {"y": np.where(np.arange(120) < 41, "ill", "well")})
    assert "BIRF" not in candidate_selectors(even, "balanced", 2)


@pytest.mark.parametrize(("criterion", "message"), [("accuracy", "must be one of"), ("squared", "does not fit")])
def test_a_criterion_that_does_not_fit(wine, criterion, message):
    with pytest.raises(ValueError, match=message):
        candidate_selectors(wine, criterion, 3)


@pytest.mark.parametrize("criterion", ["zero_one", "balanced", "log", "f_beta", "auc"])
def test_every_criterion_compares(wine, score_folds, criterion):
    folds = score_folds(wine, candidate_selectors(wine, criterion, 2), [1, 2], criterion=criterion, n_folds=2)
    rows = summarise(folds.assign(repeat=0))
    assert len(rows) == 6 * 2 + 2 and np.isfinite(rows["mean"]).all()
    mean = rows.set_index(["method", "k"])["mean"]
    assert mean["BayesGreedy", 2] > mean["BayesGreedy", 1]


def test_all_features_is_the_learner_alone(wine, score_folds):
    folds = score_folds(wine, {}, [3], criterion="zero_one", n_folds=3, seed=1)
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    cv = StratifiedKFold(3, shuffle=True, random_state=1)
    assert set(folds["method"]) == {ALL_FEATURES, GUESS}
    np.testing.assert_allclose(folds.query("k > 0")["score"], cross_val_score(model, wine.X, wine.y, cv=cv))


def test_regression_and_views_run(score_folds, chosen_features):
    diabetes = table_of(load_diabetes, "regression")
    selectors = candidate_selectors(diabetes, "squared", 3)
    scores = score_folds(diabetes, selectors, [1, 3], criterion="squared", n_folds=3)
    assert scores.groupby(["method", "k"])["score"].mean()["BayesGreedy", 3] > 0.3  # R2
    cancer = table_of(load_breast_cancer, "classification")
    prefixes = ("mean", "worst")
    views = {p: [c for c in cancer.X if c.startswith(p)] for p in prefixes}
    views["error"] = [c for c in cancer.X if not c.startswith(prefixes)]
    cancer.views = views
    assert len(chosen_features(cancer, candidate_selectors(cancer, "zero_one", 4)["RRMVFS"], 4)) == 4


def test_nothing_of_the_test_rows_reaches_the_selection(score_folds):
    """A column that equals the target on the rows of one fold and is noise elsewhere is worth nothing there."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 60)
    X = pd.DataFrame({"leak": rng.integers(0, 2, 120), "honest": np.where(rng.random(120) < 0.8, y, 1 - y)})
    test = next(StratifiedKFold(3, shuffle=True, random_state=0).split(X, y))[1]
    X.loc[test, "leak"] = y[test]
    table = Bunch(X=X, y=y, task="classification", views=None)
    folds = score_folds(table, candidate_selectors(table, "zero_one", 1), [1], criterion="zero_one", n_folds=3)
    first = folds[(folds["fold"] == 0) & ~folds["method"].isin([ALL_FEATURES, GUESS])]
    assert (first["score"] < 1).all()


def test_empty_cells_are_filled_with_training_medians(wine, score_folds):
    X = wine.X.copy()
    X.iloc[::7, 0] = np.nan
    table = Bunch(**wine | {"X": X})
    selectors = candidate_selectors(table, "zero_one", 3)
    assert score_folds(table, selectors, [3], criterion="zero_one", n_folds=2)["score"].notna().all()


def test_medians_are_those_of_the_training_rows():
    X_train, X_test = np.array([[1.0], [3.0], [np.nan]]), np.array([[1e9], [np.nan]])
    filled, other = fill(X_train, X_test)
    assert filled[2, 0] == 2 and other[1, 0] == 2


def test_a_class_rarer_than_the_folds_is_named(wine):
    y = wine.y.copy()
    y[:2] = 9
    with pytest.raises(ValueError, match=r"Class 9 has 2 rows, fewer than the 5 that a score needs"):
        possible_folds(problem_of(Bunch(**wine | {"y": y}), criterion="zero_one"), 5, least=5)


def test_f1_is_that_of_the_rarer_class(score_folds):
    rng = np.random.default_rng(1)
    y = np.array(["common"] * 80 + ["rare"] * 20)
    X = pd.DataFrame({"x": (y == "rare") + 0.4 * rng.normal(size=100)})
    table = Bunch(X=X, y=y, task="classification", views=None)
    assert scorer_for(table, "f_beta") == "f1"
    score = score_folds(table, {}, [1], criterion="f_beta", n_folds=4).query("k > 0")["score"].mean()
    assert 0.6 < score < 0.95  # that of the common class would be above 0.95


@pytest.mark.parametrize("names", [["ill", "fit"], ["sick", "well"]])
def test_the_features_are_chosen_for_the_rarer_class_too(chosen_features, names):
    """Of 25 in 200, one column marks 10 and nobody else, the other all and 25 more: F1 is 20/35 against 50/75.

    For the common class it would be 350/365 against 350/375, the other way round.
    """
    row = np.arange(200)
    table = Bunch(
        X=pd.DataFrame({"sure": (row < 10).astype(int), "complete": (row < 50).astype(int)}),
        y=np.where(row < 25, *names),
        task="classification",
        views=None,
    )
    selector = candidate_selectors(table, "f_beta", 1)["BayesScore"]
    assert chosen_features(table, selector, 1) == ["complete"]


@pytest.fixture
def measured_three_times():
    """Forty things with labels at random, each in the table three times: nothing to learn but who is who."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(np.repeat(rng.normal(size=(40, 20)), 3, axis=0), columns=[f"f{j}" for j in range(20)])
    y = np.repeat(rng.permutation([0, 1] * 20), 3)
    return Bunch(X=X, y=y, task="classification", views=None), np.repeat(np.arange(40), 3)


def test_repeated_rows_are_told_and_groups_keep_them_together(measured_three_times, score_folds):
    table, groups = measured_three_times
    options = {"criterion": "zero_one", "learner": KNeighborsClassifier(1)}
    assert "120 of 120 rows have the features of another row" in repeated_rows(table.X)
    fooled = score_folds(table, {}, [1], **options).query("k > 0")["score"].mean()
    honest = score_folds(table, {}, [1], **options, groups=groups).query("k > 0")["score"].mean()
    assert fooled > 0.9
    assert honest < 0.7
    with pytest.raises(ValueError, match="119 values for 120 rows"):
        problem_of(table, groups=groups[1:])
    with pytest.raises(ValueError, match="3 groups, fewer than the 5 that"):
        possible_folds(problem_of(table, groups=groups % 3), 5, least=5)


def test_pairs_are_counted_where_cells_would_hold_one_row(measured_three_times):
    table, _ = measured_three_times
    orders = [candidate_selectors(table, "zero_one", k)["BayesGreedy"].selector.order for k in (4, 5)]
    assert orders == ["exact", 2]  # 3^4 cells for 120 rows, and 3^5
