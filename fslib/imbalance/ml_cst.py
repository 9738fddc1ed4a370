"""ML-CST: logistic regression whose errors cost more in the rare class (Dmochowski, Sajda, Parra 2010)."""

from sklearn.linear_model import LogisticRegression


def ml_cst(*, C=1.0):
    """Make the classifier that its authors recommend: maximum likelihood weighted by the costs of the errors.

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
    return LogisticRegression(C=C, class_weight="balanced", max_iter=1000)
