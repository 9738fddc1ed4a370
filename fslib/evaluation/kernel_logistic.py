"""Kernel logistic regression out of scikit-learn's parts: a kernel map on the distinct rows, then a linear model."""

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression
from sklearn.utils.validation import check_is_fitted

EXACT_ROWS = 1000
"""Up to this many distinct rows the regression is solved exactly."""

SAMPLED_ROWS = 600
"""Beyond, its kernel is approximated from this many of them."""


class DistinctRowsNystroem(TransformerMixin, BaseEstimator):
    """Features whose inner products are the Gaussian kernel, from the distinct rows of the training data.

    With every distinct row as a landmark the map is exact on the training rows: duplicates add nothing to the span.
    Beyond ``EXACT_ROWS`` rows, ``SAMPLED_ROWS`` of them are drawn.

    Parameters
    ----------
    gamma : float or None
        Of the kernel ``exp(-gamma ||x - z||^2)``; None for 1 / number of features.
    random_state : int or None
        Draws the landmarks.

    Attributes
    ----------
    components_ : array of shape (number of landmarks, d)
        The landmarks.

    Examples
    --------
    >>> kernel = DistinctRowsNystroem(gamma=1.0).fit(np.array([[0.0], [0.0], [1.0]]))
    >>> Z = kernel.transform(np.array([[0.0], [1.0]]))
    >>> (Z @ Z.T).round(3)
    array([[1.   , 0.368],
           [0.368, 1.   ]])
    """

    def __init__(self, *, gamma=None, random_state=None):
        self.gamma = gamma
        self.random_state = random_state

    def fit(self, X, y=None):
        """Choose the landmarks."""
        rows = np.unique(X, axis=0)
        n_components = len(rows) if len(rows) <= EXACT_ROWS else SAMPLED_ROWS
        self._map = Nystroem(gamma=self.gamma, n_components=n_components, random_state=self.random_state).fit(rows)
        self.components_ = self._map.components_
        return self

    def transform(self, X):
        """Map rows, to shape (m, number of landmarks)."""
        check_is_fitted(self)
        return self._map.transform(X)


def logistic_classifier(C):
    r"""Logistic regression that is kernel logistic regression on features of `DistinctRowsNystroem`.

    It minimises :math:`C \sum_i w_i \log(1 + e^{-y_i f(x_i)}) + \|f\|_K^2 / 2` with a free intercept. In the form with
    a mean loss and :math:`\lambda \|f\|_K^2 / 2`, :math:`C = 1 / (\lambda N)`. Its tolerance is tighter than the
    default because it has many weights.

    Parameters
    ----------
    C : float
        Weight of the loss against the squared norm.

    Returns
    -------
    LogisticRegression

    Examples
    --------
    >>> X = np.array([[0.0], [0.0], [1.0], [1.0]])
    >>> kernel = DistinctRowsNystroem(gamma=1.0).fit(X)
    >>> model = logistic_classifier(C=10).fit(kernel.transform(X), [0, 0, 1, 1])
    >>> model.predict_proba(kernel.transform([[0.0], [1.0]]))[:, 1].round(2)
    array([0.14, 0.86])
    """
    return LogisticRegression(C=C, solver="lbfgs", tol=1e-6, max_iter=5000)
