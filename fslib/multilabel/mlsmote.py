"""MLSMOTE: synthetic samples of rare labels (Charte, Rivera, del Jesus & Herrera 2015)."""

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_array
from sklearn.utils.validation import check_consistent_length

from fslib.base import Documented
from fslib.inputs import explaining
from fslib.multilabel.label_imbalance import minority_labels
from fslib.multilabel.labels import check_labels
from fslib.multilabel.neighbors import neighbors_of
from fslib.parameters import check_numbers, check_parameters

ENTRIES_AT_ONCE = 2**22
"""Entries of neighbours' features held at a time, dense: 32 MiB."""


class MLSMOTE(Documented, BaseEstimator):
    """Add, for every sample of every rare label, a synthetic one between it and a neighbour with that label.

    A label is rare if its imbalance ``max count / count`` is above the mean over labels. Features of the new sample lie
    between the two (or, for features that hold only 0 and 1, are what most of the k neighbours have); its labels are
    those of more than half of the sample and its neighbours. Good for labels with a few dozen samples; a label with one
    sample gets none, and rare labels that come with frequent ones raise those too.

    It is a sampler: put it before a classifier with ``imblearn.pipeline.make_pipeline``, so that only training rows are
    ever touched, as in ``make_pipeline(MLSMOTE(), BinaryRelevance())``.

    Parameters
    ----------
    n_neighbors : int, default=5
        Euclidean, among the samples of the label; fewer if there are fewer.
    random_state : int, Generator or None
        Draws neighbours and places between.

    Attributes
    ----------
    n_synthetic_ : int
    minority_ : array of int
        The rare labels.

    Raises
    ------
    ValueError
        For NaN in X, unknown labels, and labels that are not 0 and 1.

    Notes
    -----
    Neighbours are looked for among the original samples only. O(sum over rare labels of m^2 d) for labels with m
    samples. Sparse X stays sparse; rows are made dense in blocks of 32 MiB.

    References
    ----------
    F. Charte, A. J. Rivera, M. J. del Jesus, F. Herrera, "MLSMOTE: Approaching imbalanced multilabel learning through
    synthetic instance generation", Knowledge-Based Systems 89 (2015), Algorithm 1.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [5.0], [6.0], [7.0], [8.0]])
    >>> y = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [0, 1], [0, 1]])
    >>> X_more, y_more = MLSMOTE(random_state=0).fit_resample(X, y)
    >>> len(X_more), bool((X_more[6:] <= 1).all()), y_more[6:].tolist()
    (8, True, [[1, 0], [1, 0]])
    """

    def __init__(self, *, n_neighbors=5, random_state=None):
        self.n_neighbors = n_neighbors
        self.random_state = random_state

    def fit_resample(self, X, y):
        """Return the samples with the synthetic ones appended.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
        y : array or DataFrame of shape (n, c)
            0 and 1.

        Returns
        -------
        X : array or CSR matrix of shape (m, d)
        y : array of int, shape (m, c)
        """
        check_parameters(self)
        check_numbers(self, [("n_neighbors", 1)])
        with explaining(self, X):
            X = check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32])
        labels = check_labels(y)
        check_consistent_length(X, labels.values)
        if not labels.known.all():
            raise ValueError("y holds unknown labels (NaN); MLSMOTE needs all of them.")
        Y = labels.values.astype(int)
        rng, nominal = np.random.default_rng(self.random_state), holds_only_0_and_1(X)
        self.minority_ = minority_labels(Y)
        new_X, new_Y = [X], [Y]
        for label in self.minority_:
            bag = np.flatnonzero(Y[:, label])
            if len(bag) < 2:
                continue
            near = bag[neighbors_of(X[bag], X[bag], min(self.n_neighbors, len(bag) - 1), same=True)]
            new_X += _between(X, bag, near, nominal, rng)
            votes = Y[bag] + Y[near].sum(axis=1)
            new_Y.append((votes > (near.shape[1] + 1) / 2).astype(int))
        stacked = sparse.csr_array(sparse.vstack(new_X)) if sparse.issparse(X) else np.vstack(new_X)
        self.n_synthetic_ = stacked.shape[0] - X.shape[0]
        return stacked, np.vstack(new_Y)


def _between(X, bag, near, nominal, rng):
    """Blocks of synthetic features, one row per sample of the bag."""
    k, d = near.shape[1], X.shape[1]
    reference = near[np.arange(len(bag)), rng.integers(k, size=len(bag))]
    step = max(1, ENTRIES_AT_ONCE // ((k + 2) * d))
    blocks = []
    for start in range(0, len(bag), step):
        part = slice(start, start + step)
        own, other = _dense(X[bag[part]]), _dense(X[reference[part]])
        block = own + rng.random(own.shape).astype(X.dtype) * (other - own)
        mean = sum(_dense(X[near[part, j]]) for j in range(k)) / k
        block[:, nominal] = mean[:, nominal] > 0.5
        blocks.append(sparse.csr_array(block) if sparse.issparse(X) else block)
    return blocks


def _dense(rows):
    return rows.toarray() if sparse.issparse(rows) else rows


def holds_only_0_and_1(X):
    """Whether every entry of a column is 0 or 1, shape (d,); sparse X stays sparse.

    Examples
    --------
    >>> holds_only_0_and_1(sparse.csr_array([[0.0, 1.0], [1.0, 0.5]]))
    array([ True, False])
    """
    if sparse.issparse(X):
        other = sparse.csr_array(((X.data != 0) & (X.data != 1), X.indices, X.indptr), shape=X.shape)
        return np.asarray(other.sum(axis=0)).ravel() == 0
    return ((X == 0) | (X == 1)).all(axis=0)
