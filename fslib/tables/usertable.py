"""What `fslib.tables.read_table` returns."""

from sklearn.utils import Bunch

from fslib.tables.defects import counted

SUSPECT_COLUMNS = ["column", "kind", "seen", "action", "left_out"]
"""Columns of `UserTable.suspects`."""


class UserTable(Bunch):
    """A table that was read and checked: features, target, and what was noticed on the way.

    A scikit-learn ``Bunch``: a dict whose entries are attributes.

    Attributes
    ----------
    X : DataFrame of shape (n, d)
        Features, numbers throughout. Text became one column of 0 and 1 per level, ``column=level``; NaN is an empty
        cell, to be filled inside each training part.
    y : array of shape (n,), or (n, c)
        Classes, numbers, or label columns of 0, 1 and NaN for unknown.
    task : {"classification", "regression", "multilabel"}
    label_names : list of str or None
        Names of the label columns if there are several.
    target : str or None
        Name of the target column if there is one.
    views : dict of str to list of str, or None
        Features of each view.
    groups : array of shape (n,), or None
        Rows of one value belong together and must stay in one part of a split.
    time : array of shape (n,), or None
        What orders the rows; numbers or dates.
    origin : dict of str to str
        For each feature the column of the file that it was made from.
    notes : list of str
        What was changed on the way, one sentence each.
    suspects : DataFrame
        Columns that should be looked at before anything is chosen: ``column``, ``kind`` (row number, repeats the
        target, nearly repeats the target, constant, duplicate, empty, nearly empty, identifier-like, date, missing
        code), ``seen`` (what gave rise to it), ``action`` (what was done and how to have it otherwise) and ``left_out``
        (whether the column is missing from ``X``).

    Examples
    --------
    >>> import pandas as pd
    >>> from fslib.tables import read_table
    >>> read_table(pd.DataFrame({"x": [5, 3, 6], "y": ["a", "b", "a"]}), "y")
    UserTable(3 rows, 1 feature, classification of 'y')
    """

    def __init__(
        self,
        *,
        X,
        y,
        task,
        label_names=None,
        target=None,
        views=None,
        groups=None,
        time=None,
        origin=None,
        notes=(),
        suspects=None,
    ):
        super().__init__(
            X=X,
            y=y,
            task=task,
            label_names=label_names,
            target=target,
            views=views,
            groups=groups,
            time=time,
            origin=dict(origin or {}),
            notes=list(notes),
            suspects=suspects,
        )

    def __repr__(self):
        of = repr(self.target) if self.target is not None else f"{len(self.label_names or ())} labels"
        return f"UserTable({counted(len(self.X), 'row')}, {counted(self.X.shape[1], 'feature')}, {self.task} of {of})"
