"""Claims of the papers: a registry of the functions that check them, and the verdict that a check returns."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps

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


def verdict(holds: bool, value: str, note: str = "", **counts: int) -> Verdict:
    """Return "holds" or "does not hold", for a check without noise.

    Examples
    --------
    >>> verdict(0.25 < 0.30, "0.25 < 0.30").word
    'holds'
    """
    return Verdict(HOLDS if holds else DOES_NOT_HOLD, value, note, **counts)


def cannot_be_tested(reason: str, **counts: int) -> Verdict:
    """Return "cannot be tested", with the reason.

    Examples
    --------
    >>> cannot_be_tested("Gisette is not available").word
    'cannot be tested'
    """
    return Verdict(CANNOT_BE_TESTED, note=reason, **counts)


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
