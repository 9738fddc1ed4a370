"""Trials: stored once, dropped when their source changes, one table whatever ran it: a process, several, a cluster."""

import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

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
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster:
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


CLIENT = """
import sys
from gridtoy.work import trial
from fslib.evaluation.trials import run_trials
run_trials(trial, [{"x": 1, "log": sys.argv[1]}], cache_dir=sys.argv[2], scheduler=sys.argv[3], progress=False)
"""


@pytest.fixture
def cluster(toy, tmp_path):
    """A scheduler, and ``start(folder, **environment)``, which adds a worker that imports from a folder first."""
    distributed = pytest.importorskip("distributed")
    started = []

    def start(folder, address, threads=1):
        path = os.pathsep.join([str(folder), str(Path(grid.__file__).parents[2])])
        command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny", f"--nthreads={threads}"]
        command += ["--no-dashboard", "--local-directory", str(tmp_path / f"worker{len(started)}")]
        with open(tmp_path / f"worker{len(started)}.log", "w") as log:
            environment = os.environ | {"PYTHONPATH": path}
            started.append(subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log))
        return started[-1]

    with distributed.LocalCluster(n_workers=0, dashboard_address=":0") as local:
        yield local.scheduler_address, lambda folder, **options: start(folder, local.scheduler_address, **options)
        for process in started:
            process.kill()
            process.wait()


def on_cluster(function, tmp_path, address, n=2):
    trials = trials_of(tmp_path / "log", n)
    return grid.run_trials(function, trials, cache_dir=tmp_path / "cache", scheduler=address, progress=False)


@pytest.mark.filterwarnings("default")
def test_a_single_thread_of_a_cluster_is_used_and_not_this_process(toy, cluster, tmp_path):
    package, function = toy
    address, start = cluster
    worker = start(package.parent)
    table = on_cluster(function, tmp_path, address)
    assert {line.split()[1] for line in (tmp_path / "log").read_text().splitlines()} == {str(worker.pid)}
    alone = grid.run_trials(function, trials_of(tmp_path / "log", 2), cache_dir=tmp_path / "alone", progress=False)
    assert_frame_equal(table, alone, check_exact=True)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("differs", ["function", "what it imports", "library", "runner"])
def test_a_worker_with_other_code_is_refused_by_name(toy, cluster, tmp_path, differs):
    package, function = toy
    address, start = cluster
    clone = tmp_path / "clone"
    shutil.copytree(package.parent, clone)
    if differs == "function":
        (clone / "gridtoy/work.py").write_text((package / "work.py").read_text().replace('"part": i', '"part": i + 1'))
    elif differs == "what it imports":
        (clone / "gridtoy/deep.py").write_text("FACTOR = 3.5\n")
    elif differs == "runner":
        shutil.copytree(Path(grid.__file__).parents[1], clone / "fslib")
        with open(clone / "fslib/evaluation/trials.py", "a") as file:
            file.write("# edited\n")
    else:
        (clone / "sitecustomize.py").write_text(
            "import importlib.metadata as m\nold = m.version\n"
            "m.version = lambda name: '0.1' if name == 'scipy' else old(name)\n"
        )
    start(clone)
    word = {"library": "scipy 0.1 and not", "runner": "other source of fslib"}.get(
        differs, "other source of the function"
    )
    with pytest.raises(RuntimeError, match=rf"Workers of the cluster differ.*tcp://127.*{word}"):
        on_cluster(function, tmp_path, address)
    assert not list((tmp_path / "cache").rglob("*.json")) and not (tmp_path / "log").exists()


@pytest.mark.filterwarnings("default")
def test_a_worker_that_imported_the_code_before_an_edit_is_refused(toy, cluster, tmp_path):
    """Its disk says what this process says; its memory does not."""
    package, function = toy
    address, start = cluster
    start(package.parent)
    on_cluster(function, tmp_path, address)
    (package / "deep.py").write_text("FACTOR = 4.0\n")
    client = [sys.executable, "-c", CLIENT, str(tmp_path / "log"), str(tmp_path / "second"), address]
    done = subprocess.run(client, capture_output=True, text=True)
    assert done.returncode and "has other source of the function" in done.stderr
    assert not list((tmp_path / "second").rglob("*.json"))


@pytest.mark.filterwarnings("default")
def test_a_worker_that_joins_later_is_checked_by_every_trial(toy, monkeypatch):
    _, function = toy
    order = grid._order(function, grid._needs(function), '{"x": 1, "log": "/dev/null"}')
    assert json.loads(grid._run(order)[1])["rows"][0]["x"] == 1
    for part, word in (("source", "other source of the function"), ("numpy", "numpy"), ("runner", "fslib.evaluation")):
        with pytest.raises(RuntimeError, match=rf"The process \d+ on .* has .*{word}.*; its result is not used"):
            grid._run(order | {part: "another"})
    monkeypatch.setattr(grid, "_data_sha256", {"toy": "here"}.get)
    monkeypatch.setattr(function.__globals__["constants"], "ONE", 1)
    with pytest.raises(RuntimeError, match="has other data"):
        grid._run(order | {"trial": '{"dataset": "toy", "x": 1, "log": "/dev/null"}', "data": "there"})


def test_code_that_a_session_has_not_is_not_run_under_its_key(tmp_path):
    """An edit of the library while a notebook is open: the old code would run under the key of the new one."""
    clone = tmp_path / "clone"
    shutil.copytree(Path(grid.__file__).parents[1], clone / "fslib", ignore=shutil.ignore_patterns("__pycache__"))
    script = (
        "import sys\nfrom pathlib import Path\nfrom fslib.evaluation import trials\n"
        "trials.run_trials(trials._example, [{'x': 2}], cache_dir=sys.argv[1])\n"
        "path = Path(trials.__file__)\npath.write_text(path.read_text().replace('x * x}', 'x ** 2}'))\n"
        "trials.run_trials(trials._example, [{'x': 3}], cache_dir=sys.argv[1])\n"
    )
    options = {"capture_output": True, "text": True, "env": os.environ | {"PYTHONPATH": str(clone)}, "cwd": clone}
    command = [sys.executable, "-c", script, str(tmp_path / "cache")]
    done = subprocess.run(command, **options)
    assert "fslib.evaluation.trials changed on disk after this session had imported it; restart" in done.stderr
    assert len(list((tmp_path / "cache").rglob("*.json"))) == 1
    done = subprocess.run(command, **options)  # the edit is in both now, and there is nothing more to edit
    assert not done.returncode, done.stderr


@pytest.mark.filterwarnings("default")
def test_a_cluster_without_workers_or_without_scheduler_says_so(toy, cluster, tmp_path, monkeypatch):
    _, function = toy
    monkeypatch.setattr(grid, "CLUSTER_WAIT", 1)
    for address in (cluster[0], "tcp://127.0.0.1:1"):
        with pytest.raises(RuntimeError, match=f"The cluster at {address} gave no answer.*continues from there"):
            on_cluster(function, tmp_path, address)
