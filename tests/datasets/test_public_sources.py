"""Addresses of data sets that fslib does not fetch: in one list, shown where they help, never taken for a download."""

import re

import pytest

from fslib.datasets import DataNotFoundError, cli, copies, load
from fslib.datasets.registry import entries

PUBLIC = {name: record.public for name, record in entries().items() if record.public}


def test_the_table_of_the_readme_is_that_of_the_registry():
    text = (copies.DATA / "README.md").read_text(encoding="utf-8")
    section = text.split("### Public sources")[1].split("\n## ")[0]
    table = dict(re.findall(r"^\| (\w+) \| (.+) \|$", section, re.M))
    table.pop("data set", None)
    assert {name: address for name, address in table.items() if name in entries()} == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_a_source_is_for_sets_that_are_neither_bundled_nor_fetched(name):
    record = entries()[name]
    assert record.mirror and not (record.bundled or record.openml or record.unavailable)


def test_the_error_names_the_source(monkeypatch):
    monkeypatch.delenv("FSLIB_DATA", raising=False)
    with pytest.raises(DataNotFoundError, match=r"Its source is https://doi.org/10.24432/C5V011 \(UCI\)"):
        load("Ads")


def test_the_list_says_public_and_not_that_it_can_be_fetched(monkeypatch, capsys):
    monkeypatch.delenv("FSLIB_DATA", raising=False)
    from argparse import ArgumentParser

    parser = ArgumentParser()
    cli.add_parser(parser.add_subparsers())
    arguments = parser.parse_args(["data", "list"])
    arguments.function(arguments)
    where = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert re.search(r"\bpublic +recorded\b", where["mushroom"])
    assert " - " in where["mlmlfs_birds"] and "public" not in where["mlmlfs_birds"]
