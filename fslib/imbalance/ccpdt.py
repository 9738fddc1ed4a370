"""CCPDT: a decision tree whose splits do not see how rare the positive class is (Liu et al. 2010)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import xlogy
from scipy.stats import fisher_exact
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from fslib.base import Documented, check_choice
from fslib.classes import encode_classes
from fslib.imbalance.class_costs import rare_class
from fslib.inputs import validate
from fslib.parameters import check_numbers

CLOSE = 1e-3
"""Features whose gains are this close to the best are told apart by the Hellinger distance."""

NO_GAIN = 1e-12


@dataclass
class Node:
    """Positives and negatives that reach a node; its split and children unless it is a leaf."""

    positives: int
    negatives: int
    feature: int = -1
    threshold: float = 0.0
    left: Any = None
    right: Any = None


class CCPDT(Documented, ClassifierMixin, BaseEstimator):
    """Class confidence proportion decision tree for two classes.

    A split sends the shares TPR of the positives and FPR of the negatives of a node to the left. The left branch has
    the proportion ``q = TPR / (TPR + FPR)``, the right one the same with 1 - TPR and 1 - FPR. With h the binary entropy
    in bits, the split of largest

        gain = 1 - w_left h(q_left) - w_right h(q_right) ,    w_left = (TPR + FPR) / 2 ,

    is taken; among features whose gains are almost equal, that of the largest Hellinger distance of (TPR, 1 - TPR) from
    (FPR, 1 - FPR). Neither depends on the sizes of the classes: copying every negative changes no split. Nodes that
    Fisher's exact test finds no better than chance, and that have no better one below, become leaves.

    Unlike class weights it needs no setting. The tests are not corrected for the search over thresholds, so on noise
    many leaves survive; a smaller ``alpha`` removes them.

    Parameters
    ----------
    alpha : float, default=0.05
        Significance that keeps a split, in [0, 1]; 1 keeps every one.
    min_samples_leaf : int, default=2
        Fewest samples in a leaf.
    weight : {"classes", "rows"}
        Weight of a branch: ``w`` as above, or its share of the rows as in C4.5, which brings the class sizes back.

    Attributes
    ----------
    tree_ : Node
    n_leaves_ : int
    classes_ : array of shape (2,)
    positive_ : label of ``classes_``
        The minority class.
    n_features_in_, feature_names_in_

    Raises
    ------
    ValueError
        For parameters outside their range, NaN in X, or other than two classes.

    Notes
    -----
    O(d n log n) time per level of the tree, O(d n) memory. ``predict_proba`` compares the smoothed shares of both
    classes that a leaf holds, ``a / (a + b)`` with ``a = (P + 1) / (P_all + 2)`` and ``b = (N + 1) / (N_all + 2)``. It
    ranks samples and is not a probability at the natural rates.

    References
    ----------
    W. Liu, S. Chawla, D. A. Cieslak, N. V. Chawla, "A robust decision tree algorithm for imbalanced data sets", SIAM
    International Conference on Data Mining 2010. A baseline of the thesis's Table 3.11.

    Examples
    --------
    >>> X = np.c_[np.arange(40.0), np.ones(40)]
    >>> tree = CCPDT().fit(X, X[:, 0] > 35)
    >>> tree.tree_.feature, tree.tree_.threshold, tree.n_leaves_
    (0, 35.5, 2)
    >>> tree.predict([[30, 1], [38, 1]])
    array([False,  True])
    """

    def __init__(self, *, alpha=0.05, min_samples_leaf=2, weight="classes"):
        self.alpha = alpha
        self.min_samples_leaf = min_samples_leaf
        self.weight = weight

    def fit(self, X, y):
        """Grow the tree and cut what chance explains.

        Parameters
        ----------
        X : array of shape (n, d)
        y : array of shape (n,)
            Two classes.

        Returns
        -------
        CCPDT
        """
        check_choice("weight", self.weight, ("classes", "rows"))
        check_numbers(self, [("min_samples_leaf", 1)], [("alpha", "a number in [0, 1]", lambda v: 0 <= v <= 1)])
        X, y = validate(self, X, y, dtype=np.float64, ensure_min_samples=2)
        self.classes_, codes = encode_classes(y)
        if len(self.classes_) != 2:
            raise ValueError(f"Only binary classification is supported. CCPDT has y with {len(self.classes_)} classes.")
        rare = rare_class(np.bincount(codes))
        self.positive_ = self.classes_[rare]
        self.tree_ = self._grow(X, codes == rare)
        _prune(self.tree_, self.alpha)
        self.n_leaves_ = sum(1 for _ in _leaves(self.tree_))
        return self

    def predict_proba(self, X):
        """Scores of both classes, which sum to 1.

        Parameters
        ----------
        X : array of shape (m, d)

        Returns
        -------
        array of shape (m, 2)
        """
        check_is_fitted(self)
        X = validate(self, X, dtype=np.float64, reset=False)
        positive, root = np.empty(len(X)), self.tree_
        stack = [(root, np.arange(len(X)))]
        while stack:
            node, rows = stack.pop()
            if node.left is None:
                a = (node.positives + 1) / (root.positives + 2)
                b = (node.negatives + 1) / (root.negatives + 2)
                positive[rows] = a / (a + b)
            else:
                left = X[rows, node.feature] <= node.threshold
                stack += [(node.left, rows[left]), (node.right, rows[~left])]
        rare_is_second = self.positive_ == self.classes_[1]
        return np.column_stack([1 - positive, positive] if rare_is_second else [positive, 1 - positive])

    def predict(self, X):
        """Labels: the minority class where its score is above 1/2.

        Parameters
        ----------
        X : array of shape (m, d)

        Returns
        -------
        array of shape (m,)
        """
        scores = self.predict_proba(X)
        rare = int(self.positive_ == self.classes_[1])
        return self.classes_[np.where(scores[:, rare] > 0.5, rare, 1 - rare)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _grow(self, X, positive):
        root = Node(*_counts(positive))
        stack = [(root, np.arange(len(X)))]
        while stack:
            node, rows = stack.pop()
            split = self._best_split(X[rows], positive[rows])
            if split is None:
                continue
            node.feature, node.threshold = split
            left = X[rows, node.feature] <= node.threshold
            for side, inside in (("left", rows[left]), ("right", rows[~left])):
                child = Node(*_counts(positive[inside]))
                setattr(node, side, child)
                stack.append((child, inside))
        return root

    def _best_split(self, X, positive):
        """Feature and threshold, or None where the node stays a leaf."""
        n, leaf = len(X), self.min_samples_leaf
        P, N = _counts(positive)
        if min(P, N) == 0 or n < 2 * leaf:
            return None
        order = np.argsort(X, axis=0, kind="stable")
        values = np.take_along_axis(X, order, axis=0)
        cuts = slice(leaf - 1, n - leaf)  # position i sends the first i + 1 rows to the left
        allowed = values[cuts] < values[leaf : n - leaf + 1]
        tp = np.cumsum(positive[order], axis=0)[cuts]
        size = np.arange(leaf, n - leaf + 1)[:, None]
        tpr, fpr = tp / P, (size - tp) / N
        gains = np.where(allowed, _gain(tpr, fpr, size / n if self.weight == "rows" else None), -np.inf)
        at = np.argmax(gains, axis=0)  # of every feature, its best position
        features = np.arange(X.shape[1])
        best = gains[at, features]
        if best.max() <= NO_GAIN:
            return None
        close = np.flatnonzero(best >= best.max() - CLOSE)
        distances = _hellinger(tpr[at[close], close], fpr[at[close], close])
        feature = close[np.argmax(distances > distances.max() - NO_GAIN)]
        position = at[feature] + leaf - 1
        return int(feature), _between(*values[position : position + 2, feature])


def _counts(positive):
    p = int(np.count_nonzero(positive))
    return p, len(positive) - p


def _gain(tpr, fpr, left_share=None):
    """Bits that the split tells about the class, each class having the same weight."""
    left = (tpr + fpr) / 2
    share = left if left_share is None else left_share
    return 1 - share * _entropy(tpr, fpr) - (1 - share) * _entropy(1 - tpr, 1 - fpr)


def _entropy(a, b):
    """Binary entropy of the proportions of a and b, in bits; 1 where both are 0."""
    total = a + b
    p = np.divide(a, total, out=np.full_like(total, 0.5), where=total > 0)
    return -(xlogy(p, p) + xlogy(1 - p, 1 - p)) / np.log(2)


def _hellinger(tpr, fpr):
    return np.hypot(np.sqrt(tpr) - np.sqrt(fpr), np.sqrt(1 - tpr) - np.sqrt(1 - fpr))


def _between(low, high):
    """Return a threshold t with low <= t < high, half-way if rounding allows."""
    middle = low + (high - low) / 2
    return float(middle if low <= middle < high else low)


def _prune(root, alpha):
    """Make leaves of the nodes that neither are significant nor have a significant node below them."""
    inner = [node for node in _walk(root) if node.left is not None]
    kept = set()
    for node in reversed(inner):  # children come after their parents
        table = [[node.left.positives, node.left.negatives], [node.right.positives, node.right.negatives]]
        below = id(node.left) in kept or id(node.right) in kept
        if below or fisher_exact(table).pvalue <= alpha:
            kept.add(id(node))
    for node in inner:
        if id(node) not in kept:
            node.left = node.right = None
            node.feature = -1


def _walk(root):
    """Nodes, parents before their children."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        if node.left is not None:
            stack += [node.right, node.left]


def _leaves(root):
    return (node for node in _walk(root) if node.left is None)
