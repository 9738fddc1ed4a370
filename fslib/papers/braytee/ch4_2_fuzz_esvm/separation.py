"""Figure 4.16 in numbers: how far apart the classes lie in three singular directions of the training part."""

import numpy as np
import pandas as pd
from sklearn.metrics import silhouette_score
from sklearn.neighbors import KNeighborsClassifier

from fslib.papers.braytee.ch4_2_fuzz_esvm.items import TITLES
from fslib.papers.braytee.expression import load_expression, standardise, test_part

N_SELECTED, N_DIRECTIONS = 46, 3
"""Features and singular directions of Figure 4.16."""

SHOWN = ("Fuzz-ESVM", "random features")
"""Rankings whose first features are compared with all features."""


def separation(raw, *, dataset="golub", n_genes=None, seed=0):
    """Separation of the classes, of all features and of those that a method ranked first, split by split.

    Training rows chose the features of Fuzz-ESVM, so only rows of the test part are measured; directions come from the
    training part.

    Parameters
    ----------
    raw : DataFrame
        Rows of :func:`fslib.papers.braytee.ch4_2_fuzz_esvm.protocol.run_trial`, which list the chosen features.
    dataset : str
        Key of :data:`fslib.papers.braytee.ch4_2_fuzz_esvm.items.TITLES`.
    n_genes : int, optional
    seed : int
        As in the trials.

    Returns
    -------
    DataFrame
        split, features ("all features" or a method), silhouette (-1 to 1; 0: the classes overlap), one_nn (accuracy of
        the nearest training row).
    """
    rows = raw[(raw["metric"] == "chosen") & (raw["dataset"] == TITLES[dataset]) & raw["method"].isin(SHOWN)]
    rows = rows[rows["reading"].isin(["", "published"])]
    found = []
    for row in rows.sort_values(["method", "split"]).itertuples():
        order = np.array(row.value.split(), dtype=int)[:N_SELECTED]
        if row.method == SHOWN[0]:
            found.append(_measured("all features", None, row.split, dataset, n_genes, seed))
        found.append(_measured(row.method, order, row.split, dataset, n_genes, seed))
    return pd.DataFrame(found, columns=["split", "features", "silhouette", "one_nn"])


def _measured(name, order, split, dataset, n_genes, seed):
    X, y, _ = load_expression(dataset, n_genes, seed)
    train, test = test_part(y, dataset=dataset, split=split, seed=seed)
    chosen = slice(None) if order is None else order
    Z, Z_test = standardise(X[train][:, chosen], X[test][:, chosen])
    axes = np.linalg.svd(Z, full_matrices=False)[2][:N_DIRECTIONS].T
    nearest = KNeighborsClassifier(1).fit(Z @ axes, y[train])
    measures = {"silhouette": silhouette_score(Z_test @ axes, y[test]), "one_nn": nearest.score(Z_test @ axes, y[test])}
    return {"split": split, "features": name} | {key: float(value) for key, value in measures.items()}
