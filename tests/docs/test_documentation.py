"""Every public estimator has a page, its representation links there, and its docstring says what a reader needs."""

import importlib.util
import re
from pathlib import Path

import pytest
from numpydoc.docscrape import ClassDoc
from sklearn.base import BaseEstimator

import fslib.base
from fslib.reproduction.compare.agreement import KINDS
from fslib.reproduction.compare.verdicts import MEANING

ROOT = Path(__file__).parents[2]


def site_generator():
    spec = importlib.util.spec_from_file_location("generate_site", ROOT / "docs" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


generate = site_generator()
ESTIMATORS = [
    (f"fslib.{room}.{name}", thing)
    for room in generate.ROOMS
    for name, thing in generate.public(room).items()
    if isinstance(thing, type) and issubclass(thing, BaseEstimator)
]


def instance(estimator):
    return estimator.__new__(estimator)  # the link depends on the class alone


@pytest.mark.parametrize("name, estimator", ESTIMATORS, ids=[name for name, _ in ESTIMATORS])
def test_an_estimator_links_to_its_page(name, estimator, monkeypatch, tmp_path):
    monkeypatch.setenv("FSLIB_DOCS", "https://docs.example/fslib/")
    assert instance(estimator)._get_doc_link() == f"https://docs.example/fslib/api/{name}.html"
    monkeypatch.delenv("FSLIB_DOCS")
    monkeypatch.setattr(fslib.base, "SITE", tmp_path)
    assert instance(estimator)._get_doc_link() == ""
    (tmp_path / "index.html").touch()
    assert instance(estimator)._get_doc_link() == f"{tmp_path.as_uri()}/api/{name}.html"


def test_a_class_of_somebody_else_links_nowhere(monkeypatch):
    monkeypatch.setenv("FSLIB_DOCS", "https://docs.example/fslib")
    assert type("Mine", (fslib.base.FeatureSelector,), {"__module__": "mine"})()._get_doc_link() == ""


@pytest.mark.parametrize("name, estimator", ESTIMATORS, ids=[name for name, _ in ESTIMATORS])
def test_a_docstring_has_summary_use_cost_source_and_example(name, estimator):
    doc = ClassDoc(estimator)
    assert doc["Summary"] and doc["Extended Summary"], "what it computes and when to use it"
    assert doc["Examples"], "an example that runs"
    assert doc["References"], "the source"
    assert re.search(r"(?i)\bO\(|cost|memory|time", "\n".join([*doc["Notes"], *doc["Extended Summary"]])), "its cost"


def test_pages_written_by_hand_are_reachable():
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")} - {"index"}
    assert pages <= set(generate.MENU.values()) | set(generate.LATER) | {"glossary"}


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.stem)
def test_a_page_is_plain_markdown_whose_links_lead_to_files(page):
    text = page.read_text(encoding="utf-8")
    assert not re.findall(r"\{\w+\}`|^:::+|^```\{", text, re.M), "GitHub shows roles and directives as they are written"
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
    assert not [target for target in targets if not (page.parent / target).exists()]


def test_links_of_a_page_lead_to_pages_of_the_site():
    text = "[MRMR](../fslib/filters/mrmr.py) [a](../notebooks/x/a.ipynb) [`t`](../tests/t.py) [b](b.md) [all](../fslib)"
    assert generate.on_site(text) == (
        "[MRMR](api/fslib.filters.MRMR.rst) [a](notebooks/x/a.ipynb) `t` [b](b.md) [all](api.rst)"
    )
    assert generate.on_site(f"[it]({generate.REPORT})") == '<a href="reference/report.html">it</a>'


def test_the_first_page_of_the_site_has_a_card_for_each_page_of_the_list():
    text = "# T\n\n* [One](one.md): from a.\n* [Two](../fslib): b.\n\nEnd.\n"
    page = generate.front_page(text)
    assert re.findall(r"card\} (\w+)\n:link: (\w+)\n:link-type: doc\n(.*)\n:::$", page, re.M) == [
        ("One", "one", "From a."),
        ("Two", "api", "B."),
    ]
    assert "* [" not in page and "\nEnd.\n" in page and "Use it <howto>" in page


def test_the_page_of_results_has_the_rules_of_all_verdicts():
    text = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    rules = dict(re.findall(r"^\| (?!verdict|---)([^|]+) \| (.+) \|$", text, re.M))
    assert rules == KINDS | MEANING


def test_links_to_files_become_text_and_other_links_stay():
    assert generate.unlinked("[card](data/README.md), [site](https://a.b), [below](#x)") == (
        "card, [site](https://a.b), [below](#x)"
    )
