"""Section 5.2.1: toys with known answers, ML-CIB written out, and what its published pieces do."""

import numpy as np
import pandas as pd
from sklearn.utils import Bunch

from fslib.multilabel import MLCIB


def make_toy(n=60, d=8, seed=0):
    """Features in [0, 1]; three labels, each the sign of one feature: 0, 3 and 5."""
    X = np.random.default_rng(seed).random((n, d))
    return Bunch(X=X, y=(X[:, [0, 3, 5]] > 0.5).astype(float), right=[0, 3, 5])


def naive_mlcib(X, T, *, alpha, beta, gamma, n_steps=3000):
    """Coefficients that minimise ML-CIB's problem on target T, by plain proximal steps; (n, n) and slow.

    Examples
    --------
    >>> toy = make_toy()
    >>> W = naive_mlcib(toy.X, toy.y, alpha=0.1, beta=1.0, gamma=0.1)
    >>> np.abs(W).argmax(axis=0).tolist() == toy.right
    True
    """
    length = np.linalg.norm(X, axis=1)
    S = X @ X.T / np.outer(length, length)  # cosines of the samples
    degree = S.sum(axis=1)
    laplacian = np.eye(len(X)) - S / np.sqrt(np.outer(degree, degree))
    solve = np.linalg.inv((1 + beta) * np.eye(len(X)) + alpha * laplacian)
    W, step = np.zeros((X.shape[1], T.shape[1])), 1 / np.linalg.norm(X, 2) ** 2
    for _ in range(n_steps):
        N = solve @ (X @ W + beta * T)  # the best new labels for W
        W = W - step * X.T @ (X @ W - N)
        W = np.sign(W) * np.maximum(np.abs(W) - step * gamma, 0)  # the step's share of gamma
    return W


def compare_with_library(alpha=0.1, beta=1.0, gamma=0.1):
    """Largest difference of :func:`naive_mlcib` and the library on the toy."""
    toy = make_toy()
    options = {"alpha": alpha, "beta": beta, "gamma": gamma}
    model = MLCIB(label_matrix="none", max_iter=3000, tol=1e-14, **options).fit(toy.X, toy.y)
    return float(np.abs(naive_mlcib(toy.X, toy.y, **options) - model.coef_).max())


def smoothness_of(N, X):
    """What the thesis's ``tr(N' X X' N)`` and a Laplacian say of a label matrix: the first punishes agreement.

    Returns
    -------
    dict of str to float

    Examples
    --------
    Two pairs of equal samples. Labels that agree within the pairs are smooth, labels that differ within them are not:

    >>> X = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    >>> smoothness_of(np.array([[1.0], [1.0], [-1.0], [-1.0]]), X)
    {"X X'": 8.0, 'Laplacian': 0.0}
    >>> smoothness_of(np.array([[1.0], [-1.0], [1.0], [-1.0]]), X)
    {"X X'": 0.0, 'Laplacian': 8.0}
    """
    S = X @ X.T
    laplacian = np.diag(S.sum(axis=1)) - S
    return {"X X'": float(np.trace(N.T @ S @ N)), "Laplacian": float(np.trace(N.T @ laplacian @ N))}


def smoothness_table():
    """The two label matrices of :func:`smoothness_of` side by side."""
    X = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    labels = {"equal samples agree": [1.0, 1.0, -1.0, -1.0], "equal samples differ": [1.0, -1.0, 1.0, -1.0]}
    return pd.DataFrame({name: smoothness_of(np.array(n)[:, None], X) for name, n in labels.items()}).T


def share_predicted(X, Y, *, threshold=0.5):
    """Share of entries above the threshold in the target of each kind: labels, co-occurrence, agreement."""
    from fslib.multilabel.mlcib_problem import label_target

    kinds = ("none", "cooccurrence", "agreement")
    return pd.Series({kind: float((label_target(Y.astype(float), kind) >= threshold).mean()) for kind in kinds})


def surviving_coefficients(X, Y, gammas=(0.0, 0.001, 0.01, 0.1)):
    """Share of coefficients not 0 if gamma is the threshold itself (Eq. 5.2.10 as published), and in a step."""
    rows = {}
    for gamma in gammas:
        rows[gamma] = {
            reading: float(
                np.mean(
                    MLCIB(gamma=gamma, graph="none", label_matrix="none", reading=reading, max_iter=30, tol=0.0)
                    .fit(X, Y)
                    .coef_
                    != 0
                )
            )
            for reading in ("corrected", "published")
        }
    return pd.DataFrame(rows).T.rename_axis("gamma")
