"""Files that are whole or absent: write beside the target, rename at the end; and hashes of what was written."""

import contextlib
import hashlib
import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def atomic_path(path: str | os.PathLike) -> Iterator[Path]:
    """Yield a temporary path in the folder of ``path``, which replaces ``path`` when the block ends well.

    Readers see the old file or the new one, never a half one, whatever kills the writer. The temporary name keeps
    the suffix of ``path``, because writers such as matplotlib choose the format by it. The file gets the permissions
    that the umask allows, as any new file does.

    Parameters
    ----------
    path : path-like
        The file to write; missing folders are made.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with atomic_path(Path(folder) / "a" / "numbers.csv") as part:
    ...         _ = part.write_text("1,2")
    ...     print((Path(folder) / "a" / "numbers.csv").read_text(), len(os.listdir(Path(folder) / "a")))
    1,2 1
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    # Not mkstemp, whose files only their owner reads, whatever the umask. A name has 255 bytes: the stem is cut.
    part = path.with_name(f".{path.stem[:40]}-{secrets.token_hex(8)}.part{path.suffix}")
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    try:
        yield part
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def write_text(path: str | os.PathLike, text: str) -> None:
    r"""Write ``text`` in UTF-8 with ``\n`` line ends on every system, atomically."""
    with atomic_path(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")


def sha256_of(*paths: str | os.PathLike) -> str:
    """SHA-256 of the contents of files, one after another, as 64 hexadecimal digits.

    Examples
    --------
    >>> sha256_of()[:8]
    'e3b0c442'
    """
    digest = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


FORMULA = re.compile(r"'*[=+@\t\r]|'*-(?![\d.]+([eE][-+]?\d+)?$)")
"""Text that a spreadsheet would take for a formula, and run; a negative number is none."""


def guard_formula(text: str) -> str:
    """Put an apostrophe before text that a spreadsheet would take for a formula; `unguard_formula` removes it.

    Examples
    --------
    >>> guard_formula("=1+1"), guard_formula("@SUM(A1)"), guard_formula("-0.5"), guard_formula("a=b")
    ("'=1+1", "'@SUM(A1)", '-0.5', 'a=b')
    """
    return f"'{text}" if FORMULA.match(text) else text


def unguard_formula(text: str) -> str:
    """Give back the text that `guard_formula` was given.

    Examples
    --------
    >>> [unguard_formula(guard_formula(text)) for text in ("=1+1", "'=1", "'a'", "-0.5", "'-0.5")]
    ['=1+1', "'=1", "'a'", '-0.5', "'-0.5"]
    """
    return text[1:] if text.startswith("'") and FORMULA.match(text[1:]) else text
