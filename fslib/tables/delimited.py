"""Text files of columns: encoding, separator, header, comments, and lines of another length."""

import csv
import io
import re

import numpy as np

from fslib.tables.defects import Defect, TableError, counted
from fslib.tables.dialects import (
    LINE_END,
    decode,
    dialect,
    first_lines,
    said_by_the_file,
    without_leading_comments,
)
from fslib.tables.headers import check_names, lines_above, names_by_position, titles_note
from fslib.tables.kinds import EXPORT, kind_of_text
from fslib.tables.source import Source, unique_names

LONGEST_CELL = 2**31 - 1
"""Characters; the module csv takes 131072 unless told otherwise."""

ESCAPED = re.compile(r'\\"[^"\r\n]')
"""A quotation mark behind a backslash, inside a cell: databases write it so, others double the mark."""


def read_delimited(path, data, *, encoding=None, header="auto"):
    """Read the text of a file.

    Parameters
    ----------
    path : Path
        For messages, and its suffix for what cannot be told otherwise.
    data : bytes
    encoding : str or None
        None: detected.
    header : {"auto", "first", "none"}

    Returns
    -------
    Source
        All columns as text; an empty cell is null.

    Raises
    ------
    TableError
        If it is not text, has no header or no rows, or its lines differ in length.
    """
    limit = csv.field_size_limit(LONGEST_CELL)
    try:
        return _read(path, data, encoding, header)
    except csv.Error as error:
        raise TableError(path, [Defect("", f"is not a table ({error}).", "Close all quotation marks.")]) from error
    finally:
        csv.field_size_limit(limit)


def _read(path, data, encoding, header):
    notes, hints = [], []
    original = decode(path, data, notes, encoding)
    if kind := kind_of_text(original):
        raise TableError(path, [Defect("", f"is {kind}, not a table of lines.", EXPORT)])
    text, separator = said_by_the_file(original)
    if re.search(r"^[ \t]*(#|%|//)", text, re.MULTILINE):
        text = without_leading_comments(text, notes)
    lines = first_lines(text)
    if not any(line.strip() for line in lines):
        raise TableError(path, [Defect("", "is empty; its first line must name the columns.", "")])
    if not separator and header != "none" and (n_above := lines_above(lines)):
        notes.append(titles_note(sum(bool(line.strip()) for line in lines[:n_above]), lines[0]))
        text = text[_end_of_line(text, n_above) :]
        lines = first_lines(text)
    separator, quote = (separator, '"') if separator else dialect(lines, path)
    if separator == " ":
        text = "\n".join(re.sub(r"[ \t]+", " ", line.strip()) for line in LINE_END.split(text))
        lines = first_lines(text)
    form = {"delimiter": separator, "quotechar": quote, "escapechar": _escape(text, separator)}
    names, start = _header(text, form)
    if not names:
        raise TableError(path, [Defect("", "has no names of columns in its first line.", "")])
    body = text[start:]
    if header == "none":
        names, body = names_by_position(len(names)), text
    else:
        names = _names_of_all_cells(path, names, lines, form, header, notes, hints)
    if "\n#" in body or body.startswith("#"):
        body = _without_comments(body, separator, len(names), notes)
    table = _parse(path, body, len(names), form, original)
    columns = {str(j): table.column(j) for j in range(table.num_columns)}
    kept = [j for j, name in enumerate(names) if name or columns[str(j)].null_count < len(columns[str(j)])]
    names, twice = unique_names([names[j] for j in kept])
    columns = _without_empty_rows({name: columns[str(j)] for j, name in zip(kept, names, strict=True)}, notes)
    return Source(str(path), columns, notes=notes, semicolons=separator == ";", twice=twice, hints=hints)


def _escape(text, separator):
    """Backslash if it stands before quotation marks inside cells."""
    return "\\" if any(found[0][-1] != separator for found in ESCAPED.finditer(text[:LARGE_HEAD])) else None


LARGE_HEAD = 10_000_000
"""Characters in which escaped quotation marks are looked for."""


def _end_of_line(text, n):
    """Where the n-th line ends."""
    position = 0
    for _ in range(n):
        found = LINE_END.search(text, position)
        position = found.end() if found else len(text)
    return position


def _header(text, form):
    """Names, and where the lines after them begin."""
    reader = csv.reader(io.StringIO(text, newline=""), **form)
    names = next((row for row in reader if any(cell.strip() for cell in row)), [])
    return [name.strip() for name in names], _end_of_line(text, reader.line_num)


def _names_of_all_cells(path, names, head, form, header, notes, hints):
    """Names, one more where every line ends with a separator; refuse other lines that are longer than the header."""
    rows = [row for row in csv.reader(head, **form) if any(cell.strip() for cell in row)]
    rows = [row for row in rows[1:] if not row[0].startswith("#")]
    if note := check_names(path, names, rows, header):
        notes.append(note)
        hints.append(note)
    if rows and {len(row) for row in rows} == {len(names) + 1}:
        if not any(row[-1].strip() for row in rows):
            return [*names, ""]
        what = f"has a header of {counted(len(names), 'name')}, but lines of {len(names) + 1} cells."
        advice = (
            f"Name the missing one, most likely the first (in the next line {rows[0][0]!r}): "
            "write.table of R leaves the name of the row names out (col.names=NA writes it)."
        )
        raise TableError(path, [Defect("", what, advice)])
    return names


def _without_comments(body, separator, width, notes):
    lines = LINE_END.split(body)
    kept = [line for line in lines if not (line.startswith("#") and line.count(separator) + 1 != width)]
    if len(kept) < len(lines):
        notes.append(f"{counted(len(lines) - len(kept), 'comment line')} between the rows left out.")
    return "\n".join(kept)


def _parse(path, body, width, form, original):
    import pyarrow as pa
    import pyarrow.csv

    odd, n_odd = [], [0]

    def note(row):
        if not row.text.strip():
            return "skip"
        n_odd[0] += 1
        odd.extend([row] if len(odd) < 4 else [])
        return "skip"

    names = [str(j) for j in range(width)]
    options = {
        "read_options": pa.csv.ReadOptions(use_threads=False, column_names=names, block_size=_block_size(body)),
        "parse_options": pa.csv.ParseOptions(
            delimiter=form["delimiter"],
            quote_char=form["quotechar"],
            escape_char=form["escapechar"] or False,
            newlines_in_values=True,
            invalid_row_handler=note,
        ),
        "convert_options": pa.csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()), null_values=[""], strings_can_be_null=True
        ),
    }
    data = body.encode()
    if not data.strip():
        raise TableError(path, [Defect("", "holds no rows.", "")])
    try:
        table = pa.csv.read_csv(io.BytesIO(data), **options)
    except pa.ArrowInvalid as error:
        reason = str(error).splitlines()[0][:200]
        raise TableError(
            path, [Defect("", f"is not a table ({reason}).", "Give every line as many cells as the header.")]
        ) from error
    if odd:
        raise TableError(path, [_other_lengths(odd, n_odd[0], width, form["quotechar"], original)])
    if table.num_rows == 0:
        raise TableError(path, [Defect("", "holds no rows.", "")])
    if width > 1 and form["quotechar"] in body and table.num_rows < len(LINE_END.findall(body.rstrip())):
        _refuse_lines_in_cells(path, table, width, form["delimiter"])
    return table


def _other_lengths(odd, n_odd, width, quote, original):
    """Defect of lines that are longer or shorter than the header."""
    lines = LINE_END.split(original)
    open_quote = any(quote in row.text and "\n" in row.text for row in odd)
    starts = [LINE_END.split(row.text.strip("\r\n"))[0] for row in odd]
    numbers = [lines.index(start) + 1 if start in lines else "?" for start in starts]
    found = zip(numbers, odd, starts, strict=True)
    shown = "; ".join(f"line {number}: {row.actual_columns} in {start[:40]!r}" for number, row, start in found)
    verb = "holds" if n_odd == 1 else "hold"
    what = (
        f"is not a table: it has {counted(width, 'name')} in the header, but {counted(n_odd, 'line')} {verb} more "
        f"or fewer cells ({shown})."
    )
    return Defect(
        "", what, "Close the quotation mark." if open_quote else "Give every line as many cells as the header."
    )


def _refuse_lines_in_cells(path, table, width, separator):
    """Refuse a cell that holds whole lines: its quotation mark was opened and not closed."""
    import pyarrow.compute as pc

    for column in table.columns:
        broken = pc.match_substring_regex(column, r"[\r\n]")
        if not pc.any(broken).as_py():
            continue
        for cell in column.filter(broken).to_pylist():
            first, *lines = LINE_END.split(cell)
            if any(line.count(separator) >= width - 1 for line in lines):
                what = f"holds whole lines in one cell, from {first[:40]!r} on."
                raise TableError(path, [Defect("", what, "Close the quotation mark before it.")])


WHOLE = 1 << 26
"""Bytes parsed as one block; each block is an array of its own for every column."""


def _block_size(body):
    """Bytes that hold at least one line."""
    return min(max(WHOLE, 4 * max(map(len, body[: 1 << 22].split("\n")[:20]), default=0)), 2**31 - 1)


def _without_empty_rows(columns, notes):
    """Leave out lines of nothing but separators."""
    some = next((column for column in columns.values() if column.null_count == 0), None)
    if some is not None:
        return columns
    filled = np.zeros(len(next(iter(columns.values()))), dtype=bool)
    for column in columns.values():
        filled |= ~column.is_null().to_numpy()
    if filled.all() or not filled.any():
        return columns
    notes.append(f"{counted(int((~filled).sum()), 'row')} without any content left out.")
    import pyarrow as pa

    return {name: column.filter(pa.array(filled)) for name, column in columns.items()}
