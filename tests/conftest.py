"""What every test may rely on: no network, no display, and real data from a mirror only where there is one."""

import functools
import ipaddress
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from hypothesis import settings
from nbformat import v4

os.environ["MPLBACKEND"] = "agg"  # before any test imports matplotlib
# Two workers with a BLAS thread per core each wait for one another: twelve times slower, measured on small fits.
os.environ.update(dict.fromkeys(["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"], "1"))
# The same examples every time, and no clock: a slow machine is not a failure.
settings.register_profile("fslib", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("fslib")

OWN_NAMES = {"", "localhost", socket.gethostname()}


def _is_number(host):
    try:
        return bool(ipaddress.ip_address(host))
    except ValueError:
        return False


def _is_here(host):
    return host in OWN_NAMES or (_is_number(host) and ipaddress.ip_address(host).is_loopback)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch):
    """Any attempt to leave this machine is an error: looking up a name, or opening a connection."""
    lookup, connect, connect_ex = socket.getaddrinfo, socket.socket.connect, socket.socket.connect_ex

    def guarded_lookup(host, *args, **kwargs):
        name = host.decode() if isinstance(host, bytes) else host
        if name is not None and not _is_here(name) and not _is_number(name):
            raise OSError(f"tests have no network (lookup of {name})")
        return lookup(host, *args, **kwargs)

    def guarded(method):
        def call(self, address):
            # A Unix socket has a path for address. "Connecting" a datagram socket sends nothing: dask does so.
            if isinstance(address, tuple) and self.type == socket.SOCK_STREAM and not _is_here(address[0]):
                raise OSError(f"tests have no network (connection to {address})")
            return method(self, address)

        return call

    monkeypatch.setattr(socket, "getaddrinfo", guarded_lookup)
    monkeypatch.setattr(socket.socket, "connect", guarded(connect))
    monkeypatch.setattr(socket.socket, "connect_ex", guarded(connect_ex))


@pytest.fixture
def mirror():
    """A function ``mirror(name) -> path`` of NAME.npz in the folder FSLIB_DATA; skips where there is none."""

    def path_of(name):
        folder = os.environ.get("FSLIB_DATA")
        if not folder:
            pytest.skip("FSLIB_DATA, the folder of a local mirror, is not set")
        path = Path(folder, f"{name}.npz")
        if not path.is_file():
            pytest.skip(f"the mirror FSLIB_DATA={folder} has no {path.name}")
        return path

    return path_of


# Small notebooks made on the spot, and the shipped command in a process of its own.

PARAMETERS = """seed: int = 0
n_jobs: int = 1
results_dir: str = "../../papermill_runs/scratch"
cache_dir: str = "../../papermill_runs/cache"
"""


def write_notebook_below(folder, name, *cells, parameters=PARAMETERS):
    """Write ``folder/notebooks/NAME.ipynb`` with a parameters cell and other code cells."""
    first = v4.new_code_cell(parameters, metadata={"tags": ["parameters"]})
    notebook = v4.new_notebook(cells=[v4.new_markdown_cell(f"# {name}"), first, *map(v4.new_code_cell, cells)])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    path = folder / "notebooks" / f"{name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)
    return path


@pytest.fixture
def write_notebook(tmp_path):
    """``write_notebook("bayes/1_first", cell, cell, ...)`` writes below ``tmp_path/notebooks``."""
    return functools.partial(write_notebook_below, tmp_path)


class Command:
    """``fslib run`` on the notebooks of a temporary folder."""

    def __init__(self, folder):
        self.folder = folder
        self.run = folder / "runs" / "quick"
        self.started = []

    def start(self, *arguments, cwd=None, **environment):
        """Start it, in a folder whose fslib comes first, and return at once."""
        command = [sys.executable, "-m", "fslib", "run"]
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

    def end(self):
        """End what a test that failed half-way has left running."""
        for process in self.started:
            process.kill()
            process.communicate()


@pytest.fixture
def fslib_run(tmp_path):
    command = Command(tmp_path)
    yield command
    command.end()


@pytest.fixture(scope="module")
def shared_run(tmp_path_factory):
    """As ``write_notebook`` and ``fslib_run``, in one folder for all tests of a file."""
    folder = tmp_path_factory.mktemp("runs")
    command = Command(folder)
    yield functools.partial(write_notebook_below, folder), command
    command.end()
