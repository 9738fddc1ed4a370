"""Thesis "braytee", chapter 4: what the tables of both sections share."""

import numpy as np
import pandas as pd

from fslib.evaluation.stability import selection_stability
from fslib.papers.braytee.expression import load_expression
from fslib.tidy import format_setting


def numbers(raw):
    """Rows of scores, without those that list chosen features; values are numbers.

    Examples
    --------
    >>> numbers(pd.DataFrame({"metric": ["auc", "chosen"], "value": ["0.5", "3 1"]}))["value"].tolist()
    [0.5]
    """
    rows = raw[raw["metric"] != "chosen"]
    return rows.assign(value=rows["value"].astype(float))


def stability_rows(chosen, names, by):
    """Nogueira's stability of the features that a method chose on resamples of one data set, with its interval.

    Parameters
    ----------
    chosen : DataFrame
        Rows whose value lists the chosen features: "3 1 20".
    names : dict of str to str
        Title of a data set -> its name in :mod:`fslib.datasets`.
    by : list of str
        Columns besides data set and method that tell groups apart; they become the setting.

    Returns
    -------
    DataFrame
        Tidy rows: metrics stability, low and high; groups of one row are left out.
    """
    lines = []
    for (dataset, method, *values), group in chosen.groupby(["dataset", "method", *by]):
        if len(group) < 2:
            continue
        masks = np.zeros((len(group), load_expression(names[dataset])[0].shape[1]), dtype=bool)
        for mask, text in zip(masks, group["value"], strict=True):
            mask[np.array(text.split(), dtype=int)] = True
        found = selection_stability(masks)
        setting = format_setting(**{key: value or None for key, value in zip(by, values, strict=True)})
        line = {"dataset": dataset, "method": method, "setting": setting, "n": len(group)}
        for metric, value in (("stability", found.stability), ("low", found.low), ("high", found.high)):
            lines.append(line | {"metric": metric, "value": value})
    return pd.DataFrame(lines, columns=["dataset", "method", "setting", "n", "metric", "value"])
