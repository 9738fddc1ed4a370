"""ADASYN, and what to do where it gives up."""

import numpy as np
import pandas as pd
from imblearn.over_sampling import ADASYN, SMOTE, RandomOverSampler
from imblearn.over_sampling.base import BaseOverSampler

from fslib.imbalance.checked_sampler import CheckedSampler

GIVES_UP = ("No samples will be generated", "Not any neigbours belong to the majority")
"""What imbalanced-learn's ADASYN says where the classes are nearly balanced, or apart (its spelling)."""


class ADASYNWithFallback(CheckedSampler, BaseOverSampler):
    """ADASYN; if it cannot draw samples, SMOTE; if SMOTE cannot either, copies of samples.

    ADASYN draws new minority samples near those with majority neighbours. It gives up if no sample has any, if
    there are too few minority samples for its neighbourhoods, or if rounding leaves nothing to draw. A comparison over
    many data sets needs a result anyway, and has to report which sampler gave it.

    Parameters
    ----------
    sampling_strategy : "auto", float, dict, str or callable
        As in imbalanced-learn.
    n_neighbors : int, default=5
        For SMOTE at most the number of other samples of the rarest class.
    random_state : int or numpy.random.RandomState, optional

    Attributes
    ----------
    used_ : str
        "ADASYN", "SMOTE", "RandomOverSampler", or "nothing" if no sample was wanted.
    sampling_strategy_ : dict

    Raises
    ------
    ValueError
        In ``fit_resample``, if X has missing or infinite values, y has one class only, or ``sampling_strategy`` asks
        for fewer samples than there are.

    Notes
    -----
    Cost: a search for neighbours of every minority sample, O(n_rare n d).

    References
    ----------
    H. He, Y. Bai, E. A. Garcia, S. Li, "ADASYN: adaptive synthetic sampling approach for imbalanced learning", IJCNN
    2008. A baseline of the thesis's section 3.1.

    Examples
    --------
    Two classes far apart: no minority sample has a majority neighbour.

    >>> import numpy as np
    >>> X = np.r_[np.random.default_rng(0).normal(size=(30, 2)), np.random.default_rng(1).normal(50, 1, size=(8, 2))]
    >>> sampler = ADASYNWithFallback(random_state=0)
    >>> np.bincount(sampler.fit_resample(X, np.arange(38) >= 30)[1]), sampler.used_
    (array([30, 30]), 'SMOTE')
    """

    def __init__(self, *, sampling_strategy="auto", n_neighbors=5, random_state=None):
        super().__init__(sampling_strategy=sampling_strategy)
        self.n_neighbors = n_neighbors
        self.random_state = random_state

    def fit_resample(self, X, y, **params):
        """Resample; see imbalanced-learn.

        Parameters
        ----------
        X : array, DataFrame or sparse matrix of shape (n, d)
        y : array of shape (n,)
        **params
            None.

        Returns
        -------
        X, y
            Of the type given; truth values and nullable numbers of X as floats, since new samples lie between.
        """
        return super().fit_resample(_with_room_between(X), y, **params)

    def _fit_resample(self, X, y):
        if self.n_neighbors < 1:
            raise ValueError(f"n_neighbors={self.n_neighbors!r} must be an integer >= 1.")
        wanted = {c: n for c, n in self.sampling_strategy_.items() if n > 0}
        if not wanted:
            self.used_ = "nothing"
            return X.copy(), y.copy()
        fewest = min((y == c).sum() for c in wanted)
        options = {"sampling_strategy": self.sampling_strategy, "random_state": self.random_state}
        if fewest > self.n_neighbors:
            try:
                resampled = ADASYN(n_neighbors=self.n_neighbors, **options).fit_resample(X, y)
            except (ValueError, RuntimeError) as error:
                if not str(error).startswith(GIVES_UP):
                    raise
            else:
                self.used_ = "ADASYN"
                return resampled
        if fewest > 1:
            self.used_ = "SMOTE"
            return SMOTE(k_neighbors=min(self.n_neighbors, fewest - 1), **options).fit_resample(X, y)
        self.used_ = "RandomOverSampler"
        return RandomOverSampler(**options).fit_resample(X, y)


def _with_room_between(X):
    """X with floats in place of truth values, and of numbers of pandas that can be missing."""
    if hasattr(X, "dtypes") and hasattr(X, "iloc") and X.ndim == 2:
        kinds = ((j, t) for j, t in enumerate(X.dtypes) if getattr(t, "kind", "O") in "biuf")
        floats = {
            X.columns[j]: float for j, t in kinds if t.kind == "b" or not isinstance(t, np.dtype | pd.SparseDtype)
        }
        return X.astype(floats) if floats and X.columns.is_unique and not X.isna().to_numpy().any() else X
    return X.astype(float) if getattr(getattr(X, "dtype", None), "kind", "") == "b" else X
