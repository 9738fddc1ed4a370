"""Our own numbers must not move unseen: the tables of a run against the ones stored in ``tests/expected``."""

import shutil
from pathlib import Path

import numpy as np
import pandas as pd

from fslib.names import RUN_TIMES, Tolerance, metric
from fslib.tidy import COLUMNS, KEY, read_csv, write_table

COUNT = Tolerance(0.0, "the number of repeats")

FINDINGS = ["notebook", "table", "problem", *KEY[2:], "expected", "here", "tolerance"]


def guard(here, expected):
    """Compare two tidy tables: no row lost, new or doubled, no column lost or new, no value moved.

    Parameters
    ----------
    here, expected : DataFrame
        Tidy rows.

    Returns
    -------
    DataFrame
        One row per finding: problem, the name of the number, expected, here, tolerance. Empty if all is as it was.

    Examples
    --------
    >>> rows = pd.DataFrame([["bayes", "Figure 1", "adult", "MIGreedy", "k=1", "error_0_1", 0.2, 0.01, 5]],
    ...                     columns=COLUMNS)
    >>> guard(rows, rows).empty
    True
    >>> guard(rows.assign(value=0.21), rows)["problem"].item()
    'value moved'
    """
    if list(here.columns) != list(expected.columns):
        lost, new = (sorted(set(a) - set(b)) for a, b in ((expected, here), (here, expected)))
        return _findings([{"problem": f"columns changed: lost {lost}, new {new}"}])
    here, expected = (rows[~rows["metric"].isin(RUN_TIMES)] for rows in (here, expected))
    found = [_finding("row doubled", row) for row in here[here.duplicated(KEY)].to_dict("records")]
    both = expected.merge(here.drop_duplicates(KEY), on=KEY, how="outer", suffixes=("", "_here"), indicator=True)
    for row in both.to_dict("records"):
        if row["_merge"] != "both":
            found.append(_finding("row lost" if row["_merge"] == "left_only" else "row new", row, row["value_here"]))
            continue
        tolerance = metric(row["metric"]).tolerance
        for name, limit in (("value", tolerance), ("std", tolerance), ("n", COUNT)):
            if not limit.allows(row[name], row[f"{name}_here"]):
                moved = _finding(f"{name} moved", row | {"value": row[name]}, row[f"{name}_here"])
                found.append(moved | {"tolerance": limit.allowed(row[name])})
    return _findings(found)


def _finding(problem, row, here=np.nan):
    return {name: row[name] for name in KEY[2:]} | {"problem": problem, "expected": row["value"], "here": here}


def _findings(found):
    return pd.DataFrame(found, columns=FINDINGS[2:])


def guard_run(tables, expected_dir):
    """Guard every table of the notebooks that ran.

    Parameters
    ----------
    tables : dict of str to dict of str to DataFrame
        Notebook -> name of a table's file -> its rows. A notebook that did not run is not in it.
    expected_dir : path-like
        One folder per notebook, with one file per table.

    Returns
    -------
    findings : DataFrame
        As from `guard`, with the notebook and the table in front.
    n_guarded : int
        Stored numbers that were looked at.
    """
    found, n_guarded = [], 0
    for notebook, here in tables.items():
        stored = {path.name: path for path in (Path(expected_dir) / notebook).glob("*.csv")}
        for name in sorted(here.keys() | stored.keys()):
            # read as it is, not through the reader that insists on the columns: a lost column is a finding here
            expected = _read(stored[name]) if name in stored else here[name].iloc[:0]
            findings = guard(here.get(name, expected.iloc[:0]), expected)
            found.append(findings.assign(notebook=notebook, table=name))
            n_guarded += int((~expected["metric"].isin(RUN_TIMES)).sum()) if "metric" in expected else 0
    found = [findings for findings in found if len(findings)]
    return (pd.concat(found)[FINDINGS] if found else pd.DataFrame(columns=FINDINGS)).reset_index(drop=True), n_guarded


def _read(path):
    text = read_csv(path)
    numbers = {name: pd.to_numeric(text[name]).astype(float) for name in COLUMNS[6:] if name in text}
    return text.assign(**numbers)


def store(tables, expected_dir):
    """Write the tables of the notebooks that ran as the expected ones, without run times; others stay as they are.

    Parameters
    ----------
    tables : dict of str to dict of str to DataFrame
        See `guard_run`.
    expected_dir : path-like
    """
    for notebook, here in tables.items():
        folder = Path(expected_dir) / notebook
        shutil.rmtree(folder, ignore_errors=True)
        for name, rows in here.items():
            kept = rows[~rows["metric"].isin(RUN_TIMES)]
            if len(kept):
                write_table(kept, folder / name)
