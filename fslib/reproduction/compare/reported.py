"""The papers' numbers and claims (``data/reported``), read in one form."""

from pathlib import Path

import pandas as pd

from fslib.reproduction.paths import REPORTED, item_slug


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
    if "quantity" in printed:  # what the example starts from is not a result
        printed = printed[printed["role"] != "given"]
        printed = printed.rename(columns={"quantity": "metric"})
    elif "metric" not in printed:  # a table of data sets: its numeric columns are the metrics
        named = printed.drop(columns=["paper", "table", "section", "note"], errors="ignore")
        printed = named.melt("dataset", var_name="metric", value_name="value")
        printed = printed[pd.to_numeric(printed["value"], errors="coerce").notna()]
    return printed.reindex(columns=columns, fill_value="").reset_index(drop=True)


def reported_items(paper, folder=REPORTED):
    """Items of a paper that print numbers, in the order of the paper.

    Examples
    --------
    >>> reported_items("bayes"), reported_items("braytee")[9:11]
    (['Example 1', 'Table 1', 'Table 2'], ['Table 3.10', 'Table 3.11'])
    """
    found = []
    for path in Path(folder).glob(f"{paper}_*_*.csv"):
        kind, _, number = path.stem.removeprefix(f"{paper}_").partition("_")
        found.append((kind.capitalize(), number.split("_")))
    return [
        f"{kind} {'.'.join(number)}" for kind, number in sorted(found, key=lambda i: (i[0], [int(n) for n in i[1]]))
    ]
