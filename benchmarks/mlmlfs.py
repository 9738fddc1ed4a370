"""MLMLFS beside its authors' program, and the parts of its evaluation at the size of the paper's largest data."""

import warnings
from functools import partial

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from benchmarks.timing import Work, peak_memory, print_table
from fslib.datasets import DataNotFoundError, load
from fslib.multilabel.mdmr import MDMR
from fslib.multilabel.mlknn import mlknn_sweep
from fslib.multilabel.mlmlfs import MLMLFS
from fslib.multilabel.pmu import PMU
from fslib.multilabel.sfus import SFUS

AUTHORS_SECONDS = {"birds": 8.0, "yeast": 34.0, "artificial": 289.0, "reference": 496.0}
"""Their MATLAB program under GNU Octave: one setting, 20 iterations, half of the labels missing, a busy machine."""

TARGETS = {"birds": 0.2, "yeast": 1.0, "artificial": 2.0, "reference": 4.0}
"""Seconds that ours may take on two cores."""

MEMORY_TARGET = 1.5 * 2**30 / 1e6
"""MB that the process may take at the size of Bookmarks."""

STEPS = {"max_iter": 30, "tol": 0.0}
"""Outer steps of MLMLFS; a tolerance of 0 keeps it from stopping earlier."""


def make_bookmarks_like(n=2000, d=2150, c=208, n_test=3000, seed=0):
    """0/1 columns and rare labels in the shape of Bookmarks: X, y with half of it unknown, X of the test rows."""
    rng = np.random.default_rng(seed)
    X = (rng.random((n + n_test, d)) < 0.05).astype(float)
    y = (X[:n, :c] + (rng.random((n, c)) < 0.02) > 0).astype(float)
    return X[:n], np.where(rng.random((n, c)) < 0.5, np.nan, y), X[n:]


def authors_data():
    """One fit of MLMLFS per data set that is available."""
    works = []
    for name, seconds in AUTHORS_SECONDS.items():
        try:
            data = load(f"mlmlfs_{name}")
        except DataNotFoundError:
            print(f"mlmlfs_{name} left out: it is not in the folder FSLIB_DATA.")
            continue
        train = data.split == 0
        X, y = np.asarray(data.X[train], dtype=float), np.where(data.known_50, data.y[train], np.nan)
        label = f"{name}, n={X.shape[0]}, d={X.shape[1]}; target {TARGETS[name]:g} s"
        works.append(Work(label, partial(MLMLFS(**STEPS).fit, X, y), seconds))
    return works


def bookmarks_size():
    """Everything else at n = 2000 and 3000 test rows, d = 2150, c = 208."""
    X, y, X_test = make_bookmarks_like()
    complete = np.nan_to_num(y)
    sweep = lambda: [None for _ in mlknn_sweep(X, {"incomplete": y}, X_test, range(100))]
    return [
        Work("MLMLFS, 30 outer steps of 5 completions; target 25 s", partial(MLMLFS(**STEPS).fit, X, y)),
        Work("ML-kNN over 1 to 100 features; target 20 s", sweep),
        Work(
            "PMU, 100 features, unknown as absent; target 60 s",
            partial(PMU(n_features_to_select=100, reading="published").fit, X, complete),
        ),
        Work("PMU, 100 features, unknown left out; target 60 s", partial(PMU(n_features_to_select=100).fit, X, y)),
        Work(
            "MDMR, 100 features, unknown as a third level",
            partial(MDMR(n_features_to_select=100, reading="published").fit, X, complete),
        ),
        Work("SFUS, 20 steps", partial(SFUS(max_iter=20, tol=0).fit, X, y)),
    ]


def main(n_jobs, repeats, with_peers):
    """Print all tables of this paper; the methods have no n_jobs, their threads are those of BLAS."""
    show = partial(print_table, repeats=repeats, with_peers=with_peers)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the number of steps is fixed on purpose
        show("MLMLFS, 30 outer steps (the authors' program: 20)", authors_data())
        show("n=2000 and 3000 test rows, d=2150, c=208", bookmarks_size())
    fit = "from benchmarks.mlmlfs import *; X, y, _ = make_bookmarks_like(n_test=0); MLMLFS(**STEPS).fit(X, y)"
    print(f"Peak memory of MLMLFS at that size: {peak_memory(fit):.0f} MB; target: {MEMORY_TARGET:.0f} (1.5 GiB)")
