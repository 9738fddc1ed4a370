"""Where an equation of a paper is computed and tested: ``docs/methods.md`` from ``data/reported/equations.csv``.

``python -m fslib.reproduction.equations`` writes the page; a test demands that the stored one is what this gives.
"""

import ast
import re
from itertools import groupby
from pathlib import Path

import pandas as pd

from fslib.files import write_text
from fslib.reproduction.paths import REPORTED, ROOT

PAGE = ROOT / "docs" / "methods.md"

NAME = r"Eq\. [\w.]*\w|Example \d+|Algorithm [\w.]*\w|Section [\d.]*\d"
MENTION = re.compile(rf"#.*?\b(bayes|rrmvfs|mlmlfs|braytee) ({NAME})")
"""A comment that names what its line computes, such as ``# mlmlfs Eq. 9``."""

HEAD = "| section | equation | what | computed in | tested by |\n| --- | --- | --- | --- | --- |\n"
INTRODUCTION = """# Equations, code and tests

For each equation, example or algorithm of the four papers: the code that computes it, and a test that compares it with
an independent computation. The code names the equation in a comment; to find the line, search for `# mlmlfs Eq. 9`.
Errors in the papers are in [errata.md](errata.md).

Generated from `data/reported/equations.csv` by `python -m fslib.reproduction.equations`.
"""


def listed(path=REPORTED / "equations.csv"):
    """Read the equations that code implements: paper, section, equation, what, file, test; all text."""
    return pd.read_csv(path, dtype=str)


def spelled(equation):
    """Write out a bare number; examples, algorithms and sections are written out already.

    Examples
    --------
    >>> spelled("3.1.2"), spelled("Example 2")
    ('Eq. 3.1.2', 'Example 2')
    """
    return equation if equation[0].isalpha() else f"Eq. {equation}"


def mentions(path):
    """Find the comments of a source file that name an equation.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    dict of (str, str) to list of int
        (paper, equation as written out) -> line numbers.
    """
    found: dict[tuple[str, str], list[int]] = {}
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        for match in MENTION.finditer(line):
            found.setdefault((match[1], match[2]), []).append(number)
    return found


def scope_at(path, line):
    """Name the innermost function or method around a line, with its class; the class alone outside its methods.

    Parameters
    ----------
    path : path-like
    line : int

    Returns
    -------
    str
        Such as ``CSPCA.fit``; empty at the top of a module.
    """
    names, nodes = [], [ast.parse(Path(path).read_text(encoding="utf-8"))]
    while nodes:
        around = [
            node
            for node in ast.iter_child_nodes(nodes.pop())
            if getattr(node, "lineno", line + 1) <= line <= (getattr(node, "end_lineno", None) or 0)
        ]
        nodes = around[:1]
        if nodes and isinstance(nodes[0], ast.FunctionDef | ast.ClassDef):
            names.append(nodes[0].name)
    return ".".join(names)


def places(row):
    """Functions and methods that compute one listed equation.

    Parameters
    ----------
    row : named tuple
        Of :func:`listed`.

    Returns
    -------
    list of str
        In the order of the file, each once.
    """
    lines = mentions(ROOT / row.file).get((row.paper, spelled(row.equation)), [])
    return list(dict.fromkeys(scope_at(ROOT / row.file, line) for line in lines))


def page():
    """Text of ``docs/methods.md``: a table per paper.

    Raises
    ------
    ValueError
        If a listed file does not name its equation.
    """
    parts = [INTRODUCTION]
    for paper, rows in groupby(listed().itertuples(index=False), key=lambda row: row.paper):
        parts.append(f"\n## {paper}\n\n{HEAD}")
        for row in rows:
            where = places(row)
            if not where:
                raise ValueError(f"{row.file} does not name {row.paper} {spelled(row.equation)} in a comment.")
            code = f"[`{Path(row.file).with_suffix('').as_posix().replace('/', '.')}`](../{row.file})"
            code += ": " + ", ".join(f"`{name}`" for name in where if name) if any(where) else ""
            test_file, _, test = row.test.partition("::")
            tested = f"[`{test}`](../{test_file})"
            parts.append(f"| {row.section} | {spelled(row.equation)} | {row.what} | {code} | {tested} |\n")
    return "".join(parts)


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    write_text(PAGE, page())
    print(PAGE)
