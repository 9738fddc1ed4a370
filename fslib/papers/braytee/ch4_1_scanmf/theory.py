"""Section 4.1 on small examples: the updates of SCANMF written out, and the tests of its tables recomputed."""

import numpy as np
import pandas as pd
from scipy import stats

from fslib.correlated import SCANMF

EPS = 1e-12


def scanmf(X, y, k, alpha, beta, n_steps, seed):
    """SCANMF of non-negative X (n, d) by multiplicative updates, transposes repaired: U (d, k) and the objectives."""
    rng = np.random.default_rng(seed)
    A, classes = np.abs(np.corrcoef(X.T)), [y == 0, y == 1]
    sigma = [len(y) / rows.sum() for rows in classes]
    V = [1 - rng.random((rows.sum(), k)) for rows in classes]
    T, U = 1 - rng.random((X.shape[1], k)), 1 - rng.random((X.shape[1], k))
    D, objective = np.ones((X.shape[1], 1)), []
    for _ in range(n_steps):
        for c, rows in enumerate(classes):
            V[c] *= X[rows] @ U / (V[c] @ (U.T @ U) + EPS)
        T *= A @ U / (T @ (U.T @ U) + EPS)
        numerator, gram = alpha * A @ T, alpha * T.T @ T
        for c, rows in enumerate(classes):
            numerator, gram = numerator + sigma[c] * X[rows].T @ V[c], gram + sigma[c] * V[c].T @ V[c]
        U *= numerator / (U @ gram + beta * D * U + EPS)
        norms = np.linalg.norm(U, axis=1, keepdims=True)
        D = 1 / (2 * norms + EPS)
        misfit = sum(s * np.sum((X[rows].T - U @ v.T) ** 2) for s, rows, v in zip(sigma, classes, V, strict=True))
        objective.append(misfit + alpha * np.sum((A - U @ T.T) ** 2) + beta * norms.sum())
    return U, np.array(objective)


def planted(seed=0):
    """40 samples and 60 non-negative features; the first 12 rise and fall together."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], [28, 12])
    X = rng.random((40, 60))
    X[:, :12] += rng.random((40, 1))
    return X, y


def compare_with_library(n_steps=50, seed=0):
    """Largest relative differences between the library's published reading and the code above.

    Returns
    -------
    dict
        ``objective``, ``norms of the rows of U``; the library keeps the network in single precision.
    """
    X, y = planted()
    U, objective = scanmf(X, y, 2, 0.4, 0.5, n_steps, seed)
    library = SCANMF(alpha=0.4, beta=0.5, reading="published", max_iter=n_steps, random_state=seed).fit(X, y)
    norms = np.linalg.norm(U, axis=1)
    return {
        "objective": float(np.abs(library.objective_ / objective - 1).max()),
        "norms of the rows of U": float(np.abs(library.scores_ / norms - 1).max()),
    }


def scale_free_penalty(factors=(1.0, 0.5, 0.1, 0.01)):
    """The l2,1 term has no effect: U t with V / t, T / t fits equally well while the penalty shrinks by t.

    Returns
    -------
    DataFrame
        t, misfit (samples and network), penalty.
    """
    X, y = planted()
    U, _ = scanmf(X, y, 2, 0.4, 0.5, 50, 0)
    V = np.linalg.lstsq(U, X.T, rcond=None)[0]
    lines = [(t, np.sum((X.T - (t * U) @ (V / t)) ** 2), np.linalg.norm(t * U, axis=1).sum()) for t in factors]
    return pd.DataFrame(lines, columns=["t", "misfit", "penalty"])


def t_tests(published):
    """p-values of SCANMF against each method over the published data set means, unpaired and paired, two-sided.

    Parameters
    ----------
    published : DataFrame
        ``read_reported`` of Table 4.2, 4.3 or 4.4.

    Returns
    -------
    DataFrame
        method, published, unpaired (equal variances), paired.
    """
    values = published[published["metric"] == "auc"]
    wide = values.assign(value=values["value"].astype(float)).pivot(index="dataset", columns="method", values="value")
    stated = published[published["metric"] == "p_value"].set_index("method")["value"].astype(float)
    lines = []
    for method in stated.index:
        a, b = wide["SCANMF"], wide[method]
        p = {"unpaired": stats.ttest_ind(a, b).pvalue, "paired": stats.ttest_rel(a, b).pvalue}
        lines.append({"method": method, "published": stated[method]} | p)
    return pd.DataFrame(lines)
