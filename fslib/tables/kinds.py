"""What kind of file this is: by its name, and by its first bytes where the name promises something else."""

import re

from fslib.tables.defects import Defect, TableError

TEXT = (".csv", ".tsv", ".txt", ".dat", ".data", ".tab")
SHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
PARQUET = (".parquet", ".pq", ".feather", ".arrow")
MULTILABEL = (".arff", ".svm", ".libsvm", ".svmlight")
SUFFIXES = (*TEXT, *SHEETS, *PARQUET, *MULTILABEL)
PACKED = (".gz", ".bz2", ".xz", ".zst", ".zip")

ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+:/{1,2}\w", re.ASCII)

NO_TABLES = {
    "a notebook": (".ipynb",),
    "an image": (".png", ".jpg", ".jpeg", ".gif", ".svg", ".tif", ".tiff", ".bmp", ".webp", ".dcm"),
    "a document": (".pdf", ".doc", ".docx", ".odt", ".rtf", ".ppt", ".pptx", ".md", ".html", ".htm"),
    "code": (".py", ".r", ".m", ".sql", ".ipy"),
    "JSON": (".json", ".jsonl", ".ndjson"),
    "a file of Python objects": (".pkl", ".pickle", ".joblib", ".npy", ".npz"),
    "a file of R": (".rds", ".rdata", ".rda"),
    "a file of SPSS, Stata or SAS": (".sav", ".por", ".dta", ".sas7bdat", ".xpt"),
    "a file of MATLAB or HDF5": (".mat", ".h5", ".hdf5", ".hdf", ".nc"),
    "a database": (".db", ".sqlite", ".sqlite3", ".mdb", ".accdb"),
    "an archive of a kind that is not unpacked": (".tar", ".tgz", ".7z", ".rar"),
}

SIGNATURES = (
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a spreadsheet or a packed file (name it .xlsx, .ods or .zip)"),
    (b"\xd0\xcf\x11\xe0", "an old or encrypted Office file (name it .xls, or save it without a password)"),
    (b"PAR1", "Parquet (name it .parquet)"),
    (b"ARROW1", "Feather (name it .feather)"),
    (b"\x1f\x8b", "packed by gzip (name it .csv.gz)"),
    (b"BZh", "packed by bzip2 (name it .csv.bz2)"),
    (b"\xfd7zXZ", "packed by xz (name it .csv.xz)"),
    (b"\x28\xb5\x2f\xfd", "packed by zstd (name it .csv.zst)"),
    (b"SQLite format 3", "a database"),
    (b"\x89HDF", "HDF5"),
)

WORDS = (
    (re.compile(r"\s*(<!doctype html|<html|<\?xml[^>]*>\s*<html)", re.IGNORECASE), "a web page"),
    (re.compile(r"\s*<\?xml", re.IGNORECASE), "XML"),
    (re.compile(r'\s*(\{\s*"|\[\s*[\[{])'), "JSON"),
    (re.compile(r"version https://git-lfs"), "a pointer of Git LFS, not the data (run git lfs pull)"),
    (re.compile(r"\s*(%[^\n]*\n\s*)*@relation\b", re.IGNORECASE), "ARFF (name it .arff)"),
)
"""What begins so is not a table of lines, though its bytes are text."""

EXPORT = "Save the table as CSV, as a spreadsheet or as Parquet."


def refuse_addresses(name):
    """Refuse what is not a file: an address of the network, or ``-`` for the standard input.

    Parameters
    ----------
    name : str

    Raises
    ------
    TableError

    Examples
    --------
    >>> refuse_addresses("ftp://a.org/t.csv")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    fslib.tables.defects.TableError: ftp://a.org/t.csv is an address; tables are read from files. Download ...
    """
    if name == "-":
        what, advice = "stands for the standard input, which is not read.", "Save the table in a file and name that."
        raise TableError("-", [Defect("", what, advice)])
    if ADDRESS.match(name):
        what = "is an address; tables are read from files."
        raise TableError(name, [Defect("", what, "Download it first, and name the file.")])


def refuse_other_kinds(path, suffix):
    """Refuse a file whose name ends like that of no table.

    Raises
    ------
    TableError
        The message names what such files are, where that is known.
    """
    if suffix in SUFFIXES:
        return
    kind = next((kind for kind, suffixes in NO_TABLES.items() if suffix in suffixes), "")
    what = f"is {kind}, not a table." if kind else f"is of an unknown kind ({suffix or 'no suffix'})."
    advice = EXPORT if kind else f"Use one of {', '.join(SUFFIXES)}, also packed ({', '.join(PACKED)})."
    raise TableError(path.name, [Defect("", what, advice)])


def kind_of_bytes(data):
    """What data begin like that are not text, or an empty string.

    Examples
    --------
    >>> kind_of_bytes(b"%PDF-1.4"), kind_of_bytes(b"x,y")
    ('a PDF document', '')
    """
    return next((kind for start, kind in SIGNATURES if data.startswith(start)), "")


def kind_of_text(text):
    """What text begins like that is not a table of lines, or an empty string.

    Examples
    --------
    >>> kind_of_text("<!DOCTYPE html><html>"), kind_of_text("x,y")
    ('a web page', '')
    """
    head = text[:4096]
    return next((kind for pattern, kind in WORDS if pattern.match(head)), "")
