"""Three levels, low, middle and high, for columns of real numbers."""

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.sparsefuncs import mean_variance_axis
from sklearn.utils.validation import check_is_fitted

from fslib.cells import first_not_finite
from fslib.counts.dask_table import DaskTable, is_dask
from fslib.counts.moments import Moments, range_exponent
from fslib.counts.parts import MEMORY
from fslib.counts.rowblocks import RowBlocks
from fslib.counts.stretches import stretches
from fslib.counts.vocabulary import CutLevels
from fslib.counts.weighted import check_weights, effective_size
from fslib.inputs import validate

_COLUMNS = 1024  # columns handled at a time, so that no copy of a large X is made
_ROUNDING = 1e-12  # a value this close below a cut, relative to the column's range, lies on it


class ThreeLevelDiscretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Cut every column at its mean minus and plus one standard deviation.

    Value x becomes the number of cuts it reaches: 0 below mean - std, 1 from there to below mean + std, 2 from there
    on. Columns that are discrete already are left alone: one with two values becomes 0 and 1 (a column of zeros and
    ones stays as it is), a constant one has the single level 0. Coarse on purpose: few levels keep the counts large.

    Parameters
    ----------
    ddof : {1, 0}
        Divisor of the variance is n - ddof. The paper does not say which; 1 is what its MATLAB code would compute.

    Attributes
    ----------
    mean_, std_ : arrays of shape (d,)
        Of the training data.
    cuts_ : array of shape (2, d)
        Lower and upper cut; infinite where a column needs fewer. A value equal to a cut up to rounding (1e-12 of the
        column's range) reaches it.
    n_features_in_ : int
    feature_names_in_ : array of str, only if X had string column names

    Notes
    -----
    Sparse X stays sparse: levels are then counted from the level of zero (-2 to 2, 0 not stored), the same partition of
    the samples under other names. Columns of counts rarely reach below mean - std < 0 and so get two levels.

    Sums over dense columns are exact (a value counts as a multiple of 2**-52 of its column's range), so the cuts do not
    depend on the order of the rows, nor on the blocks or Dask partitions that hold them. Two passes over X, one more
    for ``transform``. O(n d) time; memory beyond X some MB, and d numbers from each partition.

    References
    ----------
    Saneem Ahmed C.G., H. Narasimhan, S. Agarwal, "Bayes Optimal Feature Selection for Supervised Learning with General
    Performance Measures", UAI 2015, footnote 6.

    Examples
    --------
    >>> X = np.array([[0.0, 5, 0], [1, 5, 1], [2, 5, 1], [3, 5, 0], [9, 5, 1]])
    >>> ThreeLevelDiscretizer().fit_transform(X).T      # cuts of the first column: 3 - 3.54 and 3 + 3.54
    array([[1, 1, 1, 1, 2],
           [0, 0, 0, 0, 0],
           [0, 1, 1, 0, 1]], dtype=int8)
    """

    def __init__(self, ddof=1):
        self.ddof = ddof

    def fit(self, X, y=None, sample_weight=None):
        """Find the cuts of every column.

        Parameters
        ----------
        X : array, DataFrame or sparse, shape (n, d)
            Or a ``dask.array`` of known row counts, or a ``dask.dataframe`` of numbers: both are read where they are.
        y : ignored
        sample_weight : array of shape (n,), number or None
            How often each row counts in mean and variance; 0 leaves it out. The n of the divisor is the sum of
            whole-number weights, otherwise Kish's effective size ``(sum w)^2 / sum w^2``. Not for Dask collections.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If X holds NaN, infinity or text, a weight is negative, or ``ddof`` is neither 0 nor 1; if the partitions of
            a Dask X have unknown lengths, other columns than the whole, or are sparse.
        """
        if self.ddof not in (0, 1):
            raise ValueError(f"ddof must be 0 or 1, got {self.ddof!r}.")
        if is_dask(X) or isinstance(X, RowBlocks):
            if sample_weight is not None:
                raise ValueError("sample_weight is not available for Dask collections: fit without weights.")
            return self._fit_parts(X)
        X = self._numbers(X, reset=True)
        weights = check_weights(sample_weight, X)
        if weights is not None:
            kept = np.flatnonzero(weights)
            X, weights = X[kept], weights[kept]
        if sp.issparse(X) or weights is not None:
            summary = _summary_sparse(X, weights) if sp.issparse(X) else _summary_weighted(X, weights)
            n = effective_size(weights, X.shape[0])
            return self._cut(*summary, correction=n / (n - self.ddof if n > 1 else 1))
        d = X.shape[1]
        return self._cut(*_summary(lambda f: ((c, f(X[:, c], c)) for c in stretches(d, _COLUMNS)), d, self.ddof, str))

    def fit_blocks(self, source, y=None, *, memory=MEMORY, progress=False):
        """Find the cuts of rows that are read from disk block by block, in two passes.

        Parameters
        ----------
        source : path, pyarrow.dataset.Dataset, array, or iterable
            A Parquet file or folder, a NumPy array or memory map (n, d), or an object that gives pairs (X, y) of
            blocks, the same ones each time it is iterated: a list, or a class with ``__iter__``, not a generator.
        y : str or None
            Name of a column of a Parquet source that is no feature.
        memory : int
            Bytes to hold at a time.
        progress : bool
            Show a bar for each pass.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            Whatever ``fit`` refuses, and a source that cannot be read twice.
        """
        y = y if isinstance(y, str) else None
        return self.fit(RowBlocks(source, y, memory=memory, progress=progress, labelled=False))

    def _fit_parts(self, X):
        table = DaskTable(X, numbers=True) if is_dask(X) else X
        name = lambda j: repr(table.names[j]) if table.names else j
        moments = _summary(table.each_part, table.n_columns, self.ddof, name)
        self.n_features_in_ = table.n_columns
        names = table.names  # of frames in blocks they are known after the first pass
        if names is not None and all(isinstance(name, str) for name in names):
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self._cut(*moments)

    def _cut(self, origin, exponent, mean, std, low, high, two_valued, correction=1):
        """Set the attributes; ``correction`` is a factor of the variance."""
        std = std * np.sqrt(correction)
        self.mean_, self.std_ = origin + np.ldexp(mean, exponent), np.ldexp(std, exponent)
        slack = _ROUNDING * np.ldexp(high, -exponent) - _ROUNDING * np.ldexp(low, -exponent)
        lower, upper = (_sum_up(origin, np.ldexp(cut - slack, exponent)) for cut in (mean - std, mean + std))
        lower, upper = np.where(two_valued, high, lower), np.where(two_valued, np.inf, upper)
        self.cuts_ = np.where(low == high, np.inf, [lower, upper])
        return self

    def transform(self, X):
        """Count the cuts that each value reaches.

        Parameters
        ----------
        X : array, DataFrame, sparse, Dask array or Dask frame, shape (n, d)

        Returns
        -------
        array of int8, shape (n, d), or CSC array if X is sparse
            For a Dask array or frame another one, not computed yet.

        Raises
        ------
        ValueError
            If X has other features, or holds NaN, infinity or text; of a Dask X, when it is computed.
        """
        check_is_fitted(self)
        if is_dask(X):
            return DaskTable(X, numbers=True).map_rows(
                self, _levels_of, np.int8, lower=self.cuts_[0], upper=self.cuts_[1]
            )
        X = self._numbers(X, reset=False)
        lower, upper = self.cuts_
        if not sp.issparse(X):
            return np.add(X >= lower, X >= upper, dtype=np.int8)
        column = np.repeat(np.arange(X.shape[1]), np.diff(X.indptr))
        at_zero = np.add(lower <= 0, upper <= 0, dtype=np.int8)
        levels = np.add(X.data >= lower[column], X.data >= upper[column], dtype=np.int8) - at_zero[column]
        out = type(X)((levels, X.indices.copy(), X.indptr.copy()), shape=X.shape)
        out.eliminate_zeros()
        return out

    def vocabulary(self, j, name):
        """Levels of column j for a reader of blocks; see `RowBlocks.use`."""
        return CutLevels(self.cuts_[:, j], name)

    def _numbers(self, X, reset):
        return validate(self, X, reset=reset, accept_sparse="csc", any_size=True)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def _levels_of(values, columns, lower, upper):
    """Levels of a Dask partition."""
    if len(values):
        found = first_not_finite(values)
        if found is not None:
            raise ValueError(found)
    return np.add(values >= lower, values >= upper, dtype=np.int8)


def _summary(each_part, d, ddof, name):
    """Describe columns, their moments in a unit of their own.

    A mean far from zero would swallow the deviation, and very large or small values their squares. So the moments are
    those of (x - origin) / 2**exponent, which lies between 0 and 1; dividing by a power of two rounds nothing.

    Returns
    -------
    origin, exponent : arrays of shape (d,)
    mean, std : arrays of shape (d,)
        In that unit.
    low, high : arrays of shape (d,)
        Smallest and largest value.
    two_valued : array of bool, shape (d,)
        Whether there are no others.
    """
    found = Moments(each_part, d, ddof, name)
    return found.low, found.exponent, found.mean, found.std, found.low, found.high, found.two_valued


def _summary_weighted(X, weights):
    """`_summary` with weights, in double precision; ``std`` is that of the population."""
    parts = []
    for columns in stretches(X.shape[1], _COLUMNS):
        part = X[:, columns].astype(float)
        low, high = part.min(axis=0), part.max(axis=0)
        two_valued = ((part == low) | (part == high)).all(axis=0)
        exponent = range_exponent(low, high)
        part = np.ldexp(part, -exponent) - np.ldexp(low, -exponent)
        mean = np.average(part, axis=0, weights=weights)
        std = np.sqrt(np.average((part - mean) ** 2, axis=0, weights=weights))
        parts.append((low, exponent, mean, std, low, high, two_valued))
    return tuple(np.concatenate(values) for values in zip(*parts, strict=True))


def _summary_sparse(X, weights=None):
    """`_summary` from the stored entries of a sparse X; the origin is zero wherever a zero is not stored."""
    X = sp.csc_matrix(X, dtype=float)
    low, high = (m.toarray().ravel() for m in (X.min(axis=0), X.max(axis=0)))
    column = np.repeat(np.arange(X.shape[1]), np.diff(X.indptr))
    other = (X.data != low[column]) & (X.data != high[column])
    some_zero = np.diff(X.indptr) < X.shape[0]
    two_valued = (np.bincount(column, weights=other, minlength=X.shape[1]) == 0) & ~(some_zero & (low < 0) & (high > 0))
    origin, exponent = np.zeros(X.shape[1]), range_exponent(low, high)
    origin[~some_zero] = X.data[X.indptr[:-1][~some_zero]]
    data = np.ldexp(X.data, -exponent[column]) - np.ldexp(origin, -exponent)[column]
    weights = None if weights is None else weights.astype(float)
    X = sp.csc_matrix((data, X.indices, X.indptr), shape=X.shape)
    mean, variance = mean_variance_axis(X, axis=0, weights=weights)
    return origin, exponent, mean, np.sqrt(variance), low, high, two_valued


def _sum_up(origin, offset):
    """Smallest floats that are not below origin + offset, so that no value below a cut is rounded onto it."""
    with np.errstate(over="ignore", invalid="ignore"):  # a cut beyond all numbers is infinite
        total = origin + offset
        added = total - origin
        lost = (origin - (total - added)) + (offset - added)  # exactly (D. E. Knuth's sum of two floats)
    return np.where(lost > 0, np.nextafter(total, np.inf), total)
