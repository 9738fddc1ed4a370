"""Which folders a run may use, and how they are cleared: only files that a run itself wrote are removed."""

import contextlib
import json
import os
import re
import shutil

from fslib.files import write_text
from fslib.reproduction.paths import OWN_FOLDERS, REFERENCE
from fslib.reproduction.run.records import read_manifest, read_status

MARK = "This folder is a run of `fslib run`. With --fresh, the files that its records name are erased.\n"

STORED_TRIAL = re.compile(r"[0-9a-f]{64}\.json")
LEFT_BEHIND = re.compile(r"\..*-[0-9a-f]{16}\.part(\..*)?")
"""What `fslib.files.atomic_path` leaves when its process is killed."""


def check_place(folder, fresh=False):
    """Check that a run may write to a folder and, for a fresh one, erase from it.

    Parameters
    ----------
    folder : RunFolder
    fresh : bool

    Raises
    ------
    ValueError
        For the reference run, for a folder that holds files but no run, and for a fresh run where the folder or its
        cache lies elsewhere and is only linked to.
    """
    real, reference = os.path.realpath(folder.path), os.path.realpath(REFERENCE)
    if folder.path.name.lower() == "reference" or os.path.commonpath([real, reference]) == reference:
        raise ValueError("The run `reference` is kept in git; only `make reference` writes it. Give --run NAME.")
    if folder.path.exists() and not folder.path.is_dir():
        raise ValueError(f"{folder.path} is a file, not a folder; give --run NAME.")
    for path in (folder.path, folder.cache) if fresh else ():
        if path.is_symlink():
            raise ValueError(
                f"{path} is a link to {os.path.realpath(path)}: nothing is erased there. Remove the link, or give "
                "--run NAME."
            )
    if folder.path.is_dir() and not is_run(folder):
        known = {folder.lock.name, folder.note.name}
        others = [n for n in sorted(os.listdir(folder.path)) if n not in known and not LEFT_BEHIND.fullmatch(n)]
        if others:
            raise ValueError(
                f"{folder.path} holds {', '.join(others[:5])} and no run of fslib: nothing is written or erased there. "
                "Give --run NAME."
            )


def is_run(folder):
    """Whether a folder bears the mark of a run, or the records of one that is older than the mark."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if folder.mark.read_text(encoding="utf-8") == MARK:
            return True
    with contextlib.suppress(OSError, ValueError):
        if "fslib" in read_manifest(folder).get("sha256", {}):
            return True
    with contextlib.suppress(OSError, ValueError):
        return bool(read_status(folder)[1])
    return False


def mark(folder):
    """Say in the folder that it is a run."""
    if not folder.mark.exists():
        write_text(folder.mark, MARK)


def erase(folder, planned=()):
    """Remove what a run wrote: what its records name, its stored trials, staging, logs and pages.

    Parameters
    ----------
    folder : RunFolder
        Other files in it stay.
    planned : iterable of str
        Notebooks of the new run, whose records count as the run's own even if they are broken.
    """
    for name in sorted(_names(folder) | set(planned)):
        own = (folder.executed, folder.part, folder.page, folder.log, folder.record)
        for path in (place(name) for place in own):
            path.unlink(missing_ok=True)
        _remove_tree(folder.staging(name))
    for path in _stored_trials(folder):
        path.unlink(missing_ok=True)
    for path in (folder.status, folder.manifest, folder.report):
        path.unlink(missing_ok=True)
    for inside in (*OWN_FOLDERS, "tables", "figures", "claims", "judged"):
        _prune(folder.path / inside)


def sweep(folder):
    """Remove half-written files of a run that was killed; those in the cache may be another run's, at work now."""
    for path in folder.path.rglob(".*.part*"):
        if LEFT_BEHIND.fullmatch(path.name) and path.relative_to(folder.path).parts[0] != folder.cache.name:
            path.unlink(missing_ok=True)


def _names(folder):
    """Notebooks that the records of a run name; on the way, the files that these notebooks made are removed.

    A record that cannot be read, or that names a file outside the run, counts for nothing: what it names stays.
    """
    names = set()
    with contextlib.suppress(OSError, ValueError):
        for name, ended in read_status(folder)[1].items():
            names.add(name)
            _unlink(folder, ended["outputs"])
    notebooks = folder.path / "notebooks"
    for path in sorted(notebooks.rglob("*.json")) if not notebooks.is_symlink() else ():
        name = path.relative_to(notebooks).with_suffix("").as_posix()
        with contextlib.suppress(OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            stored = json.loads(path.read_text(encoding="utf-8"))
            if set(stored) == {"key", "entry"}:
                names.add(name)
                _unlink(folder, stored["entry"]["outputs"])
    return {name for name in names if _is_inside(folder, name)}


def _is_inside(folder, name):
    try:
        for path in (folder.executed, folder.part, folder.page, folder.log, folder.staging, folder.record):
            path(name)
    except ValueError:
        return False
    return True


def _unlink(folder, outputs):
    for path in folder.outputs(outputs):
        path.unlink(missing_ok=True)


def _stored_trials(folder):
    """Files of finished trials in the run's own cache."""
    if folder.cache.is_symlink() or not folder.cache.is_dir():
        return []
    stores = [path for path in folder.cache.glob("*/*") if not path.parent.is_symlink()]
    return [path for path in stores if STORED_TRIAL.fullmatch(path.name) or LEFT_BEHIND.fullmatch(path.name)]


def _remove_tree(path):
    if path.is_symlink():
        path.unlink()
    elif path.is_dir():
        shutil.rmtree(path)


def _prune(path):
    """Remove folders without files, from the leaves up."""
    if path.is_symlink() or not path.is_dir():
        return
    for inside in path.iterdir():
        _prune(inside)
    with contextlib.suppress(OSError):
        path.rmdir()
