"""How one of our numbers finds its counterpart in a paper, and what is said of the two."""

import re

import numpy as np
import pandas as pd

from fslib.names import RUN_TIMES, canonical_method
from fslib.tidy import parse_setting

BOOKKEEPING = {"direction", "cv", "split", "n_repeats", "bootstrap", "n_bootstrap", "n_views"}
"""Keys of a reported setting that describe the metric or the number of repeats: no two numbers differ by them alone."""

SAME_DATA = {"thrombin": "kddcup01", "internetads": "ads", "nuswide": "nus"}
"""Our name of a data set -> the paper's, both without case and punctuation, where they are not spelt alike."""


def printed_resolution(text):
    """Half a unit of the last printed digit: how far a number may lie off and still print the same.

    Examples
    --------
    >>> printed_resolution("0.30"), printed_resolution("954"), printed_resolution("3.4e-3")
    (0.005, 0.5, 5e-05)
    """
    digits, _, exponent = text.lower().partition("e")
    return float(f"0.5e{int(exponent or 0) - len(digits.partition('.')[2])}")


def agreement(reproduced, reported, std="", own_std=np.nan):
    """Verdict on one number.

    Parameters
    ----------
    reproduced : float
    reported, std : str
        As printed; ``std`` is empty where the paper gives no spread.
    own_std : float, optional
        Ours, which stands in where the paper gives none.

    Returns
    -------
    str
        "as printed", "within the paper's spread", "within our spread" (both one standard deviation) or "differs".

    Examples
    --------
    >>> agreement(0.0819, "0.08"), agreement(0.95, "0.93", "0.03"), agreement(0.95, "0.93")
    ('as printed', "within the paper's spread", 'differs')
    >>> agreement(0.95, "0.93", own_std=0.03), agreement(0.95, "0.93", "0.01", own_std=0.03)
    ('within our spread', 'differs')
    """
    difference = abs(reproduced - float(reported))
    if difference <= printed_resolution(reported) * (1 + 1e-9):
        return "as printed"
    if std:
        return "within the paper's spread" if difference <= float(std) else "differs"
    return "within our spread" if difference <= own_std else "differs"


def partners(rows, reported):
    """Find our rows that stand for each printed number.

    Two rows belong together if data set, method and metric agree (case, punctuation and the spellings of
    `fslib.names` do not count; a field that the paper leaves empty fits all) and their settings do: a key that
    both have must be equal, and a key that tells printed numbers of one method apart (k in a table of run times) must
    be in ours. Keys that only we have are free, so one printed number may meet both readings of a formula.

    Parameters
    ----------
    rows, reported : DataFrame
        Tidy rows; printed ones from `read_reported`.

    Returns
    -------
    list of list of int
        Per printed row the positions of ours, in our order.
    """
    printed = [
        _Named(paper, {key: value for key, value in parse_setting(paper["setting"]).items() if key not in BOOKKEEPING})
        for paper in reported.to_dict("records")
    ]
    ours = [_Named(row, parse_setting(row["setting"])) for row in rows.to_dict("records")]
    settings: dict[tuple, list[dict]] = {}
    for paper in printed:
        settings.setdefault(paper.name, []).append(paper.setting)
    telling = {name: _keys_that_differ(group) for name, group in settings.items()}
    by_metric: dict[str, list[int]] = {}
    for i, row in enumerate(ours):
        by_metric.setdefault(row.name[2], []).append(i)
    return [
        [i for i in by_metric.get(paper.name[2], []) if _fits(ours[i], paper, telling[paper.name])] for paper in printed
    ]


class _Named:
    """The name of a number, with the spellings made equal: (data set, method, metric) and the setting."""

    def __init__(self, row, setting):
        data = re.sub(r"[^a-z0-9]", "", row["dataset"].lower())
        self.name = (SAME_DATA.get(data, data), canonical_method(row["method"]).lower(), row["metric"].lower())
        self.setting = setting


def _fits(ours, paper, telling):
    same = all(theirs in ("", mine) for theirs, mine in zip(paper.name, ours.name, strict=True))
    return same and all(
        _equal(ours.setting[key], value) if key in ours.setting else key not in telling
        for key, value in paper.setting.items()
    )


def _keys_that_differ(settings):
    keys = {key for setting in settings for key in setting}
    return {key for key in keys if len({setting.get(key) for setting in settings}) > 1}


def _equal(a, b):
    """Equal as text or as numbers: 0.50 is 0.5."""
    try:
        return a.lower() == b.lower() or float(a) == float(b)
    except ValueError:
        return False


def side_by_side(rows, reported):
    """Join our rows with the printed ones, by the rules of `partners`.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows.
    reported : DataFrame
        From `read_reported`.

    Returns
    -------
    DataFrame
        dataset, method, setting, metric, reported, reproduced, difference, verdict, in our order. The verdict is "not
        printed" for a number that only we have, "not run" for one that only the paper has, and for run times, which
        depend on the machine, a ratio.
    """
    printed = reported[reported["value"] != ""].to_dict("records")
    met = partners(rows, reported[reported["value"] != ""])
    by_row: dict[int, list] = {}
    for paper, positions in zip(printed, met, strict=True):
        for i in positions:
            by_row.setdefault(i, []).append(paper)
    joined = [
        _joined(row, paper, row) for i, row in enumerate(rows.to_dict("records")) for paper in by_row.get(i, [None])
    ]
    joined += [_joined(paper, paper, None) for paper, positions in zip(printed, met, strict=True) if not positions]
    columns = ["dataset", "method", "setting", "metric", "reported", "reproduced", "difference", "verdict"]
    return pd.DataFrame(joined, columns=columns)


def judge(row, paper):
    """Verdict on one of our rows against the printed one, and the difference (none for run times).

    Examples
    --------
    >>> paper = {"metric": "runtime_s", "value": "71.14", "std": ""}
    >>> judge({"value": 0.5, "std": float("nan")}, paper)
    ('142 times as fast', nan)
    """
    if paper["metric"] in RUN_TIMES:
        ratio = float(paper["value"]) / row["value"]
        return f"{ratio:.3g} times as fast" if ratio >= 1 else f"{1 / ratio:.3g} times as slow", np.nan
    return agreement(row["value"], paper["value"], paper["std"], row["std"]), row["value"] - float(paper["value"])


def _joined(named, paper, row):
    joined = {name: named[name] for name in ("dataset", "method", "setting", "metric")}
    verdict, difference = ("not printed", np.nan) if paper is None else ("not run", np.nan)
    if paper is not None and row is not None:
        verdict, difference = judge(row, paper)
    return joined | {
        "reported": "" if paper is None else paper["value"],
        "reproduced": np.nan if row is None else row["value"],
        "difference": difference,
        "verdict": verdict,
    }
