"""Cells of the exact search, sorted by cell and class, against cells found one by one."""

import numpy as np
import pytest

from fslib.counts.levels import encode_levels
from fslib.counts.sorted_groups import SortedGroups
from fslib.counts.weighted import weigh
from fslib.filters.criteria import ZeroOne
from fslib.filters.search import partition as partitions
from fslib.filters.search.problem import ClassProblem


def data(n, n_classes):
    """Features of 2 to 40 levels, many samples of which are explained after a few of them."""
    rng = np.random.default_rng(n)
    X = (rng.random((n, 6)) ** 3 * [2, 3, 4, 5, 2, 40]).astype(int)
    return X, np.where(rng.random(n) < 0.97, X[:, 1] + X[:, 2], rng.integers(0, n_classes, n)) % n_classes


def cells_of_more_classes(X, y):
    """Number of the cell of each sample, -1 where it holds one class."""
    cells = np.unique(X, axis=0, return_inverse=True)[1].ravel()
    is_mixed = np.array([len(np.unique(y[cells == cell])) > 1 for cell in range(cells.max() + 1)])
    return np.where(is_mixed, np.cumsum(is_mixed) - 1, -1)[cells]


@pytest.mark.parametrize("n", [5, 60, 4000])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("most", [0, 4, 10**6], ids=["cells that occur", "usual", "all cells"])
@pytest.mark.parametrize("part", [3, 500, 10**6])
@pytest.mark.parametrize("kind", ["equal weights", "whole weights", "weights"])
def test_cells_are_sorted_after_each_split(monkeypatch, n, n_classes, most, part, kind):
    monkeypatch.setattr(partitions, "_GROUPS", most)
    monkeypatch.setattr(partitions, "_PART", part)
    X, y = data(n, n_classes)
    y[:n_classes] = np.arange(n_classes)
    weights = {"whole weights": np.arange(n) % 3 + 1, "weights": np.random.default_rng(0).random(n) + 0.1}.get(kind)
    partition = ClassProblem(weigh(encode_levels(X), weights), y, ZeroOne()).partition()
    samples, chosen = np.arange(n), []
    for j in (2, 0, 5, 1, 3, 4):
        if partition.is_pure:
            break
        chosen.append(j)
        partition.split(j)
        cells = cells_of_more_classes(X[:, chosen], y)
        aside = cells < 0
        pure = np.bincount(y[aside], None if weights is None else weights[aside], n_classes)
        np.testing.assert_allclose(partition.pure, pure, rtol=1e-14)
        if len(partition.labels) < len(samples):  # packed
            samples = samples[cells[samples] >= 0]
        assert len(samples) == len(partition.labels)
        group = np.where(cells < 0, -1, cells * n_classes + y)[samples]
        right = SortedGroups.of(group, int(cells.max() + 1) * n_classes)
        np.testing.assert_array_equal(partition.groups.order, right.order)
        np.testing.assert_array_equal(partition.groups.start, right.start)
        assert partition.groups.n_samples == len(samples)
    assert len(chosen) > 1 or n == 5
    assert n < 4000 or len(samples) < n
