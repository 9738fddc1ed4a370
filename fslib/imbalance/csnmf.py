"""CSNMF: non-negative factors in which every class has the same weight (Braytee 2018, section 3.1)."""

import numbers
import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, check_non_negative

from fslib.base import Documented, check_choice
from fslib.imbalance.class_costs import sample_costs
from fslib.inputs import validate
from fslib.solvers.nmf import Block, factorise, nonnegative_coefficients, random_start


class CSNMF(Documented, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Non-negative basis vectors that reconstruct each class alike, however few samples it has.

    With the cost ``C_i = 1 / N_class`` of a sample,

        min over W, H >= 0 of   sum_i C_i ||x_i - H w_i||^2 ,

    H (d, p) a basis, w_i the coefficients of a row. Rows are transformed as they are, training rows and others alike:
    by non-negative least squares on H. With classes of equal size this is ordinary NMF.

    Good for non-negative data in which the minority class has parts that the other lacks, and where parts are to be
    interpreted. Put a ``MinMaxScaler(clip=True)`` before it if features have negative entries or different units.

    Parameters
    ----------
    n_components : int, optional
        Number p of basis vectors; by default that of the classes, as in the thesis.
    alpha : float, default=0.0
        In [0, 1): moves weight to the smaller of two classes, ``C = (1 - alpha) / N`` and ``(1 + alpha) / N``.
    reading : {"corrected", "published"}
        "published" multiplies rows by C, so that errors weigh C squared, and lowers the objective by the multiplicative
        rules from uniform factors; its two rules are published with each other's transpose, and their shapes do not
        fit. (Typed into MATLAB, where ``'`` transposes, they run and are plain NMF of the unweighted matrix.)
    max_iter : int, default=500
        Largest number of iterations, each of which updates both factors.
    tol : float, default=1e-5
        Relative decrease of the objective below which it has converged.
    random_state : int or numpy.random.Generator, optional
        Draws the start.

    Attributes
    ----------
    components_ : array of shape (p, d)
        Basis vectors of unit norm, the one that carries most weight first.
    objective_ : array of shape (n_iter_,)
        After each iteration, in costs of mean 1; never rises.
    n_iter_ : int
    converged_ : bool
    classes_ : array of shape (c,)
    n_features_in_, feature_names_in_

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
    O(n d p) time per iteration; no copy of X. The coefficients that the factorisation itself gives to training rows
    contain the label by way of C; a classifier trained on them fails on rows whose label it does not know. That is why
    training rows are transformed anew.

    References
    ----------
    A. Braytee, PhD thesis, University of Technology Sydney, 2018, equations 3.1.3 to 3.1.7.

    Examples
    --------
    >>> X = np.r_[np.tile([1.0, 1, 0, 0], (9, 1)), [[0, 0, 1, 0]]]     # one row of ten has a part of its own
    >>> model = CSNMF(random_state=0).fit(X, np.arange(10) == 9)
    >>> model.components_.round(2)
    array([[0.71, 0.71, 0.  , 0.  ],
           [0.  , 0.  , 1.  , 0.  ]])
    >>> model.transform([[3, 3, 2, 5]]).round(2)
    array([[4.24, 2.  ]])
    """

    def __init__(self, *, n_components=None, alpha=0.0, reading="corrected", max_iter=500, tol=1e-5, random_state=None):
        self.n_components = n_components
        self.alpha = alpha
        self.reading = reading
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X, y):
        """Find the basis.

        Parameters
        ----------
        X : array of shape (n, d)
            Nonnegative.
        y : array of shape (n,)
            Classes, at least two.

        Returns
        -------
        CSNMF
        """
        check_choice("reading", self.reading, ("corrected", "published"))
        X, y = validate(self, X, y, dtype=np.float64, ensure_min_samples=2)
        check_non_negative(X, "CSNMF (put a MinMaxScaler(clip=True) before it)")
        self.classes_, costs = sample_costs(y, self.alpha)
        p = len(self.classes_) if self.n_components is None else self.n_components
        if not isinstance(p, numbers.Integral) or p < 1:
            raise ValueError(f"n_components={p!r} must be an integer >= 1 or None.")
        rng = np.random.default_rng(self.random_state)
        options = {"max_iter": self.max_iter, "tol": self.tol}
        if self.reading == "corrected":
            block = Block(X.T, weights=costs)  # braytee Eq. 3.1.4, with the square root of C
            start = random_start([block], p, rng)
        else:
            block, options["solver"] = Block(X.T, weights=costs**2), "multiplicative"
            W, H = 1 - rng.random((len(X), p)), 1 - rng.random((X.shape[1], p))
            # The thesis factors the scaled matrix, whose coefficients are C times ours. H is updated first.
            start, options["basis_first"] = (H, [W / costs[:, None]]), True
        # braytee Eq. 3.1.6 lowers the objective in H,
        # braytee Eq. 3.1.7 in W.
        found = factorise([block], *start, **options)  # braytee Eq. 3.1.5
        self.objective_, self.n_iter_, self.converged_ = found.objective, len(found.objective), found.converged
        if not self.converged_:
            warnings.warn(
                f"CSNMF stopped after max_iter={self.max_iter} iterations, the last of which still lowered the "
                f"objective by more than tol={self.tol:g} of it. Raise max_iter or tol.",
                ConvergenceWarning,
                stacklevel=2,
            )
        norms = np.linalg.norm(found.basis, axis=0)
        carried = norms * np.sqrt(costs @ found.coefficients[0] ** 2)
        order = np.argsort(-carried, kind="stable")
        self.components_ = (found.basis / np.where(norms > 0, norms, 1.0))[:, order].T
        self._n_features_out = p
        return self

    def transform(self, X):
        """Non-negative least-squares coefficients of rows on the basis.

        Parameters
        ----------
        X : array of shape (m, d)
            Nonnegative.

        Returns
        -------
        array of shape (m, p)
        """
        check_is_fitted(self)
        X = validate(self, X, dtype=np.float64, reset=False)
        check_non_negative(X, "CSNMF (put a MinMaxScaler(clip=True) before it)")
        return nonnegative_coefficients(X, self.components_.T)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.positive_only = True
        return tags
