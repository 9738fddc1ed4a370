"""Base of the multi-label selectors: validation of X and y, and the tag for a y of many columns."""

import numpy as np
from sklearn.utils.validation import check_consistent_length

from fslib.base import FeatureSelector, constant_features, resolve_n_features
from fslib.inputs import validate, warn_if_all_constant
from fslib.multilabel.labels import check_labels, is_one_dimensional


class MultiLabelSelector(FeatureSelector):
    """A ``FeatureSelector`` whose ``y`` is (n, c) with entries 0, 1 and NaN for unknown.

    A 1-D ``y`` of class codes is read as one label per class (see ``fslib.multilabel.labels.check_labels``), so that
    the same selectors serve ordinary classification.

    Attributes
    ----------
    label_names_ : array of shape (c,)
        Column names of a DataFrame ``y``, class codes of a 1-D ``y``, else 0..c-1.
    """

    _accepts_sparse = False
    _dtypes: tuple = (float,)  # the first is what other types are turned into

    def _validate(self, X, y):
        """Return X as floats and y as ``Labels``, and set the attributes that describe both."""
        sparse_format = "csr" if self._accepts_sparse else False
        X = validate(self, X, accept_sparse=sparse_format, dtype=list(self._dtypes), ensure_min_samples=2)
        warn_if_all_constant(constant_features(X), self)
        resolve_n_features(self.n_features_to_select, X.shape[1])  # refuse it now, not after a long fit
        labels = check_labels(y)
        check_consistent_length(X, labels.values)
        self._target_classes = _classes(y) if is_one_dimensional(y) else None
        self.label_names_ = labels.names
        return X, labels

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._accepts_sparse
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        return tags


def _classes(y):
    """Sorted classes of a one-dimensional y, unknown ones left out; 0 and 1 if 0 is the only one."""
    import pandas as pd

    known = pd.Series(np.asarray(y)).dropna().infer_objects().to_numpy()
    classes = np.unique(known)
    return np.array([0, 1]) if len(classes) == 1 and known.dtype.kind in "biuf" and classes[0] == 0 else classes
