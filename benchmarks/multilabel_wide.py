"""CMFS and ML-CIB at the size of RCV1, and MMIB on emotions: the methods of chapter 5 of the thesis braytee."""

import warnings
from functools import partial

import numpy as np
from scipy import sparse
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import MultiTaskLasso

from benchmarks.timing import Peer, Work, peak_memory, print_table
from fslib.datasets import load
from fslib.multilabel.cmfs import CMFS
from fslib.multilabel.mlcib import MLCIB
from fslib.multilabel.mmib import MMIB

PAPER_SECONDS = {"CMFS": 827.0, "ML-CIB": 19541.0}
"""Of the thesis's MATLAB programs on RCV1 (S1)."""

MEMORY_TARGET = 1.5 * 2**30 / 1e6
"""MB that a process may take at the size of RCV1."""


def make_rcv1_like(n=6000, d=23700, entries=400_000, n_labels=103, seed=0):
    """Sparse X in single precision, columns of falling frequency, and labels likewise that depend on them."""
    rng = np.random.default_rng(seed)
    frequency = 1 / np.arange(1, d + 1) ** 0.7
    columns = rng.choice(d, size=entries, p=frequency / frequency.sum())
    values, rows = rng.random(entries, dtype=np.float32), rng.integers(0, n, entries)
    X = sparse.csr_array((values, (rows, columns)), shape=(n, d))
    X.sum_duplicates()
    share = 1 / np.arange(2, n_labels + 2)
    Y = (rng.random((n, n_labels)) < share) | ((X[:, :n_labels].toarray() > 0) & (rng.random((n, n_labels)) < 0.5))
    return X, Y.astype(np.float32)


def rcv1_size(n_jobs):
    """Both methods, and peers that do a comparable part of the work."""
    X, Y = make_rcv1_like()
    cmfs = lambda c: CMFS(n_components=c, max_iter=100, tol=0, random_state=0, n_jobs=n_jobs)
    nmf = lambda c: NMF(c, solver="mu", init="random", max_iter=100, tol=0, random_state=0)
    note = "two factors of X alone"
    return [
        Work(
            f"CMFS, c={c}, 100 sweeps; target {target} s",
            partial(cmfs(c).fit, X, Y),
            PAPER_SECONDS["CMFS"],
            [Peer("scikit-learn NMF, multiplicative, 100 sweeps", partial(nmf(c).fit, X), note)],
        )
        for c, target in ((26, 3), (103, 12))
    ] + [
        Work(
            "ML-CIB, 103 labels, 100 steps; target 10 s",
            partial(MLCIB(max_iter=100, tol=0, n_jobs=n_jobs).fit, X, Y),
            PAPER_SECONDS["ML-CIB"],
        )
    ]


def small_regression():
    """ML-CIB beside a sparse regression on the same labels, dense, 600 x 500."""
    rng = np.random.default_rng(0)
    X = rng.random((600, 500))
    Y = (X[:, :20] > 0.5).astype(float)
    lasso = MultiTaskLasso(alpha=1e-3, max_iter=100, tol=0)
    note = "rows of coefficients as groups, no new labels"
    return [
        Work(
            "ML-CIB, n=600, d=500, 20 labels, 100 steps",
            partial(MLCIB(max_iter=100, tol=0).fit, X, Y),
            None,
            [Peer("scikit-learn MultiTaskLasso, 100 passes", partial(lasso.fit, X, Y), note)],
        )
    ]


def mmib_on_emotions():
    """Fit and prediction of the 202 test rows."""
    data = load("emotions")
    X, train = np.asarray(data.X, dtype=float), data.split == 0
    predict = lambda: MMIB().fit(X[train], data.y[train]).predict(X[~train])
    return [Work("MMIB, emotions, 391 + 202 rows; target 5 s", predict)]


def main(n_jobs, repeats, with_peers):
    """Print all tables."""
    show = partial(print_table, repeats=repeats, with_peers=with_peers)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the number of steps is fixed on purpose
        show("n=6000, d=23700, 0.4 million entries, 103 labels, single precision", rcv1_size(n_jobs))
        show("A dense problem", small_regression())
        show("Transductive", mmib_on_emotions())
    begin = "from benchmarks.multilabel_wide import *; X, Y = make_rcv1_like(); "
    for name, fit in [
        ("CMFS, c=103", "CMFS(n_components=103, max_iter=3, tol=0, random_state=0).fit(X, Y)"),
        ("ML-CIB", "MLCIB(max_iter=3, tol=0).fit(X, Y)"),
    ]:
        print(f"Peak memory of {name} at the size of RCV1: {peak_memory(begin + fit):.0f} MB", end="; ")
        print(f"target: {MEMORY_TARGET:.0f} (1.5 GiB)")
