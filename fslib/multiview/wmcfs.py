"""WMCFS: weighted multi-view clustering with feature selection (Xu, Wang and Lai, Pattern Recognition 2016)."""

import warnings
from numbers import Integral

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from fslib.base import FeatureSelector
from fslib.classes import sorted_classes
from fslib.inputs import validate
from fslib.multiview._base import check_limits
from fslib.multiview.views import parse_views
from fslib.solvers.reweighted_ridge import majorise_minimise


class WMCFS(FeatureSelector):
    """Rank features by their weights in a k-means clustering with weights for views and features.

    Minimises ``sum_v a_v^rho sum_n ||t_v o (x_n^(v) - m_z(n)^(v))||^2 + beta sum_v ||t_v||^2`` over clusters z,
    centres m, view weights a (sum 1) and feature weights t (sum 1 in each view). Unsupervised: use it where classes
    form compact clusters. A feature with little spread within clusters gets a large weight, so standardise features.

    Parameters
    ----------
    views : None, list, dict, or int array of shape (d,)
        The features of each view: a list of slices, index lists or column-name lists, or one view code per feature.
        None: one view.
    beta : float
        Positive; makes feature weights more equal. The data term shrinks like V^-rho with V views, so that the useful
        range is about 10^-5 to 10^-1.
    rho : float
        Exponent of the view weights, above 1; 5 in the RRMVFS paper.
    n_clusters : int or None
        None: the number of classes in y.
    n_init : int
        Random starts; the lowest objective is kept.
    max_iter : int
        Largest number of rounds per start.
    tol : float
        A start ends when a round lowers the objective J by less than ``tol * max(1, J)``.
    relative : bool
        Rank by weights relative to uniform ones, ``(V a_v)(d_v t_i)``. False ranks by the raw ``a_v^(rho/2) t_i``,
        which puts small views first whatever they contain, because t sums to one in every view.
    random_state : int, RandomState or None
        Seed of the starts.
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half.

    Attributes
    ----------
    scores_ : array of shape (d,)
        Feature weights as chosen by ``relative``; zero for constant features.
    view_weights_ : array of shape (V,)
    feature_weights_ : array of shape (d,)
        Sum to one within each view, constant features left out.
    labels_ : array of shape (n,)
        Cluster of each row.
    objective_ : array of shape (n_iter_,)
        Objective after each round of the best start; never rises.
    n_iter_ : int
    converged_ : bool
        Whether ``tol`` was reached before ``max_iter``.
    ranking_ : array of int, shape (d,)
    support_ : array of bool, shape (d,)
    n_features_in_ : int
    feature_names_in_ : array of str, only if X had string column names

    Raises
    ------
    ValueError
        If X holds NaN or infinity, ``views`` is not a partition of the features, ``n_clusters`` is larger than n or
        missing together with y, y holds no classes to count, a parameter is out of range, or all features are constant.

    Notes
    -----
    Every round minimises exactly over one block after the other: O(n K d) per round, memory O(n d). X is dense.

    References
    ----------
    Y. Xu, C. Wang and J. Lai, "Weighted Multi-View Clustering with Feature Selection", Pattern Recognition 53, 2016.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1, 2], 20)
    >>> X = np.c_[rng.normal(size=(60, 3)), 6 * np.eye(3)[y] + rng.normal(size=(60, 3))]
    >>> X /= X.std(axis=0)
    >>> WMCFS([slice(0, 3), slice(3, 6)], beta=1e-3, random_state=0).fit(X, y).get_support(indices=True)
    array([3, 4, 5])
    """

    def __init__(
        self,
        views=None,
        *,
        beta=0.01,
        rho=5.0,
        n_clusters=None,
        n_init=10,
        max_iter=100,
        tol=1e-6,
        relative=True,
        random_state=None,
        n_features_to_select=None,
    ):
        super().__init__(n_features_to_select=n_features_to_select)
        self.views = views
        self.beta = beta
        self.rho = rho
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.relative = relative
        self.random_state = random_state

    def fit(self, X, y=None):
        """Cluster the rows and rank the features.

        Parameters
        ----------
        X : array or DataFrame of shape (n, d)
            All views side by side, features standardised.
        y : array of shape (n,), optional
            Only its number of different values is used, and only if ``n_clusters`` is None.

        Returns
        -------
        self
        """
        if y is None:
            X = validate(self, X, dtype=np.float64, ensure_min_samples=2)
        else:
            X, y = validate(self, X, y, dtype=np.float64, ensure_min_samples=2)
        views = parse_views(self.views, X.shape[1], getattr(self, "feature_names_in_", None))
        n_clusters = self._check_parameters(X, y)
        varies = X.max(axis=0) > X.min(axis=0)  # a constant feature has no spread and would take all the weight
        kept = [view[varies[view]] for view in views]
        rng = check_random_state(self.random_state)
        runs = [
            cluster(X, [v for v in kept if len(v)], n_clusters, self.beta, self.rho, rng, self.max_iter, self.tol)
            for _ in range(self.n_init)
        ]
        (self.labels_, weights, tau), self.objective_, self.converged_ = min(runs, key=lambda run: run[1][-1])
        self.view_weights_ = np.zeros(len(views))
        self.view_weights_[[len(v) > 0 for v in kept]] = weights
        self.feature_weights_ = tau
        self.n_iter_ = len(self.objective_)
        if not self.converged_:
            warnings.warn(
                f"WMCFS stopped at max_iter={self.max_iter} before tol={self.tol} was reached; raise max_iter.",
                ConvergenceWarning,
                stacklevel=2,
            )
        scores = np.empty(X.shape[1])
        for view, columns, weight in zip(views, kept, self.view_weights_, strict=True):
            factor = len(kept) * weight * len(columns) if self.relative else weight ** (self.rho / 2)
            scores[view] = factor * tau[view]
        return self._store_ranking(scores=scores)

    def _check_parameters(self, X, y):
        check_limits(self.max_iter, self.tol, self.n_init)
        if not self.beta > 0:
            raise ValueError(f"beta={self.beta!r} must be positive: at zero a single feature takes all the weight.")
        if not self.rho > 1:
            raise ValueError(f"rho={self.rho!r} must be above 1: at 1 a single view takes all the weight.")
        if self.n_clusters is None and y is None:
            raise ValueError("n_clusters is None, and without y there are no classes to count: give one of them.")
        n_clusters = len(sorted_classes(y)[0]) if self.n_clusters is None else self.n_clusters
        if isinstance(n_clusters, bool) or not isinstance(n_clusters, Integral) or not 1 <= n_clusters <= len(X):
            raise ValueError(f"n_clusters={n_clusters!r} is not between 1 and the n_samples={len(X)} rows of X.")
        if (X.max(axis=0) == X.min(axis=0)).all():
            raise ValueError("all columns of X are constant; there is nothing to cluster.")
        return n_clusters


def cluster(X, views, n_clusters, beta, rho, rng, max_iter, tol):
    """One start of the block descent.

    Parameters
    ----------
    X : array of shape (n, d)
    views : list of int arrays
        Features of each view; features in no view get weight zero.
    n_clusters : int
    beta, rho : float
    rng : RandomState
        Draws the rows that are the first centres.
    max_iter, tol : int, float

    Returns
    -------
    state : tuple
        Clusters (n,), view weights (V,), feature weights (d,).
    objectives : array, one value per round
    converged : bool
    """
    view_weights = np.full(len(views), 1 / len(views))
    tau = np.zeros(X.shape[1])
    for view in views:
        tau[view] = 1 / len(view)

    def step(state):
        centres, view_weights, tau = state
        combined = spread(view_weights**rho, views, len(tau)) * tau**2  # weight of a squared difference
        labels = nearest(X, centres, combined)
        centres = np.stack([X[labels == k].mean(axis=0) for k in range(n_clusters)])
        within = ((X - centres[labels]) ** 2).sum(axis=0)  # (d,)
        tau, spreads = np.zeros(len(tau)), np.empty(len(views))
        for v, view in enumerate(views):
            inverse = 1 / (view_weights[v] ** rho * within[view] + beta)
            tau[view] = inverse / inverse.sum()
            spreads[v] = tau[view] ** 2 @ within[view]
        view_weights = best_view_weights(spreads, rho)
        objective = view_weights**rho @ spreads + beta * (tau @ tau)
        return (centres, view_weights, tau, labels), float(objective)

    start = (X[rng.permutation(len(X))[:n_clusters]], view_weights, tau)
    state, objectives, converged = majorise_minimise(lambda s: step(s[:3]), start, max_iter=max_iter, tol=tol)
    _, view_weights, tau, labels = state
    return (labels, view_weights, tau), objectives, converged


def nearest(X, centres, weights):
    """Index of the nearest centre per row; a centre without rows takes the row that lies farthest from its own."""
    root = np.sqrt(weights)
    rows, centres = X * root, centres * root
    distances = (rows**2).sum(axis=1)[:, None] - 2 * rows @ centres.T + (centres**2).sum(axis=1)
    labels = distances.argmin(axis=1)
    own = distances[np.arange(len(X)), labels]
    for k in range(len(centres)):
        if not (labels == k).any():
            alone = np.bincount(labels, minlength=len(centres))[labels] == 1  # never empty another cluster
            farthest = np.where(alone, -np.inf, own).argmax()
            labels[farthest] = k
            own[farthest] = 0.0
    return labels


def best_view_weights(spreads, rho):
    """Minimise ``sum_v a_v^rho spreads_v`` over the simplex: ``a_v`` proportional to ``spreads_v^(-1/(rho-1))``."""
    if (spreads <= 0).any():  # a view that fits exactly takes all the weight
        return (spreads <= 0) / (spreads <= 0).sum()
    logs = -np.log(spreads) / (rho - 1)
    weights = np.exp(logs - logs.max())
    return weights / weights.sum()


def spread(per_view, views, n_features):
    """Copy the value of each view to its features, zero elsewhere."""
    out = np.zeros(n_features)
    for value, view in zip(per_view, views, strict=True):
        out[view] = value
    return out
