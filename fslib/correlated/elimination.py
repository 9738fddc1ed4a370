"""Recursive feature elimination with linear support vector machines, on the Gram matrix of the samples.

A linear machine depends on the features only through ``K = X X^T`` (n x n), and its weights are ``w = X^T a`` with the
signed dual coefficients a. When features R leave, ``K - X_R X_R^T`` is the matrix of the rest. All Gram work of a run
to the last feature is then O(n^2 d), however many rounds there are.
"""

from itertools import combinations

import numpy as np
from sklearn import config_context

from fslib.base import rank_by_score
from fslib.solvers.machines import LARGE, DenseMachine, NotSolvedError, most_steps

REFRESH = 50
"""Rounds after which K is computed anew, so that rounding does not add up; also whenever half of the features left."""


def eliminate(X, duals, n_keep, n_to_drop):
    """Remove the features with the smallest squared weights, round by round.

    Parameters
    ----------
    X : array of shape (n, d)
    duals : callable
        Takes K (n, n), returns signed dual coefficients (m, n) of m machines, whose squared weights are summed.
    n_keep : int
        Features that stay; at least 1.
    n_to_drop : callable
        Takes the number of features left, returns how many go in this round. At least one does, and never so many that
        fewer than ``n_keep`` stay.

    Returns
    -------
    order : array of int, shape (d,)
        All features, best first: those that stayed by their weights in a last fit, then the rounds in reverse, within a
        round by weight. Equal weights are ordered by index, so the lower index survives.
    rounds : array of int, shape (d,)
        The round in which a feature left, from 1; those that stayed have one more than the last round.

    Examples
    --------
    The weights of one machine that always looks at the first sample alone: its values, here 2, 0 and 1.

    >>> order, rounds = eliminate(np.array([[2.0, 0.0, 1.0]]), lambda K: np.ones((1, 1)), 1, lambda left: 1)
    >>> order, rounds
    (array([0, 2, 1]), array([3, 1, 2]))
    """
    survivors = np.arange(X.shape[1])
    rounds = np.zeros(X.shape[1], dtype=int)
    tail = []
    left = X  # the columns of the survivors
    K, at_refresh, done = X @ X.T, X.shape[1], 0
    while True:
        best_first = rank_weights(squared_weights(left, duals(K)))
        done += 1
        if len(survivors) == n_keep:
            rounds[survivors] = done
            return np.concatenate([survivors[best_first], *reversed(tail)]), rounds
        n_dropped = min(max(1, n_to_drop(len(survivors))), len(survivors) - n_keep)
        dropped, stay = best_first[-n_dropped:], np.sort(best_first[:-n_dropped])
        tail.append(survivors[dropped])
        rounds[survivors[dropped]] = done
        gone = left[:, dropped]
        survivors, left = survivors[stay], left[:, stay]
        if done % REFRESH == 0 or 2 * len(survivors) <= at_refresh:
            K, at_refresh = left @ left.T, len(survivors)
        else:
            K = K - gone @ gone.T


def squared_weights(X, duals):
    """Squared weights ``(X^T a)^2`` of each feature, summed over machines: shape (d,)."""
    W = duals @ X
    return np.einsum("md,md->d", W, W)


def rank_weights(weights):
    """Feature indices, largest weight first; equal up to rounding, relative to the largest, is equal."""
    largest = weights.max()
    return rank_by_score(weights / largest if largest > 0 else weights)


def machine_duals(K, codes, C, rows=None):
    """Signed dual coefficients of linear support vector machines, one for each pair of classes.

    Parameters
    ----------
    K : array of shape (n, n)
        Gram matrix of all samples.
    codes : array of int, shape (n,)
        Class of each sample.
    C : float
    rows : array of int, optional
        The samples to learn from, a bag: they may repeat. All by default.

    Returns
    -------
    array of shape (number of pairs, n)
        A sample that repeats has the sum of its coefficients.

    Raises
    ------
    ValueError
        If K is so large that the solver does not end.

    Examples
    --------
    >>> machine_duals(np.outer([-1.0, 1.0], [-1.0, 1.0]), np.array([0, 1]), C=10.0)
    array([[-0.5,  0.5]])
    """
    rows = np.arange(len(codes)) if rows is None else rows
    pairs = list(combinations(np.unique(codes[rows]), 2))
    duals = np.zeros((len(pairs), len(codes)))
    for out, pair in zip(duals, pairs, strict=True):
        own = rows[np.isin(codes[rows], pair)] if len(pairs) > 1 else rows
        part = K[np.ix_(own, own)]
        steps = most_steps(len(own), C * len(own) * part.diagonal().max() > LARGE)
        with config_context(assume_finite=True, skip_parameter_validation=True):  # else most of the time is checks
            try:
                machine = DenseMachine(kernel="precomputed", C=C, max_iter=steps).fit(part, codes[own])
            except NotSolvedError as error:
                raise ValueError(f"{error}: scale the features first (scale=True), or lower C={C:g}.") from error
        np.add.at(out, own[machine.support_], machine.dual_coef_[0])
    return duals
