"""What a criterion is: a function of a table of counts, larger when the features tell more about the target."""

import abc
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

_LOOKED_UP = 1 << 12  # different losses in a table at most: 32 KB


@dataclass(frozen=True)
class Criterion(abc.ABC):
    """Best value of a performance measure that any predictor can reach when it sees a sample's cell only.

    A set of discrete features splits the samples into cells. All that the criterion needs is the table of *statistics*
    of each cell: for classification how many samples of each class it holds, for regression the moments of the target.
    Every criterion is to be maximised and can only grow when cells are split, that is when a feature is added.

    A new criterion implements ``evaluate``; an additive one derives from ``AdditiveCriterion`` and implements
    ``cell_loss``. With two classes the second one is the positive class.
    """

    name: ClassVar[str]
    task: ClassVar[str] = "classification"

    def check_classes(self, n_classes):  # noqa: B027 (most criteria accept any number)
        """Raise ValueError if the criterion is not defined for this number of classes."""

    @abc.abstractmethod
    def evaluate(self, counts, totals, pure):
        """Values of B tables at once, without checks.

        Parameters
        ----------
        counts : array of shape (K, C, B, L)
            K statistics of the cells (c, l) of table b. A search has C cells, each split by B candidate features
            into L levels; a single table is C = B = 1.
        totals : array of shape (K, B) or (K, 1)
            Statistics of all samples, those in ``pure`` included.
        pure : array of shape (K,)
            Samples of each class in further cells, common to all tables, that hold no other class.

        Returns
        -------
        array of shape (B,)
        """

    def value(self, table):
        """Criterion of one table or of a stack of tables.

        Parameters
        ----------
        table : array of shape (..., cells, classes)
            Non-negative counts, or probabilities. Empty cells are allowed and change nothing.

        Returns
        -------
        float or array of shape (...)

        Raises
        ------
        ValueError
            If the table is not two-dimensional at least, holds negative or non-finite numbers, lacks a class, or has
            more classes than the criterion can deal with.

        Examples
        --------
        >>> from fslib.filters.criteria import ZeroOne
        >>> ZeroOne().value([[3, 1], [0, 4]])       # one error among eight samples
        -0.125
        """
        table = np.asarray(table, dtype=float)
        if table.ndim < 2 or table.size == 0:
            raise ValueError(f"table must have shape (..., cells, {self._columns}), got {table.shape}.")
        self._check_table(table)
        lead = table.shape[:-2]
        flat = table.reshape(-1, *table.shape[-2:])  # (B, cells, K)
        counts = np.moveaxis(flat, -1, 0)[:, None]  # (K, 1, B, cells)
        values = self.evaluate(counts, counts.sum(axis=(1, 3)), np.zeros(len(counts))).reshape(lead)
        return values if lead else float(values)

    _columns: ClassVar[str] = "classes"

    def _check_table(self, table):
        if not np.isfinite(table).all() or (table < 0).any():
            raise ValueError("table must hold counts or probabilities: finite and not negative.")
        self.check_classes(table.shape[-1])
        if (table.sum(axis=-2) == 0).any():
            raise ValueError("a class of the table has no sample: drop its column, or give it some.")


class BinaryCriterion(Criterion):
    """A criterion for two classes only."""

    def check_classes(self, n_classes):
        """Raise ValueError unless there are two classes."""
        if n_classes != 2:
            raise ValueError(f"{type(self).__name__} is defined for two classes, got {n_classes}.")


class AdditiveCriterion(Criterion):
    """Minus the mean over the samples of a loss that cells contribute to separately.

    Examples
    --------
    A criterion of one's own, the loss of the best two guesses among many classes:

    >>> class TopTwo(AdditiveCriterion):
    ...     name = "top_two"
    ...     def cell_loss(self, counts, totals):
    ...         return counts.sum(axis=0) - np.sort(counts, axis=0)[-2:].sum(axis=0)
    >>> TopTwo().value([[4, 3, 1], [0, 2, 6]])
    -0.0625
    """

    @abc.abstractmethod
    def cell_loss(self, counts, totals):
        """Loss of each cell, shape (C, B, L), from its statistics (K, C, B, L); totals has shape (K, 1, B or 1, 1).

        It must be defined for any counts: search looks up losses in a table of all small ones, whether they occur or
        not.
        """

    def scale(self, totals):
        """Divisor of the summed loss: the number of samples."""
        return totals.sum(axis=0)

    def evaluate(self, counts, totals, pure):
        """Sum the cells, then add the pure ones, which every table shares."""
        return self.finish(self.add_up(counts, totals), totals, pure)

    def add_up(self, counts, totals, before=None):
        """Loss summed over the cells.

        Parameters
        ----------
        counts : array of shape (K, C, ...)
            Statistics of cells.
        totals : array of shape (K, B or 1)
        before : array of shape (...), optional
            What this returned for cells that came before.

        Returns
        -------
        array of shape (...)
            Like ``counts[0, 0]``: of features and their levels, (B, L), or of columns that stand for one of these each.
        """
        loss = self._loss_of_bytes(counts, totals) if counts.dtype == np.uint8 else None
        if loss is None:
            loss = self._loss(counts.astype(np.int64) if counts.dtype == np.uint8 else counts, totals)
        if loss.dtype == np.uint8:
            return _sum_bytes(loss, before)
        if before is not None:
            # A loss of one's own may be a view, of few bits, or whole in one stretch and a fraction in another.
            loss = np.require(loss, np.result_type(loss, before), "W")
            loss[0] += before  # first, so that stretches add up in the order, and so to the bits, of one table
        return loss.sum(axis=0)  # the long axis first: it is the fast one

    def add_up_compiled(self, kernels, counts, totals, before=None):
        """Loss summed over the cells, like `add_up`, but with compiled kernels if losses are looked up."""
        is_own = type(self).add_up is not AdditiveCriterion.add_up
        found = None if is_own or counts.dtype != np.uint8 else self._loss_table(counts, totals)
        sums_are_float = before is None or before.dtype == np.float64
        if found is None or found[1].dtype != np.float64 or not sums_are_float:
            return self.add_up(counts, totals, before)
        out = np.full(counts.shape[2], -0.0) if before is None else before.copy()
        size, table = found
        cells = np.ascontiguousarray(counts.swapaxes(0, 1)).reshape(-1, counts.shape[2])
        kernels.add_losses(cells, len(counts), size, table, out)
        return out

    def _loss(self, counts, totals):
        """Loss of cells (K, C, B, L) or (K, C, m)."""
        if counts.ndim == 3:
            return self.cell_loss(counts[..., None], totals[:, None, :, None])[..., 0]
        return self.cell_loss(counts, totals[:, None, :, None])

    def _loss_table(self, counts, totals):
        """Number of counts and loss of every combination of these, or None where there are too many different ones."""
        K, size = len(counts), int(counts.max(initial=0)) + 1
        if not 1 < size**K <= min(_LOOKED_UP, counts[0].size) or totals.shape[1] > 1:
            return None
        return size, self._loss(np.indices((size,) * K).reshape(K, -1, 1), totals)[:, 0]

    def _loss_of_bytes(self, counts, totals):
        """Loss of cells by looking up their counts, or None where there are too many different ones."""
        found = self._loss_table(counts, totals)
        if found is None:
            return None
        size, table = found
        different = counts[0].astype(np.min_scalar_type(len(table) - 1))
        for count in counts[1:]:
            different *= different.dtype.type(size)
            different += count
        return table.take(different, mode="clip")

    def finish(self, loss, totals, pure):
        """Value from the loss of the levels (B, L)."""
        loss = np.ascontiguousarray(loss).sum(axis=-1)  # layouts differ, and with them would the last bits
        if pure.any():
            loss = loss + self.cell_loss(np.diag(pure)[:, :, None, None], totals[:, None, :, None]).sum(axis=0).sum(
                axis=-1
            )
        return 0.0 - loss / self.scale(totals)  # bayes Eq. 3; never -0.0


def _sum_bytes(values, before):
    """Sum over the first axis; two bytes hold the sum of 257, which is fast."""
    whole = len(values) // 257 * 257
    sums = np.add.reduce(values[:whole].reshape(-1, 257, *values.shape[1:]), axis=1, dtype=np.uint16)
    out = sums.sum(axis=0, dtype=np.int64)
    out += np.add.reduce(values[whole:], axis=0, dtype=np.uint16)
    return out if before is None else before + out
