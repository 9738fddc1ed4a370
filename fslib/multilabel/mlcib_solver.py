"""From the parameters of ML-CIB to its fitted attributes, for the classifier and the selector alike."""

import warnings

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from fslib.base import check_choice
from fslib.multilabel.graph import knn_laplacian
from fslib.multilabel.mlcib_problem import (
    EliminatedProblem,
    JointProblem,
    LabelGraph,
    NoGraph,
    SampleGraph,
    label_target,
)
from fslib.multilabel.mlcib_published import solve_as_published
from fslib.parameters import check_numbers
from fslib.solvers.fista import fista
from fslib.solvers.similarity import CosineSimilarity, NormalizedGraph, NormalizedLaplacian

AUTO_GAMMA = 0.02
"""Share of the gamma that drops every feature, for ``gamma="auto"``."""

PUBLISHED_ITERATIONS = 30
"""Steps of the published loop, which has no stopping rule; the thesis's figure ends at 15 to 20."""


def solve_mlcib(estimator, X, Y):
    """Set the fitted attributes of ``estimator``, which has the parameters of ``MLCIB`` but ``threshold``.

    Parameters
    ----------
    estimator : MLCIB or MLCIBFS
    X : array or CSR matrix of shape (n, d)
    Y : array of shape (n, l)
        0, 1 or NaN.

    Returns
    -------
    the estimator
    """
    _check_parameters(estimator)
    alpha, beta, n_jobs = estimator.alpha, estimator.beta, estimator.n_jobs
    published = estimator.reading == "published"
    Y = np.nan_to_num(Y, nan=0.0).astype(X.dtype)
    T = np.asarray(label_target(Y, estimator.label_matrix), dtype=X.dtype)
    graph = _graph(estimator, X, Y)
    d = X.shape[1]
    if estimator.fit_intercept:
        ones = np.ones((X.shape[0], 1), dtype=X.dtype)
        X = sparse.csr_array(sparse.hstack([X, ones])) if sparse.issparse(X) else np.hstack([X, ones])
    limit = estimator.max_iter or (PUBLISHED_ITERATIONS if published else 200)
    if published:
        estimator.gamma_max_, estimator.gamma_ = np.nan, 0.1 if estimator.gamma == "auto" else estimator.gamma
        found = solve_as_published(X, T, graph, alpha, beta, estimator.gamma_, limit)
        new_labels = found.image
    else:
        kind = EliminatedProblem if estimator.solver == "eliminate" else JointProblem
        problem = kind(X, T, graph, alpha, beta, np.zeros((X.shape[1], 1), dtype=X.dtype), n_jobs)
        start = np.zeros((X.shape[1], T.shape[1]), dtype=X.dtype)
        N = graph.solve(beta * T, None, None)[0]
        estimator.gamma_max_ = float(np.abs(problem.Xt @ N)[:d].max())
        estimator.gamma_ = AUTO_GAMMA * estimator.gamma_max_ if estimator.gamma == "auto" else estimator.gamma
        problem.gamma[:d] = estimator.gamma_  # the constant column, if any, stays free
        if estimator.solver == "joint":
            start = np.concatenate([start, N / problem.unit])
        found = fista(problem, start, max_iter=limit, tol=estimator.tol)
        new_labels = problem.polished(found.image) if estimator.solver == "eliminate" else found.image[1]
        if not found.converged and estimator.tol > 0:
            warnings.warn(
                f"{type(estimator).__name__} stopped after max_iter={limit} steps, the last of which still lowered the "
                f"objective by more than tol={estimator.tol:g}. Raise max_iter, or tol if a ranking is all you need.",
                ConvergenceWarning,
                stacklevel=3,
            )
    estimator.coef_ = found.W[:d]
    estimator.intercept_ = found.W[d] if estimator.fit_intercept else np.zeros(T.shape[1], dtype=X.dtype)
    estimator.label_matrix_, estimator.objective_ = new_labels, found.objective
    estimator.n_iter_, estimator.converged_ = len(found.objective), found.converged
    return estimator


def _graph(estimator, X, Y):
    """Graph of an estimator; None for the published similarity of samples."""
    alpha, beta = estimator.alpha, estimator.beta
    if estimator.graph == "none":
        return NoGraph(beta) if estimator.solver == "eliminate" else SampleGraph(_Nothing(), 0.0, beta)
    if estimator.graph == "labels":
        return LabelGraph(Y, alpha, beta)
    if estimator.reading == "published":
        return None
    if X.min() < 0:
        return SampleGraph(NormalizedGraph(knn_laplacian(X, min(estimator.n_neighbors, X.shape[0] - 1))), alpha, beta)
    return SampleGraph(NormalizedLaplacian(CosineSimilarity(X, estimator.n_jobs)), alpha, beta)


class _Nothing:
    """Laplacian of a graph without edges."""

    largest = 0.0

    def __matmul__(self, A):
        return np.zeros_like(A)


def _check_parameters(estimator):
    check_choice("graph", estimator.graph, ("samples", "labels", "none"))
    check_choice("label_matrix", estimator.label_matrix, ("cooccurrence", "agreement", "none"))
    check_choice("solver", estimator.solver, ("eliminate", "joint"))
    check_choice("reading", estimator.reading, ("corrected", "published"))
    if estimator.solver == "joint" and estimator.graph == "labels":
        raise ValueError('solver="joint" knows graphs of samples only; for graph="labels" use solver="eliminate".')
    checks = [
        ("alpha", "a number >= 0", lambda v: v >= 0),
        ("beta", "a positive number: without it the new labels may all be 0", lambda v: v > 0),
        ("tol", "a number >= 0", lambda v: v >= 0),
    ]
    if not isinstance(estimator.gamma, str) or estimator.gamma != "auto":
        checks.append(("gamma", 'a number >= 0 or "auto"', lambda v: v >= 0))
    integers = [("n_neighbors", 1), ("n_jobs", 1), ("max_iter", 1)]
    check_numbers(estimator, integers, checks, optional=["max_iter"])
