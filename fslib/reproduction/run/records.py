"""What a run remembers of its notebooks: whole results or none, and one table of what became of each."""

import contextlib
import json
import os
import shutil

import psutil

from fslib.files import write_text

STATUSES = ("done", "failed", "timeout", "skipped")


@contextlib.contextmanager
def intact(path):
    """Turn whatever goes wrong while a file of a run is read into one sentence that says what to do.

    Parameters
    ----------
    path : pathlib.Path
        The file that is read within the block.

    Raises
    ------
    ValueError
        If the block fails because of what the file holds or lacks.

    Examples
    --------
    >>> with intact("quick/status.json"):
    ...     json.loads("{")["notebooks"]
    Traceback (most recent call last):
    ValueError: quick/status.json is broken (JSONDecodeError); run again with: fslib run --fresh
    """
    try:
        yield
    except FileNotFoundError as error:
        raise ValueError(f"{path} is missing; run again with: fslib run --fresh") from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is broken ({type(error).__name__}); run again with: fslib run --fresh") from error


def read_status(folder):
    """Read what `write_status` wrote.

    Parameters
    ----------
    folder : RunFolder

    Returns
    -------
    profile : str
    notebooks : dict
        Notebook -> its entry.

    Raises
    ------
    ValueError
        If the file is broken.
    """
    with intact(folder.status):
        content = json.loads(folder.status.read_text(encoding="utf-8"))
        for ended in content["notebooks"].values():
            if ended["status"] not in STATUSES or not {"seconds", "cell", "error"} <= set(ended):
                raise KeyError("entry")
            _check_outputs(ended)
        return str(content["profile"]), content["notebooks"]


def _check_outputs(ended):
    if not isinstance(ended["outputs"], list) or not all(isinstance(name, str) for name in ended["outputs"]):
        raise TypeError("outputs")


def _read_record(path):
    """Key and entry of a finished notebook."""
    with intact(path):
        stored = json.loads(path.read_text(encoding="utf-8"))
        _check_outputs(stored["entry"])
        return stored["key"], stored["entry"]


def entry(status, job, seconds=0.0, cell=None, error=None, outputs=()):
    """One notebook's line in status.json.

    Parameters
    ----------
    status : str
        One of `STATUSES`; "skipped" means not run yet, because the run was stopped.
    job : Job
    seconds : float
    cell : int or None
        Number of the code cell where it stopped.
    error : str or None
    outputs : sequence of str
        Files below the run's folder that the notebook made.

    Returns
    -------
    dict
    """
    parameters = {name: value for name, value in job.parameters.items() if name not in ("results_dir", "cache_dir")}
    return {
        "status": status,
        "seconds": seconds,
        "cell": cell,
        "error": error,
        "parameters": parameters,
        "outputs": list(outputs),
    }


@contextlib.contextmanager
def only_runner(folder):
    """Hold a run's folder for this process, so that two runs do not mix their files.

    The note of a killed process does not count: its number and start time belong to no living one.

    Parameters
    ----------
    folder : RunFolder

    Raises
    ------
    ValueError
        If another process is at it.
    """
    note = folder.path / "runner.json"
    if note.exists():
        other = json.loads(note.read_text(encoding="utf-8"))
        with contextlib.suppress(psutil.NoSuchProcess):
            if psutil.Process(other["process"]).create_time() == other["begun"]:
                raise ValueError(f"Process {other['process']} is running into {folder.path}; wait, or give --run NAME.")
    write_text(note, json.dumps({"process": os.getpid(), "begun": psutil.Process().create_time()}))
    try:
        yield
    finally:
        note.unlink(missing_ok=True)


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
        The entry with its outputs; failed if a file belongs to another notebook.
    """
    results = results_folder(folder, job.name)
    made = sorted(path.relative_to(results).as_posix() for path in results.rglob("*") if path.is_file())
    for name, other in others.items():
        shared = set(made) & set(other["outputs"])
        if name != job.name and shared:
            return {
                **ended,
                "status": "failed",
                "error": f"{name} writes {sorted(shared)} as well; one item, one notebook",
            }
    for file in made:
        (folder.path / file).parent.mkdir(parents=True, exist_ok=True)
        os.replace(results / file, folder.path / file)
    os.replace(folder.part(job.name), folder.executed(job.name))
    ended = {**ended, "outputs": made}
    write_text(folder.record(job.name), json.dumps({"key": job.key, "entry": ended}, indent=1) + "\n")
    shutil.rmtree(folder.staging(job.name))
    return ended


def withdraw(folder, name):
    """Remove what an earlier run of a notebook left, so that a failure now cannot hide behind old numbers."""
    record = folder.record(name)
    outputs = _read_record(record)[1]["outputs"] if record.exists() else []
    for path in (record, folder.executed(name), folder.part(name), *(folder.path / file for file in outputs)):
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
        If its record is broken.
    """
    record = folder.record(job.name)
    if not record.exists():
        return None
    key, ended = _read_record(record)
    files = [folder.executed(job.name), *(folder.path / file for file in ended["outputs"])]
    if not all(path.exists() for path in files):
        return None
    return {**ended, "resumed": True, "stale": key != job.key}


def write_status(folder, profile, notebooks):
    """Write status.json: the profile, and the entries by name."""
    content = {"profile": profile, "notebooks": dict(sorted(notebooks.items()))}
    write_text(folder.status, json.dumps(content, indent=1) + "\n")
