"""Many linear support vector machines on subsets of one set of rows, solved at once.

For each subset s in {0, 1}^n of the rows ``x_i`` with labels ``y_i`` = +-1,

    min over w of   ||w||^2 / 2  +  C sum_i s_i max(0, 1 - y_i w^T x_i)^2 ,

the problem of scikit-learn's ``LinearSVC``; its intercept is the weight of a column of ones. Newton's method with step
halving ends after few steps, since the objective is quadratic between changes of the set of rows inside the margin.
A search that scores thousands of subsets spends its time here, so the steps of all of them are taken together.
"""

import numpy as np

CHUNK = 2**22
"""Numbers in the largest temporary array, 32 MB."""


def linear_svms(X, y, subsets, C=1.0, max_iter=100):
    """Weights of the linear support vector machine of every subset.

    Parameters
    ----------
    X : array of shape (n, d)
        With a column of ones where an intercept is wanted.
    y : array of shape (n,)
        -1 or 1.
    subsets : array of bool, shape (m, n)
    C : float
        Weight of the errors.
    max_iter : int
        Newton steps; ten are usually enough.

    Returns
    -------
    array of shape (m, d)

    Notes
    -----
    O(m n d^2 + m d^3) per Newton step.

    Examples
    --------
    >>> X, y = np.array([[-1.0], [1.0], [5.0]]), np.array([-1.0, 1.0, -1.0])
    >>> linear_svms(X, y, np.array([[True, True, False]])).round(2)     # 4 C / (1 + 4 C)
    array([[0.8]])
    """
    n, d = X.shape
    Z = y[:, None] * X
    size = max(1, CHUNK // (d * max(n, d)))
    parts = [_newton(Z, subsets[i : i + size], C, max_iter) for i in range(0, len(subsets), size)]
    return np.concatenate(parts) if parts else np.empty((0, d))


def _newton(Z, subsets, C, max_iter):
    m, d = len(subsets), Z.shape[1]
    W, open_ = np.zeros((m, d)), np.arange(m)
    for _ in range(max_iter):
        s, w = subsets[open_], W[open_]
        slack = np.where(s, 1 - w @ Z.T, 0.0)
        active = slack > 0
        hessian = np.matmul(Z.T * active[:, None, :], Z)
        hessian *= 2 * C
        hessian[:, np.arange(d), np.arange(d)] += 1
        gradient = w - 2 * C * (np.maximum(slack, 0) @ Z)
        try:
            step = -np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
        except np.linalg.LinAlgError as error:  # the identity is lost beside squares of features
            raise ValueError("features are too large for a support vector machine: standardise them first.") from error
        length = _lengths(Z, s, C, w, step, np.einsum("ij,ij->i", gradient, step))
        W[open_] = w + length[:, None] * step
        # After a full step that leaves the active rows as they were, the gradient is zero.
        moved = ((1 - W[open_] @ Z.T > 0) & s != active).any(axis=1) | (length < 1)
        open_ = open_[moved & (np.abs(step).max(axis=1) > 1e-13 * np.abs(W[open_]).max(axis=1))]
        if not len(open_):
            break
    return W


def _lengths(Z, s, C, w, step, slope):
    """Share of each step to take: 1, halved until the objective falls enough."""
    start = _objective(Z, s, C, w)
    length = np.ones(len(w))
    for _ in range(30):
        long = _objective(Z, s, C, w + length[:, None] * step) > start + 1e-4 * length * slope + 1e-14 * start
        if not long.any():
            break
        length[long] /= 2
    return length


def _objective(Z, s, C, w):
    slack = np.maximum(np.where(s, 1 - w @ Z.T, 0.0), 0)
    return np.einsum("ij,ij->i", w, w) / 2 + C * np.einsum("ij,ij->i", slack, slack)
