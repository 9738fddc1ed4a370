"""Which source files the result of a function can depend on, found by reading import statements."""

import ast
import hashlib
import importlib.util
from pathlib import Path


def source_hash(function):
    """Hash of the source of all modules that a function's module imports from its own package.

    Parameters
    ----------
    function : callable
        Function of an importable module.

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
    if function.__module__ == "__main__":
        raise ValueError(f"{function.__qualname__} is defined in a notebook or script; move it into a module.")
    digest = hashlib.sha256()
    for name, path in sorted(_import_closure(function.__module__).items()):
        digest.update(f"{name}\n".encode() + path.read_bytes())
    return digest.hexdigest()


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
