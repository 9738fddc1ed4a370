"""Find a data set, read it, and use it only if its content has the recorded hash.

The first place that has a file decides: the bundled files (``data/`` of a clone, ``fslib/_data`` of a wheel), then the
folder named by ``FSLIB_DATA`` (a local mirror), then the downloads. A damaged file is an error; it never makes way
silently for another version.
"""

import warnings
from collections.abc import Collection
from pathlib import Path

from fslib.datasets import multilabel_files
from fslib.datasets.copies import DataNotFoundError, copies_of, fetched, read_checked, recorded_hash, ways_to_get
from fslib.datasets.files import (
    MASKS,
    DamagedDataError,
    hash_content,
)
from fslib.datasets.registry import entries, entry


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
    copies = copies_of(record)
    place, path = copies[0] if copies else ("download", fetched(record))
    try:
        data = read_checked(record, place, path)
    except DamagedDataError as error:
        if place != "download":
            raise
        warnings.warn(f"{error} Fetching it anew.", stacklevel=2)
        data = read_checked(record, place, fetched(record))
    title = f"{name}: {record.source}"
    lines = (title, record.citation, record.notes, unrecorded(name, place))
    data.update(DESCR="\n".join(filter(None, lines)), place=place, recorded=place != "download")
    data.update(source=record.source, licence=record.licence)
    return data


def _load_file(path):
    """Bunch of the user's own multi-label file, with the keys that every data set has."""
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
        The file that :func:`load` reads.

    Raises
    ------
    ValueError
        If no data set has this name.
    DataNotFoundError
        If it is not on this machine and cannot be downloaded.
    DamagedDataError
        If the content of the file is not what is on record.
    """
    load(name)
    return copies_of(entry(name))[0][1]


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
    ValueError
        If no data set has this name.
    DataNotFoundError
        If the data set is not on this machine: nothing is downloaded here.

    Examples
    --------
    >>> content_hash("haberman") == load("haberman").sha256
    True
    """
    record = entry(name)
    copies = copies_of(record)
    if not copies:
        raise DataNotFoundError(ways_to_get(record))
    return recorded_hash(record, *copies[0])


def unavailable_reason(name: str, wanted: Collection[str] | None = None) -> str:
    """Why a data set is not part of a run; empty if it is.

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

    Raises
    ------
    ValueError
        If no data set has this name.

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
    return "" if copies_of(record) else f"not on this machine; `fslib data fetch {name}` lists the ways to get it"


def verify():
    """Read every copy of every data set on this machine and compare it with the records.

    Yields
    ------
    tuple of (str, str, str)
        Name, place, and what is wrong ("" if nothing is).
    """
    for record in entries().values():
        for place, path in copies_of(record):
            try:
                read_checked(record, place, path)
            except DamagedDataError as error:
                yield record.name, place, str(error)
            else:
                yield record.name, place, ""


def unrecorded(name, place):
    """Sentence for a copy of which no hash was on record before it came; empty if one was.

    Parameters
    ----------
    name : str
    place : {"bundled", "mirror", "download"}

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If the copy is a download and no data set has this name.

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
    copies = copies_of(entry(name))
    return copies[0][0] if copies else ""
