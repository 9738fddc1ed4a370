"""Temporary folders of running notebooks, which no end of a process leaves behind for good.

Each notebook has a folder of its own for all temporary files, its own and its kernel's. Its supervisor holds a lock on
it and removes it. Where even that was killed, the next run finds the folder unlocked and removes it, together with what
the processes that it names have left in shared memory.
"""

import contextlib
import fcntl
import glob
import os
import shutil
import tempfile
from pathlib import Path

import psutil

PREFIX = "fslib-run-"
PROCESSES = "processes"
"""File of a scratch folder: ids of the processes that have worked there, one a line."""

SHARED = ("/dev/shm/sem.loky-{}-*", "/dev/shm/joblib_memmapping_folder_{}_*")
"""Where joblib keeps semaphores and large arrays, named by the process that made them."""


@contextlib.contextmanager
def scratch_folder():
    """Yield the path of a new folder; it is gone after the block, with all that its processes left."""
    folder, handle = _locked_folder()
    try:
        yield folder
    finally:
        _clear(folder)
        os.close(handle)


def _locked_folder():
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        with contextlib.suppress(FileNotFoundError):
            handle = os.open(folder, os.O_RDONLY)
            fcntl.flock(handle, fcntl.LOCK_EX)
            if folder.exists():  # or the sweep of another run came between
                return folder, handle
            os.close(handle)


def note_process(folder, process):
    """Note the id of a process that works in a scratch folder."""
    with open(Path(folder) / PROCESSES, "a", encoding="utf-8") as file:
        file.write(f"{process}\n")


def sweep():
    """Remove scratch folders whose supervisors are dead, and what their processes left in shared memory."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            if path.is_symlink() or path.stat().st_uid != os.getuid():
                continue
            handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails while its supervisor lives
                _clear(path)
            finally:
                os.close(handle)


def _clear(folder):
    for process in _processes(folder):
        for pattern in SHARED:
            for path in glob.glob(pattern.format(process)):
                with contextlib.suppress(OSError):
                    shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
    shutil.rmtree(folder, ignore_errors=True)


def _processes(folder):
    """Ids of processes that have worked in a folder and are no more."""
    try:
        words = (folder / PROCESSES).read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError):
        return []
    return [int(word) for word in words if word.isdecimal() and not lives(int(word))]


def lives(process):
    """Whether a process is there and has not ended; one whose parent has not yet asked for its end has."""
    try:
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
