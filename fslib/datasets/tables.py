"""A table of your own: from a CSV or parquet file to X and y, with an error message for all that can be wrong."""

from pathlib import Path

import numpy as np
from sklearn.utils import Bunch

from fslib.datasets.table_files import read_table_file

MISSING = ("error", "drop_rows", "median")
MAX_TEXT_LEVELS = 20
"""A text column with more levels than this is taken for an identifier or free text, and refused."""


def table_from_file(path, target, *, drop=(), missing="error", views=()):
    r"""Read a table, split off its target and make every other column a number.

    Text columns with at most 20 levels become one 0/1 column per level, named ``column=level``. A numeric target with
    more than 20 distinct values, or with fractions, is a regression target; anything else holds classes. Several
    targets are labels: 1 = present, 0 = absent, empty = unknown.

    Parameters
    ----------
    path : str or Path
        A ``.csv``, ``.tsv``, ``.txt`` (comma separated) or ``.parquet`` file, or a multi-label file: ``.arff``,
        ``.svm``, ``.libsvm``.
    target : str or list of str
        Name of the target column, or names of the label columns. Empty: those that a multi-label file names, by an XML
        file beside it, by MEKA's ``-C`` or by its form.
    drop : sequence of str
        Columns to leave out, such as identifiers.
    missing : {"error", "drop_rows", "median"}
        What to do about empty feature cells: refuse, leave the row out, or keep them as NaN so that each training part
        fills them with its own medians (text gets a level of its own). Rows whose single target is empty are an error
        unless ``"drop_rows"``.
    views : sequence of str
        Prefixes of column names; the columns that start with the same prefix form one view. Every column must belong to
        exactly one.

    Returns
    -------
    Bunch
        ``X`` (DataFrame of numbers, n x d), ``y`` (array (n,), or (n, c) floats with NaN = unknown), ``task``
        ("classification", "regression" or "multilabel"), ``label_names``, ``views`` (dict prefix -> list of columns, or
        None) and ``notes`` (what was changed on the way, one sentence each).

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file cannot be read as a table (see `fslib.datasets.table_files.read_table_file`), a column does not
        exist, a cell is empty or infinite, a text column has too many levels, labels are not 0, 1 or empty, or nothing
        is left.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name) / "fruit.csv"
    >>> _ = path.write_text("weight,colour,ripe\n120,red,yes\n80,green,no\n95,red,yes\n")
    >>> table = table_from_file(path, "ripe")
    >>> list(table.X.columns), table.y.tolist(), table.task
    (['weight', 'colour=green', 'colour=red'], ['yes', 'no', 'yes'], 'classification')
    >>> folder.cleanup()
    """
    frame = read_table_file(Path(path))
    if missing not in MISSING:
        raise ValueError(f"missing must be one of {', '.join(MISSING)}, got {missing!r}.")
    targets = ([target] if isinstance(target, str) else list(target)) or frame.attrs["labels"]
    if not targets:
        raise ValueError("Name at least one target column: the file does not say which columns are labels.")
    _check_names(frame, targets, "target", path)
    _check_names(frame, drop, "drop", path)
    notes = []
    X = frame.drop(columns=[*targets, *drop])
    y = frame[targets]
    if X.shape[1] == 0:
        raise ValueError(f"{path} has no column left beside the target.")

    if len(targets) == 1:
        X, y = _complete_targets(X, y, targets[0], missing, notes)
    X, y = _complete_cells(X, y, missing, notes)
    groups = _group_by_prefix(X.columns, views)
    X, origin = _numbers_only(X, notes)
    if len(targets) == 1:
        y, task = _single_target(y[targets[0]], notes)
    else:
        y, task = _labels(y), "multilabel"
    by_view = {name: [new for new in X.columns if origin[new] in members] for name, members in groups.items()}
    return Bunch(
        X=X, y=y, task=task, label_names=targets if task == "multilabel" else None, views=by_view or None, notes=notes
    )


def _check_names(frame, names, role, path):
    import difflib

    for name in names:
        if name not in frame.columns:
            near = difflib.get_close_matches(name, frame.columns, n=3, cutoff=0.5)
            hint = (
                f"Did you mean {' or '.join(map(repr, near))}?" if near else f"It has {', '.join(frame.columns[:12])}."
            )
            raise ValueError(f"{path} has no column {name!r} ({role}). {hint}")
    if len(set(names)) < len(names):
        raise ValueError(f"{role} names a column twice: {', '.join(map(repr, names))}.")


def _complete_targets(X, y, name, missing, notes):
    empty = y[name].isna().to_numpy()
    if not empty.any():
        return X, y
    if missing != "drop_rows":
        raise ValueError(
            f"The target {name!r} is empty in {empty.sum()} rows. Fill them, or pass missing='drop_rows'. "
            "(Only with several target columns does an empty cell mean an unknown label.)"
        )
    notes.append(f"{empty.sum()} rows without a target were left out.")
    return X[~empty], y[~empty]


def _complete_cells(X, y, missing, notes):
    empty = X.isna()
    if not empty.to_numpy().any():
        return X, y
    columns = empty.columns[empty.any()]
    if missing == "error":
        worst = ", ".join(f"{c!r} ({int(empty[c].sum())})" for c in columns[:6])
        raise ValueError(
            f"{len(columns)} columns have empty cells: {worst}. "
            "Fill them, or pass missing='median' or missing='drop_rows'."
        )
    if missing == "drop_rows":
        keep = ~empty.any(axis=1)
        if not keep.any():
            raise ValueError(
                "Every row has an empty cell; missing='drop_rows' would leave nothing. Try missing='median'."
            )
        notes.append(f"{int((~keep).sum())} rows with an empty cell were left out.")
        return X[keep], y[keep]
    text = [c for c in columns if X[c].dtype.kind not in "iufb"]
    X = X.assign(**{c: X[c].astype(object).where(X[c].notna(), "missing") for c in text})
    notes.append(
        f"{len(columns)} columns have empty cells, to be filled inside each training part (text: level 'missing')."
    )
    return X, y


def _group_by_prefix(columns, prefixes):
    groups = {prefix: [c for c in columns if c.startswith(prefix)] for prefix in prefixes}
    for prefix, members in groups.items():
        if not members:
            raise ValueError(f"No column starts with the view prefix {prefix!r}. Columns: {', '.join(columns[:12])}.")
    for column in columns:
        owners = [prefix for prefix, members in groups.items() if column in members]
        if groups and len(owners) != 1:
            found = "no view" if not owners else f"the views {' and '.join(map(repr, owners))}"
            raise ValueError(f"Column {column!r} belongs to {found}; every column must belong to exactly one.")
    return groups


def _numbers_only(X, notes):
    """One-hot text columns; also return which original column each new one came from."""
    import pandas as pd

    pieces, origin = [], {}
    for name in X.columns:
        column = X[name]
        if column.dtype.kind in "iufb":
            piece = column.astype(float) if column.dtype.kind == "f" else column.astype(int)
            if np.isinf(piece.to_numpy(dtype=float)).any():
                raise ValueError(f"Column {name!r} holds infinite values; replace them.")
            piece = piece.to_frame()
        else:
            levels = sorted(column.astype(str).unique())
            if len(levels) > MAX_TEXT_LEVELS:
                raise ValueError(
                    f"Column {name!r} holds text with {len(levels)} different values, such as {levels[0]!r}. "
                    "Drop it, or turn it into numbers or a few levels first."
                )
            piece = pd.get_dummies(column.astype(str), prefix=name, prefix_sep="=", dtype=int)
            notes.append(f"Text column {name!r} became {len(levels)} columns of 0 and 1.")
        origin.update(dict.fromkeys(piece.columns, name))
        pieces.append(piece)
    return pd.concat(pieces, axis=1), origin


def _single_target(y, notes):
    if y.nunique() < 2:
        raise ValueError(f"The target {y.name!r} has one value only: there is nothing to predict.")
    if y.dtype.kind == "f" and (y % 1 != 0).any():
        counts = y.value_counts()
        if len(counts) <= MAX_TEXT_LEVELS and counts.min() > 1:
            notes.append(
                f"The target {y.name!r} holds fractions, so it is predicted as a number, though it has only "
                f"{len(counts)} different values; if they are classes, write them as words."
            )
        return y.to_numpy(), "regression"
    if y.dtype.kind in "iuf" and y.nunique() > MAX_TEXT_LEVELS:
        return y.to_numpy(dtype=float), "regression"
    return y.to_numpy(dtype=object if y.dtype.kind not in "iufb" else None), "classification"


def _labels(y):
    for name in y.columns:
        known = set(y[name].dropna().unique())
        if not known <= {0, 1}:
            raise ValueError(
                f"Label column {name!r} holds {sorted(map(str, known))[:5]}; labels are 1, 0 or empty (= unknown)."
            )
        if not known:
            raise ValueError(f"Label column {name!r} is empty throughout; leave it out.")
    return y.to_numpy(dtype=float)
