"""Trials: stored once, dropped when their source changes, one table whatever ran it: a process, several, a cluster."""

import importlib
import json
import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest
from joblib.externals.loky import get_reusable_executor
from pandas.testing import assert_frame_equal

from fslib.evaluation import trials as grid

WORK = """
    import os, time
    from pathlib import Path
    import numpy as np
    from .helper import scale
    from gridtoy import constants
    def trial(x, log, wait=0.0, fail=False):
        time.sleep(wait)
        with open(log, "a") as file:
            file.write(f"{x} {os.getpid()}\\n")
        if fail:
            raise ZeroDivisionError("by hand")
        rng = np.random.default_rng(x)
        return [{"x": x, "part": i, "value": scale(rng.normal()), "missing": float("nan")} for i in range(2)]
"""


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A small package on disk whose modules a test may edit; returns its folder and the trial function."""
    package = tmp_path / "source" / "gridtoy"
    package.mkdir(parents=True)
    files = {"__init__": "", "work": WORK, "helper": "from . import deep\ndef scale(v): return v * deep.FACTOR\n"}
    files |= {"deep": "FACTOR = 3.0\n", "constants": "ONE = 1\n", "bystander": "import gridtoy.work\n"}
    for name, text in files.items():
        (package / f"{name}.py").write_text(textwrap.dedent(text))
    monkeypatch.syspath_prepend(package.parent)
    monkeypatch.setenv("PYTHONPATH", str(package.parent), prepend=os.pathsep)
    get_reusable_executor().shutdown(wait=True)  # workers that another test started do not know this path
    yield package, importlib.import_module("gridtoy.work").trial
    get_reusable_executor().shutdown(wait=True)
    for name in [name for name in sys.modules if name.partition(".")[0] == "gridtoy"]:
        del sys.modules[name]


def trials_of(log, n, **more):
    return [{"x": x, "log": str(log), **more} for x in range(n)]


def calls(log):
    return [int(line.split()[0]) for line in log.read_text().splitlines()] if log.exists() else []


def test_table_does_not_depend_on_jobs_or_on_the_order_of_trials(toy, tmp_path):
    _, function = toy
    trials = trials_of(tmp_path / "log", 4)
    one = grid.run_trials(function, trials, cache_dir=tmp_path / "one", progress=False)
    two = grid.run_trials(function, trials[::-1], cache_dir=tmp_path / "two", n_jobs=2, progress=False)
    assert_frame_equal(one, two, check_exact=True)
    assert one["x"].tolist() == [0, 0, 1, 1, 2, 2, 3, 3] and one["missing"].isna().all()


def test_resumed_run_computes_only_what_is_missing(toy, tmp_path):
    _, function = toy
    log, trials = tmp_path / "log", trials_of(tmp_path / "log", 4)
    whole = grid.run_trials(function, trials, cache_dir=tmp_path / "whole", progress=False)
    log.unlink()
    grid.run_trials(function, trials[:2], cache_dir=tmp_path / "cut", progress=False)
    resumed = grid.run_trials(function, trials, cache_dir=tmp_path / "cut", progress=False)
    assert calls(log) == [0, 1, 2, 3]
    assert_frame_equal(resumed, whole, check_exact=True)


def test_killed_run_goes_on(toy, tmp_path):
    """kill -9 in the middle of a run: the next one keeps what was finished and gives the same table."""
    _, function = toy
    log, trials = tmp_path / "log", trials_of(tmp_path / "log", 4, wait=0.3)
    script = (
        "import json, sys\nfrom gridtoy.work import trial\nfrom fslib.evaluation.trials import run_trials\n"
        "run_trials(trial, json.loads(sys.argv[1]), cache_dir=sys.argv[2])"
    )
    process = subprocess.Popen([sys.executable, "-c", script, json.dumps(trials), str(tmp_path / "cut")])
    while len(calls(log)) < 3:  # the third call is under way or just over: two trials are stored
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    resumed = grid.run_trials(function, trials, cache_dir=tmp_path / "cut", progress=False)
    assert set(calls(log)) == {0, 1, 2, 3} and calls(log).count(0) == calls(log).count(1) == 1
    assert_frame_equal(resumed, grid.run_trials(function, trials, cache_dir=tmp_path / "new", progress=False))


@pytest.mark.parametrize(
    ("module", "again"),
    [("work", True), ("helper", True), ("deep", True), ("constants", True), ("__init__", True), ("bystander", False)],
)
def test_editing_an_imported_module_drops_the_result_and_no_other_does(toy, tmp_path, module, again):
    package, function = toy
    log, trials = tmp_path / "log", trials_of(tmp_path / "log", 1)
    grid.run_trials(function, trials, cache_dir=tmp_path / "cache", progress=False)
    with open(package / f"{module}.py", "a") as file:
        file.write("# edited\n")
    grid.run_trials(function, trials, cache_dir=tmp_path / "cache", progress=False)
    assert calls(log) == ([0, 0] if again else [0])


def test_data_set_is_part_of_the_key(monkeypatch):
    monkeypatch.setattr(grid, "_data_sha256", {"old": "1", "same": "1", "new": "2"}.get)
    monkeypatch.setattr(grid, "_canonical", lambda trial: "")  # the trial's own text aside
    old, same, new = (grid._key({"dataset": name}, "source") for name in ("old", "same", "new"))
    assert old == same != new


def test_failing_trial_is_named_and_finished_ones_are_kept(toy, tmp_path):
    _, function = toy
    log = tmp_path / "log"
    good, bad = trials_of(log, 1), {"x": 7, "log": str(log), "fail": True}
    with pytest.raises(RuntimeError, match=r'gridtoy.work.trial failed on trial .*"x": 7.*ZeroDivisionError: by hand'):
        grid.run_trials(function, [*good, bad], cache_dir=tmp_path / "cache", progress=False)
    grid.run_trials(function, good, cache_dir=tmp_path / "cache", progress=False)
    assert calls(log) == [0, 7]


@pytest.mark.parametrize(
    ("trials", "message"),
    [([{"x": 1}, {"x": 1}], "listed twice"), ([{"x": (1, 2)}], "use lists"), ([{"x": {1, 2}}], "may hold numbers")],
)
def test_trials_must_be_distinct_and_plain(tmp_path, trials, message):
    with pytest.raises(ValueError, match=message):
        grid.run_trials(grid._example, trials, cache_dir=tmp_path, progress=False)


def test_function_of_a_notebook_is_refused(tmp_path):
    def function(x):
        return []

    function.__module__ = "__main__"
    with pytest.raises(ValueError, match="move it into a module"):
        grid.run_trials(function, [{"x": 1}], cache_dir=tmp_path, progress=False)


@pytest.mark.filterwarnings("default")  # the death of a worker is logged by Dask, and its sockets close late
def test_cluster_that_loses_a_worker_gives_the_table_of_one_process(toy, tmp_path):
    import distributed

    _, function = toy
    log, trials = tmp_path / "log", trials_of(tmp_path / "log", 12, wait=0.2)
    alone = grid.run_trials(function, trials, cache_dir=tmp_path / "alone", n_jobs=1, progress=False)
    log.unlink()
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        nannies = list(cluster.workers.values())
        done = []
        original = grid.write_text

        def write_and_kill(store, text):
            original(store, text)
            done.append(store)
            if len(done) == 6:
                os.kill(nannies[0].pid, signal.SIGKILL)

        grid.write_text = write_and_kill
        try:
            table = grid.run_trials(
                function, trials, cache_dir=tmp_path / "cluster", scheduler=cluster.scheduler_address, progress=False
            )
        finally:
            grid.write_text = original
    assert len(done) == 12
    assert len({line.split()[1] for line in log.read_text().splitlines()}) >= 2, "both workers took part"
    assert_frame_equal(table, alone, check_exact=True)
