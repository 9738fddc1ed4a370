"""The dendrogram shows every feature once, in the order of the leaves, in the colour of its module."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.cluster.hierarchy import leaves_list, linkage

from fslib.plotting import module_dendrogram


@pytest.fixture
def tree():
    return linkage(np.random.default_rng(0).random((30, 2)), "average")


def test_strip_holds_the_modules_in_the_order_of_the_leaves(tree):
    labels = np.arange(30) % 9  # more modules than colours
    fig = module_dendrogram(tree, labels, title="made up")
    axes, strip = fig.axes
    expected = np.where(labels > 0, 1 + (labels - 1) % 6, 0)[leaves_list(tree)]
    assert_array_equal(strip.images[0].get_array()[0], expected)
    assert axes.get_title(loc="left") == "made up" or axes.get_title() == "made up"
    assert "30 features, 4 of no module" in strip.get_xlabel()
    low, high = axes.get_ylim()
    assert low < tree[0, 2] and high >= tree[-1, 2]
    plt.close(fig)


def test_labels_of_another_tree_are_refused(tree):
    with pytest.raises(ValueError, match="29 labels for a dendrogram of 30"):
        module_dendrogram(tree, np.zeros(29))
