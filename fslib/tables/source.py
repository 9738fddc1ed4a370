"""Where a table comes from: a file of any kind or a data frame, as columns that are not yet interpreted."""

import os
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from fslib.tables.defects import Defect, TableError, counted
from fslib.tables.kinds import MULTILABEL, PACKED, PARQUET, SHEETS, SUFFIXES, TEXT, refuse_addresses, refuse_other_kinds
from fslib.tables.packed import as_file, inner_name, unpack
from fslib.tables.words import tidy


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
    twice : dict of str to list of str
        Names that several columns have, and what these are called here.
    hints : list of str
        Where else a column may be that is not found, one sentence each.
    """

    name: str
    columns: dict
    labels: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    semicolons: bool = False
    twice: dict = field(default_factory=dict)
    hints: list = field(default_factory=list)

    @property
    def n_rows(self):
        """Number of rows."""
        return len(next(iter(self.columns.values()), ()))

    def take(self, kept):
        """The source with some of its rows (bool, one per row)."""
        import pyarrow as pa

        mask = pa.array(kept)
        columns = {
            name: cells.filter(mask) if hasattr(cells, "chunks") else _rows(cells, kept)
            for name, cells in self.columns.items()
        }
        return replace(self, columns=columns)


def _rows(cells, kept):
    found = cells[kept]
    return found.reset_index(drop=True) if hasattr(found, "reset_index") else found


def unique_names(names):
    """Names as tidy text; columns without a name are called ``Unnamed: position``.

    Parameters
    ----------
    names : sequence

    Returns
    -------
    names : list of str
        Where several columns have one name, its position is put behind.
    twice : dict of str to list of str
        Those names, and what they became.

    Examples
    --------
    >>> unique_names(["", " age ", "x", "x"])
    (['Unnamed: 0', 'age', 'x (column 3)', 'x (column 4)'], {'x': ['x (column 3)', 'x (column 4)']})
    """
    missing = lambda name: name is None or name != name
    found = ["" if missing(name) else tidy(str(name)) for name in names]
    found = [name or f"Unnamed: {j}" for j, name in enumerate(found)]
    double = {name for name, times in Counter(found).items() if times > 1}
    twice = {}
    for j, name in enumerate(found):
        if name in double:
            found[j] = f"{name} (column {j + 1})"
            twice.setdefault(name, []).append(found[j])
    return found, twice


def open_source(source, *, sheet=None, encoding=None, header="auto"):
    """Read a file or a frame into columns.

    Parameters
    ----------
    source : str, Path, or DataFrame of pandas or polars, or pyarrow.Table
    sheet : str or None
        Of a spreadsheet; None: the first one that is not empty.
    encoding : str or None
        Of a text file; None: detected.
    header : {"auto", "first", "none"}
        Of a text file or spreadsheet: whether its first line names the columns.

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
    if isinstance(source, str | os.PathLike):
        found = _of_file(os.fspath(source), sheet, encoding, header)
    else:
        from fslib.tables.frames import columns_of_frame

        _refuse_unused("The table", sheet=sheet, encoding=encoding, header=_unless_auto(header))
        found = columns_of_frame(source)
    if not found.columns:
        raise TableError(found.name, [Defect("", "has no columns.", "")])
    if found.n_rows == 0:
        raise TableError(found.name, [Defect("", "holds no rows.", "")])
    return found


USED_BY = {"sheet": "a spreadsheet", "encoding": "a text file", "header": "a text file or spreadsheet"}


def _unless_auto(header):
    return None if header == "auto" else header


def _refuse_unused(name, **given):
    defects = [
        Defect("", f"is not {USED_BY[setting]}: {setting}={value!r} would have no effect.", "Leave it out.")
        for setting, value in given.items()
        if value is not None
    ]
    if defects:
        raise TableError(name, defects)


def _of_file(name, sheet, encoding, header):
    refuse_addresses(name)
    path = Path(name).expanduser()
    if path.is_dir():
        raise TableError(path, [Defect("", "is a folder.", f"Name one file in it{_beside(path)}.")])
    if not path.is_file():
        beside = _beside(path.parent)
        hint = f" In that folder{beside}." if beside else ""
        raise FileNotFoundError(f"There is no file {path} (looked from {Path.cwd()}).{hint}")
    if path.suffix.lower() not in PACKED:
        return _of_kind(path, path, path.suffix.lower(), sheet, encoding, header)
    if (inner := inner_name(path)) and not Path(inner).suffix:
        what = f"is packed, and its name does not say what is in it: {path.name}."
        raise TableError(path, [Defect("", what, f"Name it like table.csv{path.suffix}.")])
    if inner:
        refuse_other_kinds(path, Path(inner).suffix.lower())
    inner, data = unpack(path)
    with as_file(path, inner, data) as inside:
        found = _of_kind(path, inside, inside.suffix.lower(), sheet, encoding, header)
    found.name = str(path)
    return found


def _beside(folder):
    names = sorted(p.name for p in folder.glob("*") if p.suffix.lower() in (*SUFFIXES, *PACKED))
    return f": {', '.join(names[:8])}" if names else ""


def _of_kind(path, inside, suffix, sheet, encoding, header):
    """Read a file, ``inside`` another one where that is packed."""
    refuse_other_kinds(path, suffix)
    unused = {"sheet": None if suffix in SHEETS else sheet, "encoding": None if suffix in TEXT else encoding}
    _refuse_unused(path, **unused, header=None if suffix in (*SHEETS, *TEXT) else _unless_auto(header))
    if suffix in MULTILABEL:
        from fslib.tables.labelled import read_labelled

        return read_labelled(inside)
    if suffix in SHEETS:
        from fslib.tables.spreadsheets import read_spreadsheet

        return read_spreadsheet(inside, sheet, header)
    if suffix in PARQUET:
        return _read_parquet(inside, suffix)
    from fslib.tables.delimited import read_delimited

    try:
        data = inside.read_bytes()
    except OSError as error:
        raise TableError(path, [Defect("", f"cannot be read ({error.strerror}).", "")]) from error
    return read_delimited(path, data, encoding=encoding, header=header)


def _read_parquet(path, suffix):
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet

    read = pa.parquet.read_table if suffix in (".parquet", ".pq") else pa.feather.read_table
    try:
        table = read(path, use_threads=False)
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = (str(error).splitlines() or [""])[0].rstrip(".")
        what = f"is not a {suffix[1:]} file or a broken one ({reason})."
        raise TableError(path, [Defect("", what, "Write it anew, or as CSV.")]) from error
    index = [name for name in table.column_names if name.startswith("__index_level_")]
    table = table.drop_columns(index)  # pandas' index without a name, which numbers rows
    names, twice = unique_names(table.column_names)
    found = Source(str(path), {name: table.column(j) for j, name in enumerate(names)}, twice=twice)
    if index:
        found.notes.append(f"The file holds {counted(len(index), 'column')} of pandas' index, left out.")
    return found
