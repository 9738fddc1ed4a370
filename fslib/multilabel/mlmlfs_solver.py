"""Two ways of minimising the MLMLFS objective over coefficients, intercepts and unknown labels.

    J(W, b, F) = sum_i ||P_i - F_i||  +  alpha tr(P^T L P)  +  lam sum_j ||W_j||^p ,     P = X W + 1 b^T,

F fixed to +-1 where the label is known and confined to [-1, 1] where not. Both loops repeat: weights from the current
point, a weighted ridge fit, unknown labels from its predictions.
"""

from typing import NamedTuple

import numpy as np

from fslib.solvers.norms import L2p, row_squares, smoothed

FLOOR = 1e-6
"""Where the smoothing of both norms ends; that of coefficients as a share of the largest row of the first ridge fit."""

DECAY = 0.75
"""Factor per outer step by which the smoothing of residuals shrinks, and the p-th power of that of coefficients: what
either adds to the objective then fades at the same pace."""

COEFFICIENT_START = 0.1
"""First smoothing of coefficients, as a share of the largest row of the first ridge fit."""


class Solution(NamedTuple):
    """Where a loop ended: W (d, c), b (c,), F (n, c), what was recorded of every iteration, and whether it settled."""

    W: np.ndarray
    b: np.ndarray
    F: np.ndarray
    objective: np.ndarray
    converged: bool | None


def objective(ridge, W, P, F, p, smoothing=(0.0, 0.0)):
    """J with both norms smoothed by ``smoothing`` = (of residuals, of coefficients); (0, 0) is J itself."""
    loss = smoothed(row_squares(P - F), smoothing[0]).sum()
    graph = ridge.alpha * np.sum(P * (ridge.laplacian @ P))
    return float(loss + graph + ridge.lam * L2p(p, smoothing[1]).value(W))  # mlmlfs Eq. 2


def solve_by_continuation(ridge, F, unknown, active, p, *, max_iter, inner_iter, tol):
    """Minimise a smoothed objective while the smoothing shrinks from 1 towards ``FLOOR``.

    A row whose few known labels are fitted exactly would get a near-infinite weight at once and freeze its unknown
    ones, so the weights are bounded at first and the bound is relaxed geometrically. For fixed weights the alternation
    between fit and unknown labels is a projected gradient descent on F; it is accelerated, and its speed kept from one
    set of weights to the next. The smoothed objective falls with every step and with the smoothing: the recorded values
    never rise.

    Parameters
    ----------
    ridge : ManifoldRidge
    F : array of shape (n, c)
        +-1 for known labels, 0 elsewhere.
    unknown : array of bool, shape (n, c)
    active : array of float, shape (d,)
        1 for a feature, 0 for one to be held at zero.
    p : float in (0, 1]
    max_iter : int
        Outer steps: weights and factorisations.
    inner_iter : int
        Fits per outer step (one if no label is unknown).
    tol : float
        Converged when a step lowers the objective by no more than this share. As the smoothing shrinks geometrically,
        what it still adds to the objective is then of that order too.

    Returns
    -------
    Solution
    """
    history, converged = [], False
    loose, relative, largest = 1.0, COEFFICIENT_START, 1.0
    inverse_g, inverse_h = np.full(len(F), 2.0), active * (2 / p)  # at unit norms: the first step is a ridge fit
    inner_iter = inner_iter if unknown.any() else 1
    speed = Speed(np.zeros_like(F), 1.0)
    W = b = P = None
    for step in range(max_iter):
        if step > 0:
            loose = max(loose * DECAY, FLOOR)
            relative = max(relative * DECAY ** (1 / p), FLOOR)
            inverse_g = 2 * smoothed(row_squares(P - F), loose)  # mlmlfs Eq. 4, inverse of G_0
            inverse_h = active / L2p(p, relative * largest).weights(W).ravel()  # mlmlfs Eq. 7
        fitted = ridge.reweight(inverse_g, inverse_h)
        ahead, speed = _accelerate(fitted, F, unknown, inverse_g, inner_iter - 1, speed)
        point = _step(fitted, ahead, unknown)
        if step == 0:
            largest = np.sqrt(row_squares(point[0]).max()) or 1.0
        smoothing = loose, relative * largest
        value = objective(ridge, point[0], point[2], point[3], p, smoothing)
        if history and value > history[-1]:  # extrapolation went too far; a plain step from where we are cannot
            ahead, speed = F, Speed(np.zeros_like(F), 1.0)
            point = _step(fitted, F, unknown)
            value = objective(ridge, point[0], point[2], point[3], p, smoothing)
        if history and value > history[-1]:  # rounding is all that is left
            converged = True
            break
        W, b, P, F = point
        speed = Speed(F - ahead, speed.momentum)
        history.append(value)
        if len(history) > 1 and history[-2] - value <= tol * value:
            converged = True
            break
    return Solution(W, b, F, np.array(history), converged)


class Speed(NamedTuple):
    """Nesterov's extrapolation: the last change of F (n, c), and the momentum that says how far to go on along it."""

    change: np.ndarray
    momentum: float


def _accelerate(fitted, F, unknown, inverse_g, n_steps, speed):
    """Complete ``F`` by ``n_steps`` accelerated alternations for fixed weights."""
    change, momentum = speed
    for _ in range(n_steps):
        before, momentum = momentum, (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = F + (before - 1) / momentum * change
        new = complete(F, fitted.predictions(ahead), unknown)
        change = new - F
        if np.sum((ahead - new) * change / inverse_g[:, None]) > 0:  # the extrapolation points uphill: restart
            momentum = 1.0
        F = new
    return F, Speed(change, momentum)


def _step(fitted, F, unknown):
    """One fit and one completion, neither of which can raise the quadratic bound."""
    W, b, P = fitted.fit(F)
    return W, b, P, complete(F, P, unknown)


def complete(F, P, unknown):
    """Labels that minimise every residual norm: known ones stay, unknown ones follow P within [-1, 1]."""
    return np.where(unknown, np.clip(P, -1, 1), F)  # mlmlfs Eq. 13


EPS = np.finfo(float).eps
"""What the published loop adds to the square of a norm before it divides by it."""


def solve_as_published(ridge, F, unknown, active, p, *, n_steps, rng):
    """Run Algorithm 1 as the published numbers come from it: ``n_steps`` times one fit and one completion.

    It differs from descent on J in two places. "H - 1" in equations 6, 8, 9 and 11 is read literally, 1 being taken off
    every entry. Since L 1 = 0, ``L (H - 1 1^T) F = L F`` (the centring in H falls away too), so the right-hand side of
    W has ``alpha L F`` beside ``G0 H F``: W is drawn towards features that tell a sample from its neighbours. And the
    residuals behind the next weights of the rows are those of the new W with the intercept and labels before it. The
    start, uniform on [0, 1], counts only through the first weights of the rows; those of the features start at 1.

    Parameters
    ----------
    ridge : ManifoldRidge
        With X as it is, not centred: the start refers to it.
    F : array of shape (n, c)
        +-1 for known labels, 0 elsewhere.
    unknown : array of bool, shape (n, c)
    active : array of float, shape (d,)
        1 for a feature, 0 for one to be held at zero.
    p : float in (0, 1]
    n_steps : int
    rng : numpy.random.RandomState

    Returns
    -------
    Solution
        ``objective`` holds what Figure 2 shows: J, but for p < 1 with ``sum_j ||W_j||^(2-p)`` in its third term.
        ``converged`` is None: nothing stops this loop.
    """
    plotted = []
    W, b = rng.uniform(size=(ridge.X.shape[1], F.shape[1])), rng.uniform(size=F.shape[1])
    inverse_g, inverse_h = 2 * smoothed(row_squares(ridge.X @ W + b - F), np.sqrt(EPS)), active
    for _ in range(n_steps):
        extra = ridge.alpha * (ridge.laplacian @ F)  # mlmlfs Eq. 9, H - 1 read literally
        W = ridge.reweight(inverse_g, inverse_h).fit(F, extra)[0]
        XW = ridge.X @ W
        inverse_g = 2 * smoothed(row_squares(XW + b - F), np.sqrt(EPS))  # new W, old b, old F
        share = (1 / inverse_g) / np.sum(1 / inverse_g)
        b = share @ (F - XW)  # mlmlfs Eq. 5
        P = XW + b
        F = complete(F, P, unknown)
        squares = row_squares(W) + EPS
        inverse_h = active * (2 / p) * squares ** (1 - p / 2)  # mlmlfs Eq. 12
        graph = ridge.alpha * np.sum(P * (ridge.laplacian @ P))
        plotted.append(np.sqrt(row_squares(P - F)).sum() + graph + ridge.lam * np.sum(squares ** (1 - p / 2)))
    return Solution(W, b, F, np.array(plotted), None)
