"""Interchangeable features: groups that carry the same information."""

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from scipy.stats import rankdata

from fslib.select.scores import fill
from fslib.solvers.correlation import standardised_columns

REDUNDANT = 0.8
"""Association from which two features are alternatives."""

MAX_ROWS, MAX_FEATURES = 10_000, 1_000
"""Rows that the association is measured on, and features among which groups are looked for."""


def association(X):
    """Absolute rank correlation of all pairs of features.

    Spearman's for measurements. Between two features of 0 and 1, such as levels of text columns, it is the phi
    coefficient, which is Cramer's V there; between such a feature and a measurement the rank-biserial correlation up to
    ties. A dependence that rises and falls is not seen.

    Parameters
    ----------
    X : array of shape (n, d)
        Without NaN.

    Returns
    -------
    array of shape (d, d)
        1 on the diagonal; 0 for a constant feature and any other.

    Examples
    --------
    >>> x = np.arange(6.0)
    >>> association(np.column_stack([x, -x**3, x % 2])).round(2)
    array([[1.  , 1.  , 0.29],
           [1.  , 1.  , 0.29],
           [0.29, 0.29, 1.  ]])
    """
    ranks = standardised_columns(rankdata(X, axis=0), dtype=float)
    found = np.abs(ranks.T @ ranks)
    np.fill_diagonal(found, 1.0)
    return np.minimum(found, 1.0)


def redundant_groups(problem, first=(), *, threshold=REDUNDANT):
    """Group features so that within a group every two are associated by at least the threshold.

    Hierarchical clustering with complete linkage on ``1 - association``.

    Parameters
    ----------
    problem : SelectionProblem
    first : sequence of int
        Features that must take part where there are more than :data:`MAX_FEATURES`; the best ones, best first.
    threshold : float
        In (0, 1].

    Returns
    -------
    groups : list of array of int
        Those with two members or more, ascending.
    strength : dict of (int, int) to float
        Association of the pairs of each group.

    References
    ----------
    D. Muellner, "Modern hierarchical, agglomerative clustering algorithms", arXiv:1109.2378, which scipy implements.
    """
    d = problem.X.shape[1]
    features = np.arange(d)
    if d > MAX_FEATURES:
        rest = np.setdiff1d(features, first)
        features = np.sort(np.concatenate([np.asarray(first, dtype=int), rest])[:MAX_FEATURES])
    X = problem.X[:, features]
    if len(X) > MAX_ROWS:
        X = X[np.sort(np.random.default_rng(problem.seed).choice(len(X), MAX_ROWS, replace=False))]
    if len(features) < 2:
        return [], {}
    similar = association(*fill(X))
    tree = linkage(squareform(1 - similar, checks=False), method="complete")
    labels = fcluster(tree, 1 - threshold + 1e-12, criterion="distance")
    positions = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    positions = [members for members in positions if len(members) > 1]
    strength = {
        (int(features[a]), int(features[b])): float(similar[a, b]) for m in positions for a in m for b in m if a < b
    }
    return [features[members] for members in positions], strength
