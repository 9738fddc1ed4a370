"""Rows in the partitions of a Dask collection, counted where they are.

Codes stay with the workers. Tables of counts travel, added up in a tree, and per selected feature its codes, to the
caller, and the group of every sample, back.
"""

import numpy as np

from fslib.classes import encode_classes, join_classes
from fslib.counts.dask_table import DaskTable, check_part, is_dask
from fslib.counts.parts import MEMORY, PartLevels, add_counts
from fslib.counts.vocabulary import Vocabulary
from fslib.inputs import refuse_masked

_FAN_IN = 8  # tables that are added up in one task


class DaskRows:
    """Rows of a ``dask.array`` or ``dask.dataframe`` and their classes.

    Parameters
    ----------
    X : dask.array (n, d) or dask.dataframe
        Of known row counts if an array. Arrays that are also chunked by columns are put together row-wise.
    y : dask.array, dask Series or array, shape (n,)
        In partitions of the same lengths as X if a Dask collection.

    Raises
    ------
    ImportError
        If Dask is not installed.
    ValueError
        If row counts are not known, or partitions do not match.

    Notes
    -----
    Dask keeps the encoded partitions and makes them again if a worker is lost; counts are added up as integers, so
    neither the partitions nor the order of work changes a result. A pass sends n bytes and more to the workers, for the
    groups, and G L d numbers of 8 bytes back.
    """

    memory = MEMORY

    def __init__(self, X, y):
        table = DaskTable(X)
        self._dask, self._parts = table._dask, table.parts
        self.names = table.names and [str(name) for name in table.names]
        self._y = self._split_classes(y)

    def _split_classes(self, y):
        if is_dask(y):
            if np.ndim(y) != 1:
                raise ValueError(f"y must be one-dimensional, got {np.ndim(y)} dimension(s).")
            parts = list(y.to_delayed().ravel()) if hasattr(y.to_delayed(), "ravel") else y.to_delayed()
            if len(parts) != len(self._parts):
                raise ValueError(f"y has {len(parts)} partitions and X {len(self._parts)}: give both the same ones.")
            return parts
        refuse_masked(y, "y")
        y = np.asarray(y)
        if y.ndim != 1:
            raise ValueError(f"y must hold one class for each row of X, got shape {y.shape}.")
        return y

    def encode(self):
        """Find the levels and fetch the classes; see `RowBlocks.encode`."""
        delayed, compute = self._dask.delayed, self._dask.compute
        whole = [delayed(check_part, pure=True)(part, self.names) for part in self._parts]
        found = [delayed(_vocabularies, pure=True)(part, self.names) for part in whole]
        labels = self._y if isinstance(self._y, list) else []
        found, labels = compute(found, [delayed(np.asarray)(part) for part in labels])
        sizes, words = [size for size, _ in found], None
        for (_, columns), number in zip(found, range(len(found)), strict=True):
            if words is None:
                words = columns
                continue
            if len(columns) != len(words):
                raise ValueError(f"partition {number} of X has {len(columns)} columns and the first one {len(words)}.")
            for vocabulary, other in zip(words, columns, strict=True):
                vocabulary.merge(other)
        if not sum(sizes):
            raise ValueError("X holds no rows.")
        y = join_classes(labels) if labels else self._y
        if labels and [len(part) for part in labels] != sizes:
            raise ValueError("the partitions of y have other lengths than those of X: give both the same ones.")
        if len(y) != sum(sizes):
            raise ValueError(f"y holds {len(y)} classes and X {sum(sizes)} rows.")
        for vocabulary in words:
            vocabulary.close()
        self.n, self._bounds = sum(sizes), np.cumsum([0, *sizes])
        n_levels = np.array([len(v) for v in words])
        classes, codes = encode_classes(y)
        known, kind = delayed(words), np.min_scalar_type(int(n_levels.max()) - 1)
        self._codes = list(self._dask.persist(*[delayed(_encode_part, pure=True)(p, known, kind) for p in whole]))
        return PartLevels(self, n_levels), self.names, classes, codes.astype(np.min_scalar_type(-len(classes)))

    def read(self, columns, kind):
        """Codes (b, n) of some columns."""
        pick = self._dask.delayed(_pick, pure=False)
        parts = self._dask.compute([pick(codes, columns) for codes in self._codes])[0]
        return np.concatenate(parts, axis=1).astype(kind)

    def count(self, columns, n_levels, group, n_groups):
        """Tables of counts, added up over the partitions in a tree; see `PartLevels`."""
        delayed = self._dask.delayed
        small = np.promote_types(np.int8, np.min_scalar_type(-max(1, n_groups)))  # a byte per sample if it does
        group = group.astype(small)
        bounds = zip(self._bounds[:-1], self._bounds[1:], self._codes, strict=True)
        count, add = delayed(_count_part, pure=False), delayed(_add, pure=False)
        tables = [count(codes, columns, n_levels, group[a:b], n_groups) for a, b, codes in bounds]
        while len(tables) > 1:
            tables = [add(tables[i : i + _FAN_IN]) for i in range(0, len(tables), _FAN_IN)]
        return self._dask.compute(tables[0])[0]


def _vocabularies(part, names):
    """Number of rows and distinct values of each column of a partition."""
    columns = _columns(part)
    words = [Vocabulary(repr(names[j]) if names else j) for j in range(len(columns))]
    for vocabulary, column in zip(words, columns, strict=True):
        if len(column):
            vocabulary.add(column)
    return len(part), words


def _encode_part(part, words, kind):
    """Codes (d, m) of a partition."""
    return np.stack([v.encode(column).astype(kind) for v, column in zip(words, _columns(part), strict=True)])


def _columns(part):
    if hasattr(part, "iloc"):
        return [part.iloc[:, j].to_numpy() for j in range(part.shape[1])]
    return list(np.asarray(part).T)


def _pick(codes, columns):
    return codes[columns]


def _count_part(codes, columns, n_levels, group, n_groups):
    out = []
    for some, L in zip(columns, n_levels, strict=True):
        table = np.zeros((n_groups, L, len(some)), dtype=np.int64)
        add_counts(table, np.arange(len(some)), codes[some], L, group, n_groups)
        out.append(table)
    return out


def _add(tables):
    return [sum(parts[1:], start=parts[0]) for parts in zip(*tables, strict=True)]
