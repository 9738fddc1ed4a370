"""The fitness of a search: how well a classifier does when trained on the minority class and a part of the majority."""

import hashlib
import json
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from scipy.linalg import eigh
from scipy.stats import rankdata
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold
from tqdm import tqdm

from fslib.files import write_text
from fslib.solvers.squared_hinge import linear_svms

LEAVE_ONE_OUT_UP_TO = 100
"""Rows up to which every row is a fold of its own, unless the number of folds is given."""


class SubsetFitness:
    """Mean of AUC and F1, cross-validated, for subsets of the majority class.

    In every fold a linear support vector machine is trained on the minority samples and the *selected* majority samples
    of the other folds. Its decision values on the fold give AUC, and F1 at zero. With more than one row per fold both
    are averaged over folds, else taken over the pooled values. A subset that leaves a fold without a majority sample to
    train on has fitness 0.

    Parameters
    ----------
    X : array or sparse array of shape (n, d)
    rare : array of bool, shape (n,)
    n_folds : int, optional
        Default 3, or leave-one-out for at most 100 rows.
    whole_fold : bool
        Score all samples of a fold; False: only the selected and minority ones, which rewards keeping easy samples.
    estimator : classifier, optional
        With ``decision_function``; by default the problem of ``LinearSVC(C=1)``, solved for many subsets at once.
    max_evaluations : int, optional
        Distinct subsets that may be evaluated; any further ones get -inf.
    memory : path, optional
        JSON file of values already computed, for the same rows and settings; `save` adds to it.
    verbose : bool
        Whether to show a progress bar.
    seed : int
        Of the folds.

    Raises
    ------
    ValueError
        If a class has fewer than two samples.

    Notes
    -----
    What is found in the memory counts as evaluated, so that a search goes the same way with it and without.
    """

    def __init__(
        self, X, rare, *, n_folds=None, whole_fold=True, estimator=None, max_evaluations=None, memory=None,
        verbose=False, seed=0,
    ):  # fmt: skip
        n, counts = len(rare), (np.count_nonzero(rare), np.count_nonzero(~rare))
        if min(counts) < 2:
            raise ValueError(f"Cross-validation of subsets needs 2 samples of a class, not {min(counts)}.")
        self.X, self.rare, self.common = X, rare, np.flatnonzero(~rare)
        self.whole_fold, self.estimator, self.max_evaluations = whole_fold, estimator, max_evaluations
        self.pooled = n_folds is None and n <= LEAVE_ONE_OUT_UP_TO
        if self.pooled:
            self.fold = np.arange(n)
        else:
            splitter = StratifiedKFold(min(n_folds or 3, *counts), shuffle=True, random_state=seed)
            self.fold = np.empty(n, dtype=int)
            for f, (_, test) in enumerate(splitter.split(rare, rare)):
                self.fold[test] = f
        self.svm_rows = _svm_rows(X) if estimator is None else None
        self.values = {}  # of the subsets of this search, by their bits
        self.memory = Path(memory) if memory is not None else None
        self.known = self._load()
        self.bar = tqdm(total=max_evaluations, desc="subsets", disable=not verbose)

    @property
    def n_bits(self):
        """Number of majority samples."""
        return len(self.common)

    @property
    def n_evaluations(self):
        """Number of distinct subsets so far."""
        return len(self.values)

    @property
    def spent(self):
        """Whether no further subset may be evaluated."""
        return self.max_evaluations is not None and self.n_evaluations >= self.max_evaluations

    def __call__(self, bits):
        """Fitness of every subset.

        Parameters
        ----------
        bits : array of bool, shape (m, n_bits)

        Returns
        -------
        array of shape (m,)
        """
        keys = [row.tobytes() for row in np.packbits(bits, axis=1)]
        first = {key: i for i, key in reversed(list(enumerate(keys))) if key not in self.values}
        new = sorted(first.values())
        if self.max_evaluations is not None:
            new = new[: self.max_evaluations - self.n_evaluations]
        unknown = [i for i in new if keys[i].hex() not in self.known]
        for i, value in zip(unknown, self.evaluate(bits[unknown]), strict=True):
            self.known[keys[i].hex()] = float(value)
        self.values |= {keys[i]: self.known[keys[i].hex()] for i in new}
        self.bar.update(len(new))
        return np.array([self.values.get(key, -np.inf) for key in keys])

    def evaluate(self, bits):
        """Compute what calling the object returns, without memory or limit."""
        chosen = np.tile(self.rare, (len(bits), 1))
        chosen[:, self.common] = bits
        folds = np.unique(self.fold)
        train = chosen[:, None, :] & (self.fold != folds[:, None])  # (m, folds, n)
        trainable = (train & ~self.rare).any(axis=2).all(axis=1)
        scored = np.ones_like(chosen) if self.whole_fold else chosen
        values = np.zeros(len(bits))
        if trainable.any():
            decisions = self._decisions(train[trainable], folds)
            parts = [np.arange(len(self.rare))] if self.pooled else [np.flatnonzero(self.fold == f) for f in folds]
            fitness = [_auc_and_f1(decisions[:, p], self.rare[p], scored[trainable][:, p]) for p in parts]
            values[trainable] = np.mean(fitness, axis=0)
        return values

    def save(self):
        """Close the progress bar and write the memory."""
        self.bar.close()
        if self.memory is not None:
            stored = json.loads(self.memory.read_text()) if self.memory.exists() else {}
            stored[self._fingerprint()] = self.known
            write_text(self.memory, json.dumps(stored))

    def _decisions(self, train, folds):
        """Decision value of every row by the classifier that did not see its fold, shape (m, n)."""
        m, n = len(train), len(self.rare)
        if self.estimator is None:
            y = np.where(self.rare, 1.0, -1.0)
            weights = linear_svms(self.svm_rows, y, train.reshape(-1, n)).reshape(m, len(folds), -1)
            return np.einsum("mnd,nd->mn", weights[:, self.fold], self.svm_rows, optimize=True)
        decisions = np.empty((m, n))
        for i in range(m):
            for f, rows in zip(folds, train[i], strict=True):
                model = clone(self.estimator).fit(self.X[np.flatnonzero(rows)], self.rare[rows])
                decisions[i, self.fold == f] = model.decision_function(self.X[np.flatnonzero(self.fold == f)])
        return decisions

    def _fingerprint(self):
        X = self.X.toarray() if sp.issparse(self.X) else np.ascontiguousarray(self.X)
        settings = [X.shape, str(X.dtype), self.fold.tolist(), self.whole_fold, self.pooled, repr(self.estimator)]
        return hashlib.sha256(json.dumps(settings).encode() + X.tobytes() + self.rare.tobytes()).hexdigest()

    def _load(self):
        if self.memory is None or not self.memory.exists():
            return {}
        return json.loads(self.memory.read_text()).get(self._fingerprint(), {})


def _svm_rows(X):
    """Rows with the inner products of X, in the fewest coordinates, and a one for the intercept."""
    n, d = X.shape
    if d > n:  # a linear machine sees inner products only
        gram = X @ X.T
        values, vectors = eigh(gram.toarray() if sp.issparse(gram) else gram)
        kept = values > n * np.finfo(float).eps * max(values[-1], 0.0)
        rows = vectors[:, kept] * np.sqrt(values[kept])
    else:
        rows = X.toarray() if sp.issparse(X) else X
    return np.column_stack([rows, np.ones(n)]).astype(float)


def _auc_and_f1(decisions, rare, scored):
    """Mean of AUC and F1 of every row of decision values (m, p), over the samples that are scored (m, p)."""
    n_rare, n_common = np.count_nonzero(rare), np.count_nonzero(scored & ~rare, axis=1)
    # Samples that do not count are put above all others, where they change no rank.
    ranks = rankdata(np.where(scored, decisions, np.inf), axis=1)[:, rare].sum(axis=1)
    pairs = n_rare * np.maximum(n_common, 1)
    auc = (ranks - n_rare * (n_rare + 1) / 2) / pairs
    called = (decisions > 0) & scored
    f1 = 2 * np.count_nonzero(called & rare, axis=1) / (np.count_nonzero(called, axis=1) + n_rare)
    return np.where(n_common > 0, (auc + f1) / 2, 0.0)
