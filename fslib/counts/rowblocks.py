"""Rows that are read from disk block by block: Parquet files and folders, memory maps, or any iterable of blocks."""

import numbers
from itertools import pairwise

import numpy as np
from tqdm import tqdm

from fslib.classes import encode_classes, join_classes
from fslib.counts.kept import KeptCodes, pack, unpack
from fslib.counts.parts import MEMORY, PartLevels, add_counts
from fslib.counts.readers import open_reader
from fslib.counts.stretches import stretches
from fslib.counts.vocabulary import Vocabulary

_WIDTH = 64  # columns that are unpacked together
_OTHER_ROWS = "the source must give the same rows each time it is read."


class RowBlocks:
    """Rows of a table and their classes, read in blocks as often as needed.

    Parameters
    ----------
    source : path, pyarrow.dataset.Dataset, array, or iterable
        A Parquet file or folder (or whatever ``pyarrow.dataset.dataset`` opens), a NumPy array or memory map (n, d), or
        an object that gives pairs (X, y) of blocks, the same ones each time it is iterated: a list, or a class with
        ``__iter__``, not a generator.
    y : str or array
        Name of the class column in a Parquet source; classes (n,) for an array; None for an iterable.
    memory : int
        Bytes that a search may hold at a time, beside about 16 per row. Half of it keeps codes from one pass to the
        next, in 1, 2, 4 or more bits; what does not fit is read again.
    progress : bool
        Show a bar for each pass.
    labelled : bool
        Whether there must be classes.
    """

    def __init__(self, source, y=None, *, memory=MEMORY, progress=False, labelled=True):
        if not isinstance(memory, numbers.Real) or not 1 << 20 <= memory < 1 << 62:
            raise ValueError(f"memory={memory!r} must be a number of bytes, at least 1 << 20 (1 MiB).")
        self.memory = int(memory)
        self.progress = progress
        self._reader = open_reader(source, y, self.memory // 8, labelled=labelled)
        self._vocabulary = lambda j, name: Vocabulary(name)

    @property
    def names(self):
        """Names of the features, or None."""
        return self._reader.names

    def use(self, vocabulary):
        """Code columns by other means than the identity of their values.

        Parameters
        ----------
        vocabulary : callable
            Takes the number of a column and its name for messages, returns an object like a `Vocabulary`.
        """
        self._vocabulary = vocabulary
        return self

    @property
    def n_columns(self):
        """Number of features."""
        return self._reader.n_columns

    def each_part(self, function):
        """Apply a function of (numbers (m, b), columns) to all parts, in one pass; pairs (columns, result)."""
        for unit in self._bar(self._reader.units()):
            for some, blocks in self._reader.parts(unit, None):
                for block in blocks:
                    for part in stretches(len(some), _WIDTH):
                        pairs = zip(block[part], some[part], strict=True)
                        numbers = [_numbers(column, self._name(j)) for column, j in pairs]
                        yield some[part], function(np.stack(numbers, axis=1), some[part])

    def _name(self, j):
        return repr(self.names[j]) if self.names else int(j)

    def encode(self):
        """First pass: find the levels and read the classes.

        Returns
        -------
        levels : PartLevels
        names : list of str or None
        classes : array of shape (c,)
        codes : array of int, shape (n,)
            Class of each row.
        """
        words, labels, self._grid = {}, [], []
        start = 0
        for unit in self._bar(self._reader.units()):
            labels.append(self._reader.classes(unit))
            rows = [start]
            for some, blocks in self._reader.parts(unit, None):
                rows = [start]
                for block in blocks:
                    for j, column in zip(some.tolist(), block, strict=True):
                        if j not in words:
                            words[j] = self._vocabulary(j, self._name(j))
                        if len(column):
                            words[j].add(column)
                    rows.append(rows[-1] + len(column))
            self._grid.append([slice(a, b) for a, b in pairwise(rows)])
            start = rows[-1]
        if not start:
            raise ValueError("the source holds no rows.")
        self.n, self._words = start, [words[j] for j in range(len(words))]
        for vocabulary in self._words:
            vocabulary.close()
        self._kept = KeptCodes(self.memory // 2)
        classes, codes = encode_classes(join_classes(labels))
        n_levels = np.array([len(v) for v in self._words])
        return PartLevels(self, n_levels), self.names, classes, codes.astype(np.min_scalar_type(-len(classes)))

    def read(self, columns, kind):
        """Codes (b, n) of some columns."""
        out = np.empty((len(columns), self.n), dtype=kind)
        for rows, some, codes in self._coded(columns):
            out[np.searchsorted(columns, some), rows] = codes
        return out

    def count(self, columns, n_levels, group, n_groups):
        """Tables of counts, added up over the blocks; see `PartLevels`."""
        sizes = zip(columns, n_levels, strict=True)
        out = [np.zeros((n_groups, L, len(some)), dtype=np.int64) for some, L in sizes]
        for rows, read, codes in self._coded(np.sort(np.concatenate(columns))):
            for some, L, table in zip(columns, n_levels, out, strict=True):
                place = np.flatnonzero(np.isin(some, read, assume_unique=True))
                if len(place):
                    wanted = np.searchsorted(read, some[place])
                    rest = codes if len(wanted) == len(codes) else codes[wanted]
                    add_counts(table, place, rest, L, group[rows], n_groups)
        return out

    def _coded(self, columns):
        """Triples (slice of rows, some of the columns, their codes): kept ones, then those that are read."""
        n_units = len(self._grid)
        complete = all((u, j) in self._kept for u in range(n_units) for j in columns.tolist())
        n_read = 0
        for u, unit in enumerate(self._bar(range(n_units) if complete else self._reader.units())):
            if u == n_units:
                raise ValueError(f"the source has more blocks of rows than in the first pass: {_OTHER_ROWS}")
            here = np.array([(u, j) in self._kept for j in columns.tolist()])
            for some in stretches(np.count_nonzero(here), _WIDTH):
                some = columns[here][some]
                yield from ((rows, some, self._unpack(u, b, some, rows)) for b, rows in enumerate(self._grid[u]))
            if not here.all():
                for some, blocks in self._reader.parts(unit, columns[~here]):
                    yield from self._encode_blocks(u, some, blocks)
            n_read += 1
        if n_read < n_units:
            raise ValueError(f"the source has fewer blocks of rows than in the first pass: {_OTHER_ROWS}")

    def _encode_blocks(self, u, columns, blocks):
        """Code blocks of some columns, and keep those for which there is room."""
        grid, n_levels = self._grid[u], [len(self._words[j]) for j in columns]
        n_rows, kind = sum(rows.stop - rows.start for rows in grid), np.min_scalar_type(max(n_levels) - 1)
        keep = [i for i, L in enumerate(n_levels) if self._kept.has_room(n_rows, L, len(grid))]
        packed = {i: [] for i in keep}
        for rows, block in zip(grid, blocks, strict=True):
            codes = np.empty((len(columns), rows.stop - rows.start), dtype=kind)
            for row, column, j in zip(codes, block, columns, strict=True):
                if len(column) != len(row):
                    raise ValueError(f"a block has {len(column)} rows, {len(row)} in the first pass: {_OTHER_ROWS}")
                row[:] = self._words[j].encode(column)
            for i in keep:
                packed[i].append(pack(codes[i], n_levels[i]))
            yield rows, columns, codes
        for i in keep:
            self._kept.put((u, int(columns[i])), packed[i])

    def _unpack(self, u, block, columns, rows):
        n_levels, n = [len(self._words[j]) for j in columns], rows.stop - rows.start
        codes = np.empty((len(columns), n), dtype=np.min_scalar_type(max(n_levels) - 1))
        for row, j, L in zip(codes, columns.tolist(), n_levels, strict=True):
            row[:] = unpack(self._kept.get((u, j), block), n, L)
        return codes

    def _bar(self, units):
        return tqdm(units, unit="unit", disable=not self.progress, leave=False)


def _numbers(column, name):
    try:
        return column.astype(float)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"Column {name} of X holds what is no number ({error}): encode it, or leave it out."
        ) from error
