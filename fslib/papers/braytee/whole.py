"""The thesis "braytee" as a whole: its seven contributions, and the sizes of all its data sets beside ours."""

import pandas as pd

from fslib.papers.braytee.ch3_3_sampling.tables import sizes as sampling_sizes
from fslib.papers.braytee.ch3_data import SECTION_3_1, SECTION_3_2, SECTION_3_3, available, size_rows
from fslib.papers.braytee.ch4_1_scanmf import items as scanmf_items
from fslib.papers.braytee.ch4_1_scanmf.tables import facts as scanmf_sizes
from fslib.papers.braytee.ch4_2_fuzz_esvm import items as fuzz_items
from fslib.papers.braytee.ch4_2_fuzz_esvm.tables import facts as fuzz_sizes
from fslib.papers.braytee.ch5_1_cmfs.tables import table_5_1
from fslib.papers.braytee.ch5_2_ml_cib.tables import table_5_5
from fslib.papers.braytee.ch5_data import TITLES as MULTILABEL
from fslib.papers.braytee.ch5_data import present
from fslib.papers.braytee.digits import gives_digits
from fslib.papers.braytee.expression import STAND_INS
from fslib.reproduction.compare.reported import read_reported
from fslib.reproduction.paths import NOTEBOOKS

CONTRIBUTIONS = {
    1: ("RQ1", ("imbalance.CSPCA", "imbalance.CSNMF"), "3_1_cost_sensitive_extraction"),
    2: ("RQ1", ("imbalance.BSNMF",), "3_2_balanced_supervised_nmf"),
    3: ("RQ1", ("imbalance.ABCSampling",), "3_3_abc_sampling"),
    4: ("RQ2", ("correlated.SCANMF",), "4_1_scanmf"),
    5: ("RQ2", ("correlated.FuzzESVM",), "4_2_fuzz_esvm"),
    6: ("RQ3", ("multilabel.CMFS",), "5_1_cmfs"),
    7: ("RQ3", ("multilabel.MLCIB",), "5_2_ml_cib"),
}
"""Number -> research question of Figure 1.1, classes below :mod:`fslib`, notebook."""


def contributions(folder=NOTEBOOKS / "braytee"):
    """Contributions of the thesis, with what implements and what shows them.

    Parameters
    ----------
    folder : path
        Of the notebooks.

    Returns
    -------
    DataFrame
        Index contribution; question, classes, notebook, shown: whether the notebook is there and names every class.

    Examples
    --------
    >>> table = contributions()
    >>> len(table), bool(table["shown"].all())
    (7, True)
    """
    rows = {}
    for number, (question, classes, notebook) in CONTRIBUTIONS.items():
        path = folder / f"{notebook}.ipynb"
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        shown = all(name.partition(".")[2] in text.replace("-", "") for name in classes)
        rows[number] = {"question": question, "classes": ", ".join(classes), "notebook": notebook, "shown": shown}
    return pd.DataFrame(rows).T.rename_axis("contribution")


def size_tables():
    """Sizes and imbalance ratios of every data set that is on this machine, item -> tidy rows.

    Returns
    -------
    dict of str to DataFrame
        Tables 3.1, 3.12, 3.14, 4.1, 4.5, 5.1 and 5.5.
    """
    named = {"Table 3.1": SECTION_3_1, "Table 3.12": SECTION_3_2}
    found = {item: size_rows(available(titles, titles)[0], titles) for item, titles in named.items()}
    found["Table 3.14"] = sampling_sizes(list(SECTION_3_3))
    for item, titles, sizes in (("4.1", scanmf_items, scanmf_sizes), ("4.5", fuzz_items, fuzz_sizes)):
        found[f"Table {item}"] = sizes([name for name in titles.TITLES if name not in STAND_INS])
    here, _ = present(list(MULTILABEL), ())
    return found | {"Table 5.1": table_5_1(here), "Table 5.5": table_5_5(here)}


def beside_published_sizes(tables):
    """Published sizes beside ours; a number is as published if ours gives its digits, rounded or cut off.

    Parameters
    ----------
    tables : dict of str to DataFrame
        From :func:`size_tables`.

    Returns
    -------
    DataFrame
        item, dataset, setting, metric, published (text), here, as_published; data sets that are not here have no row.

    Examples
    --------
    >>> ours = pd.DataFrame({"dataset": ["Diabetes"], "metric": ["imbalance_ratio"], "value": [500 / 268]})
    >>> beside_published_sizes({"Table 3.1": ours})[["published", "as_published"]].values.tolist()
    [['1.86', True]]
    """
    parts = []
    for item, ours in tables.items():
        published = read_reported("braytee", item)
        if ours.empty:
            continue
        ours = ours.assign(setting=ours["setting"] if "setting" in ours else "")
        keys = ["dataset", "setting", "metric"]
        both = published.merge(ours[[*keys, "value"]], on=keys, suffixes=("", "_here")).assign(item=item)
        parts.append(both[["item", *keys, "value", "value_here"]])
    columns = ["item", "dataset", "setting", "metric", "value", "value_here"]
    table = pd.concat(parts) if parts else pd.DataFrame(columns=columns)
    table = table.rename(columns={"value": "published", "value_here": "here"}).reset_index(drop=True)
    table["as_published"] = [any(gives_digits(row.here, row.published)) for row in table.itertuples()]
    return table
