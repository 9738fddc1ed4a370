"""Kernel logistic regression out of scikit-learn's parts: a kernel map on the distinct rows, then a linear model."""

import numpy as np
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression

EXACT_ROWS = 1000
"""Up to this many distinct rows the regression is solved exactly."""

SAMPLED_ROWS = 600
"""Beyond, its kernel is approximated from this many of them."""


class DistinctRowsNystroem(Nystroem):
    """Features whose inner products are the kernel, from the distinct rows of the training data.

    With every distinct row as a landmark the map is exact on the training rows: duplicates add nothing to the span.
    Beyond ``EXACT_ROWS`` rows, ``SAMPLED_ROWS`` of them are drawn.
    """

    def fit(self, X, y=None):
        """Choose the landmarks."""
        rows = np.unique(X, axis=0)
        self.n_components = len(rows) if len(rows) <= EXACT_ROWS else SAMPLED_ROWS
        return super().fit(rows)


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
