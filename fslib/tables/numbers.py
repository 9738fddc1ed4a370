"""Numbers as people write them: separators, units, currencies, percent signs, and words for an empty cell."""

import re
from typing import NamedTuple

import numpy as np

EMPTY_WORDS = frozenset(
    "nat|?|??|-|--|---|–|—|.|..|...|…|na|n/a|n.a.|#na|#n/a|#n/a n/a|<na>|nan|-nan|null|nil|none|nd|n.d.|k.a.|missing|"
    "unknown|not available|(null)|(blank)|(empty)|#null!".split("|")
)
"""Words, in lower case, that mean an empty cell among numbers; among words they are words."""

NUMBER_SHARE = 0.5
"""A column in which at least this share of the cells are numbers is meant to hold numbers."""

MONTH = r"(?i:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)(?i:[a-z]*)"
"""A name of a month, which is not a unit."""

SPACES = "    "
CURRENCY = (
    r"[€$£¥₹₽₩]|US\$|USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|SEK|NOK|DKK|PLN|CZK|AUD|CAD|NZD|BRL|TRY|ZAR|HKD|SGD|KRW|MXN|"
    r"Fr\.?|kr\.?|Rs\.?"
)
UNIT = (
    r"%|‰|°|″|′|[\"']|°\s?[CF]|ppm|ppb|[kmµucdn]?g|[kmµucdn]?m|[mµdc]?[lL]|[mµun]?s|sec|min|h|hrs?|hours?|d|days?|wks?|weeks?|"
    r"months?|mo|y|yrs?|years?|lbs?|oz|ft|in|mi|km/h|mph|bpm|mmHg|[mµun]?mol|[mµn]?mol/[lL]|[mµn]?g/[dm]?[lL]|IU|U/[lL]|"
    r"[kMG]?Hz|[mkMG]?W|[kMG]?Wh|[mk]?V|[mµ]?A|[kMGT]?i?B|[kM]?J|k?cal|[kMh]?Pa|px|pcs|x|k|K|M|bn"
)
BODY = rf"[+\-−]?\s?[.,]?\d[\d.,'’{SPACES}]*(?:[eE][+\-−]?\d+)?"
NUMBERISH = re.compile(
    rf"(?P<open>\()?(?P<sign>[+\-−])?\s?(?P<before>(?:{CURRENCY}))?\s?(?P<body>{BODY})(?P<close>\))?"
    rf"(?P<after>\s?(?:{UNIT}|{CURRENCY})|\s?[€$£¥]/\w{{1,8}}|\s(?!{MONTH}\.?(?!\w))[A-Za-zµ°%][\w/%°µ²³.]{{0,15}})?"
)
PLAIN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
GROUP = rf"[{SPACES}'’]"
IN_STYLE = {
    point: re.compile(
        rf"[+-]?(?:(?:\d+|[1-9]\d{{0,2}}(?:{comma}\d{{3}})+|[1-9]\d{{0,2}}(?:{GROUP}\d{{3}})+)(?:[{point}]\d*)?|"
        rf"[{point}]\d+)(?:[eE][+-]?\d+)?"
    )
    for point, comma in ((".", ","), (",", r"\."))
}
"""What a number looks like when this sign separates the decimals."""


A_NUMBER = rf"[+\-−]?\d[\d.,'’{SPACES}]*"
LIST = rf"{A_NUMBER}(?:[;,\s]+{A_NUMBER})+"
LIKE_NUMBER = re.compile(
    rf"{A_NUMBER}|{A_NUMBER}\s?(?:±|\+/-|\+-)\s?\d[\d.,]*|\d[\d.,]*\s?[x×*·]\s?10\^?\(?[+\-−]?\d+\)?|"
    rf"\d+\s?°\s?\d[\d.,]*\s?['′]?(?:\s?\d[\d.,]*\s?[\"″])?\s?[NSEWO]?|\[{LIST}\]|\({LIST}\)|{{{LIST}}}"
)
"""Digits that are not a single number as they stand: with an error, a power of ten, degrees and minutes, or a list."""

CENSORED = re.compile(rf"[<>≤≥]=?\s?{A_NUMBER}(?:\s\w[\w/%°µ]*)?")
"""A number that is known to be smaller or larger only."""


class Numbers(NamedTuple):
    """Distinct words of a column, read as numbers.

    Attributes
    ----------
    values : array of float, shape (number of words,)
        NaN for an empty cell and for a word that is not a number.
    bad : list of int
        Positions of the words that are neither a number nor a word for an empty cell.
    empty : list of int
        Positions of the words for an empty cell.
    notes : list of str
        How the words were read, where it is not plain.
    ambiguous : str
        A word that can be read as two different numbers, or empty.
    comma : bool or None
        Whether it is the comma that separates decimals; None if the words do not show it.
    """

    values: np.ndarray
    bad: list
    empty: list
    notes: list
    ambiguous: str = ""
    comma: bool | None = None


def numbers_of(words, counts, *, decimal=None, comma_file=None, semicolons=False):
    """Read words as numbers, or return None if they are words.

    Parameters
    ----------
    words : list of str
        Distinct, trimmed, not empty.
    counts : array of int
        Cells of each word.
    decimal : {".", ","} or None
        The sign before decimals, if the user has said so.
    comma_file : bool or None
        Whether commas separate decimals elsewhere in the file; None if it is not known.
    semicolons : bool
        Whether semicolons separate the cells of the file.

    Returns
    -------
    Numbers or None

    Examples
    --------
    >>> numbers_of(["1.234,5 €", "12 €", "?"], [1, 1, 1]).values.tolist()
    [1234.5, 12.0, nan]
    >>> numbers_of(["1,5", "20 mg"], [5, 1]).bad  # a unit in one cell may be another unit
    [1]
    >>> numbers_of(["red", "green"], [1, 1]) is None
    True
    """
    counts = np.asarray(counts)
    empty = [i for i, word in enumerate(words) if word.lower() in EMPTY_WORDS]
    parts = {i: NUMBERISH.fullmatch(word) for i, word in enumerate(words) if word.lower() not in EMPTY_WORDS}
    parts = {i: match for i, match in parts.items() if match and _is_one_number(match)}
    others = counts.sum() - counts[empty].sum()
    if not parts or counts[list(parts)].sum() < NUMBER_SHARE * others:
        return None
    affixes = {i: _affix(match) for i, match in parts.items()}
    common = _most_cells(affixes, counts)
    bodies = {i: _body(match) for i, match in parts.items() if affixes[i] == common}
    style, ambiguous, certain = _style(bodies, counts, decimal, comma_file, semicolons)
    values = np.full(len(words), np.nan)
    for i, body in bodies.items():
        if IN_STYLE[style].fullmatch(body):
            sign = -1 if parts[i]["open"] else 1
            values[i] = sign * _value(body, style)
    good = ~np.isnan(values)
    if not good.any():
        return None
    bad = [i for i in range(len(words)) if not good[i] and i not in set(empty)]
    notes = _notes(words, bodies, parts, common, style, good)
    return Numbers(values, bad, empty, notes, ambiguous, style == "," if certain else None)


def like_numbers(words):
    """Positions of words of digits and separators, for a column that is neither numbers nor dates.

    Examples
    --------
    >>> like_numbers(["1,23,456", "?"]), like_numbers(["10-19", "20-29"])
    ([0], [])
    """
    words = [word if word.lower() not in EMPTY_WORDS else "" for word in words]
    found = [i for i, word in enumerate(words) if LIKE_NUMBER.fullmatch(word)]
    if any(PLAIN.fullmatch(words[i]) for i in found):  # else they are ranges, as of age
        found = sorted([*(i for i, word in enumerate(words) if CENSORED.fullmatch(word)), *found], key=_is_plain(words))
    return found


def _is_plain(words):
    return lambda i: (PLAIN.fullmatch(words[i]) is not None, i)


def _is_one_number(match):
    return bool(match["open"]) == bool(match["close"]) and not (match["sign"] and match["body"][0] in "+-−")


def _affix(match):
    return (match["before"] or "").strip(), (match["after"] or "").strip()


def _body(match):
    return ((match["sign"] or "") + match["body"]).strip().replace("−", "-").replace("- ", "-").replace("+ ", "+")


def _most_cells(affixes, counts):
    total = {}
    for i, affix in affixes.items():
        total[affix] = total.get(affix, 0) + counts[i]
    return max(total, key=total.get)


def _value(body, style):
    for sign in (*SPACES, "'", "’", "," if style == "." else "."):
        body = body.replace(sign, "")
    return float(body.replace(",", "."))


def _style(bodies, counts, decimal, comma_file, semicolons):
    """The sign before decimals, a word that leaves it open (or empty), and whether the words themselves show it."""
    if decimal is not None:
        return decimal, "", False
    fits = {sign: {i for i, body in bodies.items() if IN_STYLE[sign].fullmatch(body)} for sign in ".,"}
    weight = {sign: counts[list(found)].sum() for sign, found in fits.items()}
    if weight["."] != weight[","]:
        return max(weight, key=weight.get), "", True
    differing = [i for i in sorted(fits["."] & fits[","]) if _value(bodies[i], ".") != _value(bodies[i], ",")]
    if not differing:
        return ".", "", False
    if comma_file is not None:
        return "," if comma_file else ".", "", False
    with_comma = {i for i in bodies if "," in bodies[i]}
    if not with_comma:  # 1.234 may be grouped only where commas separate decimals
        return ".", bodies[differing[0]] if semicolons else "", False
    if not semicolons and not any("." in body for body in bodies.values()) and _looks_grouped(bodies, with_comma):
        return ".", "", False
    return ".", bodies[differing[0]], False


def _looks_grouped(bodies, with_comma):
    """Whether commas appear in all numbers of 1000 and more, and only there."""
    small = [abs(float(bodies[i])) for i in bodies if i not in with_comma]
    leading_zero = any(bodies[i].lstrip("+-").startswith("0") for i in with_comma)
    several = any(bodies[i].count(",") > 1 for i in with_comma)
    return not leading_zero and (several or (len(with_comma) > 2 and len(small) > 0)) and all(v < 1000 for v in small)


def _notes(words, bodies, parts, common, style, good):
    notes = []
    example = next((words[i] for i in bodies if good[i]), None)
    if any(common):
        notes.append(f"{' '.join(filter(None, common))!r} was taken off its numbers")
    plain = lambda i: PLAIN.fullmatch(bodies[i]) and float(bodies[i]) == _value(bodies[i], style)
    marked = [i for i in bodies if good[i] and not plain(i)]
    if marked:
        example = words[marked[0]]
        notes.append(f"{example!r} was read as {_shown(_value(bodies[marked[0]], style))}")
    if any(parts[i]["open"] for i in bodies if good[i]):
        notes.append("numbers in parentheses were read as negative")
    return notes


def _shown(value):
    return f"{value:.15g}"
