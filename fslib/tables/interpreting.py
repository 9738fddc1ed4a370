"""From cells to columns of numbers, words and dates, without rows at the edges that are not samples."""

from dataclasses import replace

import numpy as np

from fslib.tables.edges import totals_rows, units_row
from fslib.tables.text import OPEN
from fslib.tables.typed import column_of, columns_of


def interpreted(source, drop, reading, notes):
    """Columns of a source.

    Parameters
    ----------
    source : Source
    drop : list of str
        Columns that are not looked at.
    reading : Reading
    notes : list of str
        Appended to: rows left out, and what was to be read as empty but stands nowhere.

    Returns
    -------
    source : Source
        With the rows that are left.
    columns : dict of str to Column

    Examples
    --------
    >>> from fslib.tables.columns import Reading
    >>> from fslib.tables.source import Source
    >>> source = Source("t.csv", {"x": np.array([3, 1]), "y": np.array([0, 1])})
    >>> _, columns = interpreted(source, ["y"], Reading(), [])
    >>> {name: column.values.tolist() for name, column in columns.items()}
    {'x': [3, 1]}
    """
    columns = _read_columns(source, drop, reading)
    for find in (units_row, totals_rows):
        rows, note = find(columns)
        notes += [note] if note else []
        if rows:
            kept = np.ones(source.n_rows, dtype=bool)
            kept[rows] = False
            source = source.take(kept)
            columns = _read_columns(source, drop, reading)
    found = set().union(*(column.emptied for column in columns.values()))
    vain = [cell for cell in reading.empty if cell not in found and _number_of(cell) not in found]
    notes += [f"{', '.join(map(repr, vain))} was given as empty and was found in no cell."] if vain else []
    return source, columns


def _number_of(cell):
    try:
        return float(cell)
    except ValueError:
        return None


def _read_columns(source, drop, reading):
    """All columns; those that a comma may change are read again if others show that commas separate decimals."""
    dropped = set(drop).union(*(source.twice.get(name, ()) for name in drop))
    raw = {name: cells for name, cells in source.columns.items() if name not in dropped}
    columns = columns_of(raw, reading)
    if any(defect.advice == OPEN for column in columns.values() for defect in column.defects):
        columns = columns_of(raw, replace(reading, semicolons=True))  # which looks for points that decide
    shown = {column.comma for column in columns.values()} - {None}
    if reading.decimal is None and shown == {True}:
        by_comma = columns_of(raw, replace(reading, comma_file=True))
        if not any(column.comma is False for column in by_comma.values()):
            return by_comma
        again = replace(reading, semicolons=True)  # both signs before decimals: what is open stays open
        columns = columns_of(raw, again)
    elif reading.decimal is None and shown == {False}:
        again = replace(reading, comma_file=False)
        columns |= {name: column_of(name, raw[name], again) for name, column in columns.items() if column.defects}
    return columns
