"""Every public estimator has a page, its representation links there, and its docstring says what a reader needs."""

import importlib.util
import re
from pathlib import Path

import pytest
from numpydoc.docscrape import ClassDoc
from sklearn.base import BaseEstimator

import fslib.base

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
    listed = set(re.findall(r"^\w[\w ]* <([a-z_]+)>$", (ROOT / "docs" / "index.md").read_text(), re.M))
    assert pages <= listed | set(generate.LATER) | {"glossary"}


def test_links_to_files_become_text_and_other_links_stay():
    assert generate.unlinked("[card](data/README.md), [site](https://a.b), [below](#x)") == (
        "card, [site](https://a.b), [below](#x)"
    )
