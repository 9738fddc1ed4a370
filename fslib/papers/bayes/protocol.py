"""Paper "bayes", section 4: select on the training part, tune and train a learner on it, measure on the test part.

The paper applies selection and learning to the training part and tunes on a held-out portion of it; nothing in this
protocol sees a test row, so there is one protocol. The Bayes filters run under two rules for ties: by index, which is
all that Algorithm 1 says, and by the log criterion, which is better. Ours where the paper is silent: splits are
stratified, the discretiser is fitted on the training part, learners get the selected features as they were before it.
"""

import warnings
from functools import lru_cache

import numpy as np
import pandas as pd
import scipy.sparse as sp

from fslib.counts.discretize import ThreeLevelDiscretizer
from fslib.counts.rows import distinct_rows
from fslib.datasets import load, unavailable_reason
from fslib.evaluation.learners import TunedLearner
from fslib.evaluation.splits import stratified_split
from fslib.filters import (
    MRMR,
    BayesGreedy,
    BayesScore,
    FisherScore,
    MIGreedy,
    MIScore,
    OutOfInformationWarning,
)
from fslib.filters.criteria import Balanced, CostSensitive, FBeta, Log, ZeroOne
from fslib.papers.bayes.items import CHANCE, PANELS, TASKS, TIED, TIED_FIGURES, TIES
from fslib.seeds import trial_seed
from fslib.tidy import COLUMNS, format_setting

DENSE_LIMIT = 50_000_000
"""Sparse data with fewer values than this are made dense: faster, and small enough."""

ORDER = {"exact": "exact", "bivariate": 2}

# name -> selector of k features for a criterion, with exact or bivariate estimates and a rule for ties where the method
# has the choice
SELECTORS = {
    "BayesGreedy": lambda k, criterion, order, ties: BayesGreedy(
        criterion, n_features_to_select=k, order=order, tie_break=ties
    ),
    "BayesScore": lambda k, criterion, order, ties: BayesScore(criterion, n_features_to_select=k, tie_break=ties),
    "0-1-BayesGreedy": lambda k, criterion, order, ties: BayesGreedy(
        "zero_one", n_features_to_select=k, order=order, tie_break=ties
    ),
    "0-1-BayesScore": lambda k, criterion, order, ties: BayesScore("zero_one", n_features_to_select=k, tie_break=ties),
    "MIGreedy": lambda k, criterion, order, ties: MIGreedy(n_features_to_select=k, order=order),
    "MIScore": lambda k, criterion, order, ties: MIScore(n_features_to_select=k),
    "MRMR": lambda k, criterion, order, ties: MRMR(n_features_to_select=k),
    "FScore": lambda k, criterion, order, ties: FisherScore(n_features_to_select=k),
}


def criterion_for(measure, c=None):
    """Bayes criterion of a measure of :mod:`fslib.evaluation.metrics`.

    Examples
    --------
    >>> criterion_for("cost_error", c=0.25)
    CostSensitive(c=0.25)
    """
    if measure == "cost_error":
        return CostSensitive(c)
    return {"error_0_1": ZeroOne(), "balanced_error": Balanced(), "log_loss": Log(), "f1": FBeta()}[measure]


def load_task(name):
    """Load a data set of Table 1 with its labels cut down to two classes.

    Parameters
    ----------
    name : str
        Key of :data:`fslib.papers.bayes.items.TASKS`.

    Returns
    -------
    X : array or CSC array of shape (n, d)
    y : array of {0, 1}, shape (n,)

    Examples
    --------
    >>> X, y = load_task("splice")
    >>> X.shape, round(float(y.mean()), 3)
    ((3190, 240), 0.519)
    """
    data = load(name)
    X = data.X
    if sp.issparse(X):
        X = X.toarray() if np.prod(X.shape) < DENSE_LIMIT else sp.csc_array(X)
    return X, (data.y == list(data.target_names).index(TASKS[name].positive)).astype(int)


_task = lru_cache(maxsize=2)(load_task)  # a worker meets the trials of one data set together


@lru_cache(maxsize=2)
def split_parts(dataset, split, seed):
    """Training and test rows of a split, and the training rows in discrete levels."""
    X, y = _task(dataset)
    train, test = stratified_split(y, train_size=TASKS[dataset].train_size, dataset=dataset, split=split, seed=seed)
    levels = ThreeLevelDiscretizer().fit_transform(X[train])
    return (X[train], y[train], levels), (X[test], y[test])


@lru_cache(maxsize=256)
def _ranking(dataset, split, seed, method, measure, c, estimation, ties, k):
    """Order in which a method takes its first k features; shared by panels that differ only in the learner."""
    (X, y, levels), _ = split_parts(dataset, split, seed)
    if method == CHANCE:
        rng = np.random.default_rng(trial_seed(seed, dataset, "random features", split))
        return tuple(rng.permutation(X.shape[1])[:k].tolist())
    selector = SELECTORS[method](k, criterion_for(measure, c), ORDER[estimation], ties)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OutOfInformationWarning)  # the paper goes on, by the scores
        # the Fisher score is a ratio of variances and reads the values themselves
        return tuple(selector.fit(X if method == "FScore" else levels, y).ranking_[:k].tolist())


@lru_cache(maxsize=4096)
def held_out_value(dataset, split, seed, columns, measure, c, grid):
    """Test measure of the learner on a set of features; different methods often choose the same set."""
    (X, y, _), (X_test, y_test) = split_parts(dataset, split, seed)
    tuning = trial_seed(seed, dataset, "tuning", split) % 2**31
    learner = TunedLearner(measure, c=0.5 if c is None else c, random_state=tuning, **dict(grid))
    return float(learner.fit(_dense(X, columns), y).measure_on(_dense(X_test, columns), y_test))


@lru_cache(maxsize=4096)
def distinct_training_rows(dataset, split, seed, columns):
    """How many training rows differ on a set of features; beyond ``EXACT_ROWS`` the logistic's kernel is sampled."""
    (X, _, _), _ = split_parts(dataset, split, seed)
    return len(distinct_rows(_dense(X, columns))[0])


def _dense(X, columns):
    part = X[:, list(columns)]
    return part.toarray() if sp.issparse(part) else part


def run_trial(*, dataset, item, measure, loss, c, estimation, ties, method, ks, split, seed, grid):
    """Test measure of one method at all sizes, on one split: a trial of :func:`fslib.evaluation.trials.run_trials`.

    The parameters are those of :class:`~fslib.papers.bayes.items.Panel`, the rule for ``ties`` of the Bayes filters (a
    value of :data:`TIES`, empty for other methods), the number of the ``split``, the root ``seed`` and the ``grid`` of
    the learner: a dict with lists ``C`` and ``gamma``, empty for the default.

    Returns
    -------
    list of dict
        item, dataset (as the paper spells it), method, loss, c, estimation, ties, k, split, metric, value; and for
        log loss distinct_rows, the number of training rows that differ on the features.
    """
    grid = tuple((name, tuple(values)) for name, values in sorted(grid.items()))
    criterion = measure if method in ("BayesGreedy", "BayesScore") else None  # what else may share a ranking
    order = _ranking(
        dataset,
        split,
        seed,
        method,
        criterion or "error_0_1",
        c if criterion else None,
        estimation,
        ties or "log",
        max(ks),
    )
    named = {"item": item, "dataset": TASKS[dataset].title, "method": method, "loss": loss, "c": c}
    rows = []
    for k in ks:
        columns = tuple(sorted(order[:k]))
        row = named | {"estimation": estimation, "ties": ties, "k": k, "split": split, "metric": measure}
        row["value"] = held_out_value(dataset, split, seed, columns, measure, c, grid)
        if measure == "log_loss":
            row["distinct_rows"] = distinct_training_rows(dataset, split, seed, columns)
        rows.append(row)
    return rows


def figure_trials(items, *, datasets, n_splits, ks=None, seed=0, grid=None, panels=PANELS):
    """Trials of some figures, and the panels that cannot be run.

    Parameters
    ----------
    items : list of str
        Such as ``["Figure 1", "Figure 2"]``.
    datasets : list of str
        Names in :mod:`fslib.datasets`; panels of other data sets are not run.
    n_splits : int
        The paper has 5.
    ks : list of int or None
        Sizes instead of the panel's own.
    seed : int
        Root of all random draws.
    grid : dict or None
        Values of ``C`` and ``gamma`` to try, such as ``{"C": [1.0, 10.0], "gamma": [0.3, 1.0]}``.
    panels : sequence of Panel

    Returns
    -------
    trials : list of dict
        For ``run_trials(run_trial, trials, ...)``.
    not_run : DataFrame
        item, dataset, loss, reason: every panel without trials.

    Examples
    --------
    >>> trials, not_run = figure_trials(["Figure 2"], datasets=["adult"], n_splits=2)
    >>> len(trials), not_run["reason"].unique().tolist()      # (6 methods, 2 twice, and chance) x 2 costs x 2 splits
    (36, ['not among the data sets of this run'])
    """
    trials, missing = [], []
    for panel in (panel for panel in panels if panel.item in items):
        if reason := unavailable_reason(panel.dataset, datasets):
            title = TASKS[panel.dataset].title
            missing.append({"item": panel.item, "dataset": title, "loss": panel.loss, "reason": reason})
            continue
        named = {name: getattr(panel, name) for name in ("dataset", "item", "measure", "loss", "c", "estimation")}
        more = {"ks": list(ks or panel.ks), "seed": seed, "grid": grid or {}}
        trials += [
            named | more | {"method": method, "ties": ties, "split": split}
            for split in range(n_splits)
            for method in (*panel.methods, CHANCE)
            for ties in (TIES if method in TIED and panel.item in TIED_FIGURES else [""])
        ]
    return trials, pd.DataFrame(missing, columns=["item", "dataset", "loss", "reason"])


def summarise(raw):
    """Mean and standard deviation over splits, as tidy rows.

    Parameters
    ----------
    raw : DataFrame
        Rows of :func:`run_trial`.

    Returns
    -------
    DataFrame
        paper, item, dataset, method, setting, metric, value, std (ddof=1, NaN for a single split), n.
    """
    if raw.empty:  # no panel of the figure could be run
        return pd.DataFrame(columns=COLUMNS)
    keys = ["item", "dataset", "method", "loss", "c", "estimation", "ties", "k", "metric"]
    groups = raw.groupby(keys, dropna=False, sort=False)["value"]
    table = groups.agg(value="mean", std="std", n="count").reset_index()
    table["c"] = table["c"].astype(object).where(table["c"].notna(), None)
    table["setting"] = [
        format_setting(k=row.k, loss=row.loss, c=row.c, estimation=row.estimation, ties=row.ties or None)
        for row in table.itertuples()
    ]
    return table.assign(paper="bayes")[COLUMNS]
