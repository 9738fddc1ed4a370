"""Which source files the result of a function can depend on, found by reading import statements."""

import ast
import functools
import hashlib
import importlib.util
from pathlib import Path

from fslib.imported import HASHES


def source_hash(function, *, running=False):
    """Hash of the source of all modules that a function's module imports from its own package.

    Parameters
    ----------
    function : callable
        Function of an importable module.
    running : bool
        Take the source that this process has imported, where it has noted that (`fslib.imported`), and not what stands
        on disk now. The two differ after an edit, until the process is started anew.

    Returns
    -------
    str
        sha256 over names and source of the static import closure: the module itself, what it imports (anywhere in the
        file, inside functions too), what those import, and the packages that contain them.

    Raises
    ------
    ValueError
        If the function lives in a notebook or script, where no source file can be named.
    """
    digest = hashlib.sha256()
    for name, sha256 in sorted(sources(function, running=running).items()):
        digest.update(f"{name} {sha256}\n".encode())
    return digest.hexdigest()


def sources(function, *, running=False):
    """Hashes of the single modules that `source_hash` is taken over.

    Parameters
    ----------
    function, running
        See `source_hash`.

    Returns
    -------
    dict of str to str
        Module -> sha256.

    Raises
    ------
    ValueError
        If the function is defined in a notebook or script, whose source cannot be followed.
    """
    if function.__module__ == "__main__":
        raise ValueError(f"{function.__qualname__} is defined in a notebook or script; move it into a module.")
    # What runs was imported with the import statements of then; and a worker asks again for every trial.
    module = function.__module__
    closure = _remembered_closure(module, _source_file(module), len(HASHES)) if running else _import_closure(module)
    return {
        name: (running and HASHES.get(name)) or hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in closure.items()
    }


@functools.cache
def _remembered_closure(module, path, n_imported):
    return _import_closure(module)


def _import_closure(module):
    """Modules that ``module`` imports, directly or not, inside its own package: names and files."""
    package, found, todo = module.partition(".")[0], {}, [module]
    while todo:
        name = todo.pop()
        if name in found or name.partition(".")[0] != package:
            continue
        path = _source_file(name)
        if path is None:  # ``from package import name`` where the name is a function or class
            continue
        found[name] = path
        todo += [name.rpartition(".")[0]] * ("." in name) + _imports(name, path)
    return found


def _source_file(name):
    """File of a module, without running it; None if there is no such module."""
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:  # a parent is a plain module, so ``name`` is one of its functions
        return None
    return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None


def _imports(name, path):
    """All names that a source file imports; for ``from a import b`` both a and a.b, one of which may be no module."""
    base = name if path.name == "__init__.py" else name.rpartition(".")[0]
    names = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = node.module or ""
            if node.level:
                start = importlib.util.resolve_name("." * node.level + start, base)
            names += [start] + [f"{start}.{alias.name}" for alias in node.names]
    return names
