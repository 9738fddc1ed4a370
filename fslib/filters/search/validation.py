"""Validate what users pass and turn it into a search problem."""

import numpy as np

from fslib.base import check_choice, resolve_n_features
from fslib.counts.weighted import check_weights
from fslib.filters.criteria import resolve_criterion
from fslib.filters.search.linear import LinearProblem
from fslib.filters.search.problem import ClassProblem, RealProblem
from fslib.inputs import validate


def bind_problem(selector, X, y, sample_weight=None):
    """Validate X, y and weights for a selector and bind them to its criterion.

    Sets ``n_features_in_``, ``feature_names_in_`` and, for classification, ``classes_`` on the selector.

    Parameters
    ----------
    selector : DiscreteSelector
        With parameters ``criterion``, ``n_features_to_select``, ``n_jobs`` and, if it has one, ``tie_break``.
    X, y, sample_weight
        As passed to ``fit``.

    Returns
    -------
    ClassProblem, RealProblem or LinearProblem

    Raises
    ------
    ValueError
        If X is not discrete, y has one class only or is constant, or a parameter is out of range.
    """
    criterion = resolve_criterion(selector.criterion)
    tie_break = getattr(selector, "tie_break", "index")
    check_choice("tie_break", tie_break, ("log", "index"))
    if getattr(criterion, "estimator", None) == "linear":
        X, y = validate(selector, X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2, any_size=True)
        weights = check_weights(sample_weight, X)
        if weights is not None:
            kept = np.flatnonzero(weights)
            X, y, weights = X[kept], y[kept], weights[kept]
        problem = LinearProblem(X, y.astype(float), weights)
    elif criterion.task == "regression":
        levels, y = selector._encode(X, y, sample_weight, numeric=True)
        problem = RealProblem(levels, y, criterion, selector.n_jobs)
    else:
        levels, labels = selector._encode(X, y, sample_weight)
        criterion.check_classes(len(selector.classes_))
        problem = ClassProblem(levels, labels, criterion, selector.n_jobs, tie_break)
    if criterion.task == "regression" and np.ptp(np.asarray(y, dtype=float)) == 0:
        raise ValueError("y is constant: there is nothing that a feature could explain.")
    resolve_n_features(selector.n_features_to_select, selector.n_features_in_)
    return problem
