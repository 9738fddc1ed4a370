"""Published numbers beside ours as the text cells of a table."""

import math
import re
from collections import defaultdict

import pandas as pd

from fslib.names import RUN_TIMES, metric_name
from fslib.reproduction.compare.join import READINGS
from fslib.reproduction.compare.totals import counts
from fslib.tidy import parse_setting

TONES = {
    **{"done": "good", "kept": "good", "as published": "good", "holds": "good"},
    **{"within the range of starts": "near", "within the paper's spread": "near", "within our spread": "near"},
    **{"undecided": "near"},
    **{"failed": "bad", "timeout": "bad", "moved": "bad", "differs": "bad", "does not hold": "bad"},
    **{"run time": "time", "not run": "none", "skipped": "none", "cannot be tested": "none", "not judged": "none"},
    "cannot be reproduced": "none",
}
"""Verdict -> tone of the page; the words are always written too."""

NAMES = ("data set", "method", "metric")
"""Parts of a name whose values speak for themselves; a setting is shown with its key."""

SILENT = {"direction", "cv", "split", "n_repeats", "bootstrap", "n_bootstrap", "n_views", "classifier"}
"""Keys of a published setting that no two numbers of a table differ by."""

SETTINGS = {
    "missing_pct": "labels missing (%)",
    "train_per_class": "training samples per class",
    "top_features_pct": "features (%)",
    "k": "features",
    "c": "cost c",
    "loss": "loss",
    "estimation": "estimates",
}
"""Setting key -> its name for readers; others only lose their underscores."""


def numbers_table(numbers, reference=None):
    """Turn the published numbers of one item into text cells; what all rows share moves into a line above the table.

    Parameters
    ----------
    numbers : DataFrame
        Rows of `fslib.reproduction.compare.join.published_numbers`, one item.
    reference : DataFrame, optional
        The same rows with the numbers of the reference run.

    Returns
    -------
    dict
        common (what all rows share), columns (what tells them apart) and labels (their keys, for a narrow page), rows,
        timed (all are run times), here (whether this run has any), beside (whether the reference run has any that this
        run has not alike), missing (reason -> data set -> count), n_missing, n_differ, counts (kind -> number).
    """
    ran = numbers["kind"] != "not run"
    there = pd.Series(False, numbers.index) if reference is None else reference["kind"] != "not run"
    missing: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in numbers[~ran & ~there].to_dict("records"):
        missing[row["reason"]][row["dataset"]] += 1
    shown = numbers[ran | there].to_dict("records")
    others = [None] * len(shown) if reference is None else reference[ran | there].to_dict("records")
    names = [names_of(row) for row in shown]
    keys = list(dict.fromkeys(key for name in names for key in name))
    values = {key: {name.get(key, "") for name in names} for key in keys}
    columns = [key for key in keys if len(values[key]) > 1]
    alike = {key: next(iter(values[key])) for key in keys if len(values[key]) == 1 and values[key] != {""}}
    rows = [
        cells_of(row, other) | {"names": [name.get(key, "") for key in columns]}
        for row, name, other in zip(shown, names, others, strict=True)
    ]
    judged = numbers if ran.any() or reference is None else reference
    return {
        "common": [value if key in NAMES else f"{key} {value}" for key, value in alike.items()],
        "columns": columns,
        "labels": ["" if key in NAMES else key for key in columns],
        "rows": rows,
        "timed": all(row["metric"] in RUN_TIMES for row in shown),
        "missing": {reason: dict(sets) for reason, sets in missing.items()},
        "n_missing": int((~ran & ~there).sum()),
        "n_differ": sum(row["differs"] for row in rows),
        "here": bool(ran.any()),
        "beside": any(row["reference"] for row in rows),
        "counts": {kind: count for kind, count in counts(judged).items() if count},
        "of": "this run" if judged is numbers else "full run",
    }


def names_of(row):
    """Name a number as it is shown: data set, method, the settings that count, metric."""
    setting = {
        SETTINGS.get(key, key.replace("_", " ")): value
        for key, value in parse_setting(row["setting"]).items()
        if key not in SILENT
    }
    return {"data set": row["dataset"], "method": row["method"], **setting, "metric": metric_name(row["metric"])}


def _signed(text):
    return text.replace("-", "\N{MINUS SIGN}") if text.startswith("-") else f"+{text}"


def cells_of(row, other=None):
    """Write a published number and ours as text, with the number of the reference run where it says something else."""
    decimals = max(0, len(row["reported"].lower().partition("e")[0].partition(".")[2]))
    timed = row["metric"] in RUN_TIMES
    if not decimals and float(row["reproduced"]).is_integer():
        decimals = -1  # a count beside a count
    show = (lambda x: f"{x:.3g}") if timed or "e" in row["reported"].lower() else (lambda x: f"{x:.{decimals + 1}f}")
    spread = "" if math.isnan(row["std"]) or timed else f" ± {row['std']:.{decimals + 1}f}"
    if not math.isnan(row["low"]):  # the starts of one experiment
        spread = f" ({show(row['low'])} to {show(row['high'])})"
    cells = {
        "reported": row["reported"] + (f" ± {row['reported_std']}" if row["reported_std"] else ""),
        "here": "" if math.isnan(row["reproduced"]) else show(row["reproduced"]) + spread,
        "difference": "" if math.isnan(row["difference"]) else _signed(show(row["difference"])),
        "verdict": row["verdict"],
        "tone": TONES[row["kind"]],
        "beside": readable(row["beside"]),
        "reason": row["reason"] if row["kind"] in ("differs", "cannot be reproduced") else "",
        "reference": None,
        "differs": row["kind"] == "differs" or bool(other and row["kind"] == "not run" and other["kind"] == "differs"),
    }
    if other and other["kind"] != "not run":
        beside = cells_of(other)
        cells["reference"] = (
            beside if (beside["here"], beside["verdict"]) != (cells["here"], cells["verdict"]) else None
        )
    return cells


def readable(settings):
    """Write settings for readers.

    Examples
    --------
    >>> readable("arm=held_out, reading=corrected: 0.0593; p=1, reading=corrected: 0.06")
    'held out, corrected: 0.0593; p 1, corrected: 0.06'
    """
    named = "|".join((*READINGS, "labels"))  # what their values mean is plain without the key
    return re.sub(rf"\b({named})=", "", settings).replace("_", " ").replace("=", " ")
