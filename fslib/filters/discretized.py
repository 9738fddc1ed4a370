"""Discrete filters for features of real numbers: select on discretised values, pass on the original ones."""

from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import validate_data

from fslib.base import FeatureSelector
from fslib.counts.discretize import ThreeLevelDiscretizer


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
        Whatever the discretiser or the filter refuses.

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

    def fit(self, X, y):
        """Discretise the training rows, fit the filter on the levels.

        Parameters
        ----------
        X : array, DataFrame or sparse matrix of shape (n, d)
        y : array of shape (n,)

        Returns
        -------
        self
        """
        validate_data(self, X, accept_sparse=True, skip_check_array=True)
        self.discretizer_ = ThreeLevelDiscretizer() if self.discretizer is None else clone(self.discretizer)
        self.selector_ = clone(self.selector).fit(self.discretizer_.fit_transform(X), y)
        for name in ("scores_", "ranking_", "support_"):
            setattr(self, name, getattr(self.selector_, name))
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        of_filter = get_tags(self.selector)
        tags.target_tags, tags.classifier_tags = of_filter.target_tags, of_filter.classifier_tags
        tags.input_tags.sparse = of_filter.input_tags.sparse  # the default discretiser keeps zeros unstored
        return tags
