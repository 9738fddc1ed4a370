"""Read a table of your own into features and target."""

from fslib.tables.usertable import SUSPECT_COLUMNS, UserTable


def read_table(
    source,
    target=(),
    *,
    drop=(),
    keep=(),
    views=(),
    groups=None,
    time=None,
    task="auto",
    missing_target=None,
    missing_features="error",
    text=(),
    empty=(),
    decimal=None,
    sheet=None,
):
    """Read a table, split off its target and make every other column a number.

    Parameters
    ----------
    source : str, Path or DataFrame
    target : str or list of str

    Returns
    -------
    UserTable
    """
    import pandas as pd

    from fslib.datasets.tables import table_from_file as of_file

    missing = "drop_rows" if "drop_rows" in (missing_target, missing_features) else missing_features
    found = of_file(source, target, drop=drop, missing=missing, views=views)
    return UserTable(
        X=found.X,
        y=found.y,
        task=found.task,
        label_names=found.label_names,
        target=target if isinstance(target, str) else target[0] if len(target) == 1 else None,
        views=found.views,
        notes=found.notes,
        suspects=pd.DataFrame(columns=SUSPECT_COLUMNS),
    )


def table_from_file(path, target, *, drop=(), missing="error", views=()):
    """Read a table by the arguments of version 0.2; use `read_table`."""
    return read_table(path, target, drop=drop, views=views, missing_target=missing, missing_features=missing)
