"""Which line names the columns: titles above it, and first lines that are rows."""

import csv
from itertools import pairwise

from fslib.tables.defects import Defect, TableError, counted
from fslib.tables.dialects import A_NUMBER, SEPARATORS, cell_counts

MOST_LINES_ABOVE = 20


def lines_above(lines):
    """Number of lines above the names of a text file: a title, or lines of another width before an empty one.

    Parameters
    ----------
    lines : list of str

    Returns
    -------
    int
        Up to the last of them; an empty line may follow.

    Examples
    --------
    >>> lines_above(["Export of 2024", "", "x,y", "1,u", "2,v"]), lines_above(["x,y", "1,u", "2,v"])
    (1, 0)
    >>> lines_above(["x,y", "a,1,u", "b,2,v"])  # not a title, but a header that lacks a name
    0
    """
    best, width = 0, 1
    first = next((line for line in lines if line.strip()), "")
    if any(len(cell_counts(lines, sign)) == 1 and _n_filled(first.split(sign)) > 1 for sign in SEPARATORS):
        return 0  # this sign cuts all lines alike
    for sign in SEPARATORS:
        try:
            reader = csv.reader(lines, delimiter=sign)
            rows = [(reader.line_num, row) for row in reader]
        except csv.Error:
            continue
        filled = [(number, row) for number, row in rows if any(cell.strip() for cell in row)]
        n = rows_above([row for _, row in filled])
        if not n:
            first_empty = next((number for number, row in rows if not any(cell.strip() for cell in row)), 0)
            before = [row for number, row in filled if number < first_empty]
            n = len(before) if _other_width(before, [row for _, row in filled[len(before) :]]) else 0
        if n and len(filled[n][1]) > width:
            best, width = filled[n - 1][0], len(filled[n][1])
    return best


def rows_above(rows):
    """Number of rows above the names of the columns: rows of one filled cell, before rows of several.

    Parameters
    ----------
    rows : list of list
        None of them empty.

    Returns
    -------
    int

    Examples
    --------
    >>> rows_above([["Results", "", ""], ["a", "b", "y"], [1, 2, "u"]])
    1
    """
    n = next((i for i, row in enumerate(rows[: MOST_LINES_ABOVE + 1]) if _n_filled(row) > 1), 0)
    if not n or len(rows) < n + 2 or len({len(row) for row in rows[n:]}) > 1 or not _may_be_names(rows[n]):
        return 0
    is_name = lambda row: len(row) == 2 == len(rows[n]) and not str(row[0]).strip()  # R's, over unnamed row names
    return 0 if any(is_name(row) for row in rows[:n]) else n


def _other_width(above, below):
    widths = {len(row) for row in below}
    return (
        0 < len(above) <= MOST_LINES_ABOVE
        and len(below) > 1
        and len(widths) == 1
        and widths.isdisjoint(len(row) for row in above)
        and _n_filled(below[0]) > 1
        and _may_be_names(below[0])
    )


def _n_filled(row):
    return sum(bool(str(cell).strip()) for cell in row)


def _may_be_names(row):
    names = [str(cell).strip() for cell in row if str(cell).strip()]
    return len(set(names)) == len(names) and not any(A_NUMBER.fullmatch(name) for name in names)


ROW = "If that line is a row of the table, pass header='none': the columns are then called {0!r}, {1!r} and so on."


def check_names(path, names, rows, header, place="line"):
    """Refuse a first line that is a row of the table; note one of numbers that may be names.

    Parameters
    ----------
    path : path-like
    names : list of str
        Cells of the first line.
    rows : list of list of str
        Some of the lines below.
    header : {"auto", "first"}
        First: it holds the names, whatever it looks like.
    place : {"line", "row"}

    Returns
    -------
    str
        Note on names that are numbers throughout, or an empty text.

    Raises
    ------
    TableError
        If it holds nothing but numbers that neither rise nor fall (as wavelengths would), or numbers beside words that
        stand below it too.

    Examples
    --------
    >>> check_names("t.csv", ["400", "410"], [["0.5", "0.7"]], "auto")[:68]
    "The first line holds numbers only ('400', '410'), taken for names of"
    >>> check_names("t.csv", ["5.1", "setosa"], [["4.9", "setosa"]], "auto")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    fslib.tables.defects.TableError: t.csv has no names in its first line: it holds numbers ('5.1') and 'setosa', ...
    """
    filled = [name for name in names if name]
    numbers = [name for name in filled if A_NUMBER.fullmatch(name)]
    shown = ", ".join(map(repr, numbers[:3]))
    if header == "first" or not numbers:
        return ""
    what = ""
    if len(numbers) < len(filled):
        below = [{row[j].strip() for row in rows if j < len(row)} for j in range(len(names))]
        again = [name for j, name in enumerate(names) if name and name not in numbers and name in below[j]]
        if not again:
            return ""
        what = f"has no names in its first {place}: it holds numbers ({shown}) and {again[0]!r}, as rows do."
    elif not _monotone(numbers):
        what = f"has numbers ({shown}) in its first {place}, not names."
    if what:
        advice = f"{ROW.format(*names_by_position(2))} header='first' takes it for names all the same."
        raise TableError(path, [Defect("", what, advice, setting="header='none'")])
    taken = f"The first {place} holds numbers only ({shown}), taken for names of the columns."
    return f"{taken} {ROW.format(*names_by_position(2))}"


def names_by_position(n):
    """Names of the columns of a table that has none.

    Examples
    --------
    >>> names_by_position(2)
    ['column 1', 'column 2']
    """
    return [f"column {j + 1}" for j in range(n)]


def _monotone(numbers):
    values = [float(name.replace(",", ".")) for name in numbers]
    steps = list(pairwise(values))
    return all(low < high for low, high in steps) or all(low > high for low, high in steps)


def titles_note(n, first):
    """Note on lines left out above the header.

    Examples
    --------
    >>> titles_note(1, "Export of 2024")
    "1 line above the names of the columns left out ('Export of 2024')."
    """
    return f"{counted(n, 'line')} above the names of the columns left out ({first.strip()[:40]!r})."
