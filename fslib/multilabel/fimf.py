"""FIMF: fast multi-label feature selection by information (Lee & Kim 2015)."""

import numpy as np

from fslib.base import check_choice, constant_features
from fslib.multilabel.interactions import LabelInteractions, binarize
from fslib.multilabel.selector import MultiLabelSelector
from fslib.parameters import check_numbers


class FIMF(MultiLabelSelector):
    """Rank features by information about the labels, minus what pairs of the most informative labels share.

    With Q the labels of largest entropy,

        score(f) = sum_l I(f; l)  -  sum_{i<j in Q} I(f; l_i; l_j) .

    Features are split at their median. Good for a quick ranking with hundreds of labels: one pass, no search.
    Unsuitable with redundant features: it scores each alone, and copies rank side by side.

    Parameters
    ----------
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half. The ranking does not depend on it.
    n_labels : int, default=10
        Size of Q; 0 leaves the pairs out.
    missing : {"pairwise", "negative"}
        Unknown labels are left out of the counts they would enter, or count as absent.

    Attributes
    ----------
    scores_ : array of shape (d,)
        In nats; -inf for constant columns.
    ranking_, support_, n_features_in_, feature_names_in_, label_names_
        See ``FeatureSelector`` and ``MultiLabelSelector``.

    Raises
    ------
    ValueError
        For parameters outside their range, NaN in X, and labels that are not 0, 1 or NaN or of which a column is wholly
        unknown.

    Notes
    -----
    O(n d (c + n_labels^2)) time, O(n (d + c)) memory. The size of Q and the cut after pairs are the defaults of the
    authors' tool; it can also examine only some of the features, which is not offered.

    References
    ----------
    J. Lee, D.-W. Kim, "Fast multi-label feature selection based on information-theoretic feature ranking", Pattern
    Recognition 48 (2015).

    Examples
    --------
    >>> X = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1]])
    >>> y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> FIMF(n_features_to_select=2).fit(X, y).get_support(indices=True)
    array([0, 1])
    """

    def __init__(self, *, n_features_to_select=None, n_labels=10, missing="pairwise"):
        super().__init__(n_features_to_select=n_features_to_select)
        self.n_labels = n_labels
        self.missing = missing

    def fit(self, X, y):
        """Score the features.

        Parameters
        ----------
        X : array of shape (n, d)
        y : array or DataFrame of shape (n, c)
            0, 1 or NaN for unknown.

        Returns
        -------
        FIMF
        """
        check_choice("missing", self.missing, ("pairwise", "negative"))
        check_numbers(self, [("n_labels", 0)])
        X, labels = self._validate(X, y)
        Y = labels.values if self.missing == "pairwise" else np.nan_to_num(labels.values, nan=0.0)
        Z = binarize(X)
        chosen = largest_entropy(Y, self.n_labels)
        scores = LabelInteractions(Z, Y).relevance()
        if len(chosen) > 1:
            scores = scores - LabelInteractions(Z, Y[:, chosen]).label_pairs()
        return self._store_ranking(scores=np.where(constant_features(X), -np.inf, scores))


def largest_entropy(Y, k):
    """Positions of the k labels of largest entropy, that is with a share of positives nearest to 1/2, in index order.

    Examples
    --------
    >>> largest_entropy(np.array([[1, 0, 1], [1, 0, 0], [1, 1, 0], [1, 1, 0.0]]), 2)
    array([1, 2])
    """
    distance = np.abs(np.nanmean(Y, axis=0) - 0.5)
    return np.sort(np.argsort(distance.round(12), kind="stable")[:k])
