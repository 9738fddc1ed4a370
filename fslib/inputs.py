"""Validation of X, y and parameters with messages that name the feature, the cause and the way out."""

import reprlib
import warnings
from contextlib import contextmanager

import numpy as np
from scipy import sparse
from sklearn.utils.validation import validate_data

from fslib.cells import count, first_not_a_number, first_not_finite, first_with_dates
from fslib.parameters import check_parameters


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
        For a parameter of the wrong kind;
        with the name of the first feature that holds NaN or infinity, or numbers whose squares are out of range; with
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
    if options.get("reset", True):
        check_parameters(estimator)
    with explaining(estimator, X, y):
        found = validate_data(estimator, _words_as_objects(X), plain_target(y), **options)
        checked = _canonical(found[0] if isinstance(found, tuple) else found)
        if checked.dtype == object and options.get("dtype", "numeric") == "numeric":
            checked = checked.astype(float)  # a frame of categories, which scikit-learn leaves as they are
        if not any_size:
            refuse_extremes(checked, X)
        return (checked, *found[1:]) if isinstance(found, tuple) else checked


LARGEST, SMALLEST = np.sqrt(np.finfo(float).max) / 1e3, np.sqrt(np.finfo(float).tiny)
"""Numbers of double precision beyond these have squares, and sums of squares, that are infinite or zero."""


@contextmanager
def explaining(estimator, X, y=None):
    """Refuse an X that cannot be read, and say which feature or target is meant where a validation inside fails.

    Parameters
    ----------
    estimator : estimator
    X, y
        As passed to ``fit``.

    Raises
    ------
    ValueError or TypeError

    Examples
    --------
    >>> from sklearn.preprocessing import StandardScaler
    >>> X = [[1.0, 2.0], [1.0, "low"]]
    >>> with explaining(StandardScaler(), X):
    ...     StandardScaler().fit(X)
    Traceback (most recent call last):
    ValueError: Input X holds 'low' in column 1, which is not a number: encode this feature as numbers, or leave it out.
    """
    _refuse_unreadable(X)
    try:
        yield
    except (ValueError, TypeError, OverflowError) as error:
        message = _in_other_words(str(error), type(estimator).__name__, X, y)
        if message is None:
            raise
        kind = TypeError if "float() argument" in message else ValueError
        raise kind(message) from error


def _refuse_unreadable(X):
    if X is None or type(X) in (str, dict):  # not isinstance: a matrix of dictionary of keys is a dict, too
        raise ValueError(f"X is {reprlib.repr(X)}: it must be an array or a table of samples by features, 2D.")
    if hasattr(X, "iloc") and X.ndim == 1:
        raise ValueError("Expected a 2D X, got a Series: one feature is X.to_frame(), one sample X.to_frame().T.")
    if isinstance(X, list | tuple) and (found := first_not_finite(X)) is not None:  # scikit-learn lets None pass here
        raise ValueError(found)
    refuse_masked(X)
    if (name := first_with_dates(X)) is not None:
        raise ValueError(
            f"X holds dates or durations in column {name}: make numbers of them, such as days since the first date, or "
            "leave this feature out."
        )
    if not hasattr(X, "iloc"):
        return
    if X.shape[1] == 0:
        raise ValueError(f"Found a table with 0 feature(s) (shape={X.shape}) while a minimum of 1 is required.")
    if X.columns.has_duplicates:
        twice = X.columns[X.columns.duplicated()].tolist()[0]
        raise ValueError(f"X has several features called {twice!r}: rename them, or leave all but one out.")


_MISSING = ("contains NaN", "contains infinity", "NAType", "NaTType", "value of NA is ambiguous")
_NO_NUMBER = ("to float", "float() argument", "not compatible with arrays of bytes/strings", "with a sequence")


def _in_other_words(error, name, X, y):
    """What an error of a validation means, or None if it says so itself."""
    if "y should be a 1d array" in error or "Sparse data was passed for y" in error:
        return (
            f"{error} {name} takes one target; for several labels use fslib.multilabel, "
            "or choose features for each label in turn."
        )
    if "inhomogeneous" in error:  # rows of different length have no columns
        return None
    if any(words in error for words in _MISSING) and "Input y" not in error and "sample_weight" not in error:
        return first_not_finite(X) or missing_in(y)
    if not any(words in error for words in _NO_NUMBER):
        return None
    found = first_not_a_number(X)
    return f"{found} ({error})" if found and ("float() argument" in error or "too large" in error) else found


def missing_in(y):
    """Message about classes that are not known, or None.

    Examples
    --------
    >>> missing_in(["a", None])
    'Input y contains NaN (1 cell): leave these rows out.'
    """
    import pandas as pd

    n = 0 if y is None else int(pd.isna(np.asarray(y, dtype=object)).sum())
    return f"Input y contains NaN ({count(n)}): leave these rows out." if n else None


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


def check_features(X):
    """Refuse what cannot hold features, before anything is read from it.

    Parameters
    ----------
    X : array or frame of NumPy, pandas or Dask

    Raises
    ------
    ValueError
        If X is not two-dimensional, has no column, or holds complex or masked numbers.

    Examples
    --------
    >>> check_features(np.ones(3))
    Traceback (most recent call last):
    ValueError: X must be two-dimensional (samples, features), got 1 dimension(s).
    """
    refuse_masked(X)
    if X.ndim != 2:
        raise ValueError(f"X must be two-dimensional (samples, features), got {X.ndim} dimension(s).")
    if not X.shape[1]:
        raise ValueError("X has no features.")
    if any(getattr(dtype, "kind", "O") == "c" for dtype in (X.dtypes if hasattr(X, "dtypes") else [X.dtype])):
        raise ValueError("X is complex: pass real numbers.")


def plain_target(y):
    """Give y as scikit-learn takes it.

    Parameters
    ----------
    y : object

    Returns
    -------
    object
        The same, except that words of variable width are objects.

    Raises
    ------
    ValueError
        For masked entries and for dates.

    Examples
    --------
    >>> plain_target(np.array(["a", "b"], dtype=np.dtypes.StringDType()))
    array(['a', 'b'], dtype=object)
    """
    refuse_masked(y, "y")
    if isinstance(y, list | tuple) and (found := missing_in(y)) is not None:  # an array of text would say "nan"
        raise ValueError(found)
    kind = getattr(getattr(y, "dtype", None), "kind", "")
    if kind in ("M", "m"):
        raise ValueError("y holds dates or durations, which are not classes: convert them to classes or numbers.")
    return _words_as_objects(y)


def _words_as_objects(values):
    """NumPy's words of variable width as objects; anything else as it is."""
    return values.astype(object) if getattr(getattr(values, "dtype", None), "kind", "") == "T" else values


def _canonical(X):
    """Sparse X with sorted indices, of 32 bits where they fit, and without entries that stand twice; in a copy."""
    if not sparse.issparse(X) or X.format not in ("csr", "csc"):
        return X
    if X.indices.dtype != np.int32 and max(X.nnz, *X.shape) < 2**31:  # liblinear and trees of scikit-learn need it
        X = type(X)((X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), shape=X.shape)
    if X.has_canonical_format:
        return X
    X = X.copy()
    X.sum_duplicates()
    return X


def refuse_extremes(X, original):
    """Refuse features whose squares overflow or vanish: means and variances of them are infinite, NaN or zero.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    original : array, DataFrame or sparse matrix of shape (n, d)
        X as passed by the caller, with names if it has some.

    Raises
    ------
    ValueError

    Examples
    --------
    >>> refuse_extremes(np.array([[1e100]]), None)
    """
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


SEEN_BY_TREES = 1e-7
"""Values of a feature that differ by less are equal for the trees of scikit-learn."""


def check_for_trees(estimator, X):
    """Refuse features that trees of scikit-learn, which work in single precision, cannot hold or hardly tell apart.

    Parameters
    ----------
    estimator : estimator
        With ``feature_names_in_`` if X had names.
    X : array or sparse matrix of shape (n, d)

    Raises
    ------
    ValueError
        If a feature is too large, or if no feature that varies does so by more than `SEEN_BY_TREES`.

    Examples
    --------
    >>> from sklearn.base import BaseEstimator
    >>> check_for_trees(BaseEstimator(), np.array([[0.0], [1e-9]]))
    Traceback (most recent call last):
    ValueError: No feature of X varies by more than 1e-07, which trees do not see: scale the features first.
    """
    high, low = X.max(axis=0), X.min(axis=0)
    if sparse.issparse(X):
        high, low = high.toarray().ravel(), low.toarray().ravel()
    size, spread = np.maximum(high, -low), high - low
    if (size > np.finfo(np.float32).max).any():
        j = int(np.argmax(size))
        name = repr(estimator.feature_names_in_[j]) if hasattr(estimator, "feature_names_in_") else j
        raise ValueError(
            f"Input X contains numbers as large as {size[j]:.3g} in column {name}, which trees cannot hold: scale the "
            "features first."
        )
    if 0 < spread.max() <= SEEN_BY_TREES:
        raise ValueError(
            f"No feature of X varies by more than {SEEN_BY_TREES:g}, which trees do not see: scale the features first."
        )


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
