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
import os
import zipfile
import zlib

import numpy as np
from scipy import sparse
from sklearn.utils import Bunch

from fslib.files import atomic_path

MASKS = ("known_25", "known_50", "known_80")
HASHED = ("y", "split", "view_offsets", *MASKS)  # besides X; names are not hashed: no number depends on them
BLOCK = 2**18  # numbers converted at a time while hashing, so that a uint8 matrix is never copied whole as float64


class DamagedDataError(OSError):
    """A data file is cut off, is not what it claims to be, or does not have the recorded hash."""


def read_npz(path):
    """Read a data file.

    Parameters
    ----------
    path : str or Path
        A file with the keys listed in the module's docstring.

    Returns
    -------
    Bunch
        ``X`` (dense, or CSR), ``y`` ((n,) int64 codes or (n, c) int8 labels), ``feature_names``, ``target_names``,
        ``label_names`` (lists of str, or None), ``views`` (dict name -> slice, or None), ``split``, ``known_25``,
        ``known_50``, ``known_80`` (arrays or None).

    Raises
    ------
    DamagedDataError
        If the file cannot be read to its end or its parts do not fit together.
    FileNotFoundError
        If there is none.
    """
    with _opened(path) as file:
        return assemble({key: file[key] for key in file.files})


def read_recorded_hash(path):
    """Read the content hash that a download carries within itself, under the key ``sha256``."""
    with _opened(path) as file:
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
    """SHA-256 of the numbers of a data set, whatever file, storage type or compression they came in.

    X and y, the split, the borders of the views and the masks of known labels count; names do not. All are hashed as
    little-endian float64, row by row, so a uint8 copy and a float64 copy with equal values have equal hashes. Dense and
    sparse forms of the same matrix differ.

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
    arrays = dict(data, view_offsets=None if views is None else [0, *(view.stop for view in views.values())])
    for key in HASHED:
        if arrays.get(key) is not None:
            array = np.asarray(arrays[key])
            digest.update(f"{key} {array.shape}".encode())
            _update(digest, array)
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
def _opened(path):
    """Open an archive of arrays; the many ways in which it can be broken become one error with its name."""
    try:
        # Opened here and not by NumPy, which leaves the file open if it is no archive.
        with open(path, "rb") as raw, np.load(raw, allow_pickle=False) as file:
            yield file
    except FileNotFoundError:
        raise
    except (OSError, EOFError, ValueError, KeyError, IndexError, zipfile.BadZipFile, zlib.error) as error:
        raise DamagedDataError(f"{path} is damaged and is not used ({type(error).__name__}: {error})") from error


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
        X.sum_duplicates()  # also sorts: equal matrices then have equal parts
        return X
    if "X_units" in arrays:
        # A quotient of two exactly held integers is rounded once: the same double that reading "1.25" gives.
        return np.ascontiguousarray(arrays["X_units"] / 10.0 ** arrays["X_decimals"])
    return arrays["X"]
