"""Run one notebook in this process, which must be fresh, and say truthfully how it ended.

A process of its own per notebook, because papermill changes the working directory of the whole process. The judgement
is ours, because papermill takes ``sys.exit(0)`` in a cell for success and writes "completed" into a notebook whose
kernel died.

``python -m fslib.reproduction.run.worker JOB.json`` is what `fslib.reproduction.run.supervisor` starts; for a notebook
by hand use papermill itself or JupyterLab.
"""

import json
import logging
import re
import sys
from pathlib import Path

import papermill
from jupyter_client.kernelspec import NoSuchKernel
from nbclient.exceptions import CellTimeoutError, DeadKernelError

from fslib.files import write_text
from fslib.reproduction.run.bounded import ENGINE
from fslib.reproduction.run.parameters import read_notebook, tags
from fslib.reproduction.run.supervisor import die_with_parent

KERNEL = "python3"
NO_KERNEL = (
    f"Jupyter has no kernel named {KERNEL!r} here. Make one in this environment: "
    f"{sys.executable} -m ipykernel install --sys-prefix --name {KERNEL}"
)
ADDED_BY_PAPERMILL = {"injected-parameters", "papermill-error-cell-tag"}


OUTPUT_LIMIT = 120
"""Seconds within which the last output of a cell that has ended must have come in."""

ERROR_LENGTH = 500


def run_notebook(path, part, parameters, timeout=None, folder=None):
    """Execute a notebook with papermill.

    Parameters
    ----------
    path : path-like
        The notebook.
    part : path-like
        Where to write it while it runs. Only the caller knows what a whole result is, so it also does the renaming.
    parameters : dict
        Checked by `fslib.reproduction.run.parameters.fitted`.
    timeout : float, optional
        Seconds for one cell.
    folder : path-like, optional
        Where it runs: by default in its own folder, as in JupyterLab.

    Returns
    -------
    dict
        status: "done", "failed" or "timeout"; cell: number of the code cell where it stopped, or None; error: text or
        None.
    """
    path, part = Path(path).resolve(), Path(part).resolve()
    part.parent.mkdir(parents=True, exist_ok=True)
    try:
        done = _execute(path, part, parameters, timeout, folder or path.parent)
    except NoSuchKernel:
        return {"status": "failed", "cell": None, "error": NO_KERNEL}
    except papermill.PapermillExecutionError as error:
        logging.error("%s", re.sub(r"\x1b\[[0-9;]*m", "", str(error)))  # the traceback, without its colours
        return stopped("failed", part, _short(f"{error.ename}: {error.evalue}"))
    except CellTimeoutError as error:
        if timeout is None or "IOPub" in str(error):  # the cell has ended; its output has not come in
            return stopped("failed", part, f"the cell ended, and its output did not come in within {OUTPUT_LIMIT} s")
        return stopped("timeout", part, f"no end after {timeout:g} s")
    except DeadKernelError:
        return stopped("failed", part, "the kernel died; often the machine ran out of memory")
    code = [cell for cell in done.cells if cell.cell_type == "code" and cell.source.strip()]
    if any(cell.execution_count is None for cell in code):
        return stopped(
            "failed", part, "the notebook stopped before its end: a cell ends the kernel or is skipped by a tag"
        )
    return {"status": "done", "cell": None, "error": None}


def _short(text):
    return text if len(text) <= ERROR_LENGTH else f"{text[:ERROR_LENGTH]} [...]"


def _execute(path, part, parameters, timeout, folder):
    # A notebook without a language is one that a program wrote; it is in Python, or the plan would have refused it.
    options = {"kernel_name": KERNEL, "language": "python", "cwd": Path(folder), "engine_name": ENGINE}
    options |= {"progress_bar": False, "log_output": True}
    # 60 s to start are short on a busy machine, and so are 4 s for the last output of a cell that printed much
    limits = {"start_timeout": 180, "execution_timeout": timeout, "iopub_timeout": OUTPUT_LIMIT}
    for attempt in (1, 2):
        try:
            return papermill.execute_notebook(path, part, parameters, **options, **limits)
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
    try:
        cells = read_notebook(part).cells
    except (OSError, ValueError):  # nothing was written, or not to its end
        return {"status": status, "cell": None, "error": error}
    own = [cell for cell in cells if cell.cell_type == "code" and not ADDED_BY_PAPERMILL & set(tags(cell))]
    begun = [i for i, cell in enumerate(own) if cell.metadata.get("papermill", {}).get("start_time")]
    if not begun:
        return {"status": status, "cell": None, "error": error}
    line = next(iter(own[begun[-1]].source.strip().splitlines()), "")
    return {"status": status, "cell": begun[-1] + 1, "error": f"{error} (in the cell that begins with: {line[:80]})"}


def main(job_file):
    """Run the notebook that a JSON file describes and write the outcome beside it."""
    die_with_parent()
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO, stream=sys.stdout)
    job = json.loads(Path(job_file).read_text(encoding="utf-8"))
    try:
        outcome = run_notebook(job["path"], job["part"], job["parameters"], job["timeout"], job["folder"])
    except Exception as error:  # whatever it is, the run goes on and the report names it
        logging.exception("The notebook could not be run")
        outcome = stopped("failed", job["part"], _short(f"{type(error).__name__}: {error}"))
    write_text(job["outcome"], json.dumps(outcome))


if __name__ == "__main__":
    main(sys.argv[1])
