"""Text files of columns: encoding, separator, header, comments, and lines of another length."""

import csv
import io
import re
from itertools import pairwise

import numpy as np

from fslib.tables.defects import Defect, TableError, counted
from fslib.tables.dialects import (
    A_NUMBER,
    LINE_END,
    decode,
    dialect,
    first_lines,
    said_by_the_file,
    without_leading_comments,
)
from fslib.tables.source import Source, unique_names


def read_delimited(path, data):
    """Read the text of a file.

    Parameters
    ----------
    path : Path
        For messages, and its suffix for what cannot be told otherwise.
    data : bytes

    Returns
    -------
    Source
        All columns as text; an empty cell is null.

    Raises
    ------
    TableError
        If it is no text, has no header or no rows, or its lines differ in length.
    """
    try:
        return _read(path, data)
    except csv.Error as error:
        raise TableError(path, [Defect("", f"is no table ({error}).", "Close all quotation marks.")]) from error


def _read(path, data):
    notes = []
    original = decode(path, data, notes)
    text, separator = said_by_the_file(original)
    if re.search(r"^[ \t]*(#|%|//)", text, re.MULTILINE):
        text = without_leading_comments(text, notes)
    lines = first_lines(text)
    if not any(line.strip() for line in lines):
        raise TableError(path, [Defect("", "is empty; its first line must name the columns.", "")])
    separator, quote = (separator, '"') if separator else dialect(lines, path)
    if separator == " ":
        text = "\n".join(re.sub(r"[ \t]+", " ", line.strip()) for line in LINE_END.split(text))
        lines = first_lines(text)
    names, start = _header(text, separator, quote)
    if not names:
        raise TableError(path, [Defect("", "has no names of columns in its first line.", "")])
    body = text[start:]
    names = _names_of_all_cells(path, names, lines, separator, quote)
    if "\n#" in body or body.startswith("#"):
        body = _without_comments(body, separator, len(names), notes)
    table = _parse(path, body, len(names), separator, quote, original)
    columns = {str(j): table.column(j) for j in range(table.num_columns)}
    kept = [j for j, name in enumerate(names) if name or columns[str(j)].null_count < len(columns[str(j)])]
    columns = {
        name: columns[str(j)] for j, name in zip(kept, unique_names(path, [names[j] for j in kept]), strict=True)
    }
    return Source(str(path), _without_empty_rows(columns, notes), notes=notes, semicolons=separator == ";")


def _header(text, separator, quote):
    """Names, and where the lines after them begin."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, quotechar=quote)
    names = next((row for row in reader if any(cell.strip() for cell in row)), [])
    position = 0
    for _ in range(reader.line_num):
        found = LINE_END.search(text, position)
        position = found.end() if found else len(text)
    return [name.strip() for name in names], position


def _names_of_all_cells(path, names, head, separator, quote):
    """Names, one more where every line ends with a separator; refuse other lines that are longer than the header."""
    rows = [row for row in csv.reader(head, delimiter=separator, quotechar=quote) if any(cell.strip() for cell in row)]
    rows = [row for row in rows[1:] if not row[0].startswith("#")]
    if len(names) > 2 and not any(not A_NUMBER.fullmatch(name) for name in names) and not _rising(names):
        what = f"has numbers ({', '.join(names[:4])}) in its first line, not names."
        raise TableError(path, [Defect("", what, "Write a line with the names of the columns above.")])
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


def _rising(names):
    values = [float(name.replace(",", ".")) for name in names]
    return all(low < high for low, high in pairwise(values))


def _without_comments(body, separator, width, notes):
    lines = LINE_END.split(body)
    kept = [line for line in lines if not (line.startswith("#") and line.count(separator) + 1 != width)]
    if len(kept) < len(lines):
        notes.append(f"{counted(len(lines) - len(kept), 'comment line')} between the rows left out.")
    return "\n".join(kept)


def _parse(path, body, width, separator, quote, original):
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
            delimiter=separator, quote_char=quote, newlines_in_values=True, invalid_row_handler=note
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
            path, [Defect("", f"is no table ({reason}).", "Give every line as many cells as the header.")]
        ) from error
    if odd:
        lines = LINE_END.split(original)
        open_quote = any(quote in row.text and "\n" in row.text for row in odd)
        starts = [LINE_END.split(row.text.strip("\r\n"))[0] for row in odd]
        numbers = [lines.index(start) + 1 if start in lines else "?" for start in starts]
        found = zip(numbers, odd, starts, strict=True)
        shown = "; ".join(f"line {number}: {row.actual_columns} in {start[:40]!r}" for number, row, start in found)
        verb = "holds" if n_odd[0] == 1 else "hold"
        what = (
            f"is no table: it has {counted(width, 'name')} in the header, but {counted(n_odd[0], 'line')} {verb} more "
            f"or fewer cells ({shown})."
        )
        advice = "Close the quotation mark." if open_quote else "Give every line as many cells as the header."
        raise TableError(path, [Defect("", what, advice)])
    if table.num_rows == 0:
        raise TableError(path, [Defect("", "holds no rows.", "")])
    return table


def _block_size(body):
    """Bytes that hold at least one line."""
    return min(max(1 << 20, 4 * max(map(len, body[: 1 << 22].split("\n")[:20]), default=0)), 2**31 - 1)


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
