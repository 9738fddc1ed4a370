"""A download from OpenML, turned into the arrays of a data file."""

import threading
import warnings

import numpy as np

from fslib.datasets import transport
from fslib.datasets.files import smallest_integers


class DownloadError(OSError):
    """The data could not be fetched, or are not the requested ones."""


def download(entry):
    """Fetch a data set with one target from OpenML.

    Parameters
    ----------
    entry : fslib.datasets.registry.Entry
        Its ``openml`` is the data_id: OpenML gives every version its own, so no version number is needed besides.

    Returns
    -------
    dict of str to array
        ``X``, ``y``, ``feature_names``, ``target_names``; class names in sorted order.

    Raises
    ------
    DownloadError
        If OpenML cannot be reached, stalls, or sends something else than it describes: its file must have the MD5 sum
        of the description, and the table the size that the registry has on record.
    """
    from sklearn.datasets import fetch_openml  # here: importing fslib must not pay for it

    try:
        # No cache of scikit-learn's: the one copy that is kept is ours, whole and checked.
        options = {"data_id": entry.openml, "as_frame": True, "parser": "auto", "cache": False, "n_retries": 1}
        given_up = threading.Event()
        with warnings.catch_warnings(action="ignore"), transport.patient_urlopen(given_up):  # ignore: a second try
            fetched = transport.within(transport.WHOLE, lambda: fetch_openml(**options), given_up)
        X = fetched.data.to_numpy(dtype=float)
    except Exception as error:  # urllib, scikit-learn, pandas and the parser each have their own
        raise DownloadError(f"The last try failed: {_reason(error)}.") from error
    if entry.shape and X.shape != entry.shape[:2]:
        raise DownloadError(f"What came is {X.shape} and not {entry.shape[:2]}: it is not used.")
    if np.isnan(X).any():
        raise DownloadError("What came has missing values: it is not used.")
    target_names, y = np.unique(fetched.target.astype(str), return_inverse=True)
    return {
        "X": smallest_integers(X),
        "y": y,
        "feature_names": np.array(fetched.data.columns, dtype=str),
        "target_names": target_names.astype(str),
    }


def _reason(error):
    """One line of an error; a stalled server is named by what it did, not by the class of our error."""
    text = " ".join(str(error).split())
    return text if isinstance(error, transport.StalledError) else f"{type(error).__name__}: {text}"
