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
)


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
        Seconds since 1970, or since midnight for times of day, NaN for a word that is no date; None if the words are no
        dates.
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
    return found[best], ["its dates may be day first or month first"] if differ else []


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
