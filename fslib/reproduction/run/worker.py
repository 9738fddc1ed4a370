"""Run one notebook in this process, which must be fresh, and say truthfully how it ended.

A process of its own per notebook, because papermill changes the working directory of the whole process. The judgement
is ours, because papermill takes ``sys.exit(0)`` in a cell for success and writes "completed" into a notebook whose
kernel died.

``python -m fslib.reproduction.run.worker JOB.json`` is what `fslib.reproduction.run.runner` starts; for a notebook by
hand use papermill itself or JupyterLab.
"""

import json
import logging
import os
import re
import sys
import threading
from pathlib import Path

import papermill
import psutil
from jupyter_client.kernelspec import NoSuchKernel
from nbclient.exceptions import CellTimeoutError, DeadKernelError

from fslib.files import write_text
from fslib.reproduction.run.parameters import read_notebook, tags

KERNEL = "python3"
NO_KERNEL = (
    f"Jupyter has no kernel named {KERNEL!r} here. Make one in this environment: "
    f"{sys.executable} -m ipykernel install --sys-prefix --name {KERNEL}"
)
ADDED_BY_PAPERMILL = {"injected-parameters", "papermill-error-cell-tag"}


def run_notebook(path, part, parameters, timeout=None):
    """Execute a notebook with papermill.

    Parameters
    ----------
    path : path-like
        The notebook; it runs in its own folder, as in JupyterLab.
    part : path-like
        Where to write it while it runs. Only the caller knows what a whole result is, so it also does the renaming.
    parameters : dict
        Checked by `fslib.reproduction.run.parameters.fitted`.
    timeout : float, optional
        Seconds for one cell.

    Returns
    -------
    dict
        status: "done", "failed" or "timeout"; cell: number of the code cell where it stopped, or None; error: text or
        None.
    """
    path, part = Path(path).resolve(), Path(part).resolve()
    part.parent.mkdir(parents=True, exist_ok=True)
    try:
        done = _execute(path, part, parameters, timeout)
    except NoSuchKernel:
        return {"status": "failed", "cell": None, "error": NO_KERNEL}
    except papermill.PapermillExecutionError as error:
        logging.error("%s", re.sub(r"\x1b\[[0-9;]*m", "", str(error)))  # the traceback, without its colours
        return stopped("failed", part, f"{error.ename}: {error.evalue}")
    except CellTimeoutError:
        return stopped("timeout", part, f"no end after {timeout:g} s")
    except DeadKernelError:
        return stopped("failed", part, "the kernel died; often the machine ran out of memory")
    code = [cell for cell in done.cells if cell.cell_type == "code" and cell.source.strip()]
    if any(cell.execution_count is None for cell in code):
        return stopped(
            "failed", part, "the notebook stopped before its end: a cell ends the kernel or is skipped by a tag"
        )
    return {"status": "done", "cell": None, "error": None}


def _execute(path, part, parameters, timeout):
    options = {"kernel_name": KERNEL, "cwd": path.parent, "progress_bar": False, "log_output": True}
    limits = {"start_timeout": 180, "execution_timeout": timeout}  # 60 s to start is short on a busy machine
    for attempt in (1, 2):
        try:
            return papermill.execute_notebook(path, part, parameters, **options, **limits, coalesce_streams=True)
        except RuntimeError as error:
            # two kernels may race for one port; nothing has run yet, so one more try is safe
            if attempt == 2 or "Kernel didn't respond" not in str(error):
                raise


def stopped(status, part, error):
    """Say where an unfinished notebook stopped.

    Parameters
    ----------
    status, error : str
    part : path-like
        What papermill left; may be missing.

    Returns
    -------
    dict
        status, cell (1 for the first code cell, as JupyterLab numbers them on Run All; None if no cell began), error
        with the first line of that cell.
    """
    if not Path(part).exists():
        return {"status": status, "cell": None, "error": error}
    own = [
        cell
        for cell in read_notebook(part).cells
        if cell.cell_type == "code" and not ADDED_BY_PAPERMILL & set(tags(cell))
    ]
    begun = [i for i, cell in enumerate(own) if cell.metadata.get("papermill", {}).get("start_time")]
    if not begun:
        return {"status": status, "cell": None, "error": error}
    line = next(iter(own[begun[-1]].source.strip().splitlines()), "")
    return {"status": status, "cell": begun[-1] + 1, "error": f"{error} (in the cell that begins with: {line[:80]})"}


def end_with(process):
    """End a process and all it started: kernel and workers, which live in sessions of their own.

    Parameters
    ----------
    process : int
        Process id.
    """
    try:
        family = [psutil.Process(process), *psutil.Process(process).children(recursive=True)]
    except psutil.NoSuchProcess:
        return
    for member in reversed(family):
        try:
            member.kill()
        except psutil.NoSuchProcess:
            pass


def _end_when_orphaned():
    """Wait until the runner closes our standard input, which the system does for it even after ``kill -9``."""
    while os.read(0, 1):  # not sys.stdin, whose lock would abort our own normal exit
        pass
    end_with(os.getpid())


def main(job_file):
    """Run the notebook that a JSON file describes and write the outcome beside it."""
    threading.Thread(target=_end_when_orphaned, daemon=True).start()
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO, stream=sys.stdout)
    job = json.loads(Path(job_file).read_text(encoding="utf-8"))
    try:
        outcome = run_notebook(job["path"], job["part"], job["parameters"], job["timeout"])
    except Exception as error:  # whatever it is, the run goes on and the report names it
        logging.exception("The notebook could not be run")
        outcome = stopped("failed", job["part"], f"{type(error).__name__}: {error}")
    write_text(job["outcome"], json.dumps(outcome))


if __name__ == "__main__":
    main(sys.argv[1])
