"""Thesis "braytee", chapter 4: gene expression data as both sections use them, and what controls rank genes by."""

from functools import lru_cache

import numpy as np

from fslib.datasets import load, unavailable_reason
from fslib.datasets.generated import make_expression_like
from fslib.seeds import trial_seed

SIMULATED = "simulated"
"""Expression levels with planted modules, :func:`fslib.datasets.make_expression_like`; no data set of the thesis."""

STAND_INS = {SIMULATED: "Simulated modules", "golub_train": "ALL/AML (38 samples)"}
"""Data that ship with the repository. No published number is theirs, and no claim is judged on them."""

CONTROLS = ("random features", "mean expression", "connectivity", "shuffled labels")
"""Rankings that do not use the classes, and one that learned from permuted labels."""


@lru_cache(maxsize=2)
def load_expression(name, n_genes=None, seed=0):
    """Levels and classes, the smaller class as 1; a random choice of the genes if there are more than ``n_genes``.

    Parameters
    ----------
    name : str
        Of :mod:`fslib.datasets`, or :data:`SIMULATED`.
    n_genes : int, optional
        The choice depends on nothing but the seed and the name.
    seed : int

    Returns
    -------
    X : array of shape (n, d), read-only
    y : array of {0, 1}, shape (n,)
    genes : array of str, shape (d,)
        Numbers where the data have no names.

    Examples
    --------
    >>> X, y, genes = load_expression("simulated", 500)
    >>> X.shape, np.bincount(y)
    ((60, 500), array([39, 21]))
    """
    data = make_expression_like(random_state=seed) if name == SIMULATED else load(name)
    X, y = np.asarray(data.X, dtype=float), np.asarray(data.y).astype(int)
    if np.bincount(y)[1] > np.bincount(y)[0]:
        y = 1 - y
    names = getattr(data, "feature_names", None)
    genes = np.arange(X.shape[1]).astype(str) if names is None else np.asarray(names)
    if n_genes is not None and n_genes < X.shape[1]:
        kept = np.random.default_rng(trial_seed(seed, name, "genes")).choice(X.shape[1], n_genes, replace=False)
        X, genes = X[:, np.sort(kept)], genes[np.sort(kept)]
    X = X.copy()
    X.flags.writeable = False  # the cache hands out one copy
    return X, y, genes


def reason_not_to_run(name):
    """Say why a data set cannot be run; empty if it can."""
    return "" if name == SIMULATED else unavailable_reason(name)


def test_part(y, *, dataset, split, seed=0):
    """Training and test rows: of each class, a quarter of its rows is tested, rounded up.

    Parameters
    ----------
    y : array of int, shape (n,)
    dataset : str
    split : int
    seed : int

    Returns
    -------
    train, test : arrays of int
        Ascending.

    Examples
    --------
    >>> y = np.repeat([0, 1], [47, 25])                                 # ALL/AML
    >>> train, test = test_part(y, dataset="golub", split=0)
    >>> np.bincount(y[test])
    array([12,  7])
    """
    rng = np.random.default_rng(trial_seed(seed, dataset, "test part", split))
    groups = [rng.permutation(np.flatnonzero(y == c)) for c in np.unique(y)]
    sizes = [-(-len(group) // 4) for group in groups]
    test = np.concatenate([group[:size] for group, size in zip(groups, sizes, strict=True)])
    return np.setdiff1d(np.arange(len(y)), test), np.sort(test)


test_part.__test__ = False  # not a test, whatever its name says to pytest


def standardise(X_train, *others):
    """Z-scores by the mean and spread of the training rows; what does not vary among them becomes 0.

    Examples
    --------
    >>> standardise(np.array([[1.0, 5.0], [3.0, 5.0]]), np.array([[4.0, 6.0]]))
    [array([[-1.,  0.],
           [ 1.,  0.]]), array([[2., 0.]])]
    """
    varies = X_train.min(axis=0) < X_train.max(axis=0)
    mean, std = X_train.mean(axis=0), np.where(varies, X_train.std(axis=0), 1.0)
    return [np.where(varies, (X - mean) / std, 0.0) for X in (X_train, *others)]


def connectivity(X):
    """Sum of the absolute correlations of each feature with all features, in O(n d) memory beside a block.

    Examples
    --------
    >>> connectivity(np.array([[0.0, 0.0, 1.0], [1.0, 2.0, 0.0], [2.0, 4.0, 1.0]])).round(6)
    array([2., 2., 1.])
    """
    Z = standardise(X)[0]
    Z /= np.sqrt(len(Z))
    blocks = np.array_split(np.arange(Z.shape[1]), max(1, Z.shape[1] // 1000))
    return np.concatenate([np.abs(Z[:, block].T @ Z).sum(axis=1) for block in blocks])


def control_order(control, X, rng):
    """Order of the features by a control that does not look at classes.

    Parameters
    ----------
    control : {"random features", "mean expression", "connectivity"}
    X : array of shape (n, d)
        Training rows, as they come.
    rng : Generator

    Returns
    -------
    array of int, shape (d,)
        Best first.
    """
    if control == "random features":
        return rng.permutation(X.shape[1])
    values = X.mean(axis=0) if control == "mean expression" else connectivity(X)
    return np.argsort(-values, kind="stable")
