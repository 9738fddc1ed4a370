"""Run an experiment trial by trial, on one machine or many, and never compute a finished trial twice.

A *trial* is a dict of JSON values that names one piece of an experiment: a data set, a split, a method, a setting. The
function that runs it returns rows (dicts of numbers and strings). A finished trial is stored at once, under a key that
holds everything the rows depend on, so a stopped run goes on where it was and no stale number survives a change.
"""

import contextlib
import hashlib
import json
from functools import cache
from importlib.metadata import version
from pathlib import Path

import joblib
import pandas as pd
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from fslib.evaluation.sources import source_hash
from fslib.files import write_text

LIBRARIES = ("numpy", "scipy", "scikit-learn", "pandas")
"""Packages whose version is part of a trial's key: their updates move numbers."""


def run_trials(function, trials, *, cache_dir, n_jobs=1, scheduler="", progress=True):
    """Rows of all trials: stored ones are read, the others are run in parallel and stored as they finish.

    Parameters
    ----------
    function : callable
        A function of an importable module, called as ``function(**trial)``; returns a list of dicts.
    trials : list of dict
        Keyword arguments of the function, JSON values only. The key ``dataset``, where present, names a data set of
        :func:`fslib.datasets.load`, which must be on this machine; its checksum becomes part of the trial's key.
    cache_dir : path-like
        Folder of the finished trials. Several runs may share it.
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
        The rows, sorted by the JSON text of their trials: the order depends neither on scheduling nor on ``trials``.

    Raises
    ------
    ValueError
        If two trials are equal, a trial is not JSON, or the function cannot be imported by a worker.
    RuntimeError
        If a trial fails; the message names the trial. Finished trials stay stored.

    Notes
    -----
    The key of a trial is the sha256 of: function name, trial, checksum of its data set, source text of every module
    that the function's module imports from its own package (directly or not, as the import statements say), and the
    versions of :data:`LIBRARIES`. Editing the report therefore keeps all results, and editing a selector drops those it
    made. The source is read from disk, so restart a Python session after editing: it would store the old code's rows
    under the new key.

    Examples
    --------
    >>> import tempfile
    >>> from fslib.evaluation import trials
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     trials.run_trials(trials._example, [{"x": 3}, {"x": 2}], cache_dir=folder, progress=False)
       x  square
    0  2       4
    1  3       9
    """
    folder = Path(cache_dir) / f"{function.__module__}.{function.__qualname__}"
    source = source_hash(function)
    stores = {_canonical(trial): folder / f"{_key(trial, source)}.json" for trial in trials}
    if len(stores) < len(trials):
        raise ValueError(f"{len(trials) - len(stores)} of the {len(trials)} trials are listed twice.")
    rows = {name: _read(store) for name, store in stores.items()}
    todo = [name for name in stores if rows[name] is None]
    with _backend(n_jobs, scheduler):
        # One trial per task: a lost worker costs one trial, and results come in (and are stored) one by one.
        parallel = joblib.Parallel(batch_size=1, pre_dispatch="all", return_as="generator_unordered")
        results = parallel(joblib.delayed(_run)(function, name) for name in todo)
        # disable=None: the bar is off where the output is not a terminal, as in a notebook or a log
        for name, text in tqdm(
            results,
            total=len(stores),
            initial=len(stores) - len(todo),
            unit="trial",
            disable=None if progress else True,
        ):
            write_text(stores[name], text)
            rows[name] = _read(stores[name])
    return pd.DataFrame([row for name in sorted(rows) for row in rows[name]])


def _key(trial, source):
    """Name of a trial's file in its function's folder: a hash of everything else its rows depend on."""
    data = _data_sha256(trial["dataset"]) if "dataset" in trial else ""
    parts = [_canonical(trial), data, source, [version(library) for library in LIBRARIES]]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _canonical(trial):
    """One text per trial, whatever the order of its keys."""
    try:
        text = json.dumps(trial, sort_keys=True)
    except TypeError as error:
        raise ValueError(f"a trial may hold numbers, strings, booleans, lists and dicts only: {trial!r}") from error
    if json.loads(text) != trial:  # a tuple would reach the function as a list, a key 1 as "1"
        raise ValueError(f"trial {trial!r} changes when written as JSON; use lists for tuples and text for keys.")
    return text


@cache
def _data_sha256(name):
    from fslib.datasets import content_hash  # here, because grids without data sets need no data room

    return content_hash(name)


def _run(function, name):
    """In the worker: a trial's text and the JSON text of its rows."""
    try:
        # one BLAS thread per trial: trials are the unit of parallel work, and sums come out alike everywhere
        with threadpool_limits(limits=1):
            rows = function(**json.loads(name))
        return name, json.dumps({"trial": json.loads(name), "rows": rows}, default=_plain)
    except Exception as error:
        where = f"{function.__module__}.{function.__qualname__}"
        raise RuntimeError(f"{where} failed on trial {name}: {type(error).__name__}: {error}") from error


def _plain(number):
    """NumPy scalars as Python numbers, for json."""
    return number.item()


def _read(store):
    """Rows of a stored trial, or None if it is not there (or not whole, which only a broken disk can cause)."""
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
