"""The command: exit codes, what it prints, what it writes."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import fslib
from fslib.reproduction.cli import main


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(60, 3)), columns=["size", "a", "b"])
    frame["kind"] = np.where(frame["size"] > 0, "large", "small")
    frame["name"] = [f"name {i} of many" for i in range(60)]
    frame.to_csv("fruit.csv", index=False)
    return frame


def test_an_answer(table, tmp_path, capsys):
    arguments = ["select", "fruit.csv", "--target", "kind", "--drop", "name", "--max-features", "2", "--folds", "3"]
    assert main([*arguments, "--jobs", "1"]) == 0
    out, err = capsys.readouterr()
    assert "1 of 3 features is enough.\n  size" in out and err == ""
    assert out.splitlines()[-1] == f"Report: {(tmp_path / 'fruit_features' / 'report.html').as_uri()}"
    assert sorted(p.name for p in (tmp_path / "fruit_features").iterdir()) == [
        "pipeline.skops",
        "report.html",
        "reproduce.py",
        "selected.csv",
    ]
    code = (tmp_path / "fruit_features" / "reproduce.py").read_text()
    assert "read_table('fruit.csv', 'kind', drop=['name'], missing_features='median')" in code


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fruit.csv", "--target", "kindd"], "kind"),
        (["fruit.csv", "--target", "kind"], "Proposed: --drop name"),
        (["fruit.csv", "--target", "kind", "--drop", "name", "--criterion", "f1"], "--criterion must be one of auto"),
        (["fruit.csv", "--target", "kind", "--drop", "name", "--task", "fruit"], "--task must be one of"),
        (["fruit.csv", "--target", "kind", "--drop", "name", "--max-features", "0"], "--max-features 0 must"),
        (["fruit.csv", "--target", "kind", "--drop", "name", "--seed", "-1"], "--seed -1 must not be negative"),
        (["fruit.csv", "--target", "kind", "--drop", "name", "--out", "fruit.csv"], "is a file, not a folder"),
        (["nuts.csv", "--target", "kind"], "fruit.csv"),
    ],
)
def test_errors_are_short_and_exit_with_2(table, tmp_path, capsys, arguments, message):
    assert main(["select", *arguments]) == 2
    err = capsys.readouterr().err
    assert message in err and err.startswith("fslib: ") and "Traceback" not in err and len(err) < 600
    assert not (tmp_path / "fruit_features").exists()


def test_a_plain_installation_is_enough(table):
    """It brings neither papermill nor Jupyter, psutil nor seaborn."""
    extras = ["papermill", "nbformat", "nbconvert", "nbclient", "psutil", "seaborn", "scikit_posthocs", "IPython"]
    code = f"import sys; sys.modules.update(dict.fromkeys({extras})); from fslib.reproduction.cli import main; "
    run = [sys.executable, "-c", code + "sys.exit(main(sys.argv[1:]))"]
    done = subprocess.run([*run, "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"fslib {fslib.__version__}\n"), done.stderr
    small = ["select", "fruit.csv", "--target", "kind", "--drop", "name", "--max-features", "1", "--folds", "3"]
    done = subprocess.run([*run, *small, "--jobs", "1"], capture_output=True, text=True)
    assert done.returncode == 0 and "1 of 3 features is enough." in done.stdout, done.stderr


def test_scores_that_tie_are_said_to_tie(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame([(a, b) for a in (0, 1) for b in (0, 1)] * 25, columns=["a", "b"])
    frame.assign(kind=np.repeat(["well", "ill"], [60, 40])).to_csv("tie.csv", index=False)
    assert main(["select", "tie.csv", "--target", "kind", "--criterion", "zero_one", "--jobs", "1"]) == 0
    out = capsys.readouterr().out
    assert "Nothing here tells the classes apart: all scores tie." in out
    assert "All selectors score the same with every number of features (0.600)" in out


def test_a_table_without_names_is_reported_and_read_in_the_words_of_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i % 7},{i % 5},{int(i % 7 > 3)}\n" for i in range(3, 63))
    (tmp_path / "bare.csv").write_text(rows)
    assert main(["select", "bare.csv", "--target", "y"]) == 2
    assert "Proposed: --header none" in (err := capsys.readouterr().err) and "header=" not in err
    small = ["--max-features=1", "--folds=2", "--jobs=1"]
    assert main(["select", "bare.csv", "--target", "column 3", "--header", "none", *small]) == 0
    assert "1 of 2 features is enough.\n  column 1" in capsys.readouterr().out
    (tmp_path / "rising.csv").write_text("1,2,3\n" + rows)
    assert main(["select", "rising.csv", "--target", "3", *small]) == 0
    out = capsys.readouterr().out
    assert "Note: The first line holds numbers only ('1', '2', '3')" in out and "pass --header none" in out
