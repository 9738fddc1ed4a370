"""Forward selection by ordinary least squares: the squared criterion for a linear conditional mean."""

import numpy as np

from fslib.counts.weighted import moments

_DEPENDENT = 1e-10  # what is left of a feature's squared length when it is a combination of the chosen ones


class LinearProblem:
    """Real features and a real target, with an intercept; the same interface as the problems of discrete features.

    Examples
    --------
    >>> X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 0.0]])
    >>> problem = LinearProblem(X, 2 * X[:, 0] + 1)
    >>> problem.univariate()[0].round(3)
    array([ 0.   , -0.982])
    """

    with_log = False

    def __init__(self, X, y, weights=None):
        low, high = X.min(axis=0), X.max(axis=0)
        size = np.maximum(np.abs(low), np.abs(high))
        X = X / np.where(size > 0, size, 1.0)  # in units of its own: neither tiny nor huge features lose their squares
        X -= X.mean(axis=0) if weights is None else np.average(X, axis=0, weights=weights)
        # Least squares with weights w are those of rows times sqrt(w); the mean of the factors' squares is 1.
        factor = None if weights is None else np.sqrt(weights / weights.mean())
        if factor is not None:
            X *= factor[:, None]
        length = np.sqrt((X**2).sum(axis=0))
        # By values, since the mean of a constant feature may round; and what differs in the last digits only.
        self.constant = (low == high) | (length <= 4 * np.finfo(float).eps * np.sqrt(len(X)))
        self.X = X / np.where(self.constant, 1.0, length)
        self.X[:, self.constant] = 0.0
        mean, spread = moments(y, weights)
        self.unit = spread**2
        self.y = (y - mean) / (spread if spread > 0 else 1.0) / np.sqrt(len(y))
        if factor is not None:
            self.y *= factor

    def partition(self):
        """State of the search without any feature."""
        return LinearState(self)

    def univariate(self):
        """Values of the single features, no log values, and which features are constant."""
        return *self.partition().refinements(), self.constant

    def empty_value(self):
        """Minus the variance of the target, in the units of the search."""
        return -float(self.y @ self.y)


class LinearState:
    """Residual of the target, and of every feature, after projection on the chosen features.

    Residuals of features are not stored: their products with the target's residual and their squared lengths suffice,
    and each step updates both with one product of X and a vector, O(n d).
    """

    def __init__(self, problem):
        self.X = problem.X
        self.basis = []
        self.residual = problem.y.copy()
        self.product = self.X.T @ self.residual
        self.length = np.where(problem.constant, 0.0, 1.0)

    @property
    def is_pure(self):
        """Whether no feature can lower the error any more."""
        return self.residual @ self.residual <= 1e-15 or not (self.length > _DEPENDENT).any()

    def refinements(self, eligible=None):
        """Minus the mean squared error with each feature added, and no log values; ties need no ``eligible``."""
        free = self.length > _DEPENDENT
        gain = np.divide(self.product**2, self.length, out=np.zeros_like(self.product), where=free)
        return gain - self.residual @ self.residual, None

    def split(self, j):
        """Add feature j."""
        q = self.X[:, j].copy()
        for _ in range(2):  # once more: the second pass removes the rounding of the first
            for b in self.basis:
                q -= (b @ q) * b
        norm = np.sqrt(q @ q)
        if norm**2 <= _DEPENDENT:
            return
        q /= norm
        self.basis.append(q)
        along = self.X.T @ q
        self.product -= along * (q @ self.residual)
        self.length = np.maximum(self.length - along**2, 0.0)
        self.residual -= (q @ self.residual) * q
