"""Validation of X and y with messages that name the feature, the cause and the way out."""

import warnings

import numpy as np
from scipy import sparse
from sklearn.utils.validation import validate_data


def validate(estimator, X, y="no_validation", **options):
    """Validate X and y by scikit-learn's ``validate_data``, and say more where it refuses.

    Parameters
    ----------
    estimator : estimator
    X, y
        As passed to ``fit``.
    **options
        Passed on to ``sklearn.utils.validation.validate_data``.

    Returns
    -------
    X, or X and y
        As ``validate_data`` returns them.

    Raises
    ------
    ValueError
        With the name of the first feature that holds NaN or infinity, and for a two-dimensional y with the methods
        that take several labels.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.base import BaseEstimator
    >>> validate(BaseEstimator(), pd.DataFrame({"age": [31.0, None], "size": [1.0, 2.0]}))
    Traceback (most recent call last):
    ValueError: Input X contains NaN in column 'age' (1 cell): leave these rows out, or impute them first.
    """
    try:
        return validate_data(estimator, X, y, **options)
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


def first_not_finite(X):
    """Message about the first column with a cell that is no finite number, or None.

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
