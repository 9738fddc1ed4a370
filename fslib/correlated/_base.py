"""What the selectors of this room share: reading X and y, and z-scores that are defined for constant features."""

import numpy as np
from sklearn.utils import ClassifierTags

from fslib.base import FeatureSelector, resolve_n_features
from fslib.classes import encode_classes
from fslib.inputs import validate


class ClassSelector(FeatureSelector):
    """A ``FeatureSelector`` for dense X and class labels.

    Attributes
    ----------
    classes_ : array of shape (c,)
    """

    _two_classes_only = False

    def _validate(self, X, y):
        """Return X as floats and class codes 0, 1, ... of the samples."""
        X, y = validate(self, X, y, dtype=float, ensure_min_samples=2)
        resolve_n_features(self.n_features_to_select, X.shape[1])  # refuse it now, not after a long fit
        self.classes_, codes = encode_classes(y)
        if self._two_classes_only and len(self.classes_) > 2:
            raise ValueError(
                f"{type(self).__name__} tells two classes apart, y has {len(self.classes_)}. "
                "Only binary classification is supported: select for one class against the others."
            )
        return X, codes

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.two_d_labels = False
        if self._two_classes_only:
            tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags


def zscores(X):
    """Columns with mean 0 and standard deviation 1; constant columns become 0.

    Examples
    --------
    >>> zscores(np.array([[1.0, 0.1], [3.0, 0.1]]))
    array([[-1.,  0.],
           [ 1.,  0.]])
    """
    Z = X - X.mean(axis=0)
    varies = X.min(axis=0) < X.max(axis=0)
    Z[:, ~varies] = 0.0  # centring leaves rounding there, not information
    Z /= np.where(varies, X.std(axis=0), 1.0)
    return Z
