"""Paper "rrmvfs", section 2, on small cases: what its loss and view weights make of outliers and noisy views."""

import warnings

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score

from fslib.classes import one_versus_rest
from fslib.multiview import RFS, RRMVFS
from fslib.multiview.ssmvfs import fit_ssmvfs
from fslib.papers.rrmvfs.protocol import nearest_labels, split_parts
from fslib.papers.rrmvfs.theory import STEPS
from fslib.seeds import trial_seed


def squared_loss_twin(X, y, views, gamma1, gamma2, sizes=None):
    """Coefficients of the same model with a squared loss: per view, penalties times twice the residual norm.

    Parameters
    ----------
    X, y : arrays of shape (n, d) and (n,)
    views : list of array of int
    gamma1, gamma2 : float
        Penalties of RRMVFS.
    sizes : array of shape (V,), optional
        Residual norms ``||R_v||_F``; by default those of RRMVFS fitted to the same data, where the two agree.

    Returns
    -------
    array of shape (d, P)
    """
    Y = one_versus_rest(y)
    sizes = residual_norms(X, y, views, gamma1, gamma2) if sizes is None else sizes
    W = np.zeros((X.shape[1], Y.shape[1]))
    for view, size in zip(views, sizes, strict=True):
        one = [np.arange(len(view))]
        penalties = (2 * size * gamma1, 2 * size * gamma2)
        W[view] = fit_ssmvfs(X[:, view], Y, one, *penalties, max_iter=STEPS, tol=1e-10)[0]
    return W


def residual_norms(X, y, views, gamma1, gamma2):
    """Norms ``||R_v||_F`` of RRMVFS, one per view."""
    return 0.5 / _rrmvfs(X, y, views, gamma1, gamma2).view_weights_


def _rrmvfs(X, y, views, gamma1, gamma2):
    columns = np.concatenate(views)
    if len(columns) != X.shape[1] or not (np.sort(columns) == np.arange(X.shape[1])).all():
        raise ValueError("views must hold every column of X once; cut X to the columns of the views first.")
    with warnings.catch_warnings():  # the objective has settled long before this tolerance
        warnings.simplefilter("ignore", ConvergenceWarning)
        return RRMVFS(views, gamma1=gamma1, gamma2=gamma2, max_iter=STEPS, tol=1e-10).fit(X, y)


def outlier_drops(kind, *, share=0.15, gamma=1.0, n_repeats=10, seed=0, train_per_class=12):
    """How much selections lose on mfeat when part of the training samples is corrupted before selecting.

    The neighbours and their labels stay clean, so that only the selection can lose accuracy. The squared loss gets
    the penalties at which it equals RRMVFS on the clean samples.

    Parameters
    ----------
    kind : {"labels", "values"}
        Give the samples another class, or add noise five times as wide as the columns.
    share : float
        Part of the samples that is corrupted.
    gamma : float
        Both penalties of RRMVFS, large enough that no view interpolates; also that of RFS, which weighs samples one by
        one.
    n_repeats, seed, train_per_class : int

    Returns
    -------
    DataFrame
        method, repeat, clean, corrupted (test accuracy of 1NN on the best tenth of the columns), drop.
    """
    rows = []
    for repeat in range(n_repeats):
        ((X, y), _, (X_test, y_test)), views = split_parts("mfeat", train_per_class, repeat, seed)
        views = list(views.values())
        X_corrupted, y_corrupted = _corrupt(
            X, y, kind, share, np.random.default_rng(trial_seed(seed, "outliers", kind, repeat))
        )
        sizes = residual_norms(X, y, views, gamma, gamma)
        fits = {
            "RRMVFS": lambda X, y, views=views: _rrmvfs(X, y, views, gamma, gamma).scores_,
            "squared loss": lambda X, y, views=views, sizes=sizes: np.linalg.norm(
                squared_loss_twin(X, y, views, gamma, gamma, sizes), axis=1
            ),
            "RFS": lambda X, y: RFS(gamma=gamma, max_iter=10 * STEPS).fit(X, y).scores_,
        }
        for method, scores in fits.items():
            clean, corrupted = (
                accuracy_score(y_test, nearest_labels(X, y, X_test, np.argsort(-s, kind="stable"), [len(s) // 10])[0])
                for s in (scores(X, y), scores(X_corrupted, y_corrupted))
            )
            rows.append(
                {"method": method, "repeat": repeat, "clean": clean, "corrupted": corrupted, "drop": clean - corrupted}
            )
    return pd.DataFrame(rows)


def _corrupt(X, y, kind, share, rng):
    chosen = rng.permutation(len(X))[: round(share * len(X))]
    X, y = X.copy(), y.copy()
    if kind == "labels":
        y[chosen] = (y[chosen] + rng.integers(1, y.max() + 1, len(chosen))) % (y.max() + 1)
    else:
        X[chosen] += 5 * rng.normal(size=(len(chosen), X.shape[1]))
    return X, y


def noise_view_weights(replaced, gammas, *, n_repeats=10, seed=0, train_per_class=12):
    """View weights on mfeat after one view was replaced by noise.

    Parameters
    ----------
    replaced : str
        Name of the view.
    gammas : list of float
        Values of both penalties at once.
    n_repeats, seed, train_per_class : int

    Returns
    -------
    DataFrame
        replaced, gamma, repeat, view, weight, rank (1 = smallest weight).
    """
    rows = []
    for repeat in range(n_repeats):
        ((X, y), *_), views = split_parts("mfeat", train_per_class, repeat, seed)
        noisy = X.copy()
        noisy[:, views[replaced]] = np.random.default_rng(trial_seed(seed, "noise view", replaced, repeat)).normal(
            size=(len(X), len(views[replaced]))
        )
        for gamma in gammas:
            weights = pd.Series(_rrmvfs(noisy, y, list(views.values()), gamma, gamma).view_weights_, index=list(views))
            rows += [
                {"replaced": replaced, "gamma": gamma, "repeat": repeat, "view": view, "weight": weight, "rank": rank}
                for view, weight, rank in zip(weights.index, weights, weights.rank(), strict=True)
            ]
    return pd.DataFrame(rows)


def sample_weights(X, y, wrong, gamma=5.0):
    """Weights that RFS and RRMVFS give to the samples of the toy, one of which has a wrong label.

    Parameters
    ----------
    X, y : arrays of shape (n, d) and (n,)
    wrong : int
        Row whose class is changed.
    gamma : float
        Penalty of RFS.

    Returns
    -------
    DataFrame
        Methods as rows; weight of the outlier and smallest weight of the others, both relative to the median.
    """
    corrupted = y.copy()
    corrupted[wrong] = (y[wrong] + 1) % (y.max() + 1)
    rfs = RFS(gamma=gamma, max_iter=10 * STEPS).fit(X, corrupted)
    residuals = np.linalg.norm(X @ rfs.coef_.T + rfs.intercept_ - one_versus_rest(corrupted), axis=1)
    weights = {"RFS": 0.5 / residuals, "RRMVFS": np.ones(len(X))}  # one weight serves all samples of a view
    rows = {name: (w[wrong], np.delete(w, wrong).min()) / np.median(w) for name, w in weights.items()}
    return pd.DataFrame(rows, index=["outlier", "smallest other"]).T.round(3)
