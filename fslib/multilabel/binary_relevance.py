"""BR and CC: one support vector machine per label, each on its own or along a chain."""

from scipy import sparse
from sklearn.base import clone
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain
from sklearn.svm import SVC, LinearSVC

from fslib.multilabel.learner import MultiLabelLearner


def linear_svm(X):
    """Linear support vector machine with the hinge loss and C = 1: what the thesis braytee ran.

    Two solvers of (but for the intercept) one problem: libsvm for dense X, because it copes with columns of any scale,
    liblinear for sparse X, because it is faster there.
    """
    if sparse.issparse(X):
        return LinearSVC(loss="hinge", dual=True, C=1.0, max_iter=5000, random_state=0)
    return SVC(kernel="linear", C=1.0)


class BinaryRelevance(MultiLabelLearner):
    """One classifier per label, each ignorant of the other labels: the plain baseline (BR).

    scikit-learn's ``OneVsRestClassifier``, with labels that are constant in training given a fixed answer (a fold of
    a data set with rare labels has some, and scikit-learn would score them above every negative margin).

    Parameters
    ----------
    estimator : classifier with ``decision_function``, optional
        Default: linear support vector machine, hinge loss, C = 1 (``linear_svm``).
    n_jobs : int, optional
        Labels learned at the same time.

    Attributes
    ----------
    classes_, label_names_, constant_, n_features_in_, feature_names_in_
        See ``MultiLabelLearner``.

    Raises
    ------
    ValueError
        For NaN in X, unknown labels, and labels that are not 0 and 1.

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
        base = linear_svm(X) if self.estimator is None else clone(self.estimator)
        self._model = OneVsRestClassifier(base, n_jobs=self.n_jobs).fit(X, Y)

    def _score_varying(self, X):
        return self._model.decision_function(X).reshape(X.shape[0], -1)


class LabelChain(MultiLabelLearner):
    """One classifier per label in a random order, each with the labels before it as further features (CC).

    scikit-learn's ``ClassifierChain`` on the labels that vary in training; the others get a fixed answer.

    Parameters
    ----------
    estimator : classifier with ``decision_function``, optional
        Default: linear support vector machine, hinge loss, C = 1 (``linear_svm``).
    random_state : int or None
        Draws the order.

    Attributes
    ----------
    classes_, label_names_, constant_, n_features_in_, feature_names_in_
        See ``MultiLabelLearner``.

    Raises
    ------
    ValueError
        For NaN in X, unknown labels, and labels that are not 0 and 1.

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
        base = linear_svm(X) if self.estimator is None else clone(self.estimator)
        self._model = ClassifierChain(base, order="random", random_state=self.random_state).fit(X, Y)

    def _score_varying(self, X):
        return self._model.decision_function(X)
