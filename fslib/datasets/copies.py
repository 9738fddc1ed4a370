"""Copies of a data set on this machine: where they are, whether they are complete, and how to get one."""

import math
import os
from pathlib import Path

import numpy as np

from fslib.datasets import openml
from fslib.datasets.files import (
    LARGEST,
    DamagedDataError,
    assemble,
    hash_content,
    read_npz,
    read_recorded_hash,
    write_npz,
)

PACKED = Path(__file__).parents[1] / "_data"  # a wheel carries the bundled files here
DATA = PACKED if PACKED.is_dir() else Path(__file__).parents[2] / "data"  # the package lies beside it in every clone
REMEDY = {
    "bundled": "Restore it with `git checkout -- data` in a clone, or install fslib anew.",
    "mirror": "Copy it anew into the folder FSLIB_DATA.",
    "download": "Delete it, or run `fslib data fetch` for it.",
}


class DataNotFoundError(FileNotFoundError):
    """A data set is in none of the places and could not be fetched."""


def _downloads():
    """Folder of downloads: beside the data of a clone; for an installed wheel the cache of the user."""
    if DATA != PACKED:
        return DATA / "downloads"
    import pooch  # here, because it takes long to import

    return pooch.os_cache("fslib")


def copies_of(record):
    """List the (place, path) of every copy on this machine, the one to use first."""
    file = f"{record.name}.npz"
    mirror = os.environ.get("FSLIB_DATA")
    candidates = [
        ("bundled", DATA / file if record.bundled else None),
        ("mirror", Path(mirror, file) if mirror and record.mirror else None),
        ("download", _downloads() / file if record.openml else None),
    ]
    return [(place, path) for place, path in candidates if path is not None and path.is_file()]


def recorded_hash(record, place, path):
    """Look up the recorded hash: in the registry; for a download, in the file itself, written on arrival."""
    return read_recorded_hash(path) if place == "download" else getattr(record, place)


def _largest(record):
    """Bytes that a copy may unpack to: 16 per number and something for names, where the shape is on record."""
    return 2**26 + 16 * math.prod(record.shape[:2]) if record.shape else LARGEST


def read_checked(record, place, path):
    """Read a copy; DamagedDataError with the remedy if its content is not what is on record."""
    try:
        data = read_npz(path, largest=_largest(record))
        found, expected = hash_content(data), recorded_hash(record, place, path)
    except DamagedDataError as error:
        raise DamagedDataError(f"{error}. {REMEDY[place]}") from error
    if found != expected:
        raise DamagedDataError(
            f"{path} is not used: its content has the hash {found[:12]}, on record is {expected[:12]}. {REMEDY[place]}"
        )
    data.sha256 = found
    return data


def fetched(record):
    """Fetch from OpenML into the folder of downloads, return the path; DataNotFoundError if that is not possible."""
    if not record.openml:
        raise DataNotFoundError(ways_to_get(record))
    if not DATA.is_dir():
        raise DataNotFoundError(ways_to_get(record, f"But fslib was copied without its data: there is no {DATA}."))
    try:
        arrays = openml.download(record)
    except openml.DownloadError as error:
        raise DataNotFoundError(ways_to_get(record, str(error))) from error
    path = _downloads() / f"{record.name}.npz"
    write_npz(path, **arrays, sha256=np.array(hash_content(assemble(arrays))))
    return path


def ways_to_get(record, failure=""):
    """One message: what was looked for, and every way to get it."""
    name = record.name
    lines = [f"The data set {name!r} is not available on this machine ({record.source})."]
    if record.unavailable:
        return f"{lines[0]} It cannot be loaded: {record.unavailable}. {record.notes}".strip()
    if record.bundled:
        lines.append(
            f"- It ships with fslib as {DATA / name}.npz: restore it with `git checkout -- data` in a clone, or "
            "install fslib anew."
        )
    if record.mirror:
        lines.append(
            f"- Put {name}.npz (layout and origin: data/README.md) into a folder and name that in the environment "
            f"variable FSLIB_DATA ({_state_of_mirror()})."
        )
    if record.public:
        lines.append(
            f"- Its source is {record.public}. fslib does not convert it: data/README.md says what a file for "
            "FSLIB_DATA holds, and what to do about its hash."
        )
    if record.openml:
        lines.append(f"- Go online and run `fslib data fetch {name}` (OpenML data set {record.openml}). {failure}")
    if record.notes:
        lines.append(f"Note: {record.notes}")
    return "\n".join(lines)


def _state_of_mirror():
    mirror = os.environ.get("FSLIB_DATA")
    if not mirror:
        return "which is not set"
    return f"now {mirror}, which {'lacks that file' if Path(mirror).is_dir() else 'is not a folder'}"
