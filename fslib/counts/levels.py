"""Identity encoding of discrete columns: every distinct value becomes a small integer code, no more."""

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import scipy.sparse as sp
from joblib import effective_n_jobs

from fslib.counts import compiled
from fslib.counts.counter import LevelCounter
from fslib.counts.encoders import encode_array, encode_columns, encode_sparse
from fslib.counts.stretches import stretches
from fslib.counts.threads import empty, run, shares

_ROWS = 16  # features that are worth a thread
_SAMPLES = 1 << 12  # samples copied at a time, in cache


@dataclass(eq=False)
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
    X = None  # rows to read instead of codes, see `RowLevels`
    n_bytes_spared = 0  # of codes that were not made

    @property
    def n_bytes(self):
        """Bytes of the codes of all samples."""
        return self.codes.nbytes

    @property
    def kernels(self):
        """Compiled kernels that count these levels, or None; see `fslib.counts.compiled`."""
        return None if self.is_sparse else compiled.kernels(self.codes.size)

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


class RowLevels(Levels):
    """`Levels` of a large table whose bits are packed from its rows; codes are made when they are asked for.

    Parameters
    ----------
    X : array, shape (n, d), in C order
    low : array, shape (d,)
        Smallest value of each column, which is level 0.
    n_levels : array of int, shape (d,)
        At most 16; all values from the smallest to the largest occur.
    n_threads : int
        For codes.
    chosen : array of int, optional
        The columns of X that are meant, by default all.
    """

    is_sparse = False

    def __init__(self, X, low, n_levels, n_threads, chosen=None):
        self.X, self.low, self.n_levels, self.n_threads = X, low, n_levels, n_threads
        self.chosen = np.arange(len(n_levels)) if chosen is None else chosen

    @classmethod
    def of(cls, X, n_threads):
        """Levels of an array of numbers; None if it is not large, or has columns of other values than the above."""
        kernels = compiled.kernels(X.size)
        if kernels is None or not compiled.can_read(X):
            return None
        X = X.view(np.uint8) if X.dtype == bool else X
        found = compiled.find_levels(X, n_threads)
        return None if found is None else cls(X, *found, n_threads)

    @cached_property
    def codes(self):
        """Codes (d, n)."""
        out = empty(self.shape[::-1], np.uint8, self.n_threads)

        def fill(part):
            for start in range(part.start, part.stop, _SAMPLES):
                samples = np.arange(start, min(start + _SAMPLES, part.stop))
                out[:, start : start + len(samples)] = self._rows_of(samples).T

        list(run([partial(fill, part) for part in shares(out.shape[1], self.n_threads)], self.n_threads))
        return out

    def _rows_of(self, samples, out=None):
        """Codes of some samples (array of int, shape (m,)), shape (m, d)."""
        out = np.empty((len(samples), len(self.chosen)), dtype=np.uint8) if out is None else out
        self.kernels.take_rows(*self.rows(slice(None)), samples, out)
        return out

    @property
    def shape(self):
        """Number of samples and of columns."""
        return len(self.X), len(self.chosen)

    @property
    def kernels(self):
        """Compiled kernels that count these levels."""
        return compiled.load()

    @property
    def n_bytes_spared(self):
        """Bytes that bits may take, since codes were not made: half of these."""
        return 0 if "codes" in vars(self) else self.n_bytes // 2

    @property
    def n_bytes(self):
        """Bytes that the codes of all samples take."""
        return self.shape[0] * self.shape[1]

    def column(self, j):
        """Codes of column j as a dense array of the smallest signed type, shape (n,)."""
        out = np.empty(len(self.X), dtype=np.min_scalar_type(-int(self.n_levels[j])))

        def fill(part):
            out[part] = self.X[part, self.chosen[j]] - self.low[j]

        list(run([partial(fill, part) for part in shares(len(out), self.n_threads)], self.n_threads))
        return out

    def rows(self, columns):
        """X, and of some of the columns (array of int) the smallest values and their places in X."""
        return self.X, self.low[columns], self.chosen[columns]

    def take(self, samples, n_threads=1):
        """Levels of some of the samples (an index or boolean array); codes keep their meaning."""
        samples = np.arange(len(self.X))[samples]
        out = np.empty((len(samples), len(self.chosen)), dtype=np.uint8)
        parts = [partial(self._rows_of, samples[part], out[part]) for part in stretches(len(samples), _SAMPLES)]
        list(run(parts, n_threads))
        return RowLevels(out, np.zeros(out.shape[1], dtype=np.uint8), self.n_levels, n_threads)

    def columns(self, chosen):
        """Levels of some of the columns (an index or boolean array), in that order."""
        chosen = np.arange(len(self.n_levels))[chosen]
        return RowLevels(self.X, self.low[chosen], self.n_levels[chosen], self.n_threads, self.chosen[chosen])


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
        return Levels(*encode_sparse(X))
    if hasattr(X, "iloc"):
        kinds = {getattr(dtype, "kind", "O") for dtype in X.dtypes}
        if len(set(X.dtypes)) > 1 or not kinds <= set("biuf") or not isinstance(X.dtypes.iloc[0], np.dtype):
            return Levels(*encode_columns([X.iloc[:, j].to_numpy() for j in range(X.shape[1])], names=X.columns))
        X = X.to_numpy()  # its columns share a numeric type
    X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"X must be two-dimensional (samples, features), got {X.ndim} dimension(s).")
    if X.dtype.kind not in "biuf":
        return Levels(*encode_columns(X.T))
    n_threads = effective_n_jobs(n_jobs)
    return RowLevels.of(X, n_threads) or Levels(*encode_array(X, n_threads))
