"""Sheets of Excel and LibreOffice, by python-calamine; what that library leaves out silently is noted."""

import re
import zipfile

from fslib.tables.defects import Defect, TableError, counted
from fslib.tables.headers import check_names, names_by_position, rows_above, titles_note
from fslib.tables.source import Source, unique_names

ERROR_CELL = re.compile(
    rb'<c\b(?=[^>]*\bt="e")[^>]*\br="([A-Z]+\d+)"[^>]*>(?:<f[^>]*/>|<f.*?</f>)?\s*<v>([^<]*)</v>', re.DOTALL
)

ROWS_COMPARED = 100
"""Rows with which the first is compared, to see whether it names the columns."""


def read_spreadsheet(path, sheet=None, header="auto"):
    """Read one sheet.

    Parameters
    ----------
    path : Path
    sheet : str or None
        None: the first sheet that holds something.
    header : {"auto", "first", "none"}

    Returns
    -------
    Source
        Columns are pandas Series of Python objects; an empty cell is None. The value of cells that are merged downwards
        stands in all of them.

    Raises
    ------
    TableError
        If it cannot be opened, has no such sheet, or the sheet is empty.
    """
    import python_calamine

    try:
        book = python_calamine.load_workbook(path)
        found, rows, others = _choose(path, book, sheet)
    except (python_calamine.CalamineError, OSError) as error:
        raise TableError(
            path, [Defect("", f"cannot be opened as a spreadsheet ({error}).", "Save it anew, or as CSV.")]
        ) from error
    notes = []
    if others:
        notes.append(f"Sheet {found.name!r} was read, not {', '.join(map(repr, others))} (sheet= names another).")
    _fill_merged(found, rows, notes)
    errors = _error_cells(path, book, found.name)
    if errors:
        shown = ", ".join(f"{cell} ({value})" for cell, value in errors[:6])
        notes.append(f"{counted(len(errors), 'cell')} of formulas that failed read as empty: {shown}.")
    source = _columns(path, rows, notes, header)
    if others:
        source.hints.append(
            f"It was looked for in sheet {found.name!r}; others: {', '.join(map(repr, others))} (sheet=)."
        )
    return source


def _choose(path, book, sheet):
    if sheet is not None and sheet not in book.sheet_names:
        names = ", ".join(map(repr, book.sheet_names))
        raise TableError(path, [Defect("", f"has no sheet {sheet!r}.", f"It has {names}.")])
    visible = {m.name for m in book.sheets_metadata if str(m.visible).endswith(".Visible")}
    names = [sheet] if sheet is not None else sorted(book.sheet_names, key=lambda name: name not in visible)
    filled = {}
    for name in names:
        found = book.get_sheet_by_name(name)
        if found.height > 0 and found.width > 0:
            filled[name] = found
    if not filled:
        raise TableError(path, [Defect("", "is empty; its first row must name the columns.", "")])
    found = next(iter(filled.values()))
    return found, found.to_python(skip_empty_area=True), list(filled)[1:]


def _fill_merged(sheet, rows, notes):
    top, left = sheet.start
    filled = 0
    for (first, column), (last, _) in sheet.merged_cell_ranges or []:
        i, j = first - top, column - left
        if first == last or i < 1:
            continue
        for row in range(i + 1, min(last - top + 1, len(rows))):
            rows[row][j] = rows[i][j]
            filled += 1
    if filled:
        notes.append(f"{counted(filled, 'cell')} took the value of the cell that they are merged with.")


def _error_cells(path, book, name):
    """Cells of a formula that failed, which the library reads as empty; files in XML only."""
    if not zipfile.is_zipfile(path):
        return []
    with zipfile.ZipFile(path) as archive:
        part = f"xl/worksheets/sheet{book.sheet_names.index(name) + 1}.xml"
        if part not in archive.namelist():
            return []
        data = archive.read(part)
    return [(cell.decode(), value.decode()) for cell, value in ERROR_CELL.findall(data)] if b't="e"' in data else []


def _columns(path, rows, notes, header):
    import pandas as pd

    used = [row for row in rows if any(cell != "" for cell in row)]
    if len(used) < len(rows) and rows[len(used) :] and any(any(c != "" for c in row) for row in rows[len(used) :]):
        notes.append(f"{counted(len(rows) - len(used), 'row')} without any content left out.")
    if header == "none":
        names, body, hints = names_by_position(len(used[0])), used, []
    else:
        names, body, hints = _names(path, used, notes, header)
    cells = list(zip(*body, strict=True)) or [()] * len(names)
    kept = [j for j, column in enumerate(cells) if names[j] or any(cell != "" for cell in column)]
    series = [pd.Series([_value(cell) for cell in cells[j]], dtype=object) for j in kept]
    names, twice = unique_names([names[j] for j in kept])
    return Source(str(path), dict(zip(names, series, strict=True)), notes=notes, twice=twice, hints=hints)


def _names(path, used, notes, header):
    """Names of the columns, the rows below them, and a hint that the names may be a row."""
    if n_above := rows_above(used):
        notes.append(titles_note(n_above, next(str(cell) for cell in used[0] if cell != "")))
    first, *body = used[n_above:]
    names = [_name(cell) for cell in first]
    if len([name for name in names if name]) < 2 <= len(names) and len(body):
        what = f"has {names[0]!r} only in its first row."
        raise TableError(path, [Defect("", what, "Delete the rows above the names of the columns.")])
    note = check_names(path, names, [[_name(cell) for cell in row] for row in body[:ROWS_COMPARED]], header, "row")
    found = [note] if note else []
    notes += found
    return names, body, found


def _name(cell):
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell).strip()


def _value(cell):
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return int(cell)
    return None if isinstance(cell, str) and not cell.strip() else cell
