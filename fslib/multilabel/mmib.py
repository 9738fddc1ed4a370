"""MMIB: multi-label learning with missing labels and class imbalance under bounds on counts (Wu, Lyu & Ghanem 2016)."""

import warnings

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler

from fslib.multilabel.learner import LabelClassifier
from fslib.multilabel.mmib_solver import Edges, SumBounds, solve_mmib
from fslib.multilabel.neighbors import neighbors_of
from fslib.parameters import check_numbers

SCALE_NEIGHBOR = 7
"""The distance to this neighbour is the width of a sample's kernel."""

TIE_BREAK = 1e-3
"""Weight of the neighbours' labels in the scores: solutions are almost integral, and tied scores rank nothing."""


class MMIB(LabelClassifier):
    """Label training and new samples together: few cuts of two graphs, and counts of labels within bounds.

    With Z in [-1, 1] for all samples and labels (1 = present), W the known labels (absent -1, present the ratio
    of known absences to known presences of the label), a graph of similar samples and one of labels that occur
    together, minimise::

        -<W, Z>  +  sum over sample edges w |Z_il - Z_jl|  +  sum over label edges w |Z_il - Z_im|

    with the number of samples of each label between ``lower`` and ``upper`` times what the training samples suggest,
    and the number of labels of each sample between the training minimum and maximum. Good on small data with unknown
    and rare labels. Transductive: a prediction depends on all samples passed with it, and requires a new solution.

    Parameters
    ----------
    beta : float, default=1.3
        Weight of the graph of samples, >= 0.
    gamma : float, default=0.01
        Weight of the graph of labels, >= 0.
    n_neighbors : int, default=20
        Of a sample; fewer if there are fewer samples.
    n_label_neighbors : int, default=3
        Of a label.
    lower, upper : float
        Bounds of the count of a label relative to the expected count.
    labels_per_sample : pair of int, optional
        Bounds; default what occurs among the training samples.
    max_iter : int, default=3000
        Largest number of steps.
    tol : float, default=1e-6
        Mean change of Z below which it has converged.

    Attributes
    ----------
    classes_ : array([0, ..., c - 1])
    label_names_ : array of shape (c,)
    n_features_in_, feature_names_in_

    Raises
    ------
    ValueError
        For parameters outside their range, NaN in X, labels that are not 0, 1 or NaN, and bounds that contradict each
        other.

    Warns
    -----
    ConvergenceWarning
        From a prediction, if ``max_iter`` was reached first.

    Notes
    -----
    Features are scaled by the ranges of the training samples. With n samples in all: O(n^2 d) for the graph, then
    O(c n n_neighbors) per step and in memory, in single precision.

    References
    ----------
    B. Wu, S. Lyu, B. Ghanem, "Constrained submodular minimization for missing labels and class imbalance in multi-label
    learning", AAAI (2016). Weights and default parameters are those of the authors' demonstration; they solve by ADMM.

    Examples
    --------
    >>> X = np.concatenate([np.arange(10.0), 20 + np.arange(10.0)])[:, None]
    >>> y = np.column_stack([X < 15, X > 15]).astype(float)
    >>> y[[3, 14]] = np.nan
    >>> MMIB(n_neighbors=3).fit(X, y).predict([[4.5], [24.5]])
    array([[1, 0],
           [0, 1]])
    """

    _dtypes = (float,)

    def __init__(
        self,
        *,
        beta=1.3,
        gamma=0.01,
        n_neighbors=20,
        n_label_neighbors=3,
        lower=0.8,
        upper=2.0,
        labels_per_sample=None,
        max_iter=3000,
        tol=1e-6,
    ):
        self.beta = beta
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.n_label_neighbors = n_label_neighbors
        self.lower = lower
        self.upper = upper
        self.labels_per_sample = labels_per_sample
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X, y):
        """Keep the training samples; all work is done when predicting.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
        y : array or DataFrame of shape (n, c)
            0, 1 or NaN for unknown.

        Returns
        -------
        MMIB
        """
        self._check_parameters()
        X, labels = self._validate(X, y)
        self.classes_ = np.arange(labels.values.shape[1])
        self._scaler = (MaxAbsScaler() if sparse.issparse(X) else MinMaxScaler((-1, 1))).fit(X)
        self._X, self._Y = self._scaler.transform(X), labels.values
        return self

    def decision_function(self, X):
        """Z of the samples, plus a thousandth of the mean Z of their neighbours to break ties.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d)

        Returns
        -------
        array of shape (m, c)
        """
        X = self._validate_new(X)
        X = self._scaler.transform(X)
        together = (
            sparse.csr_array(sparse.vstack([self._X, X])) if sparse.issparse(self._X) else np.vstack([self._X, X])
        )
        n, (n_train, c) = together.shape[0], self._Y.shape
        V = neighbor_weights(together, min(self.n_neighbors, n - 1))
        C = label_weights(self._Y, min(self.n_label_neighbors, c - 1))
        reward = np.zeros((n, c))
        reward[:n_train] = label_rewards(self._Y)
        found = solve_mmib(
            reward,
            normalized_edges(V, 2 * self.beta),
            normalized_edges(C, 2 * self.gamma),
            *self._bounds(n),
            max_iter=self.max_iter,
            tol=self.tol,
        )
        if not found.converged:
            warnings.warn(
                f"MMIB stopped after max_iter={self.max_iter} steps, with bounds missed by up to {found.violation:.2g} "
                "labels; raise max_iter.",
                ConvergenceWarning,
                stacklevel=2,
            )
        around = (V @ found.Z) / np.asarray(V.sum(axis=1)).reshape(-1, 1)
        return (found.Z + TIE_BREAK * around)[n_train:].astype(float)

    def predict(self, X):
        """Labels with a positive score.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d)

        Returns
        -------
        array of int, shape (m, c)
        """
        return (self.decision_function(X) > 0).astype(int)

    def _bounds(self, n):
        """Bounds of the sums of Z over samples and over labels."""
        c = self._Y.shape[1]
        known = ~np.isnan(self._Y)
        positive = np.nansum(self._Y, axis=0) / known.sum(axis=0) * n
        low = np.minimum(np.maximum(1, self.lower * positive), n)
        high = np.minimum(np.maximum(self.upper * positive, low + 1), n)
        per_sample = np.nansum(self._Y, axis=1)
        fewest, most = self.labels_per_sample or (per_sample.min(), min(c, np.ceil(per_sample.max() / known.mean())))
        of_samples = SumBounds(np.full(n, 2.0 * fewest - c), np.full(n, 2.0 * most - c))
        return SumBounds(2 * low - n, 2 * high - n), of_samples

    def _check_parameters(self):
        checks = [(name, "a number >= 0", lambda v: v >= 0) for name in ("beta", "gamma", "lower", "tol")]
        checks.append(("upper", "a positive number", lambda v: v > 0))
        check_numbers(self, [("n_neighbors", 1), ("n_label_neighbors", 1), ("max_iter", 1)], checks)
        pair = self.labels_per_sample
        if pair is not None and not (isinstance(pair, list | tuple) and len(pair) == 2):
            raise ValueError(f"labels_per_sample={pair!r} must be a pair (fewest, most), or None.")


def neighbor_weights(X, k):
    """Weights ``exp(-distance^2 / width^2)`` to the k nearest rows, made symmetric by the mean, CSR (n, n)."""
    n = X.shape[0]
    near = neighbors_of(X, X, k, same=True)
    rows = np.repeat(np.arange(n), k)
    squares = np.column_stack([_squared_lengths(X - X[near[:, j]]) for j in range(k)])
    width = np.sort(squares, axis=1)[:, min(SCALE_NEIGHBOR, k) - 1]
    width = np.where(width > 0, width, squares.mean() or 1.0)  # squared; zero where seven rows are equal
    one_way = sparse.csr_array((np.exp(-squares / width[:, None]).ravel(), (rows, near.ravel())), shape=(n, n))
    return sparse.csr_array((one_way + one_way.T) / 2)


def _squared_lengths(gap):
    squares = gap.multiply(gap).sum(axis=1) if sparse.issparse(gap) else np.einsum("ij,ij->i", gap, gap)
    return np.asarray(squares).ravel()


def label_weights(Y, k):
    """Shares of a label's known samples that have another label, the k largest per label, symmetric, CSR (c, c)."""
    positive = np.nan_to_num(Y, nan=0.0)
    together = positive.T @ positive
    counts = np.diag(together).copy()
    share = np.divide(together, counts[:, None], out=np.zeros_like(together), where=counts[:, None] > 0)
    np.fill_diagonal(share, 0)
    order = np.argsort(-share, axis=1, kind="stable")[:, :k]
    kept = np.zeros_like(share)
    np.put_along_axis(kept, order, np.take_along_axis(share, order, axis=1), axis=1)
    return sparse.csr_array((kept + kept.T) / 2)


def label_rewards(Y):
    """Minus 1 for a known absence, the ratio of absences to presences for a known presence, 0 where unknown.

    Examples
    --------
    >>> label_rewards(np.array([[1.0], [0.0], [0.0], [np.nan]])).ravel()
    array([ 2., -1., -1.,  0.])
    """
    n_positive, n_negative = (Y == 1).sum(axis=0), (Y == 0).sum(axis=0)
    ratio = np.divide(n_negative, n_positive, out=np.ones(Y.shape[1]), where=n_positive > 0)
    return np.where(np.isnan(Y), 0.0, np.where(Y == 1, ratio, -1.0))


def normalized_edges(weights, factor):
    """Edges of a symmetric weight matrix, each once, weighted ``factor w_ij / sqrt(degree_i degree_j)``."""
    degree = np.asarray(weights.sum(axis=1)).ravel()
    upper = sparse.coo_array(sparse.triu(weights, k=1))
    first, second = upper.coords
    positive = upper.data > 0
    first, second, w = first[positive], second[positive], upper.data[positive]
    return Edges(first, second, factor * w / np.sqrt(degree[first] * degree[second]))
