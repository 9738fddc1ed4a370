"""What is seen of many columns at once is what a look at each of them sees."""

import numpy as np
import pandas as pd
import pytest

from fslib.tables import bulk, read_table
from fslib.tables.columns import Column
from fslib.tables.suspects import CODES, _one_column

RNG = np.random.default_rng(0)
N = 40
MEASURED = RNG.normal(size=N)
COLUMNS = {
    "measured": MEASURED,
    "whole": RNG.integers(0, 9, N),
    "whole floats": RNG.integers(0, 9, N).astype(float),
    "even": np.linspace(0, 1, N),
    "nearly even": np.linspace(0, 1, N) * (1 + 1e-9 * RNG.normal(size=N)),
    "even at first": np.append([0, 0.1, 0.2], MEASURED[3:]),
    "code": np.append(-999.0, MEASURED[1:]),
    "code as float32": np.append(MEASURED[1:], np.float32(1e20)),
    "constant": np.full(N, 0.5),
    "gap": np.append(np.nan, MEASURED[1:]),
    "nearly empty": np.append(0.5, np.full(N - 1, np.nan)),
    "empty": np.full(N, np.nan),
    "huge": MEASURED * 1e300,
    "tiny": MEASURED * 1e-300,
}


def columns():
    found = [Column(name, "number", values) for name, values in COLUMNS.items()]
    return [*found, Column("words", "text", np.arange(N) % 3 - 1, ["u", "v"]), Column("day", "date", MEASURED * 1e9)]


@pytest.mark.parametrize("cells", [1, 100, 1 << 22])
def test_columns_that_are_passed_over_are_no_suspects(monkeypatch, cells):
    monkeypatch.setattr(bulk, "CELLS", cells)
    plain = bulk.plainly_measured(columns(), CODES)
    passed = {column.name for column, one in zip(columns(), plain, strict=True) if one}
    assert passed == {"measured"}

    seen = []
    for column in columns():
        _one_column(column, lambda name, *what: seen.append(name))
    assert not passed.intersection(seen) and {"even", "code", "code as float32", "constant", "empty"} <= set(seen)


@pytest.mark.parametrize("n_rows", [5, N, 2 * N])
def test_different_cells_are_counted_as_one_by_one(n_rows):
    expected = [len(np.unique(c.values[:n_rows][~c.empty[:n_rows]])) for c in columns()]
    assert bulk.n_distinct(columns(), n_rows).tolist() == expected


def test_no_columns():
    assert bulk.n_distinct([], 5).tolist() == [] and bulk.plainly_measured([], CODES).tolist() == []


def test_features_of_several_types_keep_their_order_and_type():
    frame = pd.DataFrame(
        {"a": MEASURED, "b": RNG.integers(0, 9, N), "c": [*"uv"] * 20, "d": MEASURED**2, "y": [0, 1] * 20}
    )
    X = read_table(frame, "y", keep="all").X
    assert list(X) == ["a", "b", "c=u", "c=v", "d"]
    assert [dtype.kind for dtype in X.dtypes] == [*"fiiif"]
    assert np.array_equal(X[["a", "b", "d"]], frame[["a", "b", "d"]])
