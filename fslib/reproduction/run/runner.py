"""Run the notebooks of a profile in parallel processes, and continue where an earlier run was stopped.

A notebook writes into a folder of its own. Only when it has run to its end are its files moved into the run and, last,
a record written that names its key and its files. So a run that is killed at any moment holds whole results only.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

from joblib import cpu_count
from tqdm import tqdm

from fslib import imported
from fslib.files import write_text
from fslib.reproduction.run import scratch
from fslib.reproduction.run.fresh import check_place, erase, mark, sweep
from fslib.reproduction.run.manifest import write_manifest
from fslib.reproduction.run.plan import plan
from fslib.reproduction.run.publishing import finished, only_runner, publish, results_folder, withdraw
from fslib.reproduction.run.records import entry, write_status
from fslib.reproduction.run.supervisor import end_with
from fslib.reproduction.run.worker import stopped

NOISE = "Kernel is running over TCP without encryption"
"""A line that every kernel writes at its start; it runs on this machine alone."""


class Runner:
    """Processes of one run.

    Parameters
    ----------
    folder : RunFolder
    timeout : float or None
        Seconds for one notebook.
    bar : tqdm
        Gets the names of the notebooks that are running.
    """

    def __init__(self, folder, timeout, bar):
        self.folder = folder
        self.timeout = timeout
        self.bar = bar
        self.processes = {}
        self.stopping = False

    def run(self, job):
        """Run one notebook in a process of its own; return its entry of status.json."""
        if self.stopping:
            return entry("skipped", job)
        withdraw(self.folder, job.name)
        staging, part = self.folder.staging(job.name).resolve(), self.folder.part(job.name).resolve()
        outcome, planned = staging / "outcome.json", staging / job.path.name
        write_text(planned, job.text)  # not the notebook's file, which may have been edited since the key was taken
        order = {"path": str(planned), "folder": str(job.path.resolve().parent), "part": str(part)}
        order |= {"outcome": str(outcome), "parameters": job.parameters, "timeout": self.timeout}
        write_text(staging / "job.json", json.dumps(order))
        begun = time.monotonic()
        late, code, said = self._wait(job.name, staging)
        if outcome.exists():
            ended = json.loads(outcome.read_text(encoding="utf-8"))
        elif late:
            ended = stopped("timeout", part, f"no end after {self.timeout:g} s")
        else:
            ended = stopped("failed", part, f"its process ended with code {code} and no word; see the log{said}")
        if ended["status"] != "done":
            shutil.rmtree(staging, ignore_errors=True)
        if self.stopping and ended["status"] != "done":
            return entry("skipped", job)
        return entry(job=job, seconds=round(time.monotonic() - begun, 2), **ended)

    def _wait(self, name, staging):
        """Start the process, wait for its end or the time limit.

        Returns
        -------
        late : bool
        code : int
            Exit code.
        said : str
            What went wrong with the supervisor itself; empty if nothing did.
        """
        log = self.folder.log(name)
        log.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "fslib.reproduction.run.supervisor", str(log), str(staging / "job.json")]
        late = False
        # Its standard input is a pipe that nobody writes to: it closes when this process dies, however it dies.
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        process = subprocess.Popen(command, env=self._environment(staging), start_new_session=True, **streams)
        self.processes[name] = process
        self.bar.set_postfix_str(", ".join(sorted(self.processes)))
        if self.stopping:  # stopped between the check in run() and here
            _end(process)
        try:
            process.wait(self.timeout and self.timeout + 5)  # the cell's own limit names the cell, so it goes first
        except subprocess.TimeoutExpired:
            late = True
            _end(process)
        finally:
            del self.processes[name]
            process.stdin.close()
            with process.stderr as file:
                said = file.read().decode(errors="replace").strip().splitlines()[-1:]
        if log.exists():
            lines = log.read_text(encoding="utf-8", errors="replace").splitlines(True)
            write_text(log, "".join(line for line in lines if NOISE not in line))
        return late, process.returncode, "".join(f" ({line[:300]})" for line in said)

    def _environment(self, staging):
        """Environment of a notebook: nothing of the reader's own set-up may change a number or hide a figure."""
        environment = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}
        # Notebooks at a time x n_jobs use the cores up, so BLAS gets one thread each; that also steadies its sums.
        threads = dict.fromkeys(["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"], "1")
        return environment | threads | {"PYTHONHASHSEED": "0", imported.LOG: str(staging / "imported")}

    def stop(self):
        """End all processes; notebooks that have not begun will not."""
        self.stopping = True
        for process in list(self.processes.values()):
            process.stdin.close()  # all of them at once, which is the sign to end
        for process in list(self.processes.values()):
            _end(process)


def _end(process):
    """End a supervisor and all below it: by the sign that it waits for or, where that fails, by force."""
    with contextlib.suppress(OSError):
        process.stdin.close()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        end_with(process.pid)
        process.wait()
        scratch.sweep()


def run(
    folder,
    *,
    notebooks_dir,
    profiles_dir,
    profile="quick",
    only=None,
    jobs=None,
    fresh=False,
    scheduler="",
    timeout=None,
):
    """Run the notebooks of a profile.

    Parameters
    ----------
    folder : RunFolder
        Where the run lies or will lie.
    notebooks_dir, profiles_dir : path-like
    profile : str
        "quick" or the name of a file in ``profiles_dir``.
    only : str, optional
        Part of a notebook's name, or a pattern such as ``bayes/4_*``.
    jobs : int, optional
        Notebooks at a time. By default one per core in the quick profile and one at a time in others, whose notebooks
        are large and run their own cells in parallel.
    fresh : bool
        Forget an earlier run of this name: what its records name, and its finished trials. Other files stay.
    scheduler : str
        Address of a Dask scheduler for the cells of experiments.
    timeout : float, optional
        Seconds for one notebook.

    Returns
    -------
    dict
        Notebook -> entry of status.json.

    Raises
    ------
    ValueError, TypeError
        Before anything runs, if the plan does not hold; see `fslib.reproduction.run.plan.plan`.
    KeyboardInterrupt
        After all processes have ended and status.json says what is left.
    """
    cores = cpu_count()  # that this process may use
    jobs = jobs or (cores if profile == "quick" else 1)
    n_jobs = max(1, cores // jobs)

    def settings(name):
        places = {"results_dir": str(results_folder(folder, name)), "cache_dir": str(folder.cache.resolve())}
        return places | {"n_jobs": n_jobs, "scheduler": scheduler}

    check_place(folder, fresh)
    todo, others = plan(notebooks_dir, profiles_dir, profile, only, settings)
    with only_runner(folder):
        mark(folder)
        sweep(folder)
        scratch.sweep()
        if fresh:
            erase(folder, [job.name for job in todo + others])
        write_manifest(folder.manifest, profile=profile, jobs=jobs, n_jobs=n_jobs)
        earlier = {job.name: finished(folder, job) for job in todo + others}
        current = {job.name for job in todo if earlier[job.name] and not earlier[job.name]["stale"]}
        status = {job.name: earlier[job.name] for job in others if earlier[job.name]}
        status |= {job.name: earlier[job.name] if job.name in current else entry("skipped", job) for job in todo}
        write_status(folder, profile, status)
        with tqdm(total=len(todo), initial=len(current), unit="notebook", dynamic_ncols=True, disable=None) as bar:
            runner = Runner(folder, timeout, bar)
            for alone, at_a_time in ((False, jobs), (True, 1)):
                batch = [job for job in todo if job.name not in current and job.alone == alone]
                _run_batch(batch, at_a_time, runner, profile, status)
    return status


def _run_batch(batch, at_a_time, runner, profile, status):
    """Run notebooks and take them as they end."""
    with ThreadPoolExecutor(at_a_time) as pool:
        futures = {pool.submit(runner.run, job): job for job in batch}
        try:
            waiting = set(futures)
            while waiting:
                ready, waiting = wait(waiting, timeout=1, return_when=FIRST_COMPLETED)
                for future in ready:
                    _take(futures[future], future.result(), runner, profile, status)
                runner.bar.refresh()  # the clock goes on while a long notebook runs
        except BaseException:  # Ctrl-C above all
            runner.stop()
            raise


def _take(job, ended, runner, profile, status):
    """Publish what a notebook made if it ended well; note and print how it ended."""
    if ended["status"] == "done":
        ended = publish(runner.folder, job, ended, status)
    status[job.name] = ended
    write_status(runner.folder, profile, status)
    where = f"code cell {ended['cell']}: " if ended["cell"] else ""
    tqdm.write(f"{ended['status']:8}{job.name}  {ended['seconds']:.0f} s  {where}{ended['error'] or ''}".rstrip())
    runner.bar.set_postfix_str(", ".join(sorted(runner.processes)))
    runner.bar.update()
