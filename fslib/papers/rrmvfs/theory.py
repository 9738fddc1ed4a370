"""Paper "rrmvfs", section 2, on small cases: what the model selects, what view weights measure, and outliers."""

import warnings

import numpy as np
import pandas as pd
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score

from fslib.classes import one_versus_rest
from fslib.multiview import RFS, RRMVFS
from fslib.multiview.rrmvfs import fit_view
from fslib.multiview.ssmvfs import fit_ssmvfs
from fslib.papers.rrmvfs.protocol import nearest_labels, split_parts
from fslib.seeds import trial_seed

STEPS = 100
"""Iterations where the limit matters and not the paper's protocol."""


def make_views(n_per_class=20, seed=0):
    """Three classes seen in three views: two good columns of ten, one fair column of ten, and ten columns of noise.

    Parameters
    ----------
    n_per_class : int
    seed : int

    Returns
    -------
    X : array of shape (3 n_per_class, 30)
        Columns standardised.
    y : array of int, shape (3 n_per_class,)
    views : dict of str to slice
        ``good``, ``fair`` and ``noise``.
    relevant : list of int
        Columns that carry the class: 0 and 1 tell all classes apart, 10 only class 2 from the rest.

    Examples
    --------
    >>> X, y, views, relevant = make_views()
    >>> X.shape, list(views), relevant
    ((60, 30), ['good', 'fair', 'noise'], [0, 1, 10])
    """
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], n_per_class)
    X = rng.normal(size=(len(y), 30))
    X[:, 0] += 4 * np.array([-1, 0, 1])[y]
    X[:, 1] += 4 * np.array([0, 1, 0])[y]
    X[:, 10] += 2 * np.array([0, 0, 1])[y]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return X, y, {"good": slice(0, 10), "fair": slice(10, 20), "noise": slice(20, 30)}, [0, 1, 10]


def joint_objective(parameters, X, Y, views, gamma1, gamma2, smoothing):
    """Equation 2 for all views at once, and its gradient; every norm ``|z|`` is ``sqrt(|z|^2 + smoothing^2)``.

    Parameters
    ----------
    parameters : array of shape ((d + V) P,)
        W, then one intercept per view.
    X, Y : arrays of shape (n, d) and (n, P)
    views : list of slice or array of int
    gamma1, gamma2, smoothing : float

    Returns
    -------
    value : float
    gradient : array of shape ((d + V) P,)
    """
    W, b = np.split(parameters.reshape(-1, Y.shape[1]), [X.shape[1]])
    gradient_W, gradient_b, value = np.zeros_like(W), np.zeros_like(b), 0.0
    for v, view in enumerate(views):
        residual = X[:, view] @ W[view] + b[v] - Y
        norm = np.sqrt(np.sum(residual**2) + smoothing**2)
        classes = np.sqrt(np.sum(W[view] ** 2, axis=0) + smoothing**2)
        value += norm + gamma1 * classes.sum()
        gradient_W[view] += X[:, view].T @ residual / norm + gamma1 * W[view] / classes
        gradient_b[v] = residual.sum(axis=0) / norm
    rows = np.sqrt(np.sum(W**2, axis=1, keepdims=True) + smoothing**2)
    return value + gamma2 * rows.sum(), np.concatenate([gradient_W + gamma2 * W / rows, gradient_b]).ravel()


def joint_solution(X, y, views, gamma1, gamma2):
    """Minimise equation 2 over all views together: L-BFGS on the smoothed objective, ever less smoothed.

    Nothing here knows that the problem separates over views; the solver sees one vector of all unknowns.

    Returns
    -------
    W : array of shape (d, P)
    b : array of shape (V, P)

    Examples
    --------
    >>> X, y, views, _ = make_views()
    >>> W, b = joint_solution(X, y, list(views.values()), 0.1, 0.1)
    >>> W.shape, b.shape
    ((30, 3), (3, 3))
    """
    Y = one_versus_rest(y)
    parameters = np.zeros((X.shape[1] + len(views)) * Y.shape[1])
    for smoothing in 10.0 ** -np.arange(1, 8):
        problem = (X, Y, views, gamma1, gamma2, smoothing)
        options = {"maxiter": 5000, "maxfun": 10_000, "maxcor": 50, "ftol": 0.0, "gtol": 1e-9}
        parameters = minimize(joint_objective, parameters, problem, "L-BFGS-B", jac=True, options=options).x
    W, b = np.split(parameters.reshape(-1, Y.shape[1]), [X.shape[1]])
    return W, b


def two_samples(gamma1, gamma2):
    """Fit the smallest case: samples x = -1 and 1 of two classes, one view with one column; its coefficient.

    On (w, -w), the objective is ``2 (1 - w) + 2 gamma1 w + sqrt(2) gamma2 w`` for 0 <= w <= 1: a straight line.

    Examples
    --------
    >>> round(two_samples(0.5, 0.5), 3), round(two_samples(0.6, 0.6), 3)
    (1.0, 0.0)
    """
    X, Y = np.array([[-1.0], [1.0]]), np.array([[-1.0, 1.0], [1.0, -1.0]])
    W, *_ = fit_view(X, Y, gamma1, gamma2, max_iter=2000, tol=0)
    return float(abs(W[0, 0]))


def one_view(X, Y, gamma1, gamma2, n_steps):
    """Algorithm 1 for one view, written out: new weights, then one linear system per class.

    Examples
    --------
    >>> X, Y = np.array([[-1.0], [1.0]]), np.array([[-1.0, 1.0], [1.0, -1.0]])
    >>> one_view(X, Y, 0.5, 0.5, n_steps=200)[0].round(3)
    array([[ 1., -1.]])
    """
    n, d = X.shape
    H = np.eye(n) - 1 / n  # centres what it is multiplied with
    W = np.ones((d, Y.shape[1]))
    b = (Y - X @ W).mean(axis=0)
    for _ in range(n_steps):
        alpha = 1 / (2 * np.linalg.norm(X @ W + b - Y))  # Eq. 15
        class_weights = gamma1 / (2 * np.linalg.norm(W, axis=0))
        feature_weights = gamma2 / (2 * np.linalg.norm(W, axis=1))
        for p in range(Y.shape[1]):
            A = alpha * X.T @ H @ X + np.diag(class_weights[p] + feature_weights)
            W[:, p] = np.linalg.solve(A, alpha * X.T @ H @ Y[:, p])  # Eq. 14
        b = (Y - X @ W).mean(axis=0)  # Eq. 13
    return W, b


def published_bound(z, beta):
    """Term of Eqs. 18 to 20 as published: ``z - z^2 / (2 beta^2)``."""
    return z - z**2 / (2 * beta**2)


def corrected_bound(z, beta):
    """Term with the first power that the weights of Eq. 15 have: ``z - z^2 / (2 beta)``, largest at ``z = beta``."""
    return z - z**2 / (2 * beta)


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
