"""Every number that a paper prints, with ours beside it: equal, within the spread, off, or not run and why."""

import pandas as pd

from fslib.names import RUN_TIMES
from fslib.reproduction.compare.matching import judge, partners
from fslib.tidy import parse_setting

ORDER = ("as printed", "within the paper's spread", "within our spread", "differs", "run time", "not run")
"""Kinds of verdict, in the order in which they are counted."""

COLUMNS = [
    *("paper", "item", "dataset", "method", "setting", "metric", "reported", "reported_std", "reproduced", "std"),
    *("difference", "verdict", "kind", "reason", "beside"),
]

READINGS = ("arm", "protocol", "reading")
"""Settings of ours whose value "published" means: done as the paper did it."""

UNAVAILABLE = {
    ("bayes", "Gisette"): "data unavailable: neither bundled nor in the mirror; needs a download",
    ("rrmvfs", "NUS"): "data unavailable: NUS-WIDE-OBJECT could not be had",
    ("mlmlfs", "Bookmarks"): "data unavailable: the authors' Bookmarks could not be had",
}
"""Why the numbers of a data set are missing, where that is known beforehand."""


def printed_numbers(rows, reported, *, paper, item, profile="quick"):
    """Give every printed number of one item its counterpart and a verdict.

    The number is judged by our row that did as the paper did (reading, protocol and arm "published", or not stated);
    the other readings stand in ``beside``. If several rows have an equal right to be the number, none is taken.

    Parameters
    ----------
    rows : DataFrame
        Our tidy rows of this item; may be empty.
    reported : DataFrame
        From `fslib.reproduction.compare.reported.read_reported`.
    paper, item : str
    profile : str
        For the reason of what is missing.

    Returns
    -------
    DataFrame
        Columns `COLUMNS`, one row per printed number. ``kind`` is one of `ORDER`.

    Examples
    --------
    >>> from fslib.reproduction.compare.reported import read_reported
    >>> rows = pd.DataFrame([{"dataset": "population", "method": "", "setting": "", "metric": "mi_x1_y",
    ...                       "value": 0.0819, "std": float("nan")}])
    >>> table = printed_numbers(rows, read_reported("bayes", "Example 1"), paper="bayes", item="Example 1")
    >>> table.loc[table["metric"] == "mi_x1_y", ["reported", "reproduced", "kind"]].values.tolist()
    [['0.08', 0.0819, 'as printed']]
    """
    reported = reported[reported["value"] != ""]
    ours = rows.to_dict("records")
    joined = []
    for printed, positions in zip(reported.to_dict("records"), partners(rows, reported), strict=True):
        candidates = sorted((ours[i] for i in positions), key=_distance_from_print)
        line = {name: printed[name] for name in ("dataset", "method", "setting", "metric")}
        line |= {"paper": paper, "item": item, "reported": printed["value"], "reported_std": printed["std"]}
        tied = [row for row in candidates if _distance_from_print(row) == _distance_from_print(candidates[0])]
        if len(tied) == 1:
            joined.append(line | _judged(candidates, printed))
        else:
            reason = _why_not(paper, printed["dataset"], profile) if not tied else _ambiguous(tied)
            joined.append(line | {"verdict": "not run", "kind": "not run", "reason": reason})
    nothing = {"reproduced": float("nan"), "std": float("nan"), "difference": float("nan"), "reason": "", "beside": ""}
    return pd.DataFrame([nothing | line for line in joined], columns=COLUMNS)


def _distance_from_print(row):
    """Count the settings by which a row departs from what the paper did; what is silent may or may not."""
    setting = parse_setting(row["setting"])
    cost = {"published": 0, None: 1}
    return sum(cost.get(setting.get(key), 2) for key in READINGS)


def _judged(candidates, printed):
    chosen, *others = candidates
    verdict, difference = judge(chosen, printed)
    kind = "run time" if printed["metric"] in RUN_TIMES else verdict
    beside = "; ".join(f"{_what_differs(other, chosen)}: {other['value']:.4g}" for other in others)
    ours = {"reproduced": chosen["value"], "std": chosen["std"], "difference": difference}
    return ours | {"verdict": verdict, "kind": kind, "beside": beside}


def _what_differs(row, chosen):
    mine, theirs = parse_setting(row["setting"]), parse_setting(chosen["setting"])
    return ", ".join(f"{key}={value}" for key, value in mine.items() if theirs.get(key) != value) or "another row"


def _ambiguous(rows):
    settings = [parse_setting(row["setting"]) for row in rows]
    keys = sorted({key for s in settings for key in s if len({other.get(key) for other in settings}) > 1})
    return f"{len(rows)} of our rows could be this number; they differ in {', '.join(keys) or 'nothing we name'}"


def _why_not(paper, dataset, profile):
    known = UNAVAILABLE.get((paper, dataset))
    return known or ("not part of the quick profile" if profile == "quick" else "no such row in this run")


def counts(table):
    """Count the kinds of verdict, all of `ORDER`, zeros included.

    Examples
    --------
    >>> counts(pd.DataFrame({"kind": ["differs", "not run", "differs"]}))["differs"]
    2
    """
    found = table["kind"].value_counts()
    return {kind: int(found.get(kind, 0)) for kind in ORDER}


def empty_rows():
    """Tidy rows of nothing: the item did not run."""
    columns = {name: pd.Series(dtype=str) for name in ("dataset", "method", "setting", "metric")}
    return pd.DataFrame(columns | {name: pd.Series(dtype=float) for name in ("value", "std")})
