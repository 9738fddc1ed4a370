"""Modules: every step against its definition written out, and the whole on planted groups."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import squareform
from sklearn.metrics import adjusted_rand_score

from fslib.correlated.coexpression import CoexpressionModules
from fslib.correlated.eigengenes import eigengenes, merge_modules
from fslib.correlated.feature_blocks import feature_blocks
from fslib.correlated.overlap import topological_distances
from fslib.correlated.scale_free import POWERS, choose_power, connectivities, first_power_that_fits, scale_free_fit
from fslib.solvers import correlation
from fslib.solvers.correlation import standardised_columns


def planted(sizes=(60, 40, 30), n_noise=70, n=80, noise=0.6, seed=0):
    """Features around hidden profiles, of either sign, and features of noise; X and the true labels."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(1, len(sizes) + 1), sizes)
    profiles = rng.normal(size=(n, len(sizes)))
    X = profiles[:, truth - 1] * rng.choice([-1, 1], len(truth)) + noise * rng.normal(size=(n, len(truth)))
    shuffled = rng.permutation(len(truth) + n_noise)
    X = np.hstack([X, rng.normal(size=(n, n_noise))])[:, shuffled]
    return X, np.concatenate([truth, np.zeros(n_noise, dtype=int)])[shuffled]


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(correlation, "BLOCK", 16)
    monkeypatch.setattr("fslib.correlated.overlap.BLOCK", 16)


@pytest.mark.parametrize("signed", [False, True])
def test_overlap_is_its_definition(signed, small_blocks):
    Z = standardised_columns(np.random.default_rng(0).normal(size=(12, 37)), dtype=float)
    correlations = Z.T @ Z
    a = np.abs(correlations) ** 3
    s = a * np.sign(correlations) if signed else a
    expected = np.zeros((37, 37))
    for i in range(37):
        for j in range(37):
            if i != j:
                shared = sum(s[i, u] * s[u, j] for u in range(37) if u not in (i, j))
                k_i, k_j = a[i].sum() - a[i, i], a[j].sum() - a[j, j]
                expected[i, j] = 1 - abs(shared + s[i, j]) / (min(k_i, k_j) + 1 - a[i, j])
    assert_allclose(topological_distances(Z, 3, signed=signed), squareform(expected), rtol=1e-10)


def test_connectivity_is_its_definition(small_blocks):
    Z = standardised_columns(np.random.default_rng(0).normal(size=(10, 40)), dtype=float)
    expected = [(np.abs(Z.T @ Z) ** p).sum(axis=1) - 1 for p in POWERS]
    assert_allclose(connectivities(Z), expected, atol=1e-12)


def test_fit_is_the_squared_correlation_of_the_binned_points():
    k = np.random.default_rng(0).exponential(size=500) + 0.1
    edges = np.linspace(k.min(), k.max(), 11)
    points = []
    for b in range(10):
        inside = (k > edges[b]) & (k <= edges[b + 1]) | ((b == 0) & (k == edges[0]))
        middle = (edges[b] + edges[b + 1]) / 2
        points.append((k[inside].mean() if inside.any() else middle, inside.mean()))
    x, p = np.array(points).T
    slope, intercept = np.polyfit(np.log10(x), np.log10(p + 1e-9), 1)
    y = np.log10(p + 1e-9)
    r2 = 1 - np.sum((y - slope * np.log10(x) - intercept) ** 2) / np.sum((y - y.mean()) ** 2)
    assert slope < 0
    assert_allclose(scale_free_fit(k), r2, rtol=1e-9)
    assert scale_free_fit(np.full(7, 3.0)) == 0


def test_power_is_the_first_good_one_or_the_usual_one():
    fits, powers = [0.5, 0.86, 0.9], [4, 5, 6]
    assert choose_power(fits, [400, 150, 90], 60, powers) == 6  # at 5 the network is still too dense
    assert choose_power([0.1, 0.9, 0.9], [1, 1, 1], 25, [10, 16, 20]) == 8  # beyond 14 does not count
    assert [choose_power([0.0], [1.0], n, [1]) for n in (19, 20, 30, 40)] == [9, 8, 7, 6]


def test_the_published_rule_takes_a_rising_line_for_a_fit():
    assert first_power_that_fits([-0.86, 0.5, 0.9], [1, 2, 3]) == 1
    with pytest.raises(ValueError, match="no power makes the network scale-free"):
        first_power_that_fits([0.85, -0.85], [1, 2])


def test_eigengene_is_the_first_singular_vector_signed_as_the_mean():
    rng = np.random.default_rng(0)
    for n, m in ((30, 8), (8, 30)):
        Z = standardised_columns(rng.normal(size=(n, m)) + rng.normal(size=(n, 1)), dtype=float)
        (vector,) = eigengenes(Z, np.ones(m, dtype=int)).T
        first = np.linalg.svd(Z, full_matrices=False)[0][:, 0]
        assert_allclose(np.abs(vector), np.abs(first), atol=1e-9)
        assert vector @ Z.sum(axis=1) > 0


def test_modules_of_one_profile_are_merged_and_others_are_not():
    rng = np.random.default_rng(0)
    Z = standardised_columns(rng.normal(size=(50, 2))[:, [0] * 20 + [1] * 30] + 0.3 * rng.normal(size=(50, 50)))
    labels = np.repeat([1, 2, 3], [10, 10, 30])
    assert_array_equal(merge_modules(Z, labels, 0.15), np.repeat([2, 1], [20, 30]))
    assert_array_equal(merge_modules(Z, labels, 0.0), np.repeat([2, 3, 1], [10, 10, 30]))


@pytest.mark.parametrize("options", [{}, {"power": 8}, {"max_block": 90}, {"reading": "published", "power": 6}])
def test_planted_modules_are_found(options):
    X, truth = planted()
    modules = CoexpressionModules(**options).fit(X)
    found = modules.labels_
    assert modules.n_modules_ == 3
    assert adjusted_rand_score(truth[truth > 0], found[truth > 0]) > 0.95
    assert (found[truth == 0] > 0).mean() < 0.1
    assert_array_equal(np.sort(np.bincount(found)[1:])[::-1], np.bincount(found)[1:])
    assert_allclose(modules.eigengenes_.T @ modules.eigengenes_, np.eye(3), atol=0.5)
    assert sum(len(tree.features) for tree in modules.trees_) == X.shape[1]


def test_signs_scales_and_order_of_features_do_not_matter():
    X, _ = planted()
    labels = CoexpressionModules(power=6).fit(X).labels_
    rng = np.random.default_rng(3)
    shuffled = rng.permutation(X.shape[1])
    changed = 7 + X[:, shuffled] * rng.choice([-1, 1], X.shape[1]) * rng.uniform(0.5, 2, X.shape[1])
    assert adjusted_rand_score(labels[shuffled], CoexpressionModules(power=6).fit(changed).labels_) == 1


def test_the_curve_belongs_to_the_power():
    X, _ = planted()
    modules = CoexpressionModules().fit(X)
    assert_array_equal(modules.powers_, POWERS)
    assert modules.fit_.shape == modules.mean_connectivity_.shape == POWERS.shape
    assert (np.diff(modules.mean_connectivity_) < 0).all()
    assert CoexpressionModules(power=5).fit(X).power_ == 5 and CoexpressionModules(power=5).fit(X).fit_ is None


def test_without_a_module_the_power_falls_until_there_is_one_or_all_is_one():
    noise = np.random.default_rng(0).normal(size=(200, 60))
    modules = CoexpressionModules(power=12, min_size=28).fit(noise)
    alone = CoexpressionModules(power=12, min_size=28, reading="published").fit(noise)
    assert modules.power_ < 12 and modules.n_modules_ >= 1
    if modules.power_ > 1:
        assert (
            CoexpressionModules(power=modules.power_ + 1, min_size=28, reading="published").fit(noise).n_modules_ == 0
        )
    assert alone.n_modules_ == 0 and not alone.labels_.any() and alone.power_ == 12
    two = np.column_stack([np.arange(9), np.arange(9) ** 2])
    assert_array_equal(CoexpressionModules(cut_height=0.0).fit(two).labels_, [1, 1])


def test_constant_features_are_never_in_a_module():
    X, _ = planted()
    X[:, [0, 11]] = 0.1
    labels = CoexpressionModules(power=6).fit(X).labels_
    assert not labels[[0, 11]].any()
    assert_array_equal(np.delete(labels, [0, 11]), CoexpressionModules(power=6).fit(np.delete(X, [0, 11], 1)).labels_)


def test_blocks_are_small_hold_everything_once_and_keep_profiles_together():
    X, truth = planted(sizes=(40, 40), n_noise=0, noise=0.3)
    blocks = feature_blocks(standardised_columns(X), 40)
    assert_array_equal(np.sort(np.concatenate(blocks)), range(80))
    assert [len(set(truth[block])) for block in blocks] == [1, 1]
    same = np.tile(standardised_columns(X[:, :1]), 10)  # nothing to tell apart: halves
    assert [len(block) for block in feature_blocks(same, 5)] == [5, 5]
