"""SCANMF: supervised context-aware non-negative matrix factorisation, as a feature ranking (braytee, section 4.1)."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_non_negative

from fslib.base import check_choice, constant_features, rank_by_score
from fslib.correlated._base import ClassSelector
from fslib.parameters import check_numbers
from fslib.solvers.correlation import CorrelationNetwork, check_thresholding
from fslib.solvers.nmf import Block, factorise, random_start, with_unit_coefficients
from fslib.solvers.norms import L2p, SumOfNorms

SCALES = {
    "clip": lambda X: np.maximum(X, 0.0),
    "log2": lambda X: np.log2(1.0 + np.maximum(X, 0.0)),
    "minmax": lambda X: (X - X.min(axis=0)) / np.where(np.ptp(X, axis=0) > 0, np.ptp(X, axis=0), 1.0),
}


class SCANMF(ClassSelector):
    """Rank features by a non-negative basis that explains the samples of all classes and the correlation network.

    With the samples of class c as columns of ``X_c`` (d, n_c), ``sigma_c = n / n_c``, and the network
    ``A_ij = |corr(x_i, x_j)|^theta`` (d, d),

        min over U, V_c, T >= 0 of
            sum_c sigma_c ||X_c - U V_c^T||^2  +  alpha ||A - U T^T||^2  +  beta sum_i ||u_i|| .

    The score of a feature is the norm of its row of U, once every component has coefficients of unit norm.

    Features that are large, or that correlate with many others, are ranked first. Labels enter by the weights sigma
    alone, and permuting them leaves nearly all of the ranking as it is. On raw or log values the ranking is close to
    that by mean, on values scaled to [0, 1] close to that by connectivity (sum of absolute correlations), so the
    scaling decides more than alpha does.

    Parameters
    ----------
    n_components : int
        Rank k of the factorisation.
    alpha : float
        Weight of the network, not negative. 0 leaves the network out.
    beta : float
        Weight of the row norms, not negative. As published the penalty has no effect, since U can shrink while the
        coefficients grow; with a ``ridge`` it has.
    theta : float
        Power of the absolute correlation, at least 1.
    threshold : float, optional
        In (0, 1]: network of ones where the absolute correlation reaches it, zeros elsewhere; theta is then not used.
    ridge : float
        Adds ``ridge (sum_c sigma_c ||V_c||^2 + ||T||^2)``, which makes beta effective; ``ridge=beta`` is a good choice.
    normalise_terms : bool
        Multiply alpha by ``sum_c sigma_c ||X_c||^2 / ||A||^2``, so that at alpha = 1 samples and network weigh the
        same.
    scale : {None, "clip", "log2", "minmax"}
        Negative values to 0; then ``log2(1 + x)``; or each feature to [0, 1], by the rows that ``fit`` sees. None takes
        X as it is and refuses negative values.
    memory_budget : int
        Bytes that the network may take, 2 d^2 and a little; beyond that it is recomputed at every product.
    max_iter : int
        Largest number of iterations, each of which updates all factors.
    tol : float
        Relative decrease of the objective below which it has converged.
    reading : {"corrected", "published"}
        "published": multiplicative rules from uniform factors in the published order, ``max_iter`` iterations whatever
        happens, weights of the row norms 1 in the first iteration, and rows of U as the factorisation leaves them,
        whose scale is arbitrary. The published rules transpose factors in two ways that exclude each other; any
        consistent repair gives these.
    n_features_to_select : int, float or None
        Number of features to keep, their share, or None for half.
    random_state : int, Generator or None
        Draws the start.

    Attributes
    ----------
    scores_ : array of shape (d,)
        0 for constant features, which have no correlation and are left out.
    basis_ : array of shape (d, k)
        U.
    coefficients_ : array of shape (n, k)
        Rows of V_c in the order of the samples.
    network_coefficients_ : array of shape (d, k) or None
        T; None if alpha is 0.
    network_form_ : {"stored", "recomputed", "factored"} or None
        How products with the network were made.
    objective_ : array of shape (n_iter_,)
        After each iteration; never rises, up to the single precision of the network.
    n_iter_ : int
    converged_ : bool
    ranking_, support_, classes_, n_features_in_, feature_names_in_
        See ``FeatureSelector``.

    Raises
    ------
    ValueError
        For parameters outside their range, NaN, one class only, or negative entries with ``scale=None``.

    Warns
    -----
    ConvergenceWarning
        If ``max_iter`` was reached first ("corrected" only).

    Notes
    -----
    Not convex: different starts give different rankings, which share most of their first tenth. Per iteration two
    products with the network, O(d^2 k) stored and O(d^2 (n + k)) recomputed, and O(n d k). At theta = 2 the network is
    never formed: O(n^2 d k). See `fslib.solvers.correlation.CorrelationNetwork`.

    References
    ----------
    A. Braytee, PhD thesis, University of Technology Sydney, 2018, equations 4.1.1 to 4.1.16, Algorithm 3.

    Examples
    --------
    Ten of 40 features share a profile. On a scale of its own the network finds them; the class plays no part.

    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.random((30, 40)), np.arange(30) % 2
    >>> X[:, 20:30] = rng.random((30, 1)) + 0.1 * rng.random((30, 10))
    >>> selector = SCANMF(alpha=10, ridge=0.5, scale="minmax", n_features_to_select=10, random_state=0).fit(X, y)
    >>> selector.get_support(indices=True)
    array([20, 21, 22, 23, 24, 25, 26, 27, 28, 29])
    """

    def __init__(
        self,
        *,
        n_components=2,
        alpha=0.4,
        beta=0.5,
        theta=1.0,
        threshold=None,
        ridge=0.0,
        normalise_terms=False,
        scale=None,
        memory_budget=2**30,
        max_iter=100,
        tol=1e-5,
        reading="corrected",
        n_features_to_select=None,
        random_state=None,
    ):
        super().__init__(n_features_to_select=n_features_to_select)
        self.n_components = n_components
        self.alpha = alpha
        self.beta = beta
        self.theta = theta
        self.threshold = threshold
        self.ridge = ridge
        self.normalise_terms = normalise_terms
        self.scale = scale
        self.memory_budget = memory_budget
        self.max_iter = max_iter
        self.tol = tol
        self.reading = reading
        self.random_state = random_state

    def fit(self, X, y):
        """Factor samples and network together and score the features.

        Parameters
        ----------
        X : array or DataFrame of shape (n, d)
            Nonnegative unless ``scale`` is given.
        y : array of shape (n,)
            Classes, at least two.

        Returns
        -------
        SCANMF
        """
        self._check_parameters()
        X, codes = self._validate(X, y)
        varies = X.min(axis=0) < X.max(axis=0)
        X = self._nonnegative(X) * varies
        members = [np.flatnonzero(codes == c) for c in range(len(self.classes_))]
        # braytee Eq. 4.1.2
        blocks = [Block(X[rows].T, weights=len(X) / len(rows), ridge=self.ridge) for rows in members]
        if self.alpha > 0:
            blocks.append(self._network_block(X, sum(block.total() for block in blocks)))
        U, parts, found = self._factorise(blocks)
        self.basis_ = U
        self.coefficients_ = np.empty((len(X), self.n_components))
        for rows, part in zip(members, parts, strict=False):
            self.coefficients_[rows] = part
        self.network_coefficients_ = parts[-1] if self.alpha > 0 else None
        self.network_form_ = blocks[-1].matrix.form if self.alpha > 0 else None
        self.objective_, self.n_iter_, self.converged_ = found.objective, len(found.objective), found.converged
        if not self.converged_ and self.reading == "corrected" and self.tol > 0:
            warnings.warn(
                f"SCANMF stopped after max_iter={self.max_iter} iterations, the last of which still lowered the "
                f"objective by more than tol={self.tol:g} of it. Raise max_iter, or tol if a ranking is all you need.",
                ConvergenceWarning,
                stacklevel=2,
            )
        scores = np.where(varies, np.linalg.norm(U, axis=1), 0.0)  # braytee Algorithm 3
        largest = scores.max()
        order = rank_by_score(scores / largest if largest > 0 else scores, constant=constant_features(X))
        return self._store_ranking(scores=scores, order=order)

    def _network_block(self, X, samples_norm):
        network = CorrelationNetwork(X, self.theta, self.threshold, memory_budget=self.memory_budget)
        alpha = float(self.alpha)
        if self.normalise_terms and network.squared_norm > 0:
            alpha *= samples_norm / network.squared_norm
        # the ridge of a block counts in units of its weight
        return Block(network, alpha, ridge=self.ridge / alpha, squared_norm=alpha * network.squared_norm)

    def _factorise(self, blocks):
        rng, k = np.random.default_rng(self.random_state), self.n_components
        if self.reading == "corrected":
            penalty = SumOfNorms((self.beta, L2p())) if self.beta > 0 else None
            U, V = random_start(blocks, k, rng)
            found = factorise(blocks, U, V, penalty=penalty, max_iter=self.max_iter, tol=self.tol)
            return *with_unit_coefficients(blocks, found.basis, found.coefficients), found
        V = [1 - rng.random((block.matrix.shape[1], k)) for block in blocks]
        U = 1 - rng.random((blocks[0].matrix.shape[0], k))
        penalty = _LateWeights(self.beta) if self.beta > 0 else None
        # In turn V of either class, T and U:
        # braytee Eq. 4.1.13
        # braytee Eq. 4.1.14
        # braytee Eq. 4.1.15
        # braytee Eq. 4.1.16
        found = factorise(blocks, U, V, solver="multiplicative", penalty=penalty, max_iter=self.max_iter, tol=-np.inf)
        return found.basis, found.coefficients, found

    def _nonnegative(self, X):
        if self.scale is not None:
            return SCALES[self.scale](X)
        check_non_negative(X, "SCANMF (choose a scale)")
        return X

    def _check_parameters(self):
        check_choice("reading", self.reading, ("corrected", "published"))
        check_choice("scale", self.scale, (None, *SCALES))
        check_thresholding(self.theta, self.threshold)
        not_negative = ("a number >= 0", lambda v: v >= 0)
        check_numbers(
            self,
            integers=[("n_components", 1), ("max_iter", 1), ("memory_budget", 0)],
            numbers=[(name, *not_negative) for name in ("alpha", "beta", "ridge", "tol")],
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = self.scale is None
        return tags


class _LateWeights(SumOfNorms):
    """The row norms of Algorithm 3: its D is the identity until the first update of U is done."""

    def __init__(self, beta):
        super().__init__((beta, L2p(epsilon=1e-12)))
        self.beta, self.fresh = beta, True

    def weights(self, U):
        if self.fresh:
            self.fresh = False
            return np.full((len(U), 1), float(self.beta))
        return super().weights(U)
