from argparse import ArgumentParser

import pytest

from fslib.datasets import cli, copies
from fslib.datasets.cli import add_parser


def run(*words):
    parser = ArgumentParser()
    add_parser(parser.add_subparsers())
    arguments = parser.parse_args(["data", *words])
    return arguments.function(arguments)


def test_list_shows_size_and_place(capsys):
    assert run("list", "--paper", "bayes") == 0
    lines = {line.split()[0]: line.split()[1:] for line in capsys.readouterr().out.splitlines()}
    assert lines["adult"][:3] == ["48842", "123", "bundled"]
    assert "OpenML" in lines["gisette"]
    assert "mfeat" not in lines


def test_fetch_prints_the_path_or_the_one_error(capsys):
    assert run("fetch", "glass") == 0
    assert capsys.readouterr().out.strip() == str(copies.DATA / "glass.npz")
    assert run("fetch", "bookmarks") == 1
    assert "not available" in capsys.readouterr().out


@pytest.mark.parametrize("problem", ["", "x.npz is damaged"])
def test_verify_fails_if_a_copy_is_damaged(capsys, monkeypatch, problem):
    monkeypatch.setattr(cli, "verify", lambda: iter([("a", "bundled", ""), ("x", "mirror", problem)]))
    assert run("verify") == bool(problem)
    assert capsys.readouterr().out.strip().endswith(f"2 copies read, {int(bool(problem))} damaged.")
