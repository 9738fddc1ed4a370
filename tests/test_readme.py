"""What the README says of notebooks, verdicts and commands is true."""

import re
from pathlib import Path

import pandas as pd
import pytest
import yaml

from fslib.reproduction.compare.compare import REFERENCE, item_slug
from fslib.reproduction.compare.join import published_numbers
from fslib.reproduction.compare.reported import reported_items
from fslib.tidy import read_table

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
WORDS = {"holds": "hold", "does not hold": "not", "undecided": "undecided", "cannot be tested": "cannot be tested"}
NOT_RUN = "not run at the paper profile"


def section_table():
    """Notebook -> what the table says of its claims."""
    table = README.split("<!-- section table -->")[1].split("<!-- end of section table -->")[0]
    return dict(re.findall(r"\]\(notebooks/([^)]+)\.ipynb\) \| (.*) \|", table))


def test_every_notebook_is_listed_once():
    notebooks = {
        p.relative_to(ROOT / "notebooks").with_suffix("").as_posix() for p in ROOT.glob("notebooks/**/*.ipynb")
    }
    notebooks = {name for name in notebooks if ".ipynb_checkpoints" not in name and not name.startswith("solutions/")}
    assert section_table().keys() == notebooks
    assert README.count(".ipynb) |") == len(notebooks)


@pytest.mark.parametrize("notebook", [name for name in section_table() if "/" in name])
def test_verdicts_are_those_of_the_reference_run(notebook):
    claims = ROOT / "papermill_runs" / "reference" / "claims" / f"{notebook.replace('/', '_')}.csv"
    if section_table()[notebook] == NOT_RUN:
        assert not claims.exists()
        return
    counts = pd.read_csv(claims)["verdict"].value_counts()
    found = re.findall(r"(\d+) (hold|not|undecided|cannot be tested)\b", section_table()[notebook])
    said = {word: int(n) for n, word in found}
    assert said == {WORDS[verdict]: n for verdict, n in counts.items()}


def test_the_totals_are_those_of_the_reference_run():
    claims = [pd.read_csv(path) for path in (ROOT / "papermill_runs" / "reference" / "claims").glob("*.csv")]
    counts = pd.concat(claims)["verdict"].value_counts()
    text = README.split("<!-- totals -->")[1].split("<!-- end of totals -->")[0]
    expected = [counts.sum(), *(counts.get(word, 0) for word in WORDS)]
    assert [int(number) for number in re.findall(r"\d+", text)] == expected


def test_the_numbers_are_those_of_the_reference_run():
    text = README.split("<!-- numbers -->")[1].split("<!-- end of numbers -->")[0]
    lines = re.findall(r"^\| (\w+) \|([ \d|]+)\|$", text, re.M)
    assert len(lines) == 4
    agree = ("within our spread", "within the paper's spread", "within the range of starts")
    columns = [("as published",), agree, ("differs",), ("cannot be reproduced",), ("not run",)]
    for paper, numbers in lines:
        kinds = []
        for item in reported_items(paper):
            path = REFERENCE / "tables" / f"{paper}_{item_slug(item)}.csv"
            rows = read_table(path) if path.exists() else None
            kinds += published_numbers(rows, paper, item, "paper")["kind"].tolist()
        assert [int(number) for number in numbers.split("|")] == [sum(map(kinds.count, column)) for column in columns]


def test_every_paper_is_named():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert not [work["title"] for work in citation["references"] if work["title"] not in README]


def test_links_and_images_lead_somewhere():
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", README) + re.findall(r'src="(?!https?:)([^"]+)"', README)
    assert targets
    assert not [target for target in targets if not (ROOT / target).exists()]


def test_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"`?make ([a-z]+)", README))
    assert {"reproduce", "test", "lab"} <= named
    assert not [target for target in named if not re.search(rf"^{target}:", makefile, re.M)]
