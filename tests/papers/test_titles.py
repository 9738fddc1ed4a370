"""One home per fact: what a paper calls a data set, its title and its citation are the same wherever they are shown."""

import ast
import importlib.util
import re
from pathlib import Path

import pytest

from fslib.datasets import load, unavailable_reason
from fslib.datasets.loader import DataNotFoundError
from fslib.datasets.registry import entries, name_of
from fslib.papers.bayes.items import TASKS as BAYES
from fslib.papers.braytee import ch3_data, ch5_data
from fslib.papers.braytee.ch4_1_scanmf.items import TITLES as SCANMF
from fslib.papers.braytee.ch4_2_fuzz_esvm.items import TITLES as FUZZ
from fslib.papers.braytee.expression import STAND_INS
from fslib.papers.mlmlfs.protocol import TITLES as MLMLFS
from fslib.papers.rrmvfs.items import TASKS as RRMVFS
from fslib.reproduction.compare.reported import read_reported, reported_items
from fslib.reproduction.paths import REPORTED, ROOT

TITLES = {
    "bayes": {name: task.title for name, task in BAYES.items()},
    "rrmvfs": {name: task.title for name, task in RRMVFS.items() if task.figure},
    "mlmlfs": {name: title for name, title in MLMLFS.items() if "(our" not in title},
}
BRAYTEE = {
    "3.1": ch3_data.SECTION_3_1,
    "3.2": ch3_data.SECTION_3_2,
    "3.3": ch3_data.SECTION_3_3,
    "4.1": {name: title for name, title in SCANMF.items() if name not in STAND_INS},
    "4.2": {name: title for name, title in FUZZ.items() if name not in STAND_INS},
    "5": ch5_data.TITLES,
}
"""Section -> titles there. One data set has several titles in the thesis, and one title may be two data sets."""

SEVERAL = {
    ("3.2", "colon"), ("4.1", "colon"),  # Colon elsewhere
    ("3.3", "breast_vantveer"),  # Breast cancer elsewhere; Breast is WPBC in 3.1
    ("4.2", "dlbcl_shipp"),  # Lymphoma Outcome elsewhere
    ("4.2", "prostate_singh_6033"),
    ("5", "childhood_leukaemia_ml"),  # two versions of private data under one title
}  # fmt: skip
"""Titles that the registry, which has one per paper, does not lead back to the data set."""

PAPERS = ("bayes", "rrmvfs", "mlmlfs", "braytee")


@pytest.mark.parametrize("paper", TITLES)
def test_the_registry_knows_what_a_paper_calls_its_data(paper):
    assert {title: name_of(title, paper) for title in TITLES[paper].values()} == {
        title: name for name, title in TITLES[paper].items()
    }


@pytest.mark.parametrize("paper", TITLES)
def test_every_published_data_set_is_in_the_registry(paper):
    titles = {d for item in reported_items(paper) for d in read_reported(paper, item)["dataset"]} - {"", "population"}
    assert {title for title in titles if not name_of(title, paper)} == set()


@pytest.mark.parametrize("section", BRAYTEE)
def test_the_registry_knows_what_a_section_of_the_thesis_calls_its_data(section):
    for name, title in BRAYTEE[section].items():
        assert "braytee" in entries()[name].papers
        assert (name_of(title, "braytee") == name) != ((section, name) in SEVERAL), f"{title} in section {section}"


def test_every_data_set_of_the_thesis_is_known():
    titles = {d for item in reported_items("braytee") for d in read_reported("braytee", item)["dataset"]}
    known = {title for section in BRAYTEE.values() for title in section.values()}
    assert {title for title in titles - known if not name_of(title, "braytee")} == {"all", "all15"}


def test_the_reason_is_the_one_in_the_registry_and_loading_says_it():
    unavailable = {name: record.unavailable for name, record in entries().items() if record.unavailable}
    assert {"nus_wide_object", "bookmarks", "adeno", "childhood_leukaemia", "gcm", "mediamill"} <= set(unavailable)
    for name, reason in unavailable.items():
        assert unavailable_reason(name) == unavailable_reason(name, [name]) == reason
        with pytest.raises(DataNotFoundError, match=re.escape(reason)):
            load(name)


def test_what_is_not_wanted_or_not_here_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("FSLIB_DATA", str(tmp_path))
    assert unavailable_reason("adult") == "" == unavailable_reason("adult", ["adult"])
    assert unavailable_reason("adult", ["splice"]) == "not among the data sets of this run"
    assert unavailable_reason("pcmac", ["pcmac"]).startswith("not on this machine; `fslib data fetch pcmac`")


def words(text):
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).split()


@pytest.mark.parametrize("paper", PAPERS)
def test_title_and_citation_are_those_of_the_package(paper):
    source = Path(importlib.util.find_spec(f"fslib.papers.{paper}").origin).read_text(encoding="utf-8")
    citation = " ".join(ast.get_docstring(ast.parse(source)).split("\n\n")[1].split())
    title, year = max(citation.split(". "), key=len), re.search(r"(\d{4})\.$", citation).group(1)
    row = next(r for r in (REPORTED / "README.md").read_text().splitlines() if r.startswith(f"| `{paper}` |"))
    for text in (row, (ROOT / "CITATION.cff").read_text()):
        assert year in text and " ".join(words(title)) in " ".join(words(text))
