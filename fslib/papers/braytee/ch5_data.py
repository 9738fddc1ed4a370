"""The data sets of chapter 5 and their five folds.

What is ours where the thesis is silent: folds are drawn at random once per data set, without regard to labels; the
first row of Languagelog is left out, since the published 1459 rows and imbalance ratios are those without it.
"""

from functools import lru_cache

import numpy as np
from scipy import sparse
from sklearn.model_selection import GroupKFold, KFold
from sklearn.utils import Bunch

from fslib.datasets import load, unavailable_reason
from fslib.seeds import trial_seed

N_FOLDS = 5
TEST_TO_TRAIN = 1 / (N_FOLDS - 1)
"""Rows tested over rows trained on, of one fold."""

SIMULATED = "wide sparse"
TITLES = {
    "bibtex": "Bibtex",
    "medical": "Medical",
    "enron": "Enron",
    "genbase": "Genbase",
    "mulan_image": "Image",
    "mimltext": "MIMLtext",
    "CAL500": "CAL500",
    "corel5k": "Corel5k",
    "emotions": "Emotions",
    "Yahoo_Education": "Education",
    "languagelog": "Languagelog",
    "mediamill": "MediaMill",
    "rcv1subset1": "RCV1V2 (S1)",
    "rcv1subset2": "RCV1V2 (S2)",
    "rcv1subset3": "RCV1V2 (S3)",
    "childhood_leukaemia_ml": "Childhood leukaemia",
}
"""Name of a data set of the thesis -> its title there."""

FURTHER = {
    "yeast_ml": "Yeast (14 labels)",
    "rcv1subset1_top944": "RCV1V2 (S1), 944 terms",
    SIMULATED: "wide sparse (simulated)",
}
"""Data sets that the thesis does not have: shown, never judged."""

ALL_TITLES = TITLES | FURTHER


def make_wide_sparse(n=300, d=1200, n_labels=12, seed=0):
    """Small imitation of texts: columns of falling frequency, rare labels that depend on a few frequent words each.

    Examples
    --------
    >>> data = make_wide_sparse()
    >>> data.X.shape, data.y.shape, bool((data.y.mean(axis=0) < 0.5).all())
    ((300, 1200), (300, 12), True)
    """
    rng = np.random.default_rng(seed)
    frequency = 0.3 / np.arange(1, d + 1) ** 0.7
    X = sparse.csr_array((rng.random((n, d)) < frequency).astype(float))
    words = rng.permutation(60)[: 3 * n_labels].reshape(n_labels, 3)
    strength = np.column_stack([X[:, w].sum(axis=1) for w in words])
    share = 0.4 / np.arange(1, n_labels + 1) ** 0.6
    cut = [np.quantile(s, 1 - q) for s, q in zip((strength + 0.3 * rng.random(strength.shape)).T, share, strict=True)]
    return Bunch(X=X, y=(strength + 0.3 * rng.random(strength.shape) > cut).astype(int))


@lru_cache(maxsize=2)
def load_task(name):
    """Features and labels of a data set; sparse where the file is.

    Parameters
    ----------
    name : str
        Key of :data:`ALL_TITLES`.

    Returns
    -------
    X : array or CSR matrix of shape (n, d)
    y : array of int, shape (n, c)

    Examples
    --------
    >>> X, y = load_task("emotions")
    >>> X.shape, y.shape
    ((593, 72), (593, 6))
    """
    data = make_wide_sparse() if name == SIMULATED else load(name)
    X = sparse.csr_array(data.X) if sparse.issparse(data.X) else data.X
    first = 1 if name == "languagelog" else 0
    return X[first:].astype(float), np.asarray(data.y)[first:].astype(int)


def duplicate_groups(X):
    """Number of the group of equal rows to which each row belongs, shape (n,).

    Examples
    --------
    >>> duplicate_groups(np.array([[1.0, 2.0], [0.0, 1.0], [1.0, 2.0]]))
    array([1, 0, 1])
    """
    rows = X.toarray() if sparse.issparse(X) else X
    return np.unique(rows, axis=0, return_inverse=True)[1].ravel()


def fold_rows(name, fold, *, folds="random", seed=0):
    """Training and test rows of one of five folds.

    Parameters
    ----------
    name : str
    fold : int
    folds : {"random", "grouped"}
        "grouped" keeps equal rows of X in one fold: Genbase holds 456 copies of other rows.
    seed : int
        Root seed of the run.

    Returns
    -------
    train, test : arrays of int

    Examples
    --------
    >>> train, test = fold_rows("emotions", 0)
    >>> len(train), len(test)
    (474, 119)
    """
    X, _ = load_task(name)
    state = trial_seed(seed, name, folds, "folds")
    if folds == "grouped":
        splits = GroupKFold(N_FOLDS, shuffle=True, random_state=state).split(X, groups=duplicate_groups(X))
    else:
        splits = KFold(N_FOLDS, shuffle=True, random_state=state).split(np.empty(X.shape[0]))
    return list(splits)[fold]


def present(datasets, titles):
    """Split wanted and published data sets into those that can be run and reasons for the others.

    Parameters
    ----------
    datasets : list of str
        Wanted.
    titles : iterable of str
        Published titles of the item.

    Returns
    -------
    names : list of str
        Of ``datasets``, in its order.
    reasons : dict of str to str
        Title -> why not.
    """
    here = [name for name in datasets if name == SIMULATED or not unavailable_reason(name)]
    wanted = {ALL_TITLES[name]: name for name in TITLES} | {ALL_TITLES[name]: name for name in datasets}
    shown = [*titles, *(ALL_TITLES[name] for name in datasets if ALL_TITLES[name] not in titles)]
    reasons = {title: unavailable_reason(wanted[title], datasets) for title in shown if wanted[title] not in here}
    return here, reasons


def trial_of(name, **more):
    """Name the data set of a trial; the simulated one has no file that could change."""
    return ({"simulated": True} if name == SIMULATED else {"dataset": name}) | more
