"""How a search decides between features that are equally good."""

import numpy as np

from fslib.base import strictly_greater, tie_groups


def best_candidate(values, log_values, constant, eligible):
    """Best feature and the number of features that share its value.

    Equal up to rounding in the criterion, features are told apart by the log criterion (if given), then a constant
    feature comes last, then the lower index wins.

    Parameters
    ----------
    values : array of shape (d,)
        Criterion of the set with each feature added.
    log_values : array of shape (d,) or None
    constant, eligible : arrays of bool, shape (d,)

    Returns
    -------
    (int, int)

    Examples
    --------
    >>> no, yes = np.zeros(3, dtype=bool), np.ones(3, dtype=bool)
    >>> best_candidate(np.array([0.5, 0.7, 0.7]), np.array([0.0, -2.0, -1.0]), no, yes)
    (2, 2)
    """
    tied = near_best(values, np.flatnonzero(eligible))
    n_tied = len(tied)
    if log_values is not None and n_tied > 1:
        tied = near_best(log_values, tied)
    informative = tied[~constant[tied]]
    return int(informative[0] if len(informative) else tied[0]), n_tied


def rank_candidates(values, log_values, constant):
    """All features, best first, by the same rules as `best_candidate`.

    Examples
    --------
    >>> rank_candidates(np.array([0.5, 0.7, 0.7]), np.array([0.0, -2.0, -1.0]), np.zeros(3, dtype=bool))
    array([2, 1, 0])
    """
    keys = [np.arange(len(values)), constant, tie_groups(values)]
    if log_values is not None:
        keys.insert(2, tie_groups(log_values))
    return np.lexsort(keys)


def near_best(values, candidates):
    """Those of the candidates whose value equals the best one among them up to rounding.

    Examples
    --------
    >>> near_best(np.array([0.5, 0.3, 0.5, 0.7]), np.array([0, 1, 2]))
    array([0, 2])
    """
    among = values[candidates]
    return candidates[~strictly_greater(among.max(), among)]
