"""Small notebooks made on the spot, and the shipped command in a process of its own."""

import json
import os
import subprocess
import sys

import nbformat
import pytest
from nbformat import v4

PARAMETERS = """seed: int = 0
n_jobs: int = 1
results_dir: str = "../../papermill_runs/scratch"
cache_dir: str = "../../papermill_runs/cache"
"""


@pytest.fixture
def write_notebook(tmp_path):
    """``write_notebook("bayes/1_first", cell, cell, ...)`` writes below ``tmp_path/notebooks``."""

    def write(name, *cells, parameters=PARAMETERS):
        first = v4.new_code_cell(parameters, metadata={"tags": ["parameters"]})
        notebook = v4.new_notebook(cells=[v4.new_markdown_cell(f"# {name}"), first, *map(v4.new_code_cell, cells)])
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
        path = tmp_path / "notebooks" / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, path)
        return path

    return write


class Command:
    """``fslib run`` on the notebooks of a temporary folder."""

    def __init__(self, folder):
        self.folder = folder
        self.run = folder / "runs" / "quick"
        self.started = []

    def start(self, *arguments, cwd=None, **environment):
        """Start it, in a folder whose fslib comes first, and return at once."""
        command = [sys.executable, "-m", "fslib.reproduction.cli", "run"]
        places = [f"--notebooks={self.folder / 'notebooks'}", f"--runs={self.folder / 'runs'}"]
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        streams |= {"env": os.environ | environment, "cwd": cwd}
        self.started.append(subprocess.Popen([*command, *places, *arguments], **streams))
        return self.started[-1]

    def __call__(self, *arguments, **environment):
        """Return exit code, what was printed, and status by notebook."""
        process = self.start(*arguments, **environment)
        printed, _ = process.communicate(timeout=500)
        return process.returncode, printed, self.status() if (self.run / "status.json").exists() else {}

    def status(self):
        return json.loads((self.run / "status.json").read_text())["notebooks"]


@pytest.fixture
def fslib_run(tmp_path):
    command = Command(tmp_path)
    yield command
    for process in command.started:  # a test that failed half-way leaves nothing running
        process.kill()
        process.communicate()
