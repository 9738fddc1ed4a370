"""Claims of the papers: a registry of the functions that check them, each of which returns a verdict."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps

import pandas as pd

from fslib.evaluation.verdicts import (
    CANNOT_BE_TESTED,
    DOES_NOT_HOLD,
    HOLDS,
    UNDECIDED,
    WORDS,
    Verdict,
    cannot_be_tested,
    in_std,
    verdict,
    with_noise,
)

__all__ = [
    "CANNOT_BE_TESTED",
    "DOES_NOT_HOLD",
    "HOLDS",
    "REGISTRY",
    "UNDECIDED",
    "WORDS",
    "Verdict",
    "cannot_be_tested",
    "claim",
    "in_std",
    "sizes_as_published",
    "verdict",
    "with_noise",
]

REGISTRY: dict[tuple[str, str], Callable] = {}
"""(paper, claim id) -> the function that checks the claim."""


def claim(claim_id: str):
    """Register a function as the check of a claim of ``data/reported/claims.csv``.

    The paper is the package below ``fslib.papers`` in which the function stands. The docstring of the function is the
    text of the column ``check``, which states the thresholds; a test holds them equal.

    Parameters
    ----------
    claim_id : str

    Raises
    ------
    ValueError
        If the paper has a check of this claim already.
    """

    def register(function):
        key = (function.__module__.split(".")[2], claim_id)
        if key in REGISTRY:
            raise ValueError(f"{key[0]} has two checks of claim {claim_id!r}.")

        @wraps(function)
        def check(*args, **kwargs):
            return replace(function(*args, **kwargs), claim_id=claim_id)

        check.claim_id = claim_id
        REGISTRY[key] = check
        return check

    return register


def sizes_as_published(
    table: pd.DataFrame, published: pd.DataFrame, misprints: Mapping[tuple[str, str], str]
) -> Verdict:
    """Compare the sizes of data sets with those of a paper: the check of every ``tab1-datasets``.

    Parameters
    ----------
    table, published : DataFrame
        Columns dataset, metric, value; as text in ``published``, whose digits ours are rounded to.
    misprints : dict of (str, str) to str
        (data set, metric) -> why the published number cannot be right. Those are named in the note and not counted.

    Examples
    --------
    >>> ours = pd.DataFrame({"dataset": ["Adult"], "metric": ["n_instances"], "value": [48842.0]})
    >>> published = ours.assign(value=["48824"])
    >>> sizes_as_published(ours, published, {("Adult", "n_instances"): "two digits swapped"}).word
    'holds'
    >>> sizes_as_published(ours, published, {}).value
    'Adult n_instances 48842, published 48824'
    """
    ours = table.set_index(["dataset", "metric"])["value"]
    differ: list[str] = []
    remarks: list[str] = []
    present = published["dataset"].isin(set(table["dataset"]))
    for dataset, metric, value in published.loc[present, ["dataset", "metric", "value"]].astype(str).to_numpy():
        key = (dataset, metric)
        if key not in ours.index:
            continue
        found = f"{ours.loc[key]:.{len(value.partition('.')[2])}f}"
        if found != value:
            text = f"{dataset} {metric} {found}, published {value}"
            (remarks if key in misprints else differ).append(f"{text}: {misprints[key]}" if key in misprints else text)
    absent = sorted(set(published.loc[~present, "dataset"]))
    n_tested, n_claimed = published.loc[present, "dataset"].nunique(), published["dataset"].nunique()
    note = "; ".join([*remarks, *([f"not available: {', '.join(absent)}"] if absent else [])])
    if not n_tested:
        return cannot_be_tested(f"not run: {', '.join(absent)}", n_tested=n_tested, n_claimed=n_claimed)
    same = f"{n_tested} data sets as published" + (f", but for {len(remarks)} misprint" if remarks else "")
    return verdict(not differ, "; ".join(differ) or same, note, n_tested=n_tested, n_claimed=n_claimed)
