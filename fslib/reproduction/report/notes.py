"""What the report says of a paper beyond its numbers: a short name, and how the full run was cut down."""

import re
from pathlib import Path

from nbconvert.filters.markdown import markdown2html

from fslib.reproduction.report.formulas import draw_formulas


def short_name(citation, key):
    """First author and year of a citation; the key if it holds none.

    Parameters
    ----------
    citation : str
        As `fslib.reproduction.report.page.title_and_citation` returns it.
    key : str

    Returns
    -------
    str

    Examples
    --------
    >>> short_name("C. G. Saneem Ahmed, H. Narasimhan. Bayes Optimal Feature Selection. UAI 2015.", "bayes")
    'Saneem Ahmed 2015'
    >>> short_name("", "mine")
    'mine'
    """
    author = re.match(r"(?:\w\.[\s-]?)+\s*([^,.]+)", citation)
    years = re.findall(r"\b(?:19|20)\d\d\b", citation)
    return f"{author.group(1)} {years[-1]}" if author and years else key


def how_it_was_run(paper, reference_dir):
    """Section of a paper in the README of the reference run, as HTML: its protocol and what was cut down.

    Parameters
    ----------
    paper : str
    reference_dir : path-like

    Returns
    -------
    str
        Empty if there is no such section.
    """
    readme = Path(reference_dir) / "README.md"
    text = readme.read_text(encoding="utf-8") if readme.exists() else ""
    found = re.search(rf"^## {re.escape(paper)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    return markdown2html(draw_formulas(found.group(1).strip())) if found else ""
