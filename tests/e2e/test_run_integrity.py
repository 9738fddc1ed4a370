"""A run keys what really ran, bounds what it keeps, and leaves nothing of itself on the machine."""

import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from fslib.reproduction.paths import ROOT

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("run")]

TABLE = """import pandas as pd
from fslib.reproduction.compare.results import Results
out = Results("bayes", "x", results_dir)
rows = pd.DataFrame({"dataset": "toy", "method": "none", "metric": "v", "value": [float(value)]})
_ = out.table(rows, "Table 96")"""
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


def value_of(run):
    table = run / "tables/bayes_table_96.csv"
    return float(table.read_text().splitlines()[1].split(",")[6]) if table.exists() else None


def test_an_edit_of_a_waiting_notebook_does_not_get_into_the_run(tmp_path, write_notebook, fslib_run):
    begun, go = tmp_path / "begun", tmp_path / "go"
    write_notebook("bayes/a", WAIT.format(begun=str(begun), go=str(go)))
    path = write_notebook("bayes/b", "value = 0", TABLE)
    runner = fslib_run.start("--jobs=1")
    wait_for(begun.exists, "the first notebook did not begin")
    planned = path.read_text()
    path.write_text(planned.replace("value = 0", "value = 7"))
    go.touch()
    runner.communicate(timeout=300)
    assert value_of(fslib_run.run) == 0
    path.write_text(planned)
    _, printed, status = fslib_run("--jobs=1")
    assert status["bayes/b"]["resumed"] and not status["bayes/b"]["stale"] and value_of(fslib_run.run) == 0, printed
    path.write_text(planned.replace("value = 0", "value = 7"))
    _, _, status = fslib_run("--jobs=1")
    assert "resumed" not in status["bayes/b"] and value_of(fslib_run.run) == 7


@pytest.mark.parametrize("what", ["library", "library, and back at once", "table", "data"])
def test_numbers_of_code_or_data_that_were_edited_meanwhile_are_not_kept(tmp_path, write_notebook, fslib_run, what):
    """Edited after planning, and taken back before the notebook ends: the key at both ends is the same."""
    clone, begun, go = tmp_path / "clone", tmp_path / "begun", tmp_path / "go"
    ignore = shutil.ignore_patterns("__pycache__", "downloads", "*.npz")
    for folder in ("fslib", "data", "profiles"):
        shutil.copytree(ROOT / folder, clone / folder, ignore=ignore)
    shutil.copy(ROOT / "requirements.lock", clone)
    files = {"library": clone / "fslib/edited.py", "data": clone / "data/edited.csv"}
    files["table"] = tmp_path / "notebooks/bayes/edited.csv"
    files["table"].parent.mkdir(parents=True)
    for path in files.values():
        path.write_text("VALUE = 0\n")
    read = f"exec(Path({str(files['data'])!r}).read_text()); own = Path(mine).read_text()"
    cells = [WAIT.format(begun=str(begun), go=str(go)), f"from fslib.edited import VALUE as library\n{read}"]
    cells += ["value = library + VALUE + ('7' in own)", TABLE]
    write_notebook("bayes/a", *cells, parameters='results_dir: str = "x"\nmine: str = "edited.csv"\n')
    environment = {"PYTHONPATH": str(clone), "FSLIB_DATA": ""}
    target = files[what.partition(",")[0]]
    runner = fslib_run.start(cwd=clone, **environment)
    wait_for(begun.exists, "the notebook did not begin")
    target.write_text("VALUE = 7\n")
    if "back at once" in what:
        target.write_text("VALUE = 0\n")
    go.touch()
    wait_for(
        lambda: (fslib_run.run / "staging/bayes/a/results/tables").exists() or runner.poll() is not None, "no table"
    )
    target.write_text("VALUE = 0\n")
    printed, _ = runner.communicate(timeout=300)
    status = fslib_run.status()["bayes/a"]
    if "back at once" in what:  # what was imported is what was planned
        assert status["status"] == "done" and value_of(fslib_run.run) == 0, printed
        return
    assert status["status"] == "failed" and "changed after the run had begun; run again" in status["error"], printed
    assert "edited" in status["error"] and value_of(fslib_run.run) is None
    process = fslib_run.start(cwd=clone, **environment)
    process.communicate(timeout=300)
    assert value_of(fslib_run.run) == 0


PRINTERS = {
    "text": "for _ in range(100):\n    print('x' * 2**20)",
    "lines": "for i in range(200_000):\n    print(i)",
    "rich": "from IPython.display import HTML, display\nfor _ in range(30):\n    display(HTML('<p>' + 'x' * 2**20))",
    "update": "from IPython.display import display\nh = display('a', display_id=True)\nh.update('x' * 2**25)",
    "child": "import subprocess\n_ = subprocess.run('yes | head -c 50000000', shell=True)",
    "error": "raise ValueError('x' * 2**24)",
    "result": "'x' * 2**24",
}


def test_a_cell_that_prints_without_end_is_cut_and_ends_as_it_is(write_notebook, fslib_run):
    for name, source in PRINTERS.items():
        write_notebook(f"bayes/{name}", source, "print('the next cell ran')")
    _, printed, status = fslib_run("--jobs=2", "--timeout=200")
    for name in PRINTERS:
        ended = status[f"bayes/{name}"]
        assert ended["status"] == ("failed" if name == "error" else "done"), (name, ended, printed)
        part = ".part" if name == "error" else ""
        executed = fslib_run.run / f"notebooks/bayes/{name}{part}.ipynb"
        assert executed.stat().st_size < 4e6, name
        text = executed.read_text()
        assert text.count("the next cell ran") == (1 if name == "error" else 2), name  # its source, and its output
        assert name in ("lines", "child") or re.search(r"\d[\d,]+ characters of output were cut here", text), name
    assert status["bayes/error"]["error"].startswith("ValueError: xxx") and len(status["bayes/error"]["error"]) < 1000
    for path in [*fslib_run.run.rglob("*.log"), *fslib_run.run.rglob("*.html")]:
        assert path.stat().st_size < 5e6, path


def test_a_cell_without_limit_that_prints_is_not_an_error_of_ours(write_notebook, fslib_run):
    """The limit on output told apart from the limit of time, with and without one."""
    from nbclient.exceptions import CellTimeoutError

    from fslib.reproduction.run import worker

    path = write_notebook("bayes/a", "1")
    for message, limit, expected in (
        ("Timeout waiting for IOPub output", None, ("failed", "output did not come in")),
        ("Timeout waiting for IOPub output", 60.0, ("failed", "output did not come in")),
        ("Cell execution timed out", 60.0, ("timeout", "no end after 60 s")),
    ):

        def raising(*args, message=message):
            raise CellTimeoutError(message)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(worker, "_execute", raising)
            outcome = worker.run_notebook(path, fslib_run.folder / "part.ipynb", {}, limit)
        assert (outcome["status"], expected[1] in outcome["error"]) == (expected[0], True)


WORKERS = """import time, os, subprocess
import numpy as np
from joblib import Parallel, delayed
big = np.zeros(10**6)
_ = Parallel(n_jobs=2)(delayed(np.sum)(big) for _ in range(4))
subprocess.Popen(["sleep", "1234"], start_new_session=True)
"""


def shared(family):
    """What processes have left in shared memory; other processes of this machine may be at work there."""
    names = os.listdir("/dev/shm") if os.path.isdir("/dev/shm") else []
    return [name for name in names if {int(n) for n in re.findall(r"\d+", name)} & {process.pid for process in family}]


@pytest.mark.parametrize("victim", ["runner", "supervisor", "all"])
def test_a_killed_run_leaves_nothing_that_the_next_does_not_clean(tmp_path, write_notebook, fslib_run, victim):
    begun, go, temporary = tmp_path / "begun", tmp_path / "go", tmp_path / "tmp"
    temporary.mkdir()
    write_notebook("bayes/a", WORKERS, WAIT.format(begun=str(begun), go=str(go)), parameters='results_dir: str = "x"\n')
    runner = fslib_run.start(TMPDIR=str(temporary))
    wait_for(begun.exists, "the notebook did not begin")
    family = psutil.Process(runner.pid).children(recursive=True)
    assert any("sleep" in process.name() for process in family) and len(family) >= 4
    killed = {"runner": [runner.pid], "supervisor": [family[0].pid]}.get(victim, [runner.pid, *(p.pid for p in family)])
    for process in killed:
        os.kill(process, signal.SIGKILL)
    runner.communicate(timeout=120)
    if victim != "supervisor":  # nobody is left to end what was started in a session of its own
        _, alive = psutil.wait_procs(family, timeout=30)
        assert not alive
    (tmp_path / "go").touch()
    code, printed, _ = fslib_run(TMPDIR=str(temporary))
    assert code == 0, printed
    assert not list(temporary.iterdir()) and not shared(family)
    for process in family:
        if process.is_running() and process.name() == "sleep":
            process.kill()


def test_files_of_a_run_follow_the_umask(write_notebook, fslib_run):
    write_notebook("bayes/a", "value = 1", TABLE)
    before = os.umask(0o077)
    try:
        fslib_run()
    finally:
        os.umask(before)
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in fslib_run.run.rglob("*") if path.is_file()}
    assert not [path for path, mode in modes.items() if mode & 0o077]


def test_a_folder_that_cannot_be_used_is_one_sentence(tmp_path, write_notebook, fslib_run, capsys):
    from fslib.reproduction import cli

    write_notebook("bayes/a", "1")
    (tmp_path / "file").write_text("")
    where = [f"--notebooks={tmp_path / 'notebooks'}"]
    for arguments in (
        [f"--runs={tmp_path / 'file'}"],
        [f"--runs={tmp_path / 'file/below'}"],
        [f"--runs={tmp_path}", f"--run={'x' * 300}"],
        [f"--runs={tmp_path}", f"--run={'é' * 200}"],
        [f"--runs={tmp_path / ('x' * 300)}"],
        [f"--runs={tmp_path}", "--run=file"],
        [f"--runs={tmp_path}", "--profile=" + "x" * 300],
    ):
        assert cli.main(["run", *where, *arguments]) in (1, 2)
        said = capsys.readouterr().err
        assert said.startswith("fslib: ") and len(said.splitlines()) == 1, (arguments, said)


def mounted(tmp_path, options):
    """A small file system of its own, or skip where mounts are not allowed."""
    place = tmp_path / "small"
    place.mkdir()
    if os.geteuid() or os.system(f"mount -t tmpfs -o {options} none {place} 2>/dev/null"):
        pytest.skip("mounts are not allowed here")
    return place


@pytest.mark.parametrize("trouble", ["full", "read-only"])
def test_a_full_or_read_only_disk_is_a_sentence_and_the_run_goes_on_later(tmp_path, write_notebook, trouble):
    write_notebook("bayes/a", "value = 1", TABLE)
    place = mounted(tmp_path, "size=100k")
    command = [sys.executable, "-m", "fslib", "run", f"--runs={place}"]
    command.append(f"--notebooks={tmp_path / 'notebooks'}")
    try:
        if trouble == "full":
            (place / "filler").write_bytes(bytes(60_000))
        else:
            os.system(f"mount -o remount,ro {place}")
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
        remedy = "The disk is full. Make room" if trouble == "full" else "read-only file system"
        assert remedy in done.stderr, done.stderr + done.stdout
        os.system(f"mount -o remount,rw,size=50m {place}")
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0 and value_of(place / "quick") == 1, done.stderr + done.stdout
    finally:
        os.system(f"umount {place}")


def test_a_command_whose_reader_has_gone_says_nothing():
    command = f"{sys.executable} -m fslib data list"
    done = subprocess.run(f"{command} 2>&1 | head -n 1", shell=True, capture_output=True, text=True)
    assert len(done.stdout.splitlines()) == 1


def test_the_note_of_a_run_is_json(tmp_path, write_notebook, fslib_run):
    write_notebook(
        "bayes/a", f"import json\njson.loads(open({str(fslib_run.run / 'runner.json')!r}).read())['process']"
    )
    code, printed, _ = fslib_run()
    assert code == 0 and json.loads((fslib_run.run / "manifest.json").read_text())["sha256"], printed
    assert not (fslib_run.run / "runner.json").exists() and Path(fslib_run.run / ".fslib-run").exists()
