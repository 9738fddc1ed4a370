"""BSNMF: features ranked by a non-negative basis that two unequal classes share (Braytee 2018, section 3.2)."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, check_non_negative

from fslib.base import FeatureSelector, check_choice, constant_features, resolve_n_features
from fslib.classes import encode_classes
from fslib.imbalance.permutation import loading_pvalues
from fslib.inputs import validate, warn_if_all_constant
from fslib.parameters import check_numbers
from fslib.solvers.nmf import Block, factorise, random_start, with_unit_coefficients


class BSNMF(FeatureSelector):
    """Rank features by their loadings in a non-negative basis in which every class has the same weight.

    The samples of class c are the columns of ``X_c`` (d, n_c). With ``sigma_c = n / n_c``,

        min over U, V_c >= 0 of   sum_c sigma_c ||X_c - U V_c^T||^2 ,

    with U (d, K) shared by all classes. The score of a feature is its row sum in U, after every component has been
    given coefficients of unit norm: the objective does not fix the scale of the columns of U, and without that step
    their sums are arbitrary.

    Features with large entries in samples of either class come first, not those that separate the classes: labels enter
    only through the weights, and not at all if the classes have equal size. The scale of the features decides the
    ranking; scale them to [0, 1] with a ``MinMaxScaler`` as the thesis does. A constant feature scores 0.

    Parameters
    ----------
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half. The ranking does not depend on it.
    n_components : int, default=2
        Number K of components; the thesis tries 2, 4, 6, 8 and 10.
    reading : {"corrected", "published"}
        "published" adds up the rows of U as the factorisation leaves them, those of constant features too, after the
        multiplicative rules in the order U, then V, from uniform factors. The thesis writes these rules in a mix of two
        layouts; either layout alone gives them.
    max_iter : int, default=200
        Largest number of iterations, each of which updates all factors.
    tol : float, default=1e-5
        Relative decrease of the objective below which it has converged.
    random_state : int or numpy.random.Generator, optional
        Draws the start.

    Attributes
    ----------
    scores_ : array of shape (d,)
    components_ : array of shape (K, d)
        U, transposed.
    coefficients_ : array of shape (n, K)
        Rows of ``V_c`` in the order of the samples.
    objective_ : array of shape (n_iter_,)
        After each iteration; never rises.
    n_iter_ : int
    converged_ : bool
    classes_ : array of shape (c,)
    ranking_, support_, n_features_in_, feature_names_in_
        See ``FeatureSelector``.

    Raises
    ------
    ValueError
        For parameters outside their range, NaN or negative entries in X, or one class only.

    Warns
    -----
    ConvergenceWarning
        If ``max_iter`` was reached first.

    Notes
    -----
    O(n d K) time per iteration; memory: one copy of X. With ``X sqrt(sigma)`` in place of X this is plain NMF.

    References
    ----------
    A. Braytee, PhD thesis, University of Technology Sydney, 2018, equations 3.2.1 to 3.2.15 and appendix A.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.random((60, 8)), np.arange(60) < 6
    >>> X[:, 5:] *= 0.1
    >>> X[y, 7] += 3                                    # a large entry in a tenth of the samples
    >>> BSNMF(random_state=0).fit(X, y).ranking_[0]
    np.int64(7)
    """

    def __init__(
        self,
        *,
        n_features_to_select=None,
        n_components=2,
        reading="corrected",
        max_iter=200,
        tol=1e-5,
        random_state=None,
    ):
        super().__init__(n_features_to_select=n_features_to_select)
        self.n_components = n_components
        self.reading = reading
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X, y):
        """Factor the classes together and score the features.

        Parameters
        ----------
        X : array of shape (n, d)
            Nonnegative.
        y : array of shape (n,)
            Classes, at least two.

        Returns
        -------
        BSNMF
        """
        check_choice("reading", self.reading, ("corrected", "published"))
        check_numbers(self, [("n_components", 1)])
        X, y = validate(self, X, y, dtype=np.float64, ensure_min_samples=2)
        check_non_negative(X, "BSNMF (put a MinMaxScaler before it)")
        self._constant = constant_features(X)
        warn_if_all_constant(self._constant, self)
        resolve_n_features(self.n_features_to_select, X.shape[1])  # refuse it now, not after a long fit
        self.classes_, codes = encode_classes(y)
        members = [np.flatnonzero(codes == c) for c in range(len(self.classes_))]
        blocks = [Block(X[rows].T, weights=len(X) / len(rows)) for rows in members]  # braytee Eq. 3.2.2
        U, V = self._start(blocks)
        options = {"max_iter": self.max_iter, "tol": self.tol}
        if self.reading == "published":
            # braytee Eq. 3.2.11 for U, then for the two parts of V
            # braytee Eq. 3.2.12 and
            # braytee Eq. 3.2.13
            options |= {"solver": "multiplicative", "basis_first": True}
        found = factorise(blocks, U, V, **options)
        U, V = found.basis, found.coefficients
        if self.reading == "corrected":
            U, V = with_unit_coefficients(blocks, U, V)
        self.components_ = U.T
        self.coefficients_ = np.empty((len(X), self.n_components))
        for rows, part in zip(members, V, strict=True):
            self.coefficients_[rows] = part
        self.objective_, self.n_iter_, self.converged_ = found.objective, len(found.objective), found.converged
        if not self.converged_:
            warnings.warn(
                f"BSNMF stopped after max_iter={self.max_iter} iterations, the last of which still lowered the "
                f"objective by more than tol={self.tol:g} of it. Raise max_iter, or tol if a ranking is all you need.",
                ConvergenceWarning,
                stacklevel=2,
            )
        scores = U.sum(axis=1)  # braytee Eq. 3.2.14
        if self.reading == "corrected":
            scores[self._constant] = 0.0
        return self._store_ranking(scores=scores)

    def pvalues(self, n_permutations=1000, random_state=None):
        """Share of shuffled loadings whose row sum reaches that of a feature; see `loading_pvalues`.

        Parameters
        ----------
        n_permutations : int
        random_state : int or numpy.random.Generator, optional

        Returns
        -------
        array of shape (d,)
        """
        check_is_fitted(self)
        return loading_pvalues(self.components_.T, n_permutations, random_state)

    def _start(self, blocks):
        rng, k = np.random.default_rng(self.random_state), self.n_components
        if self.reading == "corrected":
            return random_start(blocks, k, rng)
        d, sizes = blocks[0].matrix.shape[0], [block.matrix.shape[1] for block in blocks]
        return 1 - rng.random((d, k)), [1 - rng.random((size, k)) for size in sizes]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.positive_only = True
        return tags
