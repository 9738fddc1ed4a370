"""Small tables with a known answer, and the answers themselves, made once."""

import numpy as np
import pandas as pd
import pytest

from fslib import filters
from fslib.select import select_features
from fslib.select.problem import problem_of
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
