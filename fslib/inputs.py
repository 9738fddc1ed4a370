"""Validation of X, y and parameters with messages that name the feature, the cause and the way out."""

import warnings
from numbers import Integral, Real

import numpy as np
from scipy import sparse
from sklearn.utils.validation import validate_data


def validate(estimator, X, y="no_validation", *, any_size=False, **options):
    """Validate X and y by scikit-learn's ``validate_data``, say more where it refuses, and refuse what it overlooks.

    Parameters
    ----------
    estimator : estimator
    X, y
        As passed to ``fit``.
    any_size : bool
        Whether the size of numbers does not matter, because values are only told apart, or scaled first.
    **options
        Passed on to ``sklearn.utils.validation.validate_data``.

    Returns
    -------
    X, or X and y
        As ``validate_data`` returns them; sparse X with sorted indices, and entries that stand twice added up.

    Raises
    ------
    ValueError
        With the name of the first feature that holds NaN or infinity, or numbers whose squares are out of range; with
        names that occur twice; for masked entries, dates as y, and for a two-dimensional y with the methods that take
        several labels.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.base import BaseEstimator
    >>> validate(BaseEstimator(), pd.DataFrame({"age": [31.0, None], "size": [1.0, 2.0]}))
    Traceback (most recent call last):
    ValueError: Input X contains NaN in column 'age' (1 cell): leave these rows out, or impute them first.
    """
    refuse_masked(X)
    if hasattr(X, "iloc") and X.columns.has_duplicates:
        twice = X.columns[X.columns.duplicated()][0]
        raise ValueError(f"X has several features called {twice!r}: rename them, or leave all but one out.")
    try:
        found = validate_data(estimator, X, _plain_target(y), **options)
        checked = _canonical(found[0] if isinstance(found, tuple) else found)
        if not any_size:
            _refuse_extremes(checked, X)
        return (checked, *found[1:]) if isinstance(found, tuple) else checked
    except ValueError as error:
        message = str(error)
        if "contains NaN" in message or "contains infinity" in message:
            found = first_not_finite(X) if "Input y" not in message else None
            if found is not None:
                raise ValueError(found) from error
        if "y should be a 1d array" in message:
            raise ValueError(
                f"{message} {type(estimator).__name__} takes one target; for several labels use fslib.multilabel, "
                "or choose features for each label in turn."
            ) from error
        raise
    except TypeError as error:
        if "NAType" in str(error) and (found := first_not_finite(X)) is not None:  # pandas' NA among objects
            raise ValueError(found) from error
        raise


def refuse_masked(values, name="X"):
    """Refuse a masked array of which entries are masked: its numbers below the mask would be used.

    Raises
    ------
    ValueError

    Examples
    --------
    >>> refuse_masked(np.ma.masked_equal([1, -9], -9))
    Traceback (most recent call last):
    ValueError: X has 1 masked entry: leave these rows out, or impute them first.
    """
    if isinstance(values, np.ma.MaskedArray) and (n := np.ma.count_masked(values)):
        masked = "1 masked entry" if n == 1 else f"{n} masked entries"
        raise ValueError(f"{name} has {masked}: leave these rows out, or impute them first.")


def _plain_target(y):
    """y, words of NumPy's variable width as objects; dates are refused."""
    refuse_masked(y, "y")
    kind = getattr(getattr(y, "dtype", None), "kind", "")
    if kind in ("M", "m"):
        raise ValueError("y holds dates or durations, which are not classes: convert them to classes or numbers.")
    return np.asarray(y, dtype=object) if kind == "T" else y


def _canonical(X):
    """Sparse X with sorted indices and without entries that stand twice; the one passed in stays as it is."""
    if not sparse.issparse(X) or X.format not in ("csr", "csc") or X.has_canonical_format:
        return X
    X = X.copy()
    X.sum_duplicates()
    return X


def _refuse_extremes(X, original):
    """Refuse features whose squares overflow or vanish: means and variances of them are infinite, NaN or zero."""
    if X.dtype not in (np.float32, np.float64) or not X.shape[1]:
        return
    limits = np.finfo(X.dtype)
    high, low = X.max(axis=0), X.min(axis=0)
    if sparse.issparse(X):
        high, low = high.toarray().ravel(), low.toarray().ravel()
    size = np.maximum(high, -low)
    wrong = np.flatnonzero((size > np.sqrt(limits.max) / 1e3) | ((size > 0) & (size < np.sqrt(limits.tiny))))
    if len(wrong):
        j = wrong[0]
        name = repr(original.columns[j]) if hasattr(original, "columns") else j
        raise ValueError(
            f"Input X contains numbers as {'large' if size[j] > 1 else 'small'} as {size[j]:.3g} in column {name}, "
            "whose squares are out of range: scale the features first."
        )


def first_not_finite(X):
    """Message about the first column with a cell that is not a finite number, or None.

    Examples
    --------
    >>> first_not_finite(np.array([[1.0, np.inf]]))
    'Input X contains infinity in column 1 (1 cell): leave these rows out, or impute them first.'
    """
    for name, cells in _columns(X):
        empty, infinite = _empty_and_infinite(cells)
        for kind, n in (("NaN", empty), ("infinity", infinite)):
            if n:
                cell = "1 cell" if n == 1 else f"{n} cells"
                return f"Input X contains {kind} in column {name} ({cell}): leave these rows out, or impute them first."
    return None


def _columns(X):
    if hasattr(X, "iloc"):
        yield from ((repr(X.columns[j]), X.iloc[:, j]) for j in range(X.shape[1]))
    elif sparse.issparse(X):
        X = sparse.csc_array(X)
        yield from ((j, X.data[X.indptr[j] : X.indptr[j + 1]]) for j in range(X.shape[1]))
    elif hasattr(X, "get_columns"):  # polars
        yield from ((repr(column.name), column.to_numpy()) for column in X.get_columns())
    else:
        X = np.asarray(X)
        yield from ((j, X[:, j]) for j in range(X.shape[1] if X.ndim == 2 else 0))


def _empty_and_infinite(cells):
    import pandas as pd

    empty = np.asarray(pd.isna(cells), dtype=bool)
    try:
        numbers = np.asarray(cells[~empty], dtype=float)
    except (TypeError, ValueError):
        return int(empty.sum()), 0
    return int(empty.sum()), int(np.isinf(numbers).sum())


def warn_if_all_constant(constant, estimator):
    """Warn if no feature varies: then the order of the columns is the answer.

    Parameters
    ----------
    constant : array of bool, shape (d,)
    estimator : estimator

    Warns
    -----
    UserWarning

    Examples
    --------
    >>> warn_if_all_constant(np.array([True, False]), None)
    """
    if len(constant) > 1 and constant.all():
        warnings.warn(
            f"All {len(constant)} features are constant: {type(estimator).__name__} has nothing to choose by, and the "
            "order of the columns decides.",
            UserWarning,
            stacklevel=3,
        )


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
