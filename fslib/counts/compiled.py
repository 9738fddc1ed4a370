"""Kernels that Numba compiles for large tables: whether there are some, and the levels that they find.

Numba is optional (the extra ``fast``). Its kernels are compiled once and kept on disk; to load them takes
about half a second, so they are for tables on which they save more.
"""

import sys
import warnings
from functools import lru_cache, partial
from importlib.util import find_spec

import numpy as np

from fslib.counts.threads import run, shares

LARGE = 100_000_000
"""Values of X from which kernels are loaded."""

_TYPES = "?bBhHiIlLqQfd"  # of numbers that kernels read, by their characters in NumPy


def kernels(n_values):
    """Compiled kernels for a table of so many values, or None if it is too small for them or Numba is missing."""
    return load() if n_values >= LARGE else None


@lru_cache(maxsize=1)
def load():
    """Module of the kernels, or None if they cannot be used here; a Numba that does not work is warned of."""
    if sys.byteorder != "little" or find_spec("numba") is None:
        return None
    try:
        from fslib.counts import numba_kernels
    except Exception as error:  # a broken Numba, one for another NumPy, or no folder to keep what is compiled
        warnings.warn(
            f"Numba cannot be used ({type(error).__name__}: {error}), so large tables are counted by NumPy, which "
            "takes several times as long: reinstall Numba, or remove it.",
            UserWarning,
            stacklevel=2,
        )
        return None
    return numba_kernels if numba_kernels.ARE_COMPILED else None


def can_read(X):
    """Whether kernels read the rows of an array."""
    return X.dtype.char in _TYPES and X.dtype.isnative and X.flags.c_contiguous and X.flags.aligned


def find_levels(X, n_threads):
    """Smallest value and number of levels of each column.

    Parameters
    ----------
    X : array, shape (n, d), in C order
    n_threads : int

    Returns
    -------
    low : array, shape (d,)
        Of the dtype of X.
    n_levels : array of int, shape (d,)
        None instead of both if a column has values that are not whole, or more than 16, or leaves some out.
    """
    scan_rows = load().scan_rows

    def scan(rows):
        rows = X[rows]
        low, high, seen = rows[0].copy(), rows[0].copy(), np.zeros(X.shape[1], dtype=np.uint16)
        whole = np.ones(X.shape[1] if X.dtype.kind == "f" else 0, dtype=bool)
        scan_rows(rows, low, high, seen, whole)
        return low, high, seen, whole

    parts = [partial(scan, rows) for rows in shares(len(X), n_threads)]
    low, high, seen, whole = zip(*run(parts, n_threads), strict=True)
    low, high, seen = np.minimum.reduce(low), np.maximum.reduce(high), np.bitwise_or.reduce(seen)
    if not np.logical_and.reduce(whole).all() or not max(abs(float(low.min())), abs(float(high.max()))) < 2.0**62:
        return None
    n_levels = high.astype(np.int64) - low.astype(np.int64) + 1
    return (low, n_levels) if (n_levels <= 16).all() and (np.bitwise_count(seen) == n_levels).all() else None
