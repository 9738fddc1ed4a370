"""Norms that make whole rows or blocks of a coefficient matrix vanish, smoothed, with their reweighting diagonals.

Iteratively reweighted methods replace a norm ``||u||`` by a quadratic that touches it at the current point and lies
above it everywhere else: ``||u||^2 / (2 ||u_t||) + ||u_t|| / 2``. At ``u_t = 0`` that quadratic does not exist, so
every norm here is smoothed, ``||u||_eps = sqrt(||u||^2 + eps^2)``, in its value *and* in its weights. A method that
minimises the sum of the quadratics then lowers the smoothed objective in every step, whatever its start.

Each norm has two methods: ``value(W)``, and ``weights(W)``, the diagonal ``D`` of the quadratic ``sum(D * W**2)``, of
a shape that broadcasts against ``W`` (d, c).
"""

from dataclasses import dataclass, field

import numpy as np

EPSILON = 1e-8
"""Default smoothing: far below any coefficient that matters, far above rounding."""


def smoothed(squares, epsilon=EPSILON):
    """Smoothed norms ``sqrt(squares + epsilon^2)`` from squared norms, any shape.

    Examples
    --------
    >>> float(smoothed(np.array(9.0), epsilon=4.0))
    5.0
    """
    return np.sqrt(squares + epsilon**2)


def row_squares(W):
    """Squared Euclidean norm of each row of ``W`` (d, c), shape (d,), without a temporary of the size of ``W``."""
    return np.einsum("ij,ij->i", W, W)


@dataclass(frozen=True)
class L2p:
    """Sum over rows of ``(||w^i||^2 + eps^2)^(p/2)``: removes features (rows) jointly for all classes.

    Parameters
    ----------
    p : float in (0, 2)
        1 is the convex l2,1 norm; below 1 the penalty is not convex and removes more rows.
    epsilon : float
        Smoothing.

    Examples
    --------
    >>> W = np.array([[3.0, 4.0], [0.0, 0.0]])
    >>> round(L2p().value(W), 6)
    5.0
    >>> L2p(epsilon=0.5).weights(W).ravel().round(3)             # 1 / (2 ||w||_eps)
    array([0.1, 1. ])
    """

    p: float = 1.0
    epsilon: float = EPSILON

    def value(self, W):
        """Smoothed penalty, a float."""
        return float(np.sum((row_squares(W) + self.epsilon**2) ** (self.p / 2)))  # mlmlfs Eq. 3

    def weights(self, W):
        """Majorising diagonal, shape (d, 1): one weight per row."""
        return (self.p / 2) * (row_squares(W) + self.epsilon**2)[:, None] ** (self.p / 2 - 1)  # mlmlfs Eq. 7


@dataclass(frozen=True)
class G1:
    """Sum over views and classes of ``||w_p^(v)||``: removes a whole view for one class.

    Parameters
    ----------
    views : list of int arrays
        Row indices of each view.
    epsilon : float
        Smoothing.

    Examples
    --------
    >>> W = np.array([[3.0, 0.0], [4.0, 0.0], [0.0, 2.0]])
    >>> round(G1(views=[np.array([0, 1]), np.array([2])]).value(W), 6)   # 5 + 0 for view one, 0 + 2 for view two
    7.0
    """

    views: list = field(repr=False)
    epsilon: float = EPSILON

    def _norms(self, W):
        return np.stack([smoothed(row_squares(W[view].T), self.epsilon) for view in self.views])  # (V, c)

    def value(self, W):
        """Smoothed norm, a float."""
        return float(self._norms(W).sum())

    def weights(self, W):
        """Majorising diagonals, shape (d, c): constant within a view, different for each class."""
        return _spread(0.5 / self._norms(W), self.views, W.shape[0])


@dataclass(frozen=True)
class G21:
    """Sum over views of the Frobenius norm ``||W^(v)||_F``: removes a whole view for all classes.

    Parameters
    ----------
    views : list of int arrays
        Row indices of each view.
    epsilon : float
        Smoothing.

    Examples
    --------
    >>> W = np.array([[3.0, 0.0], [0.0, 4.0], [0.0, 2.0]])
    >>> round(G21(views=[np.array([0, 1]), np.array([2])]).value(W), 6)  # 5 + 2
    7.0
    """

    views: list = field(repr=False)
    epsilon: float = EPSILON

    def _norms(self, W):
        return np.array([[smoothed(np.sum(W[view] ** 2), self.epsilon)] for view in self.views])  # (V, 1)

    def value(self, W):
        """Smoothed norm, a float."""
        return float(self._norms(W).sum())

    def weights(self, W):
        """Majorising diagonal, shape (d, 1): constant within a view."""
        return _spread(0.5 / self._norms(W), self.views, W.shape[0])


class SumOfNorms:
    """Weighted sum of norms, itself a norm to the methods that use it.

    Parameters
    ----------
    *terms : pairs of a float and a norm
        Terms with factor zero are dropped.

    Examples
    --------
    >>> W = np.array([[3.0, 4.0], [0.0, 1.0]])
    >>> both = SumOfNorms((2.0, L2p()), (1.0, G21(views=[np.array([0]), np.array([1])])))
    >>> round(both.value(W), 6)                                      # 2 (5 + 1) + (5 + 1)
    18.0
    """

    def __init__(self, *terms):
        self.terms = [(factor, norm) for factor, norm in terms if factor != 0]

    def __repr__(self):
        return f"SumOfNorms({', '.join(map(repr, self.terms))})"

    def value(self, W):
        """Smoothed sum, a float."""
        return sum(factor * norm.value(W) for factor, norm in self.terms)

    def weights(self, W):
        """Majorising diagonals, shape (d, 1) or (d, c)."""
        return sum(factor * norm.weights(W) for factor, norm in self.terms)


def _spread(per_view, views, n_rows):
    """Copy the row of each view to all its features: (V, k) -> (d, k)."""
    out = np.empty((n_rows, per_view.shape[1]))
    for values, view in zip(per_view, views, strict=True):
        out[view] = values
    return out
