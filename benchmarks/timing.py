"""Median wall time of repeats, peak memory of a fresh process, and the table that shows them."""

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Peer:
    """Another program for the same or nearly the same work; ``note`` says what differs."""

    name: str
    run: Callable[[], object]
    note: str = ""


@dataclass(frozen=True)
class Work:
    """One row: what is timed, what the paper needed, who else does it.

    ``paper`` is in seconds, None if the paper has no number.
    """

    name: str
    run: Callable[[], object]
    paper: float | None = None
    peers: list[Peer] = field(default_factory=list)


def median_seconds(run, *, repeats=5, enough=10.0):
    """Median wall and CPU time and number of repeats; stops early once ``enough`` seconds have been spent."""
    wall, cpu = [], []
    while len(wall) < repeats and sum(wall) < enough:
        start = time.perf_counter(), time.process_time()
        run()
        wall.append(time.perf_counter() - start[0])
        cpu.append(time.process_time() - start[1])
    return statistics.median(wall), statistics.median(cpu), len(wall)


def peak_memory(code):
    """Peak resident memory in MB of a fresh Python that runs ``code``: interpreter, libraries, input and all."""
    # Not ru_maxrss: a child starts with its parent's. Linux keeps the high-water mark of the process itself here.
    report = "print(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1])"
    done = subprocess.run([sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1]) * 1024 / 1e6


def import_seconds(module, *, repeats=5):
    """Median wall time that a fresh Python spends on importing a module and all that it needs."""
    code = f"import time; start = time.perf_counter(); import {module}; print(time.perf_counter() - start)"
    command = [sys.executable, "-c", code]
    return statistics.median(float(subprocess.check_output(command, text=True)) for _ in range(repeats))


def machine():
    """One line about where the numbers come from."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    return f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores, load {load:.1f} at start"


def print_table(title, works, *, repeats, with_peers):
    """Time every work and print a line as soon as it is known."""
    print(f"\n{title}\n{'':52s}{'seconds':>10s}{'CPU s':>10s}{'runs':>6s}{'paper':>10s}{'ratio':>8s}")
    for work in works:
        seconds, cpu, runs = median_seconds(work.run, repeats=repeats)
        paper = f"{work.paper:10.2f}{work.paper / seconds:8.0f}" if work.paper else ""
        print(f"{work.name:52s}{seconds:10.4f}{cpu:10.4f}{runs:6d}{paper}", flush=True)
        for peer in work.peers if with_peers else ():
            theirs, cpu, runs = median_seconds(peer.run, repeats=repeats)
            ratio = f"{theirs / seconds:8.1f}"
            print(f"    {peer.name:48s}{theirs:10.4f}{cpu:10.4f}{runs:6d}{'':10s}{ratio}  {peer.note}", flush=True)
