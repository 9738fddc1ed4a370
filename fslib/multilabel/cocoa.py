"""COCOA: cross-coupling aggregation of a label with other labels (Zhang, Li & Liu 2015)."""

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

from fslib.inputs import check_for_trees
from fslib.multilabel.learner import MultiLabelLearner
from fslib.parameters import check_numbers


class COCOA(MultiLabelLearner):
    """For each label, average one binary classifier and three-class classifiers that pair it with other labels.

    For label j and partner k the three cases are: j present; j absent and k present; both absent. All classifiers are
    trained on as many samples of each case as the rarest has. The score of j is the mean probability of "j present",
    and it is predicted above the threshold of best F1 on the training samples. Good for imbalanced labels
    that occur together; costs ``1 + n_partners`` trees per label, and the thresholds are optimistic since
    the trees have seen their samples.

    Parameters
    ----------
    estimator : classifier with ``predict_proba``, optional
        Default: a decision tree with at least two samples per leaf.
    n_partners : int, default=10
        Partners per label, drawn at random; fewer if there are fewer labels.
    n_jobs : int, optional
        Labels learned at the same time.
    random_state : int, Generator or None

    Attributes
    ----------
    thresholds_ : array of shape (c,)
        NaN for labels that are constant in training.
    classes_, label_names_, constant_, n_features_in_, feature_names_in_
        See ``MultiLabelLearner``.

    Raises
    ------
    ValueError
        For parameters outside their range, NaN in X, unknown labels, labels that are not 0 and 1, and features too
        large or too small for trees.

    Notes
    -----
    A case that no sample shows is left out. The original tries
    thresholds 0.05, 0.1, ... 0.95; here the best of all is found, in O(n log n) per label.

    References
    ----------
    M.-L. Zhang, Y.-K. Li, X.-Y. Liu, "Towards class-imbalance aware multi-label learning", IJCAI (2015), equations
    3-8.

    Examples
    --------
    >>> X = np.arange(20.0)[:, None]
    >>> y = np.column_stack([X > 15, X < 3]).astype(int)
    >>> COCOA(random_state=0).fit(X, y).predict([[1.0], [19.0]])
    array([[0, 1],
           [1, 0]])
    """

    def __init__(self, *, estimator=None, n_partners=10, n_jobs=None, random_state=None):
        self.estimator = estimator
        self.n_partners = n_partners
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _fit_varying(self, X, Y):
        check_numbers(self, [("n_partners", 0)])
        if self.estimator is None:
            check_for_trees(self, X)
        base = DecisionTreeClassifier(min_samples_leaf=2) if self.estimator is None else self.estimator
        generators = np.random.default_rng(self.random_state).spawn(Y.shape[1])
        tasks = (delayed(_coupled)(base, X, Y, j, self.n_partners, rng) for j, rng in enumerate(generators))
        self._models, thresholds = zip(*Parallel(n_jobs=self.n_jobs)(tasks), strict=True)
        self.thresholds_ = np.full(len(self.constant_), np.nan)
        self.thresholds_[np.isnan(self.constant_)] = thresholds

    def _score_varying(self, X):
        scores = np.column_stack([_mean_of_present(models, X) for models in self._models])
        return scores - self.thresholds_[np.isnan(self.constant_)]

    def label_scores(self, X):
        """Mean probability of every label, without the thresholds: what to rank the labels of a sample by.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d)

        Returns
        -------
        array of shape (m, c)
            -1 for labels that no training sample had, 2 for those that all had.
        """
        constant = np.where(self.constant_ == 0, -1.0, 2.0)
        return np.where(np.isnan(self.constant_), self.decision_function(X) + self.thresholds_, constant)


def _coupled(base, X, Y, j, n_partners, rng):
    """Classifiers of label j and its threshold."""
    partners = rng.permutation(np.delete(np.arange(Y.shape[1]), j))[:n_partners]
    cases = [Y[:, j] * 2] + [np.where(Y[:, j] == 1, 2, Y[:, k]) for k in partners]
    models = []
    for case in cases:
        rows = equal_parts(case, rng)
        model = clone(base)
        if "random_state" in model.get_params():
            model.set_params(random_state=int(rng.integers(2**31)))
        models.append(model.fit(X[rows], case[rows]))
    return models, best_threshold(Y[:, j], _mean_of_present(models, X))


def _mean_of_present(models, X):
    return sum(model.predict_proba(X)[:, -1] for model in models) / len(models)  # case 2, the last, always occurs


def equal_parts(case, rng):
    """Rows with as many of every case as the rarest has, drawn at random.

    Examples
    --------
    >>> case = np.array([0, 0, 0, 0, 1, 1, 2])
    >>> case[equal_parts(case, np.random.default_rng(0))]
    array([0, 1, 2])
    """
    values, counts = np.unique(case, return_counts=True)
    return np.concatenate([rng.permutation(np.flatnonzero(case == v))[: counts.min()] for v in values])


def best_threshold(y, scores):
    """Threshold of largest F1 for ``scores > threshold``, midway to the next lower score; of equals the largest.

    Examples
    --------
    >>> best_threshold(np.array([0, 1, 1]), np.array([0.25, 0.75, 1.0]))
    0.5
    """
    distinct, position = np.unique(scores, return_inverse=True)
    positive = np.bincount(position, weights=y, minlength=len(distinct))
    at_least, found = (np.cumsum(v[::-1])[::-1] for v in (np.bincount(position), positive))
    f1 = 2 * found / (at_least + y.sum())
    best = len(distinct) - 1 - int(np.argmax(f1[::-1]))
    below = distinct[best - 1] if best else distinct[0] - 1
    return float((distinct[best] + below) / 2)
