"""Section 3.1: scale, resample, extract and classify in each of five folds, all fitted to the four other folds.

What the thesis leaves open, and what its numbers say: features are z-scores for principal components, and scaled to
[0, 1] for non-negative factors; *two* components are kept, not 90 % of the variance; the AUC is that of predicted
labels, averaged over folds; the support vector machine has a linear kernel, z-scores its inputs and balances its
classes, as MATLAB's ``svmtrain`` did by default. All other classifiers are plain.

Every column is therefore judged under two decision rules, which separates the gain from better axes from the gain from
a balanced rule.
"""

import warnings

import numpy as np
from imblearn.under_sampling import RandomUnderSampler
from sklearn.decomposition import NMF, PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from fslib.evaluation.metrics import auc, auc_hard, auc_pooled
from fslib.imbalance import CCPDT, CSNMF, CSPCA, ADASYNWithFallback, ml_cst
from fslib.papers.braytee.ch3_data import load_task
from fslib.seeds import trial_seed
from fslib.solvers.nmf import nonnegative_coefficients

N_FOLDS = 5
TEST_TO_TRAIN = 1 / (N_FOLDS - 1)
"""Rows tested over rows trained on."""

FAMILIES = {"PCA": ("PCA", "ADASYN-PCA", "RU-PCA", "CSPCA"), "NMF": ("NMF", "ADASYN-NMF", "RU-NMF", "CSNMF")}
PROPOSED = {"PCA": "CSPCA", "NMF": "CSNMF"}
CHANCE = "shuffled labels"
"""CSPCA on permuted training labels: the chance level."""

CLASSIFIERS = ("SVM", "Naive Bayes", "CART", "5-NN", "logistic regression", "CCPDT")
RULES = ("plain", "balanced")
N_BASIS = 2
"""Rank of the non-negative factors: the number of classes, as published."""


def family(method):
    """PCA or NMF: what a method extracts.

    Examples
    --------
    >>> family("RU-NMF"), family("CSPCA"), family("shuffled labels")
    ('NMF', 'PCA', 'PCA')
    """
    return "NMF" if method in FAMILIES["NMF"] else "PCA"


def make_classifier(name, rule, share, random_state):
    """Build a classifier, plain or with both classes counting alike.

    Parameters
    ----------
    name : str
        One of :data:`CLASSIFIERS`; CCPDT has no rule.
    rule : {"plain", "balanced"}
    share : float
        Of positives among the training rows: more votes than this make a neighbourhood positive if balanced.
    random_state : int
        Breaks ties between splits of a tree.

    Returns
    -------
    estimator

    Examples
    --------
    >>> make_classifier("Naive Bayes", "balanced", 0.1, 0)
    GaussianNB(priors=[0.5, 0.5])
    """
    balanced = rule == "balanced"
    weights = "balanced" if balanced else None
    if name == "SVM":
        return make_pipeline(StandardScaler(), SVC(kernel="linear", C=1.0, class_weight=weights))
    if name == "Naive Bayes":
        return GaussianNB(priors=[0.5, 0.5] if balanced else None)
    if name == "CART":  # nodes of ten rows or more are split, as in MATLAB
        return DecisionTreeClassifier(min_samples_split=10, class_weight=weights, random_state=random_state)
    if name == "5-NN":
        neighbours = KNeighborsClassifier(5)
        threshold = share if balanced else 0.5
        return FixedThresholdClassifier(neighbours, threshold=threshold, response_method="predict_proba")
    if name == "logistic regression":
        classifier = ml_cst() if balanced else LogisticRegression(max_iter=1000)
        return make_pipeline(StandardScaler(), classifier)
    return CCPDT()


def resample(method, X, y, random_state):
    """Training rows as a method sees them: more positives by ADASYN, fewer negatives by chance, or as they are.

    Returns
    -------
    X, y : arrays
    sampler : str
        What was used; SMOTE or copies where ADASYN gives up.

    Examples
    --------
    >>> X, y, sampler = resample("RU-PCA", np.arange(10.0)[:, None], np.arange(10) < 3, 0)
    >>> len(X), sampler
    (6, 'RandomUnderSampler')
    """
    if method.startswith("ADASYN"):
        sampler = ADASYNWithFallback(random_state=random_state)
        X, y = sampler.fit_resample(X, y)
        return X, y, sampler.used_
    if method.startswith("RU"):
        return *RandomUnderSampler(random_state=random_state).fit_resample(X, y), "RandomUnderSampler"
    return X, y, ""


def extract(method, components, reading, X, y, X_test, random_state):
    """Features of training and test rows. Test rows come without their labels, which no step could use.

    Parameters
    ----------
    method : str
        In :data:`FAMILIES`, or :data:`CHANCE`.
    components : int or float
        Of principal components: a number, or the least share of the variance.
    reading : {"corrected", "published", ""}
        Of CSPCA and CSNMF.
    X, y : arrays of shape (n, d) and (n,)
    X_test : array of shape (m, d)
    random_state : int

    Returns
    -------
    F, F_test : arrays of shape (n', q) and (m, q)
    y : array of shape (n',)
        Labels of the rows of F: resampled for the methods that do so.
    sampler : str
    """
    non_negative = family(method) == "NMF"
    scaler = (MinMaxScaler(clip=True) if non_negative else StandardScaler()).fit(X)
    X, X_test = scaler.transform(X), scaler.transform(X_test)
    if method == CHANCE:
        y = np.random.default_rng(random_state).permutation(y)
    X, y, sampler = resample(method, X, y, random_state)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the loose tolerance is meant
        if method in ("CSPCA", CHANCE):
            model = CSPCA(n_components=components, reading=reading or "corrected").fit(X, y)
        elif method == "CSNMF":
            model = CSNMF(n_components=N_BASIS, reading=reading, random_state=random_state).fit(X, y)
        elif non_negative:
            model = NMF(N_BASIS, init="random", max_iter=500, random_state=random_state).fit(X)
            basis = model.components_.T / np.maximum(np.linalg.norm(model.components_, axis=1), 1e-300)
            return nonnegative_coefficients(X, basis), nonnegative_coefficients(X_test, basis), y, sampler
        else:
            model = PCA(components, svd_solver="full").fit(X)
    return model.transform(X), model.transform(X_test), y, sampler


def folds_of(dataset, repeat, seed):
    """Training and test rows of the five folds of a repeat, with equal shares of the classes; all methods share them.

    Returns
    -------
    list of (array, array)
    """
    X, y = load_task(dataset)
    splits = StratifiedKFold(N_FOLDS, shuffle=True, random_state=trial_seed(seed, dataset, "folds", repeat))
    return list(splits.split(X, y))


def run_trial(*, dataset, method, components, reading, repeat, seed, classifiers):
    """Judge one way of extracting features in the five folds of one repeat.

    Parameters
    ----------
    dataset : str
        Key of :data:`fslib.papers.braytee.ch3_data.SECTION_3_1`.
    method, components, reading
        See :func:`extract`.
    repeat, seed : int
    classifiers : list of str
        From :data:`CLASSIFIERS`.

    Returns
    -------
    list of dict
        dataset, method, components, reading, repeat, classifier, rule, fold, metric (auc, auc_hard; auc_pooled with
        fold -1; fisher_ratio without classifier), value, sampler.
    """
    X, y = load_task(dataset)
    named = {"dataset": dataset, "method": method, "components": components, "reading": reading, "repeat": repeat}
    rows, pooled = [], {}
    for fold, (train, test) in enumerate(folds_of(dataset, repeat, seed)):
        random_state = trial_seed(seed, dataset, method, repeat, fold)
        F, F_test, y_train, sampler = extract(method, components, reading, X[train], y[train], X[test], random_state)
        common = named | {"fold": fold, "sampler": sampler}
        ratio = fisher_ratio(F_test, y[test])
        rows.append(common | {"classifier": "", "rule": "", "metric": "fisher_ratio", "value": ratio})
        for classifier in classifiers:
            for rule in RULES if classifier != "CCPDT" else ("",):
                model = make_classifier(classifier, rule, y_train.mean(), random_state).fit(F, y_train)
                scores = scores_of(model, F_test)
                found = {"auc": auc(y[test], scores), "auc_hard": auc_hard(y[test], model.predict(F_test))}
                judged = common | {"classifier": classifier, "rule": rule}
                rows += [judged | {"metric": metric, "value": float(value)} for metric, value in found.items()]
                pooled.setdefault((classifier, rule), []).append((y[test], scores))
    for (classifier, rule), folds in pooled.items():
        judged = named | {"fold": -1, "sampler": "", "classifier": classifier, "rule": rule}
        rows.append(judged | {"metric": "auc_pooled", "value": float(auc_pooled(folds))})
    return rows


def scores_of(model, X):
    """Decision values where a classifier has them, else the probability of class 1."""
    return model.decision_function(X) if hasattr(model, "decision_function") else model.predict_proba(X)[:, 1]


def fisher_ratio(F, y):
    """Distance of the class means over the spread within the classes, along the best direction.

    ``d^T S^-1 d`` with d the difference of the means and S the mean of the two covariance matrices.

    Examples
    --------
    >>> F = np.array([[0.0], [2.0], [10.0], [12.0]])
    >>> fisher_ratio(F, np.array([0, 0, 1, 1]))                        # 10^2 over a variance of 2
    50.0
    """
    groups = [F[y == c] for c in (0, 1)]
    difference = groups[1].mean(axis=0) - groups[0].mean(axis=0)
    spread = sum(np.atleast_2d(np.cov(group, rowvar=False)) for group in groups) / 2
    return float(difference @ np.linalg.pinv(spread) @ difference)
