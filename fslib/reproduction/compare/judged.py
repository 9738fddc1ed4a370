"""The rows on which claims were judged, kept beside the verdicts: anybody can judge them again without a run."""

import json

import pyarrow as pa
import pyarrow.parquet as pq

from fslib.files import atomic_path

_CLAIMS, _MIXED = b"claims", b"mixed"


def write_judged(rows, claim_ids, path):
    """Write rows and the claims that were judged on them as Parquet.

    Parquet has one type a column: the cells of a column that mixes texts and numbers are written as JSON.

    Parameters
    ----------
    rows : DataFrame
    claim_ids : list of str
    path : path-like
    """
    mixed = [name for name in rows if not _has_one_type(rows[name])]
    table = pa.Table.from_pandas(rows.assign(**{name: [_json(v) for v in rows[name]] for name in mixed}))
    more = {_CLAIMS: json.dumps(claim_ids).encode(), _MIXED: json.dumps(mixed).encode()}
    table = table.replace_schema_metadata(table.schema.metadata | more)
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
    >>> write_judged(pd.DataFrame({"value": [0.25, "a b"]}), ["fig1-best"], path)
    >>> rows, claim_ids = read_judged(path)
    >>> rows["value"].tolist(), claim_ids
    ([0.25, 'a b'], ['fig1-best'])
    """
    table = pq.read_table(path)
    rows, found = table.to_pandas(), table.schema.metadata
    texts = {name: rows[name].map(json.loads).astype(object) for name in json.loads(found[_MIXED])}
    return rows.assign(**texts), json.loads(found[_CLAIMS])


def _has_one_type(column):
    try:
        pa.array(column, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return False
    return True


def _json(value):
    return json.dumps(value.item() if hasattr(value, "item") else value)
