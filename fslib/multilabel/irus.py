"""BR-IRUS: inverse random undersampling for every label (Tahir, Kittler & Yan 2012)."""

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

from fslib.inputs import check_for_trees
from fslib.multilabel.learner import MultiLabelLearner
from fslib.parameters import check_numbers


class InverseRandomUnderSampling(MultiLabelLearner):
    """For each label an ensemble, each member trained on all minority samples and even fewer majority samples.

    With a minority of n- and a majority of n+ samples, each of T classifiers sees the whole minority and
    ``m = ceil(n-^2 / n+)`` of the majority: the imbalance is inverted. A label's score is the mean probability, and it
    is predicted above 1/2. Good at finding rare positives; predicts far too many of them (ranking measures are hardly
    affected). Costs T trees per label.

    Parameters
    ----------
    estimator : classifier with ``predict_proba``, optional
        Default: a decision tree.
    n_estimators : int, optional
        T; default ``ceil(n+ / m)``, so that every sample of the majority is used about once, and at most 100.
    n_majority : int, optional
        m; default as above.
    n_jobs : int, optional
        Labels learned at the same time.
    random_state : int, Generator or None

    Attributes
    ----------
    classes_, label_names_, constant_, n_features_in_, feature_names_in_
        See ``MultiLabelLearner``.

    Raises
    ------
    ValueError
        For parameters outside their range, NaN in X, unknown labels, labels that are not 0 and 1, and features too
        large or too small for trees.

    Notes
    -----
    The majority is walked through in random permutations, so that its samples are used equally often, give or take one.
    The sizes are our reading of "inverting the ratio"; the abstract gives no formula.
    Cost: one fit of the estimator per label and per drawn subset, each on few samples.

    References
    ----------
    M. A. Tahir, J. Kittler, F. Yan, "Inverse random under sampling for class imbalance problem and its application to
    multi-label classification", Pattern Recognition 45 (2012).

    Examples
    --------
    >>> X = np.arange(20.0)[:, None]
    >>> y = np.column_stack([X > 15, X < 3]).astype(int)
    >>> InverseRandomUnderSampling(random_state=0).fit(X, y).predict([[1.0], [19.0]])
    array([[0, 1],
           [1, 0]])
    """

    def __init__(self, *, estimator=None, n_estimators=None, n_majority=None, n_jobs=None, random_state=None):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.n_majority = n_majority
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _fit_varying(self, X, Y):
        check_numbers(self, [("n_estimators", 1), ("n_majority", 1)], optional=["n_estimators", "n_majority"])
        if self.estimator is None:
            check_for_trees(self, X)
        base = DecisionTreeClassifier() if self.estimator is None else self.estimator
        generators = np.random.default_rng(self.random_state).spawn(Y.shape[1])
        tasks = (
            delayed(_ensemble)(base, X, y, rng, self.n_estimators, self.n_majority)
            for y, rng in zip(Y.T, generators, strict=True)
        )
        self._ensembles = Parallel(n_jobs=self.n_jobs)(tasks)

    def _score_varying(self, X):
        return np.column_stack([mean_probability(models, X) - 0.5 for models in self._ensembles])


def _ensemble(base, X, y, rng, n_estimators, n_majority):
    """Train the classifiers of one label."""
    rare = np.flatnonzero(y == (y.sum() <= len(y) / 2))
    common = np.setdiff1d(np.arange(len(y)), rare)
    m = min(len(common), n_majority or inverted_size(len(rare), len(common)))
    T = n_estimators or min(100, -(-len(common) // m))
    walk = np.concatenate([rng.permutation(common) for _ in range(-(-T * m // len(common)))])
    models = []
    for t in range(T):
        rows = np.concatenate([rare, walk[t * m : (t + 1) * m]])
        model = clone(base)
        if "random_state" in model.get_params():
            model.set_params(random_state=int(rng.integers(2**31)))
        models.append(model.fit(X[rows], y[rows]))
    return models


def inverted_size(n_rare, n_common):
    """Find how many samples of the majority a classifier sees, so that ``n_rare / m = n_common / n_rare``, at least 1.

    Examples
    --------
    >>> inverted_size(20, 80), inverted_size(3, 1000)
    (5, 1)
    """
    return -(-(n_rare**2) // n_common)


def mean_probability(models, X):
    """Mean over models of the probability of class 1, shape (m,)."""
    return sum(model.predict_proba(X)[:, 1] for model in models) / len(models)
