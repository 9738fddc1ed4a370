"""Linear support vector machines that end: scikit-learn's, which say so where features are too large for them."""

import warnings

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC, LinearSVC

MOST_STEPS = 10**7
"""Steps of libsvm after which no solution is expected; the data of the papers need up to two million."""

LARGE = 1e9
"""``C n max ||x||^2`` beyond which the solvers end soon or hardly ever; it is below 1e8 for the data of the papers."""


class NotSolvedError(ValueError):
    """The solver of a support vector machine came to no end."""


class DenseMachine(SVC):
    """``SVC`` that raises `NotSolvedError` where it stops at ``max_iter``."""

    def fit(self, X, y, sample_weight=None):
        """Fit as ``SVC`` does."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # it becomes an error
            super().fit(X, y, sample_weight)
        if self.fit_status_:
            raise NotSolvedError(f"A support vector machine found no solution in {self.max_iter} steps")
        return self


class SparseMachine(LinearSVC):
    """``LinearSVC`` that says what to do where it stops at ``max_iter``: a warning; `NotSolvedError` if X is large."""

    def fit(self, X, y, sample_weight=None):
        """Fit as ``LinearSVC`` does."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            super().fit(X, y, sample_weight)
        if self.n_iter_ >= self.max_iter:
            text = f"A support vector machine found no solution in {self.max_iter} steps"
            if is_large(X, self.C):
                raise NotSolvedError(text)
            warnings.warn(f"{text}: scale the features, by MaxAbsScaler.", ConvergenceWarning, stacklevel=2)
        return self


def linear_machine(X, C=1.0):
    """Linear support vector machine with the hinge loss, not fitted.

    Two solvers of (but for the intercept) one problem: libsvm for dense X, because it copes with columns of any scale,
    liblinear for sparse X, because it is faster there.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
        What it will be fitted on.
    C : float

    Returns
    -------
    DenseMachine or SparseMachine

    Examples
    --------
    >>> machine = linear_machine(np.array([[0.0], [1.0]]))
    >>> type(machine).__name__, machine.max_iter, linear_machine(np.array([[0.0], [1e15]])).max_iter
    ('DenseMachine', 10000000, 200000)
    """
    if sparse.issparse(X):
        return SparseMachine(loss="hinge", dual=True, C=C, max_iter=5000, random_state=0)
    return DenseMachine(kernel="linear", C=C, max_iter=most_steps(X.shape[0], is_large(X, C)))


def most_steps(n, large):
    """Steps after which libsvm is stopped: a well-scaled problem takes a few for every sample.

    Examples
    --------
    >>> most_steps(100, large=False), most_steps(100, large=True)
    (10000000, 200000)
    """
    return max(200_000, 20 * n) if large else max(MOST_STEPS, 100 * n)


def is_large(X, C):
    """Whether ``C n max ||x||^2`` is above `LARGE`."""
    squares = X.multiply(X).sum(axis=1) if sparse.issparse(X) else np.einsum("ij,ij->i", X, X)
    return C * X.shape[0] * float(np.max(squares)) > LARGE
