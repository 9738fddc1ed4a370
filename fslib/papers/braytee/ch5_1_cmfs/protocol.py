"""Section 5.1: what CMFS depends on, how it converges, what its parameters do; selections are scored elsewhere."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from fslib.evaluation.hard_outputs import seven_scores
from fslib.multilabel import CMFS, BinaryRelevance
from fslib.papers.braytee.ch5_2_ml_cib.protocol import scaler
from fslib.papers.braytee.ch5_data import ALL_TITLES, SIMULATED, fold_rows, load_task
from fslib.seeds import trial_seed

TOP = 0.1
"""Share of the features whose overlap is measured."""


def fit(X, Y, *, reading, seed, max_iter=100, **options):
    """CMFS after a fixed number of sweeps."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return CMFS(reading=reading, tol=0.0, max_iter=max_iter, random_state=seed, **options).fit(X, Y)


def overlap(first, second, share=TOP):
    """Share of the best features that two rankings have in common.

    Examples
    --------
    >>> overlap([0, 1, 2, 3], [1, 0, 3, 2], share=0.5), overlap([0, 1, 2, 3], [2, 3, 0, 1], share=0.5)
    (1.0, 0.0)
    """
    k = max(1, round(share * len(first)))
    return len(set(first[:k]) & set(second[:k])) / k


def run_overlap(*, dataset=SIMULATED, simulated=False, reading, n_components, alpha, start, seed=0):
    """Top features of CMFS against those with permuted labels, with another start, and of the feature mean.

    Parameters
    ----------
    dataset : str
    simulated : bool
        Instead of ``dataset``.
    reading : {"corrected", "published"}
    n_components : int or float
        As a float, a share of the number of labels.
    alpha : float or "balanced"
    start, seed : int

    Returns
    -------
    list of dict
        dataset, reading, components, alpha, start, metric (``overlap_permuted``, ``overlap_start``, ``overlap_mean``),
        value.
    """
    X, Y = load_task(dataset)
    X = scaler(X).fit_transform(X)
    c = components(n_components, Y.shape[1])
    options = {"reading": reading, "n_components": c, "alpha": alpha}
    own, other = (trial_seed(seed, dataset, "overlap", number) for number in (start, start + 1000))
    ranking = fit(X, Y, seed=own, **options).ranking_
    permuted = fit(X, np.random.default_rng(own).permutation(Y), seed=own, **options).ranking_
    restarted = fit(X, Y, seed=other, **options).ranking_
    mean = np.argsort(-np.asarray(X.mean(axis=0)).ravel(), kind="stable")
    found = {"permuted": permuted, "start": restarted, "mean": mean}
    named = {"dataset": ALL_TITLES[dataset], "reading": reading, "components": c, "alpha": str(alpha), "start": start}
    return [named | {"metric": f"overlap_{k}", "value": overlap(ranking, v)} for k, v in found.items()]


def components(value, n_labels):
    """Number of components, of which a float is a share of the labels.

    Examples
    --------
    >>> components(2, 53), components(0.5, 53)
    (2, 26)
    """
    return max(1, int(value * n_labels)) if isinstance(value, float) else value


def run_convergence(*, dataset=SIMULATED, simulated=False, reading, max_iter=60, seed=0):
    """Objective of CMFS after each sweep on all rows: one call of `run_trials`."""
    X, Y = load_task(dataset)
    model = fit(scaler(X).fit_transform(X), Y, reading=reading, seed=seed, max_iter=max_iter)
    named = {"dataset": ALL_TITLES[dataset], "reading": reading, "metric": "objective"}
    return [named | {"iteration": i + 1, "value": float(v)} for i, v in enumerate(model.objective_)]


def run_sensitivity(*, dataset=SIMULATED, simulated=False, reading, parameter, values, pct=10, fold, start=0, seed=0):
    """Average precision on the best features over values of one parameter, the others as named best by the thesis.

    Parameters
    ----------
    dataset, simulated, reading, fold, start, seed
        See :func:`run_overlap`.
    parameter : {"alpha", "epsilon", "gamma", "n_components"}
    values : list of float
        A float is a share of the labels for ``n_components``.
    pct : int
        Percent of the features.

    Returns
    -------
    list of dict
        dataset, reading, fold, start, parameter, at, metric, value.
    """
    X, Y = load_task(dataset)
    train, test = fold_rows(dataset, fold, seed=seed)
    scale = scaler(X).fit(X[train])
    X_train, X_test = scale.transform(X[train]), scale.transform(X[test])
    rows = []
    for value in values:
        chosen = components(value, Y.shape[1]) if parameter == "n_components" else value
        own = trial_seed(seed, dataset, "sensitivity", fold, start)
        ranking = fit(X_train, Y[train], reading=reading, seed=own, **{parameter: chosen}).ranking_
        columns = np.sort(ranking[: max(1, round(pct * X.shape[1] / 100))])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            scores = BinaryRelevance().fit(X_train[:, columns], Y[train]).decision_function(X_test[:, columns])
        named = {"dataset": ALL_TITLES[dataset], "reading": reading, "fold": fold, "start": start}
        named |= {"parameter": parameter, "at": float(value), "metric": "average_precision"}
        rows.append(named | {"value": seven_scores(Y[test], scores)["average_precision_hard"]})
    return rows
