"""The loop of ML-CIB as published in the thesis, where it can run; ``MLCIB(reading="published")``.

What had to be chosen: the Lipschitz "constants" are published as matrices and are taken as their norms; the product of
the new labels with L is taken from the left where L is n x n; ``+ gamma ||W||_1`` is left out of the gradient step, as
in the thesis's Algorithm 6; the epsilon of its start is a multiple of the identity.
"""

import numpy as np
from sklearn.linear_model import ridge_regression

from fslib.multilabel.mlcib_problem import NoGraph, largest_square
from fslib.solvers.fista import Solution, soft_threshold
from fslib.solvers.products import transposed

START_EPSILON = 1e-3
"""Published as "epsilon > 0, to avoid divide by zero"."""


def solve_as_published(X, T, graph, alpha, beta, gamma, max_iter):
    """Alternate accelerated steps in W and in the new label matrix.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    T : array of shape (n, l)
    graph : NoGraph, LabelGraph, or None for the published ``L = X X^T``
    alpha, beta, gamma : float
        gamma is the threshold itself, whatever the step length.
    max_iter : int

    Returns
    -------
    Solution
        ``image`` is the new label matrix; ``objective`` is the published one after each step, and may rise.
    """
    Xt, square = transposed(X), largest_square(X)

    def smooth(N):
        if graph is None:
            return X @ (Xt @ N)  # braytee Eq. 5.2.1
        if isinstance(graph, NoGraph):
            return np.zeros_like(N)
        return (N @ graph.vectors) * ((graph.weights - 1 - beta) / alpha if alpha else 0) @ graph.vectors.T

    def objective(W, N):
        fit = 0.5 * np.sum((X @ W - N) ** 2) + alpha * np.sum(N * smooth(N)) + beta * np.sum((N - T) ** 2)
        return float(fit + gamma * np.abs(W).sum())  # braytee Eq. 5.2.5

    step_W, step_N = 1 / square, 1 / (1 + beta + alpha * (square if graph is None else graph.largest))
    N = N_before = T
    W = W_before = ridge_regression(X, T, alpha=START_EPSILON, solver="cholesky").T.reshape(X.shape[1], T.shape[1])
    momentum_before = momentum = 1.0
    values = []
    for _ in range(max_iter):
        ahead = (momentum_before - 1) / momentum
        Z = W + ahead * (W - W_before)
        W_before, W = W, soft_threshold(Z - step_W * (Xt @ (X @ Z - N)), gamma)  # braytee Eq. 5.2.10
        Z = N + ahead * (N - N_before)
        N_before, N = N, Z - step_N * ((1 + beta) * Z + alpha * smooth(Z) - X @ W - beta * T)  # braytee Eq. 5.2.9
        momentum_before, momentum = momentum, (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        values.append(objective(W, N))
    return Solution(W, N, np.array(values), True)
