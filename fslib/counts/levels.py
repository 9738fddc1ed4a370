"""Identity encoding of discrete columns: every distinct value becomes a small integer code, no more."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import scipy.sparse as sp
from joblib import effective_n_jobs

from fslib.counts.counter import LevelCounter
from fslib.counts.encoders import encode_array, encode_columns, encode_sparse
from fslib.counts.stretches import stretches
from fslib.counts.threads import run

_ROWS = 16  # features that are worth a thread


@dataclass(frozen=True)
class Levels:
    """Discrete data as codes, one row per column of X.

    Attributes
    ----------
    codes : array of unsigned int, shape (d, n), or CSR array of the same shape
        ``codes[j, i]`` is the level of sample i in column j, below ``n_levels[j]``. Note the transposed layout: what
        selectors read together, a column of X, lies together in memory. If X was sparse, only levels other than 0 are
        stored, and level 0 is the value zero.
    n_levels : array of int, shape (d,)
    """

    codes: np.ndarray | sp.csr_array
    n_levels: np.ndarray
    weights = None  # of the samples; see `fslib.counts.weighted`

    @property
    def is_sparse(self):
        """Whether level 0 is implicit."""
        return sp.issparse(self.codes)

    @property
    def shape(self):
        """Number of samples and of columns, as X has them."""
        return self.codes.shape[::-1]

    @property
    def is_constant(self):
        """Which columns have one level among the samples that were encoded, bool (d,)."""
        n_occurring = self.n_levels
        if self.is_sparse:  # level 0 is always there by name, but a column without zeros does not use it
            n_occurring = n_occurring - (np.diff(self.codes.indptr) == self.codes.shape[1])
        return n_occurring == 1

    def counter(self, *, n_jobs=None):
        """`LevelCounter` of these levels."""
        return LevelCounter(self, n_jobs=n_jobs)

    def column(self, j):
        """Codes of column j as a dense array of the smallest signed type, shape (n,)."""
        kind = np.min_scalar_type(-int(self.n_levels[j]))
        if not self.is_sparse:
            return self.codes[j].astype(kind)
        column = np.zeros(self.codes.shape[1], dtype=kind)
        entries = slice(*self.codes.indptr[j : j + 2])
        column[self.codes.indices[entries]] = self.codes.data[entries]
        return column

    def columns(self, chosen):
        """Levels of some of the columns (an index or boolean array), in that order."""
        chosen = np.arange(len(self.n_levels))[chosen]
        return Levels(self.codes[chosen], self.n_levels[chosen])

    def fits(self, n_samples):
        """Whether so many samples may be copied: yes, they are in memory already."""
        return True

    def take(self, samples, n_threads=1):
        """Levels of some of the samples (an index or boolean array); codes keep their meaning."""
        if self.is_sparse:
            return Levels(self.codes[:, samples], self.n_levels)
        samples = np.arange(self.codes.shape[1])[samples]
        codes = np.empty((len(self.codes), len(samples)), dtype=self.codes.dtype)

        def fill(rows):
            for row, code in zip(self.codes[rows], codes[rows], strict=True):  # all at once would leave columns strided
                row.take(samples, out=code, mode="clip")

        for _ in run([partial(fill, rows) for rows in stretches(len(codes), _ROWS)], n_threads):
            pass
        return Levels(codes, self.n_levels)


def encode_levels(X, *, n_jobs=None):
    """Encode discrete columns by identity.

    Parameters
    ----------
    X : array, DataFrame or scipy sparse, shape (n, d)
        Integers (negative ones too), booleans, strings, categories, mixed columns, or floats that stand for codes.
        In a sparse X the value zero is level 0 of every column and is never stored.
    n_jobs : int or None
        Threads; joblib's meaning. The codes do not depend on it.

    Returns
    -------
    Levels

    Raises
    ------
    ValueError
        If a value is missing or infinite, or a float column with fractional values has more than
        32 distinct values.

    Notes
    -----
    Levels are numbered by sorted value. Integers that span less than 256 are encoded column-parallel in O(n d) with
    one byte per value; other columns are sorted one by one. Peak memory is that of the codes.

    Examples
    --------
    >>> levels = encode_levels(np.array([[-1, 7], [3, 7], [-1, 9]]))
    >>> levels.codes
    array([[0, 1, 0],
           [0, 0, 1]], dtype=uint8)
    >>> levels.n_levels
    array([2, 2])
    """
    if sp.issparse(X):
        encoded = encode_sparse(X)
    elif hasattr(X, "iloc"):
        encoded = _encode_frame(X, effective_n_jobs(n_jobs))
    else:
        X = np.asarray(X)
        if X.ndim != 2:
            raise ValueError(f"X must be two-dimensional (samples, features), got {X.ndim} dimension(s).")
        encoded = encode_array(X, effective_n_jobs(n_jobs)) if X.dtype.kind in "biuf" else encode_columns(X.T)
    return Levels(*encoded)


def _encode_frame(X, n_threads):
    """Encode a frame as an array if its columns share a numeric type, else column by column."""
    kinds = {getattr(dtype, "kind", "O") for dtype in X.dtypes}
    if len(set(X.dtypes)) == 1 and kinds <= set("biuf") and isinstance(X.dtypes.iloc[0], np.dtype):
        return encode_array(X.to_numpy(), n_threads)
    return encode_columns([X.iloc[:, j].to_numpy() for j in range(X.shape[1])], names=X.columns)
