"""Paper "mlmlfs", section 4: a toy with known answers, the published update formulas, distances to the optimum."""

import warnings

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Bunch

from fslib.multilabel import MLMLFS
from fslib.multilabel.graph import knn_laplacian
from fslib.multilabel.mlmlfs_solver import EPS, objective, solve_by_continuation
from fslib.solvers.manifold_ridge import ManifoldRidge
from fslib.solvers.norms import L2p, row_squares


def make_toy(n=60, d=8, *, missing=0.4, noise=0.3, seed=0):
    """Three labels, each the sign of one column plus noise; the other columns are noise.

    Parameters
    ----------
    n, d : int
        Samples and features, d >= 3.
    missing : float
        Share of the labels hidden, cells at random.
    noise : float
        Standard deviation of what is added to a feature before the sign is taken.
    seed : int

    Returns
    -------
    Bunch
        ``X`` (n, d); ``complete`` (n, 3), 0 or 1; ``y``, the same with NaN where hidden; ``right``, the features behind
        labels 0, 1, 2.

    Examples
    --------
    >>> toy = make_toy()
    >>> toy.right, float(np.isnan(toy.y).mean().round(2))
    ([5, 1, 3], 0.4)
    """
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    right = [d - 3, 1, d // 2 - 1]
    complete = (X[:, right] + noise * rng.normal(size=(n, 3)) > 0).astype(float)
    return Bunch(X=X, complete=complete, y=np.where(rng.random((n, 3)) < missing, np.nan, complete), right=right)


def equation_9(X, F, laplacian, g, h, alpha, lam):
    """W of equation 9 with ``H - 1`` read as ``H - I``, which minimises, and Y as the current F.

    Parameters
    ----------
    X : array of shape (n, d)
    F : array of shape (n, c)
    laplacian : array of shape (n, n)
    g, h : arrays of shape (n,) and (d,)
        Diagonals of G0 and G1.
    alpha, lam : float

    Returns
    -------
    array of shape (d, c)

    Examples
    --------
    >>> X, F = np.array([[1.0], [-1.0]]), np.array([[1.0], [-1.0]])
    >>> equation_9(X, F, np.zeros((2, 2)), np.ones(2), np.ones(1), 0.0, 2.0)     # x'f / (x'x + lam)
    array([[0.5]])
    """
    K, right = _parts(X, F, laplacian, g, alpha)
    return np.linalg.solve(K @ (np.diag(g) + alpha * laplacian) @ K.T + lam * np.diag(h), K @ right)


def equation_11(X, F, laplacian, g, h, alpha, lam):
    """W of equation 11 under the same reading, an n x n system instead of d x d; parameters as :func:`equation_9`.

    Examples
    --------
    >>> X, F = np.array([[1.0], [-1.0]]), np.array([[1.0], [-1.0]])
    >>> equation_11(X, F, np.zeros((2, 2)), np.ones(2), np.ones(1), 0.0, 2.0)
    array([[0.5]])
    """
    K, right = _parts(X, F, laplacian, g, alpha)
    scaled = K / h[:, None]
    inner = lam * np.eye(len(g)) + (np.diag(g) + alpha * laplacian) @ K.T @ scaled
    return scaled @ np.linalg.solve(inner, right)


def _parts(X, F, laplacian, g, alpha):
    centring = (
        np.eye(len(g)) - np.outer(np.ones(len(g)), g) / g.sum()
    )  # H, which is N too as the Laplacian's rows add to 0
    right = (np.diag(g) @ centring + alpha * laplacian @ (centring - np.eye(len(g)))) @ F
    return (centring @ X).T, right


def descent_of_w(X, y, *, p, alpha, lam, n_steps, smoothing=1e-8, move_b=False):
    """Objective along the W steps of Algorithm 1, with H - I and fixed labels F.

    Parameters
    ----------
    X : array of shape (n, d)
    y : array of {0, 1}, shape (n, c)
        Complete labels; b is their mean.
    p, alpha, lam : float
    n_steps : int
    smoothing : float
        Norms are ``sqrt(|z|^2 + smoothing^2)``, in the objective and in the weights alike.
    move_b : bool
        Let b follow W by Eq. 5, as Algorithm 1 does. Theorem 2 has it fixed.

    Returns
    -------
    array of shape (n_steps,)

    Examples
    --------
    >>> toy = make_toy(missing=0.0)
    >>> values = descent_of_w(toy.X, toy.complete, p=1.0, alpha=0.01, lam=1.0, n_steps=5)
    >>> bool((np.diff(values) < 0).all())
    True
    """
    X = X - X.mean(axis=0)
    F = 2 * y - 1
    b, laplacian = F.mean(axis=0), knn_laplacian(X, 5).toarray()
    graph = alpha * X.T @ laplacian @ X
    W, values = np.linalg.solve(X.T @ X + graph + lam * np.eye(X.shape[1]), X.T @ (F - b)), []
    for _ in range(n_steps):
        residuals, rows = (np.sqrt(row_squares(z) + smoothing**2) for z in (X @ W + b - F, W))
        values.append(residuals.sum() + np.sum(W * (graph @ W)) + lam * np.sum(rows**p))
        g, h = 1 / (2 * residuals), p / (2 * rows ** (2 - p))
        root = 1 / np.sqrt(h)  # W = root * V: the weights of vanishing rows grow without limit, their roots vanish
        mean, centre = (g @ X / g.sum(), g @ F / g.sum()) if move_b else (0.0, b)  # of the weighted rows
        A = ((X - mean).T @ (g[:, None] * (X - mean)) + graph) * np.outer(root, root) + lam * np.eye(X.shape[1])
        W = root[:, None] * np.linalg.solve(A, root[:, None] * ((X - mean).T @ (g[:, None] * (F - centre))))
        b = centre - mean @ W if move_b else b
    return np.array(values)


def published_loop(X, y, *, alpha, lam, p, start, n_steps=20):
    """Coefficients, intercepts and labels of the loop that the paper's numbers come from, written out.

    Parameters
    ----------
    X : array of shape (n, d)
    y : array of shape (n, c)
        0, 1 or NaN for unknown.
    alpha, lam, p : float
    start : int
        Seed of the uniform random start.
    n_steps : int

    Returns
    -------
    W, b, F : arrays of shape (d, c), (c,) and (n, c)

    Examples
    --------
    >>> toy = make_toy()
    >>> W, b, F = published_loop(toy.X, toy.y, alpha=0.01, lam=3.0, p=1.0, start=0)
    >>> sorted(np.argsort(np.linalg.norm(W, axis=1))[-3:].tolist())
    [1, 3, 5]
    """
    (n, d), c, rng = X.shape, y.shape[1], np.random.RandomState(start)
    F, unknown, L = np.nan_to_num(2 * y - 1), np.isnan(y), knn_laplacian(X, 5, bandwidth="pairs").toarray()
    W, b, g1 = rng.uniform(size=(d, c)), rng.uniform(size=c), np.ones(d)
    g0 = 0.5 / np.sqrt(row_squares(X @ W + b - F) + EPS)
    for _ in range(n_steps):
        H = np.eye(n) - np.outer(np.ones(n), g0) / g0.sum()  # N as well, since L 1 = 0
        K, G0 = X.T @ H.T, np.diag(g0)
        right = K @ (G0 @ H + alpha * L @ (H - 1)) @ F  # numpy takes the number 1 off every entry
        W = np.linalg.solve(K @ (G0 + alpha * L) @ K.T + lam * np.diag(g1), right)  # mlmlfs Eq. 9
        g0 = 0.5 / np.sqrt(row_squares(X @ W + b - F) + EPS)  # new W, old b, old F
        b = (F.T @ g0 - W.T @ X.T @ g0) / g0.sum()  # mlmlfs Eq. 5
        g1 = (p / 2) / (row_squares(W) + EPS) ** (1 - p / 2)  # mlmlfs Eq. 7
        F = np.where(unknown, np.clip(X @ W + b, -1, 1), F)  # mlmlfs Eq. 13
    return W, b, F


def objective_of(model, X):
    """Objective of equation 2 at a fitted MLMLFS, nothing smoothed.

    Parameters
    ----------
    model : fitted MLMLFS
    X : array of shape (n, d)
        What it was fitted to.

    Returns
    -------
    float

    Examples
    --------
    >>> toy = make_toy()
    >>> model = MLMLFS(alpha=0.01, max_iter=60, tol=0).fit(toy.X, toy.y)
    >>> bool(0 < objective_of(model, toy.X) < model.objective_[0])
    True
    """
    P = model.decision_function(X)
    bandwidth = "pairs" if model.reading == "published" else "neighbors"
    graph = np.sum(P * (knn_laplacian(X - X.mean(axis=0), model.n_neighbors, bandwidth=bandwidth) @ P))
    loss = np.sqrt(row_squares(P - model.label_matrix_)).sum()
    return float(loss + model.alpha * graph + model.lam * L2p(model.p).value(model.coef_))


def distances_to_optimum(X, y, *, alpha=0.01, lam=1.0, iterations=(10, 30, 100), optimum_iter=300):
    """How far above the optimum the published loop and the continuation stop, for p = 1 where the problem is convex.

    Each has its own graph, and so an optimum of its own.

    Parameters
    ----------
    X : array of shape (n, d)
    y : array of shape (n, c)
    alpha, lam : float
    iterations : sequence of int
        Numbers of outer iterations to stop at.
    optimum_iter : int
        Iterations of the run taken as the optimum: continuation with 30 completions each. It ends within a thousandth
        of the value of an independent convex solver, see the tests.

    Returns
    -------
    DataFrame
        Rows: iterations. Columns: "published loop" and "continuation". Values: (J - J*) / J*.
    """
    F0, laplacian = np.nan_to_num(2 * y - 1), knn_laplacian(X - X.mean(axis=0), bandwidth="pairs")

    def value(**options):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # stopping early is the point
            return objective_of(MLMLFS(alpha=alpha, lam=lam, p=1.0, tol=0, **options).fit(X, y), X)

    ridge = ManifoldRidge(X - X.mean(axis=0), laplacian, alpha, lam)
    options = {"max_iter": optimum_iter, "inner_iter": 30, "tol": 0}
    best = solve_by_continuation(ridge, F0, np.isnan(y), np.ones(X.shape[1]), 1.0, **options)
    P = ridge.X @ best.W + best.b
    optimum = {"published": objective(ridge, best.W, P, best.F, 1.0)}
    optimum["corrected"] = value(max_iter=optimum_iter, inner_iter=30)
    readings = {"published loop": "published", "continuation": "corrected"}
    gaps = {
        name: [value(max_iter=n, reading=reading, random_state=0) / optimum[reading] - 1 for n in iterations]
        for name, reading in readings.items()
    }
    return pd.DataFrame(gaps, index=pd.Index(iterations, name="iterations"))
