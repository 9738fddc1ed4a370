"""Counts are tested twice: as NumPy makes them, and as the compiled kernels do."""

import pytest

from fslib.counts import compiled, threads


@pytest.fixture(params=["NumPy", "compiled"])
def kernels(request, monkeypatch):
    """Whether compiled kernels count, for tables of any size and with threads for few samples."""
    if request.param == "compiled":
        if compiled.load() is None:
            pytest.skip("Numba is not installed.")
        monkeypatch.setattr(compiled, "LARGE", 1)
        monkeypatch.setattr(threads, "_SHARE", 64)
    return request.param
