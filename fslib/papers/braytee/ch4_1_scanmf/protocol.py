"""Section 4.1: select the top tenth of the features in each of five folds, classify, measure.

Folds keep the class shares. Scaling, correlations and selection see the training rows only; the thesis does not say
where it selected. AUC of decision values and of labels are kept apart.
"""

import warnings

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from fslib.correlated import SCANMF, ElasticNetPath, FuzzyForest, LassoPath
from fslib.evaluation.metrics import auc
from fslib.imbalance import DNMF
from fslib.papers.braytee.ch4_1_scanmf.items import PCT, SETTING, TITLES
from fslib.papers.braytee.expression import SIMULATED, connectivity, control_order, load_expression, standardise
from fslib.seeds import trial_seed

MAX_ITER = 100
"""Iterations of SCANMF as published; the thesis has a number and does not state it."""

CLASSIFIERS = {
    "SVM": lambda: SVC(kernel="linear"),
    "Naive Bayes": lambda: GaussianNB(),
    "CART": lambda: DecisionTreeClassifier(random_state=0),
}


def fold_rows(dataset, y, fold, n_folds, seed):
    """Training and test rows of a fold."""
    shuffle = trial_seed(seed, dataset, "folds") % 2**31
    folds = list(StratifiedKFold(n_folds, shuffle=True, random_state=shuffle).split(y[:, None], y))
    return folds[fold]


def make_scanmf(reading, scale, setting, k, start):
    """SCANMF as Section 4.1 has it.

    Parameters
    ----------
    reading : {"published", "corrected"}
    scale : {"clip", "minmax", "log2"}
    setting : dict
        alpha, beta, n_components.
    k : int
        Features to select.
    start : int
        Random start.
    """
    return SCANMF(
        **setting, reading=reading, scale=scale, max_iter=MAX_ITER, n_features_to_select=k, random_state=start
    )


def ranking(method, X, y, k, *, reading="", scale="", setting=SETTING, n_trees=50, seed=0):
    """Order of the features by a method, from training rows.

    Returns
    -------
    array of int
        The first k count.
    """
    rng = np.random.default_rng(seed)
    if method in ("random features", "mean expression", "connectivity"):
        return control_order(method, X, rng)
    if method == "All features":
        return np.arange(X.shape[1])
    if method == "shuffled labels":
        y = rng.permutation(y)
    selectors = {
        "SCANMF": lambda: make_scanmf(reading, scale, setting, k, seed),
        "shuffled labels": lambda: make_scanmf(reading, scale, setting, k, seed),
        "LASSO": lambda: LassoPath(n_features_to_select=k),
        "Elastic Net": lambda: ElasticNetPath(n_features_to_select=k),
        "DNMF": lambda: DNMF(n_features_to_select=k, random_state=seed),
        "Fuzzy Forest": lambda: FuzzyForest(
            n_trees=n_trees, final_trees=5 * n_trees, drop_fraction=0.5, n_features_to_select=k, random_state=seed
        ),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a fixed number of iterations is meant, converged or not
        return selectors[method]().fit(np.maximum(X, 0) if method == "DNMF" else X, y).ranking_


def run_trial(
    *,
    method,
    reading,
    scale,
    fold,
    n_folds,
    alpha,
    beta,
    n_components,
    pcts,
    n_genes,
    n_trees,
    seed,
    dataset=SIMULATED,
):
    """AUC of three classifiers on the leading features of a method, in one fold.

    A trial of :func:`fslib.evaluation.trials.run_trials`.

    Parameters
    ----------
    method, reading, scale : str
    fold, n_folds : int
    alpha, beta : float
    n_components : int
    pcts : list of float
        Shares of the features, in percent.
    n_genes : int or None
    n_trees : int
    seed : int
    dataset : str
        Key of :data:`fslib.papers.braytee.ch4_1_scanmf.items.TITLES`.

    Returns
    -------
    list of dict
        dataset (as in the tables), method, reading, scale, fold, alpha, beta, n_components, pct, classifier, metric,
        value; and a row with metric "chosen", the first tenth as text.
    """
    X, y, _ = load_expression(dataset, n_genes, seed)
    train, test = fold_rows(dataset, y, fold, n_folds, seed)
    setting = {"alpha": alpha, "beta": beta, "n_components": n_components}
    d = X.shape[1]
    counts = {pct: d if method == "All features" else max(1, round(d * pct / 100)) for pct in pcts}
    # one start for all folds and settings, so that only what is compared differs
    start = trial_seed(seed, dataset, "start") % 2**31
    options = {"reading": reading, "scale": scale, "setting": setting, "n_trees": n_trees, "seed": start}
    order = ranking(method, X[train], y[train], max(counts.values()), **options)
    named = {"dataset": TITLES[dataset], "method": method, "reading": reading, "scale": scale, "fold": fold} | setting
    rows = []
    for pct, k in counts.items():
        Z, Z_test = standardise(X[train][:, order[:k]], X[test][:, order[:k]])
        for name, make in CLASSIFIERS.items():
            if len(pcts) > 1 and name != "SVM":
                continue  # Figures 4.3 and 4.4 show the support vector machine alone
            scores = _decisions(make().fit(Z, y[train]), Z_test)
            for metric, judged in (("auc", scores), ("auc_hard", scores > 0)):
                row = named | {"pct": pct, "classifier": name, "metric": metric}
                rows.append(row | {"value": float(auc(y[test], judged))})
    if len(pcts) == 1:
        text = " ".join(map(str, order[: counts[pcts[0]]]))
        rows.append(named | {"pct": pcts[0], "classifier": "", "metric": "chosen", "value": text})
    return rows


def _decisions(model, X):
    """Decision values whose sign is the predicted class."""
    if hasattr(model, "decision_function"):
        return model.decision_function(X)
    return model.predict_proba(X)[:, 1] - 0.5


def overlap(first, second):
    """Share of the features that two choices of one size have in common.

    Examples
    --------
    >>> overlap([1, 2, 3, 4], [3, 4, 5, 6])
    0.5
    """
    return len(np.intersect1d(first, second)) / len(first)


def what_decides(*, scale, n_genes, n_starts, seed, dataset=SIMULATED):
    """Overlap of the top tenth of SCANMF as published with those of other labels, other starts and simpler rankings.

    On all rows: nothing is judged here.

    Returns
    -------
    list of dict
        dataset, scale, compared, overlap.
    """
    X, y, _ = load_expression(dataset, n_genes, seed)
    k = max(1, round(X.shape[1] * PCT / 100))
    start = trial_seed(seed, dataset, "start") % 2**31

    def top(labels=y, start=start, **change):
        return make_scanmf("published", scale, SETTING | change, k, start).fit(X, labels).ranking_[:k]

    own = top()
    shuffled = np.random.default_rng(trial_seed(seed, dataset, "shuffle")).permutation(y)
    values = np.maximum(X, 0) if scale == "clip" else X
    found = {
        "labels shuffled": top(shuffled),
        "mean expression": np.argsort(-values.mean(axis=0), kind="stable")[:k],
        "connectivity": np.argsort(-connectivity(X), kind="stable")[:k],
        "alpha 1 instead of 0.4": top(alpha=1.0),
        "beta 0 instead of 0.5": top(beta=0.0),
    }
    rows = [{"compared": name, "overlap": overlap(own, chosen)} for name, chosen in found.items()]
    rows += [{"compared": "another start", "overlap": overlap(own, top(start=start + i))} for i in range(1, n_starts)]
    return [{"dataset": TITLES[dataset], "scale": scale} | row for row in rows]


def objectives(*, scale, n_genes, seed, dataset=SIMULATED):
    """Objective of SCANMF as published after each of 100 iterations, on all rows.

    Returns
    -------
    list of dict
        dataset, scale, iteration, value.
    """
    X, y, _ = load_expression(dataset, n_genes, seed)
    start = trial_seed(seed, dataset, "start") % 2**31
    curve = make_scanmf("published", scale, SETTING, 1, start).fit(X, y).objective_
    named = {"dataset": TITLES[dataset], "scale": scale}
    return [named | {"iteration": i, "value": float(value)} for i, value in enumerate(curve, 1)]
