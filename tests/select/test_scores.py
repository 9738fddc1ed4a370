"""Scores on folds: undefined ones are left out, guesses are honest, a failing selector is reported."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fslib import filters
from fslib.select.scores import ALL_FEATURES, GUESS, measure, one_standard_error, score_fold, summarise
from fslib.select.splits import folds


@pytest.fixture
def problem(planted, problem_with):
    return problem_with(planted.X, planted.y)


def test_the_score_of_a_set_is_that_of_the_learner_on_it(problem, planted):
    k = 2
    selector = filters.FisherScore(n_features_to_select=k)
    scores = []
    for train, test in folds(problem, 5):
        rows, remarks = score_fold(problem, {"F": selector}, [k], train, test)
        found = {method: score for method, _, score in rows}
        scores.append([found["F"], found[ALL_FEATURES]])
        assert not remarks
    cv = StratifiedKFold(5, shuffle=True, random_state=0)
    learner = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    expected = [cross_val_score(make_pipeline(selector, learner), planted.X, problem.y, cv=cv)]
    expected += [cross_val_score(learner, planted.X, problem.y, cv=cv)]
    np.testing.assert_allclose(scores, np.transpose(expected))


def test_a_selector_that_fails_costs_its_own_score_only(problem):
    class Fails(filters.FisherScore):
        def fit(self, X, y):
            raise ValueError("no such luck\nsecond line")

    train, test = folds(problem, 5)[0]
    good = filters.FisherScore(n_features_to_select=1)
    rows, remarks = score_fold(problem, {"bad": Fails(), "good": good}, [1], train, test)
    found = {method: score for method, _, score in rows}
    assert np.isnan(found["bad"]) and found["good"] > 0.5
    assert remarks == [("bad", "failed: no such luck")]


def test_the_best_guess_for_each_score(problem_with):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(100, 1)))
    y = np.where(np.arange(100) % 5 == 0, "rare", "common")
    train, test = np.arange(60), np.arange(60, 100)
    guess = {}
    for criterion in ("zero_one", "balanced", "auc", "log", "f_beta"):
        rows, _ = score_fold(problem_with(X, y, criterion=criterion), {}, [1], train, test)
        guess[criterion] = next(score for method, _, score in rows if method == GUESS)
    entropy = 0.2 * np.log(0.2) + 0.8 * np.log(0.8)
    expected = {"zero_one": 0.8, "balanced": 0.5, "auc": 0.5, "log": entropy, "f_beta": 2 * 0.2 / 1.2}
    assert guess == pytest.approx(expected)


def test_a_score_that_is_undefined_is_not_zero():
    X, y = np.zeros((4, 1)), np.zeros(4, dtype=int)
    model = LogisticRegression().fit([[0.0], [1.0]], [0, 1])
    for scoring in ("f1", "roc_auc", "neg_log_loss"):
        assert np.isnan(measure(scoring, model, X, y)), scoring
    rows = pd.DataFrame(
        [("A", 1, 0, fold, score) for fold, score in enumerate([0.5, np.nan, 0.7, 0.6])]
        + [("B", 1, 0, fold, score) for fold, score in enumerate([0.9, np.nan, np.nan, np.nan])],
        columns=["method", "k", "repeat", "fold", "score"],
    )
    found = summarise(rows).set_index("method")
    assert found.loc["A", "mean"] == pytest.approx(0.6) and found.loc["A", "n"] == 3
    assert found.loc["A", "se"] == pytest.approx(0.1 / 2)  # four folds
    assert np.isnan(found.loc["B", "mean"])


def test_baselines_never_set_the_mark():
    rows = [("A", 1, 0.7, 0.01), (ALL_FEATURES, 9, 0.9, 0.01), (GUESS, 0, 0.95, 0.01)]
    chosen, best = one_standard_error(pd.DataFrame(rows, columns=["method", "k", "mean", "se"]))
    assert chosen["method"] == best["method"] == "A"
    with pytest.raises(ValueError, match="No selector has a score"):
        one_standard_error(pd.DataFrame(rows[1:], columns=["method", "k", "mean", "se"]))
