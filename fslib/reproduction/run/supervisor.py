"""Start the process of one notebook, keep its log in bounds, and end all it has started, however it ends.

``python -m fslib.reproduction.run.supervisor LOG JOB.json`` is what `fslib.reproduction.run.runner` starts. It does
next to nothing itself, so it answers at once where the notebook's own process is busy. It ends everything when its
standard input closes, which the system does for a runner that dies, even by ``kill -9``.
"""

import contextlib
import ctypes
import os
import selectors
import signal
import subprocess
import sys
import time

import psutil

from fslib.reproduction.run.scratch import lives, note_process, scratch_folder

HEAD, TAIL = 2_000_000, 500_000
"""Bytes of a log that are kept from its beginning and from its end, where the error stands."""

PATIENCE = 20.0
"""Seconds that killed processes are given to end; one that waits for a broken disk may never."""

_SUBREAPER, _DEATH_SIGNAL = 36, 1  # of prctl(2)


def end_with(process):
    """End a process and all it started: kernel and workers, which live in sessions of their own.

    Parameters
    ----------
    process : int
        Process id.
    """
    with contextlib.suppress(psutil.NoSuchProcess):
        top = psutil.Process(process)
        end_descendants(top)
        top.kill()


def end_descendants(top):
    """End all that a process has started, and what these start while they are being ended.

    Parameters
    ----------
    top : psutil.Process

    Returns
    -------
    set of int
        Their ids.
    """
    ended: set[int] = set()
    quiet, until = 0, time.monotonic() + PATIENCE
    # Twice, because a process that is handed on to another parent at this moment is in nobody's list.
    while quiet < 2 and time.monotonic() < until:
        family = [member for member in top.children(recursive=True) if lives(member.pid)]
        ended |= {member.pid for member in family}
        for member in family:
            with contextlib.suppress(psutil.NoSuchProcess):
                member.kill()
        quiet = 0 if family or any(map(lives, ended)) else quiet + 1
        time.sleep(0.02)
    return ended


def supervise(command, log, environment, runner):
    """Run a command, with a scratch folder for its temporary files.

    Parameters
    ----------
    command : list of str
    log : path-like
        Gets what the command and all it starts print.
    environment : dict
    runner : int
        File descriptor that closes when the runner is gone.

    Returns
    -------
    int
        Exit code, negative for a signal.
    """
    _prctl(_SUBREAPER, 1)  # what loses its parent becomes a child of this process, and is ended with the rest
    me = psutil.Process()
    with scratch_folder() as scratch, open(log, "wb", buffering=0) as file:
        places = {"TMPDIR": str(scratch), "IPYTHONDIR": str(scratch / "ipython"), "FSLIB_SCRATCH": str(scratch)}
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        process = subprocess.Popen(command, env=environment | places, start_new_session=True, **streams)
        try:
            note_process(scratch, process.pid)
            _copy(process, file, runner)
        finally:
            for member in end_descendants(me):
                note_process(scratch, member)
            code = process.wait()
            _reap()
        return code


def _copy(process, file, runner):
    """Copy what a process prints until it ends, or the runner does."""
    log = _Log(file)
    os.set_blocking(process.stdout.fileno(), False)
    with selectors.DefaultSelector() as ready:
        ready.register(process.stdout, selectors.EVENT_READ)
        ready.register(runner, selectors.EVENT_READ)
        while True:
            ended = process.poll() is not None
            found = [key.fileobj for key, _ in ready.select(0 if ended else 0.2)]
            if runner in found and not os.read(runner, 1):
                break
            if process.stdout in found:
                block = os.read(process.stdout.fileno(), 1 << 16)
                log.write(block)
                if not block:
                    ready.unregister(process.stdout)
            elif ended:
                break
    log.close()


class _Log:
    """The beginning and the end of what is written."""

    def __init__(self, file):
        self.file, self.tail, self.kept, self.cut = file, b"", 0, 0

    def write(self, block):
        head = block[: HEAD - self.kept]
        self.file.write(head)
        self.kept += len(head)
        self.tail += block[len(head) :]
        beyond = max(0, len(self.tail) - TAIL)
        self.cut += beyond
        self.tail = self.tail[beyond:]

    def close(self):
        if self.cut:
            self.file.write(f"\n[{self.cut:,} bytes of the log are cut here]\n".encode())
        self.file.write(self.tail)


def _reap():
    """Take the exit codes of processes that came to this one when their parents ended."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _prctl(option, value):
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def die_with_parent():
    """Let the system end this process when its parent ends; called by the notebook's own process."""
    _prctl(_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() == 1:  # it ended before
        os.kill(os.getpid(), signal.SIGKILL)


def main(log, job_file):
    """Run the worker on a job and exit as it does."""
    command = [sys.executable, "-m", "fslib.reproduction.run.worker", job_file]
    return supervise(command, log, dict(os.environ), sys.stdin.fileno())


if __name__ == "__main__":
    code = main(*sys.argv[1:])
    sys.exit(code if code >= 0 else 128 - code)
