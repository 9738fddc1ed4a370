"""The dynamic cut on dendrograms that can be checked by hand."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import pdist, squareform

from fslib.correlated.tree_cut import core_scatter, hybrid_cut


def cut(points, **options):
    distances = pdist(np.asarray(points, dtype=float).reshape(len(points), -1))
    distances /= distances.max()
    return hybrid_cut(linkage(distances, "average"), distances, **options)


def groups_at(heights, sizes):
    """Distances of groups: ``heights[g]`` within group g, 1 between groups."""
    label = np.repeat(np.arange(len(sizes)), sizes)
    D = np.where(label[:, None] == label, np.asarray(heights)[label][:, None], 1.0)
    np.fill_diagonal(D, 0)
    return squareform(D)


def of(distances, **options):
    return hybrid_cut(linkage(distances, "average"), distances, **options)


def test_two_groups_are_two_modules_and_the_larger_is_the_first():
    assert_array_equal(of(groups_at([0.1, 0.2], [5, 8]), min_size=4), [2] * 5 + [1] * 8)


def test_a_group_below_the_least_size_stays_unassigned():
    assert_array_equal(of(groups_at([0.1, 0.1], [5, 8]), min_size=6), [0] * 5 + [1] * 8)


def test_a_loose_group_is_no_module():
    # cut at 0.9, reference 0.1: scatter may be up to 0.1 + 0.82 * 0.8 = 0.756
    assert_array_equal(of(groups_at([0.1, 0.75], [8, 8]), min_size=4, cut_height=0.9), [1] * 8 + [2] * 8)
    assert_array_equal(of(groups_at([0.1, 0.76], [8, 8]), min_size=4, cut_height=0.9), [1] * 8 + [0] * 8)


def test_a_loose_group_that_meets_a_tight_one_is_absorbed():
    # cut at 1: scatter may be up to 0.1 + 0.82 * 0.9 = 0.838
    assert_array_equal(of(groups_at([0.1, 0.83], [8, 8]), min_size=4, cut_height=1), [1] * 8 + [2] * 8)
    assert_array_equal(of(groups_at([0.1, 0.84], [8, 8]), min_size=4, cut_height=1), [1] * 16)


def test_small_branches_are_absorbed_by_the_branch_they_meet():
    # 20 points, and two of their own that meet them below the cut, far from a second group
    points = np.concatenate([np.linspace(0, 1, 20), [2.0, 2.1], 30 + np.linspace(0, 1, 20)])
    assert_array_equal(cut(points, min_size=5), [1] * 22 + [2] * 20)


def test_nested_groups_stay_together_or_split_by_depth():
    # two groups of 10 at 0.5 from each other with scatter 0.3: a gap of 0.2; a third group is far
    label = np.repeat([0, 1, 2], 10)
    D = np.where(label[:, None] == label, 0.3, 0.5)
    D[label == 2] = D[:, label == 2] = 1.0
    D[np.ix_(label == 2, label == 2)] = 0.3
    np.fill_diagonal(D, 0)
    # gap needed: 0.75 (1 - kappa) 0.7, that is 0.189 for kappa = 0.64
    assert_array_equal(of(squareform(D), min_size=5, deep_split=0, cut_height=1), label + 1)
    D[(D == 0.5)] = 0.48  # a gap of 0.18
    assert_array_equal(of(squareform(D), min_size=5, deep_split=0, cut_height=1), [1] * 20 + [2] * 10)
    assert_array_equal(of(squareform(D), min_size=5, deep_split=1, cut_height=1), label + 1)


def test_three_modules_under_composite_branches():
    points = np.concatenate([start + np.linspace(0, 1, 10) for start in (0, 10, 24)])
    assert_array_equal(cut(points, min_size=5), np.repeat([1, 2, 3], 10))


def test_nothing_above_the_cut_height_is_looked_at():
    distances = groups_at([0.1, 0.5], [8, 8])
    assert_array_equal(of(distances, min_size=4, cut_height=0.3), [1] * 8 + [0] * 8)


def test_equal_items_are_one_module_and_points_on_their_own_are_none():
    assert_array_equal(of(np.zeros(45), min_size=5), [1] * 10)
    rng = np.random.default_rng(0)
    assert not of(rng.uniform(0.97, 1.0, 40 * 39 // 2), min_size=10, cut_height=0.965).any()


def test_order_of_items_changes_names_only():
    rng = np.random.default_rng(1)
    points = np.concatenate([rng.normal(c, 1, size=(n, 3)) for c, n in ((0, 30), (12, 20), (25, 10))])
    labels = cut(points, min_size=8)
    shuffled = rng.permutation(60)
    assert set(labels) == {1, 2, 3}
    assert_array_equal(cut(points[shuffled], min_size=8), labels[shuffled])


def test_core_is_the_first_members_and_scatter_their_mean_distance():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(30, 2))
    D = squareform(pdist(points))
    members = rng.permutation(30)[:25].tolist()
    core = members[: int(6 + np.sqrt(25 - 6))]  # least size 10: 10 / 2 + 1 = 6
    pairs = [D[i, j] for a, i in enumerate(core) for j in core[a + 1 :]]
    assert core_scatter(members, 10, pdist(points), 30) == pytest.approx(np.mean(pairs), rel=1e-12)


def test_depth_has_five_values():
    with pytest.raises(ValueError, match="deep_split=5"):
        of(np.ones(3), deep_split=5)
