"""Columns whose cells have a type: of data frames, Parquet files and spreadsheets."""

import datetime
import decimal
import numbers
from dataclasses import replace

import numpy as np

from fslib.tables.columns import Column, number_column
from fslib.tables.dates import seconds_of
from fslib.tables.defects import Defect
from fslib.tables.text import EXACT, column_of_text, plain_block

BLOCK = 64
"""Columns of text read at a time; one that is not plain makes all of its block be read one by one."""


def columns_of(raw, reading):
    """Read many columns, those of plain numbers in blocks.

    Parameters
    ----------
    raw : dict of str to pyarrow.ChunkedArray, pandas Series or array of numbers
    reading : Reading

    Returns
    -------
    dict of str to Column

    Examples
    --------
    >>> import pyarrow as pa
    >>> from fslib.tables.columns import Reading
    >>> {name: column.kind for name, column in columns_of({"x": pa.chunked_array([["1", "2"]])}, Reading()).items()}
    {'x': 'number'}
    """
    names, found = list(raw), {}
    for start in range(0, len(names), BLOCK):
        block = names[start : start + BLOCK]
        numbers = plain_block([raw[name] for name in block]) if len(block) > 1 and reading.is_plain(block) else None
        if numbers is None:
            numbers = [None] * len(block)
        for name, values in zip(block, numbers, strict=True):
            found[name] = column_of(name, raw[name], reading) if values is None else Column(name, "number", values)
    return found


def column_of(name, raw, reading):
    """Read one column.

    Parameters
    ----------
    name : str
    raw : pyarrow.ChunkedArray, pandas Series or array of numbers
    reading : Reading

    Returns
    -------
    Column
        Of kind "unusable", with a defect, if its cells are neither numbers nor words nor dates.

    Examples
    --------
    >>> import pandas as pd
    >>> from fslib.tables.columns import Reading
    >>> column_of("x", pd.Series([True, None], dtype="boolean"), Reading()).values
    array([ 1., nan])
    """
    import pandas as pd
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(raw, pd.Series) and isinstance(raw.dtype, pd.ArrowDtype):
        raw = pa.chunked_array(pa.array(raw))
    if isinstance(raw, pa.ChunkedArray) and (values := _plain_arrow(raw)) is not None:
        raw = values
    if isinstance(raw, np.ndarray):
        kind = raw.dtype.kind
        column = number_column(name, raw.astype({"f": float, "b": np.int64}.get(kind, raw.dtype), copy=False), reading)
    elif isinstance(raw, pa.ChunkedArray):
        if pa.types.is_dictionary(raw.type):
            raw = raw.cast(raw.type.value_type)
        if pa.types.is_large_string(raw.type) or pa.types.is_string_view(raw.type):
            raw = raw.cast(pa.string())
        if pa.types.is_run_end_encoded(raw.type):
            return column_of(name, pc.run_end_decode(raw), reading)
        if pa.types.is_string(raw.type):
            return column_of_text(name, raw, reading)
        if pa.types.is_date(raw.type):
            raw = raw.cast(pa.timestamp("s"))
        raw = raw.to_pandas() if pa.types.is_timestamp(raw.type) else pd.Series(pd.arrays.ArrowExtensionArray(raw))
        column = _of_series(name, raw, reading)
    else:
        column = _of_series(name, raw, reading)
    if name in reading.text and column.kind == "number":
        words = [None if empty else f"{value:.15g}" for value, empty in zip(column.values, column.empty, strict=True)]
        return column_of_text(name, pa.chunked_array([pa.array(words, pa.string())]), reading)
    return column


def _plain_arrow(raw):
    """Values of a column of numbers of Arrow, or None if it holds anything else or whole numbers with empty cells."""
    import pyarrow as pa

    is_float = pa.types.is_floating(raw.type) and not pa.types.is_float16(raw.type)
    if is_float or (raw.null_count == 0 and (pa.types.is_integer(raw.type) or pa.types.is_boolean(raw.type))):
        return raw.to_numpy()
    return None


def _of_series(name, series, reading):
    import pandas as pd

    if isinstance(series.dtype, pd.CategoricalDtype):
        series = series.astype(object)
    if isinstance(series.dtype, pd.SparseDtype):
        series = series.sparse.to_dense()
    if isinstance(series.dtype, pd.PeriodDtype):
        series = series.dt.to_timestamp()
    types = pd.api.types
    if types.is_bool_dtype(series.dtype) or types.is_integer_dtype(series.dtype):
        return _of_integers(name, series, reading)
    if types.is_float_dtype(series.dtype):
        return number_column(name, series.to_numpy(dtype=float, na_value=np.nan), reading)
    if types.is_datetime64_any_dtype(series.dtype):
        return Column(name, "date", seconds_of(series))
    if types.is_timedelta64_dtype(series.dtype):
        seconds = series.dt.total_seconds().to_numpy(dtype=float, na_value=np.nan)
        return Column(name, "number", seconds, notes=["durations were read as seconds"])
    if types.is_complex_dtype(series.dtype):
        return _unusable(name, len(series), "holds complex numbers")
    return _of_objects(name, series.astype(object), reading)


def _of_integers(name, series, reading):
    """Whole numbers and truth values, with or without empty cells."""
    if not series.isna().any():
        values = series.to_numpy()
        if values.dtype.kind not in "iub":
            values = series.to_numpy(dtype=np.uint64 if int(series.max()) >= 2**63 else np.int64)
        return number_column(name, values.astype(np.int64) if values.dtype.kind == "b" else values, reading)
    known = series.dropna()
    if len(known) and max(abs(int(known.min())), abs(int(known.max()))) > EXACT:
        return _of_objects(name, series.astype(object), reading)
    return number_column(name, series.to_numpy(dtype=float, na_value=np.nan), reading)


def _of_objects(name, series, reading):
    """Cells of any kind: all numbers, all dates, or words."""
    import pandas as pd
    import pyarrow as pa

    empty = series.isna().to_numpy()
    cells = [cell for cell, gone in zip(series.tolist(), empty, strict=True) if not gone]
    if cells and all(isinstance(cell, numbers.Real | decimal.Decimal) for cell in cells):
        whole = all(isinstance(cell, numbers.Integral) for cell in cells)
        if not whole or max(abs(int(cell)) for cell in cells) <= EXACT:
            values = np.full(len(series), np.nan)
            values[~empty] = [float(cell) for cell in cells]
            return number_column(name, values.astype(np.int64) if whole and not empty.any() else values, reading)
    if cells and all(isinstance(cell, datetime.date) for cell in cells):
        return Column(name, "date", seconds_of(pd.to_datetime(series, utc=True)))
    if cells and all(isinstance(cell, datetime.timedelta) for cell in cells):
        return _of_series(name, pd.to_timedelta(series), reading)
    if cells and all(isinstance(cell, datetime.time) for cell in cells):
        cells = [str(cell) for cell in cells]
    if all(isinstance(cell, bytes) for cell in cells):
        cells = [cell.decode(errors="replace") for cell in cells]
    if any(isinstance(cell, pd.Interval) for cell in cells):
        cells = [str(cell) if isinstance(cell, pd.Interval) else cell for cell in cells]
        reading = replace(reading, text=reading.text | {name})
    odd = next((cell for cell in cells if not isinstance(cell, _AS_WORDS)), None)
    if odd is not None:
        return _unusable(name, len(series), f"holds cells that are neither numbers nor words ({type(odd).__name__})")
    words = np.full(len(series), None, dtype=object)
    words[~empty] = [str(cell) for cell in cells]
    column = column_of_text(name, pa.chunked_array([pa.array(words, pa.string())]), reading)
    day = next((cell for cell in cells if isinstance(cell, datetime.date)), None)
    if column.kind == "text" and day is not None and not column.defects and name not in reading.text:
        row = next(i for i, cell in enumerate(series) if isinstance(cell, datetime.date))
        what = (
            f"holds words and the date {str(day)[:10]} in row {row + 1}; spreadsheets make dates of words like MARCH1."
        )
        column.defects.append(Defect(name, what, f"Correct the cells, or read words (text=[{name!r}]).", drop=True))
    return column


_AS_WORDS = (str, numbers.Real, decimal.Decimal, datetime.date, datetime.time, datetime.timedelta, np.bool_)


def _unusable(name, n, what):
    column = Column(name, "unusable", np.full(n, np.nan))
    column.defects.append(Defect(name, f"{what}.", "Leave it out, or make numbers of them.", drop=True))
    return column
