"""Counts what was tried and what survived, and prints it at the end."""

from collections import Counter

import pytest

TRIED, SURVIVED = Counter(), Counter()


@pytest.fixture
def drill():
    """``with drill("kill -9"): ...`` counts one try, and a survival if the block ends well."""

    class Drill:
        def __init__(self, name):
            self.name = name

        def __enter__(self):
            TRIED[self.name] += 1

        def __exit__(self, kind, error, trace):
            SURVIVED[self.name] += kind is None

    return Drill


def pytest_terminal_summary(terminalreporter):
    if TRIED:
        terminalreporter.section("drills")
    for name, tried in TRIED.items():
        terminalreporter.write_line(f"{name:40} tried {tried:3}  survived {SURVIVED[name]:3}")
