"""Logistic regression with the hybrid penalty ``alpha |b|^(1/2) + (1 - alpha) b^2``, by coordinate descent on a path.

For labels y in {0, 1}, ``f_i = intercept + x_i^T b``,

    min   1/n sum_i [ log(1 + e^{f_i}) - y_i f_i ]  +  lam sum_j ( alpha |b_j|^(1/2) + (1 - alpha) b_j^2 ) .

The second derivative of the logistic loss is at most 1/4, so in one coordinate the loss lies below a parabola of
curvature ``v_j = sum_i x_ij^2 / (4 n)``; the minimum of parabola and penalty together is known in closed form. Every
step lowers the objective. It is not convex: where it ends depends on the start, which is always zero at the largest
``lam``, followed downwards.
"""

from dataclasses import dataclass
from math import acos, copysign, cos, pi

import numpy as np

THRESHOLD = 54 ** (1 / 3) / 4
"""``|w| <= THRESHOLD t^(2/3)`` gives zero. (3/4 t^(2/3) is where a second local minimum begins to exist.)"""

ENTERING = 10
"""Features added to the working set at a time."""


def half_threshold(w, t):
    """Exact minimiser of ``(b - w)^2 + t |b|^(1/2)``.

    Parameters
    ----------
    w : float
    t : float
        Not negative.

    Returns
    -------
    float
        0 at the threshold itself, where two minima are equal.

    Examples
    --------
    >>> half_threshold(1.0, 0.0), half_threshold(0.9, 1.0), round(half_threshold(-2.0, 1.0), 4)
    (1.0, 0.0, -1.8144)
    """
    size = abs(w)
    if size <= THRESHOLD * t ** (2 / 3):
        return 0.0
    angle = acos(t / 8 * (size / 3) ** -1.5)
    return copysign(2 / 3 * size * (1 + cos(2 / 3 * (pi - angle))), w)


@dataclass
class Point:
    """Coefficients (d,), intercept, objective after every pass over the working set, whether it had converged."""

    coef: np.ndarray
    intercept: float
    objective: np.ndarray
    converged: bool


def fit_hybrid_logistic(X, y, lam, alpha, *, start=None, max_passes=1000, tol=1e-5):
    """Minimise at one penalty.

    Parameters
    ----------
    X : array of shape (n, d)
        Column-major is fastest. Columns of zeros keep the coefficient 0.
    y : array of {0, 1}, shape (n,)
    lam, alpha : float
        ``lam > 0``, ``0 < alpha <= 1``.
    start : tuple of array (d,) and float, optional
        Coefficients and intercept; zero and the log odds by default.
    max_passes : int
        Passes over a working set before new features are looked for.
    tol : float
        A pass that moves no coefficient, nor the intercept, by more than this ends the work on a working set.

    Returns
    -------
    Point
        At which no single coefficient can lower the bound on the objective, up to ``tol``.

    Notes
    -----
    The working set holds the features with a coefficient; when it is done, the ``ENTERING`` features furthest above
    their threshold join it, until there are none. A pass costs O(n) per feature in the set, a look O(n d).
    """
    n, d = X.shape
    b = np.zeros(d) if start is None else np.array(start[0], dtype=float)
    intercept = float(np.log(y.mean() / (1 - y.mean()))) if start is None else float(start[1])
    v = np.einsum("ij,ij->j", X, X) / (4 * n)
    q = v / 2 + lam * (1 - alpha)
    f = intercept + X @ b
    objective, converged = [], True
    working = np.flatnonzero(b)
    while True:
        columns = [(int(j), X[:, j].copy()) for j in working]
        for _ in range(max_passes):
            moved = 0.0
            for j, x in columns:
                g = x @ (y - _sigmoid(f)) / n
                # the parabola and the L2 part together are q (b - w)^2 up to a constant
                new = half_threshold((v[j] * b[j] + g) / (2 * q[j]), lam * alpha / q[j])
                if new != b[j]:
                    f += (new - b[j]) * x
                    moved = max(moved, abs(new - b[j]))
                    b[j] = new
            step = 4 * float(np.mean(y - _sigmoid(f)))
            intercept += step
            f += step
            objective.append(_value(f, y, b[working], lam, alpha))
            if max(moved, abs(step)) <= tol:
                break
        else:
            converged = False
        w = np.where(v > 0, np.abs(X.T @ (y - _sigmoid(f))) / n / np.where(q > 0, 2 * q, 1), 0)
        excess = w - THRESHOLD * (lam * alpha / np.where(v > 0, q, 1)) ** (2 / 3)
        excess[working] = -np.inf
        entering = np.argsort(-excess, kind="stable")[:ENTERING]
        entering = entering[excess[entering] > 0]
        if not len(entering):
            return Point(b, intercept, np.array(objective), converged)
        working = np.concatenate([np.flatnonzero(b), entering])


def largest_penalty(X, y, alpha):
    """Smallest ``lam`` at which all coefficients stay zero, to a relative accuracy of 1e-12.

    Feature j stays out while ``THRESHOLD (lam alpha / q_j)^(2/3) >= |g_j| / (2 q_j)``, that is, with
    ``q_j = v_j / 2 + lam (1 - alpha)``, while ``2 THRESHOLD (lam alpha)^(2/3) q_j^(1/3)``, which rises with ``lam``, is
    at least ``|g_j|``.

    Parameters
    ----------
    X : array of shape (n, d)
    y : array of {0, 1}, shape (n,)
    alpha : float

    Returns
    -------
    float
        1 if no feature correlates with y at all.
    """
    n = len(y)
    v = np.einsum("ij,ij->j", X, X) / (4 * n)
    g = np.abs(X.T @ (y - y.mean())) / n
    v, g = v[v > 0], g[v > 0]
    if not g.size or g.max() == 0:
        return 1.0
    stays_zero = lambda lam: np.all(2 * THRESHOLD * (lam * alpha) ** (2 / 3) * np.cbrt(v / 2 + lam * (1 - alpha)) >= g)
    low, high = 0.0, 1.0
    while not stays_zero(high):
        high *= 2
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if stays_zero(middle) else (middle, high)
    return high


def _sigmoid(f):
    return 1 / (1 + np.exp(-f))


def _value(f, y, b, lam, alpha):
    penalty = alpha * np.sqrt(np.abs(b)).sum() + (1 - alpha) * b @ b
    return float(np.mean(np.logaddexp(0, f) - y * f) + lam * penalty)
