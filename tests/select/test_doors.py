"""Messages propose what the reader can type: options at the command line, parameters in a notebook."""

import ast
import html
import re
import shlex
from argparse import ArgumentParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fslib
from fslib.reproduction.cli import main
from fslib.select.cli import add_parser
from fslib.select.doors import OPTION_OF, as_options, in_parameters, option, papermill_parameter
from fslib.tables import TableError, read_table
from fslib.tables.reading import DEFAULTS

ARGUMENT = re.compile(rf"\b({'|'.join(OPTION_OF)})=|\b[a-z]+_(features|target|folds|jobs)\b")
NAMES = ["my id", "it's", 'a "b"', "$HOME", "-x", "a,b", "[c]", "`ls`", "\\"]


@pytest.fixture
def ugly(tmp_path, monkeypatch):
    """A table with every kind of problem that a message proposes a way out of."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"a": pd.array(rng.integers(0, 5, 600), "Int64"), "kind": np.where(rng.random(600) < 0.5, "x", "z")}
    )
    frame["patient's name"] = [f"person {i // 5}" for i in range(600)]
    frame["price"] = [f"1,{i % 900 + 100}" for i in range(600)]
    frame["mixed"] = ["3", "4", "five"] * 200
    frame.loc[7, "a"] = None
    frame.loc[3, "kind"] = None
    frame.to_csv("ugly.csv", index=False)
    return frame


def parsed(words):
    parser = ArgumentParser()
    add_parser(parser.add_subparsers())
    return parser.parse_args(["select", "t.csv", "--target", "y", *words])


def test_every_argument_has_an_option():
    options = vars(parsed([]))
    assert {name.replace("-", "_") for name in OPTION_OF.values()} <= set(options)
    assert set(DEFAULTS) <= set(OPTION_OF)


def test_an_error_of_the_command_names_options_only(ugly, capsys):
    assert main(["select", "ugly.csv", "--target", "kind", "--missing-features", "error"]) == 2
    message = capsys.readouterr().err
    assert not ARGUMENT.search(message), ARGUMENT.search(message)
    with pytest.raises(TableError) as raised:
        read_table("ugly.csv", "kind")
    named = set(re.findall(rf"\b({'|'.join(OPTION_OF)})=", str(raised.value)))
    assert {"drop", "decimal", "missing_target", "missing_features", "groups"} <= named
    assert all(f"--{OPTION_OF[name]} " in message for name in named)
    proposed = shlex.split(message.rpartition("Proposed: ")[2])
    found = parsed(proposed)
    assert found.drop == raised.value.drop and (found.missing_target, found.missing_features) == ("drop_rows", "median")


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (["--folds", "1"], "--folds 1 must be"),
        (["--max-features", "-2"], "--max-features -2 must be"),
        (["--criterion", "squared"], "--criterion squared does not fit"),
        (["--decimal", "x"], "--decimal must be one of"),
    ],
)
def test_other_errors_of_the_command_name_options_too(tmp_path, monkeypatch, capsys, arguments, options):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"a": range(40), "b": np.arange(40) % 7 * 1.5, "y": ["x", "z"] * 20}).to_csv("t.csv", index=False)
    assert main(["select", "t.csv", "--target", "y", *arguments]) == 2
    message = capsys.readouterr().err
    assert options in message and not ARGUMENT.search(message)


def test_what_the_command_prints_and_its_report_say_options(tmp_path, monkeypatch, capsys):
    """Only the code in the report is Python."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    x = np.tile(rng.normal(size=30).round(3), 2)
    frame = pd.DataFrame(
        {
            "id": range(60),
            "x": x,
            "again": x,
            "code": np.where(x > 1, -999, rng.integers(0, 4, 60)),
            "day": "2024-05-01",
        }
    )
    frame.assign(y=np.where(x > 0, "well", "ill")).to_csv("t.csv", index=False)
    assert main(["select", "t.csv", "--target", "y", "--max-features=1", "--folds=2", "--jobs=1", "--out=o"]) == 0
    page = (tmp_path / "o" / "report.html").read_text()
    text = html.unescape(re.sub(r"<style>.*?</style>|<pre>.*?</pre>|<[^>]+>", "", page, flags=re.DOTALL))
    for said in (text, capsys.readouterr().out):
        assert not ARGUMENT.search(said), ARGUMENT.search(said)
        for found in (
            "--keep id brings it back",
            "--keep again",
            "--empty -999 reads it",
            "--groups",
            "--max-features",
        ):
            assert found in said


@pytest.mark.parametrize("folder", ["select", "tables"])
def test_no_message_escapes(folder):
    """Every text of the source that names an argument is read, with names of columns in the place of fields."""
    escaped = []
    for path in sorted((Path(fslib.__file__).parent / folder).glob("*.py")):
        if path.name in ("doors.py", "files.py"):  # which write arguments on purpose: these rules, and code
            continue
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr):  # a docstring
                node.value = ast.Constant(0)
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                text = "".join(part.value if isinstance(part, ast.Constant) else "'some one'" for part in node.values)
                for part in node.values:
                    if isinstance(part, ast.Constant):
                        part.value = ""
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value.replace("{0!r}", "'some one'")
            else:
                continue
            if " " in text and re.search(rf"\b({'|'.join(OPTION_OF)})=", as_options(text)):
                escaped.append((path.name, as_options(text)))
    assert not escaped


@pytest.mark.parametrize("name", NAMES)
def test_names_survive_the_shell(name):
    found = parsed(shlex.split(as_options(f"Drop them: drop={[name, 'b']!r}.")[len("Drop them: ") : -1]))
    assert found.drop == [name, "b"]
    assert parsed(shlex.split(option("groups", name))).groups == name
    yaml = pytest.importorskip("yaml")
    assert yaml.safe_load(shlex.split(papermill_parameter("drop", [name]))[1]) == {"drop": [name]}
    assert shlex.split(papermill_parameter("groups", name)) == ["-p", "groups", name]


def test_names_of_features_are_no_arguments():
    for text in ("column 'task=labels' is odd", "chosen: 'groups=3', \"drop=['a']\"", "times=3 and subtext='a'"):
        assert as_options(text) == text


def test_the_notebook_is_told_parameters(ugly):
    with pytest.raises(ValueError, match="Proposed for papermill") as raised, in_parameters():
        read_table("ugly.csv", "kind")
    message = str(raised.value)
    with pytest.raises(TableError) as original:
        read_table("ugly.csv", "kind")
    yaml = pytest.importorskip("yaml")
    words = shlex.split(message.rpartition("papermill: ")[2])
    assert yaml.safe_load(words[words.index("-y") + 1]) == {"drop": original.value.drop}
    assert words[words.index("missing_target") - 1 :][:3] == ["-p", "missing_target", "drop_rows"]
    cell = re.search(r"cell of parameters: (.*)", message)[1]
    assert f"drop = {original.value.drop!r}" in cell and "missing_features = 'median'" in cell
    assert isinstance(raised.value.__context__, TableError) and raised.value.__suppress_context__
