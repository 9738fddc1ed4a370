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
from fslib.reproduction.compare.join import READINGS
from fslib.reproduction.compare.totals import causes, counts, outliers, totals
from fslib.reproduction.paths import item_slug
from fslib.reproduction.report.notes import short_name
from fslib.tidy import parse_setting

TONES = {
    **{"done": "good", "kept": "good", "as published": "good", "holds": "good"},
    **{"within the range of starts": "near", "within the paper's spread": "near", "within our spread": "near"},
    **{"undecided": "near"},
    **{"failed": "bad", "timeout": "bad", "moved": "bad", "differs": "bad", "does not hold": "bad"},
    **{"run time": "time", "not run": "none", "skipped": "none", "cannot be tested": "none", "not judged": "none"},
    "cannot be reproduced": "none",
}
"""Verdict -> tone of the page; the words are always written too."""

NAMES = ("data set", "method", "metric")
"""Parts of a name whose values speak for themselves; a setting is shown with its key."""

SILENT = {"direction", "cv", "split", "n_repeats", "bootstrap", "n_bootstrap", "n_views", "classifier"}
"""Keys of a published setting that no two numbers of a table differ by."""

SETTINGS = {
    "missing_pct": "labels missing (%)",
    "train_per_class": "training samples per class",
    "top_features_pct": "features (%)",
    "k": "features",
    "c": "cost c",
    "loss": "loss",
    "estimation": "estimates",
}
"""Setting key -> its name for readers; others only lose their underscores."""

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
    """How near the published numbers of a paper are: of the reference run beside a quick one, else of this run.

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
        "outliers": [_cells(row) | {"name": _one_line(row)} for row in outliers(table).to_dict("records")],
        "causes": causes(table).to_dict("records"),
    }


def _total(line, names):
    shares = [f"{line[key]:.0%}" for key in line if key.startswith("within_") and not math.isnan(line[key])]
    median = "" if math.isnan(line["median"]) else f"{line['median']:.4f}"
    return {"names": [line[name] for name in names], **line, "median": median, "shares": shares}


def _one_line(row):
    return ", ".join(
        f"{key} {value}" if key not in NAMES else value
        for key, value in {"item": row["item"], **_names(row)}.items()
        if value and key != "item"
    )


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
    """Turn the published numbers of one item into text cells; what all rows share moves into a line above the table.

    Parameters
    ----------
    numbers : DataFrame
        Rows of `fslib.reproduction.compare.join.published_numbers`, one item.
    reference : DataFrame, optional
        The same rows with the numbers of the reference run.

    Returns
    -------
    dict
        common (what all rows share), columns (what tells them apart) and labels (their keys, for a narrow page), rows,
        timed (all are run times), here (whether this run has any), beside (whether the reference run has any that this
        run has not alike), missing (reason -> data set -> count), n_missing, n_differ, counts (kind -> number).
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
    rows = [
        _cells(row, other) | {"names": [name.get(key, "") for key in columns]}
        for row, name, other in zip(shown, names, others, strict=True)
    ]
    judged = numbers if ran.any() or reference is None else reference
    return {
        "common": [value if key in NAMES else f"{key} {value}" for key, value in alike.items()],
        "columns": columns,
        "labels": ["" if key in NAMES else key for key in columns],
        "rows": rows,
        "timed": all(row["metric"] in RUN_TIMES for row in shown),
        "missing": {reason: dict(sets) for reason, sets in missing.items()},
        "n_missing": int((~ran & ~there).sum()),
        "n_differ": sum(row["differs"] for row in rows),
        "here": bool(ran.any()),
        "beside": any(row["reference"] for row in rows),
        "counts": {kind: count for kind, count in counts(judged).items() if count},
        "of": "this run" if judged is numbers else "full run",
    }


def _names(row):
    """Name a number as it is shown: data set, method, the settings that count, metric."""
    setting = {
        SETTINGS.get(key, key.replace("_", " ")): value
        for key, value in parse_setting(row["setting"]).items()
        if key not in SILENT
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
    spread = "" if math.isnan(row["std"]) or timed else f" ± {row['std']:.{decimals + 1}f}"
    if not math.isnan(row["low"]):  # the starts of one experiment
        spread = f" ({show(row['low'])} to {show(row['high'])})"
    cells = {
        "reported": row["reported"] + (f" ± {row['reported_std']}" if row["reported_std"] else ""),
        "here": "" if math.isnan(row["reproduced"]) else show(row["reproduced"]) + spread,
        "difference": "" if math.isnan(row["difference"]) else _signed(show(row["difference"])),
        "verdict": row["verdict"],
        "tone": TONES[row["kind"]],
        "beside": readable(row["beside"]),
        "reason": row["reason"] if row["kind"] in ("differs", "cannot be reproduced") else "",
        "reference": None,
        "differs": row["kind"] == "differs" or bool(other and row["kind"] == "not run" and other["kind"] == "differs"),
    }
    if other and other["kind"] != "not run":
        beside = _cells(other)
        cells["reference"] = (
            beside if (beside["here"], beside["verdict"]) != (cells["here"], cells["verdict"]) else None
        )
    return cells


def readable(settings):
    """Write settings for readers.

    Examples
    --------
    >>> readable("arm=held_out, reading=corrected: 0.0593; p=1, reading=corrected: 0.06")
    'held out, corrected: 0.0593; p 1, corrected: 0.06'
    """
    named = "|".join((*READINGS, "labels"))  # what their values mean is plain without the key
    return re.sub(rf"\b({named})=", "", settings).replace("_", " ").replace("=", " ")
