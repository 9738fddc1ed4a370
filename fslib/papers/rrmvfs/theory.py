"""Paper "rrmvfs", section 2, on small cases: what the model selects, and its bound of the loss."""

import numpy as np
from scipy.optimize import minimize

from fslib.classes import one_versus_rest
from fslib.multiview.rrmvfs import fit_view

STEPS = 100
"""Iterations where the limit matters and not the paper's protocol."""


def make_views(n_per_class=20, seed=0):
    """Three classes seen in three views: two good columns of ten, one fair column of ten, and ten columns of noise.

    Parameters
    ----------
    n_per_class : int
    seed : int

    Returns
    -------
    X : array of shape (3 n_per_class, 30)
        Columns standardised.
    y : array of int, shape (3 n_per_class,)
    views : dict of str to slice
        ``good``, ``fair`` and ``noise``.
    relevant : list of int
        Columns that carry the class: 0 and 1 tell all classes apart, 10 only class 2 from the rest.

    Examples
    --------
    >>> X, y, views, relevant = make_views()
    >>> X.shape, list(views), relevant
    ((60, 30), ['good', 'fair', 'noise'], [0, 1, 10])
    """
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], n_per_class)
    X = rng.normal(size=(len(y), 30))
    X[:, 0] += 4 * np.array([-1, 0, 1])[y]
    X[:, 1] += 4 * np.array([0, 1, 0])[y]
    X[:, 10] += 2 * np.array([0, 0, 1])[y]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return X, y, {"good": slice(0, 10), "fair": slice(10, 20), "noise": slice(20, 30)}, [0, 1, 10]


def joint_objective(parameters, X, Y, views, gamma1, gamma2, smoothing):
    """Equation 2 for all views at once, and its gradient; every norm ``|z|`` is ``sqrt(|z|^2 + smoothing^2)``.

    Parameters
    ----------
    parameters : array of shape ((d + V) P,)
        W, then one intercept per view.
    X, Y : arrays of shape (n, d) and (n, P)
    views : list of slice or array of int
    gamma1, gamma2, smoothing : float

    Returns
    -------
    value : float
    gradient : array of shape ((d + V) P,)
    """
    W, b = np.split(parameters.reshape(-1, Y.shape[1]), [X.shape[1]])
    gradient_W, gradient_b, value = np.zeros_like(W), np.zeros_like(b), 0.0
    for v, view in enumerate(views):
        residual = X[:, view] @ W[view] + b[v] - Y
        norm = np.sqrt(np.sum(residual**2) + smoothing**2)
        classes = np.sqrt(np.sum(W[view] ** 2, axis=0) + smoothing**2)
        value += norm + gamma1 * classes.sum()
        gradient_W[view] += X[:, view].T @ residual / norm + gamma1 * W[view] / classes
        gradient_b[v] = residual.sum(axis=0) / norm
    rows = np.sqrt(np.sum(W**2, axis=1, keepdims=True) + smoothing**2)
    return value + gamma2 * rows.sum(), np.concatenate([gradient_W + gamma2 * W / rows, gradient_b]).ravel()


def joint_solution(X, y, views, gamma1, gamma2):
    """Minimise equation 2 over all views together: L-BFGS on the smoothed objective, ever less smoothed.

    Nothing here knows that the problem separates over views; the solver sees one vector of all unknowns.

    Returns
    -------
    W : array of shape (d, P)
    b : array of shape (V, P)

    Examples
    --------
    >>> X, y, views, _ = make_views()
    >>> W, b = joint_solution(X, y, list(views.values()), 0.1, 0.1)
    >>> W.shape, b.shape
    ((30, 3), (3, 3))
    """
    Y = one_versus_rest(y)
    parameters = np.zeros((X.shape[1] + len(views)) * Y.shape[1])
    for smoothing in 10.0 ** -np.arange(1, 8):
        problem = (X, Y, views, gamma1, gamma2, smoothing)
        options = {"maxiter": 5000, "maxfun": 10_000, "maxcor": 50, "ftol": 0.0, "gtol": 1e-9}
        parameters = minimize(joint_objective, parameters, problem, "L-BFGS-B", jac=True, options=options).x
    W, b = np.split(parameters.reshape(-1, Y.shape[1]), [X.shape[1]])
    return W, b


def two_samples(gamma1, gamma2):
    """Fit the smallest case: samples x = -1 and 1 of two classes, one view with one column; its coefficient.

    On (w, -w), the objective is ``2 (1 - w) + 2 gamma1 w + sqrt(2) gamma2 w`` for 0 <= w <= 1: a straight line.

    Examples
    --------
    >>> round(two_samples(0.5, 0.5), 3), round(two_samples(0.6, 0.6), 3)
    (1.0, 0.0)
    """
    X, Y = np.array([[-1.0], [1.0]]), np.array([[-1.0, 1.0], [1.0, -1.0]])
    W, *_ = fit_view(X, Y, gamma1, gamma2, max_iter=2000, tol=0)
    return float(abs(W[0, 0]))


def one_view(X, Y, gamma1, gamma2, n_steps):
    """Algorithm 1 for one view, written out: new weights, then one linear system per class.

    Examples
    --------
    >>> X, Y = np.array([[-1.0], [1.0]]), np.array([[-1.0, 1.0], [1.0, -1.0]])
    >>> one_view(X, Y, 0.5, 0.5, n_steps=200)[0].round(3)
    array([[ 1., -1.]])
    """
    n, d = X.shape
    H = np.eye(n) - 1 / n  # centres what it is multiplied with
    W = np.ones((d, Y.shape[1]))
    b = (Y - X @ W).mean(axis=0)
    for _ in range(n_steps):
        alpha = 1 / (2 * np.linalg.norm(X @ W + b - Y))  # Eq. 15
        class_weights = gamma1 / (2 * np.linalg.norm(W, axis=0))
        feature_weights = gamma2 / (2 * np.linalg.norm(W, axis=1))
        for p in range(Y.shape[1]):
            A = alpha * X.T @ H @ X + np.diag(class_weights[p] + feature_weights)
            W[:, p] = np.linalg.solve(A, alpha * X.T @ H @ Y[:, p])  # Eq. 14
        b = (Y - X @ W).mean(axis=0)  # Eq. 13
    return W, b


def published_bound(z, beta):
    """Term of Eqs. 18 to 20 as published: ``z - z^2 / (2 beta^2)``."""
    return z - z**2 / (2 * beta**2)


def corrected_bound(z, beta):
    """Term with the first power that the weights of Eq. 15 have: ``z - z^2 / (2 beta)``, largest at ``z = beta``."""
    return z - z**2 / (2 * beta)
