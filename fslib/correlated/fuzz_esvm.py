"""Fuzz-ESVM: elimination within modules of correlated features, then among their survivors (braytee, section 4.2)."""

import numpy as np
from joblib import Parallel, delayed
from sklearn.utils import check_random_state

from fslib.base import resolve_n_features
from fslib.correlated._base import zscores
from fslib.correlated.coexpression import CoexpressionModules, module_labels
from fslib.correlated.esvm_rfe import ESVMRFE
from fslib.correlated.module_pool import intra_sizes
from fslib.parameters import check_numbers

SMALLEST_SHARE = 0.05


class FuzzESVM(ESVMRFE):
    """Screen each co-expression module by ESVM-RFE, pool what is left of them, and screen the pool by ESVM-RFE.

    In a single elimination on all features, a group of correlated features has many small weights and may be dropped.
    Here such a group is a module, and its best features always reach the second phase. Unassigned features are screened
    as one more module. The modules are found without labels.

    Parameters
    ----------
    n_models : int
        SVMs in each round (b).
    drop : float
        Share of the remaining features that leaves in a round (E), in (0, 1).
    intra_d : int or None
        Survivors of each module. None: ``max(10, ceil(0.05 size))``, and a larger share if the pool would otherwise be
        smaller than ``n_features_to_select``.
    modules : CoexpressionModules, array of int of shape (d,) or None
        How to find the modules, or their labels (0 for unassigned), for example those of an earlier fit on the same
        training rows. None for ``CoexpressionModules(reading=reading)``.
    bag_size : int or None
        Samples per class in a bag; None for the size of the smallest class.
    C : float
        Cost of a margin violation, positive.
    normalise : bool
        Scale each machine's weights to length one.
    scale : bool
        Standardise the features first, by the rows that ``fit`` sees.
    reading : {"corrected", "published"}
        Of ESVM-RFE and of the modules, see there.
    n_features_to_select : int, float or None
        Survivors of the second phase (inter-d): number of columns, their share, or None for half.
    random_state : int, RandomState or None
    n_jobs : int or None
        Processes over which the modules are spread; the result does not depend on it.

    Attributes
    ----------
    ranking_ : array of int, shape (d,)
        The pool in the order of the second phase, then all others by their rank within their module.
    labels_ : array of int, shape (d,)
        Module of each feature, 0 for unassigned and constant ones.
    modules_ : CoexpressionModules or None
        The fitted modules, if labels were not given.
    pool_ : array of int
        Features that reached the second phase, ascending.
    scores_ : None
    classes_, support_, n_features_in_, feature_names_in_
        See ``FeatureSelector``.

    Raises
    ------
    ValueError
        For NaN, a class with fewer than two samples, parameters outside their range, labels of the wrong length, and
        an ``intra_d`` that leaves a smaller pool than ``n_features_to_select``.

    Notes
    -----
    Cost and memory are those of `CoexpressionModules` (d^3, 12 d^2 bytes) and of as many small eliminations as there
    are modules. Constant features belong to no module and rank last.

    References
    ----------
    A. Braytee, PhD thesis, 2018, section 4.2.1, Algorithm 4.

    Examples
    --------
    Two modules of 40 and 30 features, of which the larger follows the classes, and 20 features of noise.

    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(50) % 2
    >>> profiles = rng.normal(size=(50, 2)) + np.outer(y, [4, 0])
    >>> X = np.repeat(profiles, [40, 30], axis=1) + 0.3 * rng.normal(size=(50, 70))
    >>> X = np.hstack([X, rng.normal(size=(50, 20))])
    >>> selector = FuzzESVM(n_models=10, n_features_to_select=5, random_state=0).fit(X, y)
    >>> selector.labels_[selector.get_support()]
    array([1, 1, 1, 1, 1])
    """

    def __init__(
        self,
        *,
        n_models=40,
        drop=0.2,
        intra_d=None,
        modules=None,
        bag_size=None,
        C=1.0,
        normalise=False,
        scale=True,
        reading="corrected",
        n_features_to_select=None,
        random_state=None,
        n_jobs=None,
    ):
        super().__init__(
            n_models=n_models,
            drop=drop,
            bag_size=bag_size,
            C=C,
            normalise=normalise,
            scale=scale,
            reading=reading,
            n_features_to_select=n_features_to_select,
            random_state=random_state,
        )
        self.intra_d = intra_d
        self.modules = modules
        self.n_jobs = n_jobs

    def fit(self, X, y):
        """Find the modules and eliminate features.

        Parameters
        ----------
        X : array or DataFrame of shape (n, d)
        y : array of shape (n,)
            Classes, at least two, each with at least two samples.

        Returns
        -------
        FuzzESVM
        """
        self._check_parameters()
        X, codes = self._validate(X, y)
        d = X.shape[1]
        n_keep = resolve_n_features(self.n_features_to_select, d)
        varies = X.min(axis=0) < X.max(axis=0)
        default = CoexpressionModules(reading=self.reading)
        self.labels_, self.modules_ = module_labels(self.modules, X, default=default)
        Z = zscores(X) if self.scale else X
        modules = [np.flatnonzero((self.labels_ == label) & varies) for label in np.unique(self.labels_)]
        modules = [module for module in modules if len(module)]
        sizes = intra_sizes([len(m) for m in modules], n_keep, self.intra_d, SMALLEST_SHARE, spare=int((~varies).sum()))
        seeds = check_random_state(self.random_state).randint(np.iinfo(np.int32).max, size=len(modules) + 1)
        run = delayed(self._ranked)
        # braytee Algorithm 4, intra-screening
        ranked = Parallel(self.n_jobs)(
            run(Z[:, m], codes, size, seed) for m, size, seed in zip(modules, sizes, seeds, strict=False)
        )
        place = np.full(d, d)
        for module, order in zip(modules, ranked, strict=True):
            place[module[order]] = np.arange(len(module))
        survivors = [module[order[:size]] for module, order, size in zip(modules, ranked, sizes, strict=True)]
        self.pool_ = np.sort(np.concatenate([*survivors, np.zeros(0, dtype=int)]))
        # and then among the pool: inter-screening
        inter = (
            self._ranked(Z[:, self.pool_], codes, min(n_keep, len(self.pool_)), seeds[-1]) if len(self.pool_) else []
        )
        others = np.setdiff1d(np.arange(d), self.pool_)
        others = others[np.argsort(place[others], kind="stable")]
        return self._store_ranking(order=np.concatenate([self.pool_[inter], others]))

    def _ranked(self, X, codes, n_keep, seed):
        return self._eliminate(X, codes, n_keep, np.random.RandomState(seed))[0]

    def _check_parameters(self):
        super()._check_parameters()
        if self.intra_d is not None:
            check_numbers(self, integers=[("intra_d", 1)])
