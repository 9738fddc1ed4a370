"""What all selectors on discrete data share: validation of X and y, and their encoding."""

import numpy as np

from fslib.base import FeatureSelector, encode_classes
from fslib.counts.levels import encode_levels
from fslib.filters.chance import warn_of_chance
from fslib.inputs import validate, warn_if_all_constant


class DiscreteSelector(FeatureSelector):
    """Base of the selectors that read X as levels and y as classes."""

    def _encode(self, X, y, *, numeric=False):
        """Validate X and y, set ``classes_``, and return levels and class codes.

        Returns
        -------
        levels : Levels
        y : array of int, shape (n,)
            Codes below ``len(self.classes_)``; with ``numeric``, y itself as float.
        """
        if hasattr(X, "iloc"):
            _refuse_missing(X)
        checked, y = validate(
            self, X, y, dtype=None, accept_sparse=("csc", "csr"), ensure_min_samples=2, y_numeric=numeric
        )
        if not numeric:
            self.classes_, y = encode_classes(y)
            if getattr(self, "pos_label", None) is not None:
                self.classes_, y = _positive_last(self.classes_, y, self.pos_label)
            y = y.astype(np.int32)
        # A frame of mixed columns lost its column types in the check, so its columns are encoded from the original.
        levels = encode_levels(X if hasattr(X, "iloc") else checked)
        warn_if_all_constant(levels.is_constant, self)
        if numeric:
            return levels, y.astype(float)
        warn_of_chance(levels, y, len(self.classes_))
        return levels, y

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags


def _positive_last(classes, codes, pos_label):
    """Two classes and their codes with the positive one second."""
    if len(classes) != 2:
        raise ValueError(f"pos_label={pos_label!r} names the positive of two classes, but y holds {len(classes)}.")
    found = np.flatnonzero(classes == pos_label)
    if not len(found):
        raise ValueError(f"pos_label={pos_label!r} is no class of y; the classes are {classes.tolist()}.")
    return (classes, codes) if found[0] == 1 else (classes[::-1], 1 - codes)


def _refuse_missing(frame):
    """Name the feature with an empty cell; scikit-learn's check does not, and fails on pandas' NA in text."""
    missing = np.flatnonzero(frame.isna().to_numpy().any(axis=0))
    if len(missing):
        raise ValueError(
            f"Input X contains NaN, None or NA in column {frame.columns[missing[0]]!r}: "
            "drop these rows or impute them first."
        )
