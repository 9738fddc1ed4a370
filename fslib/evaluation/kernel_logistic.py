"""Kernel logistic regression out of scikit-learn's parts: a kernel map on the distinct rows, then a linear model."""

import numpy as np
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline

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


def kernel_logistic_regression(C=1.0, gamma=1.0, random_state=None):
    r"""Regularised kernel logistic regression with a Gaussian kernel and a free intercept.

    Minimises :math:`C \sum_i w_i \log(1 + e^{-y_i f(x_i)}) + \|f\|_K^2 / 2`. In the form with a mean loss and
    :math:`\lambda \|f\|_K^2 / 2`, :math:`C = 1 / (\lambda N)`.

    Parameters
    ----------
    C : float
        Weight of the loss against the squared norm.
    gamma : float
        Kernel :math:`e^{-\gamma \|x - x'\|^2}`.
    random_state : int or None
        Draws the landmarks when there are too many distinct rows.

    Returns
    -------
    Pipeline
        Steps ``kernel`` and ``classifier``.

    Examples
    --------
    >>> X = np.array([[0.0], [0.0], [1.0], [1.0]])
    >>> kernel_logistic_regression(C=10).fit(X, [0, 0, 1, 1]).predict_proba([[0.0], [1.0]])[:, 1].round(2)
    array([0.14, 0.86])
    """
    return Pipeline(
        [
            ("kernel", DistinctRowsNystroem(gamma=gamma, random_state=random_state)),
            ("classifier", logistic_classifier(C)),
        ]
    )


def logistic_classifier(C):
    """Linear model of the pipeline; tighter tolerance than the default because it has many weights."""
    return LogisticRegression(C=C, solver="lbfgs", tol=1e-6, max_iter=5000)
