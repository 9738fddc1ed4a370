"""Dates and times of day among the words of a column."""

import re
import warnings

import numpy as np

from fslib.tables.numbers import EMPTY_WORDS

DATE_SHARE = 0.9
"""A column in which at least this share of the cells are dates holds dates."""

MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
LIKE_A_DATE = re.compile(
    rf"\d{{1,4}}[-/. ]+(?:\d{{1,2}}|{MONTH})[-/., ]+\d{{1,4}}(?:\b|T).*|\d{{4}}[-/]\d{{1,2}}|\d{{1,2}}[-/]\d{{4}}|"
    rf"\d{{1,2}}[-/. ]+{MONTH}\b.*|{MONTH}[-/., ]+\d{{1,4}}\b.*|"
    rf"\w{{3,9}},? {MONTH} \d.*|\w{{3,9}},? \d{{1,2}} {MONTH}.*",
    re.IGNORECASE,
)
TIME_OF_DAY = re.compile(r"([01]?\d|2[0-4]):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?(?:\s?([ap])\.?m\.?)?", re.IGNORECASE)
DURATION = re.compile(r"(\d{1,4}):([0-5]\d)(?::([0-5]\d))?([.,]\d+)?")
DAY_IN_THE_MIDDLE = re.compile("%Y.%d.%m")  # nobody writes this
FORMATS = (
    "%Y-%m",
    "%Y/%m",
    "%m/%Y",
    "%m.%Y",
    "%b %Y",
    "%B %Y",
    "%b-%y",
    "%d.%m.%y",
    "%d/%m/%y",
    "%m/%d/%y",
    "%Y.%m.%d",
    "%d %b %Y",
    "%d %b",
    "%d %B",
    "%b %d",
    "%B %d",
)

AMBIGUOUS = "its dates may be day first or month first"

LANGUAGES = (  # German, French, Spanish, Italian, Dutch, Portuguese, Swedish; what English has too is left out
    "jan: januar jänner janvier enero gennaio januari janeiro ene genn",
    "feb: februar feber février fevrier febrero febbraio februari fevereiro févr fevr fév febb fev",
    "mar: märz maerz mars marzo maart março marco mär mrz mrt",
    "apr: avril abril aprile avr abr",
    "may: mai mayo maggio mei maio maj magg mag",
    "jun: juni juin junio giugno junho giu",
    "jul: juli juillet julio luglio julho juil lug",
    "aug: août aout agosto augustus augusti aoû ago",
    "sep: septembre septiembre settembre setembro set sett",
    "oct: oktober octobre octubre ottobre outubro okt ott out",
    "nov: novembre noviembre novembro",
    "dec: dezember décembre decembre diciembre dicembre dezembro dez déc dic",
)
MONTHS = {word: line[:3].title() for line in LANGUAGES for word in line[4:].split()}
WORD = re.compile(r"[^\W\d_]+\.?")


def in_english(word):
    """Dates with the name of a month in English; anything else as it is.

    Examples
    --------
    >>> in_english("3. März 2024"), in_english("mars"), in_english("14 de agosto de 2024")
    ('3 Mar 2024', 'mars', '14 Aug 2024')
    """
    if not any(sign.isdigit() for sign in word):
        return word
    found = [match for match in WORD.finditer(word) if match[0].casefold().rstrip(".") in MONTHS]
    if len(found) != 1:
        return word
    month = MONTHS[found[0][0].casefold().rstrip(".")]
    before, after = word[: found[0].start()], word[found[0].end() :]
    strip = lambda text: re.sub(r"\b(de|del|di)\b", " ", text)
    return re.sub(r"(?<=\d)\.(?=\s)", "", " ".join(f"{strip(before)}{month}{strip(after)}".split()))


def durations_of(words):
    """Read words as durations in seconds, if all are written as hours:minutes:seconds or minutes:seconds.

    Parameters
    ----------
    words : list of str

    Returns
    -------
    array of float, or None
        NaN for a word that means an empty cell.

    Examples
    --------
    >>> durations_of(["25:30:00", "?"]).tolist(), durations_of(["3:25.5"]).tolist(), durations_of(["red"])
    ([91800.0, nan], [205.5], None)
    """
    known = [word for word in words if word.lower() not in EMPTY_WORDS]
    found = {word: DURATION.fullmatch(word) for word in known}
    if not known or None in found.values() or len({match[3] is None for match in found.values()}) > 1:
        return None
    return np.array([_seconds_of(found[word]) if word in found else np.nan for word in words])


def _seconds_of(match):
    parts = [int(part) for part in match.groups()[:3] if part is not None]
    seconds = sum(part * 60**i for i, part in enumerate(reversed(parts)))
    return seconds + float((match[4] or "0").replace(",", "."))


def words_among_dates(words, counts):
    """Positions of the words in a column of which at least half of the cells are dates; else none.

    Examples
    --------
    >>> words_among_dates(["2024-01-31", "2024-02-01", "later"], [1, 1, 1]), words_among_dates(["May", "June"], [1, 1])
    ([2], [])
    """
    counts = np.where([word.lower() in EMPTY_WORDS for word in words], 0, np.asarray(counts))
    like = np.array([LIKE_A_DATE.fullmatch(in_english(word)) is not None for word in words])
    if not counts.sum() or counts[like].sum() < counts.sum() / 2:
        return []
    some = list(np.flatnonzero(like))
    seconds, _ = dates_of([words[i] for i in some], np.maximum(counts[some], 1))
    return [] if seconds is None else [i for i in range(len(words)) if not like[i] and counts[i]]


def dates_of(words, counts):
    """Read words as dates.

    Parameters
    ----------
    words : list of str
    counts : array of int
        Cells of each word.

    Returns
    -------
    seconds : array of float, shape (number of words,), or None
        Seconds since 1970, or since midnight for times of day, NaN for a word that is not a date; None if the
        words are not dates.
    notes : list of str
        How the dates were read, where it is not certain.

    Examples
    --------
    >>> dates_of(["02.01.1970", "31.01.1970"], [1, 1])
    (array([  86400., 2592000.]), [])
    >>> dates_of(["red", "green"], [1, 1])
    (None, [])
    """
    counts = np.where([word.lower() in EMPTY_WORDS for word in words], 0, counts)
    if not counts.sum():
        return None, []
    words = [in_english(word) for word in words]
    clock = [TIME_OF_DAY.fullmatch(word) for word in words]
    if counts[[match is not None for match in clock]].sum() >= DATE_SHARE * counts.sum():
        return np.array([np.nan if match is None else _since_midnight(match) for match in clock]), []
    like = np.array([LIKE_A_DATE.fullmatch(word) is not None for word in words])
    if counts[like].sum() < DATE_SHARE * counts.sum():
        return None, []
    found = _parse(words, counts, like)
    shares = [counts[~np.isnan(seconds)].sum() / counts.sum() for seconds in found]
    if not found:
        return None, []
    if max(shares) < DATE_SHARE:  # perhaps several ways of writing in one column
        seconds = np.array([next((s for s in one if not np.isnan(s)), np.nan) for one in zip(*found, strict=True)])
        if counts[~np.isnan(seconds)].sum() < DATE_SHARE * counts.sum():
            return None, []
        return seconds, ["its dates are written in several ways"]
    best = int(np.argmax(shares))
    rivals = [s for s, share in zip(found, shares, strict=True) if share == shares[best]]
    differ = any(not np.array_equal(s, found[best], equal_nan=True) for s in rivals)
    return found[best], [AMBIGUOUS] if differ else []


def _since_midnight(match):
    hour, minute, second, half = int(match[1]), int(match[2]), int(match[3] or 0), (match[4] or "").lower()
    hour = hour % 12 + 12 * (half == "p") if half else hour
    return 3600.0 * hour + 60 * minute + second


def _parse(words, counts, like):
    """Seconds by each format that some of the words suggest."""
    import pandas as pd
    from pandas.tseries.api import guess_datetime_format

    some = [words[i] for i in np.flatnonzero(like)[np.argsort(-counts[like], kind="stable")[:20]]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a guess against the order asked for; both orders are tried
        guesses = [guess_datetime_format(word, dayfirst=first) for first in (False, True) for word in some]
        formats = dict.fromkeys(
            [*(guess for guess in guesses if guess and not DAY_IN_THE_MIDDLE.match(guess)), *FORMATS]
        )
        found = []
        for form in formats:
            try:
                parsed = pd.to_datetime(pd.Series(words), format=form, errors="coerce", utc=True)
            except ValueError:
                continue
            if parsed.notna().any():
                found.append(_seconds(parsed))
    if len(found) > 1 and not any(np.isnan(seconds[like]).sum() == 0 for seconds in found):
        mixed = pd.to_datetime(pd.Series(words), format="ISO8601", errors="coerce", utc=True)
        found.append(_seconds(mixed))
    return found


def _seconds(series):
    """Seconds since 1970 of a datetime series, NaN where empty."""
    values = series.to_numpy(dtype="datetime64[us]")
    return np.where(np.isnat(values), np.nan, values.astype("int64") / 1e6)


def seconds_of(series):
    """Seconds since 1970 of a datetime series of pandas, with or without time zone; NaN where empty.

    Examples
    --------
    >>> import pandas as pd
    >>> seconds_of(pd.Series(pd.to_datetime(["1970-01-02", None])))
    array([86400.,    nan])
    """
    return _seconds(series.dt.tz_convert(None) if series.dt.tz is not None else series)
