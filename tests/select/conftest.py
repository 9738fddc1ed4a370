"""Small tables with a known answer, and the answers themselves, made once."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from fslib import filters
from fslib.select import select_features
from fslib.select.candidates import best_first
from fslib.select.problem import problem_of
from fslib.select.scores import fill, score_fold
from fslib.select.splits import folds
from fslib.tables import UserTable

QUICK = {"n_repeats": 1, "n_halves": 6, "n_permutations": 99}


def table_of(X, y, task="classification", **more):
    return UserTable(X=X, y=np.asarray(y), task=task, target="y", **more)


def two_fast(k):
    return {
        "MIScore": filters.Discretized(filters.MIScore(n_features_to_select=k)),
        "FScore": filters.FisherScore(n_features_to_select=k),
    }


@pytest.fixture(scope="session")
def problem_with():
    """Build the problem of a table that is given by X and y."""
    return lambda X, y, task="classification", criterion="auto", **more: problem_of(
        table_of(X.rename(columns=str), y, task, **more), criterion=criterion
    )


@pytest.fixture(scope="session")
def score_folds():
    """Scores on every fold of one repeat, as a comparison makes them."""

    def score(table, selectors, ks, *, criterion="auto", n_folds=5, learner=None, groups=None, seed=0):
        problem = problem_of(table, criterion=criterion, learner=learner, groups=groups, seed=seed)
        scored = [score_fold(problem, selectors, ks, *rows)[0] for rows in folds(problem, n_folds)]
        rows = [(method, k, fold, score) for fold, found in enumerate(scored) for method, k, score in found]
        return pd.DataFrame(rows, columns=["method", "k", "fold", "score"])

    return score


@pytest.fixture(scope="session")
def chosen_features():
    """Names of the features that a selector ranks first on all rows of a table, best first."""

    def choose(table, selector, k):
        problem = problem_of(table)
        (X,) = fill(problem.X)
        return [problem.names[j] for j in best_first(clone(selector).fit(X, problem.y))[:k]]

    return choose


@pytest.fixture(scope="session")
def planted():
    """Two features that tell the classes apart, a near copy of the first, and five of noise."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(160, 8)), columns=["n1", "size", "n2", "copy", "weight", "n3", "n4", "n5"])
    X["copy"] = X["size"] * 3 + 0.05 * rng.normal(size=160)
    return table_of(X, np.where(X["size"] + X["weight"] > 0, "large", "small"))


@pytest.fixture(scope="session")
def answer(planted):
    return select_features(planted, max_features=4, **QUICK)


@pytest.fixture(scope="session")
def noise_answer():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(80, 8)), columns=list("abcdefgh"))
    return select_features(
        table_of(X, rng.permutation(["x", "z"] * 40)), max_features=3, selectors=two_fast(3), **QUICK
    )
