"""Label matrices: 0, 1, and NaN for unknown."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

from fslib.classes import sorted_classes


class Labels(NamedTuple):
    """A validated label matrix.

    Attributes
    ----------
    values : array of float, shape (n, c)
        0, 1, or NaN for unknown. A copy: the caller's ``y`` is never written to.
    names : array of shape (c,)
        Column names of a DataFrame, class codes of a 1-D ``y``, else 0..c-1.
    """

    values: np.ndarray
    names: np.ndarray

    @property
    def known(self):
        """Mask of the known entries, bool (n, c)."""
        return ~np.isnan(self.values)

    def centred(self):
        """Labels minus the mean of the known ones, (n, c); unknown ones are set to the mean, contributing nothing."""
        return np.nan_to_num(self.values - np.nanmean(self.values, axis=0), nan=0.0)


def check_labels(y, *, name="y"):
    """Read ``y`` as a label matrix and refuse everything else.

    Parameters
    ----------
    y : array, DataFrame or sparse matrix of shape (n, c), or array of shape (n,)
        Two-dimensional: entries 0, 1 or NaN (None, ``pandas.NA`` and masked entries too). Sparse: what is not stored is
        0, that is, known to be absent; an unknown label is a stored NaN. One-dimensional: one class
        code per sample, read as one label per class; with two classes as a single label, the larger code being its
        positive; the same if 0 is the only code: a label without positives.
    name : str
        Its name in error messages.

    Returns
    -------
    Labels

    Raises
    ------
    ValueError
        For other entries, for a column in which nothing is known, and for continuous 1-D targets.

    Examples
    --------
    >>> check_labels([[1, 0], [np.nan, 1]]).known
    array([[ True,  True],
           [False,  True]])
    >>> check_labels(["cat", "dog", "cat"]).values.ravel()
    array([0., 1., 0.])
    """
    if y is None:
        raise ValueError(f"This method requires {name} to be passed, but the target {name} is None.")
    if sparse.issparse(y):  # as scikit-learn has it: what is not stored is 0; an unknown label is a stored NaN
        y = y.toarray()
    elif hasattr(y, "get_columns"):  # polars
        y = pd.DataFrame({column.name: column.to_numpy() for column in y.get_columns()})
    elif hasattr(y, "to_numpy") and not isinstance(y, pd.DataFrame | pd.Series):
        y = y.to_numpy()
    if isinstance(y, np.ma.MaskedArray):  # asarray would uncover what the mask hides
        y = np.where(np.ma.getmaskarray(y), None, np.ma.getdata(y))
    y = y if isinstance(y, pd.DataFrame | pd.Series) else np.asarray(y)
    if y.ndim > 2:
        raise ValueError(f"{name} has {y.ndim} dimensions; it must be (n, c) or (n,).")
    frame = pd.DataFrame(y)
    if y.ndim == 1:
        return _one_label_per_class(frame.iloc[:, 0], name)
    if frame.shape[1] == 0 or frame.shape[0] == 0:
        raise ValueError(f"{name} has shape {frame.shape}: at least one sample and one label are needed.")
    try:
        values = frame.to_numpy(dtype=float, na_value=np.nan, copy=True)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold the numbers 0 and 1, and NaN for unknown: {error}") from error
    wrong = ~(np.isnan(values) | (values == 0) | (values == 1))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise ValueError(
            f"{name} holds {values[row, column]:g} at row {row}, column {frame.columns[column]!r} "
            f"({wrong.sum()} such entries). Labels are 0 and 1, and NaN for unknown: recode -1 as 0, and 0-for-unknown "
            "as NaN."
        )
    empty = np.isnan(values).all(axis=0)
    if empty.any():
        raise ValueError(
            f"No label is known in column(s) {list(frame.columns[empty])} of {name}: nothing can be learned about "
            "them. Drop these columns."
        )
    return Labels(values, frame.columns.to_numpy())


def is_one_dimensional(y):
    """Whether y holds one value per sample; what NumPy can read counts, too.

    Examples
    --------
    >>> is_one_dimensional(["a", "b"]), is_one_dimensional([[0], [1]])
    (True, False)
    """
    return not sparse.issparse(y) and (y if hasattr(y, "ndim") else np.asarray(y)).ndim == 1


def check_label_matrix(y, learner):
    """Read ``y`` as a label matrix for a learner, which predicts one column per label.

    Parameters
    ----------
    y : array, DataFrame or sparse matrix of shape (n, c)
    learner : estimator

    Returns
    -------
    Labels

    Raises
    ------
    ValueError
        If y is one-dimensional: predictions would have another shape and other values than y. Otherwise as
        `check_labels`.

    Examples
    --------
    >>> from fslib.multilabel import MLkNN
    >>> check_label_matrix([[1], [0]], MLkNN()).values.ravel()
    array([1., 0.])
    """
    labels = check_labels(y)
    if is_one_dimensional(y):
        name = type(learner).__name__
        raise ValueError(
            f"y is one-dimensional, but {name} learns several labels and predicts one column of 0 and 1 for each. "
            "Pass y of shape (n, c), such as pandas.get_dummies(y), or use a classifier of one target."
        )
    return labels


def _one_label_per_class(codes, name):
    missing = codes.isna().to_numpy()
    if missing.all():
        raise ValueError(f"Nothing is known in {name}.")
    known = codes[~missing].infer_objects().to_numpy()  # [True, None] and nullable columns become what they hold
    if known.dtype.kind == "f" and np.isinf(known).any():
        raise ValueError(f"Input {name} contains infinity.")
    classes, _ = sorted_classes(known, name)
    positive = classes if len(classes) > 2 else classes[-1:]
    if known.dtype.kind in "biuf" and len(classes) == 1 and classes[0] == 0:
        positive = np.array([1])
    values = np.full((len(codes), len(positive)), np.nan)
    values[~missing] = known[:, None] == positive
    return Labels(values, positive)
