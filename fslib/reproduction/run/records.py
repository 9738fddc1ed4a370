"""What a run remembers of its notebooks: one table of what became of each, and a record of each that is done.

A run's folder may come from somebody else. Its files are data: every value is checked before it is used, and a path
that leads out of the folder is an error.
"""

import contextlib
import json

from fslib.files import write_text

STATUSES = ("done", "failed", "timeout", "skipped")

NUMBER, TEXT = (int, float), (str,)
TYPES = {
    "seconds": NUMBER,
    "cell": (int, type(None)),
    "error": (str, type(None)),
    "parameters": (dict,),
    "outputs": (list,),
    "stale": (bool,),
    "resumed": (bool,),
}
"""What an entry of status.json may hold; the last three may be missing."""

FACTS = {"commit": TEXT, "dirty": (bool,), "python": TEXT, "cpu": TEXT, "cores": (int, type(None)), "sha256": (dict,)}
"""What is read of manifest.json; each may be missing."""


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
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        said = f": {error}" if isinstance(error, _Unfit) else ""
        raise ValueError(
            f"{path} is broken ({type(error).__name__.lstrip('_')}{said}); run again with: fslib run --fresh"
        ) from error


class _Unfit(TypeError):
    """A value of another type than a run writes."""


def _check_types(values, types, where=""):
    if not isinstance(values, dict):
        raise _Unfit(f"{where or 'the content'} is not a table")
    for name, kinds in types.items():
        # a bool is an int to Python, and no number of seconds
        value = values.get(name)
        if name in values and (not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds)):
            raise _Unfit(f"{name} of {where or 'the run'} is {str(value)[:40]!r}")


def _check_entry(folder, name, ended):
    """Check one notebook's entry; its name and its outputs become paths."""
    _check_types(ended, TYPES, name)
    missing = {"status", "seconds", "cell", "error", "outputs"} - ended.keys()
    if missing or ended["status"] not in STATUSES:
        raise KeyError(f"{name}: {sorted(missing) or 'status'}")
    if not all(isinstance(output, str) for output in ended["outputs"]):
        raise _Unfit(f"outputs of {name}")
    folder.executed(name)
    folder.outputs(ended["outputs"])


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
        If the file is broken, or names a file outside the run.
    """
    with intact(folder.status):
        content = json.loads(folder.status.read_text(encoding="utf-8"))
        _check_types(content, {"profile": TEXT, "notebooks": (dict,)})
        profile, notebooks = content["profile"], content["notebooks"]
        if "/" in profile or "\\" in profile or profile in ("", ".", ".."):
            raise _Unfit(f"profile {profile!r}")
    for name, ended in notebooks.items():
        with intact(folder.status), _named(folder.status):
            _check_entry(folder, name, ended)
    return profile, notebooks


@contextlib.contextmanager
def _named(path):
    """Let a path that leads out of the run be an error that names the file in which it stands."""
    try:
        yield
    except ValueError as error:
        raise _Unfit(f"{error} It stands in {path}") from error


def read_manifest(folder):
    """Read what the report shows of manifest.json; empty if there is none.

    Parameters
    ----------
    folder : RunFolder

    Returns
    -------
    dict

    Raises
    ------
    ValueError
        If the file is broken.
    """
    if not folder.manifest.exists():
        return {}
    with intact(folder.manifest):
        content = json.loads(folder.manifest.read_text(encoding="utf-8"))
        _check_types(content, FACTS)
    return {"cores": None, **content}


def read_record(folder, name):
    """Key and entry of a finished notebook."""
    path = folder.record(name)
    with intact(path), _named(path):
        stored = json.loads(path.read_text(encoding="utf-8"))
        _check_types(stored, {"key": TEXT, "entry": (dict,)})
        _check_entry(folder, name, stored["entry"])
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


def write_status(folder, profile, notebooks):
    """Write status.json: the profile, and the entries by name."""
    content = {"profile": profile, "notebooks": dict(sorted(notebooks.items()))}
    write_text(folder.status, json.dumps(content, indent=1) + "\n")
