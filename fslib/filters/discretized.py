"""Discrete filters for features of real numbers: select on discretised values, pass on the original ones."""

import numpy as np
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter, validate_data

from fslib.base import FeatureSelector
from fslib.counts.discretize import ThreeLevelDiscretizer
from fslib.inputs import first_not_finite


class Discretized(FeatureSelector):
    """Select features by a discrete filter on discretised values, and pass on the original values.

    Use it wherever features are measured and the filter counts. A discretiser as a step of the pipeline would hand its
    categories to the learner; here it is fitted on the training rows and used to choose the features, nothing else.

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
        If the discretiser does not make one feature of each, as ``KBinsDiscretizer`` does unless
        ``encode="ordinal"``; and whatever the discretiser or the filter refuses.

    Notes
    -----
    Cost and memory are those of the filter, and a copy of X in levels.

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
        X : array, DataFrame or sparse matrix of shape (n, d)
        y : array of shape (n,)
        sample_weight : array of shape (n,), number or None
            How often each row counts, for the filter, and for the discretiser if its ``fit`` takes weights.

        Returns
        -------
        self
        """
        validate_data(self, X, accept_sparse=True, skip_check_array=True)
        self.discretizer_ = ThreeLevelDiscretizer() if self.discretizer is None else clone(self.discretizer)
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        if weights and not has_fit_parameter(self.selector, "sample_weight"):
            raise ValueError(f"{type(self.selector).__name__} does not take sample_weight: fit without weights.")
        levels = _one_to_one(
            self.discretizer_, X, weights if has_fit_parameter(self.discretizer_, "sample_weight") else {}
        )
        self.selector_ = clone(self.selector).fit(levels, y, **weights)
        for name in ("scores_", "ranking_", "support_"):
            setattr(self, name, getattr(self.selector_, name))
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        of_filter = get_tags(self.selector)
        tags.target_tags, tags.classifier_tags = of_filter.target_tags, of_filter.classifier_tags
        tags.input_tags.sparse = of_filter.input_tags.sparse  # the default discretiser keeps zeros unstored
        return tags


def _one_to_one(discretizer, X, weights):
    """Levels of X; refuse a transformer whose outputs are other features, for their positions would mean others."""
    try:
        levels = discretizer.fit_transform(X, **weights)
    except ValueError as error:
        raise _naming_the_cell(error, X) from error
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


def _naming_the_cell(error, X):
    found = first_not_finite(X) if "NaN" in str(error) or "infinity" in str(error) else None
    return ValueError(found) if found else error
