"""Section 3.2: leave samples out, scale the others to [0, 1], rank genes, train a linear SVM on the first of them.

The thesis scales all samples at once and does not say how many genes are kept; here scaling is part of the training,
and 50 are kept. It averages the AUC over leave-one-out, where a single sample has none: here predictions of all samples
are pooled. The AUC of labels under an SVM that balances its classes fits the published values of NMF on Colon best.
"""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import LeaveOneOut, StratifiedKFold
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC

from fslib.base import rank_by_score
from fslib.datasets.generated import make_expression_like
from fslib.evaluation.metrics import auc, auc_hard
from fslib.imbalance import BSNMF, DNMF
from fslib.papers.braytee.ch3_data import load_task
from fslib.seeds import trial_seed
from fslib.solvers.nmf import Block, factorise, random_start, with_unit_coefficients

METHODS = ("NMF", "DNMF", "BSNMF")
CHANCE = "shuffled labels"
"""BSNMF and SVM on permuted training labels: the chance level."""

RULES = ("plain", "balanced")
N_TOP = 50
"""Genes that the classifier sees."""


def simulate(n_features, seed):
    """Expression levels in the shape of the private leukaemia data: 60 samples, 21 of them in the minority class.

    Modules of correlated genes are planted, and it is known which genes differ between the classes.

    Examples
    --------
    >>> X, y, informative = simulate(300, 0)
    >>> X.shape, int(y.sum())
    ((60, 300), 21)
    """
    data = make_expression_like(60, n_features, random_state=seed)
    return data.X, data.y, data.informative


def ranking(method, X, y, *, k, reading="", seed=0):
    """Genes in the order of a method, best first.

    Parameters
    ----------
    method : {"NMF", "DNMF", "BSNMF"}
    X : array of shape (n, d)
        Nonnegative.
    y : array of shape (n,)
    k : int
        Rank; 2 for DNMF.
    reading : {"published", "corrected", ""}
        Of BSNMF.
    seed : int
        Of the start.

    Returns
    -------
    array of int, shape (d,)

    Raises
    ------
    ValueError
        For DNMF of another rank than 2: its score is the difference of two loadings.

    Examples
    --------
    >>> X, y, _ = simulate(100, 0)
    >>> len(ranking("NMF", X, y, k=2))
    100
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # an order of genes settles long before the objective
        if method == "BSNMF":
            return BSNMF(n_components=k, reading=reading or "corrected", random_state=seed).fit(X, y).ranking_
        if method == "DNMF":
            if k != 2:
                raise ValueError(f"k={k}: DNMF ranks by the difference of two loadings, so its rank is 2.")
            return DNMF(random_state=seed).fit(X, y).ranking_
        blocks = [Block(X.T)]
        found = factorise(blocks, *random_start(blocks, k, np.random.default_rng(seed)), max_iter=200, tol=1e-5)
        U, _ = with_unit_coefficients(blocks, found.basis, found.coefficients)
        return rank_by_score(U.sum(axis=1))


def parts(y, n_folds, seed):
    """Training and test samples: leave-one-out for ``n_folds=0``, else folds with equal shares of the classes."""
    if not n_folds:
        return list(LeaveOneOut().split(y))
    return list(StratifiedKFold(n_folds, shuffle=True, random_state=seed % 2**32).split(y, y))


def run_trial(*, method, k, reading, n_folds, seed, dataset=None, simulated=None):
    """Judge one ranking of one rank by pooled predictions of samples that were left out.

    Parameters
    ----------
    method : str
        In :data:`METHODS`, or :data:`CHANCE`.
    k, reading
        See :func:`ranking`.
    n_folds : int
        0 for leave-one-out.
    seed : int
    dataset : str, optional
        Key of :data:`fslib.papers.braytee.ch3_data.POSITIVE`.
    simulated : int, optional
        In its stead, features of simulated data.

    Returns
    -------
    list of dict
        dataset, method, k, reading, n_folds, rule, metric (auc, auc_hard; planted_found, the share of planted genes
        among the selected, where they are known), value.
    """
    X, y, informative = simulate(simulated, seed) if simulated else (*load_task(dataset), None)
    scores, labels = ({rule: np.zeros(len(y)) for rule in RULES} for _ in range(2))
    found = []
    for fold, (train, test) in enumerate(parts(y, n_folds, trial_seed(seed, dataset or "simulated", "folds"))):
        start = trial_seed(seed, dataset or "simulated", method, k, fold)
        chosen, models = fitted(method, X[train], y[train], k=k, reading=reading, seed=start)
        for rule, predict in models.items():
            labels[rule][test], scores[rule][test] = predict(X[test])
        if informative is not None:
            found.append(informative[chosen].mean())
    named = {"dataset": dataset or "simulated", "method": method, "k": k, "reading": reading, "n_folds": n_folds}
    rows = []
    for rule in RULES:
        values = {"auc": auc(y, scores[rule]), "auc_hard": auc_hard(y, labels[rule])}
        rows += [named | {"rule": rule, "metric": metric, "value": float(v)} for metric, v in values.items()]
    if found:
        rows.append(named | {"rule": "", "metric": "planted_found", "value": float(np.mean(found))})
    return rows


def fitted(method, X, y, *, k, reading, seed):
    """Scale, rank and train on training samples alone.

    Returns
    -------
    chosen : array of int, shape (min(50, d),)
        The best features, best first.
    models : dict of str to callable
        Rule -> function of samples that returns labels and scores.
    """
    scaler = MinMaxScaler(clip=True).fit(X)
    Z = scaler.transform(X)
    if method == CHANCE:
        y = np.random.default_rng(seed).permutation(y)
    chosen = ranking("BSNMF" if method == CHANCE else method, Z, y, k=k, reading=reading, seed=seed)[:N_TOP]

    def predictor(rule):
        weights = "balanced" if rule == "balanced" else None
        model = SVC(kernel="linear", C=1.0, class_weight=weights).fit(Z[:, chosen], y)

        def predict(samples):
            F = scaler.transform(samples)[:, chosen]
            return model.predict(F), model.decision_function(F)

        return predict

    return chosen, {rule: predictor(rule) for rule in RULES}
