"""Columns of text cells: numbers, dates or words."""

import numpy as np

from fslib.tables.columns import Column, number_column
from fslib.tables.dates import dates_of, durations_of, words_among_dates
from fslib.tables.defects import Defect, counted
from fslib.tables.numbers import EMPTY_WORDS, NUMBER_SHARE, like_numbers, numbers_of
from fslib.tables.words import first_cells, name_cells, tidy

EXACT = 2**53
"""Whole numbers up to this are exact as floats."""

LEADING_ZERO = "^[+-]?0[0-9]"

OPEN = "Pass decimal=',' or decimal='.'."
"""Advice where cells can be read as two different numbers."""

CASES_COMPARED = 1000
"""Words of a column among which such are looked for that differ in upper and lower case only."""


def column_of_text(name, cells, reading):
    """Read a column of text.

    Parameters
    ----------
    name : str
    cells : pyarrow.ChunkedArray of strings
    reading : Reading

    Returns
    -------
    Column

    Examples
    --------
    >>> import pyarrow as pa
    >>> from fslib.tables.columns import Reading
    >>> column_of_text("x", pa.chunked_array([["1", "2.5", None]]), Reading()).values
    array([1. , 2.5, nan])
    >>> column_of_text("x", pa.chunked_array([["no", "no ", "yes"]]), Reading()).words
    ['no', 'yes']
    """
    if name not in reading.text and not reading.comma_file and reading.decimal != ",":
        comma = _comma_by_points(cells) if reading.semicolons else None
        values = None if comma else _plain_numbers(cells)
        if values is not None:
            if (values == np.trunc(values)).all():
                return number_column(name, values.astype(np.int64), reading, _leading_zeros(name, cells))
            column = number_column(name, values, reading)
            column.comma = comma
            return column
    codes, words, notes, emptied = _words(cells, reading)
    column = _column_of_words(name, codes, words, notes, reading)
    column.emptied |= emptied
    return column


def _column_of_words(name, codes, words, notes, reading):
    counts = np.bincount(codes[codes >= 0], minlength=len(words))
    if name not in reading.text and words:
        options = {"comma_file": reading.comma_file, "semicolons": reading.semicolons}
        found = numbers_of(words, counts, decimal=reading.decimal, **options)
        if found is not None:
            return _of_numbers(name, codes, words, counts, found, reading, notes)
        seconds, date_notes = dates_of(words, counts)
        if seconds is not None:
            return Column(name, "date", np.append(seconds, np.nan)[codes], notes=notes + date_notes)
        durations = durations_of(words)
        if durations is not None:
            notes = [*notes, f"{words[0]!r} was read as {durations[0]:g} seconds"]
            return number_column(name, np.append(durations, np.nan)[codes], reading, notes)
        odd = like_numbers(words)
        what = ""
        if odd and counts[odd].sum() >= NUMBER_SHARE * counts.sum():
            what = f"holds digits that are not numbers, such as {name_cells(codes, words, counts, odd[:1])}."
        elif others := words_among_dates(words, counts):
            what = f"holds dates, but not in {name_cells(codes, words, counts, others)}."
        if what:
            column = Column(name, "text", codes, words, notes)
            column.defects.append(Defect(name, what, _ways_out(name), drop=True))
            return column
    if not words:
        return Column(name, "number", np.full(len(codes), np.nan), notes=notes)
    return Column(name, "text", codes, words, notes + (_spelling(words) if name not in reading.text else []))


def plain_block(columns):
    """Values of several columns of text that are all plain numbers, or None.

    Parameters
    ----------
    columns : list of pyarrow.ChunkedArray, or of something else

    Returns
    -------
    list or None
        Values of each column, or None where a closer look is needed.

    Examples
    --------
    >>> import pyarrow as pa
    >>> plain_block([pa.chunked_array([["1", "2"]]), pa.chunked_array([["1.5", None]])])
    [array([1, 2]), None]
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if not all(isinstance(cells, pa.ChunkedArray) and cells.type == pa.string() for cells in columns):
        return None
    cells = pa.chunked_array([chunk for column in columns for chunk in column.chunks], pa.string())
    try:
        values = pc.cast(cells, pa.float64()).to_numpy().reshape(len(columns), -1)
    except pa.ArrowInvalid:
        return None
    largest = np.abs(values).max(axis=1)
    whole = (values == np.trunc(values)).all(axis=1)
    found = [values[j] if largest[j] < EXACT else None for j in range(len(columns))]
    for j in np.flatnonzero(whole & (largest < EXACT)):
        found[j] = None if _leading_zeros("", columns[j]) else values[j].astype(np.int64)
    return found


def _plain_numbers(cells):
    """Values of a column that holds nothing but plain numbers and empty cells; None if it holds anything else."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if cells.null_count == len(cells):
        return None
    try:
        values = pc.cast(cells, pa.float64()).to_numpy()
    except pa.ArrowInvalid:
        return None
    largest = np.abs(values).max()
    if np.isnan(largest) and np.isnan(values).sum() == cells.null_count:  # more are the word nan
        largest = np.nanmax(np.abs(values))
    return values if largest < EXACT else None


def _comma_by_points(cells):
    """Whether points may stand between thousands: True if all may, False if one cannot, None without points."""
    import pyarrow.compute as pc

    pointed = pc.match_substring(cells, ".")
    if not pc.any(pointed).as_py():
        return None
    grouped = pc.match_substring_regex(cells, r"^\s*[+-]?[1-9][0-9]{0,2}(\.[0-9]{3})+\s*$")
    return pc.all(pc.equal(pointed, grouped)).as_py() is not False


def _leading_zeros(name, cells):
    import pyarrow.compute as pc

    if not pc.any(pc.match_substring_regex(cells, LEADING_ZERO)).as_py():
        return []
    return [f"codes with leading zeros were read as numbers; text=[{name!r}] reads them as words"]


def _words(cells, reading):
    """Codes (-1 = empty) and sorted words without blanks around them, notes, and words read as empty as asked."""
    import pyarrow.compute as pc

    encoded = pc.dictionary_encode(cells.combine_chunks())
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    original = encoded.dictionary.to_pylist()
    trimmed = [tidy(word) for word in original]
    as_empty = reading.empty_words
    words = sorted(set(trimmed) - as_empty)
    position = {word: i for i, word in enumerate(words)}
    notes = []
    if len(words) < len({word for word, short in zip(original, trimmed, strict=True) if short not in as_empty}):
        known = set(original)
        one = next(
            (word for word, short in zip(original, trimmed, strict=True) if word != short and short in known), None
        )
        one = one or next(word for word, short in zip(original, trimmed, strict=True) if word != short)
        notes.append(f"blanks around words were taken off, so that {one!a} is {tidy(one)!r}")
    asked = sorted({word for word in trimmed if word and word in as_empty})
    if asked:
        notes.append(f"{', '.join(map(repr, asked))} was read as empty, as asked")
    codes = np.array([*(position.get(word, -1) for word in trimmed), -1], dtype=np.int64)[codes]
    return codes, words, notes, set(asked)


def _of_numbers(name, codes, words, counts, found, reading, notes):
    notes = notes + found.notes
    if found.empty:
        shown = ", ".join(repr(words[i]) for i in found.empty[:4])
        notes.append(f"{shown} was read as empty, in {counted(counts[found.empty].sum(), 'cell')}")
    if any(len(word) > 1 and word[0] == "0" and word.isdigit() for word in words):
        notes.append(f"codes with leading zeros were read as numbers; text=[{name!r}] reads them as words")
    if np.nanmax(np.abs(found.values)) >= EXACT and not found.bad and not found.notes:
        whole = {i: int(word) for i, word in enumerate(words) if word.lstrip("+-").isdigit()}
        if len(whole) + len(found.empty) == len(words):
            return _long_numbers(name, codes, words, whole, notes)
    column = number_column(name, np.append(found.values, np.nan)[codes], reading, notes)
    column.comma = found.comma
    if np.nanmax(np.abs(found.values)) >= EXACT and any(len(word) > 15 and word.isdigit() for word in words):
        column.notes.append("its whole numbers beyond 2^53 were rounded, because it holds fractions or empty cells")
    if found.ambiguous:
        what = f"holds {found.ambiguous!r}, which may be a number with decimals or one with thousands."
        column.defects.append(Defect(name, what, OPEN))
    elif found.bad:
        column.odd = first_cells(codes, words, found.bad)
        what = f"holds numbers, but not in {name_cells(codes, words, counts, found.bad)}."
        column.defects.append(Defect(name, what, _ways_out(name), drop=True))
    return column


def _ways_out(name):
    return f"Correct the cells, pass them as empty=[...], read words (text=[{name!r}]), or leave it out."


def _long_numbers(name, codes, words, whole, notes):
    """Whole numbers beyond 2^53: integers where these fit, else words; floats would make some of them equal."""
    low, high = min(whole.values()), max(whole.values())
    fits = np.int64 if -(2**63) <= low and high < 2**63 else np.uint64 if low >= 0 and high < 2**64 else None
    if fits is None or len(whole) < len(words) or (codes < 0).any():
        return Column(name, "text", codes, words, [*notes, "its whole numbers are too long, and were read as words"])
    return Column(name, "number", np.array([whole[i] for i in range(len(words))], dtype=fits)[codes], notes=notes)


def _spelling(words):
    """Words that differ in upper and lower case only, and words that may stand for an empty cell."""
    seen = {}
    odd = [word for word in words if word.lower() in EMPTY_WORDS]
    notes = [f"{', '.join(map(repr, odd))} is taken for a word; empty={odd} reads it as an empty cell"] if odd else []
    for word in words[:CASES_COMPARED]:
        seen.setdefault(word.casefold(), []).append(word)
    twice = [group for group in seen.values() if len(group) > 1]
    return notes + ([f"{' and '.join(map(repr, twice[0]))} are taken for different words"] if twice else [])
