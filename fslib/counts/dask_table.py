"""The rows of a Dask array or frame, partition by partition; Dask is not imported before there is one."""

import numpy as np
import scipy.sparse as sp

from fslib.inputs import check_features, refuse_masked


def is_dask(X):
    """Whether X is a Dask collection; does not import Dask."""
    return hasattr(X, "__dask_graph__")


class DaskTable:
    """The partitions of rows of a ``dask.array`` or ``dask.dataframe``.

    Parameters
    ----------
    X : dask.array (n, d) or dask.dataframe
        Of known row counts if an array. Arrays that are also chunked by columns are put together row-wise.
    numbers : bool
        Whether only numbers will do.

    Raises
    ------
    ImportError
        If Dask is not installed.
    ValueError
        If row counts are not known, X is not two-dimensional, has no features or is complex; with ``numbers`` if it
        holds text or is sparse.
    """

    def __init__(self, X, *, numbers=False):
        try:
            import dask
        except ImportError as error:
            raise ImportError('rows on a cluster need Dask: pip install "dask[distributed]"') from error
        self._dask, self.names = dask, None
        check_features(X)
        if hasattr(X, "to_delayed") and hasattr(X, "divisions"):
            self.names = list(X.columns)
            kinds = [getattr(dtype, "kind", "O") for dtype in X.dtypes]
            self.X, self.parts = X, list(X.to_delayed())
        else:
            if np.isnan(X.shape).any():
                raise ValueError("the partitions of X have unknown lengths: call X.compute_chunk_sizes() first.")
            kinds = [X.dtype.kind]
            self.X = X.rechunk({1: -1})
            self.parts = [part[0] for part in self.X.to_delayed()]
        self.n_columns = X.shape[1]
        if numbers:
            bad = [j for j, kind in enumerate(kinds) if kind not in "biuf"]
            if bad:
                where = f"column {self.names[bad[0]]!r} of X" if self.names else "X"
                raise ValueError(f"{where} does not hold numbers: encode it, or leave it out.")
            if not isinstance(getattr(X, "_meta", None), np.ndarray) and self.names is None:
                raise ValueError("the partitions of X must be NumPy arrays: X.map_blocks(lambda part: part.toarray()).")

    def each_part(self, function):
        """Apply a function of (values (m, d), columns) where the partitions are; pairs (columns, result)."""
        apply = self._dask.delayed(_apply, pure=False)
        results = self._dask.compute(*[apply(part, self.names, function) for part in self.parts])
        yield from ((slice(None), result) for result in results)

    def map_rows(self, estimator, function, dtype, **options):
        """Another Dask array or frame, of function(values, columns, **options) of each partition; nothing is computed.

        Raises
        ------
        ValueError
            If the columns are not those that the estimator was fitted to.
        """
        check_columns(estimator, self.n_columns, self.names)
        options = {"names": self.names, "function": function, "options": options}
        if self.names is None:
            return self.X.map_blocks(_map_part, **options, dtype=dtype, meta=np.empty((0, 0), dtype=dtype))
        meta = self.X._meta.iloc[:0].astype(dtype)
        return self.X.map_partitions(_map_part, **options, meta=meta)


def check_columns(estimator, n_columns, names):
    """Raise ValueError if columns are not those that an estimator was fitted to."""
    known = getattr(estimator, "feature_names_in_", None)
    if known is not None and names is not None and list(known) != list(names):
        raise ValueError(f"X has the columns {names}, but {type(estimator).__name__} was fitted to {list(known)}.")
    if n_columns != estimator.n_features_in_:
        raise ValueError(
            f"X has {n_columns} features, but {type(estimator).__name__} was fitted to {estimator.n_features_in_}."
        )


def chosen_columns(selector, X):
    """The selected columns of a Dask array or frame, not computed yet.

    Parameters
    ----------
    selector : fitted selector
    X : dask.array or dask.dataframe

    Returns
    -------
    dask.array or dask.dataframe
    """
    names = list(X.columns) if hasattr(X, "divisions") else None
    check_columns(selector, X.shape[1], names)
    chosen = selector.get_support(indices=True)
    return X[:, chosen] if names is None else X[[names[j] for j in chosen]]


def check_part(part, names):
    """A partition in the form in which it is kept; its columns must be those of the whole."""
    refuse_masked(part)
    if sp.issparse(part):
        raise ValueError("the partitions of X are sparse: X.map_blocks(lambda part: part.toarray()) makes them dense.")
    if names is not None and list(map(str, part.columns)) != list(map(str, names)):
        raise ValueError(f"a partition of X has the columns {list(part.columns)} and the first one {names}.")
    return part


def _apply(part, names, function):
    return function(_values(check_part(part, names)), slice(None))


def _map_part(part, names, function, options):
    result = function(_values(check_part(part, names)), slice(None), **options)
    return result if names is None else type(part)(result, index=part.index, columns=part.columns)


def _values(part):
    """Numbers of a partition; whatever is empty in a frame becomes NaN."""
    return part.to_numpy(dtype=float, na_value=np.nan) if hasattr(part, "iloc") else np.asarray(part)
