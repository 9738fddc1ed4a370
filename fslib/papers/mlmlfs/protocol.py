"""Paper "mlmlfs", section 5: data with their masks of known labels, the selectors, and the scores of one ranking.

Where the paper is silent, its authors' program decides: ML-kNN with 10 neighbours on the first 1, 2, ..., 100 features,
two-level columns for PMU and MDMR, SFUS with alpha 1, beta 1000 and a subspace as large as the number of labels.
"""

import warnings
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split

from fslib.datasets import load
from fslib.evaluation.multilabel_metrics import PRINTED_IN_MLMLFS
from fslib.evaluation.multilabel_sweep import sweep_scores
from fslib.multilabel import MDDM, MDMR, MLMLFS, PMU, SFUS
from fslib.names import LARGER_IS_BETTER
from fslib.seeds import trial_seed

TITLES = {
    "mlmlfs_artificial": "Artificial",
    "mlmlfs_birds": "Birds",
    "bookmarks": "Bookmarks",
    "mlmlfs_reference": "Reference",
    "mlmlfs_social": "Social",
    "mlmlfs_yeast": "Yeast",
    "yeast_ml": "Yeast (our masks)",
    "emotions": "Emotions (our masks)",
}
"""Name in :mod:`fslib.datasets` -> name in the tables. The last two have masks drawn here, so no published
number is theirs."""

METRICS = (*PRINTED_IN_MLMLFS, "label_macro_f1")
"""The four published measures, and the macro-F1 that the text defines where example-based F1 is published."""

MAX_SIZE = 100
"""Largest number of features judged."""

SHARED = {"alpha": 1e-4, "lam": 1.0, "p": 1.0}
"""Setting of the MLMLFS whose recovered labels serve all methods alike."""

# name -> selector of k features of data with c labels, of a reading; the setting is that of MLMLFS, the random start
# that of a published reading that has one
SELECTORS = {
    "MLMLFS": lambda reading, k, c, setting, start: MLMLFS(**setting, reading=reading, random_state=start),
    "MDDM": lambda reading, k, c, setting, start: MDDM(n_features_to_select=k, reading=reading),
    "PMU": lambda reading, k, c, setting, start: PMU(n_features_to_select=k, reading=reading),
    "MDMR": lambda reading, k, c, setting, start: MDMR(n_features_to_select=k, reading=reading),
    "SFUS": lambda reading, k, c, setting, start: SFUS(
        n_features_to_select=k,
        alpha=1.0,
        beta=1e3,
        n_components=c,
        max_iter=30 if reading == "published" else 50,
        reading=reading,
        random_state=start,
    ),
}


@dataclass(frozen=True)
class Task:
    """Data of one missing rate.

    Attributes
    ----------
    X : array of shape (n, d)
    y : array of shape (n, c)
        Training labels, NaN where unknown.
    hidden : array of shape (n, c)
        Training labels behind the unknown ones, NaN where ``y`` is known. No method sees them.
    X_test : array of shape (m, d)
    y_test : array of shape (m, c)
    """

    X: np.ndarray
    y: np.ndarray
    hidden: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


@lru_cache(maxsize=2)
def load_task(dataset, missing_pct, seed=0):
    """Training and test part of a data set, with a share of the training labels unknown.

    Parameters
    ----------
    dataset : str
        Key of :data:`TITLES`.
    missing_pct : int
        0, 25, 50 or 80 percent, for which the authors' data have masks; any other where masks are drawn.
    seed : int
        Root seed of drawn masks.

    Returns
    -------
    Task

    Examples
    --------
    >>> task = load_task("emotions", 50)
    >>> task.X.shape, float(np.isnan(task.y).mean().round(2))
    ((391, 72), 0.5)
    """
    data = load(dataset)
    train = data.split == 0
    X, y = np.asarray(data.X, dtype=float), np.asarray(data.y, dtype=float)
    known = np.ones_like(y[train], dtype=bool)
    if missing_pct:
        known = getattr(data, f"known_{missing_pct}", None)
        if known is None:
            known = draw_known(y[train], missing_pct, trial_seed(seed, dataset, "mask", missing_pct))
        known = np.asarray(known, dtype=bool)
    return Task(
        X[train], np.where(known, y[train], np.nan), np.where(known, np.nan, y[train]), X[~train], y[~train].astype(int)
    )


def draw_known(y, missing_pct, seed):
    """Mask of known labels: entries uniformly at random, drawn anew until each label keeps a positive and a negative.

    Parameters
    ----------
    y : array of {0, 1}, shape (n, c)
    missing_pct : float
        Percentage of the entries to hide; their number is rounded.
    seed : int

    Returns
    -------
    array of bool, shape (n, c)

    Raises
    ------
    ValueError
        If no draw of a thousand leaves every label a known positive and negative.

    Examples
    --------
    >>> draw_known(np.array([[0, 1], [1, 0], [1, 1], [0, 0]]), 25, seed=0).sum()
    np.int64(6)
    """
    rng = np.random.default_rng(seed)
    n_hidden = round(y.size * missing_pct / 100)
    for _ in range(1000):
        known = np.ones(y.size, dtype=bool)
        known[rng.choice(y.size, n_hidden, replace=False)] = False
        known = known.reshape(y.shape)
        if ((known & (y == 1)).any(axis=0) & (known & (y == 0)).any(axis=0)).all():
            return known
    raise ValueError(
        f"With {missing_pct}% of the labels hidden no draw leaves each of the {y.shape[1]} labels a known "
        "positive and a known negative: leave rare labels out, or hide fewer."
    )


def shuffle_labels(task, seed):
    """The task with its training labels, known ones and masks, permuted over the training rows: nothing to learn."""
    rows = np.random.default_rng(seed).permutation(len(task.X))
    return replace(task, y=task.y[rows], hidden=task.hidden[rows])


def make_selector(method, reading, setting, n_features, n_labels, start=None):
    """Build a selector as the paper's section 5 has it.

    Parameters
    ----------
    method : str
        Key of :data:`SELECTORS`.
    reading : {"published", "corrected"}
    setting : dict
        alpha, lam and p of MLMLFS; empty for the others.
    n_features, n_labels : int
        Of the data.
    start : int, optional
        Random start of the published readings of MLMLFS and SFUS.

    Examples
    --------
    >>> make_selector("MDDM", "published", {}, n_features=72, n_labels=6)
    MDDM(n_features_to_select=72, reading='published')
    """
    return SELECTORS[method](reading, min(MAX_SIZE, n_features), n_labels, setting, start)


def fit_selector(method, reading, setting, X, y, start=None):
    """Fit a selector of :func:`make_selector`, without its warning if the last iterations still lower the objective."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return make_selector(method, reading, setting, X.shape[1], y.shape[1], start).fit(X, y)


@lru_cache(maxsize=4)
def shared_labels(dataset, missing_pct, seed):
    """Labels recovered by the MLMLFS of :data:`SHARED` on the whole training part, for every method alike."""
    task = load_task(dataset, missing_pct, seed)
    return fit_selector("MLMLFS", "corrected", SHARED, task.X, task.y).recovered_labels_


def score_selector(selector, X, label_sets, X_test, y_test, sizes):
    """Measure ML-kNN on the leading features of a fitted selector.

    Parameters
    ----------
    selector : fitted selector
    X, X_test : arrays of shape (n, d) and (m, d)
    label_sets : dict of str to array (n, c)
        Versions of the training labels.
    y_test : array of shape (m, c)
        NaN where unknown.
    sizes : sequence of int
        Numbers of features, ascending; those above d are left out.

    Returns
    -------
    dict of str to dict of str to array
        ``scores[label set][metric]``, one value per size. Ties are broken as the paper's measures do.
    """
    kept = [k for k in sizes if k <= X.shape[1]]
    order = selector.ranking_[: kept[-1]]
    return sweep_scores(X, label_sets, X_test, y_test, order, sizes=set(kept), metrics=METRICS, ties="lamda")


def validation_curves(method, reading, setting, task, sizes, seed):
    """Measure a method on a quarter of the training part, by selectors and labels of the other three.

    Only known labels of the validation rows count.

    Returns
    -------
    dict of str to array
        ``scores[metric]``, one value per size.
    """
    fitted, held_out = train_test_split(np.arange(len(task.X)), test_size=0.25, random_state=seed)
    selector = fit_selector(method, reading, setting, task.X[fitted], task.y[fitted])
    labels = own_labels(selector, task.y[fitted])
    return score_selector(selector, task.X[fitted], {"own": labels}, task.X[held_out], task.y[held_out], sizes)["own"]


def own_labels(selector, y):
    """Training labels that the paper gives a method's ML-kNN: recovered ones for MLMLFS, the incomplete ones else."""
    return getattr(selector, "recovered_labels_", y)


def position_of_best(values, metric):
    """Position of the best of some values of a metric, the first of several equal ones.

    Examples
    --------
    >>> position_of_best([0.3, 0.2, 0.2], "hamming_loss"), position_of_best([0.3, 0.2, 0.4], "example_f1")
    (1, 2)
    """
    values = np.asarray(values)
    return int(np.argmax(values if metric in LARGER_IS_BETTER else -values))
