"""The papers' numbers (``data/reported``) and how one of ours finds its counterpart among them."""

from pathlib import Path

import numpy as np
import pandas as pd

from fslib.reproduction.paths import REPORTED, item_slug

NOT_SETTINGS = {"direction"}
"""Keys of a reported setting that describe the metric, not how the number was made."""


def parse_setting(text):
    """``"k=5;loss=0-1"`` as a dictionary.

    Examples
    --------
    >>> parse_setting("k=5;loss=0-1"), parse_setting("")
    ({'k': '5', 'loss': '0-1'}, {})
    """
    return dict(pair.split("=", 1) for pair in text.split(";") if pair)


def read_claims(paper, folder=REPORTED):
    """Claims of one paper: section, item, claim_id, claim, check, own_numbers, all text."""
    claims = pd.read_csv(Path(folder) / "claims.csv", dtype=str, keep_default_na=False)
    return claims[claims["paper"] == paper].drop(columns="paper").reset_index(drop=True)


def read_reported(paper, item, folder=REPORTED):
    """Read the printed numbers of one table or example, in one form.

    Parameters
    ----------
    paper, item : str
        Such as ``"bayes"``, ``"Table 2"``.
    folder : path-like, optional

    Returns
    -------
    DataFrame
        dataset, method, setting, metric, value, std: text as printed, so that the number of digits is known. Tables of
        data sets and the quantities of an example become rows whose metric is the column or the quantity. No rows
        if the item prints no numbers, as figures do not.

    Examples
    --------
    >>> read_reported("bayes", "Example 1").query("metric == 'mi_x1_y'")["value"].tolist()
    ['0.08']
    >>> read_reported("bayes", "Table 1").query("dataset == 'Adult'")[["metric", "value"]].values.tolist()
    [['n_features', '123'], ['n_instances', '48824'], ['p_positive', '0.239']]
    """
    columns = ["dataset", "method", "setting", "metric", "value", "std"]
    path = Path(folder) / f"{paper}_{item_slug(item)}.csv"
    if not path.exists():
        return pd.DataFrame(columns=columns, dtype=str)
    printed = pd.read_csv(path, dtype=str, keep_default_na=False)
    if "quantity" in printed:
        printed = printed.rename(columns={"quantity": "metric"})
    elif "metric" not in printed:  # a table of data sets: its numeric columns are the metrics
        named = printed.drop(columns=["paper", "table", "section", "note"], errors="ignore")
        printed = named.melt("dataset", var_name="metric", value_name="value")
        printed = printed[pd.to_numeric(printed["value"], errors="coerce").notna()]
    return printed.reindex(columns=columns, fill_value="").reset_index(drop=True)


def printed_resolution(text):
    """Half a unit of the last printed digit: how far a number may lie off and still print the same.

    Examples
    --------
    >>> printed_resolution("0.30"), printed_resolution("954"), printed_resolution("3.4e-3")
    (0.005, 0.5, 5e-05)
    """
    digits, _, exponent = text.lower().partition("e")
    return float(f"0.5e{int(exponent or 0) - len(digits.partition('.')[2])}")


def agreement(reproduced, reported, std=""):
    """Verdict on one number.

    Parameters
    ----------
    reproduced : float
    reported, std : str
        As printed; ``std`` is empty where the paper gives no spread.

    Returns
    -------
    str
        "as printed", "within the paper's spread" (one standard deviation) or "differs".

    Examples
    --------
    >>> agreement(0.0819, "0.08"), agreement(0.95, "0.93", "0.03"), agreement(0.95, "0.93")
    ('as printed', "within the paper's spread", 'differs')
    """
    difference = abs(reproduced - float(reported))
    if difference <= printed_resolution(reported) * (1 + 1e-9):
        return "as printed"
    return "within the paper's spread" if std and difference <= float(std) else "differs"


def side_by_side(rows, reported):
    """Join our rows with the printed ones.

    Two rows belong together if data set, method and metric are equal (case does not count; a field that the paper
    leaves empty fits all) and no key that both settings have differs. So one printed number may meet several of ours,
    such as both readings of a formula; ``setting`` tells them apart.

    Parameters
    ----------
    rows : DataFrame
        Tidy rows.
    reported : DataFrame
        From `read_reported`.

    Returns
    -------
    DataFrame
        dataset, method, setting, metric, reported, reproduced, difference, verdict; the verdict is "not printed" for a
        number that only we have and "not run" for one that only the paper has.
    """
    printed = reported[reported["value"] != ""].to_dict("records")
    settings = [parse_setting(row["setting"]) for row in printed]
    met = [False] * len(printed)
    joined = []
    for row in rows.to_dict("records"):
        ours = parse_setting(row["setting"])
        partners = [i for i, paper in enumerate(printed) if _belong_together(row, ours, paper, settings[i])]
        for i in partners:
            met[i] = True
            joined.append(_joined(row, row["setting"], printed[i], row["value"]))
        if not partners:
            joined.append(_joined(row, row["setting"], None, row["value"]))
    joined += [
        _joined(paper, paper["setting"], paper, np.nan) for paper, found in zip(printed, met, strict=True) if not found
    ]
    columns = ["dataset", "method", "setting", "metric", "reported", "reproduced", "difference", "verdict"]
    return pd.DataFrame(joined, columns=columns)


def _belong_together(row, ours, paper, theirs):
    same = all(
        paper[name] == "" or paper[name].lower() == row[name].lower() for name in ("dataset", "method", "metric")
    )
    return same and all(_equal(ours[key], theirs[key]) for key in ours.keys() & theirs.keys() - NOT_SETTINGS)


def _equal(a, b):
    """Equal as text or as numbers: 0.50 is 0.5."""
    try:
        return a == b or float(a) == float(b)
    except ValueError:
        return False


def _joined(row, setting, paper, reproduced):
    named = {"dataset": row["dataset"], "method": row["method"], "setting": setting, "metric": row["metric"]}
    if paper is None:
        return named | {"reported": "", "reproduced": reproduced, "difference": np.nan, "verdict": "not printed"}
    if np.isnan(reproduced):
        return named | {"reported": paper["value"], "reproduced": np.nan, "difference": np.nan, "verdict": "not run"}
    verdict = agreement(reproduced, paper["value"], paper["std"])
    difference = reproduced - float(paper["value"])
    return named | {"reported": paper["value"], "reproduced": reproduced, "difference": difference, "verdict": verdict}
