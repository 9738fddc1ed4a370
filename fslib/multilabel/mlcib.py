"""ML-CIB: multi-label classification with class imbalance and incomplete labels (Braytee 2018, section 5.2)."""

import numpy as np

from fslib.multilabel.learner import LabelClassifier
from fslib.multilabel.mlcib_solver import solve_mlcib


class MLCIB(LabelClassifier):
    """Sparse linear regression on a corrected label matrix that is estimated jointly.

    With coefficients W, a new real-valued label matrix N, a target T computed from the labels, and a graph Laplacian
    Lap,

        min over W, N   ||X W - N||^2 / 2  +  alpha/2 tr(N^T Lap N)  +  beta/2 ||N - T||^2  +  gamma ||W||_1 ;

    label j of a sample x is predicted if ``x^T w_j >= threshold``. Good on wide sparse data (text) with many labels, of
    which some positives were never recorded; fast, since only products with X are needed. Unsuitable where labels are
    far from linear in the features, and for unscaled columns: scale X to [0, 1] first (``MaxAbsScaler``). The problem
    is jointly convex.

    Parameters
    ----------
    alpha : float, default=0.1
        Weight of the graph, >= 0.
    beta : float, default=1.0
        Weight of the target, > 0. The smaller, the more the new labels follow the predictions.
    gamma : float or "auto", default=0.1
        Weight of the sparsity, >= 0. "auto": 2 % of the value from which on no feature is used.
    graph : {"samples", "labels", "none"}
        "samples": similar samples get similar labels; similarity is the cosine where X >= 0, else a graph of nearest
        neighbours. "labels": labels that occur together get similar values. "none": no such term.
    label_matrix : {"cooccurrence", "agreement", "none"}
        T. "none": the labels Y. "cooccurrence": ``min(1, Y V)`` with ``V_ij`` the share of the samples of label i that
        have label j too: recorded positives stay 1, likely unrecorded ones rise. "agreement": the thesis's ``Y V``,
        where ``V_ij`` is the share of samples on which i and j agree; with rare labels every column of it is
        about the number of labels of the sample, so that a threshold of 0.5 means little.
    threshold : float, default=0.5
        Score from which on a label is predicted.
    n_neighbors : int, default=5
        Of the graph of samples where X has negative entries.
    fit_intercept : bool, default=False
        Add a constant to every label, free of gamma.
    max_iter : int, optional
        Default 200, and 30 for "published".
    tol : float, default=1e-5
        Relative decrease of the objective per step below which it has converged; not used by "published".
    solver : {"eliminate", "joint"}
        "eliminate" minimises over N exactly in every step. "joint" steps in both and needs a graph of samples or none;
        slower, the same optimum.
    reading : {"corrected", "published"}
        "published" is the thesis's Algorithm 6 to the letter: ``X X^T`` in place of the Laplacian (which pushes similar
        samples *apart*), ``W_1 = (X^T X + 0.001 I)^-1 X^T T``, alternating steps, and a threshold gamma that does not
        scale with the step. Set ``label_matrix="agreement"`` too for all of it.
    n_jobs : int, default=1
        Threads for the products of sparse X.

    Attributes
    ----------
    coef_ : array of shape (d, l)
    intercept_ : array of shape (l,)
    label_matrix_ : array of shape (n, l)
        N.
    gamma_ : float
        As used.
    gamma_max_ : float
        Smallest gamma for which ``coef_`` is 0 (corrected reading).
    objective_ : array of shape (n_iter_,)
        After each step; never rises for "corrected".
    n_iter_ : int
    converged_ : bool
    classes_ : array([0, ..., l - 1])
    label_names_ : array of shape (l,)
    n_features_in_, feature_names_in_

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
    An unknown label (NaN) counts as not recorded, that is as 0, as the method assumes.

    Per step about ``6 nnz(X) l`` multiplications, plus ``n l^2`` for "labels"; memory: X twice, and some ten matrices
    of d x l or n x l. X in single precision is worked on in single precision. No n x n or d x d matrix is formed,
    except by "published" for its start (the smaller of the two).

    References
    ----------
    A. Braytee, "Robust classification of high dimensional unbalanced single and multi-label datasets", PhD thesis,
    University of Technology Sydney (2018): objective 5.2.5, labels 5.2.3-5.2.4, updates 5.2.8-5.2.10, Algorithm 6. Here
    the terms of alpha and beta have a factor 1/2, so that the published gradients, apart from their shapes, are those
    of the objective.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((80, 6))
    >>> y = (X[:, [4, 1]] > 0.5).astype(int)                # label 0 depends on column 4, label 1 on column 1
    >>> model = MLCIB(label_matrix="none", fit_intercept=True).fit(X, y)
    >>> np.abs(model.coef_).argmax(axis=0), bool((model.predict(X) == y).mean() > 0.9)
    (array([4, 1]), True)
    """

    _beside_numbers = {"gamma": ("auto",)}

    def __init__(
        self,
        *,
        alpha=0.1,
        beta=1.0,
        gamma=0.1,
        graph="samples",
        label_matrix="cooccurrence",
        threshold=0.5,
        n_neighbors=5,
        fit_intercept=False,
        max_iter=None,
        tol=1e-5,
        solver="eliminate",
        reading="corrected",
        n_jobs=1,
    ):
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        self.graph = graph
        self.label_matrix = label_matrix
        self.threshold = threshold
        self.n_neighbors = n_neighbors
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.solver = solver
        self.reading = reading
        self.n_jobs = n_jobs

    def fit(self, X, y):
        """Find coefficients and the new label matrix.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
        y : array or DataFrame of shape (n, l)
            0, 1 or NaN for unknown.

        Returns
        -------
        MLCIB
        """
        X, labels = self._validate(X, y)
        self.classes_ = np.arange(labels.values.shape[1])
        return solve_mlcib(self, X, labels.values)

    def decision_function(self, X):
        """``X W + b - threshold``: at least 0 where a label is predicted.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d)

        Returns
        -------
        array of shape (m, l)
        """
        X = self._validate_new(X)
        return X @ self.coef_ + self.intercept_ - self.threshold

    def predict(self, X):
        """Labels whose score reaches the threshold.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d)

        Returns
        -------
        array of int, shape (m, l)
        """
        return (self.decision_function(X) >= 0).astype(int)
