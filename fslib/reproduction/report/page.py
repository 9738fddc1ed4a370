"""What the report shows of a comparison: papers, and their items in reading order."""

import ast
import base64
import importlib.util
import math
import re
from collections import defaultdict
from pathlib import Path

from fslib.reproduction.compare.totals import causes, counts, outliers, totals
from fslib.reproduction.paths import item_slug
from fslib.reproduction.report.notes import short_name
from fslib.reproduction.report.numbers import NAMES, cells_of, names_of, numbers_table

FIRST = ("example", "definition", "equation", "theorem", "algorithm", "section", "table", "figure")


def item_key(item):
    """Key under which tables, figures and claims of one item meet: Figure 4(a), Figure 4a and figure_4_a are one.

    Examples
    --------
    >>> item_key("Figure 4(a)") == item_key("Figure 4a") == item_key("figure_4_a")
    True
    """
    return re.sub(r"(\d)_([a-z])(?=_|$)", r"\1\2", item_slug(item))


def paper_page(paper, comparison, figures):
    """Everything the report shows of one paper.

    Parameters
    ----------
    paper : str
    comparison : fslib.reproduction.compare.compare.Comparison
    figures : dict of str to tuple of (Path, str)
        Item key -> SVG file of this paper, and the notebook that drew it.

    Returns
    -------
    dict
        key, name (author and year), title, source, totals (see `totals_page`), items (with something to show), tables
        (files of items that have nothing else), waiting (claims of the other items).
    """
    items = defaultdict(
        lambda: {
            "title": "",
            "section": "",
            "numbers": None,
            "claims": [],
            "figure": "",
            "file": "",
            "csv": "",
            "notebook": "",
        }
    )
    _add_claims(items, paper, comparison)
    _add_numbers(items, paper, comparison)
    for notebook, tables in comparison.tables.items():
        for file, rows in tables.items():
            if rows["paper"].iloc[0] == paper:
                title = rows["item"].iloc[0]
                item = items[item_key(title)]
                item |= {"title": title, "csv": f"tables/{file}", "n_rows": len(rows), "notebook": notebook}
                item["section"] = item["section"] or _section(notebook)
    for key, (path, notebook) in figures.items():
        item = items[key]
        item |= {"title": item["title"] or _figure_title(path) or key.replace("_", " ").capitalize()}
        item |= {"notebook": notebook, "section": item["section"] or _section(notebook)}
        item["file"] = f"figures/{path.name}"
        item["figure"] = "data:image/svg+xml;base64," + base64.b64encode(path.read_bytes()).decode()
    shown = sorted(items.values(), key=_reading_order)
    for item in shown:
        item["id"] = f"{paper}-{item_key(item['title'])}"
        item["differs"] = any(claim["differs"] for claim in item["claims"]) or bool(
            item["numbers"] and any(row["differs"] for row in item["numbers"]["rows"])
        )
    title, source = title_and_citation(paper)
    name = short_name(source, paper)
    full = [item for item in shown if item["numbers"] or item["figure"] or _is_judged(item)]
    bare = [item for item in shown if item not in full and item["csv"]]
    waiting = [claim for item in shown if item not in full for claim in item["claims"]]
    for item in full:
        item["untestable"] = _by_reason(item["claims"])
        item["claims"] = [claim for claim in item["claims"] if not _untestable(claim)]
    page = {
        "key": paper,
        "name": name,
        "title": title,
        "source": source,
        "items": full,
        "tables": bare,
        "waiting": waiting,
    }
    return page | {"totals": totals_page(paper, comparison)}


def _add_claims(items, paper, comparison):
    reference = comparison.reference
    for index, claim in comparison.claims[comparison.claims["paper"] == paper].to_dict("index").items():
        other = {} if reference is None else reference.claims.loc[index].to_dict()
        same = all(claim[name] == other.get(name) for name in ("verdict", "value"))
        claim["reference"] = {} if same or other.get("verdict", "not judged") == "not judged" else other
        claim["of"] = ""
        if claim["verdict"] == "not judged" and claim["reference"]:
            claim |= other | {"reference": {}, "of": "full run"}
        judged = claim["reference"] if claim["verdict"] == "cannot be tested" and claim["reference"] else claim
        claim["differs"] = judged["verdict"] == "does not hold"
        item = items[item_key(claim["item"])]
        item["title"], item["section"] = item["title"] or claim["item"], item["section"] or claim["section"]
        item["claims"].append(claim)


def _add_numbers(items, paper, comparison):
    reference = comparison.reference
    published = comparison.published[comparison.published["paper"] == paper]
    for name, numbers in published.groupby("item", sort=False):
        items[item_key(name)]["title"] = name
        beside = None if reference is None else reference.published.loc[numbers.index]
        items[item_key(name)]["numbers"] = numbers_table(numbers, beside)


def _is_judged(item):
    return any(claim["verdict"] != "not judged" for claim in item["claims"])


def _untestable(claim):
    return claim["verdict"] == "cannot be tested" and not claim["reference"]


def _by_reason(claims):
    """Group claims that cannot be tested by the reason, which is often the same for many."""
    found = defaultdict(list)
    for claim in filter(_untestable, claims):
        found[claim["note"]].append(claim)
    return dict(found)


def _figure_title(path):
    """Title that the notebook gave the figure, from the metadata of the file; empty for one without."""
    found = re.search(r"<dc:title>(.*?)</dc:title>", path.read_text(encoding="utf-8", errors="replace"), re.DOTALL)
    return found.group(1).strip() if found else ""


def totals_page(paper, comparison):
    """How near our numbers are to the published ones: of the reference run if this one is quick, else of this one.

    Returns
    -------
    dict or None
        of ("this run" or "full run"), counts, lines and by_data_set (see `fslib.reproduction.compare.totals.totals`),
        outliers, causes; None if no number was compared.
    """
    reference = comparison.reference if comparison.profile == "quick" else None
    table = comparison.published if reference is None else reference.published
    table = table[table["paper"] == paper]
    lines = totals(table)
    if lines.empty:
        return None
    return {
        "of": "this run" if reference is None else "full run",
        "counts": counts(table),
        "lines": [_total(line, ("item", "method")) for line in lines.to_dict("records")],
        "by_data_set": [
            _total(line, ("method", "dataset"))
            for line in totals(table[table["method"] != ""], ("method", "dataset")).to_dict("records")
        ],
        "outliers": [cells_of(row) | {"name": _one_line(row)} for row in outliers(table).to_dict("records")],
        "causes": causes(table).to_dict("records"),
    }


def _total(line, names):
    shares = [f"{line[key]:.0%}" for key in line if key.startswith("within_") and not math.isnan(line[key])]
    median = "" if math.isnan(line["median"]) else f"{line['median']:.4f}"
    return {"names": [line[name] for name in names], **line, "median": median, "shares": shares}


def _one_line(row):
    return ", ".join(
        f"{key} {value}" if key not in NAMES else value
        for key, value in {"item": row["item"], **names_of(row)}.items()
        if value and key != "item"
    )


def title_and_citation(paper):
    """Title and citation of a paper, from the docstring of its package in ``fslib/papers``.

    Examples
    --------
    >>> title_and_citation("bayes")[0], title_and_citation("unknown")
    ('Bayes optimal feature selection', ('unknown', ''))
    """
    spec = importlib.util.find_spec(f"fslib.papers.{paper}")
    if spec is None or spec.origin is None:
        return paper, ""
    title, citation = ast.get_docstring(ast.parse(Path(spec.origin).read_text(encoding="utf-8"))).split("\n\n", 1)
    return title.rstrip("."), " ".join(citation.split())


def _section(notebook):
    """4_1_classification -> 4.1."""
    return ".".join(re.match(r"(?:\d+_)*", notebook.split("/")[-1]).group().strip("_").split("_"))


def _reading_order(item):
    section = re.search(r"\d+(\.\d+)*", item["section"])
    where = [int(part) for part in section.group().split(".")] if section else [99]
    if "abstract" in item["section"]:
        where = [98]  # what the paper says of itself as a whole
    kind = next((i for i, word in enumerate(FIRST) if item["title"].lower().startswith(word)), len(FIRST))
    return where, kind, [int(part) for part in re.findall(r"\d+", item["title"])], item["title"]
