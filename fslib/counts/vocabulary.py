"""The distinct values of columns that are read block by block, and their codes: the same as `encode_levels` gives."""

import numpy as np
import pandas as pd

from fslib.counts.encoders import distinct_values, order_values, refuse_measurements, refuse_missing

_LOOKUP = 1 << 16  # largest range of whole numbers that is looked up


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

    def add(self, column):
        """Take up the values of a block.

        Parameters
        ----------
        column : array of shape (m,)

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
        distinct = distinct_values(column) if kind == "number" else list(set(column.tolist()))
        refuse_missing(distinct, self.name)
        new = set(distinct.tolist() if kind == "number" else distinct)
        if not new <= self.values:
            self.values |= new
            if kind == "number" and column.dtype.kind == "f":
                refuse_measurements(sorted(self.values), self.name)

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
            self._known = np.full(int(self.values[-1] - self.values[0]) + 1, -1, dtype=np.int32)
            self._known[(self.values - self.values[0]).astype(np.intp)] = np.arange(len(self.values))

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
        column : array of shape (m,)

        Returns
        -------
        array of int, shape (m,)

        Raises
        ------
        ValueError
            If it holds a value that the first pass has not seen.
        """
        if self.kind != "number":
            codes = self._known.get_indexer(column)
            seen = codes >= 0
        elif self._known is not None:
            offset = column.astype(np.int64) - int(self.values[0])
            codes = self._known.take(offset, mode="clip")
            seen = self.values.take(codes, mode="clip") == column
        else:
            codes = np.searchsorted(self.values, column)
            seen = self.values.take(codes, mode="clip") == column
        if not seen.all():
            raise ValueError(
                f"Column {self.name} of X holds {column[~seen][0]!r}, which was not there in the first pass: the "
                "source must give the same rows each time it is read."
            )
        return codes
