"""Text files before they are read: encoding, separator, and the comments above the header."""

import csv
import re

from fslib.tables.defects import Defect, TableError, counted
from fslib.tables.kinds import kind_of_bytes

SEPARATORS = ",;\t|"
HEAD_LINES, HEAD_CHARACTERS = 200, 500_000
SNIFFED = 20_000
"""Characters shown to clevercsv, which takes a minute for a megabyte."""

LINE_END = re.compile(r"\r\n|\n|\r")
COMMENT = re.compile(r"\s*(#|%|//)\s?")
A_NUMBER = re.compile(r"\s*[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?\s*")


def decode(path, data, notes, encoding=None):
    """Text of a file: in the encoding given, or UTF-8, UTF-16 or UTF-32, else Windows-1252 or Latin-1, with a note.

    Raises
    ------
    TableError
        If it is not text, or not in that encoding.
    """
    if encoding is not None:
        return _decoded(path, data, encoding)
    if kind := kind_of_bytes(data):
        raise TableError(path, [Defect("", f"is {kind}, not text.", "")])
    for mark, name in MARKS:
        if data.startswith(mark):
            return _decoded(path, data, name)
    if b"\0" in data:
        if data[1:200:2].count(0) > 90 or (len(data) > 8 and not any(data[1:200:2])):
            return _decoded(path, data, "utf-16-le")
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        what = f"is not text: line {line} holds a byte that is zero."
        raise TableError(path, [Defect("", what, "Save it as CSV, as a spreadsheet or as Parquet.")])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        try:
            text, name = data.decode("cp1252"), "Windows-1252"
        except UnicodeDecodeError:
            text, name = data.decode("latin-1"), "Latin-1"
        start = max(data.rfind(b"\n", 0, error.start) + 1, error.start - 20)
        shown = text[start : error.start + 15].splitlines()[0].strip()
        notes.append(
            f"The file is not in UTF-8; it was read as {name}, for example {shown!r} (encoding= names another)."
        )
        return text


MARKS = (
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
"""First bytes, and the encoding that they tell."""


def _decoded(path, data, encoding):
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except (UnicodeError, LookupError) as error:
        raise TableError(path, [Defect("", f"cannot be read as {encoding} ({error}).", "Save it in UTF-8.")]) from error


def said_by_the_file(text):
    """Take off a first line ``sep=;``, as spreadsheets write it."""
    found = re.match(r"\s*sep=(.)\s*(\r\n|\n|\r)", text, re.IGNORECASE)
    return (text[found.end() :], found[1]) if found else (text, None)


def without_leading_comments(text, notes):
    """Take off comment lines before the header; the last of them may be the header."""
    lines = LINE_END.split(text[:HEAD_CHARACTERS])
    n = next((i for i, line in enumerate(lines) if line.strip() and not COMMENT.match(line)), 0)
    marked = [i for i in range(n) if lines[i].strip()]
    if not marked:
        return text
    position = 0
    for _ in range(n):
        position = LINE_END.search(text, position).end()
    last = COMMENT.sub("", lines[marked[-1]], count=1)
    signs = [sign for sign in SEPARATORS if sign in last and last.count(sign) == lines[n].count(sign)]
    is_header = bool(signs) and _holds_number(lines[n], signs[0]) and not _holds_number(last, signs[0])
    n_comments = len(marked) - is_header
    if n_comments:
        notes.append(f"{counted(n_comments, 'comment line')} before the header left out.")
    return (last + "\n" if is_header else "") + text[position:]


def _holds_number(line, separator):
    return any(A_NUMBER.fullmatch(cell.strip("\"' ")) for cell in line.split(separator))


def first_lines(text):
    """The first lines of a text, enough to see what it is like."""
    return LINE_END.split(text[:HEAD_CHARACTERS])[:HEAD_LINES]


def dialect(head, path):
    """Separator and quotation mark: the one separator that cuts all lines alike, else what clevercsv finds."""
    if len("\n".join(head)) >= HEAD_CHARACTERS and len(head) > 2:
        head = head[:-1]  # the last line may be cut
    filled = [line for line in head if line.strip()]
    lines = [line for line in filled if not line.startswith("#")] or filled
    widths = {sign: cell_counts(lines, sign) for sign in SEPARATORS}
    even = [sign for sign in SEPARATORS if len(widths[sign]) == 1 and widths[sign] != {1}]
    if len(even) == 1:
        return even[0], '"'
    from clevercsv import Detector

    sample = "\n".join(line[:SNIFFED] for line in lines)[:SNIFFED].rpartition("\n")[0] if len(lines) > 1 else lines[0]
    found = Detector().detect(sample or lines[0], delimiters=list(SEPARATORS))
    if found is not None and found.delimiter:
        return found.delimiter, "'" if found.quotechar == "'" else '"'
    in_header = {sign: max(cell_counts(lines[:1], sign)) for sign in SEPARATORS}
    best = max(in_header, key=in_header.get)
    if in_header[best] > 1:
        return best, '"'
    words = [len(line.split()) for line in lines]
    if len(words) > 1 and len(set(words[1:])) == 1 and words[1] > 1 and words[0] in (words[1], words[1] - 1):
        return " ", '"'
    return ("\t" if path.suffix.lower() == ".tsv" else ","), '"'


def cell_counts(lines, sign):
    """Numbers of cells of the lines that are not empty if this sign separates them.

    Examples
    --------
    >>> cell_counts(["a;b", "", "1,5;2"], ";"), cell_counts(["a;b", "1,5;2"], ",")
    ({2}, {1, 2})
    """
    lines = [line for line in lines if line.strip()]
    if not any('"' in line for line in lines):
        return {line.count(sign) + 1 for line in lines}
    try:
        return {len(row) for row in csv.reader(lines, delimiter=sign) if row}
    except csv.Error:  # a cell of more than 131072 characters: this sign does not separate
        return {1}
