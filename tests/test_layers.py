"""Nothing in fslib imports upward: a room imports only from its own floor and from floors below."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Bottom floor first. Rooms of one floor may import each other as long as no two do so both ways.
FLOORS = [
    {
        "base",
        "cells",
        "classes",
        "files",
        "imported",
        "inputs",
        "interrupts",
        "names",
        "parameters",
        "seeds",
        "starting",
        "tidy",
    },
    {"counts", "solvers", "datasets", "tables"},
    {"filters", "multiview", "multilabel", "imbalance", "correlated", "plotting"},
    {"evaluation"},
    {"reproduction", "select"},
    {"papers"},
    {"__main__"},
]
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
MODULES = sorted((ROOT / "fslib").rglob("*.py"))


def imported(path):
    """Full names of all fslib modules and members that a file imports, at its top or inside a function."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def upward(path, names):
    """Those of the names that lie on a higher floor than the file, and private members of other rooms."""
    room = path.relative_to(ROOT / "fslib").parts[0].removesuffix(".py")
    for name in names:
        top, _, rest = name.partition(".")
        if top != "fslib" or not rest:
            continue
        target, *inside = rest.split(".")
        if FLOOR[target] > FLOOR[room] or (target != room and any(part.startswith("_") for part in inside)):
            yield name


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_room_imports_from_floors_below_only(path):
    if path.parent == ROOT / "fslib" and path.name == "__init__.py":  # the package itself is below every floor
        assert not [
            name
            for name in imported(path)
            if name.split(".")[:2] not in (["fslib", "imported"], ["fslib", "starting"], ["fslib"])
        ]
        return
    assert not list(upward(path, imported(path)))


def test_an_upward_import_would_be_noticed():
    room = ROOT / "fslib" / "filters" / "bayes.py"
    assert list(upward(room, ["fslib.papers.bayes.items", "fslib.counts.counter", "numpy"])) == [
        "fslib.papers.bayes.items"
    ]
    assert list(upward(room, ["fslib.counts._hidden.thing"])) == ["fslib.counts._hidden.thing"]
    assert not list(upward(room, ["fslib.filters._own"]))


def imported_rooms():
    """The rooms of which each room imports something."""
    found = {room: set() for room in FLOOR}
    for path in MODULES:
        room = path.relative_to(ROOT / "fslib").parts[0].removesuffix(".py")
        tops = {name.split(".")[1] for name in imported(path) if name.startswith("fslib.")}
        found.setdefault(room, set()).update(tops & set(FLOOR) - {room})
    return found


def test_no_two_rooms_import_each_other_even_in_a_round():
    assert len(list(TopologicalSorter(imported_rooms()).static_order())) > len(FLOOR)
    with pytest.raises(CycleError):
        TopologicalSorter(imported_rooms() | {"evaluation": {"select"}}).prepare()


def test_benchmarks_use_public_names():
    for path in (ROOT / "benchmarks").glob("*.py"):
        assert not [name for name in imported(path) if name.startswith("fslib.") and "._" in name], path


def test_a_paper_has_no_imports_in_its_package():
    """The key of a stored trial hashes its module's packages: an import there would tie every trial to it."""
    for path in (ROOT / "fslib" / "papers").glob("*/__init__.py"):
        assert not list(imported(path)), path
