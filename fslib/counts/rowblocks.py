"""Rows that are read from disk block by block: Parquet files and folders, memory maps, or any iterable of blocks."""

import os

import numpy as np
from tqdm import tqdm

from fslib.classes import encode_classes
from fslib.counts.parts import MEMORY, PartLevels, count_part
from fslib.counts.vocabulary import Vocabulary


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
        Bytes that a search may hold at a time, beside about 16 per row.
    progress : bool
        Show a bar for each pass.
    """

    def __init__(self, source, y=None, *, memory=MEMORY, progress=False):
        if memory < 1 << 20:
            raise ValueError(f"memory={memory} is in bytes and must be at least 1 MiB.")
        self.memory = int(memory)
        self.progress = progress
        if isinstance(source, str | os.PathLike) or hasattr(source, "get_fragments"):
            self._reader = _ParquetReader(source, y, self.memory)
        elif isinstance(source, np.ndarray):
            self._reader = _ArrayReader(source, y, self.memory)
        elif iter(source) is source:
            raise ValueError(
                "a generator can be read once only, and selection reads the rows several times: pass a list "
                "of blocks, or an object with __iter__ that starts anew."
            )
        else:
            self._reader = _PairReader(source, y)

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
        names, words, labels = self._reader.names, None, []
        for columns, y in self._blocks(None):
            words = words or [Vocabulary(repr(names[j]) if names else j) for j in range(len(columns))]
            if len(columns) != len(words):
                raise ValueError(f"a block has {len(columns)} columns, the first one {len(words)}: give all the same.")
            for vocabulary, column in zip(words, columns, strict=True):
                if len(column) != len(y):
                    raise ValueError(f"a block has {len(column)} rows and {len(y)} classes.")
                vocabulary.add(column)
            labels.append(y)
        if not labels or not sum(map(len, labels)):
            raise ValueError("the source holds no rows.")
        for vocabulary in words:
            vocabulary.close()
        classes, codes = encode_classes(np.concatenate(labels))
        self.n, self._words = len(codes), words
        return (
            PartLevels(self, np.array([len(v) for v in words])),
            names,
            classes,
            codes.astype(np.min_scalar_type(-len(classes))),
        )

    def read(self, columns, kind):
        """Codes (b, n) of some columns."""
        out = np.empty((len(columns), self.n), dtype=kind)
        start = 0
        for block, _ in self._blocks(columns):
            stop = start + len(block[0])
            for row, column, j in zip(out, block, columns, strict=True):
                row[start:stop] = self._words[j].encode(column)
            start = stop
        return out

    def count(self, columns, n_levels, group, n_groups):
        """Tables of counts, added up over the blocks; see `PartLevels`."""
        every = np.concatenate(columns)
        out, start = None, 0
        for block, _ in self._blocks(np.sort(every)):
            stop = start + len(block[0])
            place = np.searchsorted(np.sort(every), every)
            codes = np.empty((len(every), stop - start), dtype=np.min_scalar_type(max(n_levels) - 1))
            for row, j, i in zip(codes, every, place, strict=True):
                row[:] = self._words[j].encode(block[i])
            tables = count_part(codes, columns, n_levels, group[start:stop], n_groups)
            if out is None:
                out = tables
            else:
                for total, table in zip(out, tables, strict=True):
                    total += table
            start = stop
        return out

    def _blocks(self, columns):
        """Pairs (list of columns, classes)."""
        yield from tqdm(self._reader.blocks(columns), unit="block", disable=not self.progress, leave=False)


class _ArrayReader:
    names = None

    def __init__(self, X, y, memory):
        if X.ndim != 2:
            raise ValueError(f"X must be two-dimensional (samples, features), got {X.ndim} dimension(s).")
        if y is None or len(y) != len(X):
            raise ValueError(f"y must hold one class for each of the {len(X)} rows of X.")
        self.X, self.y = X, np.asarray(y)
        self.n_rows = max(1, memory // (8 * max(1, X.nbytes // max(1, len(X)))))

    def blocks(self, columns):
        """Slices of rows, copied so that a memory map is read once and in order."""
        for start in range(0, len(self.X), self.n_rows):
            rows = np.array(self.X[start : start + self.n_rows])
            wanted = range(rows.shape[1]) if columns is None else columns
            yield [rows[:, j] for j in wanted], self.y[start : start + self.n_rows]


class _PairReader:
    names = None

    def __init__(self, pairs, y):
        if y is not None:
            raise ValueError("an iterable gives pairs (X, y) of blocks: leave y out.")
        self.pairs = pairs

    def blocks(self, columns):
        """Blocks as they come."""
        for X, y in self.pairs:
            frame = hasattr(X, "iloc")
            wanted = range(X.shape[1]) if columns is None else columns
            yield [X.iloc[:, j].to_numpy() if frame else np.asarray(X)[:, j] for j in wanted], np.asarray(y)


class _ParquetReader:
    def __init__(self, source, y, memory):
        import pyarrow.dataset as ds

        self.dataset = source if hasattr(source, "get_fragments") else ds.dataset(source)
        self._scan_options = ds.ParquetFragmentScanOptions
        every = self.dataset.schema.names
        if not isinstance(y, str) or y not in every:
            raise ValueError(f"y={y!r} must name the column of the classes; there are {', '.join(every[:10])} ...")
        self.y, self.names = y, [name for name in every if name != y]
        self.n_rows = max(1, memory // (64 * len(every)))

    def blocks(self, columns):
        """Batches in the order of files and rows; only the columns asked for are read."""
        wanted = self.names if columns is None else [self.names[j] for j in columns]
        read = [*wanted, self.y] if columns is None else wanted
        options = {"batch_size": self.n_rows, "batch_readahead": 1, "use_threads": False}
        if getattr(getattr(self.dataset, "format", None), "default_extname", "") == "parquet":
            # Otherwise the row groups ahead are held in memory, whatever the size of a batch.
            options["fragment_scan_options"] = self._scan_options(pre_buffer=False, use_buffered_stream=True)
        for fragment in self.dataset.get_fragments():
            batches = fragment.to_batches(schema=self.dataset.schema, columns=read, **options)
            for batch in batches:
                if batch.num_rows:
                    arrays = [self._array(batch.column(i), name) for i, name in enumerate(read)]
                    yield (arrays[:-1], arrays[-1]) if columns is None else (arrays, None)

    def _array(self, column, name):
        if column.null_count:
            raise ValueError(f"column {name!r} has {column.null_count} missing values: drop these rows or impute them.")
        return column.to_numpy(zero_copy_only=False)
