"""What a run depends on: keys that say whether a finished notebook still holds, and a record of the machine."""

import hashlib
import json
import os
import platform
import subprocess
from importlib.metadata import distributions
from pathlib import Path

import threadpoolctl

from fslib.files import sha256_of, write_text
from fslib.reproduction.paths import DATA, ROOT

PLACES = {"results_dir", "cache_dir", "n_jobs", "scheduler"}
"""Parameters that say where and how fast, not what: they leave the numbers as they are."""


def source_sha256():
    """Hash of the library: names and contents of all its files."""
    return _tree_sha256(ROOT / "fslib", skip={"__pycache__"})


def data_sha256():
    """Hash of the data at hand.

    Bundled files count by content. Files of the mirror and downloads count by name and size: the loader refuses a file
    whose checksum is not the one in its registry, and the registry is part of the library.
    """
    digest = hashlib.sha256(_tree_sha256(DATA, skip={"downloads"}).encode())
    for folder in (os.environ.get("FSLIB_DATA"), DATA / "downloads"):
        if folder and Path(folder).is_dir():
            found = sorted((path.name, path.stat().st_size) for path in Path(folder).glob("*.npz"))
            digest.update(json.dumps(found).encode())
    return digest.hexdigest()


def lock_sha256():
    """Hash of the lock file, which pins every package."""
    return sha256_of(ROOT / "requirements.lock")


def surroundings():
    """All that every notebook of a run depends on, as one hash; computed once per run."""
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
        From `surroundings`.

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
    files = [folder / value for value in values.values() if isinstance(value, str) and value]
    contents = sha256_of(*(path for path in files if path.is_file()))
    return hashlib.sha256(json.dumps([cells, values, contents, around], sort_keys=True).encode()).hexdigest()


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
