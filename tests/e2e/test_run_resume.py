"""A run that is stopped at any moment goes on to the same numbers, and nothing of it stays behind on the machine."""

import signal
import time

import psutil
import pytest

from fslib.reproduction.paths import NOTEBOOKS

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("run")]

TABLE = """import numpy as np, pandas as pd
from fslib.evaluation.trials import _example, run_trials
from fslib.seeds import trial_seed
from fslib.reproduction.compare.results import Results
draw = np.random.default_rng(trial_seed(seed, "{name}")).normal()
cells = run_trials(_example, [{{"x": x}} for x in (1, 2, 3)], cache_dir=cache_dir, n_jobs=n_jobs)
out = Results("bayes", "{name}", results_dir)
rows = pd.DataFrame({{"dataset": "toy", "method": "none", "metric": ["draw", "sum"],
                     "value": [draw, cells["square"].sum()]}})"""
WAIT = """import time
from pathlib import Path
Path({begun!r}).touch()
while not Path({go!r}).exists():
    time.sleep(0.05)"""


def wait_for(condition, what, seconds=180):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_interrupted_then_killed_then_resumed_gives_the_numbers_of_an_undisturbed_run(
    tmp_path, write_notebook, fslib_run
):
    begun, go = tmp_path / "begun", tmp_path / "go"
    write_notebook("bayes/1_first", TABLE.format(name="first"), '_ = out.table(rows, "Table 91")')
    slow = [TABLE.format(name="second"), WAIT.format(begun=str(begun), go=str(go)), '_ = out.table(rows, "Table 92")']
    write_notebook("bayes/2_second", *slow)

    for stop, exit_code in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
        begun.unlink(missing_ok=True)
        runner = fslib_run.start("--jobs=1")
        wait_for(begun.exists, "the second notebook did not begin")
        family = psutil.Process(runner.pid).children(recursive=True)
        assert len(family) >= 2  # its process and the kernel
        runner.send_signal(stop)
        printed, _ = runner.communicate(timeout=180)
        assert runner.returncode == exit_code, printed
        _, alive = psutil.wait_procs(family, timeout=60)
        assert not alive
        ended = {name: entry["status"] for name, entry in fslib_run.status().items()}
        assert ended == {"bayes/1_first": "done", "bayes/2_second": "skipped"}
        assert list(files(fslib_run.run / "tables")) == ["bayes_table_91.csv"]
    cells = {path: path.stat().st_mtime_ns for path in (fslib_run.run / "cache").rglob("*.json")}
    assert len(cells) == 3

    go.touch()
    _, printed, status = fslib_run("--jobs=1")
    assert [entry["status"] for entry in status.values()] == ["done", "done"], printed
    assert status["bayes/1_first"]["resumed"] and "resumed" not in status["bayes/2_second"]
    assert cells == {path: path.stat().st_mtime_ns for path in (fslib_run.run / "cache").rglob("*.json")}
    resumed = files(fslib_run.run / "tables")
    assert not list(fslib_run.run.rglob("*.part*"))

    _, printed, status = fslib_run("--fresh", "--jobs=2")
    assert not any("resumed" in entry for entry in status.values()), printed
    assert files(fslib_run.run / "tables") == resumed and len(resumed) == 2


def test_a_notebook_of_the_repository_through_the_shipped_command(fslib_run):
    code, printed, status = fslib_run(f"--notebooks={NOTEBOOKS}", "--only=bayes/2_motivating_example")
    assert code == 0, printed
    entry = status["bayes/2_motivating_example"]
    assert {"tables/bayes_example_1.csv", "claims/bayes_2_motivating_example.csv"} <= set(entry["outputs"])
    assert all((fslib_run.run / name).stat().st_size for name in [*entry["outputs"], "report.html", "manifest.json"])
