"""Section 3.2: BSNMF written out, what its scores measure, and what the permutation tests say."""

import warnings

import numpy as np
import pandas as pd
from sklearn.preprocessing import MinMaxScaler

from fslib.filters.permutation import false_discovery_rates, permutation_test
from fslib.imbalance import BSNMF
from fslib.imbalance.permutation import loading_pvalues, published_pvalue


def multiplicative_bsnmf(X, y, *, k=2, n_steps=30, seed=0):
    """Equations 3.2.11 to 3.2.13 in one layout: classes as matrices of genes by samples.

    Parameters
    ----------
    X : array of shape (n, d)
        Nonnegative.
    y : array of {0, 1}, shape (n,)
    k, n_steps, seed : int

    Returns
    -------
    U : array of shape (d, k)
    objective : array of shape (n_steps,)

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> U, objective = multiplicative_bsnmf(rng.random((20, 6)), np.arange(20) < 5)
    >>> bool((np.diff(objective) <= 1e-12).all())
    True
    """
    rng = np.random.default_rng(seed)
    A = [X[np.asarray(y) == c].T for c in (0, 1)]
    sigma = [len(X) / a.shape[1] for a in A]
    U, V = 1 - rng.random((X.shape[1], k)), [1 - rng.random((a.shape[1], k)) for a in A]
    objective = []
    for _ in range(n_steps):
        up = sum(s * a @ v for s, a, v in zip(sigma, A, V, strict=True))
        U = U * up / sum(s * U @ v.T @ v for s, v in zip(sigma, V, strict=True))
        V = [v * (a.T @ U) / (v @ U.T @ U) for a, v in zip(A, V, strict=True)]
        objective.append(sum(s * np.sum((a - U @ v.T) ** 2) for s, a, v in zip(sigma, A, V, strict=True)))
    return U, np.array(objective)


def library_objective(X, y, *, k=2, n_steps=30, seed=0):
    """Objective of the library's published reading after each of so many iterations, without a stopping rule."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = BSNMF(n_components=k, reading="published", max_iter=n_steps, tol=0.0, random_state=seed).fit(X, y)
    return model.objective_


def score_against_mean(X, y, *, k=2, n_top=50, seed=0):
    """How many of the genes that BSNMF ranks first are those with the largest mean, and how many stay if one is scaled.

    Parameters
    ----------
    X : array of shape (n, d)
    y : array of {0, 1}, shape (n,)
    k, n_top, seed : int

    Returns
    -------
    dict of str to int

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> score_against_mean(rng.random((40, 30)), np.arange(40) < 10, n_top=5)["genes"]
    5
    """
    Z = MinMaxScaler().fit_transform(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        top, other = (
            set(BSNMF(n_components=k, random_state=s).fit(Z, y).ranking_[:n_top].tolist()) for s in (seed, seed + 1)
        )
    largest = set(np.argsort(-Z.mean(axis=0), kind="stable")[:n_top].tolist())
    return {"genes": n_top, "also largest by mean": len(top & largest), "the same from another start": len(top & other)}


def permutation_summary(X, y, informative, *, k=2, n_shuffles=1000, n_label_shuffles=39, level=0.05, seed=0):
    """What three permutation tests find on data whose informative genes are known.

    Parameters
    ----------
    X : array of shape (n, d)
    y : array of {0, 1}, shape (n,)
    informative : array of bool, shape (d,)
    k, n_shuffles, n_label_shuffles : int
    level : float
    seed : int

    Returns
    -------
    DataFrame
        Rows: the thesis's number, shuffled loadings, shuffled labels. Columns: single p of the thesis; genes below the
        level, how many of them are informative, genes with a false discovery rate below it.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> summary = permutation_summary(rng.random((20, 30)), np.arange(20) < 5, np.arange(30) < 3, n_label_shuffles=9)
    >>> summary.shape
    (3, 4)
    """
    Z = MinMaxScaler().fit_transform(X)
    selector = BSNMF(n_components=k, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        U = selector.fit(Z, y).components_.T
        by_labels = permutation_test(selector, Z, y, n_permutations=n_label_shuffles, random_state=seed).p_values
    rows = {"the thesis, one number": {"p": published_pvalue(U, n_shuffles, random_state=seed)}}
    by_loadings = loading_pvalues(U, n_shuffles, random_state=seed)
    for name, p in {"shuffled loadings, per gene": by_loadings, "shuffled labels, per gene": by_labels}.items():
        below = p <= level
        rows[name] = {"genes below": below.sum(), "of them informative": (below & informative).sum()}
        rows[name]["false discovery rate below"] = (false_discovery_rates(p) <= level).sum()
    columns = ["p", "genes below", "of them informative", "false discovery rate below"]
    return pd.DataFrame(rows).T.reindex(columns=columns)
