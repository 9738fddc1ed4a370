"""Balanced iterative random forest: features that survive forests grown on balanced samples (Anaissi et al. 2013)."""

import numpy as np
from imblearn.ensemble import BalancedRandomForestClassifier

from fslib.base import FeatureSelector, constant_features, rank_by_score, resolve_n_features
from fslib.classes import encode_classes
from fslib.inputs import check_for_trees, validate, warn_if_all_constant
from fslib.parameters import check_numbers


class BalancedIterativeRandomForest(FeatureSelector):
    """Rank features by their importance in a random forest, dropping the less important half again and again.

    Every tree grows on as many samples of each class as the rarest has. After each round the features with more than
    the mean importance stay; a round that would leave fewer than ``min_features`` is the last. Features are ranked by
    their importance in the last round that they took part in, those that stayed longer first.

    Good at thousands of features, of which most are noise, with interactions and any scale of the features. Correlated
    features share their importance, and the cut may drop all of them.

    Parameters
    ----------
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half. The ranking does not depend on it.
    n_estimators : int, default=500
        Trees per round.
    min_features : int, default=50
        The elimination ends before fewer features than this are left.
    max_rounds : int, default=10
        Largest number of rounds, each with a new forest.
    random_state : int or numpy.random.RandomState, optional
    n_jobs : int, optional
        Processes or threads that grow trees; does not change the result.

    Attributes
    ----------
    scores_ : array of shape (d,)
        Importance in the last round of each feature, plus the number of rounds before it.
    n_rounds_ : int
    sizes_ : list of int
        Number of features in each round.
    classes_ : array of shape (c,)
    ranking_, support_, n_features_in_, feature_names_in_
        See ``FeatureSelector``.

    Raises
    ------
    ValueError
        For NaN in X, or one class only.

    Notes
    -----
    The thesis filters genes by it before the split into training and test rows; do it inside the training part. The
    rule of the cut is not published; the mean is ours. Cost: one forest per round, and each round drops a part of the
    features.

    References
    ----------
    A. Anaissi, P. J. Kennedy, M. Goyal, D. R. Catchpoole, "A balanced iterative random forest for gene selection from
    microarray data", BMC Bioinformatics 14 (2013), 261.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(80, 20)), np.arange(80) < 16
    >>> X[y, 7] += 3
    >>> forest = BalancedIterativeRandomForest(n_estimators=50, min_features=5, random_state=0)
    >>> forest.set_params(n_features_to_select=1).fit(X, y).get_support(indices=True)
    array([7])
    """

    def __init__(
        self,
        *,
        n_features_to_select=None,
        n_estimators=500,
        min_features=50,
        max_rounds=10,
        random_state=None,
        n_jobs=None,
    ):
        super().__init__(n_features_to_select=n_features_to_select)
        self.n_estimators = n_estimators
        self.min_features = min_features
        self.max_rounds = max_rounds
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y):
        """Grow forests on fewer and fewer features.

        Parameters
        ----------
        X : array of shape (n, d)
        y : array of shape (n,)
            Classes, at least two.

        Returns
        -------
        BalancedIterativeRandomForest
        """
        X, y = validate(self, X, y, dtype=np.float64, ensure_min_samples=2)
        self._constant = constant_features(X)
        warn_if_all_constant(self._constant, self)
        check_for_trees(self, X)
        resolve_n_features(self.n_features_to_select, X.shape[1])  # refuse it now, not after a long fit
        check_numbers(self, [("min_features", 1), ("max_rounds", 1)])
        self.classes_, codes = encode_classes(y)
        alive, scores, self.sizes_ = np.arange(X.shape[1]), np.zeros(X.shape[1]), []
        for finished in range(self.max_rounds):
            importance = self._forest().fit(X[:, alive], codes).feature_importances_
            self.sizes_.append(len(alive))
            scores[alive] = finished + importance  # importances sum to 1, so later rounds stay ahead
            stay = importance > importance.mean()
            if np.count_nonzero(stay) < self.min_features:
                break
            alive = alive[stay]
        self.n_rounds_ = len(self.sizes_)
        return self._store_ranking(scores=scores, order=rank_by_score(scores, constant=self._constant))

    def _forest(self):
        return BalancedRandomForestClassifier(
            self.n_estimators,
            sampling_strategy="all",
            replacement=True,
            bootstrap=False,
            max_features="sqrt",
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
