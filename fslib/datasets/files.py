"""One data set, one ``.npz`` file: reading it, writing it whole or not at all, and the hash of what is inside.

The keys of a file (a data set has one of the forms of X, and y or Y; everything else is optional):

======================================  =============================================================================
``X``                                   (n, d) dense
``X_data X_indices X_indptr X_shape``   (n, d) compressed sparse rows
``X_units X_decimals``                  (n, d) integers, and (d,) or (n, d) counts: X is units / 10**decimals
``y``, ``target_names``                 (n,) class codes and the name of each code
``Y``, ``label_names``                  (n, c) 0/1 labels and their names
``feature_names``                       (d,)
``view_names view_offsets``             (v,) and (v + 1,): view i is columns offsets[i] to offsets[i + 1]
``split``                               (n,) 0 = training row, 1 = test row, as the source splits it
``known_25 known_50 known_80``          (n_train, c) masks: True where the training label is given
======================================  =============================================================================
"""

import contextlib
import hashlib
import itertools
import json
import math
import os
import zipfile

import numpy as np
from scipy import sparse
from sklearn.utils import Bunch

from fslib.files import atomic_path

MASKS = ("known_25", "known_50", "known_80")
HASHED = ("y", "split", "view_offsets", *MASKS)  # besides X
NAMES = ("feature_names", "target_names", "label_names", "view_names")
SPARSE = ("X_data", "X_indices", "X_indptr", "X_shape")
KEYS = ("X", *SPARSE, "X_units", "X_decimals", "y", "Y", "split", "view_offsets", *MASKS, *NAMES)
LARGEST = 2**29
"""Bytes that a file may hold when unpacked, unless its size is known beforehand; the largest here holds 42 MB."""

BLOCK = 2**18  # numbers converted at a time while hashing, so that a uint8 matrix is never copied whole as float64


class DamagedDataError(OSError):
    """A data file is cut off, is not what it claims to be, or does not have the recorded hash."""


def read_npz(path, *, largest=LARGEST):
    """Read a data file.

    Parameters
    ----------
    path : str or Path
        A file with the keys listed in the module's docstring; other keys are not read.
    largest : int
        Bytes that its arrays may take. What the file says of their sizes is looked at before anything is unpacked.

    Returns
    -------
    Bunch
        ``X`` (dense, or CSR), ``y`` ((n,) int64 codes or (n, c) int8 labels), ``feature_names``, ``target_names``,
        ``label_names`` (lists of str, or None), ``views`` (dict name -> slice, or None), ``split``, ``known_25``,
        ``known_50``, ``known_80`` (arrays or None).

    Raises
    ------
    DamagedDataError
        If the file cannot be read to its end, its parts do not fit together, or it would unpack to more than
        ``largest`` bytes.
    FileNotFoundError
        If there is none.
    """
    with _opened(path, largest) as file:
        return assemble({key: file[key] for key in KEYS if key in file})


def read_recorded_hash(path):
    """Read the content hash that a download carries within itself, under the key ``sha256``."""
    with _opened(path, LARGEST) as file:
        return str(file["sha256"])


def write_npz(path, **arrays):
    """Write arrays compressed to ``path``: the file is there whole or, if anything goes wrong, not at all.

    Two processes may write the same file at once: each fills a file of its own and renames it, and the last one wins.

    Parameters
    ----------
    path : str or Path
        Parent folders are made.
    **arrays : array
        Stored under their names.
    """
    with atomic_path(path) as part, open(part, "wb") as file:
        np.savez_compressed(file, **arrays)
        file.flush()
        os.fsync(file.fileno())


def hash_content(data):
    """SHA-256 of the content of a data set, whatever file, storage type or compression it came in.

    X and y, the split, the borders of the views and the masks of known labels count, and the names of features,
    classes, labels and views: a result names features, and a claim names classes. Numbers are hashed as little-endian
    float64, row by row, so a uint8 copy and a float64 copy with equal values have equal hashes; names as JSON. Dense
    and sparse forms of the same matrix differ.

    Parameters
    ----------
    data : Bunch
        A data set from :func:`read_npz`.

    Returns
    -------
    str
        64 hexadecimal digits.

    Examples
    --------
    >>> small = Bunch(X=np.eye(2, dtype=np.uint8), y=np.array([0, 1]))
    >>> hash_content(small) == hash_content(Bunch(X=np.eye(2), y=np.array([0.0, 1.0])))
    True
    """
    digest = hashlib.sha256()
    if sparse.issparse(data.X):
        digest.update(f"csr {data.X.shape}".encode())
        for part in (data.X.indptr, data.X.indices, data.X.data):
            _update(digest, part)
    else:
        digest.update(f"dense {data.X.shape}".encode())
        _update(digest, data.X)
    views = data.get("views")
    borders = None if views is None else [0, *(view.stop for view in views.values())]
    arrays = dict(data, view_offsets=borders, view_names=None if views is None else list(views))
    for key in HASHED:
        if arrays.get(key) is not None:
            array = np.asarray(arrays[key])
            digest.update(f"{key} {array.shape}".encode())
            _update(digest, array)
    names = {key: arrays[key] for key in NAMES if arrays.get(key) is not None}
    if names:
        digest.update(json.dumps({key: [str(name) for name in names[key]] for key in names}, sort_keys=True).encode())
    return digest.hexdigest()


def smallest_integers(values):
    """Convert to the smallest integer type that holds the values; return them as they are if they have fractions.

    Parameters
    ----------
    values : array of numbers or booleans

    Returns
    -------
    array

    Examples
    --------
    >>> smallest_integers(np.array([0.0, 300.0])).dtype, smallest_integers(np.array([-1, 300])).dtype
    (dtype('uint16'), dtype('int16'))
    """
    if values.size == 0 or not np.equal(values, np.rint(values.astype(float))).all():
        return values
    low, high = values.min(), values.max()
    for dtype in (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.int64):
        if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max:
            return values.astype(dtype)
    return values


@contextlib.contextmanager
def _opened(path, largest):
    """Open an archive of arrays; the many ways in which it can be broken become one error with its name."""
    try:
        # Opened here and not by NumPy, which leaves the file open if it is not an archive.
        with open(path, "rb") as raw, zipfile.ZipFile(raw) as archive:
            _check_sizes(archive, largest)
            raw.seek(0)
            with np.load(raw, allow_pickle=False) as file:
                yield file
    except FileNotFoundError:
        raise
    except OSError as error:
        raise DamagedDataError(f"{path} is damaged and is not used ({error.strerror or error})") from error
    # A made-up file reaches every corner of NumPy, SciPy and zipfile: whatever they raise, it is damage.
    except Exception as error:
        raise DamagedDataError(f"{path} is damaged and is not used ({type(error).__name__}: {error})") from error


def _check_sizes(archive, largest):
    """ValueError unless every array is as large as its header says, and all together are no larger than allowed."""
    members = [member for member in archive.infolist() if member.filename.removesuffix(".npy") in (*KEYS, "sha256")]
    total = sum(member.file_size for member in members)
    if total > largest:
        raise ValueError(f"it would unpack to {total:,} bytes, more than the {largest:,} that are allowed")
    for member in members:
        with archive.open(member) as file:
            version = np.lib.format.read_magic(file)
            read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, _, dtype = read(file)
            promised = math.prod(shape) * dtype.itemsize
            if min(shape, default=0) < 0 or file.tell() + promised != member.file_size:
                raise ValueError(f"{member.filename} promises {promised:,} bytes and has {member.file_size:,}")


def _update(digest, array):
    """Feed an array to a digest as little-endian float64 in row order, block by block."""
    flat = np.asarray(array).reshape(-1)
    for start in range(0, flat.size, BLOCK):
        digest.update(flat[start : start + BLOCK].astype("<f8"))


def assemble(arrays):
    """Bunch, as of :func:`read_npz`, from a dict of the arrays in a file; ValueError or KeyError if they do not fit."""
    X = _features(arrays)
    n, d = X.shape
    labels = "Y" in arrays
    y = arrays["Y"].astype(np.int8) if labels else arrays["y"].astype(np.int64)
    if y.shape[0] != n or y.ndim != (2 if labels else 1):
        raise ValueError(f"X has {n} rows, the target has shape {y.shape}")
    data = Bunch(X=X, y=y, views=None, split=arrays.get("split"), **{key: arrays.get(key) for key in MASKS})
    for key in ("feature_names", "target_names", "label_names"):
        data[key] = arrays[key].tolist() if key in arrays else None
    if data.feature_names is not None and len(data.feature_names) != d:
        raise ValueError(f"{len(data.feature_names)} feature names for {d} columns")
    if "view_names" in arrays:
        offsets = arrays["view_offsets"].tolist()
        if offsets[0] != 0 or offsets[-1] != d or sorted(offsets) != offsets:
            raise ValueError(f"views end at column {offsets[-1]} of {d}")
        names = arrays["view_names"].tolist()
        data.views = {name: slice(*ends) for name, ends in zip(names, itertools.pairwise(offsets), strict=True)}
    return data


def _features(arrays):
    """X from whichever of its three forms is there."""
    if "X_data" in arrays:
        parts = arrays["X_data"], arrays["X_indices"].astype(np.int32), arrays["X_indptr"].astype(np.int32)
        X = sparse.csr_matrix(parts, shape=tuple(arrays["X_shape"].tolist()))
        X.check_format()  # indices within the shape: SciPy's loops do not look
        X.sum_duplicates()  # also sorts: equal matrices then have equal parts
        return X
    if "X_units" in arrays:
        # A quotient of two exactly held integers is rounded once: the same double that reading "1.25" gives.
        units, decimals = arrays["X_units"], arrays["X_decimals"]
        if units.ndim != 2 or decimals.shape not in (units.shape, units.shape[1:]):
            raise ValueError(f"units have shape {units.shape}, decimals {decimals.shape}")
        return np.ascontiguousarray(units / 10.0**decimals)
    if arrays["X"].ndim != 2 or arrays["X"].dtype.kind not in "biuf":
        raise ValueError(f"X is not a matrix of numbers: shape {arrays['X'].shape}, type {arrays['X'].dtype}")
    return arrays["X"]
