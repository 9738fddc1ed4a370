"""Run an experiment trial by trial, on one machine or many, and never compute a finished trial twice.

A *trial* is a dict of JSON values that names one piece of an experiment: a data set, a split, a method, a setting. The
function that runs it returns rows (dicts of numbers and strings). A finished trial is stored at once, under a key that
holds everything the rows depend on, so an interrupted run resumes and no stale number survives a change.
"""

import contextlib
import functools
import hashlib
import importlib
import json
import os
import socket
import sys
from concurrent.futures import CancelledError
from functools import cache
from importlib.metadata import version
from pathlib import Path

import joblib
import pandas as pd
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from fslib.evaluation.progress import shows_progress
from fslib.evaluation.sources import source_hash, sources
from fslib.files import write_text
from fslib.imported import watch

LIBRARIES = ("numpy", "scipy", "scikit-learn", "pandas")
"""Packages whose version is part of a trial's key: their updates move numbers."""

CLUSTER_WAIT = 10
"""Seconds within which a scheduler and its first worker must answer."""


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
        Address of a Dask scheduler, for instance ``"tcp://10.0.0.5:8786"``; empty for this machine. All trials run on
        its workers, even if there is only one. They need the same source, the same :data:`LIBRARIES` and the same data
        as this process, or are refused by name; results travel back and are stored here. A scheduler runs code of
        whoever reaches it: use one in a network that you trust.
    progress : bool
        Show one progress bar, on a terminal or in a notebook that a person runs; never under papermill.

    Returns
    -------
    pandas.DataFrame
        The rows, sorted by the JSON text of their trials: the order depends neither on scheduling nor on ``trials``.

    Raises
    ------
    ValueError
        If two trials are equal, a trial is not JSON, the function cannot be imported by a worker, or its source has
        been edited since this process imported it.
    RuntimeError
        If a trial fails; the message names the trial. If a worker has other source, libraries or data, or the cluster
        is lost. Finished trials stay stored.

    Notes
    -----
    The key of a trial is the sha256 of: function name, trial, checksum of its data set, source text of every module
    that the function's module imports from its own package (directly or not, as the import statements say), and the
    versions of :data:`LIBRARIES`. Editing the report therefore keeps all results, and editing a selector drops those it
    made. Each trial carries these hashes, and the process that runs it compares them with what it has itself imported.

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
    if source_hash(function, running=True) != source:
        raise ValueError(f"{_edited(function)} changed on disk after this session had imported it; restart the kernel.")
    rows = {name: _read(store) for name, store in stores.items()}
    todo = [name for name in stores if rows[name] is None]
    results = _on_cluster(function, todo, scheduler) if scheduler else _on_this_machine(function, todo, n_jobs)
    off = not (progress and shows_progress())
    with contextlib.closing(results):
        for name, text in tqdm(results, total=len(stores), initial=len(stores) - len(todo), unit="trial", disable=off):
            write_text(stores[name], text)
            rows[name] = _read(stores[name])
    return pd.DataFrame([row for name in sorted(rows) for row in rows[name]])


def _edited(function):
    now, running = sources(function), sources(function, running=True)
    return ", ".join(sorted(module for module in now if now[module] != running.get(module)))


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
    from fslib.datasets import content_hash  # here, because experiments without data sets need no data room

    return content_hash(name)


def _needs(function):
    """Take the source and the libraries of this process, which a worker must have to run a function in its stead."""
    return {
        "source": source_hash(function, running=True),
        "runner": source_hash(run_trials, running=True),
        **{library: version(library) for library in LIBRARIES},
    }


def _order(function, needs, name):
    """One trial as it is sent to a worker. The function goes by name, so that the worker notes what it imports."""
    trial = json.loads(name)
    data = _data_sha256(trial["dataset"]) if "dataset" in trial else ""
    return {"module": function.__module__, "function": function.__qualname__, "trial": name, "data": data, **needs}


def _run(order):
    """In the worker: a trial's text and the JSON text of its rows."""
    function, name = _imported(order["module"], order["function"]), order["trial"]
    trial = json.loads(name)
    _check_worker(function, order)
    try:
        # one BLAS thread per trial: trials are the unit of parallel work, and sums come out alike everywhere
        with threadpool_limits(limits=1):
            rows = function(**trial)
    except Exception as error:
        where = f"{function.__module__}.{function.__qualname__}"
        raise RuntimeError(f"{where} failed on trial {name}: {type(error).__name__}: {error}") from error
    _check_worker(function, order)  # again, because the function may import modules while it runs
    return name, json.dumps({"trial": trial, "rows": rows}, default=_plain)


def _imported(module, function):
    """In the worker: the function, whose module is imported with its source noted."""
    package = module.partition(".")[0]
    if package not in sys.modules:
        watch(package)
    return functools.reduce(getattr, function.split("."), importlib.import_module(module))


def _check_worker(function, order):
    """In the worker: RuntimeError unless it has what the trial needs."""
    differs = _differences(_needs(function), order)
    if not differs and order["data"] and _data_sha256(json.loads(order["trial"])["dataset"]) != order["data"]:
        differs = ["other data"]
    if differs:
        words = ", ".join(differs)
        raise RuntimeError(f"{_worker()} has {words}; its result is not used. Start it anew from this commit.")


def _differences(has, needs):
    """List the differences between what a worker has and what it needs, in words."""
    words = {"source": "other source of the function", "runner": "other source of fslib.evaluation.trials"}
    versions = {library: f"{library} {has.get(library)} and not {needs[library]}" for library in LIBRARIES}
    return [word for part, word in (words | versions).items() if has.get(part) != needs[part]]


def _worker():
    """Name of this process for a message."""
    distributed = sys.modules.get("distributed")
    if distributed is not None:
        with contextlib.suppress(ValueError):  # not in a worker of Dask
            worker = distributed.get_worker()
            return f"The worker {worker.address} ({worker.name}) on {socket.gethostname()}"
    return f"The process {os.getpid()} on {socket.gethostname()}"


def _report(module, function):
    """In a worker of Dask, before any trial: what it has."""
    return _needs(_imported(module, function))


def _plain(number):
    """NumPy scalars as Python numbers, for json."""
    return number.item()


def _read(store):
    """Rows of a stored trial, or None if it is not there (or not whole, which only a broken disk can cause)."""
    try:
        return json.loads(store.read_text())["rows"]
    except (FileNotFoundError, json.JSONDecodeError):
        return None


def _on_this_machine(function, todo, n_jobs):
    """Yield results as they come, from processes of this machine."""
    needs = _needs(function)
    with joblib.parallel_config("loky", n_jobs=n_jobs):
        # One trial per task: a lost worker costs one trial, and results come in (and are stored) one by one.
        parallel = joblib.Parallel(batch_size=1, pre_dispatch="all", return_as="generator_unordered")
        yield from parallel(joblib.delayed(_run)(_order(function, needs, name)) for name in todo)


def _on_cluster(function, todo, scheduler):
    """Yield results as they come, from the workers of a Dask cluster and from nowhere else."""
    try:
        from dask.distributed import Client, as_completed
        from distributed.comm import CommClosedError
        from distributed.scheduler import KilledWorker
    except ImportError as error:
        raise ImportError("a scheduler address needs Dask: pip install dask distributed") from error
    if not todo:
        return
    lost = (OSError, CancelledError, CommClosedError, KilledWorker)  # TimeoutError is an OSError
    needs = _needs(function)
    try:
        with Client(scheduler, timeout=CLUSTER_WAIT, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=CLUSTER_WAIT)
            _check_cluster(client, function, needs)
            # Not joblib's backend, which runs everything here if the cluster has a single thread.
            futures = client.map(_run, [_order(function, needs, name) for name in todo], pure=False)
            for future in as_completed(futures, loop=client.loop):
                yield future.result()
                future.release()
    except lost as error:
        raise RuntimeError(
            f"The cluster at {scheduler} gave no answer ({type(error).__name__}: {error}). Finished trials are stored; "
            "the same call continues from there."
        ) from error


def _check_cluster(client, function, needs):
    """RuntimeError that names every worker which differs from this process."""
    found = client.run(_report, function.__module__, function.__qualname__, on_error="return")
    names = {address: worker["id"] for address, worker in client.scheduler_info(n_workers=-1)["workers"].items()}
    differs = []
    for address, has in found.items():
        words = [f"an error ({has})"] if isinstance(has, Exception) else _differences(has, needs)
        differs += [f"{address} ({names.get(address, '?')}) has {', '.join(words)}"] if words else []
    if differs:
        raise RuntimeError(
            f"Workers of the cluster differ from this process: {'; '.join(differs)}. Start them anew from this commit."
        )


def _example(x):
    return [{"x": x, "square": x * x}]
