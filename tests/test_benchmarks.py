"""What the benchmarks measure in processes of their own; times themselves are not tested."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))  # the benchmarks are no part of the package

from benchmarks import bayes, timing


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peak memory is read from /proc")
def test_peak_memory_is_that_of_the_fresh_process_alone():
    held = bytearray(b"1") * 200_000_000  # of this process, which starts the fresh one
    small = timing.peak_memory("pass")
    assert small < 60
    del held
    assert 95 < timing.peak_memory("held = bytearray(b'1') * 100_000_000") - small < 115


def test_import_time_counts_the_import_and_nothing_else(tmp_path, monkeypatch):
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(0.2)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert timing.import_seconds("slow", repeats=1) >= 0.2
    assert timing.import_seconds("sys", repeats=1) < 0.2


def test_memory_on_thrombin_is_shown_beside_its_target(monkeypatch, capsys):
    monkeypatch.setattr(bayes, "content_hash", lambda name: "0" * 64)
    used = iter([300, 900, 1073, 1075])
    monkeypatch.setattr(bayes, "peak_memory", lambda code: next(used))
    bayes.thrombin_memory()
    title, *lines = capsys.readouterr().out.strip().splitlines()
    assert "target: 1074 (1 GiB)" in title
    assert [line.split()[-3] for line in lines] == ["within", "within", "within", "above"]


def test_memory_on_thrombin_is_skipped_with_a_reason(monkeypatch, capsys):
    def nowhere(name):
        raise bayes.DataNotFoundError(f"{name} is not here; set FSLIB_DATA.")

    monkeypatch.setattr(bayes, "content_hash", nowhere)
    monkeypatch.setattr(bayes, "peak_memory", lambda code: pytest.fail("measured"))
    bayes.thrombin_memory()
    assert "skipped. thrombin is not here; set FSLIB_DATA." in capsys.readouterr().out
