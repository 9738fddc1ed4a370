"""Trials of the tables and figures of section 5.1, and what cannot be run."""

import pandas as pd

from fslib.papers.braytee.ch5_1_cmfs.items import CONTROLS, SCORED, SELECTORS, STARTED
from fslib.papers.braytee.ch5_data import present, trial_of

READINGS = ("corrected", "published")


def table_trials(datasets, *, folds, folds_of=None, starts=1, strategies=("BR",), seed=0):
    """Trials of Tables 5.2 to 5.4: four selectors in their readings, and the control rows.

    Parameters
    ----------
    datasets : list of str
    folds : list of int
        Of five.
    folds_of : dict of str to list of int
        Data set -> folds, where not ``folds``.
    starts : int
        Random starts of the published readings of CMFS and MIFS and of the control rows.
    strategies : list of str
    seed : int

    Returns
    -------
    trials : list of dict
    not_run : DataFrame
        item, dataset, reason.

    Examples
    --------
    >>> trials, _ = table_trials(["emotions"], folds=[0], starts=2)
    >>> len(trials)                                         # 12 selectors, 6 of them with two starts
    18
    """
    names, reasons = present(datasets, SCORED)
    trials = [
        trial_of(name, fold=fold, start=start, strategies=list(strategies), seed=seed, **selector)
        for name in names
        for fold in (folds_of or {}).get(name, folds)
        for selector in (*SELECTORS, *CONTROLS)
        for start in range(starts if _starts(selector) else 1)
    ]
    rows = [{"item": "Tables 5.2-5.3", "dataset": d, "reason": r} for d, r in reasons.items()]
    return trials, pd.DataFrame(rows, columns=["item", "dataset", "reason"])


def _starts(selector):
    return selector["method"] in STARTED and (selector["method"], selector["reading"]) != ("MIFS", "corrected")


def overlap_trials(datasets, *, alphas, components, starts=1, seed=0):
    """Trials of the overlaps: both readings, numbers of components and weights of the labels."""
    names, _ = present(datasets, ())
    return [
        trial_of(name, reading=reading, n_components=c, alpha=alpha, start=start, seed=seed)
        for name in names
        for reading in READINGS
        for c in components
        for alpha in alphas
        for start in range(starts)
    ]


def convergence_trials(datasets, *, max_iter=60, seed=0):
    """Trials of Figure 5.4, for which the thesis names no data set."""
    names, _ = present(datasets, ())
    return [trial_of(name, reading=r, max_iter=max_iter, seed=seed) for name in names for r in READINGS]


def sensitivity_trials(datasets, *, values, components, folds, starts=1, seed=0):
    """Trials of Figure 5.5: one parameter at a time."""
    names, reasons = present(datasets, ("Enron",))
    grid = {"alpha": values, "epsilon": values, "gamma": values, "n_components": components}
    trials = [
        trial_of(name, reading=r, parameter=parameter, values=list(at), fold=fold, start=start, seed=seed)
        for name in names
        for r in READINGS
        for fold in folds
        for start in range(starts)
        for parameter, at in grid.items()
    ]
    rows = [{"item": "Figure 5.5", "dataset": d, "reason": r} for d, r in reasons.items()]
    return trials, pd.DataFrame(rows, columns=["item", "dataset", "reason"])
