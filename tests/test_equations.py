"""The line that computes an equation of a paper names it: ``# mlmlfs Eq. 9``, one spelling for all papers."""

import re
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).parents[1]
LISTED = pd.read_csv(ROOT / "data" / "reported" / "equations.csv", dtype=str)
ROOMS = ("solvers", "counts", "filters", "multiview", "multilabel", "imbalance", "correlated")
NAME = r"Eq\. [\w.]*\w|Example \d+|Algorithm [\w.]*\w|Section [\d.]*\d"
MENTION = re.compile(rf"#.*?\b(bayes|rrmvfs|mlmlfs|braytee) ({NAME})")


def spelled(equation):
    """A bare number is an equation; examples, algorithms and sections are written out."""
    return equation if equation[0].isalpha() else f"Eq. {equation}"


def mentions(path):
    """(paper, equation) of every comment that names one."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {match.groups() for line in lines for match in MENTION.finditer(line)}


@pytest.mark.parametrize("row", list(LISTED.itertuples(index=False)), ids=lambda row: f"{row.paper} {row.equation}")
def test_the_line_of_an_equation_is_found_by_its_name(row):
    assert row.file.split("/")[:1] == ["fslib"] and row.file.split("/")[1] in ROOMS
    assert (row.paper, spelled(row.equation)) in mentions(ROOT / row.file)


def test_what_the_code_names_is_listed():
    listed = set(zip(LISTED["paper"], LISTED["equation"].map(spelled), strict=True))
    named = {mention for room in ROOMS for path in (ROOT / "fslib" / room).rglob("*.py") for mention in mentions(path)}
    assert not {mention for mention in named - listed if mention[0] in set(LISTED["paper"])}
    assert not LISTED.duplicated(["paper", "equation", "file"]).any()
