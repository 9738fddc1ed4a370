"""Bayes criteria: the best value of a performance measure that a set of discrete features allows.

Each is an object with its parameters, usable alone on a table of counts::

    >>> from fslib.filters.criteria import ZeroOne
    >>> ZeroOne().value([[3, 1], [0, 4]])
    -0.125
"""

from fslib.filters.criteria.base import AdditiveCriterion, BinaryCriterion, Criterion
from fslib.filters.criteria.losses import Balanced, CostMatrix, CostSensitive, Log, YangHu, ZeroOne
from fslib.filters.criteria.measures import AUC, FBeta
from fslib.filters.criteria.squared import Squared

__all__ = [
    "AUC",
    "AdditiveCriterion",
    "Balanced",
    "BinaryCriterion",
    "CostMatrix",
    "CostSensitive",
    "Criterion",
    "FBeta",
    "Log",
    "Squared",
    "YangHu",
    "ZeroOne",
    "resolve_criterion",
]

_BY_NAME = {cls.name: cls for cls in (ZeroOne, Balanced, Log, Squared, FBeta, AUC, YangHu)}


def resolve_criterion(criterion):
    """Criterion object from an object or a name.

    Parameters
    ----------
    criterion : Criterion or str
        "zero_one", "balanced", "log", "squared", "f_beta" (beta = 1), "auc" or "yang_hu"; criteria that need
        a number have no name of their own: pass ``CostSensitive(0.25)``.

    Raises
    ------
    ValueError
        If the name is unknown.
    TypeError
        If it is neither a name nor a criterion.

    Examples
    --------
    >>> resolve_criterion("f_beta")
    FBeta(beta=1.0)
    """
    if isinstance(criterion, Criterion):
        return criterion
    if not isinstance(criterion, str):
        raise TypeError(f"criterion must be a name or an object of fslib.filters.criteria, got {criterion!r}.")
    if criterion not in _BY_NAME:
        raise ValueError(f"unknown criterion {criterion!r}: use one of {', '.join(_BY_NAME)}, or an object.")
    return _BY_NAME[criterion]()
