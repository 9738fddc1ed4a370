"""Chapter 5's judge of selectors: a linear support vector machine per label on the best 5, 10, 15, 20 % of features.

Selectors see the training rows of a fold alone. Micro F1 and Hamming loss are those of the prediction, average
precision is that of the 0/1 output under the tie rules of :mod:`fslib.evaluation.hard_outputs`, as in the
thesis's tables.
"""

import time
import warnings

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler

from fslib.evaluation.hard_outputs import seven_scores
from fslib.multilabel import CMFS, FIMF, MIFS, MLCIBFS, SFUS, BinaryRelevance, LabelChain
from fslib.papers.braytee.ch5_data import ALL_TITLES, SIMULATED, fold_rows, load_task
from fslib.seeds import trial_seed

PERCENTAGES = (5, 10, 15, 20)
METRICS = {
    "micro_f1": "micro_f1",
    "hamming_loss": "hamming_loss",
    "average_precision_hard": "average_precision",
    "empty_predictions": "empty_predictions",
}

PERMUTED, MEAN, RANDOM = "CMFS, permuted labels", "Feature mean", "Random features"
SELECTORS = {
    "CMFS": lambda reading, seed: CMFS(reading=reading, tol=0.0, random_state=seed),
    PERMUTED: lambda reading, seed: CMFS(reading=reading, tol=0.0, random_state=seed),
    "CMFS, balanced": lambda reading, seed: CMFS(reading=reading, alpha="balanced", tol=0.0, random_state=seed),
    "SFUS": lambda reading, seed: SFUS(reading=reading, random_state=seed % 2**31),
    "MIFS": lambda reading, seed: MIFS(reading=reading, random_state=seed),
    "FIMF": lambda reading, seed: FIMF(),
    "ML-CIB-FS": lambda reading, seed: MLCIBFS(
        reading=reading, label_matrix="agreement" if reading == "published" else "cooccurrence"
    ),
    "ML-CIB-FS, no graph": lambda reading, seed: MLCIBFS(reading=reading, graph="none", label_matrix="none"),
}
"""Name -> selector of a reading; control rows beside the methods."""


def rank_features(method, X, Y, *, reading="corrected", seed=0):
    """Features by a method, best first; X is scaled to [0, 1].

    Parameters
    ----------
    method : str
        Key of :data:`SELECTORS`, or a control row: ``"Feature mean"`` does not look at the labels,
        ``"Random features"`` at nothing.
    X : array or sparse matrix of shape (n, d)
    Y : array of shape (n, c)
    reading : {"corrected", "published"}
    seed : int
        Of starts and of the permutation.

    Returns
    -------
    array of int, shape (d,)

    Examples
    --------
    >>> rank_features("Feature mean", np.array([[0.0, 1.0, 0.5], [0.1, 1.0, 0.0]]), None)
    array([1, 2, 0])
    """
    if method == RANDOM:
        return np.random.default_rng(seed).permutation(X.shape[1])
    if method == MEAN:
        return np.argsort(-np.asarray(X.mean(axis=0)).ravel(), kind="stable")
    if method == "FIMF" and sparse.issparse(X):
        X = X.toarray()  # it splits every feature at its median
    if method == PERMUTED:
        Y = np.random.default_rng(seed + 1).permutation(Y)
    with warnings.catch_warnings():  # a number of steps is part of the protocol
        warnings.simplefilter("ignore", ConvergenceWarning)
        return SELECTORS[method](reading, seed).fit(X, Y).ranking_


def run_selection(
    *,
    dataset=SIMULATED,
    simulated=False,
    method,
    reading="corrected",
    strategies=("BR",),
    fold,
    start=0,
    folds="random",
    seed=0,
):
    """Scores on the best features of one selector in one fold: one call of `run_trials`.

    Parameters
    ----------
    dataset : str
    simulated : bool
        Instead of ``dataset``.
    method, reading : str
        See :func:`rank_features`.
    strategies : list of str
        "BR" and "CC".
    fold, start : int
        Random starts of one fold are numbered.
    folds : {"random", "grouped"}
    seed : int

    Returns
    -------
    list of dict
        dataset (title), method, reading, strategy, fold, start, folds, pct, metric, value; the seconds of the
        selection as ``runtime_s`` without strategy and pct (0).
    """
    X, Y = load_task(dataset)
    train, test = fold_rows(dataset, fold, folds=folds, seed=seed)
    scaled = (MaxAbsScaler() if sparse.issparse(X) else MinMaxScaler()).fit(X[train])
    X_train, X_test, Y_train = scaled.transform(X[train]), scaled.transform(X[test]), Y[train]
    own = trial_seed(seed, dataset, "selection", fold, start)  # one start for CMFS with and without permuted labels
    begin = time.process_time()
    order = rank_features(method, X_train, Y_train, reading=reading, seed=own)
    seconds = time.process_time() - begin
    named = {"dataset": ALL_TITLES[dataset], "method": method, "reading": reading, "fold": fold, "start": start}
    named |= {"folds": folds}
    rows = [named | {"strategy": "", "pct": 0, "metric": "runtime_s", "value": seconds}]
    for strategy in strategies:
        for pct in PERCENTAGES:
            columns = np.sort(order[: max(1, round(pct * X.shape[1] / 100))])
            learner = BinaryRelevance() if strategy == "BR" else LabelChain(random_state=own % 2**31)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                scores = learner.fit(X_train[:, columns], Y_train).decision_function(X_test[:, columns])
            values = seven_scores(Y[test], scores)
            chosen = named | {"strategy": strategy, "pct": pct}
            rows += [chosen | {"metric": key, "value": float(values[name])} for name, key in METRICS.items()]
    return rows
