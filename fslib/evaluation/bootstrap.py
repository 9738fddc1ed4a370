"""Bootstrap estimates of AUC with everything that is learned, selection included, inside the bootstrap.

Selecting features on all rows and bootstrapping only the classifier measures nothing: on pure noise it reports an AUC
near 1. Here a model is fitted anew on every bootstrap sample, from its rows alone. Two estimates are made: with the
rows left out (.632+, all data) and on a fixed test part. They are different quantities and do not compare.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.base import clone

from fslib.classes import encode_classes
from fslib.evaluation.metrics import auc

REDRAWS = 20
"""Attempts at a bootstrap sample that leaves out rows of both classes."""

_JUDGED = {"auc": lambda decisions: decisions, "auc_hard": lambda decisions: decisions > 0}


@dataclass(frozen=True)
class Bootstrap632:
    """The .632+ estimate of AUC for each of m settings of a model.

    Attributes
    ----------
    estimate : array of shape (m,)
        .632+ of the mean over the bootstrap samples. Never below 0.5.
    apparent : array of shape (m,)
        AUC of a fit on all rows, on these rows.
    out_of_bag : array of shape (B, m)
        AUC of each bootstrap fit on the rows that it left out.
    overfitting : array of shape (m,)
        Relative overfitting R: 0 if the rows left out do as well as the rows fitted, 1 if they do no better than
        chance.
    per_sample : array of shape (B, m)
        The same formula with the AUC of one bootstrap sample each, for box plots. Their mean is not ``estimate``: the
        formula is not linear, and of pure noise, where values below 0.5 count as 0.5, it lies above.
    """

    estimate: np.ndarray
    apparent: np.ndarray
    out_of_bag: np.ndarray
    overfitting: np.ndarray
    per_sample: np.ndarray


def combine_632_plus(apparent, out_of_bag):
    """.632+ of an apparent AUC and one of rows left out, by Efron and Tibshirani with the error ``1 - AUC``.

    With ``A1' = max(A1, 1/2)``, relative overfitting ``R = (A0 - A1') / (A0 - 1/2)`` clipped to [0, 1] and the weight
    ``w = 0.632 / (1 - 0.368 R)``, it is ``(1 - w) A0 + w A1'``.

    Parameters
    ----------
    apparent, out_of_bag : arrays that broadcast

    Returns
    -------
    estimate, overfitting : arrays

    Examples
    --------
    No better than chance, no overfitting, and half way:

    >>> estimate, overfitting = combine_632_plus(1.0, [0.5, 1.0, 0.75])
    >>> estimate.round(3), overfitting
    (array([0.5  , 1.   , 0.806]), array([1. , 0. , 0.5]))
    """
    A0, A1 = np.broadcast_arrays(np.asarray(apparent, dtype=float), np.maximum(out_of_bag, 0.5))
    overfits = (A0 > A1) & (A0 > 0.5)
    R = np.where(overfits, (A0 - A1) / np.where(overfits, A0 - 0.5, 1.0), 0.0)
    w = 0.632 / (1 - 0.368 * R)
    return (1 - w) * A0 + w * A1, R


def bootstrap_632_plus(model, X, y, *, n_bootstraps=100, random_state=None, n_jobs=None):
    """.632+ bootstrap of AUC, of decision values and of hard labels.

    Parameters
    ----------
    model : estimator or callable
        An estimator with ``decision_function`` (a Pipeline that selects and classifies), cloned and fitted anew each
        time; or ``model(X_train, y_train, X_test)`` that returns decision values (n_test,), or (n_test, m) for m
        settings at once, such as numbers of features of one ranking.
    X : array of shape (n, d)
    y : array of shape (n,)
        Two classes; the second is positive.
    n_bootstraps : int
        Samples drawn with replacement, from each class as many rows as it has.
    random_state : int, Generator or None
    n_jobs : int or None
        Processes; the result does not depend on it.

    Returns
    -------
    dict
        ``"auc"`` and ``"auc_hard"``, each a :class:`Bootstrap632`.

    Raises
    ------
    ValueError
        If y has not two classes, or a class is so small that 20 draws in a row left none of it out.

    References
    ----------
    B. Efron, R. Tibshirani, "Improvements on cross-validation: the .632+ bootstrap method", JASA 92, 1997. C. Ambroise,
    G. McLachlan, "Selection bias in gene extraction on the basis of microarray gene-expression data", PNAS 99, 2002.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(40, 300)), np.arange(40) % 2                      # nothing to learn
    >>> found = bootstrap_632_plus(SVC(kernel="linear"), X, y, n_bootstraps=20, random_state=0)["auc"]
    >>> float(found.apparent[0]), float(found.estimate[0]) < 0.65
    (1.0, True)
    """
    X, y = _two_classes(X, y)
    bags = _draw(y, n_bootstraps, random_state)
    everything = np.arange(len(y))
    jobs = [(everything, everything), *((bag, np.setdiff1d(everything, bag)) for bag in bags)]
    fit = delayed(_decisions)
    first, *others = Parallel(n_jobs)(fit(model, X[train], y[train], X[test]) for train, test in jobs)
    results = {}
    for name, judged in _JUDGED.items():
        apparent = auc(y, judged(first))
        pairs = zip(jobs[1:], others, strict=True)
        out_of_bag = np.array([auc(y[test], judged(values)) for (_, test), values in pairs])
        estimate, overfitting = combine_632_plus(apparent, out_of_bag.mean(axis=0))
        per_sample, _ = combine_632_plus(apparent, out_of_bag)
        results[name] = Bootstrap632(estimate, apparent, out_of_bag, overfitting, per_sample)
    return results


def bootstrap_on_test_part(model, X, y, X_test, y_test, *, n_bootstraps=100, random_state=None, n_jobs=None):
    """AUC on one fixed test part of models fitted on bootstrap samples of the training part.

    Not a .632+ estimate, whatever it is called in places: it shows how much a model varies with its training rows, on
    test rows that stay the same.

    Parameters
    ----------
    model, n_bootstraps, random_state, n_jobs
        As in :func:`bootstrap_632_plus`.
    X, y : arrays of shape (n, d) and (n,)
        Training part.
    X_test, y_test : arrays of shape (m, d) and (m,)
        Test part, with both classes.

    Returns
    -------
    dict
        ``"auc"`` and ``"auc_hard"``, arrays of shape (B, m): bootstrap samples by settings of the model.

    Raises
    ------
    ValueError
        If the training part or the test part has not two classes.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> X, y = np.array([[0.0], [1], [2], [10], [11], [12]]), np.array([0, 0, 0, 1, 1, 1])
    >>> bootstrap_on_test_part(SVC(kernel="linear"), X, y, X, y, n_bootstraps=3, random_state=0)["auc_hard"].ravel()
    array([1., 1., 1.])
    """
    X, y = _two_classes(X, y)
    X_test, y_test = _two_classes(X_test, y_test)
    bags = _draw(y, n_bootstraps, random_state, leave_out=False)
    fit = delayed(_decisions)
    values = Parallel(n_jobs)(fit(model, X[bag], y[bag], X_test) for bag in bags)
    return {name: np.array([auc(y_test, judged(scores)) for scores in values]) for name, judged in _JUDGED.items()}


def box_summary(values, columns=None):
    """Summarise distributions as a box plot draws them.

    Parameters
    ----------
    values : array of shape (B,) or (B, m)
    columns : sequence of m names, optional

    Returns
    -------
    DataFrame
        One row per distribution with ``min``, ``q1``, ``median``, ``mean``, ``q3``, ``max``, quartiles by linear
        interpolation.

    Examples
    --------
    >>> box_summary([0.5, 0.75, 1.0, 1.0]).round(3).loc[0].to_dict()
    {'min': 0.5, 'q1': 0.688, 'median': 0.875, 'mean': 0.812, 'q3': 1.0, 'max': 1.0}
    """
    values = np.asarray(values, dtype=float)
    values = values[:, None] if values.ndim == 1 else values
    low, q1, median, q3, high = np.quantile(values, [0, 0.25, 0.5, 0.75, 1], axis=0)
    table = {"min": low, "q1": q1, "median": median, "mean": values.mean(axis=0), "q3": q3, "max": high}
    return pd.DataFrame(table, index=columns)


def _two_classes(X, y):
    classes, codes = encode_classes(y)
    if len(classes) != 2:
        raise ValueError(f"AUC is for two classes, y has {len(classes)}.")
    return np.asarray(X), codes


def _draw(y, n_bootstraps, random_state, *, leave_out=True):
    """Row numbers of stratified bootstrap samples; with ``leave_out`` some rows of each class are in none of them."""
    random = np.random.default_rng(random_state)
    members = [np.flatnonzero(y == code) for code in (0, 1)]
    bags = []
    for _ in range(n_bootstraps):
        for _ in range(REDRAWS):
            parts = [random.choice(rows, len(rows)) for rows in members]
            if not leave_out or all(
                len(np.unique(part)) < len(rows) for part, rows in zip(parts, members, strict=True)
            ):
                break
        else:
            raise ValueError(f"{REDRAWS} bootstrap samples in a row left out no row of a class: it is too small.")
        bags.append(np.concatenate(parts))
    return bags


def _decisions(model, X_train, y_train, X_test):
    """Decision values (n_test, m)."""
    if hasattr(model, "fit"):
        values = clone(model).fit(X_train, y_train).decision_function(X_test)
    else:
        values = model(X_train, y_train, X_test)
    return np.reshape(values, (len(X_test), -1))
