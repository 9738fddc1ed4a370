"""MLMLFS: multi-label feature selection with missing labels (Zhu et al. 2018)."""

import warnings

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from fslib.base import check_choice, constant_features
from fslib.inputs import validate
from fslib.multilabel.graph import knn_laplacian
from fslib.multilabel.mlmlfs_solver import solve_as_published, solve_by_continuation
from fslib.multilabel.selector import MultiLabelSelector
from fslib.parameters import check_numbers
from fslib.solvers.manifold_ridge import ManifoldRidge

SMALL = 1000
"""Order of a linear system below which BLAS threads gain little, and lose much on a machine that is busy."""


class MLMLFS(MultiLabelSelector):
    """Feature selection by robust, row-sparse linear regression on labels of which some are unknown.

    Coefficients W, intercepts b and the unknown labels are found together. With labels as +-1 in F and predictions
    ``P = X W + 1 b^T``,

        min  sum_i ||P_i - F_i||  +  alpha tr(P^T L P)  +  lam sum_j ||W_j||^p

    subject to F being equal to the known labels, and in [-1, 1] where labels are unknown. L is the Laplacian of a
    nearest-neighbour graph: similar samples get similar labels. Features are ranked by the norm of their row of W.
    Convex for p = 1.

    Use it when labels are missing at random and relate linearly to the features; it recovers them as part of the fit.
    It does not model interactions of features, and correlated features share their weight. The scale of the features
    matters: standardise features of different units.

    Parameters
    ----------
    alpha : float, default=0.01
        Weight of the graph, >= 0. From about 100 on predictions shrink to a constant.
    lam : float, default=1.0
        Weight of the sparsity, > 0. Below about 0.01 hardly any feature is dropped.
    p : float, default=1.0
        In (0, 1]; smaller is sparser.
    n_neighbors : int, default=5
        Neighbours in the graph; not used if alpha is 0.
    max_iter : int, optional
        Outer steps, each with new weights and one factorisation. Default 30; 20 for "published", which takes them all.
    inner_iter : int, default=5
        Completions of the unknown labels per outer step ("corrected" only).
    tol : float, default=1e-3
        Relative decrease of the objective per outer step below which it has converged. 0 runs all steps. "corrected"
        only.
    reading : {"corrected", "published"}
        "corrected" minimises the objective above: its weights start bounded, and the bound is relaxed step by step.
        "published" is the loop that produced the paper's numbers; it does not reach the minimum, see the Notes.
    random_state : int, RandomState or None
        Start of the "published" loop. For p < 1 another start gives another ranking.
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half.

    Attributes
    ----------
    scores_ : array of shape (d,)
        Norms of the rows of ``coef_``; 0 for constant features.
    coef_ : array of shape (d, c)
    intercept_ : array of shape (c,)
    label_matrix_ : array of shape (n, c)
        F: -1 or 1 where the label was known, a value between where not.
    recovered_labels_ : array of int, shape (n, c)
        1 where F is positive, else 0.
    objective_ : array of shape (n_iter_,)
        After each step. "corrected": smoothed; never rises. "published": what Figure 2 shows, with
        ``sum_j ||W_j||^(2-p)`` in the third term; may rise.
    n_iter_ : int
    converged_ : bool or None
        None for "published", which has no such test.
    ranking_ : array of int, shape (d,)
    support_ : array of bool, shape (d,)
    n_features_in_ : int
    feature_names_in_ : array of str, only if X had string column names
    label_names_ : array of shape (c,)
        Column names of a DataFrame ``y``, class codes of a 1-D ``y``, else 0..c-1.

    Raises
    ------
    ValueError
        For parameters outside their range, NaN in X, other labels than 0, 1 and NaN, and a column without a known
        label. A *row* without known labels is allowed: it takes part in the graph.

    Warns
    -----
    ConvergenceWarning
        If ``max_iter`` was reached first ("corrected" only).

    Notes
    -----
    Per outer step O(n d^2 + d^3) or O(n^2 d + n^3), whichever is less, plus O(n d c) or O(n^2 c) per completion.
    Memory: three square matrices of the smaller of the two sizes. Sparse X stays sparse.

    The published numbers come from a loop that reads "H - 1" in equations 6, 8, 9 and 11 literally and subtracts 1 from
    every entry of H. The right-hand side of W then is ``G0 H F + alpha L F``. The minimiser has H - I there, for which
    the second term is ``alpha L (H - I) F = -alpha L 1 (g^T F) / sum(g) = 0`` because L 1 = 0. Because of this misprint
    the loop does not converge to the minimum. It slightly favours features that distinguish a sample from its
    neighbours: the term is small for the alpha of the paper, 1e-6 to 1e-2. Two other properties matter more: the
    weights of the rows lag one step behind intercept and labels, and they are unbounded, so that a row whose known
    labels are fitted gets a weight so large that its unknown ones hardly change again. If labels are missing, the loop
    stops far above the optimum. Its graph has ``bandwidth="pairs"`` of :func:`fslib.multilabel.graph.knn_laplacian`.

    Where all known labels in a column of F are -1, W is 0 in that column and b is -1.

    References
    ----------
    P. Zhu, Q. Xu, Q. Hu, C. Zhang, H. Zhao, "Multi-label feature selection with missing labels", Pattern Recognition 74
    (2018): objective Eq. 2, updates Eqs. 5, 9 and 11 to 13, Algorithm 1. In its section 5.3 the names of alpha and
    lambda are exchanged; here they are those of the equations.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 5))
    >>> y = (X[:, [3, 1]] > 0).astype(float)           # label 0 is the sign of column 3, label 1 that of column 1
    >>> y[rng.random(y.shape) < 0.3] = np.nan
    >>> selector = MLMLFS(n_features_to_select=2).fit(X, y)
    >>> selector.get_support(indices=True)
    array([1, 3])
    >>> selector.predict([[0, -1, 0, 1, 0]])
    array([[1, 0]])
    """

    _accepts_sparse = True

    def __init__(
        self,
        *,
        alpha=0.01,
        lam=1.0,
        p=1.0,
        n_neighbors=5,
        max_iter=None,
        inner_iter=5,
        tol=1e-3,
        reading="corrected",
        random_state=None,
        n_features_to_select=None,
    ):
        super().__init__(n_features_to_select=n_features_to_select)
        self.alpha = alpha
        self.lam = lam
        self.p = p
        self.n_neighbors = n_neighbors
        self.max_iter = max_iter
        self.inner_iter = inner_iter
        self.tol = tol
        self.reading = reading
        self.random_state = random_state

    def fit(self, X, y):
        """Find coefficients and unknown labels.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
        y : array or DataFrame of shape (n, c)
            0, 1 or NaN for unknown.

        Returns
        -------
        MLMLFS
        """
        self._check_parameters()
        X, labels = self._validate(X, y)
        published = self.reading == "published"
        X, mean, active = _centred(X, keep=published)
        n = X.shape[0]
        bandwidth = "pairs" if published else "neighbors"
        laplacian = sparse.csr_array((n, n))
        if self.alpha:
            laplacian = knn_laplacian(X, self.n_neighbors, bandwidth=bandwidth)
        n_columns = (1 if published else self.inner_iter) * labels.values.shape[1]
        ridge = ManifoldRidge(X, laplacian, self.alpha, self.lam, n_columns=n_columns)
        start = np.nan_to_num(2 * labels.values - 1, nan=0.0)
        if published:
            solve, options = solve_as_published, {"n_steps": self.max_iter or 20}
            options["rng"] = check_random_state(self.random_state)
        else:
            solve, options = solve_by_continuation, {"max_iter": self.max_iter or 30, "tol": self.tol}
            options["inner_iter"] = self.inner_iter
        with threadpool_limits(1 if min(X.shape) < SMALL else None, "blas"):
            found = solve(ridge, start, ~labels.known, active, self.p, **options)
        self.coef_, self.intercept_ = found.W, found.b - mean @ found.W
        self.label_matrix_, self.recovered_labels_ = found.F, (found.F > 0).astype(int)
        self.objective_, self.n_iter_, self.converged_ = found.objective, len(found.objective), found.converged
        if self.converged_ is False and self.tol > 0:
            warnings.warn(
                f"MLMLFS stopped after max_iter={self.n_iter_} steps, the last of which still lowered the objective "
                f"by more than tol={self.tol:g}. Raise max_iter or inner_iter, or tol if a ranking is all you need.",
                ConvergenceWarning,
                stacklevel=2,
            )
        scores = np.linalg.norm(self.coef_, axis=1)
        # A large lam leaves norms below any tolerance for ties, by which the published ranking orders all the same.
        order = np.argsort(-scores, kind="stable") if published else None
        return self._store_ranking(scores=scores, order=order)

    def decision_function(self, X):
        """Predicted labels on the scale -1 (absent) to 1 (present).

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d)

        Returns
        -------
        array of shape (m, c)
        """
        check_is_fitted(self)
        X = validate(self, X, accept_sparse="csr", dtype=float, reset=False)
        return X @ self.coef_ + self.intercept_

    def predict(self, X):
        """Predicted labels, 0 or 1; of a one-dimensional y its classes.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d)

        Returns
        -------
        array of int, shape (m, c), or of classes, shape (m,)
        """
        scores, classes = self.decision_function(X), self._target_classes
        if classes is None:
            return (scores > 0).astype(int)
        chosen = scores.argmax(axis=1) if scores.shape[1] > 1 else (scores[:, 0] > 0) * (len(classes) - 1)
        return classes[chosen]

    def _check_parameters(self):
        check_choice("reading", self.reading, ("corrected", "published"))
        check_numbers(
            self,
            integers=[("max_iter", 1), ("inner_iter", 1)],
            numbers=[
                ("alpha", "a number >= 0", lambda v: v >= 0),
                ("lam", "a positive number", lambda v: v > 0),
                ("p", "a number in (0, 1]", lambda v: 0 < v <= 1),
                ("tol", "a number >= 0", lambda v: v >= 0),
            ],
            optional=["max_iter"],
        )


def _centred(X, *, keep):
    """X minus its feature means (dense only, unless to keep), those means, and 1.0 for features that vary."""
    varies = (~constant_features(X)).astype(float)
    if keep or sparse.issparse(X):
        return X, np.zeros(X.shape[1]), varies
    mean = X.mean(axis=0)
    return X - mean, mean, varies
