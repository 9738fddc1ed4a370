"""Levels of columns that are read block by block: distinct values, with the codes of `encode_levels`, or cuts."""

import numpy as np
import pandas as pd

from fslib.counts.encoders import distinct_values, order_values, refuse_measurements, refuse_missing
from fslib.counts.words import CodedWords

_LOOKUP = 1 << 16  # largest range of whole numbers that is looked up
_EXACT = {2: 2**11, 4: 2**24, 8: 2**53}  # whole numbers below this are exact in a float of so many bytes


class Vocabulary:
    """Distinct values of one column, gathered over blocks.

    Parameters
    ----------
    name : object
        Of the column, for messages.

    Examples
    --------
    >>> words = Vocabulary("colour")
    >>> words.add(np.array(["red", "blue"], dtype=object))
    >>> words.add(np.array(["green"], dtype=object))
    >>> words.close()
    >>> words.encode(np.array(["red", "blue", "red"], dtype=object))
    array([2, 0, 2])
    """

    def __init__(self, name):
        self.name = name
        self.values = set()
        self.kind = None
        self._known = None
        self._run = None  # two whole numbers: they and all between them are known

    def add(self, column):
        """Take up the values of a block.

        Parameters
        ----------
        column : array of shape (m,), or CodedWords

        Raises
        ------
        ValueError
            If a value is missing or infinite, or there are too many with fractions for a discrete feature.
        """
        kind = "number" if column.dtype.kind in "biuf" else "other"
        if self.kind not in (None, kind):
            raise ValueError(
                f"Column {self.name} of X holds numbers in one block and text in another: make them alike."
            )
        self.kind = kind
        if self._is_known(column):
            return
        words = column.words if isinstance(column, CodedWords) else column
        distinct = distinct_values(column) if kind == "number" else list(set(words.tolist()))
        refuse_missing(distinct, self.name)
        new = set(distinct.tolist() if kind == "number" else distinct)
        if not new <= self.values:
            self.values |= new
            if kind == "number" and column.dtype.kind == "f":
                refuse_measurements(sorted(self.values), self.name)
        if kind == "number":
            low, high = min(self.values), max(self.values)
            whole = high - low == len(self.values) - 1 and all(v == int(v) for v in self.values)
            self._run = (low, high) if whole else None

    def _is_known(self, column):
        """Whether a block of whole numbers lies in a gapless range of known ones: no more to find, at little cost."""
        if self._run is None or not (self._run[0] <= column.min() and column.max() <= self._run[1]):
            return False
        return column.dtype.kind != "f" or bool((np.trunc(column) == column).all())

    def merge(self, other):
        """Take up the values of another vocabulary of the same column."""
        if other.kind is None:
            return
        if self.kind not in (None, other.kind):
            raise ValueError(
                f"Column {self.name} of X holds numbers in one block and text in another: make them alike."
            )
        self.kind = other.kind
        self.values |= other.values
        if self.kind == "number":
            refuse_measurements(sorted(self.values), self.name)

    def close(self):
        """End the first pass: number the values in their order."""
        self.values = np.array(sorted(self.values)) if self.kind == "number" else order_values(self.values)
        if self.kind != "number":
            self._known = pd.Index(self.values, dtype=object)
        elif self._fits_lookup():
            offset, n = (self.values - self.values[0]).astype(np.intp), len(self.values)
            self._known = np.full(offset[-1] + 1, n, dtype=np.min_scalar_type(n))  # n stands for unknown
            self._known[offset] = np.arange(n)

    def _fits_lookup(self):
        """Whether whole numbers within int64 lie so close that a table of codes is small; in exact arithmetic."""
        low, high = self.values[0], self.values[-1]
        if not (-(2**63) <= low and high < 2**63 and (self.values == np.trunc(self.values)).all()):
            return False
        return int(high) - int(low) < _LOOKUP

    def __len__(self):
        return len(self.values)

    def encode(self, column):
        """Codes of a block.

        Parameters
        ----------
        column : array of shape (m,), or CodedWords

        Returns
        -------
        array of int, shape (m,)

        Raises
        ------
        ValueError
            If it holds a value that the first pass has not seen.
        """
        if isinstance(column, CodedWords) and self.kind != "number":
            of_words = self._known.get_indexer(column.words)
            if (of_words >= 0).all():
                return of_words.take(column.codes)
            column = np.asarray(column)
        if self.kind != "number":
            codes = self._known.get_indexer(column)
            seen = codes >= 0
        elif self._known is not None:
            codes, seen = self._look_up(column)
        else:
            codes = np.searchsorted(self.values, column)
            seen = self.values.take(codes, mode="clip") == column
        if not np.all(seen):
            raise ValueError(
                f"Column {self.name} of X holds {column[~seen][0]!r}, which was not there in the first pass: the "
                "source must give the same rows each time it is read."
            )
        return codes

    def _look_up(self, column):
        """Codes of whole numbers by a table, and whether they are known: for each, or True."""
        low, high = int(self.values[0]), int(self.values[-1])
        if column.dtype.kind == "b":
            column = column.view(np.uint8)
        offset = _offset(column, low, high)
        if offset is None:
            with np.errstate(invalid="ignore"):  # infinity is no whole number; it is found below
                offset = column.astype(np.int64) - low
            codes = self._known.take(offset, mode="clip")
            return codes, self.values.take(codes, mode="clip") == column
        if len(self.values) == len(self._known):  # without gaps the offset is the code
            return offset, True
        codes = self._known.take(offset)
        seen = codes < len(self.values)
        return codes, seen.all() or seen


class CutLevels:
    """Levels of a column of measurements that is read block by block; used like a `Vocabulary`.

    Parameters
    ----------
    cuts : array of shape (2,)
    name : object
        Of the column, for messages.

    Examples
    --------
    >>> levels = CutLevels(np.array([1.0, 5.0]), "size")
    >>> levels.add(np.array([0.5, 7.0]))
    >>> levels.close()
    >>> len(levels), levels.encode(np.array([7.0, 0.5, 0.7]))      # no value between the cuts, so two levels
    (2, array([1, 0, 0], dtype=uint8))
    """

    def __init__(self, cuts, name):
        self.cuts, self.name = cuts, name
        self._occurring = np.zeros(3, dtype=bool)

    def _level(self, column):
        return np.add(column >= self.cuts[0], column >= self.cuts[1], dtype=np.uint8)

    def add(self, column):
        """Note the levels of a block."""
        if not self._occurring.all():
            self._occurring |= np.bincount(self._level(column), minlength=3) > 0

    def close(self):
        """End the first pass: number the levels that occur."""
        self._code = (np.cumsum(self._occurring) - 1).astype(np.uint8)

    def __len__(self):
        return int(self._occurring.sum())

    def encode(self, column):
        """Codes of a block."""
        level = self._level(column)
        return level if self._occurring.all() else self._code.take(level)


def _offset(column, low, high):
    """Whole numbers minus ``low`` as small unsigned integers; None if some are not in the range or not whole."""
    kind = np.min_scalar_type(high - low)
    if not len(column) or not (low <= column.min() and column.max() <= high):
        return np.empty(0, dtype=kind) if not len(column) else None
    if column.dtype.kind == "f":
        if max(abs(low), abs(high)) >= _EXACT.get(column.dtype.itemsize, 0):
            return None
        difference = column - column.dtype.type(low)
        offset = difference.astype(kind)
        return offset if (offset == difference).all() else None
    if np.can_cast(kind, f"u{column.dtype.itemsize}"):
        # Modulo 2**bits, where the true difference fits, even if low itself does not.
        unsigned = column.view(column.dtype.str.replace("i", "u"))
        return (unsigned - unsigned.dtype.type(low % (1 << 8 * column.dtype.itemsize))).astype(kind, copy=False)
    return (column.astype(np.int64) - low).astype(kind)
