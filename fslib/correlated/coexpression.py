"""Co-expression modules: groups of features that correlate with each other and with the same others (WGCNA)."""

from dataclasses import dataclass

import numpy as np
from scipy.cluster.hierarchy import linkage
from sklearn.base import BaseEstimator, clone

from fslib.base import Documented, check_choice
from fslib.correlated.eigengenes import eigengenes, merge_modules
from fslib.correlated.feature_blocks import feature_blocks
from fslib.correlated.overlap import topological_distances
from fslib.correlated.scale_free import (
    POWERS,
    choose_power,
    connectivities,
    first_power_that_fits,
    scale_free_fit,
)
from fslib.correlated.tree_cut import hybrid_cut
from fslib.inputs import validate
from fslib.parameters import check_numbers
from fslib.solvers.correlation import standardised_columns


class CoexpressionModules(Documented, BaseEstimator):
    """Find modules of correlated features, without labels and without a number of modules.

    Absolute correlations are raised to a power, at which the network is about scale-free. With topological overlap as
    the similarity of features, average linkage builds a dendrogram, a dynamic cut finds its compact branches, and
    modules whose eigengenes correlate at more than ``1 - merge_distance`` become one. Features of no module, constant
    ones among them, stay unassigned.

    Use it for hundreds to some ten thousand features on at least about 15 samples. On fewer, correlations are noise;
    on strongly structured data (batches, tissues) nearly all features end up in one module.

    Parameters
    ----------
    power : int or None
        Soft threshold; None takes the smallest up to 14 at which the fit of a power law reaches 0.85 and the mean
        connectivity is at most 100, else 9, 8, 7 or 6 for below 20, below 30, below 40 and more samples.
    min_size : int
        Features of the smallest module; at most half of the features.
    deep_split : int
        0 to 4, larger for more and smaller modules.
    cut_height : float
        Height of the dendrogram above which nothing is merged, in (0, 1].
    merge_distance : float
        One minus the correlation of eigengenes below which modules are merged; 0 for no merging.
    max_block : int or None
        Features of the largest dendrogram; more are split into blocks first. None: 12000, published reading: 5000.
    reading : {"corrected", "published"}
        "published" follows the defaults of the R package that the thesis names: the first power whose R^2 exceeds
        0.85 even if the line rises, signs kept inside the topological overlap, blocks of 5000, and no second try when
        no module is found. Neither has the package's later steps (PAM, removal of members far from the eigengene).
    random_state : int, Generator or None
        For the split into blocks only.

    Attributes
    ----------
    labels_ : array of int, shape (d,)
        0 for unassigned features, 1 for the largest module, and so on.
    n_modules_ : int
    eigengenes_ : array of shape (n, n_modules_)
        Profile of each module over the samples, of length one and mean zero.
    power_ : int
        The power used. Lower than the one chosen by fit if that gave no module.
    powers_, fit_, mean_connectivity_ : arrays of shape (15,) or None
        The curve that the power was chosen from: powers, signed R^2, mean connectivity. None if ``power`` was given.
    trees_ : list of Tree
        Dendrogram of each block of features, with ``features`` (indices) and ``linkage``.
    n_features_in_, feature_names_in_

    Raises
    ------
    ValueError
        For NaN, fewer than three samples, parameters outside their range; in the published reading also if no power
        fits.

    Notes
    -----
    If no module is found, the power is lowered by one until there is one; if there is none at power 1, all features
    that vary are one module ("corrected" only).

    d^3 + 2 n d^2 operations; memory about 4 d^2 bytes for the network and twice 4 d^2 for the distances and the copy of
    them that is linked: 12 d^2 at the peak of a block, 0.6 GB at d = 7129.

    References
    ----------
    B. Zhang, S. Horvath, "A general framework for weighted gene co-expression network analysis", Statistical
    Applications in Genetics and Molecular Biology 4(1), 2005. A. Braytee, PhD thesis, 2018, section 4.2.1.

    Examples
    --------
    Two groups of 30 features, each around a hidden profile, and 20 features of noise.

    >>> rng = np.random.default_rng(0)
    >>> profiles = rng.normal(size=(50, 2))
    >>> X = np.repeat(profiles, 30, axis=1) + 0.3 * rng.normal(size=(50, 60))
    >>> modules = CoexpressionModules().fit(np.hstack([X, rng.normal(size=(50, 20))]))
    >>> np.bincount(modules.labels_)
    array([20, 30, 30])
    """

    def __init__(
        self,
        *,
        power=None,
        min_size=20,
        deep_split=2,
        cut_height=0.995,
        merge_distance=0.15,
        max_block=None,
        reading="corrected",
        random_state=0,
    ):
        self.power = power
        self.min_size = min_size
        self.deep_split = deep_split
        self.cut_height = cut_height
        self.merge_distance = merge_distance
        self.max_block = max_block
        self.reading = reading
        self.random_state = random_state

    def fit(self, X, y=None):
        """Find the modules.

        Parameters
        ----------
        X : array or DataFrame of shape (n, d)
        y : None
            Not used.

        Returns
        -------
        CoexpressionModules
        """
        X = validate(self, X, dtype=float, ensure_min_samples=3)
        self._check_parameters()
        Z = standardised_columns(X)
        varying = np.flatnonzero(Z.any(axis=0))
        Z = Z[:, varying]
        power = self._choose_power(Z)
        found = np.zeros(0, dtype=int)
        self.trees_ = []
        while len(varying) > 1:
            found = self._modules_at(Z, varying, power)
            if found.any() or self.reading == "published" or power == 1:
                break
            power -= 1
        if not found.any() and self.reading == "corrected":
            found = np.ones(len(varying), dtype=int)
        self.power_ = power
        self.labels_ = np.zeros(self.n_features_in_, dtype=int)
        self.labels_[varying] = found
        self.n_modules_ = int(found.max(initial=0))
        self.eigengenes_ = eigengenes(Z, found)
        return self

    def _choose_power(self, Z):
        self.powers_ = self.fit_ = self.mean_connectivity_ = None
        if self.power is not None:
            return int(self.power)
        k = connectivities(Z)
        self.powers_ = POWERS
        self.fit_ = np.array([scale_free_fit(row) if row.any() else 0.0 for row in k])
        self.mean_connectivity_ = k.mean(axis=1) if k.size else np.zeros(len(k))
        if self.reading == "published":
            return first_power_that_fits(self.fit_)
        return choose_power(self.fit_, self.mean_connectivity_, len(Z))

    def _modules_at(self, Z, names, power):
        """Labels of the columns of Z at one power, and their dendrograms in ``trees_``."""
        published = self.reading == "published"
        max_block = self.max_block or (5000 if published else 12000)
        labels = np.zeros(Z.shape[1], dtype=int)
        self.trees_ = []
        for block in feature_blocks(Z, max_block, self.random_state):
            if len(block) < 2:
                continue
            distances = topological_distances(Z[:, block], power, signed=published)
            tree = linkage(distances, "average")
            self.trees_.append(Tree(names[block], tree))
            found = hybrid_cut(
                tree,
                distances,
                min_size=min(self.min_size, len(block) / 2),
                deep_split=self.deep_split,
                cut_height=self.cut_height,
            )
            labels[block] = np.where(found > 0, found + labels.max(), 0)
        return merge_modules(Z, labels, self.merge_distance)

    def _check_parameters(self):
        check_choice("reading", self.reading, ("corrected", "published"))
        check_numbers(
            self,
            integers=[("power", 1), ("min_size", 2), ("max_block", 2)],
            numbers=[
                ("cut_height", "a number from 0 to 1", lambda v: 0 <= v <= 1),
                ("merge_distance", "a number from 0 to 2", lambda v: 0 <= v <= 2),
            ],
            optional=["power", "max_block"],
        )


@dataclass(frozen=True)
class Tree:
    """Dendrogram of some features: their indices (m,) and the merges (m - 1, 4) as scipy writes them."""

    features: np.ndarray
    linkage: np.ndarray


def module_labels(modules, X, *, default):
    """Label features by a method's parameter ``modules``: labels as given, or modules found in X.

    Parameters
    ----------
    modules : None, CoexpressionModules or array of shape (d,)
        None for ``default``.
    X : array of shape (n, d)
    default : CoexpressionModules

    Returns
    -------
    labels : array of shape (d,)
    fitted : CoexpressionModules or None
        None where labels were given.

    Raises
    ------
    ValueError
        If there is not one integer >= 0 per feature.

    Examples
    --------
    >>> module_labels([1, 1, 2], np.zeros((4, 3)), default=CoexpressionModules())
    (array([1, 1, 2]), None)
    """
    if modules is not None and not isinstance(modules, CoexpressionModules):
        labels = np.asarray(modules)
        if labels.shape != (X.shape[1],):
            raise ValueError(f"modules has shape {labels.shape}, but X has {X.shape[1]} features to label.")
        if labels.dtype.kind not in "iu" or labels.min() < 0:
            raise ValueError(
                "modules must be integers: 0 for a feature without a module, else the number of its module."
            )
        return labels, None
    fitted = clone(default if modules is None else modules).fit(X)
    return fitted.labels_, fitted
