"""Views of one data matrix: the notations for them, and their validation."""

from collections.abc import Iterable, Mapping
from numbers import Integral

import numpy as np

NOTATIONS = "a list of slices, index lists, masks or column-name lists, or one whole number per column"


def parse_views(views, n_features, feature_names=None):
    """Turn any notation for views into lists of column indices.

    Views partition the columns: every column belongs to exactly one.

    Parameters
    ----------
    views : None, list, dict, or int array of shape (d,)
        ``None``: all columns are one view. A list (or the values of a dict) of slices, of lists of column indices, of
        masks (one truth value per column), or of lists of column names. An int array with one entry per column: the
        code of its view. A slice that ends beyond the last column is an error: usually an earlier step dropped columns.
    n_features : int
        Number of columns d.
    feature_names : array of str, optional
        Column names, needed for views by name.

    Returns
    -------
    list of int arrays
        The columns of each view, ascending; views given as codes come in the order of the codes.

    Raises
    ------
    ValueError
        If views overlap, leave out columns, are empty, name columns that do not exist, or are none of the above.

    Examples
    --------
    >>> parse_views([slice(0, 2), [3, 2]], 4)
    [array([0, 1]), array([2, 3])]
    >>> parse_views(np.array([7, 5, 7]), 3)
    [array([1]), array([0, 2])]
    >>> parse_views({"shape": ["area"], "colour": ["red", "blue"]}, 3, feature_names=["red", "area", "blue"])
    [array([1]), array([0, 2])]
    """
    if views is None:
        return [np.arange(n_features)]
    if not isinstance(views, Iterable):
        raise ValueError(f"views={views!r} must be {NOTATIONS}, or None.")
    views = list(views.values()) if isinstance(views, Mapping) else list(views)
    if not views:
        raise ValueError("views is empty; give at least one view, or None for a single view of all columns.")
    if all(isinstance(code, (Integral, np.bool_)) for code in views):
        if len(views) != n_features:
            raise ValueError(f"views has {len(views)} codes but X has {n_features} columns; give {NOTATIONS}.")
        codes = np.asarray(views)
        return [np.flatnonzero(codes == code) for code in np.unique(codes)]
    columns = [_columns(view, v, n_features, feature_names) for v, view in enumerate(views)]
    _check_partition(columns, n_features)
    return columns


def _columns(view, v, n_features, feature_names):
    """Column indices of one view, ascending."""
    if isinstance(view, slice):
        for bound in (view.start, view.stop):
            if bound is not None and not (isinstance(bound, Integral) and abs(bound) <= n_features):
                raise ValueError(
                    f"view {v} is {view}, but X has {n_features} columns; give positions among them. "
                    "If a step before drops columns, give column-name lists of those that stay."
                )
        columns = np.arange(n_features)[view]
    elif _is_mask(view):
        if len(view) != n_features:
            raise ValueError(
                f"view {v} is a mask of {len(view)} columns, but X has {n_features}; give one value for each."
            )
        columns = np.flatnonzero(view)
    elif isinstance(view, str):
        raise ValueError(f"view {v} is the string {view!r}; a view by name is a list of column names.")
    elif not isinstance(view, Iterable):
        raise ValueError(f"view {v} is {view!r}; views must be {NOTATIONS}.")
    else:
        columns = np.array([_column(item, v, n_features, feature_names) for item in view], dtype=np.intp)
    if len(columns) == 0:
        raise ValueError(f"view {v} holds no column of X ({n_features} columns); remove it or correct it.")
    return np.sort(columns)


def _is_mask(view):
    """Whether a view is an array or list of truth values."""
    if isinstance(view, str | slice) or not isinstance(view, Iterable):
        return False
    return getattr(getattr(view, "dtype", None), "kind", "") == "b" or (
        isinstance(view, list | tuple) and len(view) > 0 and all(isinstance(item, bool | np.bool_) for item in view)
    )


def _column(item, v, n_features, feature_names):
    """Index of one column given by index or by name."""
    if isinstance(item, str):
        if feature_names is None:
            raise ValueError(
                f"view {v} names column {item!r}, but X has no column names; pass a DataFrame "
                "(inside a Pipeline: set_output(transform='pandas')) or give indices."
            )
        found = np.flatnonzero(np.asarray(feature_names) == item)
        if len(found) == 0:
            raise ValueError(
                f"view {v} names column {item!r}, which X does not have; correct it, or leave it out "
                "if a step before drops it."
            )
        return found[0]
    if not isinstance(item, Integral) or isinstance(item, (bool, np.bool_)):
        raise ValueError(f"view {v} holds {item!r}; a view is a slice, a list of column indices or of column names.")
    if not 0 <= item < n_features:
        raise ValueError(f"view {v} holds column {item}, but the columns of X are 0 to {n_features - 1}.")
    return item


def _check_partition(columns, n_features):
    times = np.bincount(np.concatenate(columns), minlength=n_features)
    if (times > 1).any():
        raise ValueError(f"views overlap: columns {_some(times > 1)} occur more than once; keep each in one view.")
    if (times == 0).any():
        raise ValueError(
            f"columns {_some(times == 0)} are in no view; add them to one, or drop them from X before fitting."
        )


def _some(mask, at_most=5):
    found = np.flatnonzero(mask).tolist()
    return str(found) if len(found) <= at_most else f"{found[:at_most]} and {len(found) - at_most} more"
