"""Ctrl-C while the command ``fslib`` starts: handled before anything else of the package is imported.

The imports of the package alone take some 15 ms, in which Python would answer with a traceback.
"""

import os
import signal
import sys

STOPPED = 130
"""Exit code after Ctrl-C, as shells have it."""


def say_interrupted(again="to start over"):
    """Write the one line, on a line of its own if a terminal has just shown ``^C``."""
    start = "\n" if os.isatty(2) else ""
    text = f"{start}Interrupted. Run the same command again {again}.\n"
    os.write(2, text.encode())  # print may be interrupted itself


def leave(signum, frame):
    """End the process at once: a handler of SIGINT, for as long as nothing is being written."""
    say_interrupted()
    os._exit(STOPPED)


def is_command(words, script):
    """Whether this process is the command, and not one that imports the package.

    Parameters
    ----------
    words : list of str
        The command line, ``sys.orig_argv``.
    script : str
        What Python runs, ``sys.argv[0]``.

    Examples
    --------
    >>> is_command(["python", "/bin/fslib", "run"], "/bin/fslib"), is_command(["python", "-m", "fslib", "run"], "-m")
    (True, True)
    >>> is_command(["python", "-m", "pytest", "fslib"], "-m"), is_command(["python"], "")
    (False, False)
    """
    name = os.path.basename(script)
    return name in ("fslib", "fslib.exe", "fslib-script.py") or (name == "-m" and _after_m(words) == "fslib")


def _after_m(words):
    return words[words.index("-m") + 1] if "-m" in words[:-1] else ""


if is_command(sys.orig_argv, sys.argv[0] if getattr(sys, "argv", None) else ""):
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, leave)  # until fslib.__main__ has imported the command
