"""Publish the results of a notebook, all or none: moved into the run at its end, removed when it runs again."""

import contextlib
import json
import os
import shutil

import psutil
from filelock import FileLock, Timeout

from fslib.files import write_text
from fslib.reproduction.run.records import read_record


@contextlib.contextmanager
def only_runner(folder):
    """Hold a run's folder for this process, so that two runs do not mix their files.

    The system holds the lock and releases it however the process ends; runner.json only says who it is.

    Parameters
    ----------
    folder : RunFolder

    Raises
    ------
    ValueError
        If another process is using it.
    """
    folder.path.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder.lock, timeout=0)
    try:
        lock.acquire()
    except (Timeout, RuntimeError) as error:  # held by another process, or by this one
        raise ValueError(f"{_holder(folder)} is running into {folder.path}; wait, or give --run NAME.") from error
    try:
        write_text(folder.note, json.dumps({"process": os.getpid(), "begun": psutil.Process().create_time()}))
        yield
    finally:
        folder.note.unlink(missing_ok=True)
        lock.release()


def _holder(folder):
    with contextlib.suppress(OSError, ValueError, LookupError, TypeError):
        return f"Process {int(json.loads(folder.note.read_text(encoding='utf-8'))['process'])}"
    return "Another process"


def results_folder(folder, name):
    """Return the folder that a notebook of a run gets as ``results_dir``."""
    return (folder.staging(name) / "results").resolve()


def publish(folder, job, ended, others):
    """Move what a notebook made into the run and record it; the record comes last and makes it count.

    Parameters
    ----------
    folder : RunFolder
    job : Job
    ended : dict
        Its entry, with status "done".
    others : dict
        Entries of the other notebooks, which own their files.

    Returns
    -------
    dict
        The entry with its outputs; failed if a file belongs to another notebook or to the runner, or if what the
        notebook read is not what its key was taken from.
    """
    results = results_folder(folder, job.name)
    made = sorted(path.relative_to(results).as_posix() for path in results.rglob("*") if path.is_file())
    failed = {**ended, "status": "failed"}
    for name, other in others.items():
        shared = set(made) & set(other["outputs"])
        if name != job.name and shared:
            return {**failed, "error": f"{name} writes {sorted(shared)} as well; one item, one notebook"}
    try:
        targets = folder.outputs(made)
    except ValueError as error:
        return {**failed, "error": str(error)}
    changed, grown, stale = job.changes(folder.staging(job.name) / "imported")
    if changed:
        return {**failed, "error": f"{', '.join(changed[:5])} changed after the run had begun; run again"}
    for file, target in zip(made, targets, strict=True):
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(results / file, target)
    os.replace(folder.part(job.name), folder.executed(job.name))
    ended = {**ended, "outputs": made}
    # Numbers that may or may not come from data that arrived meanwhile are shown, and have no key.
    key = "" if grown else job.key
    write_text(folder.record(job.name), json.dumps({"key": key, "entry": ended}, indent=1) + "\n")
    shutil.rmtree(folder.staging(job.name))
    return {**ended, "stale": True} if stale else ended


def withdraw(folder, name):
    """Remove what an earlier run of a notebook left, so that a failure now cannot hide behind old numbers."""
    record = folder.record(name)
    outputs = read_record(folder, name)[1]["outputs"] if record.exists() else []
    for path in (record, folder.executed(name), folder.part(name), *folder.outputs(outputs)):
        path.unlink(missing_ok=True)
    shutil.rmtree(folder.staging(name), ignore_errors=True)


def finished(folder, job):
    """Entry of a notebook that an earlier run finished.

    Parameters
    ----------
    folder : RunFolder
    job : Job

    Returns
    -------
    dict or None
        None if there is no whole result. ``resumed`` marks the entry as an earlier one, ``stale`` says that notebook,
        parameters, library or data have changed since.

    Raises
    ------
    ValueError
        If its record is broken, or names a file outside the run.
    """
    if not folder.record(job.name).exists():
        return None
    key, ended = read_record(folder, job.name)
    if not all(path.exists() for path in (folder.executed(job.name), *folder.outputs(ended["outputs"]))):
        return None
    return {**ended, "resumed": True, "stale": key != job.key}
