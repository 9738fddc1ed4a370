"""Base of the supervised multi-view selectors: validation, and turning coefficients into a ranking."""

import warnings
from numbers import Integral, Real

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import ThreadpoolController

from fslib.base import FeatureSelector, constant_features, rank_by_score
from fslib.classes import encode_classes
from fslib.inputs import validate, warn_if_all_constant
from fslib.multiview.views import parse_views
from fslib.solvers.norms import row_squares

DEAD = 1e-6
"""A row of coefficients below this share of what one unpenalised feature would need is on the smoothing floor: zero."""


class MultiViewSelector(FeatureSelector):
    """Base of the selectors that fit a coefficient matrix ``W`` (d, P) to class labels and rank features by its rows.

    Subclasses define ``_fit(X, codes, views)``, which returns what ``_store`` takes.
    """

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        return tags

    def fit(self, X, y):
        """Fit the coefficients and rank the features.

        Parameters
        ----------
        X : array, DataFrame or sparse matrix of shape (n, d)
            All views side by side. Standardise the features first: the penalties compare coefficients as they are.
        y : array of shape (n,)
            Class labels, at least two different ones.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If X holds NaN or infinity, y holds one class only or is not categorical, ``views`` is not a partition of
            the features, or a penalty is negative.
        """
        self._check_parameters()
        X, y = validate(self, X, y, accept_sparse="csr", dtype=np.float64)
        X = sp.csr_array(X) if sp.issparse(X) else X
        warn_if_all_constant(constant_features(X), self)
        self.classes_, codes = encode_classes(y)
        views = parse_views(self.views, X.shape[1], getattr(self, "feature_names_in_", None))
        # The factorisations are small: threads inside them cost far more than they bring.
        with ThreadpoolController().limit(limits=1, user_api="blas"):
            self._store(X, *self._fit(X, codes, views))
        return self

    def _check_parameters(self):
        penalties = {name: getattr(self, name) for name in ("gamma", "gamma1", "gamma2") if hasattr(self, name)}
        for name, value in penalties.items():
            if not (isinstance(value, Real) and np.isfinite(value) and value >= 0):
                raise ValueError(f"{name}={value!r} must be a finite number, zero or larger.")
        if sum(penalties.values()) == 0:
            raise ValueError(
                f"{' and '.join(penalties)} must not be zero together: without a penalty nothing is selected."
            )
        check_limits(self.max_iter, self.tol)

    def _store(self, X, W, intercept, objectives, converged):
        """Set the fitted attributes from ``W`` (d, P), warn where the ranking deserves less trust."""
        W = np.where(constant_features(X)[:, None], 0.0, W)  # centring leaves rounding there, not information
        self.coef_ = W.T
        self.intercept_ = intercept
        self.objective_ = objectives
        self.n_iter_ = len(objectives)
        self.converged_ = converged
        if not converged:
            warnings.warn(
                f"{type(self).__name__} stopped at max_iter={self.max_iter} before tol={self.tol} was reached; "
                "the ranking settles much earlier than the objective, raise max_iter to be sure.",
                ConvergenceWarning,
                stacklevel=3,
            )
        scores = np.sqrt(row_squares(W))
        largest = scores.max()
        if largest <= DEAD * _coefficient_size(X):
            warnings.warn(
                f"{type(self).__name__}: all coefficients are zero at this penalty, so the ranking is only the order "
                "in which they vanished; lower the penalty.",
                UserWarning,
                stacklevel=3,
            )
        # Ranked on the relative scale, so that the order of vanishing coefficients is not taken for ties.
        order = rank_by_score(scores / largest if largest > 0 else scores, constant=constant_features(X))
        self._store_ranking(scores=scores, order=order)


def check_limits(max_iter, tol, n_init=1):
    """Raise ValueError for impossible iteration limits; a negative ``tol`` is allowed and never stops an iteration."""
    for name, value in (("max_iter", max_iter), ("n_init", n_init)):
        if not (isinstance(value, Integral) and value >= 1):
            raise ValueError(f"{name}={value!r} must be at least 1, and a whole number.")
    if not (isinstance(tol, Real) and not np.isnan(tol)):
        raise ValueError(f"tol={tol!r} must be a number.")


def _coefficient_size(X):
    """Size of a coefficient that moves a prediction by one: the inverse of the largest feature spread."""
    mean = np.asarray(X.mean(axis=0)).ravel()
    squares = np.asarray((X.multiply(X) if sp.issparse(X) else X * X).mean(axis=0)).ravel()
    spread = np.sqrt(np.maximum(squares - mean**2, 0).max())
    return 1.0 / spread if spread > 0 else np.inf
