"""What all selectors on discrete data share: validation of X and y, and their encoding."""

import numpy as np

from fslib.base import FeatureSelector
from fslib.cells import first_not_finite
from fslib.classes import encode_classes
from fslib.counts.dask_rows import DaskRows
from fslib.counts.dask_table import chosen_columns, is_dask
from fslib.counts.levels import encode_levels
from fslib.counts.parts import MEMORY
from fslib.counts.rowblocks import RowBlocks
from fslib.counts.weighted import check_weights, weigh
from fslib.filters.chance import warn_of_chance
from fslib.inputs import validate, warn_if_all_constant


class DiscreteSelector(FeatureSelector):
    """Base of the selectors that read X as levels and y as classes."""

    def _encode(self, X, y, sample_weight=None, *, numeric=False):
        """Validate X, y and weights, set ``classes_``, return levels and class codes; rows of weight 0 are left out.

        Returns
        -------
        levels : Levels
            ``levels.weights`` holds the weights, None if all are equal to 1.
        y : array of int, shape (n,)
            Codes below ``len(self.classes_)``; with ``numeric``, y itself as float.
        """
        if sample_weight is not None and (is_dask(X) or isinstance(X, RowBlocks)):
            raise ValueError(
                "sample_weight needs all rows in memory, and is not available for fit_blocks and Dask: repeat the rows "
                "(whole-number weights), or fit a sample of them in memory."
            )
        if is_dask(X):
            self._check_parts()
            X = DaskRows(X, y)
        if isinstance(X, RowBlocks | DaskRows):
            return self._encode_parts(X)
        if hasattr(X, "iloc") and X.isna().to_numpy().any():  # validation would fail on pandas' NA in text
            raise ValueError(first_not_finite(X))
        checked, y = validate(
            self,
            X,
            y,
            any_size=True,
            dtype=None,
            accept_sparse=("csc", "csr"),
            ensure_min_samples=2,
            y_numeric=numeric,
        )
        weights = check_weights(sample_weight, checked)
        if weights is not None and not weights.all():
            kept = np.flatnonzero(weights)
            weights, checked, y = weights[kept], checked[kept], y[kept]
            X = X.iloc[kept] if hasattr(X, "iloc") else X
        if not numeric:
            self.classes_, y = encode_classes(y)
            if getattr(self, "pos_label", None) is not None:
                self.classes_, y = _positive_last(self.classes_, y, self.pos_label)
            y = y.astype(np.min_scalar_type(-len(self.classes_)))  # a byte per sample, if classes are few
        # A frame of mixed columns lost its column types in the check, so its columns are encoded from the original.
        levels = encode_levels(X if hasattr(X, "iloc") else checked, n_jobs=getattr(self, "n_jobs", None))
        warn_if_all_constant(levels.is_constant, self)
        if numeric:
            return weigh(levels, weights), y.astype(float)
        warn_of_chance(levels, y, len(self.classes_))  # a repeated row says nothing new about an identifier
        return weigh(levels, weights), y

    def _encode_parts(self, source):
        """Read levels and classes from a source of parts."""
        levels, names, self.classes_, y = source.encode()
        if getattr(self, "pos_label", None) is not None:
            self.classes_, y = _positive_last(self.classes_, y, self.pos_label)
        self.n_features_in_ = levels.shape[1]
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        warn_of_chance(levels, y, len(self.classes_))
        return levels, y

    def fit_blocks(self, source, y=None, *, memory=MEMORY, progress=False):
        """Fit to rows that are read from disk block by block, as if they were in memory.

        scikit-learn's ``partial_fit`` sees each row once; selection reads them once per selected feature, which is why
        this method takes a source that it can read again. Forward search, scores, `MRMR` and `InformationGreedy` only.

        Parameters
        ----------
        source : path, pyarrow.dataset.Dataset, array, or iterable
            A Parquet file or folder, a NumPy array or memory map (n, d), or an object that gives pairs (X, y) of
            blocks, the same ones each time it is iterated: a list, or a class with ``__iter__``, not a generator.
        y : str or array
            Name of the class column in a Parquet source; classes (n,) for an array; None for an iterable.
        memory : int
            Bytes to hold at a time, beside about 16 per row and the libraries. Larger tables are read more often.
        progress : bool
            Show a bar for each pass.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            Whatever ``fit`` refuses; missing values; a source that cannot be read twice or changes between passes;
            a search that needs all rows in memory. There is no ``sample_weight`` here.

        Notes
        -----
        The first pass finds the levels. Then one pass for scores, one per selected feature for greedy search; exact
        search with many cells reads some columns at a time. Half of ``memory`` keeps codes from the second pass on, in
        1, 2, 4, 8 or more bits each, and later passes read what found no room there. The results equal those of ``fit``
        bit for bit. Measurements are cut first, by `Discretized`.
        """
        self._check_parts()
        return self.fit(RowBlocks(source, y, memory=memory, progress=progress), None)

    def transform(self, X):
        """Reduce X to the selected features.

        Parameters
        ----------
        X : array, DataFrame, sparse, Dask array or Dask frame, shape (n, d)

        Returns
        -------
        array or sparse matrix of shape (n, k)
            For a Dask array or frame another one, not computed yet.
        """
        return chosen_columns(self, X) if is_dask(X) else super().transform(X)

    def _check_parts(self):
        """Raise ValueError if the search needs all codes in memory."""
        if getattr(self, "direction", "forward") != "forward" or not self._counts_only:
            raise ValueError(
                f"{type(self).__name__} needs all rows in memory: use direction='forward', or fit a sample of rows."
            )
        criterion = getattr(self, "criterion", None)
        if criterion == "squared" or getattr(criterion, "task", "") == "regression":
            raise ValueError(
                "the squared criterion is not available for rows in parts: fit a sample of them in memory."
            )

    _counts_only = True
    """Whether the search needs no more than counts and single columns."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags


def _positive_last(classes, codes, pos_label):
    """Two classes and their codes with the positive one second."""
    if len(classes) != 2:
        raise ValueError(f"pos_label={pos_label!r} names the positive of two classes, but y holds {len(classes)}.")
    found = np.flatnonzero(classes == pos_label) if np.ndim(pos_label) == 0 else ()
    if not len(found):
        raise ValueError(f"pos_label={pos_label!r} is not a class of y; the classes are {classes.tolist()}.")
    return (classes, codes) if found[0] == 1 else (classes[::-1], 1 - codes)
