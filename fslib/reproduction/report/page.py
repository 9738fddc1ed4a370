"""What the report shows of a comparison: papers, their items in reading order, and the cells of every table as text."""

import ast
import base64
import importlib.util
import math
import re
from collections import defaultdict
from pathlib import Path

import pandas as pd

from fslib.names import RUN_TIMES, metric_name
from fslib.reproduction.compare.matching import BOOKKEEPING
from fslib.reproduction.paths import item_slug
from fslib.tidy import parse_setting

TONES = {
    **{"done": "good", "kept": "good", "as printed": "good", "holds": "good"},
    **{"within the paper's spread": "near", "within our spread": "near"},
    **{"failed": "bad", "timeout": "bad", "moved": "bad", "differs": "bad", "does not hold": "bad"},
    **{"run time": "time", "not run": "none", "skipped": "none", "cannot be tested": "none", "not judged": "none"},
}
"""Verdict -> tone of the page; the words are always printed too."""

NAMES = ("data set", "method", "metric")
"""Parts of a name whose values speak for themselves; a setting is shown with its key."""

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
        key, title, source, items (with something to show), waiting (claims of the other items).
    """
    items = defaultdict(
        lambda: {"title": "", "section": "", "numbers": None, "claims": [], "figure": "", "csv": "", "notebook": ""}
    )
    claims = comparison.claims[comparison.claims["paper"] == paper]
    reference = comparison.reference
    for index, claim in claims.to_dict("index").items():
        claim["reference"] = {} if reference is None else _judged(reference.claims.loc[index].to_dict())
        claim["differs"] = "does not hold" in (claim["verdict"], claim["reference"].get("verdict"))
        item = items[item_key(claim["item"])]
        item["title"], item["section"] = item["title"] or claim["item"], item["section"] or claim["section"]
        item["claims"].append(claim)
    printed = comparison.printed[comparison.printed["paper"] == paper]
    for name, numbers in printed.groupby("item", sort=False):
        items[item_key(name)]["title"] = name
        beside = None if reference is None else reference.printed.loc[numbers.index]
        items[item_key(name)]["numbers"] = numbers_table(numbers, beside)
    for notebook, tables in comparison.tables.items():
        for file, rows in tables.items():
            if rows["paper"].iloc[0] == paper:
                item = items[item_key(rows["item"].iloc[0])]
                item |= {
                    "title": rows["item"].iloc[0],
                    "csv": f"tables/{file}",
                    "n_rows": len(rows),
                    "notebook": notebook,
                }
                item["section"] = item["section"] or _section(notebook)
    for key, (path, notebook) in figures.items():
        items[key] |= {"title": items[key]["title"] or key.replace("_", " ").capitalize(), "notebook": notebook}
        items[key]["section"] = items[key]["section"] or _section(notebook)
        items[key]["figure"] = "data:image/svg+xml;base64," + base64.b64encode(path.read_bytes()).decode()
    shown = sorted(items.values(), key=_reading_order)
    for item in shown:
        item["id"] = f"{paper}-{item_key(item['title'])}"
        item["differs"] = any(claim["differs"] for claim in item["claims"]) or bool(
            item["numbers"] and any(row["differs"] for row in item["numbers"]["rows"])
        )
    title, source = title_and_citation(paper)
    full = [item for item in shown if item["numbers"] or item["figure"] or item["csv"] or _is_judged(item)]
    waiting = [claim for item in shown if item not in full for claim in item["claims"]]
    return {"key": paper, "title": title, "source": source, "items": full, "waiting": waiting}


def title_and_citation(paper):
    """Title and citation of a paper, which stand in the docstring of its package in ``fslib/papers``.

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


def _is_judged(item):
    return any(claim["verdict"] != "not judged" or claim["reference"] for claim in item["claims"])


def _judged(claim):
    return claim if claim["verdict"] != "not judged" else {}


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


def numbers_table(numbers, reference=None):
    """Turn the printed numbers of one item into text cells; what all rows share moves into a line above the table.

    Parameters
    ----------
    numbers : DataFrame
        Rows of `fslib.reproduction.compare.numbers.printed_numbers`, one item.
    reference : DataFrame, optional
        The same rows with the numbers of the reference run.

    Returns
    -------
    dict
        common (what all rows share), columns (what tells them apart) and labels (their keys, for a narrow page), rows,
        timed (all are run times), beside (whether the reference run has any), missing (reason -> data set -> count),
        n_missing, counts (kind -> number).
    """
    ran = numbers["kind"] != "not run"
    there = pd.Series(False, numbers.index) if reference is None else reference["kind"] != "not run"
    missing: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in numbers[~ran & ~there].to_dict("records"):
        missing[row["reason"]][row["dataset"]] += 1
    shown = numbers[ran | there].to_dict("records")
    others = [None] * len(shown) if reference is None else reference[ran | there].to_dict("records")
    names = [_names(row) for row in shown]
    keys = list(dict.fromkeys(key for name in names for key in name))
    values = {key: {name.get(key, "") for name in names} for key in keys}
    columns = [key for key in keys if len(values[key]) > 1]
    alike = {key: next(iter(values[key])) for key in keys if len(values[key]) == 1 and values[key] != {""}}
    counts = numbers["kind"].value_counts()
    return {
        "common": [value if key in NAMES else f"{key} {value}" for key, value in alike.items()],
        "columns": columns,
        "labels": ["" if key in NAMES else key for key in columns],
        "rows": [
            _cells(row, other) | {"names": [name.get(key, "") for key in columns]}
            for row, name, other in zip(shown, names, others, strict=True)
        ],
        "timed": all(row["metric"] in RUN_TIMES for row in shown),
        "missing": {reason: dict(sets) for reason, sets in missing.items()},
        "n_missing": int((~ran & ~there).sum()),
        "beside": bool(there.any()),
        "counts": {kind: int(counts[kind]) for kind in TONES if kind in counts},
    }


def _names(row):
    """Name a number as it is shown: data set, method, the settings that count, metric."""
    setting = {
        key.replace("_", " "): value for key, value in parse_setting(row["setting"]).items() if key not in BOOKKEEPING
    }
    return {"data set": row["dataset"], "method": row["method"], **setting, "metric": metric_name(row["metric"])}


def _signed(text):
    return text.replace("-", "\N{MINUS SIGN}") if text.startswith("-") else f"+{text}"


def _cells(row, other=None):
    decimals = max(0, len(row["reported"].lower().partition("e")[0].partition(".")[2]))
    timed = row["metric"] in RUN_TIMES
    if not decimals and float(row["reproduced"]).is_integer():
        decimals = -1  # a count beside a count
    show = (lambda x: f"{x:.3g}") if timed or "e" in row["reported"].lower() else (lambda x: f"{x:.{decimals + 1}f}")
    std = "" if math.isnan(row["std"]) else f" ± {row['std']:.{decimals + 1}f}"
    return {
        "reported": row["reported"] + (f" ± {row['reported_std']}" if row["reported_std"] else ""),
        "here": "" if math.isnan(row["reproduced"]) else show(row["reproduced"]) + ("" if timed else std),
        "difference": "" if math.isnan(row["difference"]) else _signed(show(row["difference"])),
        "verdict": row["verdict"],
        "tone": TONES[row["kind"]],
        "beside": row["beside"],
        "reference": other and _cells(other),
        "differs": "differs" in (row["kind"], other and other["kind"]),
    }
