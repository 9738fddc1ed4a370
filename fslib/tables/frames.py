"""Tables in memory, of pandas, polars and pyarrow, as columns that are not yet interpreted."""

import numpy as np

from fslib.tables.source import Source, unique_names

NAME = "The table"


def columns_of_frame(frame):
    """Columns of a table in memory.

    Parameters
    ----------
    frame : DataFrame of pandas or polars, or Table or RecordBatch of pyarrow

    Returns
    -------
    Source

    Raises
    ------
    TypeError
        If it is something else.
    """
    if hasattr(frame, "collect") and hasattr(frame, "collect_schema"):
        raise TypeError("A LazyFrame holds no rows yet; pass frame.collect().")
    if hasattr(frame, "to_arrow") and hasattr(frame, "get_columns"):  # polars
        names, twice = unique_names(frame.columns)
        return Source(NAME, dict(zip(names, map(_of_polars, frame.get_columns()), strict=True)), twice=twice)
    if hasattr(frame, "schema") and hasattr(frame, "num_columns"):  # pyarrow
        import pyarrow as pa

        names, twice = unique_names(frame.schema.names)
        frame = pa.Table.from_batches([frame]) if isinstance(frame, pa.RecordBatch) else frame
        return Source(NAME, {name: frame.column(j) for j, name in enumerate(names)}, twice=twice)
    if not (hasattr(frame, "iloc") and hasattr(frame, "columns")):
        raise TypeError(
            f"A table is a path or a DataFrame of pandas or polars, got {type(frame).__name__}; "
            "pandas.DataFrame(array, columns=names) makes one of an array."
        )
    labels = [" ".join(map(str, name)) if isinstance(name, tuple) else name for name in frame.columns]
    names, twice = unique_names(labels)
    found = Source(NAME, _of_pandas(frame, names), twice=twice)
    if any(name is not None for name in frame.index.names):
        shown = ", ".join(map(repr, frame.index.names))
        found.notes.append(f"The index ({shown}) is not a column; reset_index() makes it one.")
        found.hints.append(found.notes[-1])
    return found


def _of_polars(column):
    import pandas as pd
    import pyarrow as pa

    try:
        cells = column.to_arrow()
    except pa.ArrowException:  # integers of 128 bits
        return pd.Series(column.to_list(), dtype=object)
    if pa.types.is_fixed_size_binary(cells.type):  # polars hands on addresses of Python objects
        return pd.Series(column.to_list(), dtype=object)
    return pa.chunked_array([cells])


def _of_pandas(frame, names):
    """Columns of pandas; those of plain numbers as arrays, all of a type at once."""
    plain = {}
    for dtype in {dtype for dtype in frame.dtypes if isinstance(dtype, np.dtype) and dtype.kind in "iufb"}:
        where = np.flatnonzero(frame.dtypes == dtype)
        block = np.array(frame.iloc[:, where].to_numpy(), order="F")  # a copy: the frame stays as it is
        plain |= {names[j]: block[:, i] for i, j in enumerate(where)}
    return {
        name: plain[name] if name in plain else frame.iloc[:, j].reset_index(drop=True) for j, name in enumerate(names)
    }
