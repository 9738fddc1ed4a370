"""Classes of a target as codes, whatever type they come in."""

import numbers
from decimal import Decimal

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from fslib.inputs import missing_in

_FIRST = 1 << 12  # samples among which most often all classes occur


def encode_classes(y):
    """Distinct classes, sorted, and for each sample the position of its class among them.

    Parameters
    ----------
    y : array of shape (n,)

    Returns
    -------
    classes : array of shape (c,)
    codes : array of int, shape (n,)

    Raises
    ------
    ValueError
        If y holds one class only, classes that cannot be sorted together, or measurements.

    Examples
    --------
    >>> encode_classes(np.array(["spam", "ham", "spam"]))
    (array(['ham', 'spam'], dtype='<U4'), array([1, 0, 1]))
    """
    classes, codes = sorted_classes(y)
    if len(classes) < 2:
        raise ValueError(f"y holds one class only ({classes.tolist()[0]!r}): there is nothing to learn.")
    return classes, codes


def sorted_classes(y, name="y"):
    """Distinct classes, sorted, and the position of each sample's class among them; one class is allowed.

    Parameters
    ----------
    y : array of shape (n,)
    name : str
        Its name in error messages.

    Returns
    -------
    classes : array of shape (c,)
    codes : array of int, shape (n,)

    Raises
    ------
    ValueError
        If y holds classes that cannot be sorted together, or measurements.

    Examples
    --------
    >>> sorted_classes(np.array(["spam", 3], dtype=object))
    Traceback (most recent call last):
    ValueError: y mixes classes without a common order (int, str): make all of them text, or all numbers.
    """
    y = plain_type(y)
    if y.ndim == 1 and y.dtype.kind in "iu" and len(y):
        low, high = int(y.min()), int(y.max())
        if high - low < min(1 << 16, len(y) // 2) and abs(low) < 2**62 and high < 2**62:
            offset = np.subtract(y, low, dtype=np.int64, casting="unsafe")  # few whole numbers: marked, not sorted
            present = np.zeros(high - low + 1, dtype=bool)
            present[offset[:_FIRST]] = True
            if not present.all():
                present[offset] = True
            classes = (np.flatnonzero(present) + low).astype(y.dtype)
            return classes, offset if present.all() else (np.cumsum(present) - 1)[offset]
    try:
        classes, codes = np.unique(y, return_inverse=True)
    except TypeError as error:
        if (missing := missing_in(y)) is not None:
            raise ValueError(missing) from error
        kinds = ", ".join(sorted({type(label).__name__ for label in y}))
        raise ValueError(
            f"{name} mixes classes without a common order ({kinds}): make all of them text, or all numbers."
        ) from error
    if y.dtype == object and not isinstance(classes[0], str):  # scikit-learn would take them for measurements
        kind = type(classes[0]).__name__
        raise ValueError(
            f"{name} holds {kind} objects, which are not classes: make text of them, by str(), or numbers."
        )
    check_classification_targets(y)
    return classes, codes


def join_classes(blocks):
    """Classes of several blocks of rows, one after the other.

    Parameters
    ----------
    blocks : list of array of shape (m,)
        Those without rows may be of any type.

    Returns
    -------
    array of shape (n,)

    Raises
    ------
    ValueError
        If blocks hold different kinds, such as numbers and text: joined, all would become text.

    Examples
    --------
    >>> join_classes([np.array([0, 1]), np.array([1])])
    array([0, 1, 1])
    """
    blocks = [block for block in blocks if len(block)]
    names = dict.fromkeys("biuf", "numbers") | dict.fromkeys("mM", "dates")
    if len(kinds := sorted({names.get(plain_type(block).dtype.kind, "text") for block in blocks})) > 1:
        raise ValueError(f"y holds {' and '.join(kinds)} in different blocks: make them alike.")
    return np.concatenate(blocks) if blocks else np.empty(0)


def plain_type(y):
    """Give numbers or truth values that are stored as Python objects as an array of their own type.

    Parameters
    ----------
    y : array of shape (n,)

    Returns
    -------
    array of shape (n,)

    Examples
    --------
    >>> plain_type(np.array([1, 0], dtype=object)).dtype.kind
    'i'
    """
    y = np.asarray(y)
    if y.dtype != object or y.ndim != 1 or not len(y):
        return y
    kinds = {type(value) for value in y}
    if kinds <= {bool, np.bool_} or all(issubclass(kind, numbers.Integral) for kind in kinds - {bool}):
        return np.array(y.tolist())
    is_number = all(issubclass(kind, numbers.Real | Decimal) for kind in kinds)
    return y.astype(float) if is_number and not kinds & {bool, np.bool_} else y


def one_versus_rest(codes, low=-1.0):
    """Label matrix (n, P): 1 at the class of each row, ``low`` elsewhere.

    Examples
    --------
    >>> one_versus_rest(np.array([0, 2, 1]))
    array([[ 1., -1., -1.],
           [-1., -1.,  1.],
           [-1.,  1., -1.]])
    """
    return np.where(codes[:, None] == np.arange(codes.max() + 1), 1.0, low)
