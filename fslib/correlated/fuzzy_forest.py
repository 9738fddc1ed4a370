"""Fuzzy forest: random forest elimination within modules of correlated features, then among survivors (Conn et al.)."""

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.utils import check_random_state

from fslib.base import rank_by_score, resolve_n_features
from fslib.correlated._base import ClassSelector
from fslib.correlated.coexpression import CoexpressionModules, module_labels
from fslib.correlated.forest_importance import out_of_bag_importance
from fslib.correlated.module_pool import intra_sizes
from fslib.parameters import check_numbers


class FuzzyForest(ClassSelector):
    """Screen each co-expression module by recursive elimination with random forests, then screen the survivors.

    The importance of a feature in a forest is spread over the features that correlate with it; within a module all
    features suffer alike, and the second phase sees few of each. Importance is permutation importance on out-of-bag
    rows. Slow: a module of p features needs some ten forests of ``max(n_trees, p)`` trees.

    Parameters
    ----------
    keep_fraction : float
        Share of a module that survives, rounded up; more if the pool would be smaller than ``n_features_to_select``.
    drop_fraction : float
        Share of the remaining features that leaves in a round, rounded up.
    n_trees : int
        Trees of a forest, or as many as it has features if that is more.
    final_trees : int
        Trees of the last forest, which orders the selected features.
    modules : CoexpressionModules, array of int of shape (d,) or None
        How to find the modules, or their labels (0 for unassigned). None for ``CoexpressionModules(power=6)``, the
        power at which the R package looks, whatever the data.
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half. The R package's default is 5.
    random_state : int, RandomState or None
    n_jobs : int or None
        Threads that grow the trees; the result does not depend on it.

    Attributes
    ----------
    ranking_ : array of int, shape (d,)
        The selected features by the last forest, then the rest of the pool by reverse order of removal, then all others
        by their rank within their module.
    importances_ : array of shape (n_selected,)
        Permutation importance of the selected features in the last forest, in the order of the ranking.
    labels_ : array of int, shape (d,)
        Module of each feature, 0 for unassigned.
    pool_ : array of int
        Features that survived their module, ascending.
    scores_ : None
    classes_, support_, n_features_in_, feature_names_in_
        See ``FeatureSelector``.

    Raises
    ------
    ValueError
        For NaN, one class only, parameters outside their range, and labels of the wrong length.

    Notes
    -----
    Unassigned features form one more module, as in the R package; constant features rank last. A forest tries
    ``ceil(sqrt(p))`` features per split and grows its trees to the end. Elimination stops before it would pass the
    target; the best features of the last forest are then kept. Cost: the forests; each elimination step grows one.

    References
    ----------
    D. Conn, T. Ngun, G. Li, C. M. Ramirez, "Fuzzy forests: extending random forest feature selection for correlated,
    high-dimensional data", Journal of Statistical Software 91(9), 2019.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(50) % 2
    >>> profiles = rng.normal(size=(50, 2)) + np.outer(y, [4, 0])
    >>> X = np.repeat(profiles, [40, 30], axis=1) + 0.3 * rng.normal(size=(50, 70))
    >>> selector = FuzzyForest(n_trees=20, final_trees=40, n_features_to_select=2, random_state=0).fit(X, y)
    >>> selector.labels_[selector.get_support()]
    array([1, 1])
    """

    def __init__(
        self,
        *,
        keep_fraction=0.05,
        drop_fraction=0.25,
        n_trees=500,
        final_trees=5000,
        modules=None,
        n_features_to_select=None,
        random_state=None,
        n_jobs=None,
    ):
        super().__init__(n_features_to_select=n_features_to_select)
        self.keep_fraction = keep_fraction
        self.drop_fraction = drop_fraction
        self.n_trees = n_trees
        self.final_trees = final_trees
        self.modules = modules
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y):
        """Find the modules and eliminate features.

        Parameters
        ----------
        X : array or DataFrame of shape (n, d)
        y : array of shape (n,)
            Classes, at least two.

        Returns
        -------
        FuzzyForest
        """
        shares = [(name, "a share in (0, 1)", lambda v: 0 < v < 1) for name in ("keep_fraction", "drop_fraction")]
        check_numbers(self, integers=[("n_trees", 1), ("final_trees", 1)], numbers=shares)
        X, codes = self._validate(X, y)
        d = X.shape[1]
        varies = X.min(axis=0) < X.max(axis=0)
        n_keep = resolve_n_features(self.n_features_to_select, d)
        self.labels_, _ = module_labels(self.modules, X, default=CoexpressionModules(power=6))
        random = np.random.default_rng(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        modules = [np.flatnonzero((self.labels_ == label) & varies) for label in np.unique(self.labels_)]
        modules = [module for module in modules if len(module)]
        spare = int((~varies).sum())
        sizes = intra_sizes([len(m) for m in modules], n_keep, None, self.keep_fraction, least=1, spare=spare)
        place = np.full(d, d)  # within its module
        survivors = [np.zeros(0, dtype=int)]
        for module, size in zip(modules, sizes, strict=True):
            order = module[self._screen(X[:, module], codes, size, random)]
            place[order] = np.arange(len(order))
            survivors.append(order[:size])
        self.pool_ = np.sort(np.concatenate(survivors))
        order = self._screen(X[:, self.pool_], codes, min(n_keep, len(self.pool_)), random)
        selected = self.pool_[order[:n_keep]]
        self.importances_ = self._importance(X[:, selected], codes, self.final_trees, random)
        last = rank_by_score(self.importances_)
        self.importances_ = self.importances_[last]
        others = np.setdiff1d(np.arange(d), self.pool_)
        others = others[np.argsort(place[others], kind="stable")]
        return self._store_ranking(order=np.concatenate([selected[last], self.pool_[order[n_keep:]], others]))

    def _screen(self, X, codes, n_keep, random):
        """Order of all columns, best first, of which ``n_keep`` are never dropped."""
        left, tail = np.arange(X.shape[1]), []
        while len(left) > n_keep:
            importance = self._importance(X[:, left], codes, max(self.n_trees, len(left)), random)
            best_first = left[rank_by_score(importance)]
            n_left = max(len(left) - int(np.ceil(self.drop_fraction * len(left))), n_keep)
            tail.append(best_first[n_left:])
            left = best_first[:n_left] if n_left == n_keep else np.sort(best_first[:n_left])
        return np.concatenate([left, *reversed(tail)])

    def _importance(self, X, codes, n_trees, random):
        if X.shape[1] == 0:
            return np.zeros(0)
        forest = RandomForestClassifier(
            n_trees,
            max_features=int(np.ceil(np.sqrt(X.shape[1]))),
            random_state=int(random.integers(np.iinfo(np.int32).max)),
            n_jobs=self.n_jobs,
        )
        return out_of_bag_importance(forest.fit(X, codes), X, codes, random)
