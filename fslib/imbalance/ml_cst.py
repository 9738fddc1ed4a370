"""ML-CST: logistic regression whose errors cost more in the minority class (Dmochowski, Sajda, Parra 2010)."""

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

SLOPE = 0.01
"""Largest slope of the objective that is left at a solution, as a share of the slope that a weight could have."""


class CheckedLogisticRegression(LogisticRegression):
    """``LogisticRegression`` that does not take a point for the solution where the solver only lost its way.

    On features near 1e8 the steps of the solver drown in rounding; it then returns a point far from the solution,
    without a warning.
    """

    def fit(self, X, y, sample_weight=None):
        """Fit as ``LogisticRegression`` does.

        Raises
        ------
        ValueError
            If the solver ended far from the solution.
        """
        super().fit(X, y, sample_weight)
        if len(self.classes_) == 2 and sample_weight is None and self.class_weight == "balanced":
            positive = np.asarray(y) == self.classes_[1]
            costs = self.C * len(positive) / 2 / np.where(positive, positive.sum(), (~positive).sum())
            rows = X if sparse.issparse(X) else np.asarray(X, dtype=float)
            errors = costs * (positive - self.predict_proba(X)[:, 1])
            slope, most = abs(self.coef_[0] - errors @ rows), abs(self.coef_[0]) + costs @ abs(rows)
            if abs(errors.sum()) > SLOPE * costs.sum() or (slope > SLOPE * np.maximum(most, costs.sum())).any():
                raise ValueError(
                    "Logistic regression ended far from its solution, since features are too large or too different in "
                    "size: scale them first, by StandardScaler in a pipeline."
                )
        return self


def ml_cst(*, C=1.0):
    """Build the ML-CST classifier that its authors recommend: maximum likelihood weighted by the costs of errors.

    ``min over w, b of  ||w||^2 / 2 + C sum_i c_i log(1 + exp(-y_i (w^T x_i + b)))`` with ``c_i = n / (2 n_class)``. The
    weighted loss bounds the cost ``c 1[y f <= 0] <= c log2(1 + exp(-y f))`` from above, and is convex. The thesis names
    no costs; these make both classes equally important. Costs move the threshold more than the order of samples: the
    AUC of a linear model hardly changes, that of its labels does.

    Parameters
    ----------
    C : float
        Weight of the loss.

    Returns
    -------
    LogisticRegression

    Raises
    ------
    ValueError
        By ``fit`` of the classifier, if the solver ends far from the solution.

    References
    ----------
    J. P. Dmochowski, P. Sajda, L. C. Parra, "Maximum likelihood in cost-sensitive learning", Journal of Machine
    Learning Research 11 (2010). A baseline of the thesis's Table 3.10.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.tile(np.arange(10.0), 3)[:, None], (np.arange(30) % 10 >= 8) & (np.arange(30) >= 15)
    >>> int(LogisticRegression().fit(X, y).predict(X).sum()), int(ml_cst().fit(X, y).predict(X).sum())
    (3, 6)
    """
    return CheckedLogisticRegression(C=C, class_weight="balanced", max_iter=1000)
