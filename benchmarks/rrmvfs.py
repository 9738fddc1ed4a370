"""Multi-view selection: the three sizes that bound the experiments, RFS beside scikit-feature, and what SMML costs."""

import warnings
from functools import partial

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from benchmarks.timing import Peer, Work, print_table
from fslib.multiview import DSMLFS, RRMVFS, SMML, SSMVFS, WMCFS
from fslib.multiview._base import one_versus_rest
from fslib.multiview.rfs import fit_rfs

SIZES = [(144, 500, 12), (1000, 649, 10), (144, 20000, 12)]
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
    for n, d, n_classes in SIZES:
        X, y = make_views(n, d, n_classes)
        run = partial(RRMVFS(max_iter=20, tol=-1.0, n_jobs=n_jobs).fit, X, y)
        works.append(Work(f"n={n}, d={d}, {n_classes} classes", run))
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


def rfs_beside_peer(with_peers, gamma=1.0):
    """Both minimise the same objective without intercept, by the same iterates, and stop by the same rule."""
    X, y = make_views(2000, 1000, 20)
    Y = one_versus_rest(y)
    fit = partial(fit_rfs, X, Y, gamma, max_iter=1000, fit_intercept=False)
    objectives = fit(tol=PEER_STOPS_AT / fit(tol=1e-6)[2][-1])[2]
    run = partial(fit, tol=PEER_STOPS_AT / objectives[-1])
    peers = []
    if with_peers:
        from skfeature.function.sparse_learning_based.RFS import rfs

        W = rfs(X, y, mode="raw", gamma=gamma)
        theirs = np.linalg.norm(X @ W - Y, axis=1).sum() + gamma * np.linalg.norm(W, axis=1).sum()
        note = f"objective {theirs:.4f}, ours {objectives[-1]:.4f} in {len(objectives)} iterations"
        peers.append(Peer("scikit-feature RFS", partial(rfs, X, y, mode="raw", gamma=gamma), note))
    return [Work("RFS, n=2000, d=1000, 20 classes", run, None, peers)]


def main(n_jobs, repeats, with_peers):
    """Print all tables of this paper."""
    show = partial(print_table, repeats=repeats, with_peers=with_peers)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the number of iterations is fixed on purpose
        show("RRMVFS, 20 iterations, one view", rrmvfs_sizes(n_jobs))
        show("All methods, n=144, d=1500 in 6 views, 12 classes", family(n_jobs))
    show("RFS to the same objective", rfs_beside_peer(with_peers))
