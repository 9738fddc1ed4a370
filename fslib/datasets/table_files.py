"""Read a file of your own as a table; the error messages say what is wrong and what to do."""

import csv
from pathlib import Path

from fslib.datasets import multilabel_files

SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": ","}
SUFFIXES = (*SEPARATORS, ".parquet", *multilabel_files.SUFFIXES)


def read_table_file(path):
    """Read a table whose columns have names of their own.

    Parameters
    ----------
    path : Path
        A ``.csv``, ``.tsv``, ``.txt`` (comma separated) or ``.parquet`` file, an ``.arff`` file, or an ``.svm`` or
        ``.libsvm`` file with several labels per line; text in UTF-8.

    Returns
    -------
    DataFrame
        At least one row; the names of the columns are text. ``attrs["labels"]``: the columns that the file itself
        calls labels.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the kind of file is unknown, the file is empty, broken, in another encoding or separated by another sign, or
        two columns share a name.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"{path.name}: this kind of file is unknown; use one of {', '.join(SUFFIXES)}.")
    if not path.is_file():
        beside = sorted(p.name for p in path.parent.glob("*") if p.suffix.lower() in SUFFIXES)
        hint = f" In that folder: {', '.join(beside[:8])}." if beside else ""
        raise FileNotFoundError(f"There is no file {path} (looked from {Path.cwd()}).{hint}")
    labels = []
    if path.suffix.lower() in multilabel_files.SUFFIXES:
        frame, labels = multilabel_files.multilabel_table(path)
    else:
        frame = _read_parquet(path) if path.suffix.lower() == ".parquet" else _read_text(path)
    frame.columns = frame.columns.map(str)
    frame.attrs["labels"] = labels
    if frame.empty:
        raise ValueError(f"{path} holds no rows.")
    _refuse_doubles(list(frame.columns), path)
    return frame


def _read_parquet(path):
    import pandas as pd  # half a second, wanted only by those who read a table

    try:
        return pd.read_parquet(path)
    except (ValueError, OSError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise ValueError(f"{path} is no parquet file or a broken one ({reason}); write it anew, or as CSV.") from error


def _read_text(path):
    import pandas as pd

    separator = SEPARATORS[path.suffix.lower()]
    try:
        _check_header(path, separator)
        return pd.read_csv(path, sep=separator)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not text in UTF-8; save it again in that encoding.") from error
    except (pd.errors.ParserError, csv.Error) as error:
        reason = str(error).strip().rsplit("C error: ")[-1]
        raise ValueError(f"{path} is no table ({reason}); give every line as many cells as the header.") from error


def _check_header(path, separator):
    """Look at the names before pandas renames those that occur twice."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        names = next((row for row in csv.reader(file, delimiter=separator) if any(row)), None)
    if names is None:
        raise ValueError(f"{path} is empty; its first line must name the columns.")
    other = next((sign for sign in ";\t|," if sign != separator and sign in names[0]), None)
    if len(names) == 1 and other is not None:
        advice = "save it with tabs" if separator == "\t" else "save it with commas, and points in decimal numbers"
        raise ValueError(f"The columns of {path} are separated by {other!r}, not {separator!r}; {advice}.")
    _refuse_doubles([name for name in names if name], path)


def _refuse_doubles(names, path):
    double = next((name for name in names if names.count(name) > 1), None)
    if double is not None:
        raise ValueError(f"{path} has several columns called {double!r}; rename them.")
