"""Text files before they are read: encoding, separator, and the comments above the header."""

import csv
import re

from fslib.tables.defects import Defect, TableError, counted

SEPARATORS = ",;\t|"
HEAD_LINES, HEAD_CHARACTERS = 200, 500_000
SNIFFED = 20_000
"""Characters shown to clevercsv, which takes a minute for a megabyte."""

LINE_END = re.compile(r"\r\n|\n|\r")
COMMENT = re.compile(r"\s*(#|%|//)\s?")
A_NUMBER = re.compile(r"\s*[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?\s*")


def decode(path, data, notes):
    """Text of a file in UTF-8 or UTF-16; else as Windows-1252 or Latin-1, with a note.

    Raises
    ------
    TableError
        If it is no text.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16")
    if b"\0" in data[:4096]:
        raise TableError(path, [Defect("", "is no text.", "Save it as CSV, as a spreadsheet or as Parquet.")])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        try:
            text, name = data.decode("cp1252"), "Windows-1252"
        except UnicodeDecodeError:
            text, name = data.decode("latin-1"), "Latin-1"
        start = max(data.rfind(b"\n", 0, error.start) + 1, error.start - 20)
        shown = text[start : error.start + 15].splitlines()[0].strip()
        notes.append(f"The file is not in UTF-8; it was read as {name}, for example {shown!r}.")
        return text


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
    widths = {sign: _widths(lines, sign) for sign in SEPARATORS}
    even = [sign for sign in SEPARATORS if len(widths[sign]) == 1 and widths[sign] != {1}]
    if len(even) == 1:
        return even[0], '"'
    from clevercsv import Detector

    sample = "\n".join(line[:SNIFFED] for line in lines)[:SNIFFED].rpartition("\n")[0] if len(lines) > 1 else lines[0]
    found = Detector().detect(sample or lines[0], delimiters=list(SEPARATORS))
    if found is not None and found.delimiter:
        return found.delimiter, "'" if found.quotechar == "'" else '"'
    in_header = {sign: max(_widths(lines[:1], sign)) for sign in SEPARATORS}
    best = max(in_header, key=in_header.get)
    if in_header[best] > 1:
        return best, '"'
    words = [len(line.split()) for line in lines]
    if len(words) > 1 and len(set(words[1:])) == 1 and words[1] > 1 and words[0] in (words[1], words[1] - 1):
        return " ", '"'
    return ("\t" if path.suffix.lower() == ".tsv" else ","), '"'


def _widths(lines, sign):
    """Numbers of cells of the lines if this sign separates them."""
    if not any('"' in line for line in lines):
        return {line.count(sign) + 1 for line in lines}
    try:
        return {len(row) for row in csv.reader(lines, delimiter=sign) if row}
    except csv.Error:  # a cell of more than 131072 characters: this sign does not separate
        return {1}
