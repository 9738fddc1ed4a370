"""PMU: pairwise multivariate mutual information (Lee & Kim 2013)."""

import numpy as np

from fslib.base import check_choice, constant_features, resolve_n_features
from fslib.multilabel.interactions import LabelInteractions, binarize, greedy_order
from fslib.multilabel.selector import MultiLabelSelector


class PMU(MultiLabelSelector):
    """Greedy selection by information about the labels, minus what label pairs and chosen features share.

    The information between a set of features and all labels is expanded into interactions and cut after the third
    order: feature ``f`` enters next if it maximises

        sum_l I(f; l)  -  sum_{i<j} I(f; l_i; l_j)  -  sum_{s chosen} sum_l I(f; s; l).

    Use it for up to a few dozen features, where it avoids copies of a chosen feature. After that the last term, which
    is a sum and not a mean, outgrows the others and favours features that carry little information of any kind.

    Parameters
    ----------
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half. Also the number of greedy steps; the other features
        follow in the order of the last criterion.
    reading : {"corrected", "published"}
        Features are split at their median. "published" follows the experiments of the MLMLFS paper: unknown labels
        count as absent, and a two-valued feature of which at least half are the larger value becomes constant.
        "corrected" leaves unknown labels out of the counts they would enter, and keeps two-valued columns. Under both
        a feature of *several* values of which the largest makes up half or more becomes constant: recode it as 0 and 1.

    Attributes
    ----------
    scores_ : None
        A greedy search has an order of entry, no scores.
    ranking_ : array of int, shape (d,)
    support_ : array of bool, shape (d,)
    n_features_in_ : int
    feature_names_in_ : array of str, only if X had string column names
    label_names_ : array of shape (c,)
        Column names of a DataFrame ``y``, class codes of a 1-D ``y``, else 0..c-1.

    Raises
    ------
    ValueError
        For NaN in X, for labels that are not 0, 1 or NaN, and for a label column without a known entry.

    Notes
    -----
    O(n d c^2) for the label pairs and O(n d c) for each step; memory O(n (d + c)). Sparse X stays sparse: n d becomes
    the number of its entries.

    References
    ----------
    J. Lee, D.-W. Kim, "Feature selection for multi-label classification using multivariate mutual information", Pattern
    Recognition Letters 34 (2013). Pairs are unordered there too: it follows from I(f; l_1 l_2) = I(f; l_1) + I(f; l_2)
    - I(f; l_1; l_2), and this reproduces the numbers published for PMU in Table 2 of P. Zhu et al. (Pattern Recognition
    74, 2018).

    Examples
    --------
    The third feature repeats the first, so the second enters before it.

    >>> X = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1]])
    >>> y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> PMU(n_features_to_select=2).fit(X, y).ranking_
    array([0, 1, 2])
    """

    _accepts_sparse = True

    def __init__(self, *, n_features_to_select=None, reading="corrected"):
        super().__init__(n_features_to_select=n_features_to_select)
        self.reading = reading

    def fit(self, X, y):
        """Order the features.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
        y : array or DataFrame of shape (n, c)
            0, 1 or NaN for unknown.

        Returns
        -------
        PMU
        """
        check_choice("reading", self.reading, ("corrected", "published"))
        X, labels = self._validate(X, y)
        steps = resolve_n_features(self.n_features_to_select, X.shape[1])
        info = two_level_interactions(X, labels, self.reading)
        order = greedy_order(info.relevance() - info.label_pairs(), info.with_feature, steps)
        return self._store_ranking(order=constant_last(order, X))


def two_level_interactions(X, labels, reading):
    """Interactions of median-split columns with labels, under the two readings of ``PMU``."""
    corrected = reading == "corrected"
    Y = labels.values if corrected else np.nan_to_num(labels.values, nan=0.0)
    return LabelInteractions(binarize(X, keep_two_valued=corrected), Y)


def constant_last(order, X):
    """Move the constant columns of X to the end of an order.

    Without information they also have no redundancy, so that a criterion that has turned negative would take them.
    """
    constant = constant_features(X)[order]
    return np.concatenate([order[~constant], np.sort(order[constant])])
