"""BR and CC: one support vector machine per label, each on its own or along a chain."""

from contextlib import contextmanager

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain

from fslib.multilabel.learner import MultiLabelLearner
from fslib.solvers.machines import NotSolvedError, linear_machine


@contextmanager
def naming_the_largest(learner, X):
    """Name the largest feature and what to do, in a ValueError, where a support vector machine is not solved."""
    try:
        yield
    except NotSolvedError as error:
        size = abs(X).max(axis=0).toarray().ravel() if sparse.issparse(X) else np.abs(X).max(axis=0)
        j = int(np.argmax(size))
        name = repr(learner.feature_names_in_[j]) if hasattr(learner, "feature_names_in_") else j
        scaler = "MaxAbsScaler" if sparse.issparse(X) else "StandardScaler"
        raise ValueError(
            f"{error}; X holds numbers as large as {size[j]:.3g} in column {name}: scale the features first, by "
            f"{scaler} in a pipeline, or pass another estimator."
        ) from error


class BinaryRelevance(MultiLabelLearner):
    """One classifier per label, each independent of the other labels: the standard baseline (BR).

    scikit-learn's ``OneVsRestClassifier``, with labels that are constant in training given a fixed answer (a fold of
    a data set with rare labels has some, and scikit-learn would score them above every negative margin).

    Parameters
    ----------
    estimator : classifier with ``decision_function``, optional
        Default: linear support vector machine, hinge loss, C = 1, what the thesis braytee ran
        (``fslib.solvers.machines``).
    n_jobs : int, optional
        Labels learned at the same time.

    Attributes
    ----------
    classes_, label_names_, constant_, n_features_in_, feature_names_in_
        See ``MultiLabelLearner``.

    Raises
    ------
    ValueError
        For NaN in X, unknown labels, labels that are not 0 and 1, and features so large that the solver of the default
        estimator does not end.

    Notes
    -----
    Cost: one fit of the estimator per label that varies.

    References
    ----------
    M. R. Boutell, J. Luo, X. Shen, C. M. Brown, "Learning multi-label scene classification", Pattern Recognition 37
    (2004).

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> y = [[1, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 0]]        # label 0 always, label 2 never
    >>> BinaryRelevance().fit(X, y).predict([[0.5], [2.5]])
    array([[1, 0, 0],
           [1, 1, 0]])
    """

    def __init__(self, *, estimator=None, n_jobs=None):
        self.estimator = estimator
        self.n_jobs = n_jobs

    def _fit_varying(self, X, Y):
        base = linear_machine(X) if self.estimator is None else clone(self.estimator)
        with naming_the_largest(self, X):
            self._model = OneVsRestClassifier(base, n_jobs=self.n_jobs).fit(X, Y)

    def _score_varying(self, X):
        return self._model.decision_function(X).reshape(X.shape[0], -1)


class LabelChain(MultiLabelLearner):
    """One classifier per label in a random order, each with the previous labels as additional features (CC).

    scikit-learn's ``ClassifierChain`` on the labels that vary in training; the others get a fixed answer.

    Parameters
    ----------
    estimator : classifier with ``decision_function``, optional
        Default: linear support vector machine, hinge loss, C = 1, what the thesis braytee ran
        (``fslib.solvers.machines``).
    random_state : int or None
        Draws the order.

    Attributes
    ----------
    classes_, label_names_, constant_, n_features_in_, feature_names_in_
        See ``MultiLabelLearner``.

    Raises
    ------
    ValueError
        For NaN in X, unknown labels, labels that are not 0 and 1, and features so large that the solver of the default
        estimator does not end.

    Notes
    -----
    Cost: one fit of the estimator per label that varies, on d + c features.

    References
    ----------
    J. Read, B. Pfahringer, G. Holmes, E. Frank, "Classifier chains for multi-label classification", Machine Learning 85
    (2011).

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> y = [[0, 0, 0], [0, 0, 0], [1, 1, 0], [1, 1, 0]]
    >>> LabelChain(random_state=0).fit(X, y).predict([[0.5], [2.5]])
    array([[0, 0, 0],
           [1, 1, 0]])
    """

    def __init__(self, *, estimator=None, random_state=None):
        self.estimator = estimator
        self.random_state = random_state

    def _fit_varying(self, X, Y):
        base = linear_machine(X) if self.estimator is None else clone(self.estimator)
        with naming_the_largest(self, X):
            self._model = ClassifierChain(base, order="random", random_state=self.random_state).fit(X, Y)

    def _score_varying(self, X):
        return self._model.decision_function(X)
