"""Kinds of parameters: a value that is of another kind than the default is refused by name, before any work."""

import inspect
import math
from functools import lru_cache
from numbers import Integral, Real

import numpy as np
from scipy import sparse

_TOO_LARGE = 2**63


def check_parameters(estimator):
    """Refuse parameters whose value is of another kind than their default.

    A default of True or False asks for one of the two, an integer for an integer, another number for a number
    that is not NaN; ``random_state`` is what ``numpy.random.default_rng`` or scikit-learn take, ``n_jobs`` an
    integer other than 0, or None; ``estimator`` an estimator, or None. Ranges are left to the estimator. What a class
    takes beside numbers, it lists in ``_beside_numbers``: a dict of parameter to a tuple of values.

    Parameters
    ----------
    estimator : estimator

    Raises
    ------
    ValueError

    Examples
    --------
    >>> from fslib.multiview import RFS
    >>> check_parameters(RFS(gamma="0.1"))
    Traceback (most recent call last):
    ValueError: gamma='0.1' must be a number.
    """
    beside = getattr(estimator, "_beside_numbers", {})
    function = type(estimator).__init__
    values = {name: getattr(estimator, name, default) for name, default in _defaults(function)}
    check_arguments(
        function,
        {name: v for name, v in values.items() if not any(is_same(v, other) for other in beside.get(name, ()))},
    )


def is_same(value, choice):
    """Whether a parameter has a value, of the same type: True is not 1, but text of NumPy, as in a grid, is text.

    Examples
    --------
    >>> is_same(np.str_("log"), "log"), is_same(True, 1)
    (True, False)
    """
    is_text = isinstance(value, str) and isinstance(choice, str)
    return (is_text or type(value) is type(choice)) and bool(value == choice)


def check_arguments(function, values):
    """Refuse arguments of a function whose value is of another kind than their default, by the same rules.

    Parameters
    ----------
    function : callable
    values : dict
        Of argument to value, such as ``locals()`` at the start of the function; what is not there has its default.

    Raises
    ------
    ValueError

    Examples
    --------
    >>> def draw(n_draws=10):
    ...     check_arguments(draw, locals())
    >>> draw("10")
    Traceback (most recent call last):
    ValueError: n_draws='10' must be an integer.
    """
    for name, default in _defaults(function):
        value = values.get(name, default)
        kind = None if value is default else _kind_asked_for(name, default, value)
        if kind is not None:
            raise ValueError(f"{name}={value!r} must be {kind}.")


@lru_cache
def _defaults(function):
    parameters = inspect.signature(function).parameters.values()
    return [(p.name, p.default) for p in parameters if p.default is not p.empty]


def _kind_asked_for(name, default, value):
    """What the value should be and is not, in words, or None."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if whole and abs(value) >= _TOO_LARGE:
        return "below 2**63"
    if name == "random_state":
        draws = hasattr(value, "integers") or hasattr(value, "randint") or isinstance(value, np.random.SeedSequence)
        return None if value is None or draws or (whole and value >= 0) else "an integer >= 0 or None"
    if name == "n_jobs":
        return None if value is None or (whole and value != 0) else "an integer other than 0, or None"
    if name == "estimator" and default is None:
        return None if value is None or hasattr(value, "get_params") else "an estimator, or None"
    if isinstance(default, bool):
        return None if isinstance(value, bool | np.bool_) else "True or False"
    if isinstance(default, Integral):
        return None if whole else "an integer"
    if isinstance(default, Real):
        real = isinstance(value, Real) and not isinstance(value, bool)
        return None if real and not math.isnan(value) else "a number"
    if isinstance(default, str) and (isinstance(value, np.ndarray) or sparse.issparse(value)):
        return "a word or a number"
    return None


def check_numbers(estimator, integers=(), numbers=(), *, optional=()):
    """Raise ValueError unless parameters are numbers in their ranges.

    Parameters
    ----------
    estimator : object
        Holds the parameters as attributes.
    integers : tuples of (name, least)
        Integers, with the smallest that is allowed.
    numbers : tuples of (name, words, is_allowed)
        Finite numbers for which ``is_allowed(value)`` is true; the words complete "must be".
    optional : names
        Parameters that may also be None.

    Raises
    ------
    ValueError
        With the parameter, its value and what it must be.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> check_numbers(SimpleNamespace(C=0), numbers=[("C", "a positive number", lambda v: v > 0)])
    Traceback (most recent call last):
    ValueError: C=0 must be a positive number.
    >>> check_numbers(SimpleNamespace(max_iter=0.5), integers=[("max_iter", 1)], optional=["max_iter"])
    Traceback (most recent call last):
    ValueError: max_iter=0.5 must be an integer >= 1 or None.
    """
    checks = [(name, f"an integer >= {least}", Integral, lambda v, least=least: v >= least) for name, least in integers]
    checks += [(name, words, Real, is_allowed) for name, words, is_allowed in numbers]
    for name, words, kind, is_allowed in checks:
        value = getattr(estimator, name)
        if value is None and name in optional:
            continue
        if isinstance(value, bool) or not isinstance(value, kind) or not np.isfinite(value) or not is_allowed(value):
            raise ValueError(f"{name}={value!r} must be {words}{' or None' if name in optional else ''}.")
