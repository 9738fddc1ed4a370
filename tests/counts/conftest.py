"""Counts are tested twice: as NumPy makes them, and as the compiled kernels do."""

import pytest

from fslib.counts import compiled, counter, threads
from fslib.filters.search import partition


@pytest.fixture
def small(monkeypatch):
    """Kernels for tables of any size, and threads for few samples."""
    monkeypatch.setattr(compiled, "LARGE", 1)
    monkeypatch.setattr(threads, "_SHARE", 64)
    monkeypatch.setattr(counter, "_PIECE", 100)
    monkeypatch.setattr(partition, "_PART", 60)


@pytest.fixture(params=["NumPy", "compiled"])
def kernels(request):
    """Whether compiled kernels count, for tables of any size and with threads for few samples."""
    if request.param == "compiled":
        if compiled.load() is None:
            pytest.skip("Numba is not installed.")
        request.getfixturevalue("small")
    return request.param
