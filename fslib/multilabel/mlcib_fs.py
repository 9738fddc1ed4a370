"""ML-CIB-FS: ML-CIB as a selector of features (Braytee 2018, section 5.2)."""

import numpy as np

from fslib.base import constant_features
from fslib.multilabel.mlcib_solver import solve_mlcib
from fslib.multilabel.selector import MultiLabelSelector


class MLCIBFS(MultiLabelSelector):
    """Rank features by the size of their coefficients in ML-CIB.

    Coefficients W and a new label matrix N minimise, with a target T computed from the labels and a graph Laplacian
    Lap,

        ||X W - N||^2 / 2  +  alpha/2 tr(N^T Lap N)  +  beta/2 ||N - T||^2  +  gamma ||W||_1 ,

    and feature j scores the norm of row j of W. Good on wide sparse data with many labels, where it takes seconds. It
    is a linear method: it misses features that are informative only jointly, and of correlated features the L1 penalty
    keeps few. Columns should be on one scale (``MaxAbsScaler``).

    Parameters
    ----------
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half. The ranking does not depend on it.
    alpha : float, default=0.1
        Weight of the graph, >= 0.
    beta : float, default=1.0
        Weight of the target, > 0.
    gamma : float or "auto", default=0.1
        Weight of the sparsity, >= 0. "auto": 2 % of the value from which on no feature is used. Features without a
        coefficient share the last place, by index: take gamma small enough for the number wanted.
    graph : {"samples", "labels", "none"}
        "samples": similar samples get similar labels (similar by the cosine where X >= 0, else by nearest neighbours);
        "labels": labels that occur together get similar values; "none": no graph.
    label_matrix : {"cooccurrence", "agreement", "none"}
        T: labels raised by their rate of occurrence with those present, the thesis's product with the shares of
        agreement, or the labels as they are.
    n_neighbors : int, default=5
        Of the graph of samples where X has negative entries.
    fit_intercept : bool, default=False
        Fit an unpenalised intercept per label.
    max_iter : int, optional
        Default 200, and 30 for "published".
    tol : float, default=1e-5
        See `MLCIB`.
    solver : {"eliminate", "joint"}
        Two ways to the same optimum, the first one faster.
    reading : {"corrected", "published"}
        "published" is the thesis's Algorithm 6 to the letter, on ``X X^T`` in place of the Laplacian.
    n_jobs : int, default=1
        Threads for the products of sparse X.

    Attributes
    ----------
    scores_ : array of shape (d,)
        0 for constant columns, which at most act as an intercept.
    coef_, intercept_, label_matrix_, gamma_, gamma_max_, objective_, n_iter_, converged_
        See ``MLCIB``.
    ranking_, support_, n_features_in_, feature_names_in_, label_names_
        See ``FeatureSelector`` and ``MultiLabelSelector``.

    Raises
    ------
    ValueError
        For parameters outside their range, NaN in X, and labels that are not 0, 1 or NaN.

    Warns
    -----
    ConvergenceWarning
        If ``max_iter`` was reached first (not for ``tol=0``).

    Notes
    -----
    An unknown label counts as 0. About ``6 nnz(X) l`` multiplications per step, memory for X twice and some ten
    matrices of d x l or n x l; X in single precision is worked on in single precision.

    References
    ----------
    A. Braytee, "Robust classification of high dimensional unbalanced single and multi-label datasets", PhD thesis,
    University of Technology Sydney (2018), section 5.2.1, equation 5.2.5.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((80, 6))
    >>> MLCIBFS(n_features_to_select=2).fit(X, X[:, [4, 1]] > 0.5).get_support(indices=True)
    array([1, 4])
    """

    _accepts_sparse = True
    _dtypes = (np.float64, np.float32)

    _beside_numbers = {"gamma": ("auto",)}

    def __init__(
        self,
        *,
        n_features_to_select=None,
        alpha=0.1,
        beta=1.0,
        gamma=0.1,
        graph="samples",
        label_matrix="cooccurrence",
        n_neighbors=5,
        fit_intercept=False,
        max_iter=None,
        tol=1e-5,
        solver="eliminate",
        reading="corrected",
        n_jobs=1,
    ):
        super().__init__(n_features_to_select=n_features_to_select)
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        self.graph = graph
        self.label_matrix = label_matrix
        self.n_neighbors = n_neighbors
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.solver = solver
        self.reading = reading
        self.n_jobs = n_jobs

    def fit(self, X, y):
        """Find coefficients and rank features by them.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
        y : array or DataFrame of shape (n, l)
            0, 1 or NaN for unknown.

        Returns
        -------
        MLCIBFS
        """
        X, labels = self._validate(X, y)
        solve_mlcib(self, X, labels.values)
        return self._store_ranking(scores=np.linalg.norm(self.coef_, axis=1) * ~constant_features(X))
