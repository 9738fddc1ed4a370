"""Dynamic hybrid cut of a dendrogram: clusters are branches of the right shape, not all branches below one height."""

import itertools
from dataclasses import dataclass, field

import numpy as np

UNASSIGNED = 0

SCATTER = (0.64, 0.73, 0.82, 0.91, 0.95)
"""Largest scatter of a cluster's core for ``deep_split`` 0 to 4, as a share of the range of heights."""


def hybrid_cut(linkage, distances, *, min_size=20, deep_split=2, cut_height=0.995):
    """Find the clusters among the branches of a dendrogram.

    The merges are walked from the lowest up. A branch grows by single items and by small or loose branches that it
    absorbs; where two branches meet that are both large, tight and well below their meeting, both are kept apart.
    Branches that are not clusters by these tests at the end stay unassigned: there need not be a cluster at all.

    Parameters
    ----------
    linkage : array of shape (m - 1, 4)
        As `scipy.cluster.hierarchy.linkage` returns it; heights must not fall.
    distances : array of shape (m (m - 1) / 2,)
        The condensed distances that were linked.
    min_size : int
        Items of the smallest cluster.
    deep_split : int
        0 to 4; larger splits more and finds smaller, tighter clusters.
    cut_height : float
        Merges above are not looked at; lowered to the highest merge if that is below.

    Returns
    -------
    array of int, shape (m,)
        0 for unassigned items, 1 for the largest cluster, 2 for the next, and so on; clusters of one size are numbered
        by their first item.

    Raises
    ------
    ValueError
        If ``deep_split`` is not one of 0 to 4.

    Notes
    -----
    The stage that afterwards gives the unassigned items to the nearest cluster (PAM) is left out, so more items stay
    unassigned than with the default of the R package. Time O(m^2) at worst in reading distances, usually far less.

    References
    ----------
    P. Langfelder, B. Zhang, S. Horvath, "Defining clusters from a hierarchical cluster tree: the Dynamic Tree Cut
    package for R", Bioinformatics 24(5), 2008.

    Examples
    --------
    Two tight groups and, far from both and from each other, two single items.

    >>> from scipy.cluster.hierarchy import linkage
    >>> from scipy.spatial.distance import pdist
    >>> points = np.array([0, 1, 2, 3, 4, 40, 41, 42, 43, 44, 100, 170.0])[:, None]
    >>> distances = pdist(points / 170)
    >>> hybrid_cut(linkage(distances, "average"), distances, min_size=4)
    array([1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 0, 0])
    """
    if deep_split not in range(5):
        raise ValueError(f"deep_split={deep_split!r} must be 0, 1, 2, 3 or 4.")
    m = len(linkage) + 1
    heights = linkage[:, 2]
    limits = _limits(heights, min_size, deep_split, cut_height)
    branches = {}  # node of the dendrogram -> the branch that it is at its height
    clusters = []  # every basic branch that ever began
    for merge, (left, right, height, _) in enumerate(linkage):
        if height > limits.cut_height:
            break
        nodes = int(left), int(right)
        met = [branches.pop(node) for node in nodes if node >= m]
        singles = [node for node in nodes if node < m]
        if not met:
            branch = _Branch(singles)
            clusters.append(branch)
        elif len(met) == 1:
            (branch,) = met
            branch.members += singles
        else:
            branch = _meet(*met, height, distances, m, limits)
        branches[m + merge] = branch
    found = [c for c in clusters if not c.absorbed and limits.is_cluster(c, distances, m)]
    return _number(m, [c.members for c in found])


@dataclass
class _Branch:
    members: list
    basic: bool = True  # a growing cluster; otherwise a composite of branches that are kept apart
    absorbed: bool = False
    attach_height: float = field(default=np.nan)  # where it met another without being absorbed


@dataclass(frozen=True)
class _Limits:
    min_size: int
    cut_height: float
    max_scatter: float
    min_gap: float

    def fails(self, branch, height, distances, m):
        """Whether a basic branch that ends at ``height`` is too small, too loose or too close to it."""
        if len(branch.members) < self.min_size:
            return True
        scatter = core_scatter(branch.members, self.min_size, distances, m)
        return scatter > self.max_scatter or height - scatter < self.min_gap

    def is_cluster(self, branch, distances, m):
        end = self.cut_height if np.isnan(branch.attach_height) else branch.attach_height
        return not self.fails(branch, end, distances, m)


def _limits(heights, min_size, deep_split, cut_height):
    # The height that 5 % of the merges do not exceed: where merging within clusters happens.
    reference = heights[max(round(0.05 * len(heights)), 1) - 1]
    cut_height = min(cut_height, heights[-1])
    share, room = SCATTER[deep_split], max(cut_height - reference, 0.0)
    return _Limits(min_size, cut_height, reference + share * room, 0.75 * (1 - share) * room)


def _meet(one, other, height, distances, m, limits):
    """Join two branches: one absorbs the other if that is not a cluster, else both hang below a composite branch."""
    small, large = (other, one) if len(other.members) < len(one.members) else (one, other)
    for branch, host in ((small, large), (large, small)):
        if branch.basic and limits.fails(branch, height, distances, m):
            branch.absorbed = True
            host.members += branch.members
            return host
    for branch in (small, large):
        if branch.basic:
            branch.attach_height = height
    return _Branch(large.members + small.members, basic=False)


def core_scatter(members, min_size, distances, m):
    """Mean pairwise distance within the core of a branch, its first ``c`` members in order of joining.

    ``c = floor(m0 + sqrt(size - m0))`` with ``m0 = min_size / 2 + 1``, or all members if they are no more than m0.

    Examples
    --------
    >>> core_scatter([2, 0, 1], 4, np.array([1.0, 2.0, 4.0]), 3)                  # all three: (1 + 2 + 4) / 3
    2.3333333333333335
    """
    base = min_size / 2 + 1
    size = len(members)
    core = np.sort(members[: size if size <= base else int(base + np.sqrt(size - base))])
    i, j = (core[part] for part in np.triu_indices(len(core), 1))
    return float(distances[m * i - i * (i + 1) // 2 + j - i - 1].mean())  # place of (i, j) in condensed form


def _number(m, clusters):
    labels = np.full(m, UNASSIGNED)
    ordered = sorted(clusters, key=lambda members: (-len(members), min(members)))
    for label, members in zip(itertools.count(1), ordered):
        labels[members] = label
    return labels
