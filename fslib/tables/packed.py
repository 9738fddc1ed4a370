"""Packed files: one table inside, whatever packed it."""

import bz2
import contextlib
import gzip
import io
import lzma
import tempfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from fslib.tables.defects import Defect, TableError
from fslib.tables.kinds import PACKED, SUFFIXES


def inner_name(path):
    """Name of the table that a file holds: without ``.gz`` and the like; unknown (empty) for a bare ``.zip``.

    Examples
    --------
    >>> inner_name(Path("t.csv.gz")), inner_name(Path("t.csv")), inner_name(Path("t.zip"))
    ('t.csv', 't.csv', '')
    """
    if path.suffix.lower() not in PACKED:
        return path.name
    return "" if path.suffix.lower() == ".zip" else path.stem


def unpack(path):
    """Name and bytes of the one table in a packed file.

    Parameters
    ----------
    path : Path

    Returns
    -------
    name : str
    data : bytes

    Raises
    ------
    TableError
        If it cannot be unpacked, is encrypted, or holds no table or several.
    """
    suffix = path.suffix.lower()
    try:
        if suffix == ".zip":
            return _only_table(path)
        return path.stem, _UNPACK[suffix](path.read_bytes())
    except TableError:
        raise
    except (OSError, EOFError, ValueError, RuntimeError, *_BROKEN) as error:
        if isinstance(error, OSError) and error.strerror:  # the file itself, not what is in it
            raise TableError(path, [Defect("", f"cannot be read ({error.strerror}).", "")]) from error
        what = f"cannot be unpacked ({str(error).rstrip('.')})."
        raise TableError(path, [Defect("", what, "Pack it anew, without a password.")]) from error


@contextlib.contextmanager
def as_file(path, name, data):
    """Unpacked data as a file that lives as long as the block; messages name the packed file.

    Parameters
    ----------
    path : Path
        The packed file.
    name : str
        Name of what is in it.
    data : bytes

    Raises
    ------
    TableError
        What the block raises, with the name of the packed file in its messages.
    """
    with tempfile.TemporaryDirectory() as folder:
        inside = Path(folder) / Path(name).name
        inside.write_bytes(data)
        try:
            yield inside
        except TableError as error:
            said = [defect._replace(what=defect.what.replace(str(inside), path.name)) for defect in error.defects]
            raise TableError(path, said, drop=error.drop) from error


def _only_table(path):
    with zipfile.ZipFile(path) as archive:
        names = [PurePosixPath(info.filename) for info in archive.infolist() if not info.is_dir()]
        names = [name for name in names if not any(part.startswith((".", "__MACOSX")) for part in name.parts)]
        tables = [name for name in names if name.suffix.lower() in SUFFIXES]
        if len(tables) != 1:
            found = ", ".join(map(str, (tables or names)[:8])) or "nothing"
            what = f"holds {'no table' if not tables else f'{len(tables)} tables'} ({found})."
            raise TableError(path, [Defect("", what, "Unpack it, and name the file of the table.")])
        return tables[0].name, archive.read(str(tables[0]))


def _zstd(data):
    import pyarrow as pa

    return pa.CompressedInputStream(io.BytesIO(data), "zstd").read()


_UNPACK = {".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress, ".zst": _zstd}
_BROKEN = (lzma.LZMAError, zipfile.BadZipFile, zlib.error)
