"""Which views of mfeat are V1 to V6 of paper "rrmvfs"? What CAT, which has no parameter, says under three scalings."""

from itertools import combinations

import numpy as np
import pandas as pd
from scipy.spatial.distance import cdist
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from fslib.papers.rrmvfs.items import TASKS, TRAIN_SIZES
from fslib.papers.rrmvfs.protocol import training_rows

SCALERS = {"z-scores": StandardScaler, "min-max": MinMaxScaler, "raw values": None}
"""How features may have been scaled, by the training samples."""

COLUMNS = ("V1+V6", "V1+V2+V3+V6", "all")
"""Columns of the paper's Table 2."""


def cat_by_scaling(n_repeats, seed=0):
    """Accuracy of CAT on all pairs, all fours and all views of mfeat, published protocol, for each scaling.

    Squared distances are sums over views, so every group is a sum of six matrices.

    Parameters
    ----------
    n_repeats, seed : int

    Returns
    -------
    DataFrame
        scaling, views (joined by +), repeat, value.
    """
    names, rows = TASKS["mfeat"].views, []
    groups = [group for size in (2, 4, len(names)) for group in combinations(names, size)]
    for repeat in range(n_repeats):
        X, y, views, train, test = training_rows("mfeat", TRAIN_SIZES[-1], repeat, seed)
        for scaling, scaler in SCALERS.items():
            Z = scaler().fit(X[train]).transform(X) if scaler else X
            apart = {
                name: cdist(Z[np.ix_(test, views[name])], Z[np.ix_(train, views[name])], "sqeuclidean")
                for name in names
            }
            for group in groups:
                nearest = y[train][sum(apart[name] for name in group).argmin(axis=1)]
                accuracy = float(np.mean(nearest == y[test]))
                rows.append({"scaling": scaling, "views": "+".join(group), "repeat": repeat, "value": accuracy})
    return pd.DataFrame(rows)


def nearest_views(found, published, spread):
    """The two and four views under which CAT comes nearest to its three published accuracies, for each scaling.

    The four views contain the two, as V1, V2, V3 and V6 do V1 and V6. Nearest is the smallest of the largest distances
    in the three columns, in published standard deviations.

    Parameters
    ----------
    found : DataFrame
        From `cat_by_scaling`.
    published, spread : mapping
        Accuracy of CAT and its standard deviation for every column of `COLUMNS`.

    Returns
    -------
    DataFrame
        Scalings as rows: two, four, accuracy in the three columns, worst (distance in standard deviations), and n_near,
        how many of the 90 pairs of groups stay within one.
    """
    means = found.groupby(["scaling", "views"])["value"].mean()
    rows = {}
    for scaling in SCALERS:
        value = {frozenset(views.split("+")): mean for views, mean in means[scaling].items()}
        whole = max(value, key=len)
        tried = []
        for two, four in ((a, b) for a in value for b in value if len(a) == 2 and len(b) == 4 and a < b):
            triple = [value[two], value[four], value[whole]]
            off = [abs(v - published[c]) / spread[c] for v, c in zip(triple, COLUMNS, strict=True)]
            tried.append((max(off), two, four, triple))
        worst, two, four, triple = min(tried, key=lambda one: one[0])
        named = {"two": _joined(two), "four": _joined(four)} | dict(zip(COLUMNS, triple, strict=True))
        rows[scaling] = named | {"worst": worst, "n_near": sum(one[0] <= 1 for one in tried)}
    return pd.DataFrame(rows).T


def _joined(group):
    return "+".join(view for view in TASKS["mfeat"].views if view in group)
