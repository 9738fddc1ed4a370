"""A dendrogram of features with a strip below it that shows their modules."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from scipy.cluster.hierarchy import dendrogram

from fslib.plotting.style import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, TEXT_WIDTH, VERMILION

UNASSIGNED = "#DDDDDD"
MODULE_COLORS = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION)


def module_dendrogram(linkage, labels, *, title: str = "", y_label: str = "1 - topological overlap") -> Figure:
    """Draw merges and, in the order of the leaves, the module of each feature.

    Parameters
    ----------
    linkage : array of shape (m - 1, 4)
        Merges as `scipy.cluster.hierarchy.linkage` returns them, for example of ``modules.trees_[0]``.
    labels : array of int, shape (m,)
        Module of each feature, 0 for unassigned. Six colours are used in turn, so neighbours differ where module
        numbers do.
    title : str
    y_label : str

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If there are not as many labels as leaves.
    """
    labels = np.asarray(labels)
    if len(labels) != len(linkage) + 1:
        raise ValueError(f"{len(labels)} labels for a dendrogram of {len(linkage) + 1} features")
    fig, (tree, strip) = plt.subplots(
        2, 1, figsize=(TEXT_WIDTH, 2.9), height_ratios=[6, 1], sharex=False, gridspec_kw={"hspace": 0.02}
    )
    drawn = dendrogram(linkage, ax=tree, no_labels=True, color_threshold=0, above_threshold_color=GREY)
    for collection in tree.collections:
        collection.set_linewidth(0.4)
    # the highest merge of a co-expression network is near 1 and most of the others are, too: start where merges start
    tree.set_ylim(max(0.0, linkage[0, 2] - 0.05 * np.ptp(linkage[:, 2])), None)
    tree.set(ylabel=y_label, title=title)
    tree.grid(False)
    shown = np.where(labels > 0, 1 + (labels - 1) % len(MODULE_COLORS), 0)[drawn["leaves"]]
    colors = ListedColormap([UNASSIGNED, *MODULE_COLORS])
    strip.imshow(shown[None, :], aspect="auto", cmap=colors, vmin=0, vmax=len(MODULE_COLORS), interpolation="nearest")
    strip.set(xticks=[], yticks=[], xlabel=f"{len(labels)} features, {int((labels == 0).sum())} of no module (grey)")
    strip.grid(False)
    for spine in strip.spines.values():
        spine.set_visible(False)
    return fig
