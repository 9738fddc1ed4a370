"""Claims of the papers: a registry of the functions that check them, and the verdict that a check returns."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import wraps

import pandas as pd

HOLDS, DOES_NOT_HOLD, UNDECIDED, CANNOT_BE_TESTED = WORDS = (
    "holds",
    "does not hold",
    "undecided",
    "cannot be tested",
)

REGISTRY: dict[tuple[str, str], Callable] = {}
"""(paper, claim id) -> the function that checks the claim."""


@dataclass(frozen=True)
class Verdict:
    """What a check of a claim found.

    Parameters
    ----------
    word : {"holds", "does not hold", "undecided", "cannot be tested"}
        Undecided: the deciding difference is within the noise that the claim must beat.
    value : str
        The number or comparison that decides, with its spread.
    note : str
        A remark; the reason, where the claim cannot be tested.
    n_tested, n_claimed : int or None
        How many of the panels, data sets or comparisons that the claim is about were examined.
    claim_id : str
        Set by `claim`.
    """

    word: str
    value: str = ""
    note: str = ""
    n_tested: int | None = None
    n_claimed: int | None = None
    claim_id: str = ""

    def __post_init__(self):
        if self.word not in WORDS:
            raise ValueError(f"verdict {self.word!r} is not one of {', '.join(WORDS)}.")
        if self.word == CANNOT_BE_TESTED and not self.note:
            raise ValueError("a claim that cannot be tested needs a reason in note=.")
        if self.word != CANNOT_BE_TESTED and not self.value:
            raise ValueError("a verdict needs the number that decides in value=.")


def verdict(
    holds: bool | None,
    value: str,
    note: str = "",
    *,
    n_tested: int | None = None,
    n_claimed: int | None = None,
    claim_id: str = "",
) -> Verdict:
    """Return "holds", "does not hold", or "undecided" for None.

    Examples
    --------
    >>> verdict(0.25 < 0.30, "0.25 < 0.30").word, verdict(None, "0.251 against 0.250").word
    ('holds', 'undecided')
    """
    word = UNDECIDED if holds is None else HOLDS if holds else DOES_NOT_HOLD
    return Verdict(word, value, note, n_tested, n_claimed, claim_id)


def cannot_be_tested(
    reason: str, *, n_tested: int | None = None, n_claimed: int | None = None, claim_id: str = ""
) -> Verdict:
    """Return "cannot be tested", with the reason.

    Examples
    --------
    >>> cannot_be_tested("Gisette is not available").word
    'cannot be tested'
    """
    return Verdict(CANNOT_BE_TESTED, "", reason, n_tested, n_claimed, claim_id)


def in_std(difference: float, std: float) -> str:
    """Write a difference, and its size in standard deviations where there is one.

    Examples
    --------
    >>> in_std(-0.002, 0.01), in_std(0.002, float("nan"))
    ('-0.0020 (-0.20 std)', '+0.0020')
    """
    return f"{difference:+.4f} ({difference / std:+.2f} std)" if std > 0 else f"{difference:+.4f}"


def with_noise(difference: float, noise: float) -> str:
    """Write a difference with the noise that it must beat.

    Examples
    --------
    >>> with_noise(-0.002, 0.0105), with_noise(0.002, float("nan"))
    ('-0.0020 (noise 0.0105)', '+0.0020 (one repeat, no noise known)')
    """
    known = f"noise {noise:.4f}" if noise == noise else "one repeat, no noise known"
    return f"{difference:+.4f} ({known})"


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
    differ, remarks = [], []
    present = published["dataset"].isin(set(table["dataset"]))
    for row in published[present].itertuples():
        key = (row.dataset, row.metric)
        if key not in ours.index:
            continue
        found = f"{ours[key]:.{len(row.value.partition('.')[2])}f}"
        if found != row.value:
            text = f"{row.dataset} {row.metric} {found}, published {row.value}"
            (remarks if key in misprints else differ).append(f"{text}: {misprints[key]}" if key in misprints else text)
    absent = sorted(set(published.loc[~present, "dataset"]))
    counts = {"n_tested": published.loc[present, "dataset"].nunique(), "n_claimed": published["dataset"].nunique()}
    note = "; ".join([*remarks, *([f"not available: {', '.join(absent)}"] if absent else [])])
    if not counts["n_tested"]:
        return cannot_be_tested(f"not run: {', '.join(absent)}", **counts)
    same = f"{counts['n_tested']} data sets as published" + (f", but for {len(remarks)} misprint" if remarks else "")
    return verdict(not differ, "; ".join(differ) or same, note, **counts)


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
