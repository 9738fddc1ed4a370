"""Tables for readers: the best value of each row is bold."""

import pandas as pd
from pandas.io.formats.style import Styler

from fslib.names import metric


def mark_best(table: pd.DataFrame, key: str | None = None, *, decimals: int | None = None) -> Styler:
    """Format a table of values, methods as columns, with the best of each row in bold.

    Values that are shown alike are equal: all of them are bold.

    Parameters
    ----------
    table : DataFrame
        One method per column. Without ``key`` a level ``metric`` of the index says which metric a row holds.
    key : str, optional
        Metric of all rows, a key of `fslib.names.METRICS`.
    decimals : int, optional
        Digits after the point; by default those of the metric, the most of all rows.

    Returns
    -------
    pandas.io.formats.style.Styler
        Nothing is bold in a row whose metric has no better direction.

    Raises
    ------
    ValueError
        If there is neither ``key`` nor a level ``metric``.

    Examples
    --------
    >>> table = pd.DataFrame({"A": [0.10004, 0.7], "B": [0.1, 0.8]},
    ...                      index=pd.Index(["hamming_loss", "f1"], name="metric"))
    >>> best_in_rows(table, ["hamming_loss", "f1"], 4).values.tolist()
    [[True, True], [False, True]]
    >>> "0.8000" in mark_best(table).to_html()
    True
    """
    if key is None and "metric" not in table.index.names:
        raise ValueError("mark_best needs the metric: pass key=, or a table with a level 'metric' in its index.")
    keys = [key] * len(table) if key else list(table.index.get_level_values("metric"))
    digits = max((metric(name).decimals for name in keys), default=4) if decimals is None else decimals
    best = best_in_rows(table, keys, digits)
    bold = best.map(lambda is_best: "font-weight: bold" if is_best else "")
    return table.style.format(f"{{:.{digits}f}}", na_rep="").apply(lambda _: bold, axis=None)


def best_in_rows(table: pd.DataFrame, keys: list[str], decimals: int) -> pd.DataFrame:
    """Which values are the best of their row, after rounding; ``keys`` names the metric of each row."""
    rounded = table.astype(float).round(decimals)
    marks = []
    for name, (_, row) in zip(keys, rounded.iterrows(), strict=True):
        larger = metric(name).larger_is_better
        marks.append(row.eq(row.max() if larger else row.min()) if larger is not None else row.eq(float("nan")))
    return pd.DataFrame(marks, index=table.index, columns=table.columns).astype(bool)
