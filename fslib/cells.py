"""Cells of X that an estimator cannot use: the first feature that has one, by name, with the way out."""

import reprlib

import numpy as np
from scipy import sparse


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
                where = f"{kind} in column {name} ({count(n)})"
                return f"Input X contains {where}: leave these rows out, or impute them first."
    return None


def first_not_a_number(X):
    """Message about the first cell that holds neither a number nor nothing, or None.

    Examples
    --------
    >>> first_not_a_number(np.array([[1.0, "high"]], dtype=object))
    "Input X holds 'high' in column 1, which is not a number: encode this feature as numbers, or leave it out."
    """
    for name, cells in _columns(X):
        if getattr(cells.dtype, "kind", "O") in "biuf":
            continue
        for cell in np.asarray(cells, dtype=object):
            if (fault := _fault(cell)) is not None:
                return (
                    f"Input X holds {reprlib.repr(cell)} in column {name}, which is {fault}: encode this feature as "
                    "numbers, or leave it out."
                )
    return None


def _fault(cell):
    """Why a cell is no number, or None if it is one, or empty."""
    import pandas as pd

    try:
        float(cell)
    except OverflowError:
        return "too large for a float"
    except (TypeError, ValueError):
        return None if np.ndim(cell) == 0 and pd.isna(cell) else "not a number"
    return None


def first_with_dates(X):
    """Name of the first column whose type is one of dates, durations or periods, or None.

    Examples
    --------
    >>> import pandas as pd
    >>> first_with_dates(pd.DataFrame({"age": [31], "visit": pd.to_datetime(["2024-05-01"])}))
    "'visit'"
    """
    if hasattr(X, "iloc"):
        import pandas as pd

        types = zip(X.columns, X.dtypes, strict=True)
        found = (c for c, t in types if getattr(t, "kind", "O") in "mM" or isinstance(t, pd.PeriodDtype))
    elif hasattr(X, "get_columns"):  # polars
        found = (name for name, t in X.schema.items() if t.is_temporal())
    else:
        found = [0] if getattr(getattr(X, "dtype", None), "kind", "O") in "mM" else []
    return next(map(repr, found), None)


def count(n):
    """Number of cells in words.

    Examples
    --------
    >>> count(1), count(2)
    ('1 cell', '2 cells')
    """
    return "1 cell" if n == 1 else f"{n} cells"


def _columns(X):
    if hasattr(X, "iloc"):
        yield from ((repr(X.columns[j]), X.iloc[:, j]) for j in range(X.shape[1]))
    elif sparse.issparse(X):
        X = sparse.csc_array(X)
        yield from ((j, X.data[X.indptr[j] : X.indptr[j + 1]]) for j in range(X.shape[1]))
    elif hasattr(X, "get_columns"):  # polars
        yield from ((repr(column.name), column.to_numpy()) for column in X.get_columns())
    else:
        X = np.asarray(X, dtype=object if isinstance(X, list | tuple) else None)  # beside text NaN would become "nan"
        yield from ((j, X[:, j]) for j in range(X.shape[1] if X.ndim == 2 else 0))


def _empty_and_infinite(cells):
    import pandas as pd

    empty = np.asarray(pd.isna(cells), dtype=bool)
    try:
        numbers = np.asarray(cells[~empty], dtype=float)
    except (TypeError, ValueError, OverflowError):
        return int(empty.sum()), 0
    return int(empty.sum()), int(np.isinf(numbers).sum())
