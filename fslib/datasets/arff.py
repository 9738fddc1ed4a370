"""Read ARFF files, dense or sparse, as numbers."""

import re

import numpy as np
from scipy import sparse

CELL = re.compile(r"""(?:[^,'"]|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")+""")
ATTRIBUTE = re.compile(r"@attribute\s+('(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|\S+)\s+(.*)", re.IGNORECASE | re.DOTALL)


def read_arff(path):
    """Read all attributes of an ARFF file as numbers.

    Parameters
    ----------
    path : Path

    Returns
    -------
    matrix : array or CSR matrix of shape (n, number of attributes)
        NaN where a value is ``?``.
    names : list of str
    levels : dict of int to list of str
        Declared values of the nominal attributes; empty for text and dates, whose entries are 0.
    relation : str

    Raises
    ------
    ValueError
        For undeclared values and lines that do not fit the header.

    Notes
    -----
    scipy's reader knows no sparse files and no text attributes, and these files are mostly sparse.
    """
    names, levels, relation, lines = [], {}, "", []
    try:
        with open(path, encoding="utf-8") as file:
            rows = ((number, line.strip()) for number, line in enumerate(file, start=1))
            rows = ((number, line) for number, line in rows if line and not line.startswith("%"))
            for number, line in rows:
                keyword = line.split(None, 1)[0].lower()
                if keyword == "@relation":
                    relation = line.split(None, 1)[1]
                elif keyword == "@attribute":
                    _declare(line, names, levels, path, number)
                elif keyword == "@data":
                    lines = list(rows)
                    break
                else:
                    raise ValueError(f"{path}, line {number}: {line[:40]!r} is not part of an ARFF header.")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not text in UTF-8; save it again in that encoding.") from error
    if not names or not lines:
        raise ValueError(f"{path} has {len(names)} attributes and {len(lines)} rows: it is no ARFF file with data.")
    codes = {j: _codes(values) for j, values in levels.items()}
    read = _sparse_rows if lines[0][1].startswith("{") else _dense_rows
    return read(lines, len(names), codes, path), names, levels, relation


def _declare(line, names, levels, path, number):
    match = ATTRIBUTE.match(line)
    if match is None:
        raise ValueError(f"{path}, line {number}: an attribute needs a name and a type.")
    name, kind = _unquoted(match.group(1)), match.group(2).strip()
    if kind.startswith("{"):
        levels[len(names)] = [_unquoted(value) for value in _split(kind.strip("{} \t"))]
    elif kind.split()[0].lower() in ("string", "date"):
        levels[len(names)] = []
    elif kind.split()[0].lower() not in ("numeric", "real", "integer"):
        raise ValueError(f"{path}, line {number}: attribute {name!r} is of an unknown type, {kind.split()[0]}.")
    names.append(name)


def _codes(values):
    """Numbers of nominal values: themselves if all are numbers, else their positions."""
    numbers = map(float, values) if are_numbers(values) else map(float, range(len(values)))
    return dict(zip(values, numbers, strict=True))


def are_numbers(values):
    """Whether all declared values are finite numbers."""
    try:
        return all(np.isfinite(float(value)) for value in values)
    except ValueError:
        return False


def _number(text, codes, path, line):
    if codes == {}:  # text
        return 0.0
    if text == "?":
        return np.nan
    try:
        return float(text) if codes is None else codes[text]
    except (ValueError, KeyError):
        expected = "a number" if codes is None else f"one of {list(codes)[:6]}"
        raise ValueError(f"{path}, line {line}: {text!r} is not {expected}.") from None


def _dense_rows(lines, width, codes, path):
    matrix = np.empty((len(lines), width))
    for i, (line, text) in enumerate(lines):
        cells = [_unquoted(cell) for cell in _split(text)]
        if len(cells) != width:
            raise ValueError(f"{path}, line {line}: {len(cells)} values for {width} attributes.")
        matrix[i] = [_number(cell, codes.get(j), path, line) for j, cell in enumerate(cells)]
    return matrix


def _sparse_rows(lines, width, codes, path):
    """Rows of ``{position value, ...}``; what is left out is 0, or for a nominal attribute its first value."""
    data, columns, ends = [], [], [0]
    for line, text in lines:
        if not (text.startswith("{") and text.endswith("}")):
            raise ValueError(f"{path}, line {line}: a sparse row must stand between braces.")
        for cell in _split(text[1:-1].strip()):
            position, _, value = cell.partition(" ")
            if not position.isdigit() or int(position) >= width:
                raise ValueError(f"{path}, line {line}: {cell[:30]!r} is not a position below {width} and a value.")
            columns.append(int(position))
            data.append(_number(_unquoted(value.strip()), codes.get(int(position)), path, line))
        ends.append(len(data))
    matrix = sparse.csr_matrix((data, columns, ends), shape=(len(lines), width))
    first = np.array([next(iter(codes.get(j, {}).values()), 0.0) for j in range(width)])
    if first.any():
        raise ValueError(
            f"{path}: the first value of a nominal attribute is the number {first[first != 0][0]:g}, and a sparse file "
            "leaves that one out: as a matrix it would be dense. Declare 0 first."
        )
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return matrix


def _split(text):
    """Cut at commas outside quotes."""
    cells = CELL.findall(text) if "'" in text or '"' in text else text.split(",")
    return [cell.strip() for cell in cells] if text else []


def _unquoted(text):
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text
