"""A column in one of three forms: numbers, words or dates; and how its cells are to be read."""

from dataclasses import dataclass, field

import numpy as np

from fslib.inputs import LARGEST, SMALLEST
from fslib.tables.defects import Defect, counted


@dataclass(eq=False)
class Column:
    """A column of a table.

    Attributes
    ----------
    name : str
    kind : {"number", "text", "date", "unusable"}
    values : array of shape (n,)
        Numbers (NaN = empty), codes of words (-1 = empty), or seconds since 1970 (NaN = empty).
    words : list of str
        Text only, sorted; the codes are positions in it.
    notes : list of str
        How cells were read, as parts of a sentence.
    defects : list of Defect
    comma : bool or None
        Whether it is the comma that separates decimals; None if the cells do not show it.
    odd : dict of int to str
        The first cells that are not numbers in a column of numbers, by row.
    emptied : set
        What was asked to be read as empty, and was found.
    """

    name: str
    kind: str
    values: np.ndarray
    words: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    defects: list = field(default_factory=list)
    comma: bool | None = None
    odd: dict = field(default_factory=dict)
    emptied: set = field(default_factory=set)

    @property
    def empty(self):
        """Which cells are empty, bool (n,)."""
        return self.values < 0 if self.kind == "text" else np.isnan(self.values)

    def take(self, rows):
        """The column with some of the rows (an index or boolean array)."""
        return Column(self.name, self.kind, self.values[rows], self.words, self.notes, self.defects, self.comma)


@dataclass(frozen=True)
class Reading:
    """How cells are to be read.

    Attributes
    ----------
    text : frozenset of str
        Columns of words, even if they look like numbers.
    empty : tuple
        Words and numbers that stand for an empty cell.
    decimal : {".", ","} or None
        The sign before decimals.
    comma_file : bool or None
        Whether other cells of the file show that it is the comma; None if they show nothing.
    semicolons : bool
        Whether the cells were separated by semicolons, as they are where the comma separates decimals.
    """

    text: frozenset = frozenset()
    empty: tuple = ()
    decimal: str | None = None
    comma_file: bool | None = None
    semicolons: bool = False

    def is_plain(self, names):
        """Whether nothing is asked that concerns plain numbers in these columns."""
        asked = self.empty_codes or self.semicolons or self.comma_file or self.decimal == ","
        return not asked and self.text.isdisjoint(names)

    @property
    def empty_words(self):
        """Words for an empty cell."""
        return {str(word) for word in self.empty} | {""}

    @property
    def empty_codes(self):
        """Numbers for an empty cell, among them words that are numbers."""
        return [code for cell in self.empty if (code := _as_number(cell)) is not None]


def _as_number(cell):
    try:
        code = float(cell)
    except ValueError:
        return None
    return code if np.isfinite(code) else None


def number_column(name, values, reading, notes=()):
    """A column of numbers; infinite ones are a defect, and those whose variance would be infinite or zero.

    Examples
    --------
    >>> number_column("x", np.array([1.0, -999.0]), Reading(empty=(-999,))).empty
    array([False,  True])
    """
    notes, emptied = list(notes), set()
    if reading.empty_codes:
        marked = np.isin(values, reading.empty_codes)
        if marked.any():
            emptied = set(np.unique(values[marked]).tolist())
            values = np.where(marked, np.nan, values)
            notes.append(f"{counted(marked.sum(), 'cell')} read as empty, as asked")
    column = Column(name, "number", values, notes=notes, emptied=emptied)
    size = np.abs(values, dtype=float)
    largest = np.fmax.reduce(size, initial=0.0)
    if np.isinf(largest):
        what = f"holds infinite values, first in row {np.flatnonzero(np.isinf(size))[0] + 1}."
        column.defects.append(Defect(name, what, "Replace them, or leave it out.", drop=True))
    elif largest > LARGEST or 0 < largest < SMALLEST:
        what = f"holds numbers whose squares are out of range, such as {largest:.3g} in row {np.nanargmax(size) + 1}."
        column.defects.append(Defect(name, what, "Use another unit, or leave it out.", drop=True))
    return column
