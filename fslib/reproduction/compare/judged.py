"""The rows on which claims were judged, kept beside the verdicts: anybody can judge them again without a run."""

import json

import pyarrow as pa
import pyarrow.parquet as pq

from fslib.files import atomic_path

_CLAIMS = b"claims"


def write_judged(rows, claim_ids, path):
    """Write rows and the claims that were judged on them as Parquet.

    Parameters
    ----------
    rows : DataFrame
    claim_ids : list of str
    path : path-like

    Raises
    ------
    TypeError
        If a column mixes types, such as text and numbers; Parquet has one type a column.
    """
    try:
        table = pa.Table.from_pandas(rows)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise TypeError(f"the rows that are judged must have one type a column: {error}") from error
    table = table.replace_schema_metadata(table.schema.metadata | {_CLAIMS: json.dumps(claim_ids).encode()})
    with atomic_path(path) as part:
        pq.write_table(table, part, compression="zstd", compression_level=19)


def read_judged(path):
    """Read what `write_judged` wrote.

    Returns
    -------
    rows : DataFrame
    claim_ids : list of str

    Examples
    --------
    >>> import tempfile, pandas as pd
    >>> path = tempfile.mkdtemp() + "/rows.parquet"
    >>> write_judged(pd.DataFrame({"value": [0.25, 0.5]}), ["fig1-best"], path)
    >>> rows, claim_ids = read_judged(path)
    >>> rows["value"].tolist(), claim_ids
    ([0.25, 0.5], ['fig1-best'])
    """
    table = pq.read_table(path)
    return table.to_pandas(), json.loads(table.schema.metadata[_CLAIMS])
