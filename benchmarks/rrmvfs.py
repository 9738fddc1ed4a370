"""Multi-view selection: the three sizes that bound the experiments, RFS beside scikit-feature, and what SMML costs."""

import warnings
from functools import partial
from importlib.util import find_spec

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import ThreadpoolController

from benchmarks.timing import Peer, Work, print_table
from fslib.classes import one_versus_rest
from fslib.multiview import DSMLFS, RRMVFS, SMML, SSMVFS, WMCFS
from fslib.multiview.rfs import fit_rfs

TARGETS = {(144, 500, 12): 0.3, (1000, 649, 10): 1.0, (144, 20000, 12): 6.0}
"""Samples, columns, classes -> seconds that 20 iterations of RRMVFS may take on two cores."""
PEER_STOPS_AT = 1e-3  # fall of the objective at which scikit-feature's RFS stops


def make_views(n, d, n_classes, seed=0):
    """Classes that differ in the first 20 of d columns; X standardised."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, d))
    X[:, :20] += 2 * rng.normal(size=(n_classes, 20))[y]
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def rrmvfs_sizes(n_jobs):
    """Twenty iterations in one view, which is the hardest case: views only divide the work."""
    works = []
    for (n, d, n_classes), target in TARGETS.items():
        X, y = make_views(n, d, n_classes)
        run = partial(RRMVFS(max_iter=20, tol=-1.0, n_jobs=n_jobs).fit, X, y)
        works.append(Work(f"n={n}, d={d}, {n_classes} classes; target {target:g} s", run))
    return works


def family(n_jobs):
    """The other methods at the size of the paper's largest training sets, in six views."""
    X, y = make_views(144, 1500, 12)
    views = np.repeat(np.arange(6), 250)
    selectors = {
        "RRMVFS, 20 iterations": RRMVFS(views, max_iter=20, tol=-1.0, n_jobs=n_jobs),
        "SSMVFS, 20 iterations": SSMVFS(views, max_iter=20, tol=-1.0),
        "DSML-FS, 20 iterations": DSMLFS(views, max_iter=20, tol=-1.0),
        "SMML, 20 iterations": SMML(views, max_iter=20, tol=-1.0),
        "WMCFS, 10 starts": WMCFS(views, random_state=0),
    }
    return [Work(name, partial(selector.fit, X, y)) for name, selector in selectors.items()]


def rfs_beside_peer(repeats, with_peers, gamma=1.0):
    """Both minimise the same objective without intercept, by the same iterates, and stop by the same rule."""
    X, y = make_views(2000, 1000, 20)
    Y = one_versus_rest(y)
    coefficients = {}

    def ours():
        rough = fit_rfs(X, Y, gamma, max_iter=10, fit_intercept=False)[2][-1]
        tol = PEER_STOPS_AT / rough
        coefficients["fslib"] = fit_rfs(X, Y, gamma, max_iter=1000, tol=tol, fit_intercept=False)[0]

    def theirs():
        from skfeature.function.sparse_learning_based.RFS import rfs

        coefficients["scikit-feature"] = rfs(X, y, mode="raw", gamma=gamma)

    installed = find_spec("skfeature") is not None  # from PyPI: skfeature-chappers, a fork that runs on current Python
    peers = [Peer("scikit-feature RFS", theirs)] if installed else []
    with ThreadpoolController().limit(limits=1, user_api="blas"):
        work = Work("RFS, n=2000, d=1000, 20 classes", ours, None, peers)
        title = "RFS to the same objective, one thread each; target ratio 10"
        print_table(title, [work], repeats=repeats, with_peers=with_peers)
    for name, W in coefficients.items():
        value = np.linalg.norm(X @ W - Y, axis=1).sum() + gamma * np.linalg.norm(W, axis=1).sum()
        print(f"    objective of {name}: {value:.4f}")


def main(n_jobs, repeats, with_peers):
    """Print all tables of this paper."""
    show = partial(print_table, repeats=repeats, with_peers=with_peers)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the number of iterations is fixed on purpose
        show("RRMVFS, 20 iterations, one view", rrmvfs_sizes(n_jobs))
        show("All methods, n=144, d=1500 in 6 views, 12 classes", family(n_jobs))
    rfs_beside_peer(repeats, with_peers)
