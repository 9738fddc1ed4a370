"""What the benchmarks measure in processes of their own; times themselves are not tested."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))  # the benchmarks are not part of the package

from benchmarks import timing


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peak memory is read from /proc")
def test_peak_memory_is_that_of_the_fresh_process_alone():
    held = bytearray(b"1") * 200_000_000  # of this process, which starts the fresh one
    small = timing.peak_memory("pass")
    assert small < 200, "what this process holds is not counted"
    del held
    assert 95 < timing.peak_memory("held = bytearray(b'1') * 100_000_000") - small < 115


def test_import_time_contains_what_the_module_does(tmp_path, monkeypatch):
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(0.2)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert timing.import_seconds("slow", repeats=1) >= 0.2
