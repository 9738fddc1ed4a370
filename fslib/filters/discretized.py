"""Discrete filters for features of real numbers: select on discretised values, pass on the original ones."""

import numpy as np
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter, validate_data

from fslib.base import FeatureSelector
from fslib.counts.dask_table import chosen_columns, is_dask
from fslib.counts.discretize import ThreeLevelDiscretizer
from fslib.counts.parts import MEMORY
from fslib.counts.rowblocks import RowBlocks
from fslib.counts.weighted import check_weights
from fslib.inputs import explaining
from fslib.parameters import check_parameters


class Discretized(FeatureSelector):
    """Select features by a discrete filter on discretised values, and pass on the original values.

    Use it if features are continuous and the filter needs discrete ones. A discretiser as a separate step of the
    pipeline would pass its categories on to the learner; here it is fitted on the training rows and used only to choose
    the features.

    Parameters
    ----------
    selector : selector
        A filter for discrete data, such as ``BayesGreedy()``; its ``n_features_to_select`` decides how many to keep.
    discretizer : transformer or None
        One output feature per input feature; None stands for ``ThreeLevelDiscretizer()``.

    Attributes
    ----------
    selector_, discretizer_ : fitted copies
    scores_, ranking_, support_ : as of ``selector_``

    Raises
    ------
    ValueError
        If the discretiser does not make one feature of each, as ``KBinsDiscretizer`` does unless ``encode="ordinal"``;
        and whatever the discretiser or the filter rejects.

    Notes
    -----
    Cost and memory are those of the filter, plus a discretised copy of X.

    References
    ----------
    The wrapper is ours. For what a filter computes on levels see its own page.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from fslib.filters import BayesGreedy
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> wine = Discretized(BayesGreedy(n_features_to_select=2)).set_output(transform="pandas").fit(X, y)
    >>> wine.transform(X).shape
    (178, 2)
    """

    def __init__(self, selector, *, discretizer=None):
        self.selector = selector
        self.discretizer = discretizer

    def fit(self, X, y, sample_weight=None):
        """Discretise the training rows, fit the filter on the levels.

        Parameters
        ----------
        X : array, DataFrame, sparse matrix, Dask array or Dask frame of shape (n, d)
            Dask collections with ``ThreeLevelDiscretizer`` only.
        y : array of shape (n,)
            Or a Dask array or series in the partitions of X.
        sample_weight : array of shape (n,), number or None
            How often each row counts, for the filter, and for the discretiser if its ``fit`` takes weights.
            Not for Dask collections.

        Returns
        -------
        self
        """
        if is_dask(X):
            if sample_weight is not None:
                raise ValueError("sample_weight is not available for Dask collections: fit without weights.")
            self._start_parts()
            return self._finish_parts(self.discretizer_.fit_transform(X), y)
        self._check_steps()
        with explaining(self, X):
            validate_data(self, X, accept_sparse=True, skip_check_array=True)
        self.discretizer_ = ThreeLevelDiscretizer() if self.discretizer is None else clone(self.discretizer)
        if sample_weight is not None:
            sample_weight = check_weights(sample_weight, X)
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        if weights and not has_fit_parameter(self.selector, "sample_weight"):
            raise ValueError(f"{type(self.selector).__name__} does not take sample_weight: fit without weights.")
        with explaining(self, X):
            levels = _one_to_one(
                self.discretizer_, X, weights if has_fit_parameter(self.discretizer_, "sample_weight") else {}
            )
        return self._finish(clone(self.selector).fit(levels, y, **weights))

    def fit_blocks(self, source, y=None, *, memory=MEMORY, progress=False):
        """Fit to rows of measurements that are read from disk block by block, as if they were in memory.

        Parameters
        ----------
        source : path, pyarrow.dataset.Dataset, array, or iterable
            A Parquet file or folder, a NumPy array or memory map (n, d), or an object that gives pairs (X, y) of
            blocks, the same ones each time it is iterated: a list, or a class with ``__iter__``, not a generator.
        y : str or array
            Name of the class column in a Parquet source; classes (n,) for an array; None for an iterable.
        memory : int
            Bytes to hold at a time, beside about 16 per row and the libraries.
        progress : bool
            Show a bar for each pass.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            Whatever the ``fit_blocks`` of the discretiser and of the filter refuse; another discretiser than
            ``ThreeLevelDiscretizer``.

        Notes
        -----
        Two passes find the cuts, the others are those of the filter. The results equal those of ``fit``.
        """
        self._start_parts()
        blocks = RowBlocks(source, y, memory=memory, progress=progress)
        self.discretizer_.fit(blocks)
        return self._finish_parts(blocks.use(self.discretizer_.vocabulary), None)

    def transform(self, X):
        """Reduce X to the selected features, with their original values.

        Parameters
        ----------
        X : array, DataFrame, sparse matrix, Dask array or Dask frame of shape (n, d)

        Returns
        -------
        array or sparse matrix of shape (n, k)
            For a Dask array or frame another one, not computed yet.
        """
        return chosen_columns(self, X) if is_dask(X) else super().transform(X)

    def _check_steps(self):
        check_parameters(self)
        if not hasattr(self.selector, "get_support") or isinstance(self.selector, type):
            raise ValueError(f"selector={self.selector!r} must be a filter for discrete data, such as MIScore().")
        if self.discretizer is not None and not hasattr(self.discretizer, "fit_transform"):
            raise ValueError(f"discretizer={self.discretizer!r} must be a transformer, or None.")

    def _start_parts(self):
        """Make the discretiser, if it and the filter can read rows in parts."""
        self._check_steps()
        discretizer = ThreeLevelDiscretizer() if self.discretizer is None else clone(self.discretizer)
        if not isinstance(discretizer, ThreeLevelDiscretizer):
            raise ValueError(f"{type(discretizer).__name__} does not cut rows in parts; ThreeLevelDiscretizer does.")
        if not hasattr(self.selector, "fit_blocks"):
            raise ValueError(f"{type(self.selector).__name__} needs all rows in memory.")
        self.selector._check_parts()
        self.discretizer_ = discretizer

    def _finish_parts(self, levels, y):
        self.n_features_in_ = self.discretizer_.n_features_in_
        if hasattr(self.discretizer_, "feature_names_in_"):
            self.feature_names_in_ = self.discretizer_.feature_names_in_
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self._finish(clone(self.selector).fit(levels, y))

    def _finish(self, selector):
        self.selector_ = selector
        for name in ("scores_", "ranking_", "support_"):
            setattr(self, name, getattr(selector, name))
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        of_filter = get_tags(self.selector)
        tags.target_tags, tags.classifier_tags = of_filter.target_tags, of_filter.classifier_tags
        tags.input_tags.sparse = of_filter.input_tags.sparse  # the default discretiser keeps zeros unstored
        return tags


def _one_to_one(discretizer, X, weights):
    """Levels of X; refuse a transformer whose outputs are other features, for their positions would mean others."""
    levels = discretizer.fit_transform(X, **weights)
    expected = (X if hasattr(X, "shape") else np.asarray(X)).shape
    name, advice = type(discretizer).__name__, ""
    if getattr(discretizer, "encode", "ordinal") != "ordinal":
        advice = " Pass encode='ordinal'."
    if levels.shape != expected:
        raise ValueError(
            f"{name} made {levels.shape[1]} features of {expected[1]} (rows: {levels.shape[0]} of {expected[0]}); "
            f"a discretiser must give one for each.{advice}"
        )
    names = [f"x{j}" for j in range(expected[1])]
    try:
        given = list(getattr(discretizer, "feature_names_in_", names))
        made = list(discretizer.get_feature_names_out(None if given is not names else names))
    except (AttributeError, TypeError, ValueError):
        return levels  # it does not say what its outputs are
    if made != given:
        raise ValueError(
            f"{name} gives other features than it gets ({made[0]!r} for {given[0]!r}); a discretiser must keep them."
            f"{advice}"
        )
    return levels
