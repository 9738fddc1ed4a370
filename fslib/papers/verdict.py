"""What a check of a claim returns."""

from typing import NamedTuple


class Verdict(NamedTuple):
    """What became of a claim: True, False or None (cannot be tested), the deciding number, and a remark."""

    holds: bool | None
    value: str
    note: str = ""
