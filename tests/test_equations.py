"""The line that computes an equation of a paper names it: ``# mlmlfs Eq. 9``, one spelling for all papers."""

import ast
import re
from pathlib import Path

import pytest

from fslib.reproduction import equations

ROOT = Path(__file__).parents[1]
LISTED = equations.listed()
ROOMS = ("solvers", "counts", "filters", "multiview", "multilabel", "imbalance", "correlated")


@pytest.mark.parametrize("row", list(LISTED.itertuples(index=False)), ids=lambda row: f"{row.paper} {row.equation}")
def test_the_line_of_an_equation_is_found_by_its_name(row):
    assert row.file.split("/")[:1] == ["fslib"] and row.file.split("/")[1] in ROOMS
    assert (row.paper, equations.spelled(row.equation)) in equations.mentions(ROOT / row.file)


def test_what_the_code_names_is_listed():
    listed = set(zip(LISTED["paper"], LISTED["equation"].map(equations.spelled), strict=True))
    paths = [path for room in ROOMS for path in (ROOT / "fslib" / room).rglob("*.py")]
    named = {mention for path in paths for mention in equations.mentions(path)}
    assert not {mention for mention in named - listed if mention[0] in set(LISTED["paper"])}
    assert not LISTED.duplicated(["paper", "equation", "file"]).any()


def test_every_listed_test_exists():
    for test in LISTED["test"].unique():
        path, _, name = test.partition("::")
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, test


def test_the_stored_page_is_what_the_list_gives():
    stored = equations.PAGE.read_text(encoding="utf-8")
    assert stored == equations.page(), "python -m fslib.reproduction.equations writes it anew"


def test_a_line_is_named_by_the_functions_around_it(tmp_path):
    lines = ["def f():", "    pass", "", "", "class A:", "    x = 1", "", "    def g(self):", "        if self:"]
    path = tmp_path / "a.py"
    path.write_text("\n".join([*lines, "            return 1  # mlmlfs Eq. 9"]))
    assert equations.mentions(path) == {("mlmlfs", "Eq. 9"): [10]}
    assert [equations.scope_at(path, line) for line in (2, 3, 6, 10)] == ["f", "", "A", "A.g"]


def test_every_test_that_the_errata_name_exists():
    errata = (equations.PAGE.parent / "errata.md").read_text(encoding="utf-8")
    named = re.findall(r"\[`(test_\w+)`\]\(\.\./(tests/[\w/]+\.py)\)", errata)
    assert len(named) == errata.count("`test_") > 40
    for name, path in named:
        assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), f"{path} has no {name}"
