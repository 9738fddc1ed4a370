"""Thesis "braytee", section 3.3: balance the training part, train a linear support vector machine, judge on test rows.

Two thirds of the rows train, one third tests, class shares kept. The training part alone scales the features, filters
genes (BIRF), and is searched. The thesis moves majority samples that a method dropped to the test part of its
biomedical data: there a method chooses part of its own test rows (``protocol=published``, given beside
``protocol=held_out``).

``auc`` comes from scores (``arm=scores``) or from predicted labels (``arm=published``: the numbers of the published RU
column on natural data are of this kind). ``f_measure`` is F1 of the minority class; ``f1_balanced`` is F1 at equal
class sizes, ``2 t / (t + f + 1)`` of the rates of true and false positives, which needs no drawing.
"""

from functools import lru_cache

import numpy as np
from imblearn.ensemble import BalancedRandomForestClassifier
from imblearn.over_sampling import SMOTE
from imblearn.under_sampling import RandomUnderSampler
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import confusion_matrix, f1_score, roc_auc_score
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from fslib.evaluation.splits import stratified_split
from fslib.imbalance import ABCSampling, ADASYNWithFallback, BalancedIterativeRandomForest, PSOSampling
from fslib.imbalance.subset_fitness import SubsetFitness
from fslib.papers.braytee.ch3_3_sampling.items import (
    BIOMEDICAL,
    BIRF_KEEP,
    BIRF_TREES,
    CHANCE,
    PROPOSED,
    RATIOS,
    SEARCHES,
    UNDERSAMPLERS,
    WIDE,
)
from fslib.papers.braytee.ch3_data import SECTION_3_3, load_task
from fslib.seeds import trial_seed

TRAIN_SIZE = 2 / 3


def thinned(y, n_rare, rng):
    """Rows of all majority and of ``n_rare`` random minority samples, ascending.

    Examples
    --------
    >>> y = np.array([0, 1, 0, 1, 1])
    >>> y[thinned(y, 1, np.random.default_rng(0))].tolist().count(1)
    1
    """
    kept = rng.permutation(np.flatnonzero(y == 1))[:n_rare]
    return np.sort(np.concatenate([np.flatnonzero(y == 0), kept]))


@lru_cache(maxsize=2)
def split_parts(dataset, ratio, split, seed):
    """Training and test part of a split, each as (X, y), scaled and filtered by the training part; 1: minority class.

    Parameters
    ----------
    dataset, ratio : str
        ``ratio`` is a key of :data:`~fslib.papers.braytee.ch3_3_sampling.items.RATIOS`, empty for all rows.
    split, seed : int
    """
    X, y = load_task(dataset)
    if ratio:
        rows = thinned(y, RATIOS[dataset][ratio], np.random.default_rng(trial_seed(seed, dataset, "thinned", ratio)))
        X, y = X[rows], y[rows]
    train, test = stratified_split(y, train_size=TRAIN_SIZE, dataset=f"{dataset}{ratio}", split=split, seed=seed)
    scaler = StandardScaler().fit(X[train])
    X_train, X_test = scaler.transform(X[train]), scaler.transform(X[test])
    if X.shape[1] > WIDE:
        filters = BalancedIterativeRandomForest(
            n_features_to_select=BIRF_KEEP,
            n_estimators=BIRF_TREES,
            random_state=trial_seed(seed, dataset, "BIRF", split),
        ).fit(X_train, y[train])
        X_train, X_test = filters.transform(X_train), filters.transform(X_test)
    return (X_train, y[train]), (X_test, y[test])


def make_sampler(method, dataset, reading, options, seed):
    """Sampler of a method, or None for one that trains on all rows."""
    if method in SEARCHES:
        # One fit of the default machine on Spambase takes 15 ms; ridge regression on the labels takes 2.
        options = options | {"estimator": RidgeClassifier() if dataset == "spambase" else None, "random_state": seed}
        if method == PROPOSED:
            return ABCSampling(reading=reading, **options)
        options["n_particles"] = options.pop("n_sources")
        del options["limit"]
        return PSOSampling(**options)
    return {
        "RU": RandomUnderSampler(random_state=seed),
        CHANCE: RandomUnderSampler(random_state=seed),
        "SMOTE": SMOTE(random_state=seed),
        "ADASYN": ADASYNWithFallback(random_state=seed),
    }.get(method)


def make_classifier(method, seed):
    """Classifier of a method: for all but BIRF the linear machine whose problem the searches solve."""
    if method == "BIRF":
        return BalancedRandomForestClassifier(
            BIRF_TREES, sampling_strategy="all", replacement=True, bootstrap=False, random_state=seed
        )
    return LinearSVC(dual=False, class_weight="balanced" if method == "Balanced SVM" else None, max_iter=10_000)


def measures(y, scores, labels):
    """Metrics of one test part, as (metric, arm, value).

    Parameters
    ----------
    y, labels : array of {0, 1}, shape (n,)
    scores : array of shape (n,)

    Examples
    --------
    >>> [(metric, arm, round(value, 3)) for metric, arm, value in measures(
    ...     np.array([0, 0, 0, 1]), np.array([0.1, 0.2, 0.6, 0.7]), np.array([0, 0, 1, 1]))][:3]
    [('auc', 'published', 0.833), ('auc', 'scores', 1.0), ('f_measure', '', 0.667)]
    """
    (tn, fp), (fn, tp) = confusion_matrix(y, labels, labels=[0, 1])
    t, f = tp / (tp + fn), fp / (fp + tn)
    return [
        ("auc", "published", roc_auc_score(y, labels)),
        ("auc", "scores", roc_auc_score(y, scores)),
        ("f_measure", "", f1_score(y, labels, zero_division=0.0)),
        ("macro_f1", "", f1_score(y, labels, average="macro", zero_division=0.0)),
        ("f1_balanced", "", 2 * t / (t + f + 1)),
    ]


def run_trial(*, dataset, ratio, method, reading, options, split, seed):
    """Results of one method on one split: one call of `run_trials`.

    Parameters
    ----------
    dataset, ratio, method, reading : str
        Empty ``reading`` for methods that have one only, empty ``ratio`` for all rows.
    options : dict
        Of the search; empty for other methods.
    split, seed : int

    Returns
    -------
    list of dict
        dataset (as the thesis spells it), ratio, method, reading, used (the sampler that drew, for ADASYN), split, the
        options, protocol, arm, metric, value. Undersamplers have two fitness values of the samples that they kept:
        ``fitness_selected`` scores the selected and minority samples alone, ``fitness_all`` all training samples, and
        both are means of AUC and F1; ``fitness_test`` is this mean on the test part. ``fitness_best`` is what a search
        reached.
    """
    (X, y), (X_test, y_test) = split_parts(dataset, ratio, split, seed)
    own_seed = trial_seed(seed, dataset, ratio, method, reading, split)
    if method == CHANCE:
        y = np.random.default_rng(own_seed).permutation(y)
    sampler = make_sampler(method, dataset, reading, options, own_seed)
    X_kept, y_kept = (X, y) if sampler is None else sampler.fit_resample(X, y)
    classifier = make_classifier(method, own_seed)
    if method == "BIRF" and X.shape[1] <= WIDE:  # wide data are filtered by it for all methods
        filters = BalancedIterativeRandomForest(n_estimators=BIRF_TREES, min_features=2, random_state=own_seed).fit(
            X, y
        )
        columns = filters.ranking_[: filters.sizes_[-1]]
        X_kept, X_test, X = X_kept[:, columns], X_test[:, columns], X[:, columns]
    classifier.fit(X_kept, y_kept)
    named = {"dataset": SECTION_3_3[dataset], "ratio": ratio, "method": method, "reading": reading, "split": split}
    named |= {"used": getattr(sampler, "used_", "")} | options
    dropped = np.setdiff1d(np.arange(len(y)), sampler.sample_indices_) if method in UNDERSAMPLERS else []
    tests = {"held_out": (X_test, y_test)}
    if len(dropped) and dataset in BIOMEDICAL:
        tests["published"] = np.vstack([X_test, X[dropped]]), np.concatenate([y_test, y[dropped]])
    rows = []
    for protocol, (X_new, y_new) in tests.items():
        rows += [
            named | {"protocol": protocol, "arm": arm, "metric": metric, "value": float(value)}
            for metric, arm, value in measures(y_new, _scores(classifier, X_new), classifier.predict(X_new))
        ]
    if method in UNDERSAMPLERS:
        values = _fitness(X, y, sampler, trial_seed(seed, dataset, ratio, "fitness folds", split))
        values["fitness_test"] = np.mean([row["value"] for row in rows[1:3]])  # AUC of scores, F1
        rows += [
            named | {"protocol": "held_out", "arm": "", "metric": metric, "value": float(value)}
            for metric, value in values.items()
        ]
    return rows


def _scores(classifier, X):
    return (
        classifier.decision_function(X)
        if hasattr(classifier, "decision_function")
        else classifier.predict_proba(X)[:, 1]
    )


def _fitness(X, y, sampler, seed):
    """Fitness of the samples that an undersampler kept, in both readings, and of a search its best and its budget."""
    rare = y == 1
    kept = np.isin(np.flatnonzero(~rare), sampler.sample_indices_)[None]
    values = {
        f"fitness_{name}": SubsetFitness(X, rare, whole_fold=whole, seed=seed).evaluate(kept)[0]
        for name, whole in (("selected", False), ("all", True))
    }
    if hasattr(sampler, "history_"):
        values |= {"fitness_best": sampler.history_[0][-1], "n_evaluations": sampler.n_evaluations_}
    return values
