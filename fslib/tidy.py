"""The tidy row: its columns and settings, what it must be like, and how it is written and read.

A row is one number: paper, item (``"Table 2"``), data set, method, setting (``"key=value;key=value"``), metric, value,
standard deviation over repeats and number of repeats. The published numbers in ``data/reported`` have the same columns,
so that both join on them.
"""

import os
import re
from typing import Any

import numpy as np
import pandas as pd

from fslib.files import atomic_path, guard_formula, unguard_formula

COLUMNS = ["paper", "item", "dataset", "method", "setting", "metric", "value", "std", "n"]
"""Columns of a tidy row, in this order in every file."""

KEY = COLUMNS[:6]
"""The columns that name a number; no two rows of a table share them."""


def tidy(frame: pd.DataFrame, paper: str, item: str) -> pd.DataFrame:
    """Complete and check the rows of one item.

    Parameters
    ----------
    frame : DataFrame
        At least dataset, method, metric and value. ``setting`` defaults to empty, ``std`` to NaN, ``n`` to 1.
    paper, item : str

    Returns
    -------
    DataFrame
        Columns `COLUMNS`, sorted by `KEY`.

    Raises
    ------
    ValueError
        For missing or unknown columns, no rows, a value that is not a number, a setting that is not
        ``key=value;key=value``, two rows with one name, or rows of another paper or item.

    Examples
    --------
    >>> tidy(pd.DataFrame({"dataset": ["adult"], "method": ["MIGreedy"], "metric": ["log_loss"], "value": [0.3]}),
    ...      "bayes", "Figure 3").iloc[0].to_dict()["n"]
    1
    """
    where = f"{paper}, {item}"
    missing = {"dataset", "method", "metric", "value"} - set(frame.columns)
    unknown = set(frame.columns) - set(COLUMNS)
    if missing or unknown:
        raise ValueError(
            f"{where}: missing columns {sorted(missing)}, unknown columns {sorted(unknown)}; tidy rows have {COLUMNS}."
        )
    if frame.empty:
        raise ValueError(f"{where}: no rows. An empty table would hide that an experiment did not run.")
    rows = frame.reset_index(drop=True)
    defaults: dict[str, Any] = {"setting": "", "std": np.nan, "n": 1}
    for name, value in defaults.items():
        if name not in rows:
            rows[name] = value
    for name, expected in {"paper": paper, "item": item}.items():
        if name in rows and set(rows[name]) != {expected}:
            raise ValueError(f"{where}: column {name} says {sorted(set(rows[name]))}.")
        rows[name] = expected
    rows = rows[COLUMNS]
    try:
        rows = rows.assign(value=rows["value"].astype(float), std=rows["std"].astype(float), n=rows["n"].astype(int))
    except (TypeError, ValueError) as error:
        raise ValueError(f"{where}: value and std must be numbers and n a count ({error}).") from error
    for name in KEY:
        rows[name] = rows[name].astype(str)
    _check(rows, where)
    return rows.sort_values(KEY, kind="stable", ignore_index=True)


def _check(rows: pd.DataFrame, where: str) -> None:
    if rows["value"].isna().any():
        bad = rows.loc[rows["value"].isna(), KEY[2:]].iloc[0].to_dict()
        raise ValueError(f"{where}: value is NaN for {bad}. Leave out what did not run.")
    pair = r"[A-Za-z_0-9]+=[^=;]*"
    for setting in rows["setting"].unique():
        if not re.fullmatch(f"({pair}(;{pair})*)?", setting):
            raise ValueError(f"{where}: setting {setting!r} is not of the form key=value;key=value.")
    twice = rows[rows.duplicated(KEY)]
    if len(twice):
        raise ValueError(f"{where}: two rows share the name {twice.iloc[0][KEY[2:]].to_dict()}; a setting is missing.")


def write_table(rows: pd.DataFrame, path: str | os.PathLike) -> None:
    """Write tidy rows; see `write_csv`."""
    write_csv(rows, path)


def write_csv(frame: pd.DataFrame, path: str | os.PathLike, *, index: bool = False) -> None:
    r"""Write a table: ``%.17g`` (floats come back exactly), ``\n``, whole or not at all.

    Text that a spreadsheet would take for a formula gets an apostrophe in front, since names in a table may come from
    a file of somebody else; see `fslib.files.guard_formula`. `read_csv` removes it.

    Parameters
    ----------
    frame : DataFrame
    path : path-like
    index : bool
        Write the index too.
    """
    guarded = {name: frame[name].map(_guarded) for name in frame if frame[name].dtype.kind not in "biuf"}
    with atomic_path(path) as part:
        frame.assign(**guarded).to_csv(part, index=index, float_format="%.17g", lineterminator="\n")


def _guarded(value: object) -> object:
    return guard_formula(value) if isinstance(value, str) else value


def read_csv(path: str | os.PathLike) -> pd.DataFrame:
    """Read what `write_csv` wrote, all of it as text; empty text stays text.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    DataFrame
    """
    text = pd.read_csv(path, dtype=str, keep_default_na=False)
    return text.apply(lambda column: column.map(unguard_formula)) if len(text) else text


def read_table(path: str | os.PathLike) -> pd.DataFrame:
    """Read what `write_table` wrote, with the same dtypes; empty text stays text.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    DataFrame
        Columns `COLUMNS`.

    Raises
    ------
    ValueError
        If the file has other columns.
    """
    text = read_csv(path)
    if list(text.columns) != COLUMNS:
        raise ValueError(f"{path}: columns are {list(text.columns)}, not {COLUMNS}.")
    # pandas' own parser is one unit in the last place off at times, Python's is not
    value, std = (text[name].map(lambda s: float(s or "nan")).astype(float) for name in ("value", "std"))
    return text.assign(value=value, std=std, n=text["n"].astype(int))


def parse_setting(setting: str) -> dict[str, str]:
    """Split a setting into its keys and values.

    Raises
    ------
    ValueError
        If a part has no "=" or a key comes twice.

    Examples
    --------
    >>> parse_setting("k=5;loss=0-1")
    {'k': '5', 'loss': '0-1'}
    >>> parse_setting("")
    {}
    """
    parsed: dict[str, str] = {}
    for part in str(setting).split(";") if isinstance(setting, str) and setting else ():
        key, equals, value = part.partition("=")
        if not equals or not key or key in parsed:
            raise ValueError(f"setting {setting!r}: {part!r} is not a new key=value; write 'key=value;key=value'")
        parsed[key] = value
    return parsed


def format_setting(**parts: object) -> str:
    """Write keys and values as a setting, in the order given; what is None is left out.

    Examples
    --------
    >>> format_setting(k=5, loss="0-1", c=None)
    'k=5;loss=0-1'
    """
    return ";".join(f"{key}={value}" for key, value in parts.items() if value is not None)


def with_settings(frame: pd.DataFrame) -> pd.DataFrame:
    """Copy a tidy frame with one more column per setting key; numeric keys become numbers, absent ones missing.

    Examples
    --------
    >>> frame = pd.DataFrame({"setting": ["k=5;loss=0-1", "k=10;loss=0-1"], "value": [0.2, 0.1]})
    >>> with_settings(frame)[["k", "loss", "value"]]
        k loss  value
    0   5  0-1    0.2
    1  10  0-1    0.1
    """
    parsed = pd.DataFrame([parse_setting(s) for s in frame["setting"]], index=frame.index)
    for key in parsed:
        numbers = pd.to_numeric(parsed[key], errors="coerce")
        if numbers.notna().equals(parsed[key].notna()):
            parsed[key] = numbers
    fresh = [key for key in parsed if key not in frame]
    return pd.concat([frame, parsed[fresh]], axis=1)
