"""CMFS: correlated- and multi-label feature selection by joint factorisation (Braytee 2018, section 5.1)."""

import warnings

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import minmax_scale

from fslib.base import check_choice, constant_features
from fslib.multilabel.cmfs_updates import FiveFactors, PublishedFactors, squared_norm
from fslib.multilabel.selector import MultiLabelSelector
from fslib.parameters import check_numbers


class CMFS(MultiLabelSelector):
    """Factorise features and labels jointly into non-negative factors, and rank features by their loadings.

    With S the cosine similarity of samples and G its row sums, V (n, c), L and P (c, c), Q (c, d) and B (c, l), all
    >= 0, minimise

        ||X - V L Q||^2 + alpha ||Y - V P B||^2 + beta ||L - P||^2 + epsilon tr((V P B)^T (G - S) V P B)
        + gamma sum_j ||Q_j|| ;

    feature j scores the norm of its column ``Q_j``, each row of Q weighted by the size of its column in ``V L``.

    Useful to see which features and labels share factors; takes seconds on wide sparse data. As a selector it is hardly
    supervised: ``||X||^2`` is many times ``||Y||^2``, so that at the usual alpha the top features are those of large
    mean, whatever the labels. ``alpha="balanced"`` gives the labels more influence. Results depend on the start and on
    the scale of the columns, but little on beta, epsilon and gamma: compare several ``random_state``.

    Parameters
    ----------
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half. The ranking does not depend on it.
    n_components : int, default=2
        c, at least 1.
    alpha : float or "balanced", default=0.1
        Weight of the labels, >= 0. "balanced": ``||X||^2 / ||Y||^2``.
    beta : float, default=1.0
        Weight of the difference of L and P, >= 0.
    epsilon : float, default=0.3
        Weight of the graph, >= 0.
    gamma : float, default=0.3
        Weight of the sparsity, >= 0.
    ridge : float, default=0.0
        Weight of ``||V||^2 + ||L||^2 + ||P||^2``, >= 0. Without it scale can move from Q to V, and gamma does nothing.
    scale : {None, "minmax"}
        "minmax": columns to [0, 1] first, needed where X has negative entries. (A sparse column with both implicit
        zeros and negative entries is rejected, because scaling would make it dense.)
    max_iter : int, default=100
        Sweeps over the five factors.
    tol : float, default=1e-4
        Relative decrease of the objective per sweep below which it has converged; 0 runs all sweeps. Not used by
        "published".
    reading : {"corrected", "published"}
        "published" uses the thesis's updates to the letter: they lack transposes, do not descend, and sparsify rows of
        Q; start uniform in (0, 1), score without weights.
    n_jobs : int, default=1
        Threads for the products of sparse X.
    random_state : int, Generator or None
        Draws the start.

    Attributes
    ----------
    scores_ : array of shape (d,)
        0 for constant columns, except under "published".
    V_, L_, Q_, P_, B_ : arrays
        The factors. ``V_ @ P_ @ B_`` is the completed label matrix.
    alpha_ : float
        As used.
    objective_ : array of shape (n_iter_,)
        After each sweep; never rises for "corrected".
    n_iter_ : int
    converged_ : bool
    ranking_, support_, n_features_in_, feature_names_in_, label_names_
        See ``FeatureSelector`` and ``MultiLabelSelector``.

    Raises
    ------
    ValueError
        For parameters outside their range, NaN in X or entries below 0, labels that are not 0, 1 or NaN, and published
        updates that diverge.

    Warns
    -----
    ConvergenceWarning
        If ``max_iter`` was reached first (not for ``tol=0``).

    Notes
    -----
    An unknown label (NaN) counts as absent. O(nnz(X) c + (n + d) c^2) per sweep; memory: X three times and about six
    matrices of (n + d) x c. X in single precision is worked on in single precision. No n x n matrix is formed.

    References
    ----------
    A. Braytee, "Robust classification of high dimensional unbalanced single and multi-label datasets", PhD thesis,
    University of Technology Sydney (2018): objective 5.1.3, updates 5.1.6. The published sum over rows of Q cannot
    select features; here it is over columns.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((60, 5)) * [1, 1, 9, 1, 1]           # the third column is the largest
    >>> CMFS(n_features_to_select=1, random_state=0).fit(X, X[:, [0, 1]] > 0.5).get_support(indices=True)
    array([2])
    """

    _accepts_sparse = True
    _dtypes = (np.float64, np.float32)

    _beside_numbers = {"alpha": ("balanced",)}

    def __init__(
        self,
        *,
        n_features_to_select=None,
        n_components=2,
        alpha=0.1,
        beta=1.0,
        epsilon=0.3,
        gamma=0.3,
        ridge=0.0,
        scale=None,
        max_iter=100,
        tol=1e-4,
        reading="corrected",
        n_jobs=1,
        random_state=None,
    ):
        super().__init__(n_features_to_select=n_features_to_select)
        self.n_components = n_components
        self.alpha = alpha
        self.beta = beta
        self.epsilon = epsilon
        self.gamma = gamma
        self.ridge = ridge
        self.scale = scale
        self.max_iter = max_iter
        self.tol = tol
        self.reading = reading
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y):
        """Factorise and rank.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
        y : array or DataFrame of shape (n, l)
            0, 1 or NaN for unknown.

        Returns
        -------
        CMFS
        """
        self._check_parameters()
        X, labels = self._validate(X, y)
        X = scaled_to_unit(X) if self.scale == "minmax" else X
        if X.min() < 0:
            raise ValueError("Negative values in data passed to CMFS, which needs X >= 0: pass scale='minmax'.")
        Y = np.nan_to_num(labels.values, nan=0.0).astype(X.dtype)
        self.alpha_ = self.alpha
        if self.alpha == "balanced":
            self.alpha_ = squared_norm(X) / max(squared_norm(Y), 1.0)
        published = self.reading == "published"
        start = draw_start(X, Y, self.n_components, np.random.default_rng(self.random_state), published)
        weights = {name: getattr(self, name) for name in ("beta", "epsilon", "gamma", "ridge", "n_jobs")}
        factors = (PublishedFactors if published else FiveFactors)(X, Y, start, alpha=self.alpha_, **weights)
        values = []
        self.converged_ = published
        for _ in range(self.max_iter):
            factors.sweep()
            values.append(factors.objective())
            if not published and len(values) > 1 and values[-2] - values[-1] <= self.tol * max(1.0, abs(values[-1])):
                self.converged_ = True
                break
        if not self.converged_ and self.tol > 0:
            warnings.warn(
                f"CMFS stopped after max_iter={self.max_iter} sweeps, the last of which still lowered the objective by "
                f"more than tol={self.tol:g}. Raise max_iter, or tol if a ranking is all you need.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.objective_, self.n_iter_ = np.array(values), len(values)
        self.V_, self.L_, self.Q_, self.P_, self.B_ = factors.V, factors.L, factors.Qt.T, factors.P, factors.B
        scores = factors.scores()
        if not np.isfinite(scores).all():
            raise ValueError(
                f"The published updates of CMFS diverged within {self.n_iter_} sweeps: lower alpha={self.alpha_:g} or "
                "max_iter, or use reading='corrected', which never rises."
            )
        return self._store_ranking(scores=scores if published else scores * ~constant_features(X))

    def _check_parameters(self):
        check_choice("scale", self.scale, (None, "minmax"))
        check_choice("reading", self.reading, ("corrected", "published"))
        at_least_0 = lambda v: v >= 0
        checks = [(name, "a number >= 0", at_least_0) for name in ("beta", "epsilon", "gamma", "ridge", "tol")]
        if not isinstance(self.alpha, str) or self.alpha != "balanced":
            checks.append(("alpha", 'a number >= 0 or "balanced"', at_least_0))
        check_numbers(self, integers=[("n_components", 1), ("max_iter", 1), ("n_jobs", 1)], numbers=checks)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = self.scale is None
        return tags


def draw_start(X, Y, c, rng, published=False):
    """Positive random V, L, Q transposed, P and B; unless published, scaled so that both products have the right mean.

    Examples
    --------
    >>> V, L, Qt, P, B = draw_start(np.full((300, 200), 7.0), np.ones((300, 100)), 50, np.random.default_rng(0))
    >>> float((V @ L @ Qt.T).mean().round()), float((V @ P @ B).mean().round())
    (7.0, 1.0)
    """
    (n, d), n_labels = X.shape, Y.shape[1]
    V, L, Qt, P, B = (1 - rng.random(shape) for shape in ((n, c), (c, c), (d, c), (c, c), (c, n_labels)))
    if not published:  # the mean of a product of three uniform factors is c^2 / 8
        s = (8 * float(X.mean()) / c**2) ** (1 / 3) or 1.0
        for F in (V, L, Qt, P):
            F *= s
        B *= (8 * float(Y.mean()) / (c * s) ** 2) or 1.0
    return tuple(F.astype(X.dtype, copy=False) for F in (V, L, Qt, P, B))


def scaled_to_unit(X):
    """Bring every column to [0, 1]; sparse X stays sparse, or ValueError if it cannot."""
    if not sparse.issparse(X):
        return minmax_scale(X).astype(X.dtype, copy=False)
    X = sparse.csc_array(X, copy=True)
    low, high = (np.asarray(extreme(axis=0).todense()).ravel() for extreme in (X.min, X.max))
    if (low < 0).any():
        raise ValueError(
            f"Column {np.flatnonzero(low < 0)[0]} of the sparse X holds negative entries: to bring it to [0, 1] "
            "would make it dense. Pass X.toarray() if that fits into memory."
        )
    column = np.repeat(np.arange(X.shape[1]), np.diff(X.indptr))
    spread = np.where(high > low, high - low, 1)  # low > 0 only where every entry is stored
    X.data = (X.data - low[column]) / spread[column]
    return sparse.csr_array(X)
