"""LASSO and elastic net as rankings of all features, by where these enter the path of penalties."""

import numpy as np
from sklearn.linear_model import ElasticNetCV, enet_path
from sklearn.model_selection import StratifiedKFold

from fslib.correlated._base import ClassSelector, zscores
from fslib.correlated.path_ranking import rank_by_entry
from fslib.parameters import check_numbers


class ElasticNetPath(ClassSelector):
    """Rank features by the penalty at which they enter the path of an elastic net.

    The targets are +-1 for two classes, the loss is squared. The path selects few more features than there are samples.
    Those that never enter are ranked last, by their correlation with the classes, which improves long lists;
    ``n_entered_`` says where this part begins.

    Parameters
    ----------
    l1_ratio : float
        Share of the L1 part, in (0, 1]. At 1 it is the LASSO; smaller lets more correlated features in.
    n_lambdas : int
        Penalties of the path.
    ratio : float
        Smallest over largest penalty, in (0, 1).
    cv : int or None
        Folds of a cross-validation that picks one penalty, for ``native_support_``.
    max_iter : int
        Of the coordinate descent at one penalty.
    scale : bool
        Standardise the features first, by the rows that ``fit`` sees.
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half. The ranking does not depend on it.

    Attributes
    ----------
    ranking_ : array of int, shape (d,)
        By entry, within one penalty by size of the coefficient, then by absolute correlation with the classes.
    scores_ : None
    lambdas_ : array of shape (n_lambdas,)
        Falling.
    coef_path_ : array of shape (n_lambdas, d)
        For standardised features, if ``scale``.
    n_entered_ : int
        Features with a coefficient somewhere on the path.
    n_iter_ : int
        Most passes at one penalty.
    native_support_ : array of bool, shape (d,)
        The method's own choice, features with a coefficient at the cross-validated penalty. Only with ``cv``.
    classes_, support_, n_features_in_, feature_names_in_
        See ``FeatureSelector``.

    Raises
    ------
    ValueError
        For NaN, other than two classes, and parameters outside their range.

    Notes
    -----
    A wrapper of `sklearn.linear_model.enet_path`. Memory O((n + n_lambdas) d).

    References
    ----------
    H. Zou, T. Hastie, "Regularization and variable selection via the elastic net", JRSS B 67(2), 2005.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(40) % 2
    >>> X = rng.normal(size=(40, 200))
    >>> X[:, [17, 80]] += 3 * y[:, None]
    >>> ElasticNetPath(n_features_to_select=2).fit(X, y).get_support(indices=True)
    array([17, 80])
    """

    _two_classes_only = True

    def __init__(
        self,
        *,
        l1_ratio=0.5,
        n_lambdas=100,
        ratio=1e-3,
        cv=None,
        max_iter=5000,
        scale=True,
        n_features_to_select=None,
    ):
        super().__init__(n_features_to_select=n_features_to_select)
        self.l1_ratio = l1_ratio
        self.n_lambdas = n_lambdas
        self.ratio = ratio
        self.cv = cv
        self.max_iter = max_iter
        self.scale = scale

    def fit(self, X, y):
        """Follow the path and rank the features.

        Parameters
        ----------
        X : array or DataFrame of shape (n, d)
        y : array of shape (n,)
            Two classes.

        Returns
        -------
        self
        """
        integers = [("n_lambdas", 2), ("max_iter", 1), ("cv", 2)]
        shares = [("ratio", "a number in (0, 1)", lambda v: 0 < v < 1)]
        check_numbers(
            self, integers, [*shares, ("l1_ratio", "a share in (0, 1]", lambda v: 0 < v <= 1)], optional=["cv"]
        )
        X, codes = self._validate(X, y)
        Z = np.asfortranarray(zscores(X) if self.scale else X - X.mean(axis=0))
        target = 2.0 * codes - 1
        target -= target.mean()
        reserve = np.abs(Z.T @ target)
        n, d = Z.shape
        if reserve.max() <= n * np.finfo(float).eps * np.abs(Z).max(initial=1):
            # nothing ever enters
            self.lambdas_, path, self.n_iter_ = np.zeros(self.n_lambdas), np.zeros((self.n_lambdas, d)), 1
        else:
            self.lambdas_ = reserve.max() / (n * self.l1_ratio) * np.geomspace(1, self.ratio, self.n_lambdas)
            options = {"l1_ratio": self.l1_ratio, "alphas": self.lambdas_, "max_iter": self.max_iter}
            _, path, _, n_iter = enet_path(Z, target, return_n_iter=True, **options)
            path, self.n_iter_ = path.T, max(1, max(n_iter))
        self.coef_path_ = path
        order, entry = rank_by_entry(path, reserve)
        self.n_entered_ = int(np.count_nonzero(entry < len(path)))
        if self.cv is not None:
            options = {"l1_ratio": self.l1_ratio, "alphas": self.n_lambdas, "eps": self.ratio}
            net = ElasticNetCV(**options, cv=_balanced_folds(codes, self.cv), max_iter=self.max_iter)
            self.native_support_ = net.fit(Z, target).coef_ != 0
        return self._store_ranking(order=order)


class LassoPath(ElasticNetPath):
    """Rank features by the penalty at which they enter the path of the LASSO.

    The targets are +-1 for two classes, the loss is squared. Of correlated features one enters and the others wait; the
    path selects no more features than there are samples. Those that never enter are ranked last, by their correlation
    with the classes; ``n_entered_`` says where this part begins.

    Parameters
    ----------
    n_lambdas : int
        Penalties of the path.
    ratio : float
        Smallest over largest penalty, in (0, 1).
    cv : int or None
        Folds of a cross-validation that picks one penalty, for ``native_support_``.
    max_iter : int
        Of the coordinate descent at one penalty.
    scale : bool
        Standardise the features first, by the rows that ``fit`` sees.
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half. The ranking does not depend on it.

    Attributes
    ----------
    ranking_ : array of int, shape (d,)
        By entry, within one penalty by size of the coefficient, then by absolute correlation with the classes.
    scores_ : None
    lambdas_, coef_path_, n_entered_, n_iter_, native_support_
        As in `ElasticNetPath`.
    classes_, support_, n_features_in_, feature_names_in_
        See ``FeatureSelector``.

    Raises
    ------
    ValueError
        For NaN, other than two classes, and parameters outside their range.

    Notes
    -----
    A wrapper of `sklearn.linear_model.enet_path` with an L1 share of 1. Memory O((n + n_lambdas) d).

    References
    ----------
    R. Tibshirani, "Regression shrinkage and selection via the lasso", JRSS B 58(1), 1996.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(40) % 2
    >>> X = rng.normal(size=(40, 200))
    >>> X[:, [17, 80]] += 3 * y[:, None]
    >>> LassoPath(n_features_to_select=2).fit(X, y).get_support(indices=True)
    array([17, 80])
    """

    def __init__(self, *, n_lambdas=100, ratio=1e-3, cv=None, max_iter=5000, scale=True, n_features_to_select=None):
        super().__init__(
            l1_ratio=1.0,
            n_lambdas=n_lambdas,
            ratio=ratio,
            cv=cv,
            max_iter=max_iter,
            scale=scale,
            n_features_to_select=n_features_to_select,
        )


def _balanced_folds(codes, n_folds):
    """Draw splits that keep the class shares, which those for a regression on numbers would not."""
    return list(StratifiedKFold(n_folds).split(codes[:, None], codes))
