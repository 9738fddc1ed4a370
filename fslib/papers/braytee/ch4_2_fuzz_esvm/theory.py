"""Section 4.2 on small examples: ESVM-RFE written out, bags with labels of their own, the two phases of Fuzz-ESVM."""

import numpy as np
from sklearn.svm import SVC

from fslib.correlated import ESVMRFE, FuzzESVM
from fslib.datasets.generated import make_expression_like


def esvm_rfe(X, y, k, n_models, drop, seed, same_rows=True):
    """ESVM-RFE of standardised data, by Algorithm 5 with its errors repaired: the k survivors, best first.

    With ``same_rows=False`` the rows of a bag and their labels are drawn by two calls, as published.
    """
    rng = np.random.RandomState(seed)
    classes = [np.flatnonzero(y == c) for c in (0, 1)]
    n_min = min(len(rows) for rows in classes)
    left = np.arange(X.shape[1])
    while True:
        total = np.zeros(len(left))
        for _ in range(n_models):
            bag = np.concatenate([rng.choice(rows, n_min) for rows in classes])
            labels = y[bag] if same_rows else rng.choice(y, len(bag))
            total += SVC(kernel="linear").fit(X[np.ix_(bag, left)], labels).coef_[0] ** 2
        left = left[np.argsort(-total, kind="stable")]
        if len(left) == k:
            return left
        left = np.sort(left[: max(k, len(left) - max(1, int(len(left) * drop)))])


def planted(n_features=300, seed=0):
    """Expression levels with four modules, of which one is informative; standardised.

    Returns
    -------
    X : array of shape (60, n_features)
    y : array of shape (60,)
    informative : array of bool, shape (n_features,)
    """
    data = make_expression_like(
        60, n_features, n_modules=4, n_informative_modules=1, n_informative_alone=10, effect=1.5, random_state=seed
    )
    return (data.X - data.X.mean(axis=0)) / data.X.std(axis=0), data.y, data.informative


def compare_with_library(k=20, n_models=10, drop=0.2, seed=0):
    """Share of the survivors that the library and the code above have in common, and of informative features.

    Returns
    -------
    dict
        ``common`` (1 if all); ``informative`` of the library, of the code above, and with labels drawn apart.
    """
    X, y, informative = planted()
    ours = ESVMRFE(n_models=n_models, drop=drop, scale=False, n_features_to_select=k, random_state=seed).fit(X, y)
    written_out = esvm_rfe(X, y, k, n_models, drop, seed)
    apart = esvm_rfe(X, y, k, n_models, drop, seed, same_rows=False)
    library = ours.ranking_[:k]
    return {
        "common": len(np.intersect1d(library, written_out)) / k,
        "informative, library": float(informative[library].mean()),
        "informative, written out": float(informative[written_out].mean()),
        "informative, labels drawn apart": float(informative[apart].mean()),
        "informative, all features": float(informative.mean()),
    }


def phases(selector, sizes_at_least):
    """What a fitted Fuzz-ESVM did: survivors of every module in the pool, and whether the choice comes from the pool.

    Returns
    -------
    dict
        ``survivors``: module -> features in the pool. ``every module contributes``, ``choice within pool``: bool.
    """
    survivors = {
        int(m): int(np.isin(np.flatnonzero(selector.labels_ == m), selector.pool_).sum())
        for m in np.unique(selector.labels_)
    }
    chosen = selector.get_support(indices=True)
    large = [m for m in survivors if (selector.labels_ == m).sum() >= sizes_at_least]
    return {
        "survivors": survivors,
        "every module contributes": all(survivors[m] >= sizes_at_least for m in large),
        "choice within pool": bool(np.isin(chosen, selector.pool_).all()),
    }


def fitted_fuzz_esvm(k=20, seed=0):
    """Fuzz-ESVM on :func:`planted` data."""
    X, y, _ = planted()
    return FuzzESVM(n_models=10, n_features_to_select=k, random_state=seed).fit(X, y)
