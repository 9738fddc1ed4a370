"""The information family: every criterion from its formula, computed pair by pair, and the bias of many levels."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import mutual_info_score
from sklearn.preprocessing import OrdinalEncoder

from fslib.filters import Discretized, InformationGreedy, MIScore
from fslib.filters.search import problem


def H(*columns, corrected=False):
    counts = np.unique(np.stack(columns), axis=1, return_counts=True)[1]
    p = counts / counts.sum()
    return -(p * np.log(p)).sum() + corrected * (len(p) - 1) / (2 * counts.sum())


def by_definition(X, y, k, criterion, corrected=False):
    """Greedy search with every entropy recomputed; formulas of table 1 of Brown et al., in their own terms."""
    h = lambda *columns: H(*columns, corrected=corrected)
    mi = lambda a, b: h(a) + h(b) - h(a, b)
    given_y = lambda a, b: h(a, y) + h(b, y) - h(a, b, y) - h(y)
    joint = lambda a, b: h(a, b) + h(y) - h(a, b, y)
    value = {
        "mifs": lambda x, Z: mi(x, y) - sum(mi(x, z) for z in Z),
        "cife": lambda x, Z: mi(x, y) - sum(mi(x, z) for z in Z) + sum(given_y(x, z) for z in Z),
        "condred": lambda x, Z: mi(x, y) + sum(given_y(x, z) for z in Z),
        "jmi": lambda x, Z: np.mean([joint(x, z) for z in Z]),
        "disr": lambda x, Z: np.mean([joint(x, z) / h(x, z, y) for z in Z]),
        "icap": lambda x, Z: mi(x, y) - sum(max(0, mi(x, z) - given_y(x, z)) for z in Z),
        "cmim": lambda x, Z: min(h(x, z) - h(z) - h(x, z, y) + h(z, y) for z in Z),  # min I(X; Y | Z)
        "jmim": lambda x, Z: min(joint(x, z) for z in Z),
    }[criterion]
    chosen, entered = [], []
    while len(chosen) < k:
        values = [
            -np.inf if j in chosen else value(X[:, j], X[:, chosen].T) if chosen else mi(X[:, j], y)
            for j in range(X.shape[1])
        ]
        chosen.append(int(np.argmax(values)))
        entered.append(max(values))
    return chosen, entered


CRITERIA = ["mifs", "cife", "condred", "jmi", "disr", "icap", "cmim", "jmim"]


def data(n=80, d=7, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    X = rng.integers(0, rng.integers(2, 5, d), (n, d))
    return np.where(rng.random((n, d)) < np.linspace(0, 0.6, d), y[:, None] % (X.max(axis=0) + 1), X), y


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("estimator", ["plug_in", "miller_madow"])
@pytest.mark.parametrize("wide", [False, True])
def test_is_the_definition(monkeypatch, criterion, estimator, wide):
    X, y = data()
    if wide:  # tables of three levels and more are counted by what occurs
        monkeypatch.setattr(problem, "MAX_TABLE", 20)
    greedy = InformationGreedy(criterion, n_features_to_select=5, estimator=estimator).fit(X, y)
    chosen, entered = by_definition(X, y, 5, criterion, corrected=estimator == "miller_madow")
    assert_array_equal(greedy.ranking_[:5], chosen)
    assert_allclose(greedy.criterion_values_, entered, atol=1e-12)


def test_criteria_differ():
    X, y = data(seed=3, d=12)
    orders = {tuple(InformationGreedy(c, n_features_to_select=6).fit(X, y).ranking_[:6]) for c in CRITERIA}
    assert len(orders) >= 5


def test_copies_and_constants():
    X, y = data(d=4)
    X = np.column_stack([np.zeros(len(y), dtype=int), X, X[:, 3]])
    for criterion in ("mifs", "cmim", "jmim"):
        ranking = InformationGreedy(criterion, n_features_to_select=6).fit(X, y).ranking_
        assert ranking[0] == 4 and ranking[-1] == 0
        assert list(ranking).index(5) >= 2  # a copy brings nothing


def test_miller_madow_takes_away_the_bias_of_many_levels():
    """Mean score of noise over 200 draws: the plug-in estimate is too large by (12 - 1) (2 - 1) / 2 n."""
    rng = np.random.default_rng(0)
    y = np.arange(240) % 2
    X = rng.integers(0, 12, (240, 200))
    bias = {e: MIScore(estimator=e).fit(X, y).scores_.mean() for e in ("plug_in", "miller_madow")}
    assert_allclose(bias["plug_in"], 11 / 480, rtol=0.1)
    assert abs(bias["miller_madow"]) < 0.1 * bias["plug_in"]
    for j in range(3):
        expected = mutual_info_score(X[:, j], y) - (len(set(X[:, j])) - 1) * (2 - 1) / 480  # every cell occurs
        cells = len(np.unique(X[:, j] * 2 + y))
        expected += (len(set(X[:, j])) * 2 - cells) / 480
        assert_allclose(MIScore(estimator="miller_madow").fit(X, y).scores_[j], expected, atol=1e-12)


def test_an_informative_feature_of_many_levels_is_not_called_an_identifier(recwarn):
    rng = np.random.default_rng(0)
    y = np.arange(300) % 2
    place = np.where(rng.random(300) < 0.8, y, 1 - y) * 40 + rng.integers(0, 40, 300)  # 80 places, 4 samples each
    MIScore().fit(np.column_stack([place, y]), y)
    assert not recwarn.list
    with pytest.warns(UserWarning, match=r"1 feature.*column 0: \d+ levels, 300 samples"):
        MIScore().fit(np.column_stack([rng.permutation(place), y]), y)  # 80 levels, far below 0.9 n


def test_the_warning_passes_through_discretized():
    y = np.arange(60) % 2
    X = np.column_stack([np.arange(60) * 1.5, y])
    with pytest.warns(UserWarning, match="column 0: 60 levels") as caught:
        Discretized(MIScore(n_features_to_select=1), discretizer=OrdinalEncoder(dtype=int)).fit(X, y)
    assert caught[0].filename == __file__
