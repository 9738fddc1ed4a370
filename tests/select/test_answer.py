"""The whole answer: planted features are found, noise is called noise, and every kind of table is served."""

import numpy as np
import pandas as pd
import pytest

from fslib import filters
from fslib.select import candidate_selectors, compare, select_features
from fslib.select.cautions import cautions_of, judged_rows
from fslib.select.certainty import observed_scores, score_to_permute
from fslib.select.files import snippet, write_answer
from fslib.select.problem import resolve_criterion
from fslib.select.report import render
from fslib.select.scores import ALL_FEATURES, GUESS
from fslib.select.words import headline, verdict_sentences
from fslib.tables import UserTable

QUICK = {"n_repeats": 1, "n_halves": 6, "n_permutations": 99}


def table_of(X, y, task="classification", **more):
    return UserTable(X=X, y=np.asarray(y), task=task, target="y", **more)


def fast(k, **others):
    return {"FScore": filters.FisherScore(n_features_to_select=k), **others}


def test_planted_features_are_enough_and_a_copy_is_an_alternative(answer):
    assert answer.informative is True and answer.k == 2
    first, second = answer.features[:2].to_dict("records")
    assert {first["feature"], second["feature"]} in ({"size", "weight"}, {"copy", "weight"})
    twin = next(row for row in (first, second) if row["feature"] != "weight")
    assert twin["alternatives"] == [{"size": "copy", "copy": "size"}[twin["feature"]]]
    assert twin["group_frequency"] == 1 > twin["frequency"]
    assert first["p_corrected"] == second["p_corrected"] == 0.01
    assert (answer.features.loc[answer.features["feature"].str.startswith("n"), "p_corrected"] > 0.05).all()
    assert headline(answer) == "2 of 8 features are enough."


def test_nested_score_is_that_of_the_inner_choice_on_the_outer_fold(answer):
    nested = answer.comparison.nested
    scores = answer.comparison.folds.set_index(["repeat", "fold", "method", "k"])["score"]
    assert len(nested) == 5
    for row in nested.itertuples():
        assert row.score == scores[0, row.fold, row.method, row.k]
        assert row.guess == scores[0, row.fold, "Best guess", 0]


def test_the_inner_choice_sees_no_test_row(problem_with, monkeypatch):
    seen = []

    def record(problem, selectors, ks, train, test, *, baselines=True):
        seen.append((baselines, set(train), set(test)))
        return [("one", 1, 0.5), (ALL_FEATURES, 3, 0.5), (GUESS, 0, 0.5)], []

    monkeypatch.setattr(compare, "score_fold", record)
    rng = np.random.default_rng(0)
    problem = problem_with(pd.DataFrame(rng.normal(size=(60, 3))), np.repeat([0, 1], 30))
    plan = compare.plan_for(problem, n_folds=3, n_repeats=1)
    compare.compare(problem, {"one": None}, [1], plan, n_jobs=1)
    outer = [train for baselines, train, _ in seen if baselines]
    inner = [train | test for baselines, train, test in seen if not baselines]
    assert len(outer) == 3 and len(inner) >= 3
    assert [sum(rows == part for rows in inner) > 0 for part in outer] == [
        True
    ] * 3  # inner folds divide training parts
    assert all(any(rows <= part for part in outer) for rows in inner)


def test_noise_is_called_noise(noise_answer):
    assert noise_answer.informative is False and noise_answer.chosen == []
    assert len(noise_answer.candidates) == noise_answer.k
    assert headline(noise_answer) == "Nothing here tells the classes apart: no choice beats a guess."
    assert any("do not read anything into them" in sentence for sentence in verdict_sentences(noise_answer))


def test_scores_that_all_tie_are_an_answer_of_their_own(tmp_path):
    """Every combination of two levels occurs as often in each class, so that a learner answers with the larger one."""
    X = pd.DataFrame([(a, b) for a in (0, 1) for b in (0, 1)] * 50, columns=["a", "b"])
    y = np.repeat(["well", "ill"], [120, 80])
    found = select_features(table_of(X, y), criterion="zero_one", max_features=2, selectors=fast(2), **QUICK)
    assert found.scores_tie and found.features_tie and found.informative is False and found.chosen == []
    assert headline(found) == "Nothing here tells the classes apart: all scores tie."
    said = " ".join(verdict_sentences(found))
    assert "All selectors score the same with every number of features (0.600)" in said
    assert "all features score the same, so that the order of the columns decides" in said
    assert "No selector and no number" not in said
    assert repr(found) == "Answer('Nothing here tells the classes apart: all scores tie.')"
    page = write_answer(found, tmp_path)["report"].read_text()
    assert "all scores tie." in page and "the order of the columns decides" in page
    X["a"] = y == "ill"  # now one of them does
    found = select_features(table_of(X, y), criterion="zero_one", max_features=2, selectors=fast(2), **QUICK)
    assert found.informative and not found.features_tie


def test_features_that_tie_up_to_rounding_are_mentioned():
    """Copies shuffled within classes have the same means, summed in another order; a learner tells folds apart."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=80), np.repeat(["x", "z"], 40)
    copies = {f"c{i}": np.concatenate([rng.permutation(x[:40]), rng.permutation(x[40:])]) for i in range(5)}
    found = select_features(table_of(pd.DataFrame(copies), y), max_features=2, selectors=fast(2), **QUICK)
    scores = observed_scores(found.problem, score_to_permute(found.problem, found.method)[0])
    assert np.ptp(scores) > 0 and found.features_tie and not found.scores_tie
    assert any("the order of the columns decides" in sentence for sentence in verdict_sentences(found))
    copies["c3"] = copies["c3"] + 0.01 * (y == "x")
    found = select_features(table_of(pd.DataFrame(copies), y), max_features=2, selectors=fast(2), **QUICK)
    assert not found.features_tie


def test_copies_of_a_perfect_feature_tie_and_are_still_an_answer():
    y = np.repeat(["x", "z"], 40)
    table = table_of(pd.DataFrame({name: (y == "x") * 2.0 for name in "abc"}), y)
    found = select_features(table, max_features=2, selectors=fast(2), **QUICK)
    assert found.informative and found.scores_tie and found.chosen == ["a"]
    assert headline(found) == "1 of 3 features is enough."
    assert any("score the same with every number of features (1.000)" in s for s in verdict_sentences(found))


def test_the_score_is_not_optimistic_about_noise_among_many_features():
    """200 features of noise, 40 rows: a choice on all rows would look good on these rows."""
    rng = np.random.default_rng(1)
    table = table_of(pd.DataFrame(rng.normal(size=(40, 200))).rename(columns=str), rng.permutation(["x", "z"] * 20))
    found = select_features(table, max_features=3, selectors=fast(3), **QUICK)
    assert found.informative is False
    assert found.comparison.nested["score"].mean() < 0.7


def test_a_relation_that_does_not_predict_yet_is_undecided():
    """The class is hardly more frequent where x is large: certain by 4000 shuffled rows, useless for accuracy."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=400)
    y = np.where(rng.random(400) < 0.12 + 0.1 * (x > 1), "ill", "well")
    X = pd.DataFrame({"x": x, "noise": rng.normal(size=400)})
    found = select_features(table_of(X, y), criterion="zero_one", max_features=2, selectors=fast(2), **QUICK)
    assert found.informative is None and "Undecided" in headline(found)


def test_numbers(problem_with):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(120, 6)), columns=list("abcdef"))
    table = table_of(X, 2 * X["b"] - X["e"] + 0.3 * rng.normal(size=120), "regression")
    found = select_features(table, max_features=3, **QUICK)
    assert found.problem.scoring == "r2" and found.informative and set(found.chosen) == {"b", "e"}
    assert list(candidate_selectors(table, k=2)) == ["BayesGreedy", "BayesScore", "Linear greedy", "Linear score"]
    noise = table_of(X, rng.normal(size=120), "regression")
    selectors = {"Linear score": candidate_selectors(noise, k=2)["Linear score"]}
    found = select_features(noise, max_features=2, selectors=selectors, **QUICK)
    assert headline(found) == "Nothing here predicts the target: no choice beats a guess."


def test_labels_of_which_some_are_unknown():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(100, 5)), columns=list("abcde"))
    y = (X[["b", "d"]] > 0).astype(float).mask(rng.random((100, 2)) < 0.2).to_numpy()
    table = UserTable(X=X, y=y, task="multilabel", label_names=["one", "two"])
    selectors = {name: candidate_selectors(table, k=3)[name] for name in ("MDDM", "PMU")}
    found = select_features(table, max_features=3, selectors=selectors, **QUICK)
    assert found.informative and set(found.chosen) == {"b", "d"}
    assert found.p_score == "" and found.features["p"].isna().all()
    page = render(
        found, source="songs.csv", code=snippet(found, source="songs.csv", reading={"target": ["one", "two"]})
    )
    assert "target one, two" in page and "p-values are not available" in page and "corrected p<" not in page
    with pytest.raises(ValueError, match="no effect with several labels"):
        select_features(table, criterion="auc")
    with pytest.raises(ValueError, match="views have no effect"):
        candidate_selectors(UserTable(X=X, y=y, task="multilabel", views={"v": list("abcde")}))


def test_many_rows_with_labels_are_judged_by_some(problem_with):
    X = pd.DataFrame(np.arange(12_000.0).reshape(-1, 2))
    labels = problem_with(X, np.tile([[0.0, 1.0], [1.0, 0.0]], (3000, 1)), "multilabel")
    judged = judged_rows(labels)
    assert len(judged.X) == len(judged.y) == 4000 and len(np.unique(judged.X[:, 0])) == 4000
    assert judged_rows(labels, learner=object()) is labels
    assert "4000 of the 6000 rows" in cautions_of(UserTable(X=X, y=labels.y, task="multilabel"), labels, judged)[0]


def test_views_and_unequal_classes_bring_their_selectors():
    rng = np.random.default_rng(0)
    rare = np.arange(90) < 20
    X = pd.DataFrame(rng.normal(size=(90, 4)), columns=["u1", "u2", "v1", "v2"])
    X["v1"] += 3 * rare
    table = table_of(X, np.where(rare, "ill", "well"), views={"u": ["u1", "u2"], "v": ["v1", "v2"]})
    every = candidate_selectors(table, k=2)
    assert {"BIRF", "BSNMF", "RRMVFS"} < set(every) and resolve_criterion(table) == "balanced"
    found = select_features(table, max_features=2, selectors={"RRMVFS": every["RRMVFS"]}, **QUICK)
    assert found.chosen == ["v1"] and found.problem.scoring == "balanced_accuracy"


def test_groups_keep_copies_of_a_row_from_being_known_in_advance():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(np.repeat(rng.normal(size=(30, 6)), 4, axis=0), columns=list("abcdef"))
    y = np.repeat(rng.permutation(["x", "z"] * 15), 4)
    from sklearn.neighbors import KNeighborsClassifier

    options = {"max_features": 6, "selectors": fast(6), "learner": KNeighborsClassifier(1)} | QUICK
    fooled = select_features(table_of(X, y), **options)
    assert fooled.informative is True and "120 of 120 rows have the features of another" in fooled.cautions[0]
    assert select_features(table_of(X, y, groups=np.repeat(np.arange(30), 4)), **options).informative is False


def test_later_rows_judge_a_table_in_time():
    """A feature that means something in the first third only is worth nothing later."""
    rng = np.random.default_rng(0)
    y = rng.permutation([0, 1] * 60)
    X = pd.DataFrame({"once": np.where(np.arange(120) < 20, y, rng.integers(0, 2, 120)), "always": y * 1.0})
    X["always"] += rng.normal(size=120) * 0.7
    table = table_of(X, y, time=np.arange(120))
    found = select_features(table, max_features=2, selectors=fast(2), **QUICK)
    assert found.chosen == ["always"] and found.comparison.plan.n_repeats == 1
    quarters = table_of(X, y, time=np.arange(120) // 30)  # the first part is one time: nothing inside it is later
    found = select_features(quarters, max_features=2, selectors=fast(2), **QUICK)
    assert list(found.comparison.nested["fold"]) == [2] and found.informative is not False


def test_the_answer_does_not_depend_on_the_number_of_processes(noise_answer):
    table = noise_answer.table
    from fslib.filters import Discretized, FisherScore, MIScore

    selectors = {"MIScore": Discretized(MIScore(n_features_to_select=3)), "FScore": FisherScore(n_features_to_select=3)}
    again = select_features(table, max_features=3, selectors=selectors, n_jobs=2, **QUICK)
    pd.testing.assert_frame_equal(again.features, noise_answer.features)
    pd.testing.assert_frame_equal(again.comparison.folds, noise_answer.comparison.folds)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_features": 0}, "max_features=0 must be a whole number of at least 1"),
        ({"n_jobs": 0}, "n_jobs=0 must be an integer other than 0"),
        ({"progress": "yes"}, "progress='yes' must be True or False"),
        ({"n_folds": 1}, "n_folds=1 must be"),
        ({"criterion": "accuracy"}, "criterion must be one of auto, zero_one"),
        ({"criterion": "squared"}, "does not fit a classification target"),
    ],
)
def test_what_does_not_fit_is_named(planted, options, message):
    with pytest.raises(ValueError, match=message):
        select_features(planted, **options)


def test_scores_that_still_rise_at_the_largest_number_are_mentioned():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(150, 12))).rename(columns=str)
    rising = select_features(table_of(X, X.sum(axis=1), "regression"), max_features=4, **QUICK)
    assert any("4 is the largest number tried" in sentence for sentence in verdict_sentences(rising))
    enough = select_features(table_of(X, X["3"] + X["4"], "regression"), max_features=4, **QUICK)
    assert not any("largest number" in sentence for sentence in verdict_sentences(enough))
