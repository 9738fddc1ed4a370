"""Paper "rrmvfs", section 3: select on few samples of half the data, classify by the nearest of them in the other half.

A repeat draws two halves. From the first come 6, 9 or 12 training samples per class: they alone scale the features, fit
the selectors and serve as neighbours. Of the second half, 20 % choose the penalties by validation accuracy. Reported is
the accuracy on the rest (``protocol=held_out``); the paper speaks of "the test set" with the validation part in it
(``protocol=published``). Ours where the paper is silent: halves and validation part keep the class shares, features are
standardised, ties between penalties go to the larger ones, every selector makes at most 20 iterations as RRMVFS does.
"""

import warnings
from functools import lru_cache
from itertools import product

import numpy as np
import pandas as pd
import scipy.sparse as sp
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from fslib.datasets import load
from fslib.evaluation.splits import stratified_split
from fslib.multiview import DSMLFS, RFS, RRMVFS, SMML, SSMVFS, WMCFS
from fslib.papers.rrmvfs.items import CHANCE, PERCENTAGES, TASKS
from fslib.seeds import trial_seed

# name -> names of the penalties to search (the last one acts on features), and selector of all features
CANDIDATES = {
    "RFS": (("gamma",), lambda views, seed: RFS()),
    "SSMVFS": (("gamma1", "gamma2"), lambda views, seed: SSMVFS(views)),
    "SMML": (("gamma1", "gamma2"), lambda views, seed: SMML(views)),
    "DSML-FS": (("gamma1", "gamma2"), lambda views, seed: DSMLFS(views)),
    "WMCFS": (("beta",), lambda views, seed: WMCFS(views, random_state=seed)),
    "RRMVFS": (("gamma1", "gamma2"), lambda views, seed: RRMVFS(views)),
}


def load_task(name, seed=0):
    """Load a data set with its views, complete columns only, and equal classes where the paper has them.

    Parameters
    ----------
    name : str
        Key of :data:`fslib.papers.rrmvfs.items.TASKS`.
    seed : int
        Root seed of the run; draws the rows of the larger class.

    Returns
    -------
    X : array of shape (n, d)
    y : array of int, shape (n,)
    views : dict of str to array of int
        Features of each view that takes part.

    Examples
    --------
    >>> X, y, views = load_task("mfeat")
    >>> X.shape, {name: len(columns) for name, columns in views.items()}
    ((2000, 649), {'fou': 76, 'fac': 216, 'kar': 64, 'pix': 240, 'zer': 47, 'mor': 6})
    """
    data, task = load(name), TASKS[name]
    X = data.X.toarray() if sp.issparse(data.X) else data.X
    views = {view: np.arange(X.shape[1])[data.views[view]] for view in task.views}
    if not task.balance:
        return X, data.y, views
    rng = np.random.default_rng(trial_seed(seed, name, "balance"))
    rows = _rows_per_class(np.arange(len(X)), data.y, np.bincount(data.y).min(), rng)
    return X[rows], data.y[rows], views


_task = lru_cache(maxsize=2)(load_task)  # a worker meets the trials of one data set together


def _rows_per_class(rows, y, n, rng):
    """At most n of the given rows from each class, ascending."""
    of_class = [rows[y[rows] == c] for c in np.unique(y[rows])]
    return np.sort(np.concatenate([rng.permutation(group)[:n] for group in of_class]))


def training_rows(dataset, train_per_class, repeat, seed):
    """Data of a repeat, its views, and the indices of the training samples and of the second half."""
    X, y, views = _task(dataset, seed)
    first, second = stratified_split(y, train_size=0.5, dataset=dataset, split=repeat, seed=seed)
    rng = np.random.default_rng(trial_seed(seed, dataset, "training rows", repeat))
    return X, y, views, _rows_per_class(first, y, train_per_class, rng), second


@lru_cache(maxsize=2)
def split_parts(dataset, train_per_class, repeat, seed):
    """Standardised training, validation and remaining test part of a repeat, each as (X, y), and the views.

    A larger training set contains the smaller ones. A class with fewer rows in its half gives all of them.
    """
    X, y, views, train, second = training_rows(dataset, train_per_class, repeat, seed)
    rest, validation = train_test_split(
        second, test_size=0.2, stratify=y[second], random_state=trial_seed(seed, dataset, "validation", repeat)
    )
    scaler = StandardScaler().fit(X[train])
    parts = [(scaler.transform(X[rows]), y[rows]) for rows in (train, validation, rest)]
    return parts, views


def nearest_labels(X, y, X_new, order, sizes):
    """1NN predictions from the first features of an order, for growing numbers of them.

    The squared distances of one size are those of the size before plus the features that joined. Differences are
    subtracted one by one, so that equal distances stay equal and the earlier row wins.

    Parameters
    ----------
    X, y : arrays of shape (n, d) and (n,)
        Neighbours and their classes.
    X_new : array of shape (m, d)
    order : array of int
        Features, best first.
    sizes : sequence of int
        Ascending.

    Returns
    -------
    array of shape (len(sizes), m)

    Examples
    --------
    >>> X, y = np.array([[0.0, 0.0], [1.0, 5.0]]), np.array([0, 1])
    >>> nearest_labels(X, y, np.array([[0.9, 0.0]]), order=[0, 1], sizes=[1, 2])
    array([[1],
           [0]])
    """
    distances, found, start = np.zeros((len(X_new), len(X))), [], 0
    for size in sizes:
        columns = order[start:size]
        if len(columns):
            distances += cdist(X_new[:, columns], X[:, columns], "sqeuclidean")
        found.append(y[distances.argmin(axis=1)])
        start = size
    return np.array(found)


def column_orders(method, views, gammas, max_iter, seed, X, y):
    """Orders of the features to choose from: list of (penalties, order), those that win ties first.

    CAT has one order, Single one per view; they use all features of it.
    """
    if method == "CAT":
        return [((), np.concatenate(views))]
    if method == "Single":
        return [((), view) for view in views]
    if method == CHANCE:
        return [((), np.random.default_rng(seed).permutation(np.concatenate(views)))]
    names, make = CANDIDATES[method]
    columns = np.concatenate(views)
    codes = np.repeat(np.arange(len(views)), [len(view) for view in views])
    orders = []
    for penalties in product(sorted(gammas, reverse=True), repeat=len(names)):
        penalties = penalties[::-1]  # gamma2 in the outer loop
        with warnings.catch_warnings():  # 20 iterations are the protocol, and all-zero coefficients still give an order
            warnings.simplefilter("ignore", ConvergenceWarning)
            warnings.filterwarnings("ignore", message=".*all coefficients are zero")
            selector = make(codes, seed).set_params(max_iter=max_iter, **dict(zip(names, penalties, strict=True)))
            selector.fit(X[:, columns], y)
        orders.append((penalties, columns[selector.ranking_]))
    return orders


def run_trial(*, dataset, views, train_per_class, method, gammas, max_iter, repeat, seed):
    """Test results of one method at all percentages of the features: one call of `run_trials`.

    Parameters
    ----------
    dataset, views, train_per_class, method : str, list of str, int, str
    gammas : list of float
        Values of each penalty; two penalties are searched in all pairs. Empty for Single and CAT.
    max_iter : int
        Iterations of the selectors.
    repeat, seed : int
        Number of the repeat and root seed of the run.

    Returns
    -------
    list of dict
        dataset (as the paper spells it), views, train_per_class, method, repeat, pct, gamma1, gamma2 (of two, the
        penalty on features is gamma2), validation (accuracy), protocol, metric, value.
    """
    (train, validation, rest), view_columns = split_parts(dataset, train_per_class, repeat, seed)
    groups = [view_columns[view] for view in views]
    draw_seed = trial_seed(seed, dataset, CHANCE if method == CHANCE else "WMCFS", repeat)
    orders = column_orders(method, groups, gammas, max_iter, draw_seed, *train)
    sizes = [_sizes(len(order), method) for _, order in orders]
    on_validation = np.array(
        [
            [accuracy_score(validation[1], labels) for labels in nearest_labels(*train, validation[0], order, size)]
            for (_, order), size in zip(orders, sizes, strict=True)
        ]
    )
    best = on_validation.argmax(axis=0)  # the first of equals, per percentage
    everything = np.vstack([validation[0], rest[0]])
    predictions = {i: nearest_labels(*train, everything, orders[i][1], sizes[i]) for i in set(best.tolist())}
    n, y = len(validation[1]), np.concatenate([validation[1], rest[1]])
    named = {"dataset": TASKS[dataset].title, "views": "+".join(views), "train_per_class": train_per_class}
    rows = []
    for p, pct in enumerate(PERCENTAGES):
        i = int(best[p])
        penalties = dict(zip(["gamma1", "gamma2"], (*orders[i][0], None, None), strict=False))
        chosen = {"method": method, "repeat": repeat, "pct": pct, **penalties}
        for protocol, part in (("held_out", slice(n, None)), ("published", slice(None))):
            truth, guess = y[part], predictions[i][p][part]
            values = {"accuracy": accuracy_score(truth, guess), "macro_f1": f1_score(truth, guess, average="macro")}
            rows += [
                named
                | chosen
                | {"validation": float(on_validation[i, p]), "protocol": protocol}
                | {"metric": metric, "value": float(value)}
                for metric, value in values.items()
            ]
    return rows


def _sizes(d, method):
    """Numbers of features to keep: a percentage of them, at least one; all of them for methods that do not select."""
    if method in CANDIDATES or method == CHANCE:
        return [max(1, round(pct * d / 100)) for pct in PERCENTAGES]
    return [d] * len(PERCENTAGES)


def varying_columns(trials):
    """Share of the features that are not constant over the training samples of some trials.

    A constant feature adds the same distance to every training sample, so it does not change which is nearest.

    Parameters
    ----------
    trials : list of dict
        As for :func:`run_trial`.

    Returns
    -------
    DataFrame
        Data sets as rows, training sizes as columns; mean over the repeats.
    """
    rows = []
    for key in sorted({(t["dataset"], t["train_per_class"], t["repeat"], t["seed"]) for t in trials}):
        ((X, _), *_), views = split_parts(*key)
        share = np.mean(np.ptp(X[:, np.concatenate(list(views.values()))], axis=0) > 0)
        rows.append({"dataset": TASKS[key[0]].title, "train_per_class": key[1], "share": share})
    return pd.DataFrame(rows).pivot_table(index="dataset", columns="train_per_class", values="share").round(3)
