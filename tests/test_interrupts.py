"""Ctrl-C at the command line: one line and exit code 130, whatever the process or its workers are doing."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STOPS = """
import os, signal, sys

class Stop:
    @staticmethod
    def find_spec(name, path=None, target=None):
        is_worker = any("loky" in word for word in sys.orig_argv)
        if name == os.environ["STOP_AT"] and is_worker == ("STOP_WORKERS" in os.environ):
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Stop)
"""
"""Sends SIGINT when a module is about to be imported."""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="os.kill ends the process there")


@pytest.fixture
def stopped(tmp_path):
    """Run a command that is interrupted at the import of a module."""
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(STOPS)
    (tmp_path / "work").mkdir()
    rows = "".join(f"{i % 7},{i % 5},{'ab'[i % 7 > 3]}\n" for i in range(60))
    (tmp_path / "work" / "t.csv").write_text(f"x,z,y\n{rows}")

    def run(module, *arguments, **environment):
        places = os.pathsep.join([str(tmp_path / "hook"), str(ROOT)])
        return subprocess.run(
            [sys.executable, "-m", "fslib", *arguments],
            env=os.environ | environment | {"PYTHONPATH": places, "STOP_AT": module},
            cwd=tmp_path / "work",
            capture_output=True,
            text=True,
            timeout=120,
        )

    return run


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("fslib.imported", ["data", "list"]),
        ("hashlib", ["run"]),
        ("argparse", ["data", "list"]),
        ("numpy", ["run"]),
        ("papermill", ["run", "--runs=runs"]),
        ("fslib.reproduction.report", ["report", "--runs=runs"]),
        ("sklearn", ["select", "t.csv", "--target", "y"]),
        ("pandas._libs.tslibs", ["select", "t.csv", "--target", "y"]),
        ("fslib.select.answer", ["select", "t.csv", "--target", "y"]),
        ("pyarrow.csv", ["select", "t.csv", "--target", "y"]),
    ],
)
def test_while_modules_are_imported(stopped, tmp_path, module, arguments):
    done = stopped(module, *arguments)
    assert done.returncode == 130, done.stderr
    assert (done.stdout, done.stderr) == ("", "Interrupted. Run the same command again to start over.\n")
    assert [path.name for path in (tmp_path / "work").iterdir()] == ["t.csv"]


def test_a_program_that_imports_the_package_keeps_its_own_answer_to_ctrl_c():
    code = "import signal; before = signal.getsignal(2); import fslib; assert signal.getsignal(2) is before"
    subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True)


def test_workers_leave_ctrl_c_to_the_command(stopped):
    done = stopped("numpy", "select", "t.csv", "--target", "y", "--folds=2", "--jobs=2", STOP_WORKERS="1")
    assert (done.returncode, done.stderr) == (0, "")


def test_ignored_sigint_stays_ignored(stopped):
    """As where a shell starts a job with ``&``."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert stopped("numpy", "--version").returncode == 0
    finally:
        signal.signal(signal.SIGINT, before)
