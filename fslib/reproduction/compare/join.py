"""Published numbers and ours, joined: one exact merge on data set, method, metric and the declared setting keys.

Tidy rows carry the titles that the paper uses, so nothing is guessed: ``data/reported/keys.csv`` declares, for each
item, the setting keys that name one of its numbers (``missing_pct;p``). All other keys of ours say how the number was
made. They may come in two kinds:

* *readings* (``protocol``, ``arm``, ``reading``): the published number is compared with the row made as in the
  paper, ``published``, or with the only one there is; the others are listed beside it;
* *starts* (``start=0``, ``start=1``, ...): rows that differ in nothing else are random starts of one experiment. They
  count as one number with several values: the published one is met if a start has its digits, and else may lie
  within their range. Their median is shown.

A number of ours that the paper does not have is an extra and stays. What cannot be told from a misspelling raises: a
data set, method or metric that only case or punctuation keeps from a published one, a declared key that our row lacks,
a text that no published setting has, two rows with an equal right to be one number.
"""

import re

import numpy as np
import pandas as pd

from fslib.datasets import unavailable_reason
from fslib.datasets.registry import name_of
from fslib.names import canonical_method
from fslib.reproduction.compare.agreement import judge
from fslib.reproduction.compare.reported import (
    declared_keys,
    read_contradictions,
    read_reasons,
    read_reported,
    reason_for,
)
from fslib.reproduction.paths import REPORTED
from fslib.tidy import format_setting, parse_setting

READINGS = ("protocol", "arm", "reading")
"""Settings of ours whose value "published" means: done as the paper did it."""

START = "start"
"""Setting of ours that numbers the random starts of one experiment."""

NOT_CONSISTENT = "cannot be reproduced: not consistent"
"""Verdict on a number that differs and is listed in ``data/reported/contradictions.csv``."""

COLUMNS = [
    *("paper", "item", "dataset", "method", "setting", "metric", "reported", "reported_std", "reproduced", "std"),
    *("low", "high", "difference", "verdict", "kind", "reason", "beside"),
]
"""Columns of `published_numbers`."""


def join(rows, paper, item, folder=REPORTED):
    """Every number of ours with its published counterpart, and every published number that has none.

    Parameters
    ----------
    rows : DataFrame
        Our tidy rows of the item.
    paper, item : str
    folder : path-like, optional
        With the published numbers.

    Returns
    -------
    DataFrame
        dataset, method, setting, metric, reported, reproduced, difference, verdict: ours in our order, one line for
        all starts of a number, then those that only the paper has. The verdict is "not published" or "not run" where
        one side is missing, and a ratio for run times.

    Raises
    ------
    ValueError
        For rows that cannot be told from misspelt ones; see the top of this module.
    """
    reported, contradictions = _published(paper, item, folder), read_contradictions(paper, folder)
    ours = _ours(rows, reported, paper, item, folder)
    joined, met = [], set()
    for row in ours:
        line = {name: row[name] for name in ("dataset", "method", "setting", "metric")}
        line |= {"reported": "", "reproduced": row["value"], "difference": np.nan, "verdict": "not published"}
        if paired := reported.get(row["name"]):
            met.add(row["name"])
            kind, verdict, difference = judge(row, paired)
            if kind == "differs" and reason_for(paired | {"item": item}, contradictions):
                verdict = NOT_CONSISTENT
            line |= {"reported": paired["value"], "difference": difference, "verdict": verdict}
        joined.append(line)
    for name, row in reported.items():
        if name not in met:
            line = {key: row[key] for key in ("dataset", "method", "setting", "metric")}
            nothing = {"reproduced": np.nan, "difference": np.nan, "verdict": "not run"}
            joined.append(line | {"reported": row["value"]} | nothing)
    columns = ["dataset", "method", "setting", "metric", "reported", "reproduced", "difference", "verdict"]
    return pd.DataFrame(joined, columns=columns)


def published_numbers(rows, paper, item, profile="quick", folder=REPORTED):
    """Every published number of one item with ours that did as the paper did, and a verdict.

    Parameters
    ----------
    rows : DataFrame or None
        Our tidy rows of the item; None if it did not run.
    paper, item : str
    profile : str
        For the reason of what is missing.
    folder : path-like, optional
        With the published numbers.

    Returns
    -------
    DataFrame
        Columns `COLUMNS`, one row per published number. ``kind`` is a key of
        `fslib.reproduction.compare.agreement.KINDS`, ``low`` and ``high`` the range of the starts, ``beside`` the
        numbers of the other readings. ``reason`` says why a number did not run, or why it differs where that is known.

    Raises
    ------
    ValueError
        See `join`.

    Examples
    --------
    >>> rows = pd.DataFrame([{"dataset": "", "method": "", "setting": "", "metric": "mi_x1_y", "value": 0.0819,
    ...                       "std": float("nan")}])
    >>> table = published_numbers(rows, "bayes", "Example 1")
    >>> table.loc[table["metric"] == "mi_x1_y", ["reported", "reproduced", "kind"]].values.tolist()
    [['0.08', 0.0819, 'as published']]
    """
    reported = _published(paper, item, folder)
    candidates: dict[tuple, list] = {}
    for row in [] if rows is None else _ours(rows, reported, paper, item, folder):
        candidates.setdefault(row["name"], []).append(row)
    reasons, contradictions = read_reasons(paper, folder), read_contradictions(paper, folder)
    nothing = dict.fromkeys(("reproduced", "std", "low", "high", "difference"), np.nan) | {"reason": "", "beside": ""}
    table = []
    for name, theirs in reported.items():
        line = {key: theirs[key] for key in ("dataset", "method", "setting", "metric")}
        line |= {"paper": paper, "item": item, "reported": theirs["value"], "reported_std": theirs["std"]}
        if found := candidates.get(name):
            line |= _compared(found, theirs, f"{paper}, {item}")
            if line["kind"] == "differs" and (reason := reason_for(line, contradictions)):
                line |= {"kind": "cannot be reproduced", "verdict": NOT_CONSISTENT, "reason": reason}
            elif line["kind"] == "differs":
                line["reason"] = reason_for(line, reasons)
        else:
            line |= {"verdict": "not run", "kind": "not run", "reason": _why_not(paper, theirs["dataset"], profile)}
        table.append(nothing | line)
    return pd.DataFrame(table, columns=COLUMNS)


def _compared(candidates, theirs, where):
    """Judge the row made as in the paper; the others are listed beside it."""
    chosen, *others = sorted(candidates, key=_departure)
    for other in others:
        if _departure(other) == _departure(chosen):
            raise ValueError(
                f"{where}: two rows of ours could be the published {theirs['value']} of {_text(chosen['name'])}: "
                f"{chosen['setting']!r} and {other['setting']!r}. Declare what tells them apart in keys.csv, or "
                "mark the one that did as the paper did with protocol=published."
            )
    kind, verdict, difference = judge(chosen, theirs)
    beside = [f"{_what_differs(other, chosen)}: {other['value']:.4g}" for other in others]
    line = {"reproduced": chosen["value"], "std": chosen["std"], "difference": difference}
    if len(chosen["starts"]) > 1:
        line |= {"low": min(chosen["starts"]), "high": max(chosen["starts"])}
    return line | {"verdict": verdict, "kind": kind, "beside": "; ".join(beside)}


def _departure(row):
    """Count the settings by which a row departs from what the paper did; what is silent may or may not."""
    setting = parse_setting(row["setting"])
    cost = {"published": 0, None: 1}
    return sum(cost.get(setting.get(key), 2) for key in READINGS)


def _what_differs(row, chosen):
    mine, theirs = parse_setting(row["setting"]), parse_setting(chosen["setting"])
    return ", ".join(f"{key}={value}" for key, value in mine.items() if theirs.get(key) != value) or "another row"


def _why_not(paper, dataset, profile):
    name = name_of(dataset, paper)
    reason = unavailable_reason(name) if name else ""
    return reason or ("not part of the quick profile" if profile == "quick" else "no such row in this run")


# Names


def _published(paper, item, folder):
    """Map names to published rows of an item; a name is (data set, method, metric, value of each declared key)."""
    keys, named = declared_keys(paper, item, folder), {}
    for row in read_reported(paper, item, folder).to_dict("records"):
        name = _name(row, parse_setting(row["setting"]), keys)
        if name in named:
            raise ValueError(f"{paper}, {item}: two published numbers are called {_text(name)}; keys.csv lacks a key.")
        named[name] = row
    return {name: row for name, row in named.items() if row["value"]}


def _name(row, setting, keys):
    values = (_plain(setting.get(key, "")) for key in keys)
    return row["dataset"], canonical_method(row["method"]), row["metric"], *values


def _plain(value):
    """Write a number in its shortest form, 0.50 as 0.5; other text as it is."""
    try:
        return f"{float(value):.12g}"
    except ValueError:
        return value


def _text(name):
    return "(" + ", ".join(part for part in name if part) + ")"


def _ours(rows, reported, paper, item, folder):
    """Our rows as dicts with their name and the values of all starts; starts of one experiment become one row."""
    keys, where = declared_keys(paper, item, folder), f"{paper}, {item}"
    check = _Spelling(reported, keys, where)
    merged: dict[tuple, list] = {}
    for row in rows.to_dict("records"):
        setting = parse_setting(row["setting"])
        name = _name(row, setting, keys)
        check(name)
        start = setting.pop(START, None)
        merged.setdefault((name, format_setting(**setting)), []).append((start, row))
    found = []
    for (name, setting), group in merged.items():
        starts = [start for start, _ in group]
        if len(group) > 1 and (None in starts or len(set(starts)) < len(starts)):
            raise ValueError(f"{where}: several rows of ours are called {_text(name)} with setting {setting!r}.")
        values = tuple(float(row["value"]) for _, row in group)
        row = group[0][1] | {"name": name, "setting": setting, "starts": values}
        if len(values) > 1:
            row |= {"value": float(np.median(values)), "std": float(np.std(values, ddof=1))}
        found.append(row)
    return found


class _Spelling:
    """Tells a number that the paper does not have from one that is spelt otherwise."""

    def __init__(self, reported, keys, where):
        self.known, self.keys, self.where = set(reported), keys, where
        self.fields = [{name[i] for name in reported} for i in range(3)]
        self.settings: dict[tuple, set] = {}
        for name in reported:
            self.settings.setdefault(name[:3], set()).add(name[3:])

    def __call__(self, name):
        """Raise a ValueError if a name is not a published one, but should be."""
        for ours, published, kind in zip(name, self.fields, ("data set", "method", "metric"), strict=False):
            like = [theirs for theirs in published if ours != theirs and _bare(ours) == _bare(theirs)]
            if like and ours not in published:
                raise ValueError(f"{self.where}: {kind} {ours!r} of ours is published as {like[0]!r}.")
        for i, key in enumerate(self.keys):
            published = {values[i] for values in self.settings.get(name[:3], ())}
            mine = name[3 + i]
            if published and mine not in published and not _is_number(mine):
                raise ValueError(
                    f"{self.where}: {_text(name)} has {key}={mine!r}, published are {', '.join(sorted(published))}."
                )


def _bare(text):
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _is_number(text):
    return re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?", text) is not None
