"""The two searches on a toy with a planted good subset, ways to stop and go on, and the fall-back of ADASYN."""

import numpy as np
import pytest
from imblearn.over_sampling import ADASYN, SMOTE, RandomOverSampler
from imblearn.pipeline import make_pipeline
from numpy.testing import assert_array_equal
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from fslib.imbalance import ABCSampling, ADASYNWithFallback, PSOSampling
from fslib.imbalance.abc_sampling import _by_coin, _by_rounding, _Colony, _shares
from fslib.imbalance.subset_fitness import SubsetFitness

SEARCHES = [ABCSampling(), ABCSampling(reading="published"), PSOSampling()]


def planted(n_rare=30, n_good=80, n_bad=20, seed=0):
    """Classes at 1 and -1, and common samples at 10, which turn a classifier that is trained on them around."""
    rng = np.random.default_rng(seed)
    X = np.r_[rng.normal(1, 1, (n_rare, 2)), rng.normal(-1, 1, (n_good, 2)), rng.normal(10, 1, (n_bad, 2))]
    return X, np.arange(len(X)) < n_rare, np.arange(len(X)) >= n_rare + n_good


@pytest.mark.parametrize("search", [ABCSampling, PSOSampling])
def test_leaves_out_the_samples_that_mislead(search):
    X, y, bad = planted()
    fitness = SubsetFitness(X, y)
    without, everything = fitness(np.array([~bad[~y], np.ones(100, dtype=bool)]))
    assert without > everything + 0.3
    for seed in range(3):
        model = search(max_evaluations=500, random_state=seed)
        model.fit_resample(X, y)
        kept = model.sample_indices_[~y[model.sample_indices_]]
        assert bad[kept].sum() <= 1  # a random draw of 30 has six
        assert model.history_[False][-1] > without - 0.1


@pytest.mark.parametrize("search", [ABCSampling, PSOSampling])
def test_finds_the_planted_subset_under_a_fitness_that_counts_bits(search, monkeypatch):
    """A fitness with one optimum: agreement with a target of 10 of 40 bits."""
    X, y, _ = planted(10, 30, 10)
    target = np.random.default_rng(0).permutation(40) < 10
    monkeypatch.setattr(SubsetFitness, "evaluate", lambda self, bits: (bits == target).mean(axis=1))
    model = search(max_evaluations=20_000, max_iter=400, random_state=0)
    model.fit_resample(X, y)
    assert model.history_[False][-1] > 0.92
    assert target[model.ranking_[:10] - 10].sum() >= 9


@pytest.mark.parametrize("sampler", SEARCHES, ids=repr)
def test_a_search_that_was_stopped_goes_on_from_its_memory(sampler, tmp_path, monkeypatch):
    X, y, _ = planted()
    path, options = tmp_path / "memory.json", {"max_evaluations": 120, "random_state": 0}
    whole = sampler.__class__(**sampler.get_params() | options)
    whole.fit_resample(X, y)
    part = sampler.__class__(**sampler.get_params() | options | {"memory": path})
    compute, calls = SubsetFitness.evaluate, []

    def stop_after_two(self, bits):
        calls.append(len(bits))
        if len(calls) > 2:
            raise KeyboardInterrupt
        return compute(self, bits)

    monkeypatch.setattr(SubsetFitness, "evaluate", stop_after_two)
    with pytest.raises(KeyboardInterrupt):
        part.fit_resample(X, y)
    done = sum(calls[:2])
    assert done > 0

    computed = []
    monkeypatch.setattr(SubsetFitness, "evaluate", lambda self, b: computed.append(len(b)) or compute(self, b))
    part.fit_resample(X, y)
    assert sum(computed) == 120 - done
    assert_array_equal(part.ranking_, whole.ranking_)


def test_neighbours_by_rounding_differ_only_where_the_sources_do():
    """On such bits one in four turns; through the sigmoid any bit may, about two in five of all."""
    rng = np.random.default_rng(0)
    own, other = rng.random((2, 200_000)) < 0.3
    moved = own + rng.uniform(-1, 1, own.shape) * (own.astype(float) - other)
    turned = _by_rounding(moved, rng) != own
    assert not turned[own == other].any()
    assert abs(turned[own != other].mean() - 0.25) < 0.01
    assert 0.35 < (_by_coin(moved, rng) != own).mean() < 0.5


def test_rounding_keeps_the_density_of_a_population_and_the_sigmoid_does_not():
    rng = np.random.default_rng(0)
    flat = lambda bits: np.zeros(len(bits))
    density = {}
    for rule in (_by_rounding, _by_coin):
        colony = _Colony(rng.random((20, 500)) < 0.1, flat, rng, rule)
        for _ in range(30):  # neighbours accepted whatever they are worth
            colony.values[:] = -1
            colony.try_neighbours(np.arange(20))
        density[rule] = colony.sources.mean()
    assert density[_by_rounding] < 0.2 and density[_by_coin] > 0.55


def test_failures_are_counted_in_a_row_and_exhausted_sources_are_drawn_anew():
    rng, worth = np.random.default_rng(0), iter([[1, 1, 1], [0, 2, 1], [0, 0, 3]])
    colony = _Colony(rng.random((3, 8)) < 0.5, lambda bits: np.array(next(worth), float), rng, _by_rounding)
    colony.try_neighbours(np.arange(3))
    assert_array_equal(colony.failures, [1, 0, 1])
    colony.try_neighbours(np.arange(3))
    assert_array_equal(colony.failures, [2, 1, 0])
    assert_array_equal(colony.values, [1, 2, 3])


def test_onlookers_without_any_fitness_choose_at_random():
    assert_array_equal(_shares(np.array([0.0, -np.inf])), [0.5, 0.5])
    assert_array_equal(_shares(np.array([3.0, 1.0, -np.inf])), [0.75, 0.25, 0])


@pytest.mark.parametrize("sampler", SEARCHES, ids=repr)
def test_several_classes_and_other_ratios(sampler):
    X, y = np.random.default_rng(0).normal(size=(90, 2)), np.repeat([0, 1, 2], [50, 30, 10])
    model = sampler.__class__(**sampler.get_params() | {"max_evaluations": 60, "random_state": 0})
    assert_array_equal(np.bincount(model.fit_resample(X, y)[1]), [10, 10, 10])
    assert len(model.ranking_) == 80 and model.n_evaluations_ == 120
    model.set_params(sampling_strategy=0.5)
    assert_array_equal(np.bincount(model.fit_resample(X[40:], np.repeat([0, 1], [40, 10]))[1]), [20, 10])


@pytest.mark.parametrize("sampler", SEARCHES, ids=repr)
def test_balanced_classes_stay_as_they_are(sampler):
    X, y = np.random.default_rng(0).normal(size=(20, 2)), np.arange(20) % 2
    model = sampler.__class__()
    X_kept, _ = model.fit_resample(X, y)
    assert len(X_kept) == 20 and model.n_evaluations_ == 0 and len(model.ranking_) == 0


@pytest.mark.parametrize(
    ("sampler", "message"),
    [
        (ABCSampling(n_sources=1), "n_sources=1"),
        (ABCSampling(limit=0), "limit=0"),
        (ABCSampling(reading="literal"), "reading='literal'"),
        (PSOSampling(max_evaluations=2.5), "max_evaluations=2.5"),
        (PSOSampling(cv=1), "cv=1"),
    ],
    ids=repr,
)
def test_impossible_parameters(sampler, message):
    X, y, _ = planted()
    with pytest.raises(ValueError, match=message):
        sampler.fit_resample(X, y)


def test_serves_in_a_pipeline():
    X, y, _ = planted()
    pipeline = make_pipeline(StandardScaler(), ABCSampling(max_evaluations=50, random_state=0), LogisticRegression())
    assert pipeline.fit(X, y).predict(X).shape == (130,)


def blobs(n_rare, distance, n_common=40):
    rng = np.random.default_rng(0)
    return (np.r_[rng.normal(size=(n_common, 2)), rng.normal(distance, 1, size=(n_rare, 2))],
            np.arange(n_common + n_rare) >= n_common)  # fmt: skip


@pytest.mark.parametrize(
    ("table", "used", "same_as"),
    [
        (blobs(10, 1), "ADASYN", ADASYN(random_state=0)),
        (blobs(10, 100), "SMOTE", SMOTE(random_state=0)),  # apart: no rare sample has a common neighbour
        (blobs(4, 1), "SMOTE", SMOTE(k_neighbors=3, random_state=0)),  # too few for five neighbours
        (blobs(1, 1), "RandomOverSampler", RandomOverSampler(random_state=0)),
        (blobs(40, 1), "nothing", None),
    ],
)
def test_falls_back_and_says_so(table, used, same_as):
    sampler = ADASYNWithFallback(random_state=0)
    X, _ = sampler.fit_resample(*table)
    assert sampler.used_ == used
    assert_array_equal(X, same_as.fit_resample(*table)[0] if same_as else table[0])


def test_near_balance_falls_back():
    """One sample is wanted and ten rare ones share it: every share rounds to zero."""
    X, y = blobs(40, 0.5, 41)
    with pytest.raises(ValueError, match="No samples will be generated"):
        ADASYN(random_state=0).fit_resample(X, y)
    sampler = ADASYNWithFallback(random_state=0)
    assert_array_equal(np.bincount(sampler.fit_resample(X, y)[1]), [41, 41])
    assert sampler.used_ == "SMOTE"
