"""Accelerated proximal gradient descent (FISTA) that starts its momentum anew where it would lead uphill.

Minimises ``f(W) + g(W)`` with f smooth and convex and g convex with a proximal map. The gradient of f depends on W
only through an *image* of W that is affine in it (such as ``X W``): the image of an extrapolated point is the
extrapolated image, so that each step computes only one.
"""

import math
from typing import NamedTuple

import numpy as np

GROWTH = 2.0
"""Factor of the curvature after a plain step that led uphill, which happens only if it was an underestimate."""


class Solution(NamedTuple):
    """What a solver returns: the point, its image, the objective after each step, and whether it has converged."""

    W: np.ndarray
    image: np.ndarray
    objective: np.ndarray
    converged: bool


def soft_threshold(W, threshold):
    """Move every entry towards zero by ``threshold``, and to zero where it would cross.

    Parameters
    ----------
    W : array
    threshold : float or array that broadcasts
        >= 0.

    Returns
    -------
    array

    Examples
    --------
    >>> soft_threshold(np.array([-3.0, 0.5, 2.0]), 1.0)
    array([-2.,  0.,  1.])
    """
    kept = np.clip(W, -threshold, threshold)
    return np.subtract(W, kept, out=kept)


def fista(problem, W, *, max_iter, tol):
    """Minimise ``problem`` from ``W``.

    Parameters
    ----------
    problem : object
        ``image(W, near)``: affine image of W, an array; ``near`` is the image of a point close by, for a warm start, or
        None. ``gradient(image)``: of f, a new array of the shape of W. ``value(image, W)``: f + g, a float.
        ``prox(W, step)``: minimiser over U of ``||U - W||^2 / (2 step) + g(U)``.
        ``curvature``: largest eigenvalue of the Hessian of f.
    W : array
        Start.
    max_iter : int
    tol : float
        It has converged when a step lowers the objective F by no more than ``tol * max(1, |F|)``.

    Returns
    -------
    Solution
        Its ``objective`` never rises, up to rounding: a step that would raise it is replaced by a plain one.

    Notes
    -----
    One image and one gradient per step, two of each where a step is replaced. Holds four arrays of the size of W and
    three of its image.

    References
    ----------
    A. Beck, M. Teboulle, "A fast iterative shrinkage-thresholding algorithm for linear inverse problems", SIAM Journal
    on Imaging Sciences 2 (2009), equations 4.1-4.3. B. O'Donoghue, E. Candès, "Adaptive restart for accelerated
    gradient schemes", Foundations of Computational Mathematics 15 (2015), section 3.2.

    Examples
    --------
    The nearest point to 3, at a price of 1 per unit of distance from 0:

    >>> class Distance:
    ...     curvature = 1.0
    ...     image = staticmethod(lambda W, near: W)
    ...     gradient = staticmethod(lambda image: image - 3)
    ...     value = staticmethod(lambda image, W: float(np.sum((W - 3) ** 2 / 2 + abs(W))))
    ...     prox = staticmethod(soft_threshold)
    >>> fista(Distance, np.zeros(1), max_iter=50, tol=1e-9).W
    array([2.])
    """
    slack = 8 * np.finfo(W.dtype).eps
    curvature, momentum = float(problem.curvature), 1.0  # Python's floats leave single precision single
    image = problem.image(W, None)
    best, values = problem.value(image, W), []
    point, point_image = W, image
    for _ in range(max_iter):
        new, new_image, value = _step(problem, point, point_image, curvature)
        if value > best + slack * abs(best):  # momentum led uphill: a plain step from the best point cannot
            point, momentum = W, 1.0
            new, new_image, value = _step(problem, W, image, curvature)
            while value > best + slack * abs(best) and curvature < np.inf:
                curvature *= GROWTH
                new, new_image, value = _step(problem, W, image, curvature)
        values.append(value)
        change, change_image = new - W, new_image - image
        if np.vdot(point - new, change) > 0:
            momentum = 1.0
        following = (1 + math.sqrt(1 + 4 * momentum**2)) / 2
        ahead = (momentum - 1) / following
        change *= ahead
        change += new
        point, point_image = change, new_image + ahead * change_image
        W, image, momentum = new, new_image, following
        gain, best = best - value, value
        if gain <= tol * max(1.0, abs(value)):
            return Solution(W, image, np.array(values), True)
    return Solution(W, image, np.array(values), False)


def _step(problem, point, point_image, curvature):
    target = problem.gradient(point_image)
    target *= -1 / curvature  # in place: these arrays are the largest of all
    target += point
    W = problem.prox(target, 1 / curvature)
    image = problem.image(W, point_image)
    return W, image, problem.value(image, W)
