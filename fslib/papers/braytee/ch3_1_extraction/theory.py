"""Section 3.1: weighted components written out and projected, rows scaled by class, and the tree that is one leaf."""

import warnings

import numpy as np
import pandas as pd
from sklearn.preprocessing import StandardScaler

from fslib.evaluation.metrics import auc_hard, auc_pooled
from fslib.imbalance import CSNMF, CSPCA
from fslib.imbalance.class_costs import sample_costs
from fslib.papers.braytee.ch3_1_extraction.protocol import PROPOSED, extract, folds_of, make_classifier
from fslib.papers.braytee.ch3_data import SECTION_3_1, load_task
from fslib.seeds import trial_seed


def make_toy(n=40, n_positive=8, seed=0):
    """Two features: negatives vary along the first, positives along the second, and twice as far.

    Examples
    --------
    >>> X, y = make_toy()
    >>> X.shape, int(y.sum())
    ((40, 2), 8)
    """
    rng = np.random.default_rng(seed)
    y = np.arange(n) < n_positive
    X = rng.normal(size=(n, 2)) * np.where(y[:, None], [0.5, 4.0], [2.0, 0.5])
    return X, y.astype(int)


def components_by_copies(X, y):
    """Principal components of a table in which every positive stands as often as there are negatives per positive.

    Equal weights for the classes mean just this, where the ratio is a whole number.

    Parameters
    ----------
    X : array of shape (n, d)
    y : array of {0, 1}, shape (n,)

    Returns
    -------
    array of shape (d, d)
        Directions as rows, the largest entry of each positive.

    Examples
    --------
    >>> X, y = make_toy()
    >>> np.allclose(components_by_copies(X, y), CSPCA(n_components=None).fit(X, y).components_)
    True
    """
    copies = np.where(y == 1, np.sum(y == 0) // np.sum(y == 1), 1)
    table = np.repeat(X, copies, axis=0)
    values, vectors = np.linalg.eigh(np.cov(table, rowvar=False))
    directions = vectors[:, np.argsort(-values)].T
    largest = np.abs(directions).argmax(axis=1)
    return directions * np.sign(directions[np.arange(len(directions)), largest])[:, None]


def multiplicative_csnmf(X, y, *, p=2, n_steps=50, seed=0):
    """Equations 3.1.4, 3.1.6 and 3.1.7 as loops over matrices, transposes exchanged so that they conform.

    Parameters
    ----------
    X : array of shape (n, d)
        Nonnegative.
    y : array of {0, 1}, shape (n,)
    p, n_steps, seed : int

    Returns
    -------
    H : array of shape (d, p)
        Columns of unit norm.
    objective : array of shape (n_steps,)

    Examples
    --------
    >>> X, y = np.abs(make_toy()[0]), make_toy()[1]
    >>> H, objective = multiplicative_csnmf(X, y)
    >>> bool((np.diff(objective) <= 1e-12).all())
    True
    """
    rng = np.random.default_rng(seed)
    C = sample_costs(y)[1]
    scaled = C[:, None] * X
    W, H = 1 - rng.random((len(X), p)), 1 - rng.random((X.shape[1], p))
    objective = []
    for _ in range(n_steps):
        H *= (scaled.T @ W) / (H @ W.T @ W)
        W *= (scaled @ H) / (W @ H.T @ H)
        objective.append(np.sum((scaled - W @ H.T) ** 2))
    return H / np.linalg.norm(H, axis=0), np.array(objective)


def csnmf_difference(X, y, *, n_steps=50, seed=0):
    """Largest relative difference between the objectives of :func:`multiplicative_csnmf` and of `CSNMF`, step by step.

    Examples
    --------
    >>> X, y = np.abs(make_toy()[0]), make_toy()[1]
    >>> bool(csnmf_difference(X, y) < 1e-9)
    True
    """
    _, objective = multiplicative_csnmf(X, y, n_steps=n_steps, seed=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = CSNMF(n_components=2, reading="published", max_iter=n_steps, tol=0.0, random_state=seed).fit(X, y)
    return float(np.abs(objective[: len(model.objective_)] / model.objective_ - 1).max())


def scaled_rows(datasets, *, classifiers=("SVM", "Naive Bayes", "CART", "5-NN"), seed=0):
    """AUC of labels on training and on test rows when the training rows reach the classifier times their class's cost.

    Figure 3.2 of the thesis can be read so. The components are those of CSPCA, two of them, in both columns.

    Parameters
    ----------
    datasets : list of str
        Keys of :data:`fslib.papers.braytee.ch3_data.SECTION_3_1`.
    classifiers : sequence of str
    seed : int

    Returns
    -------
    DataFrame
        Rows (dataset, classifier), means over five folds; columns "as they are" and "scaled by class", each for
        training and test rows.
    """
    rows = []
    for dataset in datasets:
        X, y = load_task(dataset)
        for train, test in folds_of(dataset, 0, seed):
            scaler = StandardScaler().fit(X[train])
            Z, Z_test, labels = scaler.transform(X[train]), scaler.transform(X[test]), y[train]
            components = CSPCA(n_components=2, reading="published").fit(Z, labels).components_.T
            costs = sample_costs(labels)[1] / len(labels)  # as published, totals of 1: about one over the rows
            for name, weights in {"as they are": 1.0, "scaled by class": costs[:, None]}.items():
                F, F_test = weights * Z @ components, Z_test @ components
                for classifier in classifiers:
                    model = make_classifier(classifier, "plain", labels.mean(), 0).fit(F, labels)
                    for part, features, truth in (("training", F, labels), ("test", F_test, y[test])):
                        found = {"dataset": SECTION_3_1[dataset], "classifier": classifier, "rows": name, "part": part}
                        rows.append(found | {"auc_hard": auc_hard(truth, model.predict(features))})
    table = pd.DataFrame(rows).groupby(["dataset", "classifier", "rows", "part"], sort=False)["auc_hard"].mean()
    return table.unstack(["rows", "part"])


def one_leaf_auc(n_negative, n_positive, n_folds=5):
    """Pooled AUC of a tree that is one leaf: it scores every row of a fold with the share of positives it has seen.

    Folds are dealt as Weka does: rows sorted by class, every fifth to a fold. Folds with one positive more leave one
    fewer to train on, so their rows get a lower score, and the AUC falls below 1/2. The mean over folds is 1/2 exactly.

    Examples
    --------
    >>> round(one_leaf_auc(301, 35), 4), round(one_leaf_auc(40, 22), 4)
    (0.4987, 0.4727)
    """
    y = np.repeat([0, 1], [n_negative, n_positive])
    fold = np.arange(len(y)) % n_folds
    return float(auc_pooled((y[fold == f], np.full((fold == f).sum(), y[fold != f].mean())) for f in range(n_folds)))


def one_leaf_table(published):
    """One-leaf trees beside the published columns of CCPDT, and whether the digits are the same (rounded or cut).

    Parameters
    ----------
    published : DataFrame
        Table 3.11, data sets as rows; PCA-CCPDT and NMF-CCPDT among the columns.

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> table = pd.DataFrame({"PCA-CCPDT": [0.498], "NMF-CCPDT": [0.7]}, index=["Ecoli"])
    >>> one_leaf_table(table)["cells of one leaf"].tolist()
    [1]
    """
    rows = {}
    for dataset, values in published[["PCA-CCPDT", "NMF-CCPDT"]].iterrows():
        if dataset in CLASS_SIZES:
            auc = one_leaf_auc(*CLASS_SIZES[dataset])
            same = [value in (round(auc, 3), np.floor(1000 * auc) / 1000) for value in values]
            rows[dataset] = {"one leaf": auc, **values, "cells of one leaf": sum(same)}
    return pd.DataFrame(rows).T.astype({"cells of one leaf": int})


CLASS_SIZES = {
    "Diabetes": (500, 268),
    "Spambase": (2788, 1813),
    "Breast": (148, 46),
    "Ecoli": (301, 35),
    "Abalone": (4142, 32),
    "Survival": (225, 81),
    "Blood": (570, 178),
    "Glass": (185, 29),
    "Yeast": (1433, 51),
    "Vehicle": (634, 212),
    "Colon": (40, 22),
}
"""Title -> negatives and positives; Abalone as in KEEL."""


def projected(dataset="vehicle", repeat=0, seed=0, reading="published"):
    """Test rows of the first fold in two coordinates, for Figures 3.1 and 3.3.

    Returns
    -------
    dict of str to (array of shape (m, 2), array of shape (m,))
        Method -> coordinates and classes.
    """
    X, y = load_task(dataset)
    train, test = folds_of(dataset, repeat, seed)[0]
    points = {}
    for method in ("PCA", "NMF", "CSPCA", "CSNMF"):
        kind = reading if method in PROPOSED.values() else ""
        random_state = trial_seed(seed, dataset, method, repeat, 0)
        points[method] = extract(method, 2, kind, X[train], y[train], X[test], random_state)[1], y[test]
    return points
