import json
import re
import socket
import subprocess
import sys
import time

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from nbformat import v4

from fslib.reproduction import cli, paths
from fslib.reproduction.paths import RunFolder
from fslib.reproduction.run.parameters import read_profile
from fslib.reproduction.run.plan import plan
from fslib.reproduction.run.publishing import finished, only_runner, publish, results_folder, withdraw
from fslib.reproduction.run.records import entry

PARAMETERS = 'seed: int = 0\ntable: str = ""\nresults_dir: str = "x"\nn_jobs: int = 1'


@pytest.fixture
def folders(tmp_path):
    """Two notebooks and a profile."""
    for name in ("bayes/a", "bayes/b"):
        cell = v4.new_code_cell(PARAMETERS, metadata={"tags": ["parameters", "runs-alone"][: 1 + name.endswith("b")]})
        path = tmp_path / "notebooks" / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(v4.new_notebook(cells=[cell]), path)
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles/big.toml").write_text('["bayes/a"]\nseed = 7\n')
    return tmp_path


def planned(folders, profile="quick", only=None, **settings):
    return plan(folders / "notebooks", folders / "profiles", profile, only, lambda name: settings)


def test_the_run_passes_only_what_a_notebook_takes(folders):
    (a, b), others = planned(folders, "big", n_jobs=2, scheduler="tcp://here")
    assert others == [] and (a.name, b.name) == ("bayes/a", "bayes/b")
    assert a.parameters == {"seed": 7, "n_jobs": 2} and b.parameters == {"n_jobs": 2}
    assert b.alone and not a.alone


def test_only_chooses_and_says_what_there_is(folders):
    (job,), (other,) = planned(folders, only="/b")
    assert (job.name, other.name) == ("bayes/b", "bayes/a")
    with pytest.raises(ValueError, match="No notebook matches 'mlmlfs'; there are bayes/a, bayes/b"):
        planned(folders, only="mlmlfs")


def test_key_changes_with_whatever_the_numbers_depend_on(folders):
    def key(profile="quick", **settings):
        return planned(folders, profile, "bayes/a", **settings)[0][0].key

    first = key()
    assert key(n_jobs=2, results_dir="elsewhere") == first
    assert key("big") != first
    table = folders / "notebooks/bayes/mine.csv"
    table.write_text("1")
    (folders / "profiles/big.toml").write_text('["bayes/a"]\ntable = "mine.csv"\n')
    with_file = key("big")
    table.write_text("2")
    assert key("big") != with_file
    notebook = nbformat.read(folders / "notebooks/bayes/a.ipynb", 4)
    notebook.cells.append(v4.new_code_cell("1", id="one"))
    nbformat.write(notebook, folders / "notebooks/bayes/a.ipynb")
    assert key() != first


@pytest.mark.parametrize(
    ("profile", "message"),
    [
        ('["bayes/a"]\nsed = 7', "bayes/a has no parameter 'sed'; it has seed"),
        ('["bayes/a"]\nseed = 7.5', "bayes/a: parameter seed must be int, not 7.5"),
        ('["bayes/z"]\nseed = 7', r"names \['bayes/z'\]; there are the notebooks bayes/a, bayes/b"),
        ('["bayes/a"]\nn_jobs = 7', "the run itself sets"),
    ],
)
def test_the_command_refuses_a_wrong_profile_before_it_starts(folders, monkeypatch, capsys, profile, message):
    (folders / "profiles/big.toml").write_text(profile)
    monkeypatch.setattr(paths, "PROFILES", folders / "profiles")
    runs = folders / "runs"
    code = cli.main(["run", "--profile=big", f"--notebooks={folders / 'notebooks'}", f"--runs={runs}"])
    assert code == 2 and not runs.exists()
    assert re.search(message, capsys.readouterr().err)


def test_a_missing_kernel_is_explained(folders, monkeypatch):
    monkeypatch.setattr(KernelSpecManager, "find_kernel_specs", lambda self: {"ir": ""})
    with pytest.raises(ValueError, match=r"no kernel named 'python3'.*-m ipykernel install"):
        planned(folders)


def test_no_notebooks_below_the_folder(folders):
    with pytest.raises(ValueError, match="There are no notebooks below"):
        plan(folders / "profiles", folders / "profiles", "quick", None, dict)


@pytest.mark.parametrize(
    "text",
    ["<html>", "[]", "{}", '{"nbformat": 4, "nbformat_minor": 5}', "[" * 100_000, "\xe9", "null"]
    + ['{"nbformat": 4, "nbformat_minor": 5, "metadata": [], "cells": []}']
    + ['{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"id": "a", "cell_type": "code"}]}'],
    ids=lambda text: text[:24],
)
def test_a_file_that_is_no_notebook(folders, text):
    (folders / "notebooks/bayes/c.ipynb").write_text(text, encoding="latin-1")
    with pytest.raises(ValueError, match=r"c\.ipynb is not a notebook"):
        planned(folders)


def test_a_notebook_without_a_language_is_in_python_and_one_in_another_is_refused(folders):
    path = folders / "notebooks/bayes/a.ipynb"
    notebook = nbformat.read(path, 4)
    assert not notebook.metadata and planned(folders)
    notebook.metadata = {"kernelspec": {"name": "ir", "language": "R"}}
    nbformat.write(notebook, path)
    with pytest.raises(ValueError, match=r"a\.ipynb is written in r; only notebooks in Python"):
        planned(folders)


@pytest.mark.parametrize("source", ["seed: int = (", "seed: int = 0\n  x: int = 1", "seed: int = 0\x00"])
def test_a_parameters_cell_that_is_no_python(folders, source):
    cell = v4.new_code_cell(source, metadata={"tags": ["parameters"]})
    nbformat.write(v4.new_notebook(cells=[cell]), folders / "notebooks/bayes/a.ipynb")
    with pytest.raises(ValueError, match="bayes/a: parameters cell: "):
        planned(folders)


def test_a_module_beside_a_notebook_is_part_of_its_key(folders):
    first = planned(folders, only="bayes/a")[0][0].key
    (folders / "notebooks/bayes/helper.py").write_text("V = 1")
    second = planned(folders, only="bayes/a")[0][0].key
    (folders / "notebooks/bayes/helper.py").write_text("V = 2")
    assert len({first, second, planned(folders, only="bayes/a")[0][0].key}) == 3


@pytest.mark.parametrize("profile", ["quick", *sorted(path.stem for path in paths.PROFILES.glob("*.toml"))])
def test_every_profile_fits_the_notebooks(profile):
    """No kernel: names and types of all parameters, and the settings that the run itself passes."""
    settings = {"results_dir": "x", "cache_dir": "x", "n_jobs": 1, "scheduler": ""}
    jobs, others = plan(paths.NOTEBOOKS, paths.PROFILES, profile, None, lambda name: settings)
    stored = [
        path for path in paths.NOTEBOOKS.rglob("*.ipynb") if path.parent.name not in ("solutions", ".ipynb_checkpoints")
    ]
    assert len(jobs) == len(stored) and not others
    assert len({job.key for job in jobs}) == len(jobs)
    quick = {job.name: job for job in plan(paths.NOTEBOOKS, paths.PROFILES, "quick", None, lambda name: settings)[0]}
    for name in read_profile(profile, paths.PROFILES):
        job = next(job for job in jobs if job.name == name)
        assert job.key != quick[name].key, f"{profile} sets {name} to its own defaults"


def test_a_finished_notebook_counts_only_while_all_of_it_is_there(folders):
    run = RunFolder(folders / "run")
    (job,), _ = planned(folders, only="bayes/a")
    assert finished(run, job) is None

    def make():
        made = results_folder(run, job.name) / "tables/one.csv"
        made.parent.mkdir(parents=True)
        made.write_text("1")
        run.part(job.name).parent.mkdir(parents=True, exist_ok=True)
        run.part(job.name).write_text("executed")
        return publish(run, job, entry("done", job), {})

    assert make()["outputs"] == ["tables/one.csv"]
    known = finished(run, job)
    assert known["resumed"] and not known["stale"]
    (edited,), _ = planned(folders, "big", only="bayes/a")
    assert finished(run, edited)["stale"]
    (run.path / "tables/one.csv").unlink()
    assert finished(run, job) is None
    make()
    whole = run.record(job.name).read_text()
    for broken in (whole[:20], '{"key": "0"}'):
        run.record(job.name).write_text(broken)
        with pytest.raises(ValueError, match=r"bayes/a\.json is broken .*--fresh"):
            finished(run, job)
        with pytest.raises(ValueError, match=r"bayes/a\.json is broken .*--fresh"):
            withdraw(run, job.name)
    run.record(job.name).write_text(whole)
    withdraw(run, job.name)
    assert not [path for path in run.path.rglob("*") if path.is_file()]


def test_two_runs_do_not_share_a_folder_but_a_killed_one_does_not_block_it(tmp_path):
    run = RunFolder(tmp_path / "quick")
    with only_runner(run):
        with pytest.raises(ValueError, match="is running into"), only_runner(run):
            pass
        held = json.loads((run.path / "runner.json").read_text())
    assert not (run.path / "runner.json").exists()
    (run.path / "runner.json").write_text(json.dumps({**held, "begun": held["begun"] - 1}))  # number used again
    with only_runner(run):
        pass


@pytest.mark.parametrize("note", ["", "{", "[]", '{"process": 1}', '{"process": "x"}', "\x00"])
def test_a_broken_note_blocks_nothing_and_hides_nobody(tmp_path, note):
    run = RunFolder(tmp_path / "quick")
    run.path.mkdir()
    run.note.write_text(note)
    with only_runner(run):
        run.note.write_text(note)
        with pytest.raises(ValueError, match="is running into"), only_runner(run):
            pass


RACE = """
import sys, time
from pathlib import Path
from fslib.reproduction.paths import RunFolder
from fslib.reproduction.run.publishing import only_runner
folder, me = Path(sys.argv[1]), sys.argv[2]
(folder / f"ready{me}").touch()
while not (folder / "go").exists():
    pass
try:
    with only_runner(RunFolder(folder / "run")):
        (folder / f"in{me}").touch()
        time.sleep(0.5)
except ValueError:
    pass
"""


def test_of_processes_at_a_barrier_one_gets_in(tmp_path):
    for trial in range(5):
        folder = tmp_path / str(trial)
        folder.mkdir()
        command = [sys.executable, "-c", RACE, str(folder)]
        started = [subprocess.Popen([*command, str(i)]) for i in range(3)]
        while len(list(folder.glob("ready*"))) < 3:
            assert all(process.poll() is None for process in started)
            time.sleep(0.01)
        (folder / "go").touch()
        assert [process.wait() for process in started] == [0, 0, 0]
        assert len(list(folder.glob("in*"))) == 1


def test_the_system_releases_the_lock_of_a_killed_run(tmp_path):
    run = RunFolder(tmp_path / "run")
    (tmp_path / "go").touch()
    process = subprocess.Popen([sys.executable, "-c", RACE.replace("0.5", "60"), str(tmp_path), "1"])
    while not (tmp_path / "in1").exists():
        assert process.poll() is None
        time.sleep(0.01)
    with pytest.raises(ValueError, match=f"Process {process.pid} is running into"), only_runner(run):
        pass
    process.kill()
    process.wait()
    with only_runner(run):
        pass


def test_commands_without_a_run_and_with_odd_names(tmp_path, capsys):
    assert cli.main(["compare", f"--runs={tmp_path}"]) == 2
    assert "There is no run in" in capsys.readouterr().err
    assert cli.main(["report", f"--runs={tmp_path}", "--run=../elsewhere"]) == 2
    assert "--run is a plain name" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["run", "--jobs=0"])
    assert "not a count of at least 1" in capsys.readouterr().err


def test_a_record_is_readable_json(folders):
    (job,), _ = planned(folders, only="bayes/a", results_dir="/somewhere")
    assert json.loads(json.dumps(entry("failed", job, 1.5, 3, "why")))["parameters"] == {}


@pytest.mark.parametrize("kind", ["tcp://127.0.0.1:{}", "127.0.0.1:{}"])
def test_a_scheduler_that_does_not_answer_is_named_before_a_kernel_starts(folders, monkeypatch, capsys, kind):
    monkeypatch.setattr("fslib.reproduction.run.runner.run", lambda folder, **settings: pytest.fail("started"))
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = kind.format(server.getsockname()[1])
        cli._check_scheduler(address)  # somebody listens
    assert cli.main(["run", f"--scheduler={address}", f"--runs={folders / 'runs'}"]) == 2
    assert f"No scheduler answers at {address} within 10 s" in capsys.readouterr().err


@pytest.mark.parametrize("address", ["tcp://", "tcp://here:many"])
def test_what_is_no_address_is_refused(address, tmp_path, capsys):
    assert cli.main(["run", f"--scheduler={address}", f"--runs={tmp_path}"]) == 2
    assert "--scheduler takes an address such as" in capsys.readouterr().err


@pytest.mark.parametrize("profile", ["quick", *sorted(path.stem for path in paths.PROFILES.glob("*.toml"))])
def test_the_committed_profiles_fit_every_notebook(profile):
    """A parameter that a notebook no longer has, or of another type, stops here and not in a run of hours."""
    jobs, others = plan(paths.NOTEBOOKS, paths.PROFILES, profile, None, lambda name: {})
    assert len(jobs) > 10 and others == []
