"""ARFF and LIBSVM files as tables."""

from fslib.datasets import multilabel_files
from fslib.tables.defects import Defect, TableError
from fslib.tables.source import Source, unique_names
from fslib.tables.words import tidy

TARGET = "target"
"""Name of the column made from a LIBSVM file with one label per line."""


def read_labelled(path):
    """Read an ARFF file (dense or sparse), or a LIBSVM file with one label or several per line.

    Parameters
    ----------
    path : Path

    Returns
    -------
    Source
        ``labels``: those that the file names; of a LIBSVM file with exactly one label on every line the one column
        "target".

    Raises
    ------
    TableError
        If it cannot be read.
    """
    try:
        frame, labels = multilabel_files.multilabel_table(path)
    except ValueError as error:
        raise TableError(path, [Defect("", f"cannot be read: {str(error).removeprefix(f'{path} ')}", "")]) from error
    notes = []
    if path.suffix.lower() != ".arff" and b"qid:" in path.read_bytes():
        notes.append("The numbers of queries (qid) were left out.")
    left_out = frame.attrs.get("left_out", [])
    if left_out:
        notes.append(f"Attributes of text or dates were left out: {', '.join(map(repr, left_out[:6]))}.")
    if path.suffix.lower() != ".arff" and len(labels) > 1 and (frame[labels].sum(axis=1) == 1).all():
        target = frame[labels].idxmax(axis=1)
        frame, labels = frame.drop(columns=labels).assign(**{TARGET: target.astype(float)}), [TARGET]
        notes.append(f"Every line has one label; it became the column {TARGET!r}.")
    names, twice = unique_names(frame.columns)
    columns = {name: frame.iloc[:, j] for j, name in enumerate(names)}
    return Source(str(path), columns, labels=[tidy(name) for name in labels], notes=notes, twice=twice)
