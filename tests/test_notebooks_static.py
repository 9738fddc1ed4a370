"""Stored notebooks are clean, start as a reader expects, and hold no library code."""

import ast
import re
import shlex
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import yaml
from papermill.translators import PythonTranslator

from fslib.reproduction.run.parameters import declared

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(path for path in FOLDER.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)
COMMON = {"seed": 0, "n_jobs": 1, "results_dir": "papermill_runs/scratch", "cache_dir": "papermill_runs/cache"}


@pytest.fixture(scope="module", params=NOTEBOOKS, ids=lambda path: path.relative_to(FOLDER).with_suffix("").as_posix())
def stored(request):
    """Path and notebook as stored, not upgraded to a newer format while reading."""
    return request.param, nbformat.read(request.param, as_version=nbformat.NO_CONVERT)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_stored_clean(stored):
    path, notebook = stored
    nbformat.validate(notebook)
    same = nbformat.writes(notebook).rstrip("\n") == path.read_text(encoding="utf-8").rstrip("\n")
    assert same, "not as nbformat writes it, so that the next save would be a diff"
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    assert notebook.metadata.kernelspec.name == "python3"
    assert "papermill" not in notebook.metadata
    assert not any(cell.outputs or cell.execution_count for cell in code_cells(notebook))
    assert {key for cell in notebook.cells for key in cell.metadata} <= {"tags"}


def test_opens_with_a_title_and_its_parameters(stored):
    path, notebook = stored
    assert notebook.cells[0].cell_type == "markdown" and notebook.cells[0].source.startswith("# ")
    code = code_cells(notebook)
    assert [cell for cell in code if "parameters" in cell.metadata.get("tags", [])] == code[:1]
    defaults = declared(notebook, path.name)
    depth = "../" * len(path.relative_to(FOLDER).parts)  # from the notebook's folder to the repository's
    for name, default in COMMON.items():
        expected = depth + default if isinstance(default, str) else default
        assert defaults.get(name, expected) == expected, f"{name} must default to {expected!r}"
    read = {node.id for cell in code[1:] for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Name)}
    assert not defaults.keys() - read, "a parameter that no cell reads promises a choice that is none"
    assert all("#" in line for line in code[0].source.splitlines() if line.partition(":")[0] not in COMMON)


def test_tells_a_story_and_leaves_the_work_to_the_library(stored):
    _, notebook = stored
    for cell in code_cells(notebook):
        assert cell.source.strip(), "an empty cell counts as one that did not run"
        assert len(cell.source.splitlines()) < 40
        if cell.source.lstrip().startswith(("%", "!")):
            raise AssertionError(f"magics and shell commands do not belong here: {cell.source}")
        for node in ast.walk(ast.parse(cell.source)):
            defined = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            assert not defined, f"{getattr(node, 'name', '')} belongs in fslib"
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            assert called not in {"exit", "quit", "sys.exit"}, "papermill takes an exit for success"
    # a skipped cell looks like one that did not run; an injected one comes from an executed copy
    assert not {"skip-execution", "injected-parameters"} & {
        tag for c in notebook.cells for tag in c.metadata.get("tags", [])
    }


def test_papermill_sees_every_parameter(stored):
    """A sign that papermill's pattern stumbles over, such as = in a comment, hides a parameter from its help."""
    path, notebook = stored
    cell = next(cell for cell in code_cells(notebook) if "parameters" in cell.metadata.get("tags", []))
    seen = {p.name: p.inferred_type_name for p in PythonTranslator.inspect(cell)}
    assert seen == {name: type(default).__name__ for name, default in declared(notebook, path.name).items()}


def test_there_are_notebooks():
    assert NOTEBOOKS


def strip_command():
    """The hook with which pre-commit strips notebooks, as words."""
    hooks = yaml.safe_load((FOLDER.parent / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    program, *options = shlex.split(next(hook["entry"] for hook in hooks if hook["id"] == "nbstripout"))
    return Path(program).name, *options


def stripped(text):
    tool, *options = strip_command()
    command = [sys.executable, "-m", tool, *options]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, encoding="utf-8").stdout


def test_a_notebook_that_ran_in_jupyterlab_is_stored_as_it_was():
    path = FOLDER / "00_start_here.ipynb"
    notebook = nbformat.read(path, as_version=4)
    assert stripped(path.read_text(encoding="utf-8")) == path.read_text(encoding="utf-8")
    for number, cell in enumerate(code_cells(notebook), start=1):
        cell.execution_count = number
        cell.outputs = [nbformat.v4.new_output("stream", text="0.5\n")]
        cell.metadata["execution"] = {"iopub.execute_input": "2026-01-01T00:00:00Z"}
    notebook.metadata["language_info"] |= {"version": "3.12.1", "mimetype": "text/x-python", "file_extension": ".py"}
    notebook.metadata["language_info"] |= {"codemirror_mode": {"name": "ipython", "version": 3}}
    notebook.metadata["language_info"] |= {"nbconvert_exporter": "python", "pygments_lexer": "ipython3"}
    assert stripped(nbformat.writes(notebook)) == path.read_text(encoding="utf-8")


def test_make_lab_opens_copies_that_git_ignores(tmp_path):
    makefile = (FOLDER.parent / "Makefile").read_text(encoding="utf-8").replace("\\\n", "")
    code = re.search(r"^COPY = (.*)$", makefile, re.M).group(1)
    (tmp_path / "notebooks" / "bayes").mkdir(parents=True)
    for name in ("notebooks/one.ipynb", "notebooks/bayes/two.ipynb"):
        (tmp_path / name).write_text("first")
    for text in ("first", "second"):  # the second time, a copy that somebody changed is kept
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
        assert (tmp_path / "lab/bayes/two.ipynb").read_text() == text
        (tmp_path / "lab/bayes/two.ipynb").write_text("second")
    assert (tmp_path / "lab/one.ipynb").exists()
    assert "lab/" in (FOLDER.parent / ".gitignore").read_text().split()


def test_links_between_notebooks_lead_somewhere(stored):
    path, notebook = stored
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    links = re.findall(r"\]\((?!https?:|#)([^)]+)\)", text)
    assert not [link for link in links if not (path.parent / link).exists()]
