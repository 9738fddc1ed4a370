"""Section 4.1: data sets, methods and classifiers, and the trials of an experiment."""

import pandas as pd

from fslib.papers.braytee.expression import SIMULATED, STAND_INS, reason_not_to_run

TITLES = {
    "golub": "ALL/AML",
    "dlbcl_gems": "DLBCL",
    "lung_gordon": "Lung cancer",
    "colon": "Colon cancer",
    **STAND_INS,
}
"""Name in :mod:`fslib.datasets` -> name in the tables.

Childhood leukaemia, Breast cancer (295 samples), Lymphoma Outcome and the two-class Global Cancer Map are not public in
the form that the thesis used.
"""

TABLES = {"SVM": "Table 4.2", "Naive Bayes": "Table 4.3", "CART": "Table 4.4"}
"""Classifier -> table."""

OTHERS = ("LASSO", "Elastic Net", "DNMF", "Fuzzy Forest")
"""What SCANMF is compared with."""

CONTROLS = ("random features", "mean expression", "connectivity", "shuffled labels", "All features")

SCALES = ("clip", "minmax")
"""Negative values to 0, otherwise raw, as Algorithm 3 would meet them; and every gene to [0, 1]. None is named."""

PCT = 10
"""Share of the features that Tables 4.2 to 4.4 use, in percent."""

SETTING = {"alpha": 0.4, "beta": 0.5, "n_components": 2}
"""Where the thesis says that results are good, one for all data sets: it does not give the values."""


def _listed(names):
    known = [(name, reason_not_to_run(name)) for name in names]
    absent = [{"dataset": TITLES[name], "reason": reason} for name, reason in known if reason]
    return [name for name, reason in known if not reason], pd.DataFrame(absent, columns=["dataset", "reason"])


def _named(name):
    return {} if name == SIMULATED else {"dataset": name}


def trials(*, datasets, n_folds, folds_of, readings, n_genes, n_trees, seed):
    """List the trials of Tables 4.2 to 4.4, and the data sets that cannot be run.

    Parameters
    ----------
    datasets : list of str
        Keys of :data:`TITLES`.
    n_folds : int
    folds_of : dict of str to int
        Methods that run on the first so many folds only.
    readings : list of str
        Of SCANMF.
    n_genes : int or None
    n_trees : int
    seed : int

    Returns
    -------
    trials : list of dict
    not_run : DataFrame
    """
    names, absent = _listed(datasets)
    listed = []
    for name in names:
        shared = _named(name) | {
            "n_folds": n_folds,
            "n_genes": n_genes,
            "n_trees": n_trees,
            "seed": seed,
            "pcts": [PCT],
        }
        arms = [("SCANMF", reading, scale) for reading in readings for scale in SCALES]
        arms += [(method, "", "") for method in (*OTHERS, *CONTROLS) if method != "shuffled labels"]
        arms += [("shuffled labels", readings[0], "clip")]
        for method, reading, scale in arms:
            for fold in range(folds_of.get(method, n_folds)):
                listed.append(shared | SETTING | {"method": method, "reading": reading, "scale": scale, "fold": fold})
    return listed, absent


def sensitivity_trials(*, datasets, n_folds, alphas, betas, ranks, pcts, scales, n_genes, seed):
    """List the trials of Figures 4.3 and 4.4: one parameter varies, the others stay at :data:`SETTING`.

    Returns
    -------
    list of dict
    """
    names, _ = _listed(datasets)
    listed = {}
    for name in names:
        shared = _named(name) | {"n_genes": n_genes, "n_trees": 0, "seed": seed, "pcts": pcts, "method": "SCANMF"}
        shared |= {"reading": "published", "n_folds": 5}
        for parameter, values in (("alpha", alphas), ("beta", betas), ("n_components", ranks)):
            for value in values:
                setting = SETTING | {parameter: value}
                for scale in scales:
                    for fold in range(n_folds):  # a setting at the crossing of two figures runs once
                        key = (name, *setting.values(), scale, fold)
                        listed[key] = shared | setting | {"scale": scale, "fold": fold}
    return list(listed.values())


def what_decides_trials(*, datasets, n_genes, n_starts, seed):
    """List the trials on what a ranking of SCANMF depends on.

    Returns
    -------
    list of dict
    """
    names, _ = _listed(datasets)
    shared = {"n_genes": n_genes, "n_starts": n_starts, "seed": seed}
    return [_named(name) | shared | {"scale": scale} for name in names for scale in SCALES]
