"""Multi-label data as people have them: ARFF of Mulan and MEKA, dense or sparse, and LIBSVM's text."""

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from scipy import sparse
from sklearn.preprocessing import MultiLabelBinarizer
from sklearn.utils import Bunch

from fslib.datasets.arff import are_numbers, read_arff

SUFFIXES = (".arff", ".svm", ".libsvm")

LARGEST_TABLE = 250_000_000
"""Entries of a dense table: 2 GB."""

COUNT = re.compile(r"-c\s+(-?\d+)", re.IGNORECASE)


def read_multilabel_file(path, labels=None):
    """Read features and labels from one file.

    Parameters
    ----------
    path : str or Path
        ``.arff`` (dense or sparse, numeric and nominal attributes), or ``.svm`` or ``.libsvm``, each line
        ``label,label index:value ...``.
    labels : str, Path, int or list of str, optional
        ARFF only. Which attributes are labels: an XML file of Mulan, a number as in MEKA's ``-C n`` (the first n
        attributes; negative: the last), or names. Default: the XML file beside with the same name, else the ``-C`` of
        the relation's name.

    Returns
    -------
    Bunch
        ``X``: array (n, d), or CSR for a sparse file. Nominal values that are numbers stay those numbers, others
        become their position in the declaration; text and dates are left out.
        ``y``: int8 (n, c). ``feature_names``, ``label_names``: lists of str.
        ``levels``: dict from a nominal feature to its declared values.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it cannot be read, nothing says which attributes are labels, or a label holds anything but 0 and 1.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name) / "toy.arff"
    >>> _ = path.write_text('''@relation 'toy: -C 2'
    ... @attribute sport {0,1}
    ... @attribute politics {0,1}
    ... @attribute goal numeric
    ... @attribute source {paper,web}
    ... @data
    ... {0 1, 2 3.5}
    ... {1 1, 3 web}
    ... ''')
    >>> toy = read_multilabel_file(path)
    >>> toy.X.toarray(), toy.y.tolist(), toy.label_names
    (array([[3.5, 0. ],
           [0. , 1. ]]), [[1, 0], [0, 1]], ['sport', 'politics'])
    >>> folder.cleanup()
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {path} (looked from {Path.cwd()}).")
    if path.suffix.lower() == ".arff":
        return _split_labels(path, *read_arff(path), labels)
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"{path.name}: this kind of file is unknown; use one of {', '.join(SUFFIXES)}.")
    return _read_libsvm(path)


def multilabel_table(path):
    """Read a file as one table, text values as text.

    Parameters
    ----------
    path : Path
        As for :func:`read_multilabel_file`; an ARFF file may be without labels.

    Returns
    -------
    frame : DataFrame
        All attributes in the order of the file; of a LIBSVM file features, then labels. Dense.
        ``attrs["left_out"]`` names the attributes of text or dates.
    labels : list of str
        Its label columns, none if nothing says which they are.

    Raises
    ------
    ValueError
        If it cannot be read, or would take more than 2 GB as a table.
    """
    import pandas as pd  # half a second, wanted only by those who read a table

    if path.suffix.lower() == ".arff":
        matrix, names, levels, relation = read_arff(path)
        try:
            labels = [names[j] for j in _label_positions(path, names, relation, None)]
        except ValueError:
            labels = []
    else:
        data = _read_libsvm(path)
        matrix, names, levels = sparse.hstack([data.X, data.y]), [*data.feature_names, *data.label_names], {}
        labels = data.label_names
    if np.prod(matrix.shape) > LARGEST_TABLE:
        raise ValueError(
            f"{path} holds {matrix.shape[0]} x {matrix.shape[1]} entries, too many for a table, which is not sparse. "
            "Read it with fslib.datasets.load, which keeps it sparse."
        )
    frame = pd.DataFrame(matrix.toarray() if sparse.issparse(matrix) else matrix, columns=names)
    text = {j: values for j, values in levels.items() if values and not are_numbers(values)}
    words = {
        names[j]: frame.iloc[:, j].map(dict(enumerate(values))) for j, values in text.items() if names[j] not in labels
    }
    left_out = [names[j] for j, values in levels.items() if not values]
    frame = frame.assign(**words).drop(columns=left_out)
    frame.attrs["left_out"] = left_out
    return frame, labels


def _split_labels(path, matrix, names, levels, relation, labels):
    positions = _label_positions(path, names, relation, labels)
    text = [j for j, values in levels.items() if not values]
    rest = np.setdiff1d(np.arange(len(names)), [*positions, *text])
    X, y = matrix[:, rest], matrix[:, positions]
    y = y.toarray() if sparse.issparse(y) else y
    wrong = (y != 0) & (y != 1)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise ValueError(
            f"{path}: label {names[positions[column]]!r} holds {y[row, column]:g} in row {row + 1}; labels are 0 and 1."
        )
    return Bunch(
        X=X,
        y=y.astype(np.int8),
        feature_names=[names[j] for j in rest],
        label_names=[names[j] for j in positions],
        levels={names[j]: values for j, values in levels.items() if j in rest},
    )


def _label_positions(path, names, relation, labels):
    beside = path.with_suffix(".xml")
    if labels is None and beside.is_file():
        labels = beside
    if labels is None:
        count = COUNT.search(relation)
        if count is None:
            raise ValueError(
                f"Nothing says which attributes of {path} are labels: put Mulan's XML file beside it ({beside.name}), "
                "or pass labels, the number of MEKA's -C, or the names."
            )
        labels = int(count.group(1))
    if isinstance(labels, int):
        if not 0 < abs(labels) < len(names):
            raise ValueError(f"{path} has {len(names)} attributes, of which {labels} cannot be the labels.")
        return np.arange(labels) if labels > 0 else np.arange(len(names) + labels, len(names))
    wanted = labels_of_xml(labels) if isinstance(labels, str | Path) else list(labels)
    missing = [name for name in wanted if name not in names]
    if missing:
        raise ValueError(f"{path} has no attribute {missing[0]!r}, which is to be a label.")
    return np.sort([names.index(name) for name in wanted])


def labels_of_xml(path):
    """Names of the labels in an XML file of Mulan, those of a hierarchy too.

    Raises
    ------
    ValueError
        If there is no such file.
    """
    try:
        found = [node.get("name") for node in ElementTree.parse(path).iter() if node.tag.rpartition("}")[2] == "label"]
    except (ElementTree.ParseError, OSError) as error:
        raise ValueError(f"{path} is no XML file of labels ({error}).") from error
    if not found or None in found:
        raise ValueError(f"{path} names no labels; it should hold <labels><label name='...'/>...</labels>.")
    return found


LIBSVM_LINE = re.compile(r"[^\s:]*(\s+qid:\d+)?(\s+\d+:\S+)*\s*(#.*)?")


def _broken_line(path):
    """The first line that is not "labels index:value ..." with rising indices, or an empty string."""
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, start=1):
            if not LIBSVM_LINE.fullmatch(line.strip()):
                return f"line {number} is not labels and index:value pairs ({line.strip()[:40]!r})"
            indices = [int(index) for index in re.findall(r"\s(\d+):", line.partition("#")[0])]
            if any(high <= low for low, high in pairwise(indices)):
                return f"line {number} has indices that do not rise ({line.strip()[:40]!r})"
    return ""


def _read_libsvm(path):
    try:
        from sklearn.datasets import load_svmlight_file  # here, because it is slow to import

        X, y = load_svmlight_file(str(path), multilabel=True)
    except ValueError as error:
        raise ValueError(f"{path} is no LIBSVM file: {_broken_line(path) or error}.") from error
    known = MultiLabelBinarizer().fit(y)
    name = lambda label: str(int(label)) if float(label).is_integer() else str(label)
    return Bunch(
        X=X,
        y=known.transform(y).astype(np.int8),
        feature_names=[f"x{j}" for j in range(X.shape[1])],
        label_names=[name(label) for label in known.classes_],
        levels={},
    )
