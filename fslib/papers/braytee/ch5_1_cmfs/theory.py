"""Section 5.1.2: the derived updates written out, and the published ones beside them."""

import numpy as np
import pandas as pd
from sklearn.utils import Bunch

from fslib.multilabel.cmfs import draw_start
from fslib.multilabel.cmfs_updates import FiveFactors, PublishedFactors

WEIGHTS = {"alpha": 0.1, "beta": 1.0, "epsilon": 0.3, "gamma": 0.3}


def make_toy(n=40, d=12, n_labels=4, seed=0):
    """Features in [0, 1], of which the later ones are smaller; labels say whether features 8 to 11 are large."""
    X = np.random.default_rng(seed).random((n, d)) * np.linspace(1, 0.3, d)
    Y = (X[:, -n_labels:] > np.median(X[:, -n_labels:], axis=0)).astype(float)
    return Bunch(X=X, y=Y, informative=list(range(d - n_labels, d)))


def naive_sweep(X, Y, V, L, Q, P, B, *, alpha, beta, epsilon, gamma):
    """Update the five factors in turn, each by the negative over the positive part of its gradient."""
    length = np.linalg.norm(X, axis=1)
    S = X @ X.T / np.outer(length, length)  # cosines of the samples
    G = np.diag(S.sum(axis=1))
    M = P @ B
    up = X @ Q.T @ L.T + alpha * Y @ M.T + epsilon * S @ V @ M @ M.T
    V = V * up / (V @ L @ Q @ Q.T @ L.T + alpha * V @ M @ M.T + epsilon * G @ V @ M @ M.T)
    norms = np.linalg.norm(Q, axis=0)  # of the columns: one for each feature
    Q = Q * (L.T @ V.T @ X) / (L.T @ V.T @ V @ L @ Q + gamma * Q / (2 * norms))
    K = alpha * V.T @ V + epsilon * V.T @ G @ V
    B = B * (alpha * P.T @ V.T @ Y + epsilon * P.T @ V.T @ S @ V @ P @ B) / (P.T @ K @ P @ B)
    L = L * (V.T @ X @ Q.T + beta * P) / (V.T @ V @ L @ Q @ Q.T + beta * L)
    up = alpha * V.T @ Y @ B.T + epsilon * V.T @ S @ V @ P @ B @ B.T + beta * L
    P = P * up / (K @ P @ B @ B.T + beta * P)
    return V, L, Q, P, B


def compare_with_library(n_sweeps=20, n_components=3):
    """Largest relative difference of the factors after some sweeps from one start, ours and the library's."""
    toy = make_toy()
    V, L, Qt, P, B = draw_start(toy.X, toy.y, n_components, np.random.default_rng(0))
    ours = V.copy(), L.copy(), Qt.T.copy(), P.copy(), B.copy()
    library = FiveFactors(toy.X, toy.y, (V, L, Qt, P, B), **WEIGHTS)
    for _ in range(n_sweeps):
        ours = naive_sweep(toy.X, toy.y, *ours, **WEIGHTS)
        library.sweep()
    theirs = library.V, library.L, library.Qt.T, library.P, library.B
    return max(float(np.abs(a - b).max() / np.abs(b).max()) for a, b in zip(ours, theirs, strict=True))


def objectives(n_sweeps=40, n_components=3):
    """Objective of the derived and of the published updates on the toy, each its own, from one start."""
    toy, values = make_toy(), {}
    for name, kind in {"derived": FiveFactors, "as published": PublishedFactors}.items():
        start = draw_start(toy.X, toy.y, n_components, np.random.default_rng(0))
        factors = kind(toy.X, toy.y, start, **WEIGHTS)
        values[name] = []
        for _ in range(n_sweeps):
            factors.sweep()
            values[name].append(factors.objective())
    return values


def sizes_of_the_terms(tasks):
    """``||X||^2`` and ``||Y||^2`` of data sets: the weight alpha that would give labels as much say as features.

    Parameters
    ----------
    tasks : dict of str to (X, Y)
        X in [0, 1].

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> sizes_of_the_terms({"a": (np.array([[2.0, 0.0]]), np.array([[1.0]]))})["ratio"].tolist()
    [4.0]
    """
    rows = {}
    for name, (X, Y) in tasks.items():
        squares = float(X.multiply(X).sum() if hasattr(X, "multiply") else np.sum(X**2)), float(np.sum(Y))
        rows[name] = {"||X||^2": squares[0], "||Y||^2": squares[1], "ratio": squares[0] / squares[1]}
    return pd.DataFrame(rows).T
