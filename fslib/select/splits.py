"""Training and test rows that respect classes, groups and time; and complementary halves."""

from itertools import pairwise

import numpy as np
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

TIME_BLOCKS = 20
"""Stretches of time whose rows stay in one half."""


def possible_folds(problem, wanted, least=2):
    """Largest number of folds, up to the wanted one, for which every fold has all classes.

    Parameters
    ----------
    problem : SelectionProblem
    wanted, least : int

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If not even ``least`` folds can be made; the message names the class, or says that groups or times are too few.
    """
    limits = {}
    if problem.task == "classification" and problem.time is None:
        for label in np.unique(problem.y):
            rows = problem.y == label
            name = problem.class_names.get(label, label)
            limits[f"class {name!s}"] = rows.sum() if problem.groups is None else len(set(problem.groups[rows]))
    if problem.groups is not None:
        limits["the table"] = len(set(problem.groups))
    if problem.time is not None:
        limits["the time column"] = len(set(problem.time)) - 1
    limits["all rows"] = len(problem.X)
    scarce = min(limits, key=limits.get)
    if limits[scarce] < least:
        kind = "times" if scarce == "the time column" else "rows" if problem.groups is None else "groups"
        raise ValueError(
            f"{scarce[:1].upper()}{scarce[1:]} has {limits[scarce] + (kind == 'times')} {kind}, fewer than the "
            f"{least + (kind == 'times')} that a score needs. "
            + ("Leave out the rows of that class, or join it with another." if scarce.startswith("class") else "")
        )
    return int(min(wanted, limits[scarce]))


def folds(problem, n_folds, repeat=0):
    """Training and test rows of each fold.

    Stratified by class; rows of one group stay in one fold. With time every fold is tested on what comes after its
    training rows, and rows of one time stay together; if there are groups as well, their rows leave the training part
    of the fold that tests them.

    Parameters
    ----------
    problem : SelectionProblem
    n_folds : int
    repeat : int
        Another number shuffles anew; there is one way only if the rows are ordered by time.

    Returns
    -------
    list of (array of int, array of int)
    """
    if problem.time is not None:
        return _forward(problem, n_folds)
    options = {"shuffle": True, "random_state": shuffle_seed(problem.seed, repeat)}
    if problem.task == "classification":
        kind = StratifiedKFold if problem.groups is None else StratifiedGroupKFold
    else:
        kind = KFold if problem.groups is None else GroupKFold
    return list(kind(n_folds, **options).split(problem.X, problem.y, problem.groups))


def shuffle_seed(seed, repeat):
    """Seed of a repeat: the root seed itself for the first."""
    return seed if repeat == 0 else int(np.random.SeedSequence([seed, repeat]).generate_state(1)[0])


def _forward(problem, n_folds):
    times = np.unique(problem.time)
    edges = np.linspace(0, len(times), n_folds + 2).round().astype(int)[1:]
    found = []
    for start, end in pairwise(edges):
        first, last = times[start], times[end - 1]
        test = np.flatnonzero((problem.time >= first) & (problem.time <= last))
        earlier = problem.time < first
        if problem.groups is not None:
            earlier &= ~np.isin(problem.groups, problem.groups[test])
        found.append((np.flatnonzero(earlier), test))
    return found


def complementary_halves(problem, n_pairs):
    """Pairs of disjoint halves of the rows.

    Classes keep their shares, groups stay whole, and with time so do :data:`TIME_BLOCKS` stretches of it.

    Parameters
    ----------
    problem : SelectionProblem
    n_pairs : int

    Returns
    -------
    list of (array of int, array of int)
    """
    options = {"n_splits": n_pairs, "train_size": 0.5, "test_size": 0.5, "random_state": problem.seed}
    groups = problem.groups
    if groups is None and problem.time is not None:
        groups = np.searchsorted(np.quantile(problem.time, np.linspace(0, 1, TIME_BLOCKS + 1)[1:-1]), problem.time)
    if groups is not None:
        return list(GroupShuffleSplit(**options).split(problem.X, groups=groups))
    if problem.task == "classification":
        return list(StratifiedShuffleSplit(**options).split(problem.X, problem.y))
    return list(ShuffleSplit(**options).split(problem.X))


def shuffle_of(problem):
    """How the target of a problem is shuffled, as arguments of `fslib.filters.permutation.shuffled_target`.

    With time the target is shifted against the features. Where every group has one value of the target, the groups
    change their values; else rows change places within each group. Without groups any order will do.

    Parameters
    ----------
    problem : SelectionProblem
        Single target.

    Returns
    -------
    dict
    """
    if problem.time is not None:
        return {"shuffle": "circular", "time": problem.time}
    if problem.groups is None:
        return {"shuffle": "rows"}
    _, first, member = np.unique(problem.groups, return_index=True, return_inverse=True)
    alike = (problem.y == problem.y[first][member]).all()
    return {"shuffle": "whole_groups" if alike else "within_groups", "groups": problem.groups}
