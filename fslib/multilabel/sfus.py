"""SFUS: sub-feature uncovering with sparsity (Ma et al. 2012), with its subspace in closed form."""

import numbers
import warnings

import numpy as np
from scipy.linalg import eigh, svdvals
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from fslib.base import check_choice
from fslib.multilabel.selector import MultiLabelSelector
from fslib.multilabel.sfus_published import solve_as_published
from fslib.parameters import check_numbers
from fslib.solvers.norms import L2p, row_squares, smoothed
from fslib.solvers.reweighted_ridge import ReweightedRidge, majorise_minimise


class SFUS(MultiLabelSelector):
    """Robust row-sparse regression whose coefficients should lie near a low-dimensional subspace shared by the labels.

    With labels Y, coefficients W (d, c), intercepts b and an orthonormal basis Q (d, s),

        min  sum_n ||x_n^T W + b - y_n||  +  alpha sum_j ||W_j||  +  beta ||W - Q Q^T W||_F^2 ,

    features are ranked by the norm of their row of W. Use it when labels are correlated; with ``n_components`` equal to
    the number of labels it is RFS, and beta has no effect. Redundant features share their weight.

    Parameters
    ----------
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half.
    alpha : float, default=1.0
        Weight of the sparsity, > 0.
    beta : float, default=1.0
        Weight of the distance to the subspace, >= 0.
    n_components : int, optional
        Dimension s of the subspace, 1 to c; default half the labels, rounded up. The MLMLFS paper ran c (and so RFS).
    max_iter : int, optional
        Default 100; 30 for "published".
    tol : float, optional
        Relative decrease of the objective below which it has converged, for "published" its relative change. Default
        1e-5; 1e-3 for "published".
    reading : {"corrected", "published"}
        "published" is the loop behind the numbers of SFUS in the MLMLFS paper, see the Notes. It is weaker.
    random_state : int, RandomState or None
        Start of the "published" loop, on which its ranking depends.

    Attributes
    ----------
    scores_ : array of shape (d,)
    coef_ : array of shape (d, c)
    intercept_ : array of shape (c,)
    objective_ : array of shape (n_iter_,)
        Smoothed objective after each step; never rises under "corrected".
    n_iter_ : int
    converged_ : bool
    ranking_ : array of int, shape (d,)
    support_ : array of bool, shape (d,)
    n_features_in_ : int
    feature_names_in_ : array of str, only if X had string column names
    label_names_ : array of shape (c,)
        Column names of a DataFrame ``y``, class codes of a 1-D ``y``, else 0..c-1.

    Raises
    ------
    ValueError
        For parameters outside their range, NaN in X, and labels that are not 0, 1 or NaN or of which a column is wholly
        unknown.

    Warns
    -----
    ConvergenceWarning
        If ``max_iter`` was reached first ("corrected" only).

    Notes
    -----
    For fixed weights of the two norms W and Q are found at once. The best Q leaves the smallest singular values of W as
    the penalty, and so does the best *right* subspace V, for which the labels, rotated into V and its complement,
    separate: plain ridge L inside V, ridge with beta added, U, outside. The gain is ``beta tr(V^T U^T L V)``, so V
    holds the top s eigenvectors of U^T L, and ``W = U + (L - U) V V^T``.

    The published loop alternates weights, Q and W from a start uniform on [0, 1]. It has no intercept; labels are -1
    and 1, and 0 where unknown; and the columns of Q are the generalised eigenvectors ``L V`` scaled to unit length but
    not made orthonormal. So Q Q^T is not a projector, the objective may jump, and s = c is not RFS.

    Under "corrected" an unknown label counts as the mean of its known values. O(min(n, d)^2 max(n, d)) time per step,
    and memory O(n d) plus a square matrix of the smaller size; O(n d^2 + d^3) and O(d^2) for "published".

    References
    ----------
    Z. Ma, F. Nie, Y. Yang, J. Uijlings, N. Sebe, "Web image annotation via subspace-sparsity collaborated feature
    selection", IEEE Transactions on Multimedia 14(4) (2012), objective equation 6.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(50, 6))
    >>> SFUS(n_features_to_select=2).fit(X, X[:, [4, 2]] > 0).get_support(indices=True)
    array([2, 4])
    """

    _accepts_sparse = True

    def __init__(
        self,
        *,
        n_features_to_select=None,
        alpha=1.0,
        beta=1.0,
        n_components=None,
        max_iter=None,
        tol=None,
        reading="corrected",
        random_state=None,
    ):
        super().__init__(n_features_to_select=n_features_to_select)
        self.alpha = alpha
        self.beta = beta
        self.n_components = n_components
        self.max_iter = max_iter
        self.tol = tol
        self.reading = reading
        self.random_state = random_state

    def fit(self, X, y):
        """Find coefficients and subspace.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
        y : array or DataFrame of shape (n, c)
            0, 1 or NaN for unknown.

        Returns
        -------
        SFUS
        """
        check_choice("reading", self.reading, ("corrected", "published"))
        X, labels = self._validate(X, y)
        n_components = self._check_parameters(labels.values.shape[1])
        published = self.reading == "published"
        max_iter, tol = self.max_iter or (30 if published else 100), self.tol
        tol = (1e-3 if published else 1e-5) if tol is None else tol
        if published:
            rng = check_random_state(self.random_state)
            Y = np.nan_to_num(2 * labels.values - 1, nan=0.0)
            found = solve_as_published(X, Y, self.alpha, self.beta, n_components, max_iter=max_iter, tol=tol, rng=rng)
            self.coef_, self.objective_, self.converged_ = found
            self.intercept_, self.n_iter_ = np.zeros(Y.shape[1]), len(self.objective_)
            scores = np.linalg.norm(self.coef_, axis=1)
            return self._store_ranking(scores=scores, order=np.argsort(-scores, kind="stable"))
        Y = labels.centred()
        penalty = L2p()

        def objective(W, b):
            tail = np.sort(svdvals(W))[::-1][n_components:]
            loss = smoothed(row_squares(X @ W + b - Y)).sum()
            return float(loss + self.alpha * penalty.value(W) + self.beta * np.sum(tail**2))

        def step(state):
            row_weights, scale, *_ = state
            W, b = subspace_ridge(ReweightedRidge(X, row_weights), Y, scale, self.alpha, self.beta, n_components)
            row_weights, scale = 0.5 / smoothed(row_squares(X @ W + b - Y)), 1 / penalty.weights(W).ravel()
            return (row_weights, scale, W, b), objective(W, b)

        start = np.full(X.shape[0], 0.5), np.full(X.shape[1], 2.0)  # weights at unit norms
        options = {"max_iter": max_iter, "tol": tol}
        (_, _, self.coef_, b), self.objective_, self.converged_ = majorise_minimise(step, start, **options)
        self.intercept_ = b + np.nanmean(labels.values, axis=0)
        self.n_iter_ = len(self.objective_)
        if not self.converged_:
            warnings.warn(
                f"SFUS stopped after max_iter={max_iter} steps, the last of which still lowered the objective by "
                f"more than tol={tol:g}. Raise max_iter, or tol if a ranking is all you need.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self._store_ranking(scores=np.linalg.norm(self.coef_, axis=1))

    def _check_parameters(self, n_labels):
        """Return the dimension of the subspace."""
        check_numbers(
            self,
            integers=[("max_iter", 1)],
            numbers=[
                ("alpha", "a positive number: it is what drops features", lambda v: v > 0),
                ("beta", "a number >= 0", lambda v: v >= 0),
                ("tol", "a number >= 0", lambda v: v >= 0),
            ],
            optional=["max_iter", "tol"],
        )
        s = (n_labels + 1) // 2 if self.n_components is None else self.n_components
        if not isinstance(s, numbers.Integral) or not 1 <= s <= n_labels:
            raise ValueError(f"n_components={s!r} must be an integer from 1 to the number of labels, {n_labels}.")
        return s


def subspace_ridge(ridge, Y, scale, alpha, beta, n_components):
    """Coefficients and intercepts that minimise the weighted ridge problem together with the subspace.

    Parameters
    ----------
    ridge : ReweightedRidge
    Y : array of shape (n, c)
    scale : array of shape (d,)
        Reciprocals of the feature weights D.
    alpha, beta : float
        Penalty ``alpha sum_j D_j ||W_j||^2 + beta ||W - Q Q^T W||^2``.
    n_components : int
        Columns of Q.

    Returns
    -------
    W : array of shape (d, c)
    b : array of shape (c,)
    """
    plain, plain_b = ridge.solve(Y, scale, penalty=alpha)  # L
    c = Y.shape[1]
    if n_components == c or beta == 0:
        return plain, plain_b
    shrunk, shrunk_b = ridge.solve(Y, 1 / (alpha / scale + beta))  # U
    overlap = shrunk.T @ plain
    _, V = eigh((overlap + overlap.T) / 2, subset_by_index=[c - n_components, c - 1])
    return shrunk + (plain - shrunk) @ V @ V.T, shrunk_b + (plain_b - shrunk_b) @ V @ V.T
