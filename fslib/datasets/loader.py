"""Find a data set, read it, and use it only if its content has the recorded hash.

The first place that has a file decides: the bundled files (``data/`` of a clone, ``fslib/_data`` of a wheel), then the
folder named by ``FSLIB_DATA`` (a local mirror), then the downloads. A damaged file is an error; it never makes way
silently for another version.
"""

import math
import os
import warnings
from collections.abc import Collection
from pathlib import Path

import numpy as np

from fslib.datasets import multilabel_files, openml
from fslib.datasets.files import (
    LARGEST,
    MASKS,
    DamagedDataError,
    assemble,
    hash_content,
    read_npz,
    read_recorded_hash,
    write_npz,
)
from fslib.datasets.registry import entries, entry

PACKED = Path(__file__).parents[1] / "_data"  # a wheel carries the bundled files here
DATA = PACKED if PACKED.is_dir() else Path(__file__).parents[2] / "data"  # the package lies beside it in every clone
REMEDY = {
    "bundled": "Restore it with `git checkout -- data` in a clone, or install fslib anew.",
    "mirror": "Copy it anew into the folder FSLIB_DATA.",
    "download": "Delete it, or run `fslib data fetch` for it.",
}


class DataNotFoundError(FileNotFoundError):
    """A data set is in none of the places and could not be fetched."""


def list_datasets(paper=None):
    """Names of the data sets in the registry.

    Parameters
    ----------
    paper : {"bayes", "rrmvfs", "mlmlfs", "braytee"}, optional
        Only those that this paper uses.

    Returns
    -------
    list of str

    Examples
    --------
    >>> list_datasets("rrmvfs")
    ['mfeat', 'Ads', 'nus_wide_object']
    """
    return [name for name, record in entries().items() if paper is None or paper in record.papers]


def load(name):
    """Load a data set: bundled, from the local mirror, or by download.

    Parameters
    ----------
    name : str or Path
        One of :func:`list_datasets`, or the path of a multi-label file: ``.arff`` (Mulan with its XML file beside, or
        MEKA), ``.svm`` or ``.libsvm``.

    Returns
    -------
    Bunch
        ``X`` : array or CSR matrix (n, d), in a type that holds its values exactly (binary data are uint8).
        ``y`` : int64 class codes (n,), or int8 labels (n, c). ``target_names`` or ``label_names``, ``feature_names`` :
        lists of str, or None. ``views`` : dict name -> slice, or None. ``split`` : (n,) 0 training, 1 test, or None.
        ``known_25``, ``known_50``, ``known_80`` : masks (n_train, c) of given training labels, or None.
        ``DESCR``, ``source``, ``licence`` : str. ``sha256`` : of the content, as :func:`content_hash`.
        ``place`` : "bundled", "mirror", "download" or "file". ``recorded`` : bool, whether a hash of it was on record
        beforehand; for a download there is none, and it is checked as :mod:`fslib.datasets.openml` says.

    Raises
    ------
    ValueError
        If there is no data set of that name.
    DataNotFoundError
        If it is nowhere to be found; the message names the ways to get it.
    DamagedDataError
        If the file found is cut off or does not have the recorded content.

    Examples
    --------
    >>> haberman = load("haberman")
    >>> haberman.X.shape, haberman.feature_names, haberman.y.mean().round(3)
    ((306, 3), ['age', 'year', 'positive_nodes'], np.float64(0.265))
    """
    if Path(name).suffix.lower() in multilabel_files.SUFFIXES:
        return _load_file(Path(name))
    record = entry(name)
    copies = _copies(record)
    place, path = copies[0] if copies else ("download", _download(record))
    try:
        data = _read_checked(record, place, path)
    except DamagedDataError as error:
        if place != "download":
            raise
        warnings.warn(f"{error} Fetching it anew.", stacklevel=2)
        data = _read_checked(record, place, _download(record))
    title = f"{name}: {record.source}"
    lines = (title, record.citation, record.notes, unrecorded(name, place))
    data.update(DESCR="\n".join(filter(None, lines)), place=place, recorded=place != "download")
    data.update(source=record.source, licence=record.licence)
    return data


def _load_file(path):
    """Bunch of a reader's own multi-label file, with the keys that every data set has."""
    data = multilabel_files.read_multilabel_file(path)
    absent = dict.fromkeys(["target_names", "views", "split", *MASKS])
    data.update(absent, DESCR=str(path), place="file", source=str(path), licence="", sha256=hash_content(data))
    return data


def fetch(name):
    """Make sure that a data set is available and undamaged; download it otherwise.

    Parameters
    ----------
    name : str
        One of :func:`list_datasets`.

    Returns
    -------
    Path
        The file that :func:`load` reads. Raises what :func:`load` raises.
    """
    load(name)
    return _copies(entry(name))[0][1]


def content_hash(name):
    """SHA-256 of the content that :func:`load` would return, from the records, without reading the data.

    Parameters
    ----------
    name : str
        One of :func:`list_datasets`.

    Returns
    -------
    str
        See :func:`fslib.datasets.files.hash_content`.

    Raises
    ------
    DataNotFoundError
        If the data set is not on this machine: nothing is downloaded here.

    Examples
    --------
    >>> content_hash("haberman") == load("haberman").sha256
    True
    """
    record = entry(name)
    copies = _copies(record)
    if not copies:
        raise DataNotFoundError(_ways_to_get(record))
    return _expected_hash(record, *copies[0])


def unavailable_reason(name: str, wanted: Collection[str] | None = None) -> str:
    """Why a data set takes no part in a run; empty if it does.

    Parameters
    ----------
    name : str
        One of :func:`list_datasets`.
    wanted : collection of str, optional
        Data sets of the run; by default every data set is wanted.

    Returns
    -------
    str
        Nobody can load it (for the reason in the registry), the run does not want it, or it is not on this machine.

    Examples
    --------
    >>> unavailable_reason("mfeat", ["mfeat"]), unavailable_reason("Ads", ["mfeat"])
    ('', 'not among the data sets of this run')
    >>> unavailable_reason("nus_wide_object")
    'no public copy of the views of NUS-WIDE-OBJECT that may be fetched'
    """
    record = entry(name)
    if record.unavailable:
        return record.unavailable
    if wanted is not None and name not in wanted:
        return "not among the data sets of this run"
    return "" if _copies(record) else f"not on this machine; `fslib data fetch {name}` lists the ways to get it"


def verify():
    """Read every copy of every data set on this machine and compare it with the records.

    Yields
    ------
    tuple of (str, str, str)
        Name, place, and what is wrong ("" if nothing is).
    """
    for record in entries().values():
        for place, path in _copies(record):
            try:
                _read_checked(record, place, path)
            except DamagedDataError as error:
                yield record.name, place, str(error)
            else:
                yield record.name, place, ""


def unrecorded(name, place):
    """Say that no hash of a copy was on record before it came; empty if one was.

    Parameters
    ----------
    name : str
    place : {"bundled", "mirror", "download"}

    Returns
    -------
    str

    Examples
    --------
    >>> unrecorded("glass", "bundled")
    ''
    """
    if place != "download":
        return ""
    size = "its size is on record" if entry(name).shape else "nor is its size"
    return (
        f"No hash of {name} is on record, {size}: what came from OpenML had the MD5 sum that OpenML states, and its "
        "own hash was taken then."
    )


def place_of(name):
    """Where :func:`load` would read a data set from: "bundled", "mirror", "download", or "" if there is no copy."""
    copies = _copies(entry(name))
    return copies[0][0] if copies else ""


def _downloads():
    """Folder of downloads: beside the data of a clone; for an installed wheel the cache of the user."""
    if DATA != PACKED:
        return DATA / "downloads"
    import pooch  # here, because it takes long to import

    return pooch.os_cache("fslib")


def _copies(record):
    """List the (place, path) of every copy on this machine, the one to use first."""
    file = f"{record.name}.npz"
    mirror = os.environ.get("FSLIB_DATA")
    candidates = [
        ("bundled", DATA / file if record.bundled else None),
        ("mirror", Path(mirror, file) if mirror and record.mirror else None),
        ("download", _downloads() / file if record.openml else None),
    ]
    return [(place, path) for place, path in candidates if path is not None and path.is_file()]


def _expected_hash(record, place, path):
    """Look up the hash on record: in the registry; for a download in the file itself, written at its arrival."""
    return read_recorded_hash(path) if place == "download" else getattr(record, place)


def _largest(record):
    """Bytes that a copy may unpack to: 16 per number and something for names, where the shape is on record."""
    return 2**26 + 16 * math.prod(record.shape[:2]) if record.shape else LARGEST


def _read_checked(record, place, path):
    """Read a copy; DamagedDataError with the remedy if its content is not what is on record."""
    try:
        data = read_npz(path, largest=_largest(record))
        found, expected = hash_content(data), _expected_hash(record, place, path)
    except DamagedDataError as error:
        raise DamagedDataError(f"{error}. {REMEDY[place]}") from error
    if found != expected:
        raise DamagedDataError(
            f"{path} is not used: its content has the hash {found[:12]}, on record is {expected[:12]}. {REMEDY[place]}"
        )
    data.sha256 = found
    return data


def _download(record):
    """Fetch from OpenML into the folder of downloads and return the path."""
    if not record.openml:
        raise DataNotFoundError(_ways_to_get(record))
    if not DATA.is_dir():
        raise DataNotFoundError(_ways_to_get(record, f"But fslib was copied without its data: there is no {DATA}."))
    try:
        arrays = openml.download(record)
    except openml.DownloadError as error:
        raise DataNotFoundError(_ways_to_get(record, str(error))) from error
    path = _downloads() / f"{record.name}.npz"
    write_npz(path, **arrays, sha256=np.array(hash_content(assemble(arrays))))
    return path


def _ways_to_get(record, failure=""):
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
