"""A run's folder is data: what its files say is checked, and no path in them leads anywhere else."""

import json
import os
import shutil

import pytest

from fslib.reproduction import cli, paths
from fslib.reproduction.paths import RunFolder
from fslib.reproduction.report import build as report
from fslib.reproduction.run.fresh import check_place, erase, is_run, mark, sweep
from fslib.reproduction.run.plan import Job
from fslib.reproduction.run.publishing import finished, publish, results_folder, withdraw
from fslib.reproduction.run.records import entry, read_status, write_status

JOB = Job("bayes/a", None, {}, "0" * 64, False)
ALONE = {"reference_dir": "no reference run", "expected_dir": "none"}
OUTSIDE = ["{}/victim/file.txt", "../../victim/file.txt", "tables/../../../victim/file.txt", "link/file.txt", "", "."]
OUTSIDE += ["./x", "tables//x", "tables/", "..", "x\0y", "file_link"]
OWN = ["status.json", "manifest.json", "notebooks/bayes/b.json", "cache/x", "staging/x", "runner.lock", ".fslib-run"]


@pytest.fixture
def run(tmp_path):
    """A run with one finished notebook, beside a folder that is none of its business and to which links lead."""
    (tmp_path / "victim").mkdir()
    (tmp_path / "victim/file.txt").write_text("kept")
    run = RunFolder(tmp_path / "runs/R")
    run.path.mkdir(parents=True)
    mark(run)
    (run.path / "link").symlink_to(tmp_path / "victim")
    (run.path / "file_link").symlink_to(tmp_path / "victim/file.txt")
    make(run, "bayes/a")
    yield run
    assert (tmp_path / "victim/file.txt").read_text() == "kept" and len(os.listdir(tmp_path / "victim")) == 1


def make(run, name):
    job = Job(name, None, {}, "0" * 64, False)
    made = results_folder(run, name) / f"tables/{name.replace('/', '_')}.csv"
    made.parent.mkdir(parents=True)
    made.write_text("1")
    run.part(name).parent.mkdir(parents=True, exist_ok=True)
    run.part(name).write_text("executed")
    ended = publish(run, job, entry("done", job), {})
    write_status(run, "quick", {name: ended})
    return ended


def alter(path, **values):
    stored = json.loads(path.read_text())
    for place in (stored.get("notebooks") or {"": stored.get("entry")}).values():
        place.update(values)
    path.write_text(json.dumps(stored))


@pytest.mark.parametrize("output", [*OUTSIDE, *OWN])
def test_a_record_that_names_another_file_is_an_error_that_names_it(run, tmp_path, output):
    alter(run.record("bayes/a"), outputs=[output.format(tmp_path)])
    for use in (lambda: finished(run, JOB), lambda: withdraw(run, "bayes/a")):
        with pytest.raises(ValueError, match=r"bayes/a\.json"):
            use()


@pytest.mark.parametrize("output", [*OUTSIDE, *OWN])
def test_a_status_that_names_another_file_is_an_error_that_names_it(run, tmp_path, output):
    alter(run.status, outputs=[output.format(tmp_path)])
    with pytest.raises(ValueError, match=r"status\.json"):
        read_status(run)
    with pytest.raises(ValueError, match=r"status\.json"):
        report.build(run.path, **ALONE)


@pytest.mark.parametrize("name", ["../../victim/x", "{}/victim/x", "link/x", "a/../../b", "x\0"])
def test_a_status_with_a_notebook_elsewhere_writes_no_page_there(run, tmp_path, name):
    stored = json.loads(run.status.read_text())
    stored["notebooks"] = {name.format(tmp_path): stored["notebooks"]["bayes/a"]}
    run.status.write_text(json.dumps(stored))
    (run.path / "notebooks/link").symlink_to(tmp_path / "victim")
    with pytest.raises(ValueError, match=r"status\.json"):
        report.build(run.path, **ALONE)


@pytest.mark.parametrize("place", ["notebooks", "logs", "html", "staging", "tables"])
def test_a_folder_of_a_run_that_leads_elsewhere_is_an_error(run, tmp_path, place):
    victim = tmp_path / "victim"
    shutil.rmtree(run.path / place, ignore_errors=True)
    (run.path / place).symlink_to(victim)
    uses = [
        lambda: run.executed("file"),
        lambda: run.log("file"),
        lambda: run.page("file"),
        lambda: run.staging("file"),
    ]
    use = dict(zip(["notebooks", "logs", "html", "staging"], uses, strict=True)).get(place, lambda: read_status(run))
    with pytest.raises(ValueError, match="nothing outside that folder is read or removed"):
        use()
    check_place(run, fresh=True)
    erase(run, ["bayes/b"]) if place == "tables" else None


BAD_VALUES = [
    {"seconds": "x"},
    {"seconds": None},
    {"seconds": True},
    {"seconds": []},
    {"cell": "4"},
    {"cell": 1.5},
    {"error": 3},
    {"error": ["a"]},
    {"outputs": "tables/x.csv"},
    {"outputs": [1]},
    {"outputs": None},
    {"outputs": {}},
    {"status": "DONE"},
    {"status": ["done"]},
    {"status": None},
    {"stale": "yes"},
    {"resumed": 1},
    {"parameters": []},
]


@pytest.mark.parametrize("values", BAD_VALUES, ids=str)
def test_a_value_of_another_type_is_one_sentence(run, capsys, values):
    alter(run.status, **values)
    where = [f"--runs={run.path.parent}", "--run=R"]
    for command in ("report", "compare"):
        assert cli.main([command, *where]) == 2
        said = capsys.readouterr().err
        assert "status.json is broken" in said and "--fresh" in said and len(said.splitlines()) == 1


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "1", '"x"', '{"profile": "quick"}', '{"notebooks": {}}', "[" * 100_000, "\xff"]
    + ['{"profile": 1, "notebooks": {}}', '{"profile": "../../x", "notebooks": {}}']
    + ['{"profile": "quick", "notebooks": []}', '{"profile": "quick", "notebooks": {"a": []}}'],
    ids=lambda text: text[:30],
)
def test_a_broken_status_is_one_sentence(run, capsys, text):
    run.status.write_text(text, encoding="latin-1")
    assert cli.main(["report", f"--runs={run.path.parent}", "--run=R"]) == 2
    said = capsys.readouterr().err
    assert "status.json is broken" in said and len(said.splitlines()) == 1


@pytest.mark.parametrize(
    "text", ["[]", "1", "{", '{"commit": 1}', '{"cpu": ["x"]}', '{"cores": "2"}', '{"python": {}}', '{"dirty": 1}']
)
def test_a_broken_manifest_is_one_sentence(run, capsys, text):
    write_status(run, "quick", {})
    run.manifest.write_text(text)
    assert cli.main(["report", f"--runs={run.path.parent}", "--run=R"]) == 2
    assert "manifest.json is broken" in capsys.readouterr().err
    run.manifest.write_text('{"cpu": "a"}')
    assert cli.main(["report", f"--runs={run.path.parent}", "--run=R"]) == 0


# --fresh


def everything(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_fresh_erases_what_the_run_wrote_and_nothing_else(run):
    mine = ["thesis.tex", "tables/mine.csv", "notebooks/mine.json", "notebooks/mine.ipynb", "cache/notes.txt", "logs/x"]
    mine += ["cache/f.trial/notes.json", "html/mine.html", "figures/mine.svg", ".git/HEAD", "staging/mine/x"]
    for name in mine:
        (run.path / name).parent.mkdir(parents=True, exist_ok=True)
        (run.path / name).write_text("{}")
    theirs = ["logs/bayes/a.log", "html/bayes/a.html", "report.html", "manifest.json", f"cache/f.trial/{'0' * 64}.json"]
    theirs += ["notebooks/bayes/b.json", "notebooks/bayes/b.part.ipynb", "logs/bayes/b.log", "staging/bayes/b/job.json"]
    for name in theirs:
        (run.path / name).parent.mkdir(parents=True, exist_ok=True)
        (run.path / name).write_text("[broken")
    check_place(run, fresh=True)
    erase(run, ["bayes/b"])
    assert everything(run.path) == sorted([".fslib-run", *mine, "file_link"])
    assert not (run.path / "notebooks/bayes").exists()


@pytest.mark.parametrize("output", OUTSIDE)
def test_fresh_on_the_run_of_somebody_else_erases_nothing_outside(run, tmp_path, output):
    alter(run.record("bayes/a"), outputs=[output.format(tmp_path)])
    alter(run.status, outputs=[output.format(tmp_path)])
    (run.path / "cache").mkdir()
    (run.path / "cache/x").symlink_to(tmp_path / "victim")
    shutil.copytree(run.path / "notebooks", run.path / "link_too", dirs_exist_ok=True)
    check_place(run, fresh=True)
    erase(run, ["bayes/a"])


@pytest.mark.parametrize("fresh", [True, False])
def test_a_folder_without_a_run_is_left_alone(tmp_path, capsys, monkeypatch, fresh):
    home = tmp_path / "home"
    (home / "Documents/.git").mkdir(parents=True)
    (home / "Documents/.git/HEAD").write_text("ref")
    (home / "Documents/thesis.tex").write_text("years")
    (home / "Documents/manifest.json").write_text('{"name": "an extension"}')
    (home / "Documents/status.json").write_text('{"profile": "x", "notebooks": {}}')
    before = everything(home)
    assert cli.main(["run", f"--runs={home}", "--run=Documents", *["--fresh"] * fresh]) == 2
    assert "Documents holds .git" in capsys.readouterr().err and everything(home) == before


@pytest.mark.parametrize("fresh", [True, False])
@pytest.mark.parametrize("way", ["name", "case", "link", "inside"])
def test_the_reference_run_is_never_written_to(tmp_path, capsys, monkeypatch, fresh, way):
    before = everything(paths.REFERENCE)
    (tmp_path / "mine").symlink_to(paths.REFERENCE)
    where = {
        "name": [f"--runs={paths.RUNS}", "--run=reference"],
        "case": [f"--runs={tmp_path}", "--run=Reference"],
        "link": [f"--runs={tmp_path}", "--run=mine"],
        "inside": [f"--runs={paths.REFERENCE}", "--run=tables"],
    }[way]
    assert cli.main(["run", *where, *["--fresh"] * fresh]) == 2
    assert "`reference` is kept in git" in capsys.readouterr().err
    assert everything(paths.REFERENCE) == before and len(os.listdir(tmp_path)) == 1


@pytest.mark.parametrize("linked", ["run", "cache"])
def test_fresh_does_not_follow_a_link(run, tmp_path, capsys, linked):
    if linked == "run":
        (tmp_path / "other").mkdir()
        (tmp_path / "other/R").symlink_to(run.path)
        where = [f"--runs={tmp_path / 'other'}", "--run=R"]
    else:
        run.cache.symlink_to(tmp_path / "victim")
        where = [f"--runs={run.path.parent}", "--run=R"]
    before = everything(run.path)
    assert cli.main(["run", *where, "--fresh"]) == 2
    assert "is a link to" in capsys.readouterr().err and everything(run.path) == before


def test_a_run_older_than_the_mark_is_a_run(run):
    assert is_run(run)
    run.mark.unlink()
    assert is_run(run)
    run.status.unlink()
    assert not is_run(run)
    run.manifest.write_text('{"sha256": {"fslib": "0"}}')
    assert is_run(run)


def test_half_written_files_of_a_killed_run_go_and_others_stay(run):
    (run.path / "tables/.one-0123456789abcdef.part.csv").write_text("half")
    (run.path / ".status-0123456789abcdef.part.json").write_text("half")
    (run.path / "tables/.mine.part.csv").write_text("whole")
    sweep(run)
    left = everything(run.path)
    assert "tables/.mine.part.csv" in left and not [name for name in left if "0123456789abcdef" in name]


def test_a_notebook_may_not_make_files_that_the_runner_keeps(run):
    made = results_folder(run, "bayes/b") / "notebooks/bayes/a.json"
    made.parent.mkdir(parents=True)
    made.write_text("{}")
    job = Job("bayes/b", None, {}, "0" * 64, False)
    ended = publish(run, job, entry("done", job), {})
    assert ended["status"] == "failed" and "kept by the runner" in ended["error"]


@pytest.mark.parametrize("text", ["", '{"nbformat": 4', "[]", '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}'])
def test_a_notebook_that_was_cut_off_does_not_stop_the_report(run, text):
    """A kernel that is ended while papermill writes leaves half a file; of a finished notebook that is an error."""
    from fslib.reproduction.run.worker import stopped

    run.part("bayes/b").write_text(text)
    assert stopped("timeout", run.part("bayes/b"), "why") == {"status": "timeout", "cell": None, "error": "why"}
    write_status(run, "quick", {"bayes/b": entry("timeout", JOB, error="why")})
    assert "bayes/b" in report.build(run.path, **ALONE).read_text()
    run.executed("bayes/b").write_text(text)
    with pytest.raises(ValueError, match=r"bayes/b\.ipynb is broken .*--fresh"):
        report.build(run.path, **ALONE)
