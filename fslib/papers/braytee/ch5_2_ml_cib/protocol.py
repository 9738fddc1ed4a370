"""Section 5.2: five folds; each method learns the labels of four fifths and predicts the last.

The published protocol of binary relevance was found by trying: a linear support vector machine with hinge loss and
C = 1 on raw features, and all seven measures from its 0/1 output. ML-CIB needs columns of one size, so they are
brought to [0, 1] by the training rows. MLSMOTE adds rows to the training part alone. MMIB labels all test rows at
once and so sees their features, never their labels: that is the method.
"""

import time
import warnings

import numpy as np
from imblearn.pipeline import make_pipeline as sampling_pipeline
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler

from fslib.evaluation.hard_outputs import seven_scores
from fslib.evaluation.multilabel_metrics import micro_f1
from fslib.multilabel import (
    COCOA,
    MLCIB,
    MLSMOTE,
    MMIB,
    BinaryRelevance,
    InverseRandomUnderSampling,
)
from fslib.papers.braytee.ch5_2_ml_cib.items import CHANCE, VARIANTS
from fslib.papers.braytee.ch5_data import ALL_TITLES, SIMULATED, fold_rows, load_task
from fslib.seeds import trial_seed


def make_learner(method, X, *, variant="", seed=0, n_trees=20, **options):
    """A learner of the tables, not fitted.

    Parameters
    ----------
    method : str
        "ML-CIB", "BR", "MLSMOTE", "BR-IRUS", "COCOA", "MMIB" or :data:`~..items.CHANCE`.
    X : array or sparse matrix
        Only whether it is sparse matters, for the scaler of ML-CIB.
    variant : str
        Key of :data:`~..items.VARIANTS`, for ML-CIB.
    seed, n_trees : int
        Trees per label and classifier of BR-IRUS at most.
    **options
        Of ML-CIB.

    Returns
    -------
    estimator
    """
    if method == "ML-CIB":
        model = MLCIB(**VARIANTS[variant or "corrected"]).set_params(**options)
        return make_pipeline(scaler(X), model)
    if method == "MLSMOTE":
        return sampling_pipeline(MLSMOTE(random_state=seed), BinaryRelevance())
    return {
        "BR": lambda: BinaryRelevance(),
        CHANCE: lambda: make_pipeline(
            scaler(X), BinaryRelevance()
        ),  # libsvm hardly ends on raw features without a signal
        "BR-IRUS": lambda: InverseRandomUnderSampling(n_estimators=n_trees, random_state=seed),
        "COCOA": lambda: COCOA(random_state=seed),
        "MMIB": lambda: MMIB(),
    }[method]()


def scaler(X):
    """Bring features to [0, 1] by the training rows; sparse ones stay sparse."""
    return MaxAbsScaler() if sparse.issparse(X) else MinMaxScaler()


def run_trial(
    *, dataset=SIMULATED, simulated=False, method, variant="", fold, folds="random", n_trees=20, seed=0
):  # fmt: skip
    """Scores of one method on one fold, from hard and from real outputs: one call of `run_trials`.

    Parameters
    ----------
    dataset : str
    simulated : bool
        Instead of ``dataset``.
    method, variant : str
        See :func:`make_learner`.
    fold : int
    folds : {"random", "grouped"}
    n_trees, seed : int

    Returns
    -------
    list of dict
        dataset (title), method, variant, folds, fold, outputs ("hard", "real", "" for the run time), metric, value.
    """
    X, Y = load_task(dataset)
    train, test = fold_rows(dataset, fold, folds=folds, seed=seed)
    Y_train, own = Y[train], trial_seed(seed, dataset, method, fold)
    if method == CHANCE:
        Y_train = np.random.default_rng(own).permutation(Y_train)
    learner = make_learner(method, X, variant=variant, seed=own, n_trees=n_trees)
    start = time.process_time()
    with warnings.catch_warnings():  # steps as published, and as many as the time allows
        warnings.simplefilter("ignore", ConvergenceWarning)
        learner.fit(X[train], Y_train)
        scores = learner.decision_function(X[test])
    seconds = time.process_time() - start
    named = {"dataset": ALL_TITLES[dataset], "method": method, "variant": variant, "folds": folds, "fold": fold}
    rows = [named | {"outputs": "", "metric": "runtime_s", "value": seconds}]
    for outputs in ("hard", "real"):
        values = seven_scores(Y[test], np.nan_to_num(scores), outputs=outputs)
        rows += [
            named | {"outputs": outputs, "metric": plain_metric(name), "value": float(value)}
            for name, value in values.items()
        ]
    return rows


def plain_metric(name):
    """Key of a measure without its outputs, which stand in the setting.

    Examples
    --------
    >>> plain_metric("coverage_share_hard"), plain_metric("micro_f1")
    ('coverage', 'micro_f1')
    """
    return name.removesuffix("_hard").removesuffix("_real").removesuffix("_share")


def run_sensitivity(*, dataset=SIMULATED, simulated=False, variant="corrected", first, second, values, fold, seed=0):
    """Micro F1 of ML-CIB over all pairs of values of two parameters, the third at 0.1: one call of `run_trials`.

    Parameters
    ----------
    dataset, simulated, variant, fold, seed
        See :func:`run_trial`.
    first, second : str
        Two of alpha, beta, gamma.
    values : list of float

    Returns
    -------
    list of dict
        dataset, variant, fold, alpha, beta, gamma, metric, value.
    """
    X, Y = load_task(dataset)
    train, test = fold_rows(dataset, fold, seed=seed)
    rows = []
    for a in values:
        for b in values:
            chosen = {"alpha": 0.1, "beta": 0.1, "gamma": 0.1} | {first: a, second: b}
            learner = make_learner("ML-CIB", X, variant=variant, max_iter=30, **chosen)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                predicted = learner.fit(X[train], Y[train]).predict(X[test])
            named = {"dataset": ALL_TITLES[dataset], "variant": variant, "fold": fold, "pair": f"{first}, {second}"}
            rows.append(named | chosen | {"metric": "micro_f1", "value": micro_f1(Y[test], predicted)})
    return rows


def run_convergence(*, dataset=SIMULATED, simulated=False, variant, max_iter=30):
    """Objective of ML-CIB after each step on all rows: one call of `run_trials`."""
    X, Y = load_task(dataset)
    learner = make_learner("ML-CIB", X, variant=variant, max_iter=max_iter, tol=0.0).fit(X, Y)
    named = {"dataset": ALL_TITLES[dataset], "variant": variant, "metric": "objective"}
    return [named | {"iteration": i + 1, "value": float(v)} for i, v in enumerate(learner[-1].objective_)]
