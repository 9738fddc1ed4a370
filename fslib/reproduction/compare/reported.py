"""The papers' numbers and claims (``data/reported``), read in one form."""

from pathlib import Path

import pandas as pd

from fslib.reproduction.paths import REPORTED, item_slug


def read_claims(paper, folder=REPORTED):
    """Claims of one paper: section, item, claim_id, claim, check, own_numbers, all text."""
    claims = pd.read_csv(Path(folder) / "claims.csv", dtype=str, keep_default_na=False)
    return claims[claims["paper"] == paper].drop(columns="paper").reset_index(drop=True)


def read_reported(paper, item, folder=REPORTED):
    """Read the published numbers of one table or example, in one form.

    Parameters
    ----------
    paper, item : str
        Such as ``"bayes"``, ``"Table 2"``.
    folder : path-like, optional

    Returns
    -------
    DataFrame
        dataset, method, setting, metric, value, std: text as published, so that the digits are known. Tables of
        data sets and the quantities of an example become rows whose metric is the column or the quantity. No rows
        if the paper gives no numbers for the item, as figures do not.

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
    published = pd.read_csv(path, dtype=str, keep_default_na=False)
    if "quantity" in published:  # what the example starts from is not a result
        published = published[published["role"] != "given"]
        published = published.rename(columns={"quantity": "metric"})
    elif "metric" not in published:  # a table of data sets: its numeric columns are the metrics
        named = published.drop(columns=["paper", "table", "section", "note"], errors="ignore")
        if "nominal_ratio" in named:  # one data set with several ratios of its classes
            ratio = named.pop("nominal_ratio")
            named["setting"] = ("nominal_ratio=" + ratio).where(ratio != "", "")
        ids = [name for name in ("dataset", "setting") if name in named]
        published = named.melt(ids, var_name="metric", value_name="value")
        published = published[pd.to_numeric(published["value"], errors="coerce").notna()]
    return published.reindex(columns=columns, fill_value="").reset_index(drop=True)


def declared_keys(paper, item, folder=REPORTED):
    """Return the setting keys that name a number of an item, beside data set, method and metric.

    Examples
    --------
    >>> declared_keys("mlmlfs", "Table 2"), declared_keys("mlmlfs", "Table 1")
    (['missing_pct', 'p'], [])
    """
    keys = pd.read_csv(Path(folder) / "keys.csv", dtype=str, keep_default_na=False)
    found = keys.loc[(keys["paper"] == paper) & (keys["item"] == item), "keys"]
    return found.item().split(";") if len(found) else []


def read_reasons(paper, folder=REPORTED):
    """Known reasons why numbers of a paper differ: item, method, dataset, reason; an empty field fits all."""
    reasons = pd.read_csv(Path(folder) / "reasons.csv", dtype=str, keep_default_na=False)
    return reasons[reasons["paper"] == paper].drop(columns="paper").to_dict("records")


def reason_for(number, reasons):
    """Return the reason that names a number most closely, or an empty text.

    Examples
    --------
    >>> reasons = [{"item": "", "method": "PMU", "dataset": "", "reason": "a"},
    ...            {"item": "Table 2", "method": "PMU", "dataset": "", "reason": "b"}]
    >>> number = {"item": "Table 2", "method": "PMU", "dataset": "Yeast"}
    >>> reason_for(number, reasons), reason_for(number | {"item": "Table 3"}, reasons)
    ('b', 'a')
    """
    fields = ("item", "method", "dataset", "metric")
    fitting = [row for row in reasons if all(row.get(name, "") in ("", number.get(name)) for name in fields)]
    closest = max(fitting, key=lambda row: sum(row.get(name, "") != "" for name in fields), default={"reason": ""})
    return closest["reason"]


def read_contradictions(paper, folder=REPORTED):
    """Published numbers that no run can have: item, method, dataset, metric, reason; an empty field fits all.

    Examples
    --------
    >>> rows = read_contradictions("braytee")
    >>> sorted({row["item"] for row in rows})
    ['Table 4.6', 'Table 5.6', 'Table 5.7']
    """
    path = Path(folder) / "contradictions.csv"
    if not path.exists():
        return []
    rows = pd.read_csv(path, dtype=str, keep_default_na=False)
    return rows[rows["paper"] == paper].drop(columns="paper").to_dict("records")


def reported_items(paper, folder=REPORTED):
    """Items of a paper with published numbers, in the order of the paper.

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
