"""Non-negative matrix factorisation with a basis shared by several blocks: the inner problem of all NMF methods here.

For non-negative matrices ``M_b`` (d, n_b) with weights ``s_b`` of their columns, a basis U (d, k) and coefficients
``V_b`` (n_b, k),

    min over U, V_b >= 0 of   sum_b sum_i s_bi ( ||M_b[:, i] - U V_b[i]||^2 + ridge_b ||V_b[i]||^2 )  +  penalty(U) .

With ``M sqrt(s)`` and ``sqrt(s) V`` in place of M and V the weights disappear, so one block with weights, two blocks of
which each has its own weight, and plain NMF of a scaled matrix are one problem. Samples are the columns of a block, and
their weights those of the classes; a method that weighs samples in rows passes its matrix transposed.

Products with a matrix cost most, and each is made once per iteration. Given ``B = sum_b M_b S_b V_b`` and
``G = sum_b V_b^T S_b V_b`` (k x k), the basis is improved without the matrix, and its fit is
``sum s ||M||^2 - 2 <B, U> + <U^T U, G>``. A block needs only ``@`` and ``.T @``: it can be sparse, or a matrix that is
never stored.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.optimize import nnls

from fslib.base import check_choice

EPS = np.finfo(float).eps

FIRST_SPEED = 0.5
"""How far ahead the basis is moved, as a share of its last change; grows by a tenth per step, halves on a failure."""


@dataclass(frozen=True)
class Block:
    """One matrix of the problem.

    Parameters
    ----------
    matrix : array, sparse array or LinearOperator of shape (d, n)
        Never written to, never copied.
    weights : float or array of shape (n,)
        Nonnegative weight of the squared error, one for all columns or one each.
    ridge : float
        Nonnegative penalty on the coefficients, in units of the weight.
    squared_norm : float, optional
        Weighted sum of the squared entries, for a matrix whose entries cannot be read (a LinearOperator).
    """

    matrix: Any
    weights: Any = 1.0
    ridge: float = 0.0
    squared_norm: float | None = None

    def weigh(self, V):
        """Multiply the rows of V (n, k) by their weights."""
        return np.reshape(self.weights, (-1, 1)) * V

    def total(self):
        """Weighted sum of squared entries."""
        if self.squared_norm is not None:
            return self.squared_norm
        M, s = self.matrix, np.broadcast_to(self.weights, self.matrix.shape[1])
        return float(M.power(2).sum(axis=0) @ s if sp.issparse(M) else np.einsum("ij,ij,j->", M, M, s, optimize=True))


@dataclass(frozen=True)
class Factors:
    """Basis (d, k), coefficients (n_b, k) of each block, objective of every iteration, whether it had converged."""

    basis: np.ndarray
    coefficients: list
    objective: np.ndarray
    converged: bool


def random_start(blocks, k, rng):
    """Uniform factors whose product has the mean of each block.

    Parameters
    ----------
    blocks : list of Block
    k : int
    rng : numpy.random.Generator

    Returns
    -------
    U : array of shape (d, k)
    V : list of arrays of shape (n_b, k)

    Examples
    --------
    >>> U, (V,) = random_start([Block(np.full((200, 300), 7.0))], 4, np.random.default_rng(0))
    >>> round(float((U @ V.T).mean()))
    7
    """
    d = blocks[0].matrix.shape[0]
    means = [np.sum(b.matrix @ np.ones((b.matrix.shape[1], 1))) / (d * b.matrix.shape[1]) for b in blocks]
    scale = 2 * np.sqrt((means[0] or 1.0) / k)  # entries are half of it on average; a block of zeros starts anywhere
    uniform = lambda size: 1 - rng.random((size, k))  # in (0, 1]: a zero could never leave in the multiplicative form
    V = [4 * mean / (k * scale) * uniform(b.matrix.shape[1]) for b, mean in zip(blocks, means, strict=True)]
    return scale * uniform(d), V


def factorise(
    blocks, U, V, *, solver="hals", sweeps=3, accelerate=None, penalty=None, basis_first=False, max_iter=200, tol=1e-5
):
    """Lower the objective from a given start, coefficients and basis in turn.

    Parameters
    ----------
    blocks : list of Block
    U : array of shape (d, k)
        Nonnegative start of the basis.
    V : list of arrays of shape (n_b, k)
        Nonnegative start of the coefficients.
    solver : {"hals", "multiplicative"}
        Coordinate descent on whole columns, or the multiplicative rule of Lee and Seung, which needs several times as
        many iterations.
    sweeps : int
        Passes of "hals" over the k columns per product with the matrices.
    accelerate : bool, optional
        Whether to run ahead: the next coefficients are found for a basis that is moved on in the direction of its last
        change. A step that raises the objective is taken back, so it costs nothing but that step, and it saves half of
        the iterations or more. By default for "hals" that starts with the coefficients.
    penalty : object with ``value(U)`` and ``weights(U)``, optional
        A norm as in ``fslib.solvers.norms``: its weights D, computed before each update of the basis, make a quadratic
        ``sum(D U**2)`` that lies above it.
    basis_first : bool
        Whether an iteration starts with the basis.
    max_iter : int
    tol : float
        Stop when an iteration lowers the objective by no more than this share of it.

    Returns
    -------
    Factors

    Raises
    ------
    ValueError
        If ``solver`` is not one of the two.

    Notes
    -----
    Both solvers never raise the objective, up to rounding: its value has an error of about 1e-15 times the data's
    squared norm. A column whose partner is zero has no influence and keeps its values, so that it can come back. Per
    iteration, two products of each matrix with k columns and O(sweeps (d + n) k^2).

    Examples
    --------
    >>> M = np.outer([1.0, 2.0, 0.0], [3.0, 1.0, 1.0])
    >>> found = factorise([Block(M)], np.ones((3, 1)), [np.ones((3, 1))])
    >>> (found.basis @ found.coefficients[0].T).round(6)
    array([[3., 1., 1.],
           [6., 2., 2.],
           [0., 0., 0.]])
    """
    check_choice("solver", solver, tuple(_RULES))
    improve = _RULES[solver]
    total = sum(block.total() for block in blocks)

    def update_basis(U, V):
        weighted = [block.weigh(part) for block, part in zip(blocks, V, strict=True)]
        B = sum(block.matrix @ part for block, part in zip(blocks, weighted, strict=True))
        G = sum(part.T @ own for part, own in zip(weighted, V, strict=True))
        improve(U, B, G, 0.0 if penalty is None else penalty.weights(U), sweeps)
        return total - 2 * _inner(B, U) + _inner(U.T @ U, G)

    def update_coefficients(U, V):
        G, fit = U.T @ U, total
        for block, part in zip(blocks, V, strict=True):
            B = block.matrix.T @ U
            improve(part, B, G, block.ridge, sweeps)
            weighted = block.weigh(part)
            fit += _inner(weighted.T @ part, G) - 2 * _inner(B, weighted)
        return fit

    updates = (update_basis, update_coefficients) if basis_first else (update_coefficients, update_basis)

    def step(U, V):
        U, V = np.array(U, dtype=float, order="F"), [np.array(part, dtype=float, order="F") for part in V]
        fit = [update(U, V) for update in updates][-1]
        ridges = sum(b.ridge * _inner(b.weigh(part), part) for b, part in zip(blocks, V, strict=True) if b.ridge)
        return U, V, fit + ridges + (0.0 if penalty is None else penalty.value(U))

    accelerate = (solver == "hals" and not basis_first) if accelerate is None else accelerate
    ahead, speed, objective, converged = U, FIRST_SPEED if accelerate else 0.0, [], False
    while len(objective) < max_iter and not converged:
        U_new, V_new, value = step(ahead, V)
        if objective and speed and value > objective[-1]:  # too far ahead
            speed /= 2
            U_new, V_new, value = step(U, V)
        converged = bool(objective) and objective[-1] - value <= tol * abs(value) + 8 * EPS * total
        objective.append(value)
        ahead = np.maximum(U_new + speed * (U_new - U), 0.0) if speed else U_new
        U, V, speed = U_new, V_new, min(1.1 * speed, 1.0)
    return Factors(U, V, np.array(objective), converged)


def _hals(F, B, G, shift, sweeps):
    """Minimise over each column of ``F >= 0`` in turn: ``<F G - 2 B, F> + <shift, F**2>``, shift a float or (m, 1)."""
    B, own = np.asfortranarray(B), G.diagonal()
    others = G - np.diag(own)
    curvature = own + shift  # (k,) or (m, k)
    smallest = EPS**2 * own.max()  # the partner of such a column is zero, or rounding
    for _ in range(sweeps):
        for j, g in enumerate(own):
            if g > smallest:
                column = B[:, j] - F @ others[:, j]
                column /= curvature[..., j]
                np.maximum(column, 0.0, out=F[:, j])
            elif np.any(shift):
                F[:, j] = 0.0


def _multiplicative(F, B, G, shift, sweeps):
    """Multiply ``F`` by the ratio of the negative and the positive part of the gradient; 0/0 gives 0."""
    upper, lower = F * B, F @ G + shift * F
    F[...] = np.divide(upper, lower, out=np.zeros_like(upper), where=lower != 0)


_RULES = {"hals": _hals, "multiplicative": _multiplicative}


def _inner(A, B):
    """Sum of the products of the entries."""
    return float(np.einsum("ij,ij->", A, B))


def with_unit_coefficients(blocks, U, V):
    """Give every component coefficients of unit norm, all blocks together, and its scale to the basis.

    ``U V^T`` stays what it is. The objective leaves the scale of a component open, so sums over rows of U mean nothing
    before it is fixed.

    Parameters
    ----------
    blocks : list of Block
        Their weights count in the norm.
    U, V
        As in `factorise`.

    Returns
    -------
    U : array of shape (d, k)
    V : list of arrays of shape (n_b, k)

    Examples
    --------
    >>> with_unit_coefficients([Block(np.zeros((1, 2)))], np.array([[2.0]]), [np.array([[3.0], [4.0]])])
    (array([[10.]]), [array([[0.6],
           [0.8]])])
    """
    scale = np.sqrt(sum(np.einsum("ij,ij->j", b.weigh(part), part) for b, part in zip(blocks, V, strict=True)))
    return U * scale, [part / np.where(scale > 0, scale, 1.0) for part in V]


def nonnegative_coefficients(X, H):
    """Exact non-negative least squares of every row of X on a fixed basis.

    Parameters
    ----------
    X : array of shape (n, d)
    H : array of shape (d, k)

    Returns
    -------
    array of shape (n, k)
        Row i minimises ``||x_i - H w||`` over ``w >= 0``.

    Examples
    --------
    >>> nonnegative_coefficients(np.array([[2.0, 3.0], [-1.0, 3.0]]), np.eye(2))
    array([[2., 3.],
           [0., 3.]])
    """
    Q, R = np.linalg.qr(H)  # k equations per row instead of d
    targets = X @ Q
    W = np.array([nnls(R, target)[0] for target in targets])
    return W.reshape(len(targets), H.shape[1])
