"""Read a table of your own into features and target."""

from inspect import signature

from fslib.tables.arguments import (
    cells_for_empty,
    check_choices,
    list_of_names,
    one_name,
    target_names,
    unknown_names,
    views_of_names,
)
from fslib.tables.assembling import assemble
from fslib.tables.columns import Reading
from fslib.tables.request import Request
from fslib.tables.source import open_source
from fslib.tables.target import TASKS


def read_table(
    source,
    target=(),
    *,
    drop=(),
    keep=(),
    views=(),
    groups=None,
    time=None,
    task="auto",
    missing_target=None,
    missing_features="error",
    text=(),
    empty=(),
    decimal=None,
    sheet=None,
    encoding=None,
    header="auto",
):
    r"""Read a table, split off its target, and make every other column a number.

    Numbers are read as people write them (decimal commas, thousands, one unit throughout); whatever is not certain is
    refused, with the cell. Text with at most 20 levels becomes one 0/1 feature per level, ``column=level``. Columns
    that number the rows, repeat the target or each other, hold dates, or say nothing are named in ``suspects`` and left
    out unless ``keep`` names them.

    Parameters
    ----------
    source : str, Path, or DataFrame
        A text file with any usual separator (``.csv``, ``.tsv``, ``.txt``), a spreadsheet (``.xlsx``, ``.xls``,
        ``.ods``), ``.parquet``, ``.feather``, ``.arff``, ``.svm`` or ``.libsvm``, each of them also packed (``.gz``,
        ``.bz2``, ``.xz``, ``.zst``, or alone in a ``.zip``); or a table of pandas, polars or pyarrow.
    target : str or list of str
        Name of the target column, or names of the label columns (1 = present, 0 = absent, empty = unknown). Empty:
        those that a multi-label file names, by an XML file beside it, by MEKA's ``-C`` or by its form.
    drop : list of str
        Columns to leave out.
    keep : list of str, or "all"
        Suspects to use all the same; a date becomes days since 1970.
    views : list of str, or dict of str to list of str
        Prefixes of column names, or names of views with their columns. Every column must belong to exactly one.
    groups : str or None
        Column whose values say which rows belong together; no feature.
    time : str or None
        Column of numbers or dates that orders the rows; no feature.
    task : {"auto", "classes", "number", "labels"}
        Auto: a number if the target has fractions or more than 20 different values, else classes; labels if there are
        several targets.
    missing_target : {"error", "drop_rows", "unknown"} or None
        Rows without a target. None: an error for one target, unknown for labels.
    missing_features : {"error", "drop_rows", "median"}
        Empty cells of features: refuse, leave the row out, or keep them as NaN so that each training part fills them
        with its own medians (text gets a level "missing").
    text : list of str
        Columns to be read as words, even if they look like numbers.
    empty : list
        Words and numbers that stand for an empty cell, such as ``[-999, "unknown"]``.
    decimal : {".", ","} or None
        Sign before decimals; None: detected.
    sheet : str or None
        Sheet of a spreadsheet; None: the first that holds something.
    encoding : str or None
        Encoding of a text file, such as "cp1251"; None: UTF-8, UTF-16 or, with a note, Windows-1252.
    header : {"auto", "first", "none"}
        Whether the first line of a text file or spreadsheet names the columns. Auto: it does, but numbers that rise or
        fall are noted, and other numbers refused. None: it is a row, and the columns are called "column 1", "column 2".

    Returns
    -------
    UserTable

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    TableError
        If the table cannot be used as it is; the message lists all reasons and proposes arguments.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name) / "fruit.csv"
    >>> _ = path.write_text("weight;colour;ripe\n120,5 g;red;yes\n80 g;green;no\n95 g;red ;yes\n")
    >>> table = read_table(path, "ripe")
    >>> table.X.to_dict("list")
    {'weight': [120.5, 80.0, 95.0], 'colour=green': [0, 1, 0], 'colour=red': [1, 0, 1]}
    >>> table.y.tolist(), table.task
    (['yes', 'no', 'yes'], 'classification')
    >>> folder.cleanup()
    """
    check_choices(task, missing_target, missing_features, decimal, header)
    found = open_source(source, sheet=sheet, encoding=encoding, header=header)
    request = Request(
        targets=target_names(target, found),
        drop=list_of_names("drop", drop),
        keep=keep if isinstance(keep, str) and keep == "all" else list_of_names("keep", keep),
        views=views_of_names(views),
        groups=one_name("groups", groups),
        time=one_name("time", time),
        task=TASKS[task],
        missing_target=missing_target,
        missing_features=missing_features,
    )
    text = list_of_names("text", text)
    wrong = unknown_names(found, request.roles() | {"text": text})
    reading = Reading(frozenset(text), cells_for_empty(empty), decimal, None, found.semicolons)
    return assemble(found, request.of_columns(found) if wrong else request, reading, wrong)


DEFAULTS = {name: p.default for name, p in signature(read_table).parameters.items() if p.kind is p.KEYWORD_ONLY}
"""Arguments of `read_table` beside file and target, with their defaults."""


def not_default(arguments):
    """Those of some arguments of `read_table` that differ from its defaults; an empty list is an empty tuple.

    Examples
    --------
    >>> not_default({"target": "y", "drop": [], "task": "auto", "sheet": "May"})
    {'target': 'y', 'sheet': 'May'}
    """
    plain = lambda value: tuple(value) if isinstance(value, list) else value
    return {name: value for name, value in arguments.items() if name not in DEFAULTS or plain(value) != DEFAULTS[name]}
