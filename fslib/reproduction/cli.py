"""Run the notebooks that reproduce the papers and compare their numbers; select features in your own table."""

import argparse
import errno
import importlib.util
import os
import socket
import sys
from pathlib import Path
from urllib.parse import urlsplit

import fslib
from fslib.datasets.cli import add_parser as add_data_parser
from fslib.interrupts import STOPPED, leaving_at_once, say_interrupted
from fslib.reproduction import paths
from fslib.reproduction.paths import RunFolder
from fslib.select.cli import add_parser as add_select_parser

SCHEDULER_PORT, SCHEDULER_WAIT = 8786, 10.0
"""Port that Dask takes where an address has none, and seconds within which a scheduler must answer."""


def main(arguments=None):
    """Run one command.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the process by default.

    Returns
    -------
    int
        0 if all went well, 1 if something failed or moved (also a full disk or a read-only folder), 2 for an invalid
        command, 130 after Ctrl-C.
    """
    options = None
    try:
        options = build_parser().parse_args(arguments)
        return options.function(options)
    except KeyboardInterrupt:
        say_interrupted("to resume" if options is not None and options.function is _run else "to start over")
        return STOPPED
    except BrokenPipeError:  # whoever read our output has gone, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        print(f"fslib: {explain(error)}", file=sys.stderr)
        return 2 if isinstance(error, FileNotFoundError) else 1
    except (ValueError, TypeError) as error:
        print(f"fslib: {error}", file=sys.stderr)
        return 2


REMEDIES = {
    errno.ENOSPC: "The disk is full. Make room; the same command then continues from here.",
    errno.EDQUOT: "Your disk quota is used up. Make room; the same command then continues from here.",
    errno.EROFS: "It lies on a read-only file system; --runs FOLDER puts runs elsewhere.",
    errno.EACCES: "You may not read or write there; --runs FOLDER puts runs elsewhere.",
    errno.EPERM: "You may not read or write there; --runs FOLDER puts runs elsewhere.",
    errno.ENAMETOOLONG: "The name is too long; give a shorter one.",
    errno.ENOTDIR: "A part of the path is a file, not a folder.",
    errno.EISDIR: "It is a folder, not a file.",
    errno.EMFILE: "Too many files are open; `ulimit -n` raises the limit.",
}
"""What to do about an error of the file system."""


def explain(error):
    """Say in one sentence or two what the file system refused, where, and what to do.

    Parameters
    ----------
    error : OSError

    Returns
    -------
    str

    Examples
    --------
    >>> explain(OSError(errno.ENAMETOOLONG, "File name too long", "aaa"))
    'aaa: file name too long. The name is too long; give a shorter one.'
    """
    if error.errno is None or error.strerror is None:  # one of our own, whose text says all
        return str(error)
    name = str(error.filename2 or error.filename or "")
    short = name if len(name) <= 200 else f"{name[:100]}...{name[-80:]}"
    reason = error.strerror[:1].lower() + error.strerror[1:]
    return " ".join(filter(None, [f"{short}: {reason}." if short else f"{reason}.", REMEDIES.get(error.errno, "")]))


def build_parser():
    """Build the parser; each command stores the function that serves it.

    Examples
    --------
    >>> build_parser().parse_args(["run", "--only", "bayes"]).profile
    'quick'
    """
    parser = argparse.ArgumentParser(prog="fslib", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="run | compare | report | adopt | data | select")
    parser.add_argument("--version", action="version", version=f"fslib {fslib.__version__}")
    running = commands.add_parser("run", help="run notebooks, compare their numbers, build the report")
    running.add_argument("--only", metavar="PATTERN", help="part of a notebook's name, or a pattern: bayes/4_*")
    running.add_argument(
        "--jobs", type=_positive, metavar="N", help="notebooks at a time (quick: one per core, else one)"
    )
    again = running.add_mutually_exclusive_group()
    again.add_argument("--resume", action="store_true", help="keep what an earlier run finished (the default)")
    again.add_argument(
        "--fresh", action="store_true", help="discard previous results of this run, stored trials included"
    )
    running.add_argument(
        "--scheduler", default="", metavar="ADDRESS", help="Dask scheduler that runs the experiments' trials"
    )
    running.add_argument(
        "--timeout", type=_positive, metavar="SECONDS", help="limit for one notebook (quick: 1800, else none)"
    )
    running.add_argument(
        "--notebooks",
        type=Path,
        default=paths.NOTEBOOKS,
        metavar="FOLDER",
        help="directory of notebooks to run (default: notebooks/)",
    )
    running.set_defaults(function=_run)
    comparing = commands.add_parser("compare", help="compare a run's numbers again and rebuild its report")
    comparing.set_defaults(function=_compare)
    reporting = commands.add_parser("report", help="rebuild a run's report")
    reporting.set_defaults(function=_report)
    adopting = commands.add_parser("adopt", help="make a run's tables, verdicts and figures the committed reference")
    adopting.add_argument("--only", metavar="PATTERN", help="part of a notebook's name, or a pattern: bayes/4_*")
    adopting.set_defaults(function=_adopt)
    for command in (running, comparing, reporting, adopting):
        _add_run_name(command)
    for command in (running, comparing):
        command.add_argument("--write-expected", action="store_true", help="store the tables as the numbers to guard")
    add_data_parser(commands)
    add_select_parser(commands)
    return parser


def _add_run_name(parser):
    parser.add_argument("--profile", default="quick", help="quick, or the name of a file in profiles/ (default: quick)")
    parser.add_argument("--run", metavar="NAME", help="folder below --runs (default: the profile's name)")
    parser.add_argument(
        "--runs",
        type=Path,
        default=paths.RUNS,
        metavar="FOLDER",
        help="directory that holds the runs (default: papermill_runs)",
    )


def _positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a count of at least 1")
    return number


def _run(options):
    with leaving_at_once():
        from fslib.reproduction.run.runner import run  # needs the extra "notebooks", as no other command does

    folder = _folder(options)
    if options.scheduler:
        _check_scheduler(options.scheduler)
    status = run(
        folder,
        notebooks_dir=options.notebooks,
        profiles_dir=paths.PROFILES,
        profile=options.profile,
        only=options.only,
        jobs=options.jobs,
        fresh=options.fresh,
        scheduler=options.scheduler,
        timeout=options.timeout or (1800 if options.profile == "quick" else None),
    )
    print(_summary(folder, status))
    kept = _compare(options) == 0
    return 0 if kept and all(ended["status"] == "done" for ended in status.values()) else 1


def _check_scheduler(address):
    """Try the scheduler once before a kernel starts; every notebook would wait for one that is not there."""
    if importlib.util.find_spec("distributed") is None:
        raise ValueError("--scheduler needs Dask: pip install -e '.[cluster]' in the folder of this repository.")
    try:
        place = urlsplit(address if "://" in address else f"tcp://{address}")
        host, port = place.hostname, place.port or SCHEDULER_PORT
    except ValueError:
        host = None
    if not host:
        raise ValueError(f"--scheduler takes an address such as tcp://10.0.0.5:8786, not {address!r}.")
    try:
        socket.create_connection((host, port), timeout=SCHEDULER_WAIT).close()
    except OSError as error:
        raise ValueError(
            f"No scheduler answers at {address} within {SCHEDULER_WAIT:g} s ({error}); "
            "start one there with `dask scheduler`, or leave --scheduler out."
        ) from error


def _summary(folder, status):
    """Summary of how the notebooks ended.

    Examples
    --------
    >>> print(_summary(RunFolder(Path("quick")), {"a": {"status": "failed", "stale": False}}))
    0 of 1 notebooks ran to their end.
      a: failed, see quick/logs/a.log and quick/notebooks/a.part.ipynb
    """
    done = [name for name, ended in status.items() if ended["status"] == "done"]
    lines = [f"{len(done)} of {len(status)} notebooks ran to their end."]
    lines += [
        f"  {name}: {ended['status']}, see {folder.log(name)} and {folder.part(name)}"
        for name, ended in status.items()
        if name not in done
    ]
    stale = [name for name, ended in status.items() if ended.get("stale")]
    if stale:
        lines.append(f"Not run now and older than the last change of code, data or parameters: {', '.join(stale)}.")
    return "\n".join(lines)


def _folder(options):
    name = options.run or options.profile
    if Path(name).name != name or name in (".", "..") or "\0" in name or len(os.fsencode(name)) > 255:
        raise ValueError(f"--run is a plain name of at most 255 bytes, not {name[:80]!r}; --runs sets the folder.")
    if options.runs.exists() and not options.runs.is_dir():
        raise ValueError(f"--runs {options.runs} is a file, not a folder.")
    return RunFolder(options.runs / name)


def _existing(options):
    folder = _folder(options)
    if not folder.status.exists():
        raise FileNotFoundError(
            f"There is no run in {folder.path} yet; start one with: fslib run --profile {options.profile}"
        )
    return folder


def _compare(options):
    with leaving_at_once():
        from fslib.reproduction.compare.compare import compare, write_expected

    folder = _existing(options)
    if options.write_expected:
        print(f"Guarded from now on: {write_expected(folder.path, options.profile)}")
    comparison = compare(folder.path, options.profile)
    print(comparison.text)
    _report(options)
    return 0 if comparison.ok else 1


def _adopt(options):
    with leaving_at_once():
        from fslib.reproduction.run import reference

    adopted, removed = reference.adopt(_existing(options).path, options.only)
    print(f"Adopted: {', '.join(adopted)}")
    if removed:
        print(f"Removed: {', '.join(path.name for path in removed)}")
    return 0


def _report(options):
    with leaving_at_once():
        from fslib.reproduction.report.build import build

    print(f"Report: {build(_existing(options).path).resolve().as_uri()}")
    return 0
