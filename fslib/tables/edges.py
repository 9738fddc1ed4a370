"""Rows at the edges of a table that are not samples: units below the names, totals at the end."""

import re

import numpy as np

A_VALUE = re.compile(r"[<>≤≥~±+\-−]?\s*[\d.,]*\d(?!0?[\^*x])")
"""How a measured value begins; ``10^9/L`` and ``1/min`` are units."""

MOST_TOTALS = 6
"""Rows at the end that are looked at."""

FUNCTIONS = {
    np.nansum: "total|totals|sum|grand total|subtotal|gesamt|summe|insgesamt|total général|totale|suma|somme|all",
    np.nanmean: "mean|average|avg|mittelwert|durchschnitt|moyenne|media|promedio|mean value",
    np.nanmedian: "median|mediane|médiane|mediana",
    np.nanmin: "min|minimum|mínimo",
    np.nanmax: "max|maximum|máximo",
    lambda values: np.nanstd(values, ddof=1): "sd|std|stdev|std dev|std.dev.|s.d.|standard deviation|"
    "standardabweichung|stabw|écart-type|ecart-type",
    lambda values: np.sum(~np.isnan(values)): "n|count|anzahl|nombre",
}
SUMMARIES = {word: function for function, words in FUNCTIONS.items() for word in words.split("|")}


def units_row(columns):
    """The first row if it holds units: words where all other cells are numbers, and nothing of a sample.

    Parameters
    ----------
    columns : dict of str to Column

    Returns
    -------
    rows : list of int
        [0] or empty.
    note : str

    Examples
    --------
    >>> from fslib.tables.columns import Column
    >>> length = Column("length", "number", np.array([np.nan, 3, 4]), odd={0: "mm"})
    >>> units_row({"length": length})
    ([0], "The row below the names ('mm') holds units, and was left out.")
    """
    units = []
    for column in columns.values():
        if column.kind == "unusable" or not len(column.values):
            return [], ""
        if list(column.odd) == [0] and not A_VALUE.match(column.odd[0]):
            units.append(column.odd[0])
        elif column.odd or (column.kind == "text" and np.sum(column.values == column.values[0]) > 1):
            return [], ""
        elif column.kind != "text" and not column.empty[0]:
            return [], ""
    if not units:
        return [], ""
    return [0], f"The row below the names ({', '.join(map(repr, units[:6]))}) holds units, and was left out."


def totals_rows(columns):
    """Last rows that sum up those above, as their word says ("Total", "Mean") and their numbers confirm.

    Parameters
    ----------
    columns : dict of str to Column

    Returns
    -------
    rows : list of int
    note : str
        Also where only the word says so, and the row stays.

    Examples
    --------
    >>> from fslib.tables.columns import Column
    >>> name = Column("name", "text", np.array([1, 2, 1, 0]), ["Total", "a", "b"])
    >>> totals_rows({"name": name, "n": Column("n", "number", np.array([3.0, 4, 5, 12]))})
    ([3], "The last row ('Total') sums up those above, and was left out.")
    """
    n = max((len(column.values) for column in columns.values()), default=0)
    found = {}
    for row in range(max(1, n - MOST_TOTALS), n):
        for column in columns.values():
            word = _only_here(column, row)
            if word.casefold().rstrip(":") in SUMMARIES:
                found[row] = word
    first = next((row for row in range(n) if all(later in found for later in range(row, n))), n) if found else n
    rows = list(range(first, n))
    if not rows:
        return [], ""
    shown = ", ".join(repr(found[row]) for row in rows)
    which = "The last row" if len(rows) == 1 else f"The last {len(rows)} rows"
    if all(_confirmed(columns.values(), first, row, SUMMARIES[found[row].casefold().rstrip(":")]) for row in rows):
        verb = "sums" if len(rows) == 1 else "sum"
        return rows, f"{which} ({shown}) {verb} up those above, and {'was' if len(rows) == 1 else 'were'} left out."
    return [], f"{which} ({shown}) may sum up those above; if so, delete {'it' if len(rows) == 1 else 'them'}."


def _only_here(column, row):
    """Word of a cell if no other row has it."""
    if column.kind == "text" and row < len(column.values):
        code = column.values[row]
        return column.words[code] if code >= 0 and np.sum(column.values == code) == 1 else ""
    return column.odd.get(row, "")


def _confirmed(columns, first, row, function):
    """Whether at least half of the numbers of a row are this function of the rows before the first summary."""
    checked = []
    for column in columns:
        if column.kind == "number" and not np.isnan(column.values[row]) and not np.isnan(column.values[:first]).all():
            expected = function(column.values[:first].astype(float))
            checked.append(np.isclose(column.values[row], expected, rtol=1e-3, atol=0.005))
    return bool(checked) and np.mean(checked) >= 0.5
