"""Trials of the tables and figures of section 5.2, and what cannot be run."""

from itertools import combinations

import pandas as pd

from fslib.papers.braytee.ch5_2_ml_cib.items import (
    BASELINES,
    CHANCE,
    FS_METHODS,
    ITEM,
    SELECTION_FIGURES,
    SENSITIVITY_FIGURES,
    VARIANTS,
)
from fslib.papers.braytee.ch5_data import present, trial_of


def score_trials(datasets, *, folds, folds_of=None, n_trees=20, leave_out=None, grouped=(), seed=0):
    """Trials of Tables 5.6 to 5.8: all methods, the forms of ML-CIB, and shuffled labels in the first fold.

    Parameters
    ----------
    datasets : list of str
    folds : list of int
        Of five.
    folds_of : dict of str to list of int
        Data set -> folds, where not ``folds``.
    n_trees : int
        See :func:`~..protocol.make_learner`.
    leave_out : dict of str to list of str
        Data set -> methods that take too long there; ``"ML-CIB labels"`` is one form of ML-CIB.
    grouped : list of str
        Data sets on which BR and ML-CIB are also run with equal rows kept in one fold.
    seed : int

    Returns
    -------
    trials : list of dict
    not_run : DataFrame
        item, dataset, reason.

    Examples
    --------
    >>> trials, not_run = score_trials(["emotions"], folds=[0])
    >>> len(trials), len(not_run)
    (10, 14)
    """
    leave_out = leave_out or {}
    names, reasons = present(datasets, ITEM)
    trials = []
    for name in names:
        dropped = leave_out.get(name, ())
        learners = [{"method": m} for m in (*BASELINES, CHANCE) if m not in dropped]
        learners += [{"method": "ML-CIB", "variant": v} for v in VARIANTS if f"ML-CIB {v}" not in dropped]
        own = (folds_of or {}).get(name, folds)
        for fold in own:
            for learner in learners:
                if learner["method"] != CHANCE or fold == own[0]:
                    more = {"n_trees": n_trees} if learner["method"] == "BR-IRUS" else {}
                    trials.append(trial_of(name, fold=fold, seed=seed, **learner, **more))
            if name in grouped:
                both = [{"method": "BR"}, {"method": "ML-CIB", "variant": "corrected"}]
                trials += [trial_of(name, fold=fold, seed=seed, folds="grouped", **learner) for learner in both]
    rows = [{"item": ITEM.get(d, "further data"), "dataset": d, "reason": r} for d, r in reasons.items()]
    rows += [
        {"item": "Tables 5.6-5.8", "dataset": name, "reason": f"left out for their run time: {', '.join(methods)}"}
        for name, methods in leave_out.items()
        if name in names
    ]
    return trials, pd.DataFrame(rows, columns=["item", "dataset", "reason"])


def selection_trials(datasets, *, folds, strategies=("BR", "CC"), seed=0):
    """Trials of Figures 5.7 to 5.11: both readings of ML-CIB-FS, MIFS and SFUS, and random features."""
    names, reasons = present(datasets, SELECTION_FIGURES)
    selectors = [{"method": m, "reading": r} for m in FS_METHODS for r in ("corrected", "published")]
    selectors += [{"method": "ML-CIB-FS, no graph"}, {"method": "Random features"}]
    trials = [
        trial_of(name, fold=fold, strategies=list(strategies), seed=seed, **selector)
        for name in names
        for fold in folds
        for selector in selectors
    ]
    return trials, _not_run(reasons, SELECTION_FIGURES)


def sensitivity_trials(datasets, *, folds, values, seed=0):
    """Trials of Figures 5.14 to 5.17: pairs of parameters, corrected reading; in the first fold published, too."""
    names, reasons = present(datasets, SENSITIVITY_FIGURES)
    trials = [
        trial_of(name, fold=fold, variant=variant, first=a, second=b, values=list(values), seed=seed)
        for name in names
        for fold in folds
        for variant in (("corrected", "published") if fold == folds[0] else ("corrected",))
        for a, b in combinations(("alpha", "beta", "gamma"), 2)
    ]
    return trials, _not_run(reasons, SENSITIVITY_FIGURES)


def convergence_trials(datasets, *, max_iter=30):
    """Trials of Figure 5.13, for which the thesis names no data set."""
    names, _ = present(datasets, ())
    return [trial_of(name, variant=v, max_iter=max_iter) for name in names for v in ("corrected", "published")]


def _not_run(reasons, items):
    rows = [{"item": items.get(d, "further data"), "dataset": d, "reason": r} for d, r in reasons.items()]
    return pd.DataFrame(rows, columns=["item", "dataset", "reason"])
