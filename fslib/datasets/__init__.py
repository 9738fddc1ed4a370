"""The data sets of the four papers: bundled with the repository, from a local mirror or by download, always checked."""

from fslib.datasets.files import DamagedDataError
from fslib.datasets.loader import (
    DataNotFoundError,
    content_hash,
    fetch,
    list_datasets,
    load,
    unavailable_reason,
    verify,
)

__all__ = [
    "DamagedDataError",
    "DataNotFoundError",
    "content_hash",
    "fetch",
    "list_datasets",
    "load",
    "unavailable_reason",
    "verify",
]
