"""Claims of the thesis "braytee" that concern all of it, or none of its results.

The docstring of a check is the text that ``data/reported/claims.csv`` has for it.
"""

from importlib import import_module

from fslib.papers.braytee.whole import beside_published_sizes
from fslib.papers.claims import cannot_be_tested, claim, verdict
from fslib.reproduction.compare.reported import read_reported

SIZE_TABLES = ("Table 3.1", "Table 3.12", "Table 3.14", "Table 4.1", "Table 4.5", "Table 5.1", "Table 5.5")


@claim("fig1-1-structure")
def fig1_1_structure(table):
    """not numeric: a document check that each of the 7 methods has an implementation and a notebook"""
    missing = [number for number, row in table.iterrows() if not (row["shown"] and _importable(row["classes"]))]
    value = f"{len(table) - len(missing)} of {len(table)} contributions have a class and a notebook that shows it"
    note = f"without: {', '.join(map(str, missing))}" if missing else ""
    return verdict(not missing, value, note, n_tested=len(table), n_claimed=len(table))


def _importable(classes):
    names = [name.split(".") for name in classes.split(", ")]
    return all(hasattr(import_module(f"fslib.{room}"), name) for room, name in names)


@claim("fig2-2-svm")
def fig2_2_svm():
    """not testable beyond sign(w.x+b) deciding the class"""
    return cannot_be_tested("an illustration of a margin, taken from another paper; it states no result")


@claim("dataset-descriptions")
def dataset_descriptions(tables):
    """loader shapes, n_labels and (n_neg/n_pos) equal the CSVs to the published digits, rounded or cut off; AvgImR =
    mean over labels of max/min class counts
    """
    published = {(item, name) for item in SIZE_TABLES for name in read_reported("braytee", item)["dataset"]}
    found = beside_published_sizes(tables)
    if found.empty:
        return cannot_be_tested("not run: no data set of the tables is here", n_tested=0, n_claimed=len(published))
    wrong = found[~found["as_published"]]
    sets = found.groupby(["item", "dataset"])["as_published"].all()
    value = f"{sets.sum()} of {len(sets)} descriptions, {found['as_published'].sum()} of {len(found)} numbers"
    lines = [
        f"{row.item} {row.dataset} {row.setting} {row.metric}: {row.published}, here {row.here:.6g}".replace("  ", " ")
        for row in wrong.itertuples()
    ]
    return verdict(wrong.empty, value, "; ".join(lines), n_tested=len(sets), n_claimed=len(published))
