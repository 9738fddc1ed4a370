"""Every question of a notebook has a solution, and the code of the solutions runs and confirms what they say."""

import re
from pathlib import Path

import nbformat
import pytest

from fslib.reproduction.run.plan import find_notebooks

FOLDER = Path(__file__).parents[1] / "notebooks"
SOLUTIONS = sorted(FOLDER.glob("solutions/*.ipynb"))
NAMES = [path.relative_to(FOLDER).with_suffix("").as_posix() for path in sorted(FOLDER.glob("**/*.ipynb"))]
NAMES = [name for name in NAMES if not name.startswith("solutions/") and ".ipynb_checkpoints" not in name]


def questions(name):
    """Questions at the end of a notebook, each on one line."""
    last = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4).cells[-1].source
    assert "## Questions" in last
    return [" ".join(text.split()) for text in re.split(r"^\d+\. ", last, flags=re.M)[1:]]


def solved():
    """(notebook, number of the question) -> question and solution."""
    found = {}
    for path in SOLUTIONS:
        for cell in nbformat.read(path, as_version=4).cells:
            if head := re.match(r"### (\S+), question (\d+)\n\n((?:> .*\n)+)\n(.+)", cell.source, re.S):
                name, number, question, answer = head.groups()
                found[name, int(number)] = (" ".join(question.replace("> ", " ").split()), answer)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_question_has_its_solution(name):
    asked = questions(name)
    assert len(asked) >= 3
    solutions = solved()
    for number, question in enumerate(asked, start=1):
        written, answer = solutions[name, number]
        assert written == question and len(answer) > 80
    assert (name, len(asked) + 1) not in solutions


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_the_code_of_a_solution_runs(path):
    cells = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert sum("assert " in source for source in cells) >= 3  # what a solution says of numbers is checked
    namespace = {}
    for source in cells:
        exec(compile(source, path.name, "exec"), namespace)


def test_a_run_leaves_solutions_out():
    assert set(find_notebooks(FOLDER)) == set(NAMES)
