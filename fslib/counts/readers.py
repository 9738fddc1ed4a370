"""Readers of rows that lie in units on disk: row groups of Parquet files, stretches of an array, pairs of blocks.

All have ``names`` (of the features, or None), ``n_columns`` and three methods. ``units()`` gives the units in order,
each time the same ones. ``classes(unit)`` gives the class of each of its rows. ``parts(unit, columns)`` gives pairs
(some of the columns, blocks): each block is a list with an array per column, and the blocks follow each other down the
rows. ``columns`` are in ascending order, or None for all. The rows of a block do not depend on the columns asked for.
"""

import os

import numpy as np
import scipy.sparse as sp

from fslib.counts.words import coded_words, is_text
from fslib.inputs import check_features, refuse_masked

_PAGE = 1 << 20  # bytes of a page, as the usual writers of Parquet make them
_BUFFER = 1 << 16  # bytes read at a time from each column
_NUMBER, _OTHER = 24, 96  # bytes per value while it is decoded: levels, the value twice; text of some length
_ROWS = 1 << 10, 1 << 17  # rows of a block, at least and at most
_SIDE = 64  # columns that should be read together


def open_reader(source, y, memory, *, labelled=True):
    """The reader for a source.

    Parameters
    ----------
    source : path, pyarrow.dataset.Dataset, array, or iterable of pairs (X, y)
    y : str or array or None
    memory : int
        Bytes that a reader holds at a time.
    labelled : bool
        Whether classes are needed.

    Raises
    ------
    FileNotFoundError
        If there is no such file or folder.
    ValueError
        If the source is none of these, not Parquet, or a generator, which can be read once only, or ``y`` does not fit
        it.
    """
    if isinstance(source, str | os.PathLike) or hasattr(source, "get_fragments"):
        return TableReader(source, y, memory, labelled=labelled)
    if isinstance(source, np.ndarray):
        return ArrayReader(source, y, memory, labelled=labelled)
    if hasattr(source, "iloc") or sp.issparse(source):
        kind = "sparse matrix" if sp.issparse(source) else "DataFrame"
        raise ValueError(f"a {kind} is in memory as a whole: use fit(X, y).")
    if not hasattr(source, "__iter__"):
        raise ValueError(
            f"source={source!r} must be a Parquet file or folder, a pyarrow dataset, an array, or an iterable of pairs "
            "(X, y) of blocks."
        )
    if iter(source) is source:
        raise ValueError(
            "a generator can be read once only, and selection reads the rows several times: pass a list "
            "of blocks, or an object with __iter__ that starts anew."
        )
    return PairReader(source, y)


class ArrayReader:
    """A NumPy array or memory map (n, d), and classes (n,)."""

    names = None

    def __init__(self, X, y, memory, *, labelled=True):
        check_features(X)
        if labelled:
            refuse_masked(y, "y")
        self.X, self.y, self.n_columns = X, np.asarray(y), X.shape[1]
        if labelled and self.y.shape != (len(X),):
            raise ValueError(f"y must hold one class for each of the {len(X)} rows of X, got shape {self.y.shape}.")
        # A block in the file's type, its codes, and what is made from these to count them.
        self.n_rows = max(1, memory // max(1, X.shape[1] * (X.itemsize + 3)))

    def units(self):
        """First rows."""
        return range(0, len(self.X), self.n_rows)

    def classes(self, unit):
        """Classes of a unit."""
        return self.y[unit : unit + self.n_rows]

    def parts(self, unit, columns):
        """A slice of rows, copied column by column, so that a memory map is read once and in order."""
        rows = self.X[unit : unit + self.n_rows]
        columns, rows = (np.arange(rows.shape[1]), rows) if columns is None else (columns, rows[:, columns])
        yield columns, [list(np.array(rows.T, order="C", subok=False))]


class PairReader:
    """An iterable of pairs (X, y) of blocks; ``names`` are known once the first block has been read."""

    names = None

    def __init__(self, pairs, y):
        if y is not None:
            raise ValueError("an iterable gives pairs (X, y) of blocks: leave y out.")
        self.pairs = pairs

    @property
    def n_columns(self):
        """Number of features."""
        for pair in self.pairs:
            return _block(pair)[0].shape[1]
        raise ValueError("the source holds no rows.")

    def units(self):
        """The pairs."""
        first = None
        for pair in self.pairs:
            X, y = _block(pair)
            if first is None:
                first, self.names = X, _names(X)
            if X.shape[1] != first.shape[1]:
                raise ValueError(
                    f"a block has {X.shape[1]} columns, the first one {first.shape[1]}: give all the same."
                )
            if _names(X) != self.names:
                raise ValueError(
                    f"the columns of a block are {_listed(_names(X))}, those of the first one {_listed(self.names)}: "
                    "give all the same, in the same order."
                )
            yield X, y

    def classes(self, unit):
        """Classes of a pair."""
        return unit[1]

    def parts(self, unit, columns):
        """The X of a pair."""
        X = unit[0]
        columns = np.arange(X.shape[1]) if columns is None else columns
        yield columns, [[X.iloc[:, j].to_numpy() if hasattr(X, "iloc") else X[:, j] for j in columns]]


def _block(pair):
    """X (m, b) and y (m,) of a block."""
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise ValueError(f"an iterable must give pairs (X, y) of blocks, but gives {type(pair).__name__}.")
    X, y = pair
    if sp.issparse(X):
        raise ValueError("a block is sparse: give X.toarray(), or all rows at once to fit.")
    refuse_masked(y, "y")
    X, y = X if hasattr(X, "iloc") else np.asanyarray(X), np.asarray(y)
    check_features(X)
    if y.ndim != 1:
        raise ValueError(f"a block must hold one class per row, y of shape (rows,), got {y.shape}.")
    if len(X) != len(y):
        raise ValueError(f"a block has {len(X)} rows and {len(y)} classes.")
    return X, y


def _names(X):
    """Column names of a frame, if they are text; None otherwise."""
    names = list(X.columns) if hasattr(X, "columns") else []
    return names if names and all(isinstance(name, str) for name in names) else None


def _listed(names):
    if names is None:
        return "unnamed"
    return ", ".join(names[:10]) + (" ..." if len(names) > 10 else "")


class TableReader:
    """A ``pyarrow.dataset.Dataset``, or a path that it opens.

    Parameters
    ----------
    source : path or Dataset
    y : str or None
        Name of the class column.
    memory : int
        Bytes for what is read at a time: a block has as many rows, and a part as many columns, as are decoded in that
        room. Each column that is read holds a page, compressed and not; where row groups are long, reading a batch of
        the largest column shows how much that is. One column at least is read, whatever its page.
    labelled : bool
        Whether ``y`` must be given.

    Notes
    -----
    The scanner of pyarrow decodes a row group as a whole, whatever the size of its batches;
    ``ParquetFile.iter_batches`` decodes no more than a batch.
    """

    def __init__(self, source, y, memory, *, labelled=True):
        import pyarrow as pa
        import pyarrow.dataset as ds
        from pyarrow.parquet import ParquetFile

        self.dataset = source if hasattr(source, "get_fragments") else _opened(source)
        schema = self.dataset.schema
        if not schema.names:
            raise ValueError(f"{source} holds no Parquet file.")
        if not (isinstance(y, str) or (y is None and not labelled)):
            raise ValueError(
                f"y must be the name of the column of the classes, got {type(y).__name__}; there are "
                f"{_listed(schema.names)}."
            )
        if y is not None and y not in schema.names:
            raise ValueError(f"y={y!r} is not a column; there are {_listed(schema.names)}.")
        self.y, self.names, self.memory = y, [name for name in schema.names if name != y], memory
        self.n_columns = len(self.names)
        if not self.names:
            raise ValueError(f"there is no feature beside y={y!r}.")
        for field in schema:
            if pa.types.is_nested(field.type):
                raise ValueError(
                    f"column {field.name!r} holds {field.type} in its cells: make numbers or text of it, or leave it "
                    "out."
                )
        self._open, self._constants = ParquetFile, ds.get_partition_keys
        self._release, self._allocated = pa.default_memory_pool().release_unused, pa.total_allocated_bytes
        self._types = {field.name: field.type for field in schema}
        numbers = {field.name for field in schema if pa.types.is_primitive(field.type)}
        self._texts = [field.name for field in schema if is_text(field.type)]
        self._cost = {name: _NUMBER if name in numbers else _OTHER for name in schema.names}
        self._chunk, self._page = {}, 2 * _PAGE
        mean = sum(self._cost.values()) / len(self._cost)
        self.n_rows = int(np.clip(memory / (mean * min(len(self._cost), _SIDE)), *_ROWS))

    def units(self):
        """Row groups of Parquet files; fragments of other formats."""
        for fragment in self.dataset.get_fragments():
            if not hasattr(fragment, "row_groups"):
                yield fragment, None, None
                continue
            metadata = fragment.metadata
            options = {"pre_buffer": False, "buffer_size": _BUFFER, "read_dictionary": self._texts}
            file = self._open(fragment.open(), metadata=metadata, **options)
            for number, group in enumerate(fragment.row_groups):
                if number == 0:
                    self._note_sizes(file, metadata.row_group(group.id), group.id)
                if metadata.row_group(group.id).num_rows:
                    yield fragment, file, group.id

    def _note_sizes(self, file, group, number):
        """Largest column chunks and pages seen; the row groups of a file are taken to be alike."""
        chunks = {
            group.column(i).path_in_schema: group.column(i).total_uncompressed_size for i in range(group.num_columns)
        }
        for name, size in chunks.items():
            self._chunk[name] = max(self._chunk.get(name, 0), size)
        largest = max(chunks, key=chunks.get)
        if chunks[largest] > 2 * _PAGE and largest in self._types:
            before = self._allocated()
            batches = file.iter_batches(self.n_rows, row_groups=[number], columns=[largest], use_threads=False)
            next(batches)
            self._page = max(self._page, self._allocated() - before)

    def classes(self, unit):
        """The class column of a unit."""
        blocks = [np.asarray(self._array(batch.column(self.y), self.y)) for batch in self._batches(unit, [self.y])]
        return np.concatenate(blocks) if blocks else np.empty(0)

    def parts(self, unit, columns):
        """As many columns as fit into the memory, batch after batch."""
        columns = np.arange(len(self.names)) if columns is None else columns
        while len(columns):
            n = self._n_fitting(columns)
            some, columns = columns[:n], columns[n:]
            yield some, self._blocks(unit, [self.names[j] for j in some])
            self._release()  # otherwise the allocator keeps what was read, over and above the budget

    def _n_fitting(self, columns):
        """How many of the columns are read together."""
        names = [self.names[j] for j in columns]
        pages = [min(2 * self._chunk.get(name, 0), self._page) + _BUFFER for name in names]
        sizes = [self.n_rows * self._cost[name] for name in names]
        return max(1, int(np.searchsorted(np.cumsum(np.add(pages, sizes)), self.memory, side="right")))

    def _blocks(self, unit, names):
        for batch in self._batches(unit, names):
            yield [self._array(batch.column(name), name) for name in names]

    def _batches(self, unit, names):
        """Batches with at least the columns asked for."""
        fragment, file, group = unit
        if file is None:
            options = {"batch_size": self.n_rows, "batch_readahead": 1, "use_threads": False}
            batches = fragment.to_batches(schema=self.dataset.schema, columns=names, **options)
            yield from (batch for batch in batches if batch.num_rows)
            return
        constants = self._constants(fragment.partition_expression)
        stored = [name for name in names if name not in constants]
        missing = set(stored) - set(file.schema_arrow.names)
        if missing:
            raise ValueError(f"{fragment.path} has no column {min(missing)!r}: all files must have the same columns.")
        if stored:
            batches = file.iter_batches(self.n_rows, row_groups=[group], columns=stored, use_threads=False)
            yield from (_Batch(batch, constants) for batch in batches)
            return
        n = file.metadata.row_group(group).num_rows
        yield from (_Batch(range(start, min(start + self.n_rows, n)), constants) for start in range(0, n, self.n_rows))

    def _array(self, column, name):
        if column.null_count:
            raise ValueError(f"column {name!r} has {column.null_count} missing values: drop these rows or impute them.")
        if column.type != self._types[name] and getattr(column.type, "value_type", None) != self._types[name]:
            column = column.cast(self._types[name])
        words = coded_words(column)
        return column.to_numpy(zero_copy_only=False) if words is None else words


def _opened(path):
    """Dataset of a Parquet file or folder."""
    import pyarrow as pa
    import pyarrow.dataset as ds

    try:
        return ds.dataset(path)
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{path}: there is no such file or folder.") from error
    except pa.ArrowInvalid as error:
        raise ValueError(
            f"{path} cannot be read as Parquet. Pass pyarrow.dataset.dataset(path, format=...) for files of another "
            f"format. (pyarrow: {error})"
        ) from error


class _Batch:
    """A batch of a file, and the columns that the name of its folder gives."""

    def __init__(self, rows, constants):
        self.rows, self.constants = rows, constants

    def column(self, name):
        import pyarrow as pa

        if name in self.constants:
            return pa.repeat(self.constants[name], len(self.rows))
        return self.rows.column(name)
