"""The verdict that the check of a claim returns: one of four words, and the number that decides."""

from dataclasses import dataclass

HOLDS, DOES_NOT_HOLD, UNDECIDED, CANNOT_BE_TESTED = WORDS = (
    "holds",
    "does not hold",
    "undecided",
    "cannot be tested",
)


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
    """Write a difference with the noise that it must exceed.

    Examples
    --------
    >>> with_noise(-0.002, 0.0105), with_noise(0.002, float("nan"))
    ('-0.0020 (noise 0.0105)', '+0.0020 (one repeat, no noise known)')
    """
    known = f"noise {noise:.4f}" if noise == noise else "one repeat, no noise known"
    return f"{difference:+.4f} ({known})"
