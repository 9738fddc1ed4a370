"""Parameters of notebooks: what the tagged cell declares, what a profile overrides, and whether the two fit."""

import ast
import tomllib
from pathlib import Path

import nbformat

TYPES = {kind.__name__: kind for kind in (int, float, bool, str, list, dict)}
"""Papermill reports any other annotation as an unknown parameter, and YAML and JSON carry no other type."""


def read_text(path):
    """Text of a notebook's file; raises ValueError if it is not text."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not a notebook: it is not text in UTF-8.") from error


def read_notebook(path, text=None):
    """Read a notebook as format 4.

    Parameters
    ----------
    path : path-like
    text : str, optional
        Its text, where that has been read.

    Returns
    -------
    NotebookNode

    Raises
    ------
    ValueError
        For a file that is not a notebook, or one that is not in Python.
    """
    try:
        notebook = nbformat.reads(read_text(path) if text is None else text, as_version=4)
        _check_cells(notebook)
    except (nbformat.reader.NotJSONError, nbformat.ValidationError, *_MALFORMED) as error:
        raise ValueError(f"{path} is not a notebook: {str(error)[:200]}") from error
    language = _language(notebook)
    if language not in ("", "python", "ipython", "python3"):
        raise ValueError(f"{path} is written in {language}; only notebooks in Python are run.")
    return notebook


_MALFORMED = (AttributeError, LookupError, TypeError, RecursionError)
"""What nbformat raises for JSON that is not a notebook, beside its own errors."""


def _check_cells(notebook):
    """Check what everything after this relies on; a notebook may break the schema in ways that do no harm."""
    if not isinstance(notebook.metadata, dict) or not isinstance(notebook.cells, list):
        raise TypeError("its metadata and cells are of another kind")
    for number, cell in enumerate(notebook.cells, start=1):
        tagged = cell.metadata.get("tags", [])
        if not isinstance(cell.cell_type, str) or not isinstance(cell.source, str) or not isinstance(tagged, list):
            raise TypeError(f"cell {number} is of another kind")


def _language(notebook):
    """Language that a notebook says it is in, lower case; empty if it says nothing, as one made by a program may."""
    for key, name in (("kernelspec", "language"), ("language_info", "name")):
        part = notebook.metadata.get(key)
        if isinstance(part, dict) and isinstance(part.get(name), str):
            return part[name].lower()
    return ""


def tags(cell):
    """Tags of a cell, as JupyterLab's property inspector shows them."""
    return cell.metadata.get("tags", [])


def declared(notebook, name="notebook"):
    """Defaults of the parameters cell, read without running it.

    Parameters
    ----------
    notebook : NotebookNode
    name : str, optional
        For error messages.

    Returns
    -------
    dict
        Parameter -> default, in the order of the cell.

    Raises
    ------
    ValueError
        Unless exactly one code cell is tagged ``parameters`` and each of its statements is ``name: type = literal``
        with a type of `TYPES` that the literal has.

    Examples
    --------
    >>> from nbformat import v4
    >>> cell = v4.new_code_cell("seed: int = 0  # root of every draw", metadata={"tags": ["parameters"]})
    >>> declared(v4.new_notebook(cells=[cell]))
    {'seed': 0}
    """
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and "parameters" in tags(cell)]
    if len(cells) != 1:
        raise ValueError(f"{name} has {len(cells)} code cells tagged 'parameters'; it needs exactly one.")
    defaults = {}
    try:
        statements = ast.parse(cells[0].source).body
    except (SyntaxError, ValueError, RecursionError) as error:
        raise ValueError(f"{name}: parameters cell: {str(error)[:200]}") from error
    for statement in statements:
        text = ast.unparse(statement)
        try:
            kind = TYPES[statement.annotation.id]
            default = ast.literal_eval(statement.value)
            parameter = statement.target.id
        except (AttributeError, KeyError, TypeError, ValueError):
            raise ValueError(
                f"{name}: parameters cell: {text!r} is not `name: type = literal` with type {', '.join(TYPES)}."
            ) from None
        if type(default) is not kind:
            raise ValueError(f"{name}: parameters cell: the default in {text!r} is not a {kind.__name__}.")
        defaults[parameter] = default
    return defaults


def fitted(given, defaults, name="notebook"):
    """Check values against the parameters of a notebook, since papermill only warns and uses the default.

    Parameters
    ----------
    given, defaults : dict
    name : str, optional
        For error messages.

    Returns
    -------
    dict
        The given values; an int given for a float is a float.

    Raises
    ------
    ValueError
        For a name that the notebook does not have.
    TypeError
        For a value whose type is not the default's.

    Examples
    --------
    >>> fitted({"C": 1}, {"C": 0.5, "seed": 0})
    {'C': 1.0}
    """
    values = {}
    for parameter, value in given.items():
        if parameter not in defaults:
            raise ValueError(f"{name} has no parameter {parameter!r}; it has {', '.join(defaults)}.")
        kind = type(defaults[parameter])
        if kind is float and type(value) is int:
            value = float(value)
        if type(value) is not kind:
            raise TypeError(f"{name}: parameter {parameter} must be {kind.__name__}, not {value!r}.")
        values[parameter] = value
    return values


def read_profile(profile, folder):
    """Parameters that a profile overrides.

    Parameters
    ----------
    profile : str
        "quick" overrides nothing; any other name is a file ``NAME.toml`` in ``folder`` with one table per notebook,
        such as ``["bayes/4_1_classification"]``.
    folder : path-like

    Returns
    -------
    dict of dict
        Notebook name -> parameter -> value.

    Raises
    ------
    ValueError
        For a profile that is not there, is not TOML or holds anything but tables.

    Examples
    --------
    >>> read_profile("quick", "profiles")
    {}
    """
    if profile == "quick":
        return {}
    path = Path(folder) / f"{profile}.toml"
    if not path.exists():
        known = ["quick", *sorted(p.stem for p in Path(folder).glob("*.toml"))]
        raise ValueError(f"No profile {profile!r}; there are {', '.join(known)}.")
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path}: {error}") from error
    loose = [name for name, table in tables.items() if not isinstance(table, dict)]
    if loose:
        raise ValueError(
            f'{path}: {", ".join(loose)} must be below a notebook name such as ["bayes/4_1_classification"].'
        )
    return tables
