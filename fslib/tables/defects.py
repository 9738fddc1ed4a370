"""All that keeps a table from being used, in one message."""

from typing import NamedTuple


def counted(n, thing):
    """Number and noun.

    Examples
    --------
    >>> counted(1, "cell"), counted(20, "cell")
    ('1 cell', '20 cells')
    """
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


class Defect(NamedTuple):
    """One thing that is wrong with a table.

    Attributes
    ----------
    column : str
        Name of the column, or empty if it is the table as a whole.
    what : str
        What was seen, and in which cells, as a sentence without its subject: "holds ...".
    advice : str
        What to do.
    drop : bool
        Whether leaving the column out is the proposed way.
    setting : str
        Argument that settles it, such as ``missing_features='median'``, or empty.
    """

    column: str
    what: str
    advice: str
    drop: bool = False
    setting: str = ""


class TableError(ValueError):
    """A table cannot be used as it is; the message lists every reason, and the arguments that settle them.

    Attributes
    ----------
    defects : list of Defect
    drop : list of str
        Columns to leave out, as proposed.

    Examples
    --------
    >>> raise TableError("t.csv", [Defect("name", "holds free text.", "Drop it.", drop=True)])
    Traceback (most recent call last):
    fslib.tables.defects.TableError: t.csv: column 'name' holds free text. Drop it. Proposed: drop=['name'].
    """

    def __init__(self, source, defects, *, drop=()):
        self.defects = list(defects)
        self.drop = [*drop, *dict.fromkeys(p.column for p in self.defects if p.drop and p.column not in drop)]
        self.source = str(source)
        super().__init__(_message(self.source, self.defects, self.drop))

    def __reduce__(self):
        return _restored, (self.source, self.defects, self.drop)


def _restored(source, defects, drop):
    return TableError(source, defects, drop=drop)


def _message(source, defects, drop):
    settings = list(dict.fromkeys(p.setting for p in defects if p.setting))
    if any(p.drop for p in defects):
        settings.insert(0, f"drop={drop!r}")
    proposed = f"Proposed: {', '.join(settings)}." if settings else ""
    where = lambda p: f"column {p.column!r}" if p.column else "the table"
    if len(defects) == 1:
        (only,) = defects
        place = f": {where(only)}" if only.column else ""
        return " ".join(part for part in (f"{source}{place} {only.what}", only.advice, proposed) if part)
    width = min(40, max(len(where(p)) for p in defects))
    rows = [f"  {where(p):<{width}}  {p.what} {p.advice}".rstrip() for p in defects]
    return "\n".join([f"{source} cannot be used as it is, for {len(defects)} reasons:", *rows, proposed]).rstrip()
