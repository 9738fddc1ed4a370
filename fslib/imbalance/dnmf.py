"""DNMF: features ranked by the difference of two discriminant non-negative components (Jia et al. 2015)."""

import warnings

import numpy as np
from scipy.special import xlogy
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_non_negative

from fslib.base import FeatureSelector, constant_features, resolve_n_features
from fslib.classes import encode_classes
from fslib.inputs import validate, warn_if_all_constant
from fslib.parameters import check_numbers

RISE = 1e-9
"""The objective may rise by this share, by rounding; more ends the iterations."""


class DNMF(FeatureSelector):
    """Rank features by how differently they load on a component of each class.

    With samples as the columns of V (d, n), W (d, 2) whose columns sum to 1, and H (2, n),

        min over W, H >= 0 of   KL(V || W H)  +  gamma S_w  -  delta S_b ,

    where S_w is the scatter of H within the classes and S_b that between them. The score of a feature is
    ``|w_j2 - w_j1|``.

    The start gives each component large coefficients in its class, and largely determines the result: iterations from
    it end soon. Two classes and two components only.

    Parameters
    ----------
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half. The ranking does not depend on it.
    gamma : float, default=0.1
        Weight of the scatter within classes, >= 0.
    delta : float, default=1e-4
        Weight of the scatter between classes, >= 0.
    max_iter : int, default=1000
        Largest number of iterations, each of which updates both factors.
    tol : float, default=1e-7
        Converged when KL changes by less than this share of its total decrease.
    random_state : int or numpy.random.Generator, optional
        Draws the start.

    Attributes
    ----------
    scores_ : array of shape (d,)
    loadings_ : array of shape (d, 2)
        W; the second column belongs to the component of which the second class has the larger share.
    objective_ : array of shape (n_iter_,)
        After each iteration; never rises.
    n_iter_ : int
    converged_ : bool
        False also if an iteration would have raised the objective: all coefficients of a class move at once, which is
        no descent in general. The better factors are kept.
    classes_ : array of shape (2,)
    ranking_, support_, n_features_in_, feature_names_in_
        See ``FeatureSelector``.

    Raises
    ------
    ValueError
        For other than two classes, a class of fewer than two samples, negative entries or NaN in X.

    Warns
    -----
    ConvergenceWarning
        If the iterations ended without convergence.

    Notes
    -----
    O(n d) time per iteration and memory. The authors' program replaces zeros by 1 and takes ``log2(x + 2)`` of counts
    first; do so where X holds counts. It stops if one class has the larger coefficients in both components; the score
    does not depend on which component belongs to which class, so nothing stops here.

    References
    ----------
    Z. Jia, X. Zhang, N. Guan, X. Bo, M. R. Barnes, Z. Luo, "Gene ranking of RNA-seq data via discriminant non-negative
    matrix factorization", PLoS ONE 10 (2015), e0137782. A baseline of the thesis's sections 3.2 and 4.1.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.gamma(2.0, size=(30, 100)), np.arange(30) < 10
    >>> X[y, 4] += 5
    >>> DNMF(n_features_to_select=1, random_state=0).fit(X, y).get_support(indices=True)
    array([4])
    """

    def __init__(self, *, n_features_to_select=None, gamma=0.1, delta=1e-4, max_iter=1000, tol=1e-7, random_state=None):
        super().__init__(n_features_to_select=n_features_to_select)
        self.gamma = gamma
        self.delta = delta
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X, y):
        """Factor X and score the features.

        Parameters
        ----------
        X : array of shape (n, d)
            Nonnegative.
        y : array of shape (n,)
            Two classes.

        Returns
        -------
        DNMF
        """
        check_numbers(self, numbers=[(name, "a number >= 0", lambda v: v >= 0) for name in ("gamma", "delta")])
        X, y = validate(self, X, y, dtype=np.float64, ensure_min_samples=2)
        check_non_negative(X, "DNMF (put a MinMaxScaler before it)")
        self._constant = constant_features(X)
        warn_if_all_constant(self._constant, self)
        resolve_n_features(self.n_features_to_select, X.shape[1])  # refuse it now, not after a long fit
        self.classes_, codes = encode_classes(y)
        if len(self.classes_) != 2:
            raise ValueError(f"Only binary classification is supported. DNMF has y with {len(self.classes_)} classes.")
        if min(sizes := np.bincount(codes)) < 2:
            raise ValueError(f"DNMF needs two samples of each class, but they have {sizes[0]} and {sizes[1]}.")
        W, H = self._factorise(X.T, codes, np.random.default_rng(self.random_state))
        if not self.converged_:
            warnings.warn(
                f"DNMF stopped without convergence after {self.n_iter_} iterations.", ConvergenceWarning, stacklevel=2
            )
        of_second = H[:, codes == 1].sum(axis=1) / np.maximum(H.sum(axis=1), np.finfo(float).tiny)
        self.loadings_ = W if of_second[1] >= of_second[0] else W[:, ::-1]
        scores = np.abs(self.loadings_[:, 1] - self.loadings_[:, 0])
        return self._store_ranking(scores=np.where(self._constant, 0.0, scores))

    def _factorise(self, V, codes, rng):
        W, H = 1 - rng.random((len(V), 2)), 1 - rng.random((2, V.shape[1]))
        W /= W.sum(axis=0)
        H[codes, np.arange(len(codes))] += H.sum()  # each component starts in its class
        objective, divergences, self.converged_ = [], [], False
        for _ in range(self.max_iter):
            before = W, H
            H = _update_coefficients(V, W, H, codes, self.gamma, self.delta)
            W, H = _update_basis(V, W, H)
            divergences.append(_kl(V, W, H))
            within, between = _scatters(H, codes)
            value = divergences[-1] + self.gamma * within - self.delta * between
            if objective and value > objective[-1] + RISE * abs(objective[-1]):
                W, H = before
                break
            objective.append(value)
            decrease = divergences[0] - divergences[-1]
            if len(objective) > 1 and abs(divergences[-2] - divergences[-1]) <= self.tol * abs(decrease):
                self.converged_ = True
                break
        self.objective_, self.n_iter_ = np.array(objective), len(objective)
        return W, H

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.positive_only = True
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags


def _ratio(V, W, H):
    """``V / (W H)``, 0 where the product is 0."""
    P = W @ H
    return np.divide(V, P, out=np.zeros_like(P), where=P > 0)


def _kl(V, W, H):
    """Generalised Kullback-Leibler divergence of V from ``W H``."""
    P = W @ H
    return float(np.sum(xlogy(V, V) - xlogy(V, np.where(V > 0, P, 1.0)) - V + P))


def _scatters(H, codes):
    """Return the sums of squares of H within the classes, and of the class means about the mean."""
    means = np.stack([H[:, codes == c].mean(axis=1) for c in (0, 1)], axis=1)  # (2, 2): component, class
    within = np.sum((H - means[:, codes]) ** 2)
    between = np.sum(np.bincount(codes) * (means - H.mean(axis=1, keepdims=True)) ** 2)
    return float(within), float(between)


def _update_coefficients(V, W, H, codes, gamma, delta):
    """Root of ``A h^2 + B h - h_old r = 0`` for every coefficient, the others held at their old values."""
    n, n_c = len(codes), np.bincount(codes)[codes]  # (n,)
    r = W.T @ _ratio(V, W, H)
    of_class = np.stack([H[:, codes == c].sum(axis=1) for c in (0, 1)], axis=1)[:, codes] - H
    of_all = H.sum(axis=1, keepdims=True) - H
    A = 2 * gamma + 2 * delta / n - 2 * (gamma + delta) / n_c
    B = W.sum(axis=0)[:, None] + 2 * delta / n * of_all - 2 * (gamma + delta) / n_c * of_class
    root = np.sqrt(np.maximum(B**2 + 4 * A * H * r, 0.0))
    # The root with the sign of B in the denominator: no difference of nearly equal numbers, and A = 0 is fine.
    small = 2 * H * r / np.where(B >= 0, B + root, 1.0)
    return np.where(B >= 0, small, (root - B) / np.where(A > 0, 2 * A, 1.0))


def _update_basis(V, W, H):
    """Multiplicative update of W, whose columns are then made to sum to 1 at the expense of H."""
    W = W * (_ratio(V, W, H) @ H.T) / np.maximum(H.sum(axis=1), np.finfo(float).tiny)
    sums = W.sum(axis=0)
    return W / np.where(sums > 0, sums, 1.0), H * np.where(sums > 0, sums, 0.0)[:, None]
