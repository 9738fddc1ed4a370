"""Section 4.2: one split, one selector, and linear machines fitted on bootstrap samples of the training part.

The thesis calls its evaluation ".632+". What Table 4.6 holds is another quantity: areas under the curve of *labels* on
one test part of a quarter of each class, over 100 bootstrap samples of the training part (see
:mod:`fslib.papers.braytee.ch4_2_fuzz_esvm.lattice`). Whether features were selected once a split or anew in every
bootstrap sample cannot be told from the text, so both are done. Nothing here is .632+; that one is
:func:`estimate_632`.
"""

import warnings
from functools import lru_cache

import numpy as np
from sklearn import config_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from fslib.correlated import ESVMRFE, HLR, SVMRFE, CoexpressionModules, FuzzESVM, FuzzyForest
from fslib.evaluation.bootstrap import bootstrap_632_plus, bootstrap_on_test_part, box_summary
from fslib.papers.braytee.ch4_2_fuzz_esvm.items import K_FIXED, LEAK, TITLES
from fslib.papers.braytee.expression import SIMULATED, control_order, load_expression, standardise, test_part
from fslib.seeds import trial_seed

EFFORT = {"n_models": 20, "drop": 0.2, "n_trees": 50, "final_trees": 500, "forest_drop": 0.5}
"""Machines and drop of ESVM-RFE and Fuzz-ESVM, trees and drop of fuzzy forest. The thesis has none of its values."""


@lru_cache(maxsize=8)
def modules_of(dataset, n_genes, split, reading, seed):
    """Module labels found on the training part of a split, for Fuzz-ESVM and fuzzy forest alike.

    The published reading stops, as the R package does, where no power makes the network scale-free. It then gets power
    6, the default of that package.
    """
    X, y, _ = load_expression(dataset, n_genes, seed)
    train, _ = test_part(y, dataset=dataset, split=split, seed=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a network without a scale-free power has none on this split
        try:
            return CoexpressionModules(reading=reading).fit(X[train]).labels_
        except ValueError as error:
            if "scale-free" not in str(error):
                raise
            return CoexpressionModules(reading=reading, power=6).fit(X[train]).labels_


def ranking(method, X, y, k, *, reading="corrected", modules=None, effort=EFFORT, seed=0):
    """Order of the features by a method.

    Parameters
    ----------
    method : str
        Of Table 4.6, ESVM-RFE, or a control.
    X, y : arrays of shape (n, d) and (n,)
        Training rows, as they come.
    k : int
        Features to select; the order of the first k counts.
    reading : {"corrected", "published"}
    modules : array of int, shape (d,), optional
        Labels, for the methods that use modules.
    effort : dict
        See :data:`EFFORT`.
    seed : int

    Returns
    -------
    array of int
        Best first; at least k.
    """
    rng = np.random.default_rng(seed)
    if method in ("random features", "mean expression", "connectivity"):
        return control_order(method, X, rng)
    if method == "shuffled labels":
        y, method = rng.permutation(y), "SVM-RFE"
    ensemble = {"n_models": effort["n_models"], "drop": effort["drop"]}
    ensemble |= {"reading": reading or "corrected", "n_features_to_select": k, "random_state": seed}
    selectors = {
        "SVM-RFE": lambda: SVMRFE(n_features_to_select=k),
        "ESVM-RFE": lambda: ESVMRFE(**ensemble),
        "Fuzz-ESVM": lambda: FuzzESVM(**ensemble, modules=modules),
        "HLR": lambda: HLR(n_features_to_select=k),
        "Fuzzy Forest": lambda: FuzzyForest(
            modules=modules,
            n_trees=effort["n_trees"],
            final_trees=effort["final_trees"],
            drop_fraction=effort["forest_drop"],
            n_features_to_select=k,
            random_state=seed,
        ),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return selectors[method]().fit(X, y).ranking_


def run_trial(*, method, reading, split, selection, sizes, n_bootstraps, n_genes, effort, seed, dataset=SIMULATED):
    """AUC of a selector's first features on the test part of one split, over bootstrap samples of the training part.

    A trial of :func:`fslib.evaluation.trials.run_trials`.

    Parameters
    ----------
    method, reading : str
    split : int
    selection : {"once", "every bootstrap"}
    sizes : list of int
        Ascending; those above d are left out.
    n_bootstraps : int
    n_genes : int or None
    effort : dict
    seed : int
        Root seed.
    dataset : str
        Key of :data:`fslib.papers.braytee.ch4_2_fuzz_esvm.items.TITLES`.

    Returns
    -------
    list of dict
        dataset (as in the tables), method, reading, split, selection, k, metric (auc or auc_hard), statistic, value;
        and one row with metric "chosen", the first :data:`K_FIXED` features as text.
    """
    X, y, _ = load_expression(dataset, n_genes, seed)
    sizes = [k for k in sizes if k <= X.shape[1]]
    train, test = test_part(y, dataset=dataset, split=split, seed=seed)
    modules = None
    if method in ("Fuzz-ESVM", "Fuzzy Forest"):
        modules = modules_of(dataset, n_genes, split, reading or "published", seed)
    options = {"reading": reading, "modules": modules, "effort": effort}
    options["seed"] = trial_seed(seed, dataset, method, split) % 2**31
    order = None
    if selection == "once":
        seen, name = (np.arange(len(y)), "SVM-RFE") if method == LEAK else (train, method)
        order = ranking(name, X[seen], y[seen], sizes[-1], **options)

    def model(X_bag, y_bag, X_test):
        chosen = ranking(method, X_bag, y_bag, sizes[-1], **options) if order is None else order
        return decisions(X_bag, y_bag, X_test, chosen, sizes)

    bags_seed = trial_seed(seed, dataset, "bootstrap", split)  # all methods meet the same bootstrap samples
    Z, Z_test = standardise(X[train], X[test])
    found = bootstrap_on_test_part(
        model, Z, y[train], Z_test, y[test], n_bootstraps=n_bootstraps, random_state=bags_seed
    )
    named = {"dataset": TITLES[dataset], "method": method, "reading": reading, "split": split, "selection": selection}
    rows = []
    for metric, values in found.items():
        table = box_summary(values, columns=sizes)
        for k, line in table.iterrows():
            rows += [named | {"k": k, "metric": metric, "statistic": s, "value": float(v)} for s, v in line.items()]
    if order is not None:
        text = " ".join(map(str, order[: min(K_FIXED, len(order))]))
        rows.append(named | {"k": K_FIXED, "metric": "chosen", "statistic": "", "value": text})
    return rows


def decisions(X, y, X_test, order, sizes):
    """Decision values of a linear machine (C = 1) on the first features of an order, a column per size.

    The Gram matrices of growing sizes are sums of those of the features that join.
    """
    columns, start = [], 0
    K, K_test = np.zeros((len(X), len(X))), np.zeros((len(X_test), len(X)))
    for k in sizes:
        joined = order[start:k]
        K, K_test = K + X[:, joined] @ X[:, joined].T, K_test + X_test[:, joined] @ X[:, joined].T
        with config_context(assume_finite=True, skip_parameter_validation=True):  # else most of the time is checks
            columns.append(SVC(kernel="precomputed").fit(K, y).decision_function(K_test))
        start = k
    return np.column_stack(columns)


def estimate_632(*, method, inside, sizes, n_bootstraps, n_genes, effort, seed, dataset=SIMULATED, labels="own"):
    """.632+ estimate on all rows, with the selection inside every bootstrap sample, or once on all rows (wrong).

    Parameters
    ----------
    method : str
        SVM-RFE, ESVM-RFE, HLR or a control.
    inside : bool
    sizes, n_bootstraps, n_genes, effort, seed, dataset
        As in :func:`run_trial`.
    labels : {"own", "shuffled"}

    Returns
    -------
    list of dict
        dataset, method, inside, labels, k, metric, value, apparent, out_of_bag, overfitting.
    """
    X, y, _ = load_expression(dataset, n_genes, seed)
    sizes = [k for k in sizes if k <= X.shape[1]]
    if labels == "shuffled":
        y = np.random.default_rng(trial_seed(seed, dataset, "shuffle")).permutation(y)
    options = {"effort": effort, "seed": trial_seed(seed, dataset, method) % 2**31}
    order = None if inside else ranking(method, X, y, sizes[-1], **options)

    def model(X_bag, y_bag, X_left):
        chosen = ranking(method, X_bag, y_bag, sizes[-1], **options) if inside else order
        Z, Z_left = standardise(X_bag, X_left)
        return decisions(Z, y_bag, Z_left, chosen, sizes)

    found = bootstrap_632_plus(
        model, X, y, n_bootstraps=n_bootstraps, random_state=trial_seed(seed, dataset, "bootstrap 632")
    )
    named = {"dataset": TITLES[dataset], "method": method, "inside": inside, "labels": labels}
    return [
        named
        | {"k": k, "metric": metric, "value": float(e.estimate[i]), "apparent": float(e.apparent[i])}
        | {"out_of_bag": float(e.out_of_bag[:, i].mean()), "overfitting": float(e.overfitting[i])}
        for metric, e in found.items()
        for i, k in enumerate(sizes)
    ]


def noise_inside_and_outside(*, n=40, d=2000, k=50, n_bootstraps=10, seed=0):
    """.632+ on features unrelated to the classes, selecting inside and outside the bootstrap.

    Returns
    -------
    dict
        ``"inside the bootstrap"`` and ``"once, on all rows"``: AUC of the .632+ estimate with SVM-RFE. Chance is 0.5.
    """
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, d)), np.arange(n) % 2
    everything = ranking("SVM-RFE", X, y, k)
    found = {}
    for name, order in (("inside the bootstrap", None), ("once, on all rows", everything)):

        def model(X_bag, y_bag, X_left, order=order):
            chosen = ranking("SVM-RFE", X_bag, y_bag, k) if order is None else order
            return decisions(X_bag, y_bag, X_left, chosen, [k])

        estimate = bootstrap_632_plus(model, X, y, n_bootstraps=n_bootstraps, random_state=seed)
        found[name] = float(estimate["auc"].estimate[0])
    return found


def projection(*, dataset, order, split, n_genes, seed):
    """First two principal components of the training part on chosen features; test rows are projected on them.

    Parameters
    ----------
    dataset : str
    order : array of int
        Features.
    split : int
    n_genes : int or None
    seed : int

    Returns
    -------
    dict
        ``train`` and ``test``: (coordinates (n, 2), classes).
    """
    X, y, _ = load_expression(dataset, n_genes, seed)
    train, test = test_part(y, dataset=dataset, split=split, seed=seed)
    Z, Z_test = standardise(X[train][:, order], X[test][:, order])
    _, _, Vt = np.linalg.svd(Z, full_matrices=False)
    flip = np.sign(Vt[np.arange(2), np.abs(Vt[:2]).argmax(axis=1)])  # a sign that does not depend on the machine
    axes = (Vt[:2] * flip[:, None]).T
    return {"train": (Z @ axes, y[train]), "test": (Z_test @ axes, y[test])}
