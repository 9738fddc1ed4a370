"""ML-kNN: multi-label classification by counting labels among the nearest neighbours, with unknown labels."""

import numbers

import numpy as np
from sklearn.utils.validation import check_array, check_consistent_length

from fslib.multilabel.labels import check_labels
from fslib.multilabel.learner import LabelClassifier
from fslib.multilabel.neighbors import neighbors_by_prefix, neighbors_of


class MLkNN(LabelClassifier):
    """Multi-label k nearest neighbours: a Bayes rule on how many neighbours carry a label.

    For every label, the share of positives among all training samples is the prior, and the number of neighbours that
    carry the label is the evidence: a label is predicted where ``P(1) P(votes | 1) >= P(0) P(votes | 0)``. Use it on
    low-dimensional dense data without tuning. Labels are treated one by one, so their correlations are lost; irrelevant
    features drown the distances, which is why it shows the quality of a feature selection well.

    An unknown label casts no vote as a neighbour and is not counted in prior or likelihood. (Taking unknown for absent
    makes rare labels vanish.)

    Parameters
    ----------
    n_neighbors : int, default=10
        Euclidean neighbours, a training sample not being its own; equal distances go to the lower row index.
    s : float, default=1.0
        Pseudo-count of the priors and of every cell of the likelihoods; positive.

    Attributes
    ----------
    classes_ : list of arrays
        ``[0, 1]`` per label, the form scikit-learn uses for several outputs.
    label_names_ : array of shape (c,)
    n_features_in_ : int

    Raises
    ------
    ValueError
        If ``n_neighbors`` is not below the number of training samples, ``s`` is not positive, or ``y`` holds anything
        but 0, 1 and NaN or a column of unknowns only.

    Notes
    -----
    Fitting takes O(n^2 d) time and prediction O(m n d); distances are made in blocks of 32 MiB.

    Cross-validation on incomplete labels: for a classifier scikit-learn stratifies the folds and scores whole rows,
    and neither works with NaN in y. Pass ``cv=KFold(5)`` instead of ``cv=5``, and a score that leaves
    unknown labels out, ``scoring=fslib.evaluation.multilabel_metrics.micro_f1_of_known_labels``.

    References
    ----------
    M.-L. Zhang, Z.-H. Zhou, "ML-KNN: a lazy learning approach to multi-label learning", Pattern Recognition 40 (2007),
    equations (1)-(6). P. Zhu et al., "Multi-label feature selection with missing labels", Pattern Recognition 74
    (2018), section 5.4, for unknown labels.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [1.0], [1.1], [1.2]]
    >>> y = [[1, 0], [1, 0], [np.nan, 0], [0, 1], [0, 1], [0, 1]]
    >>> MLkNN(n_neighbors=2).fit(X, y).predict([[0.15], [1.05]])
    array([[1, 0],
           [0, 1]])
    """

    _dtypes = (float,)

    def __init__(self, n_neighbors=10, *, s=1.0):
        self.n_neighbors = n_neighbors
        self.s = s

    def fit(self, X, y):
        """Count labels among the neighbours of the training samples.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
        y : array or DataFrame of shape (n, c)
            0, 1 or NaN for unknown.

        Returns
        -------
        MLkNN
        """
        X, labels = self._validate(X, y)
        _check_parameters(self.n_neighbors, self.s, X.shape[0])
        self.classes_ = [np.array([0, 1])] * labels.values.shape[1]
        self._X, self._votes = X, labels.values == 1
        neighbors = neighbors_of(X, X, self.n_neighbors, same=True)
        self._posterior = posterior_table(labels.values, neighbors, self.s)
        return self

    def predict_proba(self, X):
        """Probability of every label.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d)

        Returns
        -------
        array of shape (m, c)
        """
        X = self._validate_new(X)
        return look_up(self._posterior, count_votes(self._votes, neighbors_of(X, self._X, self.n_neighbors)))

    def predict(self, X):
        """Labels of probability 1/2 or more.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d)

        Returns
        -------
        array of int, shape (m, c)
        """
        return (self.predict_proba(X) >= 0.5).astype(int)


def count_votes(positive, neighbors):
    """How many neighbours are known to carry each label, shape (m, c), from labels (n, c) and neighbours (m, k)."""
    votes = np.zeros((len(neighbors), positive.shape[1]), dtype=np.intp)
    for column in neighbors.T:  # k small gathers; one gather of (m, k, c) would be k times the memory
        votes += positive[column]
    return votes


def posterior_table(Y, neighbors, s):
    """Probability of a label given the votes for it, for every possible number of votes, shape (k + 1, c).

    Parameters
    ----------
    Y : array of shape (n, c)
        0, 1 or NaN.
    neighbors : array of int, shape (n, k)
        Neighbours of each training sample, itself excluded.
    s : float
        Pseudo-count.

    Returns
    -------
    array of shape (k + 1, c)

    Examples
    --------
    One label, two samples, each the other's neighbour. The positive one got no vote, the negative one got one. With
    s = 1: prior odds 2 : 2; likelihood of no vote 2/3 if positive, 1/3 if negative.

    >>> posterior_table(np.array([[1.0], [0.0]]), np.array([[1], [0]]), 1.0).ravel()
    array([0.66666667, 0.33333333])
    """
    positive, negative = Y == 1, Y == 0
    votes = count_votes(positive, neighbors)
    cells = np.arange(neighbors.shape[1] + 1)[:, None, None]
    belief = []
    for members in (positive, negative):
        counts = np.sum((votes == cells) & members, axis=1)  # (k + 1, c)
        belief.append((s + members.sum(axis=0)) * (s + counts) / (s * len(cells) + counts.sum(axis=0)))
    return belief[0] / (belief[0] + belief[1])


def look_up(table, votes):
    """Entries ``table[votes[i, l], l]``, shape of ``votes``."""
    return table[votes, np.arange(table.shape[1])]


def mlknn_sweep(X_train, label_sets, X_test, order, *, sizes=None, n_neighbors=10, s=1.0):
    """ML-kNN on the first feature of a ranking, the first two, the first three, ...

    The result is that of ``MLkNN`` on these features, in a fraction of the time: distances grow by one feature at a
    time, and several versions of the training labels share their neighbours.

    Parameters
    ----------
    X_train : array of shape (n, d)
    label_sets : dict of str to array of shape (n, c)
        Versions of the training labels, such as the incomplete and the recovered ones; 0, 1 or NaN.
    X_test : array of shape (m, d)
    order : sequence of int
        Features, best first; as many steps as there are entries.
    sizes : collection of int, optional
        Numbers of features to stop at, instead of all.
    n_neighbors : int, default=10
    s : float, default=1.0
        Pseudo-count of the priors and likelihoods.

    Yields
    ------
    dict of str to array of shape (m, c)
        Probabilities of the labels of the test samples, one array per label set.

    Raises
    ------
    ValueError
        If ``n_neighbors`` is not below the number of training samples, ``s`` is not positive, or labels are not 0, 1
        or NaN.
    TypeError
        For sparse X.

    Examples
    --------
    >>> X, y = np.array([[0.0, 5], [1, 5], [9, 5], [8, 5]]), np.array([[0], [0], [1], [1]])
    >>> [p["full"].round(2).ravel().tolist() for p in mlknn_sweep(X, {"full": y}, X[:1], [1, 0], n_neighbors=1)]
    [[0.5], [0.25]]
    """
    X_train, X_test = (check_array(X, dtype=float) for X in (X_train, X_test))
    _check_parameters(n_neighbors, s, len(X_train))
    sets = {name: check_labels(Y, name=f"label set {name!r}").values for name, Y in label_sets.items()}
    check_consistent_length(X_train, *sets.values())
    for train, test in neighbors_by_prefix(X_train, X_test, order, n_neighbors, sizes):
        yield {name: look_up(posterior_table(Y, train, s), count_votes(Y == 1, test)) for name, Y in sets.items()}


def _check_parameters(n_neighbors, s, n):
    if isinstance(n_neighbors, bool) or not isinstance(n_neighbors, numbers.Integral) or not 1 <= n_neighbors < n:
        raise ValueError(
            f"n_neighbors={n_neighbors!r} must be an integer from 1 to {n - 1}: each of the n_samples={n} training "
            "samples needs that many others."
        )
    if not isinstance(s, numbers.Real) or not 0 < s < np.inf:
        raise ValueError(
            f"s={s!r} must be a positive number: without pseudo-counts a cell that was never seen divides by zero."
        )
