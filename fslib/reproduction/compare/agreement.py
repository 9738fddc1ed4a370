"""One published number against ours: equal to its digits, within a spread, within the range of starts, or off."""

from collections.abc import Sequence

import numpy as np

from fslib.names import RUN_TIMES

KINDS = {
    "as published": "rounds to the published digits; of several random starts, at least one does",
    "within the range of starts": "no random start gives the published digits, but the number lies between two of them",
    "within the paper's spread": "no further off than one standard deviation that the paper reports",
    "within our spread": "the paper reports no spread; no further off than one standard deviation over our repeats",
    "differs": "further off than that",
    "cannot be reproduced": "further off, but the published number contradicts other published ones, or no reading is "
    "known that gives it: the difference says nothing",
    "run time": "depends on the machine: the ratio is shown, and nothing is judged by it",
    "not run": "no counterpart in this run",
}
"""Kind of verdict -> its rule, in the order in which verdicts are counted."""


def published_resolution(text: str) -> float:
    """Half a unit of the last published digit: a number that is no further off rounds to the same digits.

    Examples
    --------
    >>> published_resolution("0.30"), published_resolution("954"), published_resolution("3.4e-3")
    (0.005, 0.5, 5e-05)
    """
    digits, _, exponent = text.lower().partition("e")
    return float(f"0.5e{int(exponent or 0) - len(digits.partition('.')[2])}")


def agreement(reproduced: float | Sequence[float], reported: str, std: str = "", own_std: float = np.nan) -> str:
    """Verdict on one number.

    Parameters
    ----------
    reproduced : float or sequence of float
        Several values come from several random starts of one experiment.
    reported, std : str
        As published; ``std`` is empty where the paper gives no spread.
    own_std : float, optional
        Ours over repeats, which stands in where the paper gives none.

    Returns
    -------
    str
        A key of `KINDS`; both spreads count as one standard deviation.

    Examples
    --------
    >>> agreement(0.0819, "0.08"), agreement(0.95, "0.93", "0.03"), agreement(0.95, "0.93")
    ('as published', "within the paper's spread", 'differs')
    >>> agreement(0.95, "0.93", own_std=0.03), agreement(0.95, "0.93", "0.01", own_std=0.03)
    ('within our spread', 'differs')
    >>> agreement([0.91, 0.95], "0.93"), agreement([0.91, 0.934], "0.93")
    ('within the range of starts', 'as published')
    """
    values, published = np.atleast_1d(np.asarray(reproduced, dtype=float)), float(reported)
    resolution = published_resolution(reported) * (1 + 1e-9)
    if np.abs(values - published).min() <= resolution:
        return "as published"
    if len(values) > 1 and values.min() <= published <= values.max():
        return "within the range of starts"
    difference = abs(float(np.median(values)) - published)
    if std:
        return "within the paper's spread" if difference <= float(std) else "differs"
    if len(values) > 1:  # the range of the starts is their spread
        return "differs"
    return "within our spread" if difference <= own_std else "differs"


def judge(row: dict, paper: dict) -> tuple[str, str, float]:
    """Kind of verdict, its text, and our number minus the published one (NaN for run times).

    Parameters
    ----------
    row : dict
        Ours: value, std, and ``starts`` with the values of all random starts.
    paper : dict
        metric, value and std as published.

    Examples
    --------
    >>> paper = {"metric": "runtime_s", "value": "71.14", "std": ""}
    >>> judge({"value": 0.5, "std": float("nan"), "starts": (0.5,)}, paper)
    ('run time', '142 times as fast', nan)
    """
    if paper["metric"] in RUN_TIMES:
        ratio = float(paper["value"]) / row["value"]
        text = f"{ratio:.3g} times as fast" if ratio >= 1 else f"{1 / ratio:.3g} times as slow"
        return "run time", text, np.nan
    kind = agreement(row["starts"], paper["value"], paper["std"], row["std"])
    text = kind
    if kind == "as published" and len(row["starts"]) > 1:
        hits = sum(agreement(value, paper["value"]) == kind for value in row["starts"])
        text = f"{kind}, {hits} of {len(row['starts'])} starts"
    return kind, text, row["value"] - float(paper["value"])
