"""What the multi-label learners share: reading X and y, and labels that no training sample has or that all have."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from fslib.base import Documented
from fslib.inputs import validate
from fslib.multilabel.labels import check_label_matrix


class LabelClassifier(Documented, ClassifierMixin, BaseEstimator):
    """A classifier whose ``y`` is (n, c) with entries 0 and 1, and whose X may be sparse."""

    _dtypes: tuple = (np.float64, np.float32)  # the first is what other types are turned into

    def _validate(self, X, y):
        """Return X as floats and y as ``Labels``, and set ``label_names_``."""
        X = validate(self, X, accept_sparse="csr", dtype=list(self._dtypes), ensure_min_samples=2)
        labels = check_label_matrix(y, self)
        check_consistent_length(X, labels.values)
        self.label_names_ = labels.names
        return X, labels

    def _validate_new(self, X):
        """Return the X to predict for."""
        check_is_fitted(self)
        return validate(self, X, accept_sparse="csr", dtype=list(self._dtypes), reset=False)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = False
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.multi_label = True
        return tags


class MultiLabelLearner(LabelClassifier):
    """A classifier whose ``y`` is (n, c) with entries 0 and 1.

    A subclass implements ``_fit_varying(X, Y)`` and ``_score_varying(X)`` for labels that vary; a positive score is a
    prediction. A label that no training sample has is never predicted and ranks below all others of a sample; one that
    all have is always predicted and ranks above.

    Attributes
    ----------
    classes_ : array([0, ..., c - 1])
    label_names_ : array of shape (c,)
    constant_ : array of shape (c,)
        0 or 1 where the training samples knew nothing else, NaN for all other labels.
    n_features_in_, feature_names_in_
    """

    def fit(self, X, y):
        """Learn every label.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
        y : array or DataFrame of shape (n, c)
            0 and 1.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If X holds NaN or infinity, or y anything but 0 and 1.
        """
        X, labels = self._validate(X, y)
        if not labels.known.all():
            raise ValueError(
                f"y holds {int((~labels.known).sum())} unknown labels (NaN), of which {type(self).__name__} can learn "
                "nothing. Fill them in first, for example with 0, or use MLkNN, MLMLFS or MLCIB."
            )
        Y = labels.values.astype(int)
        self.classes_ = np.arange(Y.shape[1])
        low, high = Y.min(axis=0), Y.max(axis=0)
        self.constant_ = np.where(low == high, low, np.nan)
        if np.isnan(self.constant_).any():
            self._fit_varying(X, Y[:, np.isnan(self.constant_)])
        return self

    def decision_function(self, X):
        """Scores of all labels, positive where a label is predicted.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d)

        Returns
        -------
        array of shape (m, c)
            A label that no training sample had scores 1 less than the lowest of its row, one that all had 1 more than
            the highest.
        """
        X = self._validate_new(X)
        varying = np.isnan(self.constant_)
        scores = np.zeros((X.shape[0], len(varying)))
        if varying.any():
            scores[:, varying] = self._score_varying(X)
        low = np.minimum(scores.min(axis=1), 0) - 1
        high = np.maximum(scores.max(axis=1), 0) + 1
        scores[:, self.constant_ == 0] = low[:, None]
        scores[:, self.constant_ == 1] = high[:, None]
        return scores

    def predict(self, X):
        """Labels, 0 or 1.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d)

        Returns
        -------
        array of int, shape (m, c)
        """
        return (self.decision_function(X) > 0).astype(int)
