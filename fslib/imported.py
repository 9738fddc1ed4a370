"""What this process has really imported: the hash of every source file, taken at the moment it was read.

A file on disk may be edited before or after a process reads it, and edited back. So results are keyed by the hash on
disk only where it equals the one noted here. Source is compiled as it was read, never taken from ``__pycache__``, whose
entries an edit within one second can leave behind.
"""

import hashlib
import json
import os
import sys
from importlib.machinery import SourceFileLoader

HASHES: dict[str, str] = {}
"""Module -> sha256 of the source that runs in this process."""

LOG = "FSLIB_IMPORTED"
"""Environment variable with the name of a file to which every process adds a line for each module it imports."""

_watched: set[str] = set()


class _Loader(SourceFileLoader):
    def get_code(self, fullname):
        path = self.get_filename(fullname)
        source = self.get_data(path)
        note(fullname, source)
        return self.source_to_code(source, path)


class _Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        """Find a module of a watched package as the other finders do; its source goes through `_Loader`."""
        if name.partition(".")[0] not in _watched:
            return None
        for finder in sys.meta_path:
            spec = None if finder is _Finder else finder.find_spec(name, path, target)
            if spec is not None:
                if type(spec.loader) is SourceFileLoader:
                    spec.loader = _Loader(spec.loader.name, spec.loader.path)
                return spec
        return None


def watch(package):
    """Note the source of all modules of a package that are imported from now on.

    Parameters
    ----------
    package : str
        Name of a top-level package.
    """
    if not _watched:
        sys.meta_path.insert(0, _Finder)
    _watched.add(package)


def note(module, source):
    """Note the source of a module.

    Parameters
    ----------
    module : str
    source : bytes
    """
    HASHES[module] = hashlib.sha256(source).hexdigest()
    if os.environ.get(LOG):
        handle = os.open(os.environ[LOG], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            os.write(handle, f"{json.dumps([module, HASHES[module]])}\n".encode())  # one write: lines do not mix
        finally:
            os.close(handle)


def read_log(path):
    """Read what processes with `LOG` have noted.

    Parameters
    ----------
    path : path-like
        Absent if nothing was imported.

    Returns
    -------
    list of (str, str)
        Module and hash, once per import. A line of any other form counts as an unknown module.
    """
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return [_pair(line) for line in file]
    except FileNotFoundError:
        return []


def _pair(line):
    try:
        module, sha256 = json.loads(line)
        return str(module), str(sha256)
    except (ValueError, TypeError):
        return "fslib.unknown", ""


def _note_these():
    """Note the package itself and the modules that were read before anybody watched."""
    for module in ("fslib", "fslib.starting", __name__):
        with open(sys.modules[module].__file__, "rb") as file:
            note(module, file.read())


watch("fslib")
_note_these()
