"""Drills on `fslib run`: whatever happens to a run, the next one ends with the bytes of one that was left in peace.

The moments are random, from a fixed seed. ``FSLIB_DRILLS`` is the number of kills (20); the other drills scale with it.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import psutil
import pytest

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("FSLIB_DRILLS") or 20)
TABLE = """import numpy as np, pandas as pd
from fslib.evaluation.trials import _example, run_trials
from fslib.reproduction.compare.results import Results
found = run_trials(_example, [{{"x": x}} for x in (1, 2, 3)], cache_dir=cache_dir, n_jobs=n_jobs)
rows = pd.DataFrame({{"dataset": "toy", "method": "none", "metric": ["sum", "seed"],
                     "value": [float(found["square"].sum()), {value}]}})
_ = Results("bayes", "{name}", results_dir).table(rows, "Table {number}")"""
NAMES = {"bayes/a": 91, "bayes/b": 92, "bayes/c": 93}


@pytest.fixture(scope="module")
def three(shared_run):
    """Three notebooks with a table each; ``three(value)`` writes them anew."""

    def write(value="float(seed)"):
        sources = {n: TABLE.format(name=n.split("/")[1], number=k, value=value) for n, k in NAMES.items()}
        return {name: shared_run[0](name, "import time\ntime.sleep(0.3)", text) for name, text in sources.items()}

    write()
    return write


@pytest.fixture(scope="module")
def command(shared_run, three):
    """``fslib run`` on these notebooks."""
    return shared_run[1]


@pytest.fixture(scope="module")
def undisturbed(command):
    """Bytes of the tables of a run that was left in peace, and the seconds it took."""
    begun = time.monotonic()
    code, printed, _ = command("--run=peace")
    assert code == 0, printed
    return tables(command.run.parent / "peace"), time.monotonic() - begun


def tables(run):
    return {path.name: path.read_bytes() for path in sorted((run / "tables").glob("*"))}


def check_whole(run, expected):
    """Every JSON file can be read, and every table is a whole one."""
    for path in [*run.glob("*.json"), *run.glob("notebooks/**/*.json"), *run.glob("cache/**/*.json")]:
        json.loads(path.read_text())
    assert tables(run).items() <= expected.items()


def test_killed_at_random_moments(command, undisturbed, drill, tmp_path):
    expected, seconds = undisturbed
    chance = random.Random(0)
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    for i in range(KILLS):
        with drill("kill -9 at a random moment"):
            runner = command.start("--jobs=2", *["--fresh"] * (i % 5 == 0), TMPDIR=str(temporary))
            time.sleep(chance.uniform(0, seconds))
            family = []
            if runner.poll() is None:
                top = psutil.Process(runner.pid)
                family = [top, *top.children(recursive=True)]
                victim = top if chance.random() < 0.7 else chance.choice(family)
                victim.kill()
            runner.communicate(timeout=300)
            _, alive = psutil.wait_procs(family, timeout=60)
            assert not alive, "something outlived the run"
            check_whole(command.run, expected)
    code, printed, _ = command(TMPDIR=str(temporary))
    assert code == 0 and tables(command.run) == expected, printed
    assert not list(temporary.iterdir())


def test_three_starts_at_once(command, undisturbed, drill):
    expected, _ = undisturbed
    for i in range(max(2, KILLS // 4)):
        with drill("three starts at once"):
            started = [command.start(f"--run=race{i}") for _ in range(3)]
            said = [process.communicate(timeout=500)[0] for process in started]
            codes = sorted(process.returncode for process in started)
            others = [text for text in said if "is running into" in text]
            # a start that comes when the first has ended finds everything done
            assert codes.count(0) + len(others) == 3 and codes[0] == 0, said
            assert tables(command.run.parent / f"race{i}") == expected


def test_edits_during_a_run(three, command, undisturbed, drill):
    """Notebooks are edited at a random moment and edited back at another; what stays is what the last edit computes."""
    expected, seconds = undisturbed
    chance = random.Random(1)
    for i in range(max(2, KILLS // 4)):
        with drill("edit during a run, and back"):
            runner = command.start("--jobs=1", f"--run=edit{i}")
            moments = sorted(chance.uniform(0, seconds * 1.5) for _ in range(2))
            begun = time.monotonic()
            for moment, value in zip(moments, ("7.0", "float(seed)"), strict=True):
                time.sleep(max(0, begun + moment - time.monotonic()))
                three(value)
            runner.communicate(timeout=500)
            command(f"--run=edit{i}")
            assert tables(command.run.parent / f"edit{i}") == expected


def test_full_disk(command, undisturbed, drill, tmp_path):
    place = tmp_path / "small"
    place.mkdir()
    expected, _ = undisturbed
    again = [sys.executable, "-m", "fslib", "run", f"--runs={place}"]
    again.append(f"--notebooks={command.folder / 'notebooks'}")
    for size in ("60k", "200k", "500k")[: 1 + KILLS // 5]:
        if os.geteuid() or os.system(f"mount -t tmpfs -o size={size} none {place} 2>/dev/null"):
            pytest.skip("mounts are not allowed here")
        try:
            with drill("full disk"):
                done = subprocess.run(again, capture_output=True, text=True, timeout=500)
                assert done.returncode in (1, 2) and "Traceback" not in done.stderr, done.stderr
                os.system(f"mount -o remount,size=100m {place}")
                done = subprocess.run(again, capture_output=True, text=True, timeout=500)
                assert done.returncode == 0 and tables(place / "quick") == expected, done.stderr
        finally:
            os.system(f"umount {place}")


OUTPUTS = ["{}/victim.txt", "../../victim.txt", "tables/../../../victim.txt", "notebooks/bayes/b.json", "status.json"]


def test_records_of_somebody_else(command, undisturbed, drill):
    peace, victim = command.run.parent / "peace", command.folder / "victim.txt"
    victim.write_text("kept")
    tries = [(o, w, a) for o in OUTPUTS for w in ("notebooks/bayes/a.json", "status.json") for a in ((), ("--fresh",))]
    for output, where, arguments in random.Random(3).sample(tries, min(len(tries), KILLS)):
        with drill("record of somebody else"):
            foreign = command.run.parent / "foreign"
            shutil.rmtree(foreign, ignore_errors=True)
            shutil.copytree(peace, foreign)
            stored = json.loads((foreign / where).read_text())
            entry = stored["entry"] if "entry" in stored else stored["notebooks"]["bayes/a"]
            entry["outputs"] = [output.format(command.folder)]
            stored |= {"key": "0"} if "entry" in stored else {}
            (foreign / where).write_text(json.dumps(stored))
            command("--run=foreign", *arguments)
            assert victim.read_text() == "kept"
            assert arguments == () or tables(foreign) == undisturbed[0]


def test_signals(command, undisturbed, drill):
    expected, seconds = undisturbed
    chance = random.Random(2)
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        with drill("INT, TERM, HUP"):
            runner = command.start("--run=signals")
            time.sleep(chance.uniform(0.3, 0.9) * seconds)
            family = psutil.Process(runner.pid).children(recursive=True) if runner.poll() is None else []
            runner.send_signal(getattr(signal, name))
            runner.communicate(timeout=300)
            _, alive = psutil.wait_procs(family, timeout=60)
            assert not alive
            check_whole(command.run.parent / "signals", expected)
