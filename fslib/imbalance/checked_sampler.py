"""What the samplers here add to those of imbalanced-learn: input that is refused in the words of this package."""

import numpy as np

from fslib.base import Documented
from fslib.classes import encode_classes, plain_type
from fslib.inputs import explaining, missing_in, plain_target
from fslib.parameters import check_parameters


class CheckedSampler(Documented):
    """Mixin before a sampler of imbalanced-learn."""

    def fit_resample(self, X, y, **params):
        """Resample; see imbalanced-learn.

        Parameters
        ----------
        X : array, DataFrame or sparse matrix of shape (n, d)
        y : array of shape (n,)
        **params
            As the sampler takes them.

        Returns
        -------
        X, y
            Of the type given.

        Raises
        ------
        ValueError
            If X or y cannot be read, with the name of the feature.
        """
        check_parameters(self)
        if hasattr(X, "get_columns"):
            raise ValueError(f"{type(self).__name__} takes no polars frame: pass X.to_pandas().")
        with explaining(self, X, y):
            return super().fit_resample(X, _checked_classes(y, self), **params)


def _checked_classes(y, sampler):
    """Give y as imbalanced-learn takes it, in its own type, or refuse it."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    y = plain_target(y)
    if (found := missing_in(y)) is not None:
        raise ValueError(found)
    if hasattr(y, "columns") and len(y.columns) > 1:
        raise ValueError(f"{type(sampler).__name__} takes one target, y has {len(y.columns)} columns.")
    if np.ndim(y) == 1 and len(y):
        encode_classes(np.asarray(y))
    if getattr(getattr(y, "dtype", None), "kind", "") != "O":
        return y
    # imbalanced-learn takes numbers among objects for measurements
    return y.infer_objects() if hasattr(y, "infer_objects") else plain_type(y)
