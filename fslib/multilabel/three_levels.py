"""Information of two-level features with labels of three levels: absent, unknown, present."""

from fslib.multilabel.interactions import LabelInteractions, column_counts, two_by_two


class ThreeLevelInteractions(LabelInteractions):
    """``LabelInteractions`` in which *unknown* is a value of the label like any other.

    With ``v`` running over absent, unknown and present, and N the number of *all* samples,

        I(f; s; l) = I(f; s) - I(f; s | l),     N I(f; s | l) = sum_v N_v I(f; s | l = v) .

    A label whose entries are hidden at random gains nothing by the third level, but its counts differ from those that
    leave the unknown entries out.

    Parameters
    ----------
    Z : array of bool or CSR array, shape (n, d)
        Two-level features.
    Y : array of shape (n, c)
        0, 1 or NaN for unknown.

    Notes
    -----
    Without unknown labels all sums equal those of ``LabelInteractions``. Time of ``relevance`` and ``with_feature``
    O(n d c).

    Examples
    --------
    The feature tells which labels are unknown, and nothing else: one bit.

    >>> import numpy as np
    >>> Z, Y = np.array([[0], [0], [1], [1]], dtype=bool), np.array([[0.0], [0.0], [np.nan], [np.nan]])
    >>> (ThreeLevelInteractions(Z, Y).relevance() / np.log(2)).round(12)
    array([1.])
    """

    def __init__(self, Z, Y):
        super().__init__(Z, Y)
        self._n = Z.shape[0]
        self._ones = column_counts(self._Z)
        unknown = 1 - self._known
        self._levels = [
            (block, column_counts(block), self._with_features(block))
            for block in (self._positive, self._known - self._positive, unknown)
        ]

    def relevance(self):
        """Sum over labels of I(f; l) for every feature f, shape (d,)."""
        phi, ones = self._phi, self._ones[:, None]
        total = phi[self._n] - phi[ones] - phi[self._n - ones]
        for _, n_level, f1 in self._levels:
            total = total + phi[f1] + phi[n_level - f1] - phi[n_level]
        return total.sum(axis=1) / self._n

    def with_feature(self, s):
        """Sum over labels of I(f; z_s) - I(f; z_s | l) for every feature f, shape (d,)."""
        column, within = self._column(s), 0
        for block, n_level, f1 in self._levels:
            chosen = column * block
            within = within + self._information(
                two_by_two(self._with_features(chosen), f1, column_counts(chosen), n_level)
            )
        return self._positive.shape[1] * self.between_features(s) - within.sum(axis=1) / self._n
