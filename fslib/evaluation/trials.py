"""Run an experiment cell by cell, on one machine or many, and never compute a finished cell twice.

A *cell* is a dict of JSON values that names one piece of an experiment: a data set, a split, a method, a setting. The
function that runs it returns rows (dicts of numbers and strings). A finished cell is stored at once, under a key that
holds everything the rows depend on, so a stopped run goes on where it was and no stale number survives a change.
"""

import contextlib
import hashlib
import json
from functools import cache
from importlib.metadata import version
from pathlib import Path
from zlib import crc32

import joblib
import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from fslib.evaluation.sources import source_hash
from fslib.files import write_text

LIBRARIES = ("numpy", "scipy", "scikit-learn")
"""Packages whose version is part of a cell's key: their updates move numbers."""


def cell_seed(root, *key):
    """Seed of one cell, from the run's root seed and the cell's own name.

    The seed does not depend on the cell's place in a list, so adding a method or a data set moves no other number.

    Parameters
    ----------
    root : int
        The run's seed, >= 0.
    *key : str or int
        What names the random draw, for instance ``"splice", "split", 3``.

    Returns
    -------
    int
        In [0, 2**32).

    Examples
    --------
    >>> cell_seed(0, "splice", 3) == cell_seed(0, "splice", 3), cell_seed(0, "splice", 3) == cell_seed(0, "splice", 4)
    (True, False)
    """
    name = json.dumps(key).encode()  # json, so that ("a", 12) and ("a1", 2) differ
    return int(np.random.SeedSequence([root, crc32(name)]).generate_state(1)[0])


def run_cells(function, cells, *, cache_dir, n_jobs=1, scheduler="", progress=True):
    """Rows of all cells: stored ones are read, the others are run in parallel and stored as they finish.

    Parameters
    ----------
    function : callable
        A function of an importable module, called as ``function(**cell)``; returns a list of dicts.
    cells : list of dict
        Keyword arguments of the function, JSON values only. The key ``dataset``, where present, names a data set of
        :func:`fslib.datasets.load`, which must be on this machine; its checksum becomes part of the cell's key.
    cache_dir : path-like
        Folder of the finished cells. Several runs may share it.
    n_jobs : int
        Worker processes on this machine; ignored with a scheduler.
    scheduler : str
        Address of a Dask scheduler, for instance ``"tcp://10.0.0.5:8786"``; empty for this machine. The workers need
        the same environment and their own way to the data; results travel back and are stored here.
    progress : bool
        Show one progress bar. It appears on terminals only, never in a notebook's output.

    Returns
    -------
    pandas.DataFrame
        The rows, cells in the order of their JSON text: the order of arrival and of the list leaves no trace.

    Raises
    ------
    ValueError
        If two cells are equal, a cell is not JSON, or the function cannot be imported by a worker.
    RuntimeError
        If a cell fails; the message names the cell. Finished cells stay stored.

    Notes
    -----
    The key of a cell is the sha256 of: function name, cell, checksum of its data set, source text of every module that
    the function's module imports from its own package (directly or not, as the import statements say), and the versions
    of :data:`LIBRARIES`. Editing the report therefore keeps all results, and editing a selector drops those it made.
    The source is read from disk, so restart a Python session after editing: it would store the old code's rows under
    the new key.

    Examples
    --------
    >>> import tempfile
    >>> from fslib.evaluation import trials as grid
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     grid.run_cells(grid._example, [{"x": 3}, {"x": 2}], cache_dir=folder, progress=False)
       x  square
    0  2       4
    1  3       9
    """
    folder = Path(cache_dir) / f"{function.__module__}.{function.__qualname__}"
    source = source_hash(function)
    stores = {_canonical(cell): folder / f"{_key(cell, source)}.json" for cell in cells}
    if len(stores) < len(cells):
        raise ValueError(f"{len(cells) - len(stores)} of the {len(cells)} cells are listed twice.")
    rows = {name: _read(store) for name, store in stores.items()}
    todo = [name for name in stores if rows[name] is None]
    with _backend(n_jobs, scheduler):
        # One cell per task: a lost worker costs one cell, and results come in (and are stored) one by one.
        parallel = joblib.Parallel(batch_size=1, pre_dispatch="all", return_as="generator_unordered")
        results = parallel(joblib.delayed(_run)(function, name) for name in todo)
        # disable=None: the bar is off where the output is not a terminal, as in a notebook or a log
        for name, text in tqdm(
            results, total=len(stores), initial=len(stores) - len(todo), unit="cell", disable=None if progress else True
        ):
            write_text(stores[name], text)
            rows[name] = _read(stores[name])
    return pd.DataFrame([row for name in sorted(rows) for row in rows[name]])


def _key(cell, source):
    """Name of a cell's file in its function's folder: a hash of everything else its rows depend on."""
    data = _data_sha256(cell["dataset"]) if "dataset" in cell else ""
    parts = [_canonical(cell), data, source, [version(library) for library in LIBRARIES]]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _canonical(cell):
    """One text per cell, whatever the order of its keys."""
    try:
        text = json.dumps(cell, sort_keys=True)
    except TypeError as error:
        raise ValueError(f"a cell may hold numbers, strings, booleans, lists and dicts only: {cell!r}") from error
    if json.loads(text) != cell:  # a tuple would reach the function as a list, a key 1 as "1"
        raise ValueError(f"cell {cell!r} changes when written as JSON; use lists for tuples and text for keys.")
    return text


@cache
def _data_sha256(name):
    from fslib.datasets import content_hash  # here, because grids without data sets need no data room

    return content_hash(name)


def _run(function, name):
    """In the worker: a cell's text and the JSON text of its rows."""
    try:
        # one BLAS thread per cell: cells are the unit of parallel work, and sums come out alike everywhere
        with threadpool_limits(limits=1):
            rows = function(**json.loads(name))
        return name, json.dumps({"cell": json.loads(name), "rows": rows}, default=_plain)
    except Exception as error:
        where = f"{function.__module__}.{function.__qualname__}"
        raise RuntimeError(f"{where} failed on cell {name}: {type(error).__name__}: {error}") from error


def _plain(number):
    """NumPy scalars as Python numbers, for json."""
    return number.item()


def _read(store):
    """Rows of a stored cell, or None if it is not there (or not whole, which only a broken disk can cause)."""
    try:
        return json.loads(store.read_text())["rows"]
    except (FileNotFoundError, json.JSONDecodeError):
        return None


@contextlib.contextmanager
def _backend(n_jobs, scheduler):
    """Let joblib work in processes of this machine, or on a Dask cluster."""
    if not scheduler:
        with joblib.parallel_config("loky", n_jobs=n_jobs):
            yield
        return
    try:
        from dask.distributed import Client
    except ImportError as error:
        raise ImportError("a scheduler address needs Dask: pip install dask distributed") from error
    with Client(scheduler), joblib.parallel_config("dask"):
        yield


def _example(x):
    return [{"x": x, "square": x * x}]
