"""Trials of the figures and tables of paper "rrmvfs", and what cannot be run."""

from itertools import combinations

import pandas as pd

from fslib.datasets import unavailable_reason
from fslib.papers.rrmvfs.items import CHANCE, METHODS, SELECTORS, TASKS, TRAIN_SIZES, VIEW_ORDERS, view_sets


def trials_of(dataset, view_groups, train_sizes, *, gammas, max_iter=20, n_repeats, seed=0, methods=(*METHODS, CHANCE)):
    """Trials of one data set: all groups of views, training sizes, repeats and methods.

    Parameters
    ----------
    dataset : str
    view_groups : list of list of str
    train_sizes : sequence of int
        Training samples per class.
    gammas : list of float
        Values of every penalty.
    max_iter, n_repeats, seed : int
    methods : sequence of str

    Returns
    -------
    list of dict
        For ``run_trials(rrmvfs.run_trial, trials, ...)``.

    Examples
    --------
    >>> trials = trials_of("mfeat", [["fou", "mor"]], [12], gammas=[0.1, 1.0], n_repeats=3)
    >>> len(trials), trials[0]["method"], trials[0]["gammas"]           # 8 methods and chance, 3 repeats
    (27, 'Single', [])
    """
    return [
        {"dataset": dataset, "views": list(views), "train_per_class": size, "method": method, "repeat": repeat}
        | {"gammas": list(gammas) if method in SELECTORS else [], "max_iter": max_iter, "seed": seed}
        for repeat in range(n_repeats)
        for views in view_groups
        for size in train_sizes
        for method in methods
    ]


def figure_trials(datasets, **options):
    """Trials of the figures: all views, every training size; for data sets of ours the largest size only.

    Parameters
    ----------
    datasets : list of str
        Keys of :data:`fslib.papers.rrmvfs.items.TASKS`.
    **options
        Of :func:`trials_of`.

    Returns
    -------
    trials : list of dict
    not_run : DataFrame
        item, dataset, reason.
    """
    present, not_run = _present(datasets, "figure")
    trials = []
    for name in present:
        sizes = TRAIN_SIZES if TASKS[name].figure else TRAIN_SIZES[-1:]
        trials += trials_of(name, [view_sets(name)["all"]], sizes, **options)
    return trials, not_run


def table_trials(datasets, **options):
    """Trials of the tables: two views, four views and all, 12 training samples per class; see :func:`figure_trials`."""
    present, not_run = _present([name for name in datasets if TASKS[name].table], "table")
    trials = [
        trial for name in present for trial in trials_of(name, view_sets(name).values(), TRAIN_SIZES[-1:], **options)
    ]
    return trials, not_run


def order_trials(**options):
    """Trials of Table 2 under every order in :data:`~fslib.papers.rrmvfs.items.VIEW_ORDERS`, none twice."""
    groups = {
        tuple(group): list(group) for order in VIEW_ORDERS.values() for group in view_sets("mfeat", order).values()
    }
    return trials_of("mfeat", groups.values(), TRAIN_SIZES[-1:], **options)


def cat_trials(size, **options):
    """Trials of CAT on all groups of ``size`` views of mfeat."""
    groups = list(combinations(TASKS["mfeat"].views, size))
    return trials_of("mfeat", groups, TRAIN_SIZES[-1:], gammas=[], methods=["CAT"], **options)


def _present(datasets, kind):
    """Split the paper's and the wanted data sets into those that can be run, and a table of the others with reasons."""
    reasons = {
        name: unavailable_reason(name, datasets) for name in TASKS if getattr(TASKS[name], kind) or name in datasets
    }
    missing = [
        {"item": getattr(TASKS[name], kind) or "Further data sets", "dataset": TASKS[name].title, "reason": reason}
        for name, reason in reasons.items()
        if reason
    ]
    present = [name for name, reason in reasons.items() if not reason]
    return present, pd.DataFrame(missing, columns=["item", "dataset", "reason"])
