"""Kernel learners for two classes that tune themselves on a held-out part of their training rows.

A few features of a discrete data set have few distinct rows: 7814 training rows of Adult, cut to 15 features, are some
600. The support vector machine and logistic regression have the same optimum on the distinct (row, label) pairs
weighted by their number, so that is what they are trained on, and predictions are made once per distinct row.
"""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import make_scorer
from sklearn.model_selection import TunedThresholdClassifierCV, train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from fslib.base import TIE_TOLERANCE
from fslib.counts.rows import distinct_rows
from fslib.evaluation import metrics
from fslib.evaluation.kernel_logistic import DistinctRowsNystroem, logistic_classifier
from fslib.names import LARGER_IS_BETTER

REGULARISATION = (0.1, 1.0, 10.0, 100.0)
KERNEL_WIDTH = (0.1, 0.3, 1.0, 3.0)


class BinaryKeepingScaler(StandardScaler):
    """Standardise features by training mean and deviation; features that hold only 0 and 1 stay as they are.

    Examples
    --------
    >>> BinaryKeepingScaler().fit_transform(np.array([[0.0, 1.0], [1.0, 3.0]])).tolist()
    [[0.0, -1.0], [1.0, 1.0]]
    """

    def fit(self, X, y=None, sample_weight=None):
        """Learn mean and deviation of every feature that is not binary."""
        super().fit(X, y, sample_weight)
        binary = ((X == 0) | (X == 1)).all(axis=0)
        self.mean_[binary], self.scale_[binary] = 0, 1
        return self


def _svm(class_costs):
    """Builder of support vector machines; ``class_costs(p)`` are the costs of a wrong 0 and of a wrong 1."""

    def build(C, gamma, p):
        return SVC(C=C, gamma=gamma, class_weight=dict(enumerate(class_costs(p))))

    return build


def _logistic(C, gamma, p):
    return logistic_classifier(C)  # on the kernel map, which is the same for all C


def _plug_in(C, gamma, p):
    # The threshold is chosen on cross-fitted probabilities: those of the training rows themselves are too sure. The
    # kernel map of all training rows serves every fold: landmarks beyond a fold's own rows do not move its optimum.
    return TunedThresholdClassifierCV(logistic_classifier(C), scoring=make_scorer(metrics.f1), cv=5, refit=True)


# measure -> builder of the classifier, its output, whether it may be trained on distinct rows, whether on a kernel map
_MODELS: dict[str, Any] = {
    "error_0_1": (_svm(lambda p: (1, 1)), "predict", True, False),
    "balanced_error": (_svm(lambda p: (1 / (1 - p), 1 / p)), "predict", True, False),
    "log_loss": (_logistic, "predict_proba", True, True),
    # its cross-validation folds are folds of rows, not of distinct rows
    "f1": (_plug_in, "predict", False, True),
}


class TunedLearner(ClassifierMixin, BaseEstimator):
    """The kernel learner that belongs to a measure, tuned by that measure on held-out training rows.

    ==================  ==============================================================================
    measure             learner
    ==================  ==============================================================================
    ``error_0_1``       support vector machine, Gaussian kernel
    ``cost_error``      the same; a false positive weighs ``c``, a false negative ``1 - c``
    ``balanced_error``  the same; positives weigh 1/p, negatives 1/(1 - p), p the positive share
    ``log_loss``        kernel logistic regression
    ``f1``              kernel logistic regression and the threshold with the best cross-fitted F1
    ==================  ==============================================================================

    Features are standardised by the rows that are trained on, unless binary. A stratified fifth of the training rows
    is held out, every pair of the grid is fitted on the rest and judged on it, and the best pair is fitted on all
    training rows; ties, up to rounding, go to the smaller C, then to the smaller gamma.

    Parameters
    ----------
    measure : str
        See the table.
    c : float
        Cost of a false positive in (0, 1); only ``cost_error`` uses it.
    C : sequence of float
        Weights of the loss to try.
    gamma : sequence of float
        Kernel widths to try, in units of 1 / number of features.
    held_out : float
        Share of the training rows on which pairs are compared.
    random_state : int
        Draws the held-out rows, and the landmarks of a large kernel.

    Attributes
    ----------
    best_ : dict
        C and gamma of the grid that were chosen.
    grid_ : array of shape (len(C), len(gamma))
        Held-out measure of every pair.
    classes_ : array([0, 1])
    n_features_in_ : int

    Raises
    ------
    ValueError
        If labels other than 0 and 1 occur, or one of them has fewer than two rows.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(0, 2, (200, 3)).astype(float)
    >>> y = ((X[:, 0] != X[:, 1]) ^ (rng.random(200) < 0.1)).astype(int)
    >>> learner = TunedLearner("error_0_1").fit(X[:100], y[:100])
    >>> learner.best_, round(float(learner.measure_on(X[100:], y[100:])), 2)
    ({'C': 1.0, 'gamma': 1.0}, 0.05)
    """

    def __init__(
        self, measure="error_0_1", *, c=0.5, C=REGULARISATION, gamma=KERNEL_WIDTH, held_out=0.2, random_state=0
    ):
        self.measure = measure
        self.c = c
        self.C = C
        self.gamma = gamma
        self.held_out = held_out
        self.random_state = random_state

    def fit(self, X, y):
        """Tune on a held-out part of (X, y), then train on all of it."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        counts = [np.count_nonzero(y == label) for label in (0, 1)]
        if sum(counts) < len(y) or min(counts) < 2:
            raise ValueError(f"y must hold the labels 0 and 1, at least two rows each; found {np.unique(y)}, {counts}.")
        self.classes_ = np.array([0, 1])
        fit, held = train_test_split(
            np.arange(len(y)), test_size=self.held_out, stratify=y, random_state=self.random_state
        )
        part = _Trained(self, X[fit], y[fit])
        pairs = [(C, gamma) for C in sorted(self.C) for gamma in sorted(self.gamma)]
        values = [self._value(y[held], part.fit(*pair).output(X[held])) for pair in pairs]
        self.grid_ = np.reshape(values, (len(self.C), len(self.gamma)))
        worth = np.array(values) if self.measure in LARGER_IS_BETTER else -np.array(values)
        # Three false positives at c = 0.25 cost what one false negative does, but their sums round differently.
        best = np.flatnonzero(worth >= worth.max() - TIE_TOLERANCE)[0]
        self.best_ = dict(zip(("C", "gamma"), pairs[best], strict=True))
        self._trained = _Trained(self, X, y).fit(*pairs[best])
        return self

    def predict(self, X):
        """Labels, shape (n,)."""
        output = self._output(X)
        return (output > 0.5).astype(int) if self.measure == "log_loss" else output

    def predict_proba(self, X):
        """Probabilities of 0 and 1, shape (n, 2); AttributeError unless the measure is "log_loss"."""
        if self.measure != "log_loss":
            raise AttributeError(f"the learner for {self.measure} predicts labels; probabilities come from 'log_loss'.")
        positive = self._output(X)
        return np.column_stack([1 - positive, positive])

    def measure_on(self, X, y):
        """Value of the learner's own measure on the rows (X, y)."""
        return self._value(np.asarray(y), self._output(X))

    def _output(self, X):
        check_is_fitted(self, "best_")
        return self._trained.output(validate_data(self, X, dtype=np.float64, reset=False))

    def _value(self, y, output):
        if self.measure == "cost_error":
            return metrics.cost_error(y, output, self.c)
        return getattr(metrics, self.measure)(y, output)

    def _model(self):
        if self.measure == "cost_error":
            return _svm(lambda p: (self.c, 1 - self.c)), "predict", True, False
        return _MODELS[self.measure]


class _Trained:
    """Training rows of a learner, scaled and collapsed once, and the classifier last fitted on them."""

    def __init__(self, learner, X, y):
        self.build, self.method, collapse, self.mapped = learner._model()
        self.random_state = learner.random_state
        self.share = y.mean()
        self.scaler = BinaryKeepingScaler().fit(X)
        self.X, self.y, self.weights = self.scaler.transform(X), y, None
        if collapse:
            first, group = distinct_rows(np.column_stack([self.X, y]))
            self.X, self.y, self.weights = self.X[first], y[first], np.bincount(group).astype(float)
        self.maps: dict[float, tuple] = {}  # kernel map of a gamma, and the training rows under it

    def fit(self, C, gamma):
        gamma = gamma / self.X.shape[1]
        self.map, X = self._map(gamma) if self.mapped else (None, self.X)
        weights = {} if self.weights is None else {"sample_weight": self.weights}
        self.model = self.build(C, gamma, self.share).fit(X, self.y, **weights)
        return self

    def _map(self, gamma):
        if gamma not in self.maps:
            kernel = DistinctRowsNystroem(gamma=gamma, random_state=self.random_state).fit(self.X)
            self.maps[gamma] = kernel, kernel.transform(self.X)
        return self.maps[gamma]

    def output(self, X):
        """Label, or probability of class 1, of every row; computed once per distinct row."""
        first, group = distinct_rows(X)
        rows = self.scaler.transform(X[first])
        found = getattr(self.model, self.method)(self.map.transform(rows) if self.map else rows)
        return (found[:, 1] if found.ndim == 2 else found)[group]
