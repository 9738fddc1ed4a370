"""Where a table comes from: a file of any kind or a data frame, as columns that are not yet interpreted."""

import bz2
import gzip
import lzma
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from fslib.tables.defects import Defect, TableError, counted

TEXT = (".csv", ".tsv", ".txt", ".dat", ".data", ".tab")
SHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
PARQUET = (".parquet", ".pq", ".feather", ".arrow")
MULTILABEL = (".arff", ".svm", ".libsvm", ".svmlight")
SUFFIXES = (*TEXT, *SHEETS, *PARQUET, *MULTILABEL)
UNPACK = {".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress}


@dataclass(eq=False)
class Source:
    """Columns as they were found.

    Attributes
    ----------
    name : str
        The file, or "The table", for messages.
    columns : dict of str to pyarrow.ChunkedArray, pandas Series or array of numbers
    labels : list of str
        The columns that the file itself calls labels.
    notes : list of str
    semicolons : bool
        Whether semicolons separate the cells.
    """

    name: str
    columns: dict
    labels: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    semicolons: bool = False

    @property
    def n_rows(self):
        """Number of rows."""
        return len(next(iter(self.columns.values()), ()))


def unique_names(source, names):
    """Names as text without blanks around them; columns without a name are called ``Unnamed: position``.

    Raises
    ------
    TableError
        If a name occurs twice.

    Examples
    --------
    >>> unique_names("t.csv", ["", " age "])
    ['Unnamed: 0', 'age']
    """
    found = [" ".join(str(name).split()) or f"Unnamed: {j}" for j, name in enumerate(names)]
    double = [name for name, times in Counter(found).items() if times > 1]
    if double:
        shown = ", ".join(map(repr, double[:6]))
        raise TableError(source, [Defect("", f"has several columns called {shown}; rename them.", "")])
    return found


def open_source(source, *, sheet=None):
    """Read a file or a frame into columns.

    Parameters
    ----------
    source : str, Path, or DataFrame of pandas or polars, or pyarrow.Table
    sheet : str or None
        Of a spreadsheet; None: the first one that is not empty.

    Returns
    -------
    Source

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    TableError
        If it cannot be read as a table with names and rows.
    TypeError
        If it is neither a path nor a table.
    """
    if not isinstance(source, str | Path):
        found = _of_frame(source)
    else:
        found = _of_file(Path(source).expanduser(), sheet)
    if not found.columns:
        raise TableError(found.name, [Defect("", "has no columns.", "")])
    if found.n_rows == 0:
        raise TableError(found.name, [Defect("", "holds no rows.", "")])
    return found


def _of_frame(frame):
    if hasattr(frame, "to_arrow") and hasattr(frame, "columns"):  # polars
        frame = frame.to_arrow()
    if hasattr(frame, "schema") and hasattr(frame, "column_names"):  # pyarrow
        names = unique_names("The table", frame.column_names)
        return Source("The table", {name: frame.column(j) for j, name in enumerate(names)})
    if not (hasattr(frame, "iloc") and hasattr(frame, "columns")):
        raise TypeError(
            f"A table is a path or a DataFrame of pandas or polars, got {type(frame).__name__}; "
            "pandas.DataFrame(array, columns=names) makes one of an array."
        )
    labels = [" ".join(map(str, name)) if isinstance(name, tuple) else name for name in frame.columns]
    names = unique_names("The table", labels)
    found = Source("The table", _columns_of_frame(frame, names))
    if frame.index.name is not None or frame.index.nlevels > 1:
        shown = ", ".join(map(repr, frame.index.names))
        found.notes.append(f"The index ({shown}) is no column; reset_index() makes it one.")
    return found


def _columns_of_frame(frame, names):
    """Columns of pandas; those of plain numbers as arrays, all of a type at once."""
    plain = {}
    for dtype in {dtype for dtype in frame.dtypes if isinstance(dtype, np.dtype) and dtype.kind in "iufb"}:
        where = np.flatnonzero(frame.dtypes == dtype)
        block = np.array(frame.iloc[:, where].to_numpy(), order="F")  # a copy: the frame stays as it is
        plain |= {names[j]: block[:, i] for i, j in enumerate(where)}
    return {
        name: plain[name] if name in plain else frame.iloc[:, j].reset_index(drop=True) for j, name in enumerate(names)
    }


def _of_file(path, sheet):
    inner = path.with_suffix("") if path.suffix.lower() in UNPACK else path
    suffix = inner.suffix.lower()
    if suffix not in SUFFIXES:
        raise TableError(
            path.name, [Defect("", f"this kind of file is unknown; use one of {', '.join(SUFFIXES)}.", "")]
        )
    if not path.is_file():
        beside = sorted(p.name for p in path.parent.glob("*") if p.suffix.lower() in SUFFIXES)
        hint = f" In that folder: {', '.join(beside[:8])}." if beside else ""
        raise FileNotFoundError(f"There is no file {path} (looked from {Path.cwd()}).{hint}")
    if suffix in MULTILABEL:
        from fslib.tables.labelled import read_labelled

        return read_labelled(path)
    if suffix in SHEETS:
        from fslib.tables.spreadsheets import read_spreadsheet

        return read_spreadsheet(path, sheet)
    if suffix in PARQUET:
        return _read_parquet(path, suffix)
    from fslib.tables.delimited import read_delimited

    try:
        data = UNPACK.get(path.suffix.lower(), bytes)(path.read_bytes())
    except (OSError, EOFError, ValueError, lzma.LZMAError) as error:
        raise TableError(path, [Defect("", f"cannot be unpacked ({error}).", "Pack it anew.")]) from error
    return read_delimited(path, data)


def _read_parquet(path, suffix):
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet

    read = pa.parquet.read_table if suffix in (".parquet", ".pq") else pa.feather.read_table
    try:
        table = read(path, use_threads=False)
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = (str(error).splitlines() or [""])[0].rstrip(".")
        what = f"is no {suffix[1:]} file or a broken one ({reason})."
        raise TableError(path, [Defect("", what, "Write it anew, or as CSV.")]) from error
    index = [name for name in table.column_names if name.startswith("__index_level_")]
    table = table.drop_columns(index)  # pandas' index without a name, which numbers rows
    names = unique_names(path, table.column_names)
    found = Source(str(path), {name: table.column(j) for j, name in enumerate(names)})
    if index:
        found.notes.append(f"The file holds {counted(len(index), 'column')} of pandas' index, left out.")
    return found
