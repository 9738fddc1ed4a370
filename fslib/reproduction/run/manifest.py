"""What a run depends on: keys that say whether a finished notebook still holds, and a record of the machine."""

import hashlib
import json
import os
import platform
import subprocess
from dataclasses import dataclass, field
from importlib.metadata import distributions
from pathlib import Path

import threadpoolctl

from fslib.files import sha256_of, write_text
from fslib.reproduction.paths import DATA, ROOT

PLACES = {"results_dir", "cache_dir", "n_jobs", "scheduler"}
"""Parameters that say where and how fast, not what: they leave the numbers as they are."""


@dataclass(frozen=True)
class Surroundings:
    """All that every notebook of a run depends on, as it was when the run was planned."""

    key: str
    """One hash of everything."""
    modules: dict = field(default_factory=dict, repr=False)
    """Module of the library -> sha256 of its source."""
    files: dict = field(default_factory=dict, repr=False)
    """Other files that a notebook may read -> `state`: data, and what the library holds beside its source."""


def source_sha256():
    """Hash of the library: names and contents of all its files."""
    return _tree_sha256(ROOT / "fslib", skip={"__pycache__"})


def data_sha256():
    """Hash of the data on this machine.

    Bundled files count by content. Files of the mirror and downloads count by name and size: the loader refuses a file
    whose checksum is not the one in its registry, and the registry is part of the library.
    """
    digest = hashlib.sha256(_tree_sha256(DATA, skip={"downloads"}).encode())
    for folder in _data_folders():
        found = sorted((path.name, path.stat().st_size) for path in folder.glob("*.npz"))
        digest.update(json.dumps(found).encode())
    return digest.hexdigest()


def lock_sha256():
    """Hash of the lock file, which pins every package."""
    return sha256_of(ROOT / "requirements.lock")


def surroundings():
    """Take the key of all that every notebook of a run depends on, and the state of its files.

    Returns
    -------
    Surroundings
    """
    files = _states()  # first: what changes while the hashes are taken then counts as changed
    package = ROOT / "fslib"
    modules = {_module(path): sha256_of(path) for path in sorted(package.rglob("*.py"))}
    return Surroundings(_key(), modules, files)


def changes(planned, imported, inputs):
    """List the modules and files that a notebook used and that differ from those of its key.

    Parameters
    ----------
    planned : Surroundings
    imported : list of (str, str)
        Modules that the notebook's processes imported, and the hashes of their source: `fslib.imported.read_log`.
    inputs : dict of Path to tuple or None
        Files of the notebook alone -> their `state` when the run was planned.

    Returns
    -------
    changed : list of str
        Modules and files that differ, or for a time differed, from the planned ones: the numbers may come from these.
    grown : bool
        Whether there are more files now, such as data that the notebook fetched. It may or may not have read them.
    """
    changed = [m for m, sha256 in imported if m.partition(".")[0] == "fslib" and planned.modules.get(m) != sha256]
    now = _states() if planned.files else {}
    changed += [_short(path) for path, was in planned.files.items() if now.get(path) != was]
    changed += [_short(path) for path, was in inputs.items() if state(path) != was]
    return sorted(set(changed)), now.keys() != planned.files.keys()


def state(path):
    """Identity, size and times of a file; every write changes them, even one that restores the content. None if absent.

    Links are followed. The time of the last status change is included because, unlike the others, it cannot be set.
    """
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _states():
    """Path -> state of every file beside the library's source that the surroundings consist of."""
    beside = (path for path in (ROOT / "fslib").rglob("*") if path.suffix != ".py" and "__pycache__" not in path.parts)
    data = (path for path in DATA.rglob("*") if "downloads" not in path.relative_to(DATA).parts)
    arrays = (path for folder in _data_folders() for path in folder.glob("*.npz"))
    return {path: state(path) for path in (*beside, *data, *arrays) if path.is_file()}


def _data_folders():
    folders = [Path(folder) for folder in (os.environ.get("FSLIB_DATA"), DATA / "downloads") if folder]
    return [folder for folder in folders if folder.is_dir()]


def _module(path):
    """Name of a module of the library."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _short(path):
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path)


def _key():
    parts = [source_sha256(), data_sha256(), lock_sha256(), platform.python_version()]
    return hashlib.sha256("".join(parts).encode()).hexdigest()


def notebook_key(notebook, parameters, folder, around):
    """Key under which a finished notebook is skipped.

    Parameters
    ----------
    notebook : NotebookNode
    parameters : dict
        All values, defaults included.
    folder : Path
        Folder of the notebook. A text parameter that names an existing file counts with the file's content.
    around : str
        Key of the `Surroundings`.

    Returns
    -------
    str
        64 hexadecimal digits.

    Examples
    --------
    >>> from nbformat import v4
    >>> empty = v4.new_notebook()
    >>> notebook_key(empty, {"n_jobs": 1}, Path(), "") == notebook_key(empty, {"n_jobs": 2}, Path(), "")
    True
    >>> notebook_key(empty, {"seed": 1}, Path(), "") == notebook_key(empty, {"seed": 2}, Path(), "")
    False
    """
    cells = [[cell.cell_type, cell.source, cell.metadata.get("tags", [])] for cell in notebook.cells]
    values = {name: value for name, value in parameters.items() if name not in PLACES}
    contents = [[path.name, sha256_of(path)] for path in input_files(parameters, folder) if _is_file(path)]
    return hashlib.sha256(json.dumps([cells, values, contents, around], sort_keys=True).encode()).hexdigest()


def input_files(parameters, folder):
    """List the files that belong to a notebook alone: what its parameters may name, and modules that lie beside it.

    Parameters
    ----------
    parameters : dict
    folder : Path
        Folder of the notebook.

    Returns
    -------
    list of Path
        Those that a parameter may name need not exist.
    """
    values = [value for name, value in parameters.items() if name not in PLACES]
    texts = [text for value in values for text in _texts(value)]
    named = [folder / text for text in texts if text and "\0" not in text]
    return named + sorted([*folder.glob("*.py"), *folder.glob("*/*.py")])


def _texts(value):
    """Every text within a parameter's value."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = value.values()
    return [text for part in value for text in _texts(part)] if isinstance(value, list | type({}.values())) else []


def _is_file(path):
    try:
        return path.is_file()
    except OSError:  # a text that is too long for a name
        return False


def write_manifest(path, **facts):
    """Write what may differ between two runs with equal numbers, or explain why their numbers differ.

    Parameters
    ----------
    path : path-like
    **facts
        What the caller knows: profile, jobs, threads.
    """
    here = {
        **facts,
        "commit": _git("rev-parse", "HEAD"),
        "dirty": bool(_git("status", "--porcelain", "--untracked-files=no")),
        "sha256": {"fslib": source_sha256(), "data": data_sha256(), "lock": lock_sha256()},
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "packages": dict(sorted((d.metadata["Name"], d.version) for d in distributions())),
        "threadpools": [{k: v for k, v in pool.items() if k != "filepath"} for pool in threadpoolctl.threadpool_info()],
    }
    write_text(path, json.dumps(here, indent=1) + "\n")


def _tree_sha256(folder, skip):
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not skip & set(path.relative_to(folder).parts):
            digest.update(f"{path.relative_to(folder).as_posix()}\n{sha256_of(path)}\n".encode())
    return digest.hexdigest()


def _git(*arguments):
    """Output of a git command, or empty where there is no git or no repository (an unpacked archive)."""
    try:
        done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def _cpu():
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
