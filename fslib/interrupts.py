"""Ctrl-C on the command line: one short line and exit code 130, also while modules are imported."""

import signal
import threading
from contextlib import contextmanager

from fslib.starting import STOPPED, leave, say_interrupted

__all__ = ["STOPPED", "leave_from_now_on", "leaving_at_once", "say_interrupted", "start_workers"]


@contextmanager
def leaving_at_once():
    """End the process at once on SIGINT inside the block, which must write nothing: for imports.

    A ``KeyboardInterrupt`` raised while modules are imported is lost in some of them, and others turn it into an error
    of their own. `fslib.starting` may have begun with it. Nothing changes where SIGINT is ignored, handled by somebody
    else, or belongs to another thread.

    Examples
    --------
    >>> with leaving_at_once():
    ...     import json
    >>> signal.getsignal(signal.SIGINT) is leave
    False
    """
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) not in (signal.default_int_handler, leave):
        yield
        return
    signal.signal(signal.SIGINT, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def leave_from_now_on():
    """As `leaving_at_once`, for the rest of the process: its work is done, and only the interpreter has to end."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, leave)


def start_workers(n_jobs):
    """Start joblib's worker processes so that Ctrl-C, which a terminal sends to them too, reaches only this process.

    A worker that is interrupted while it imports prints where it was. With SIGINT blocked it is ended by joblib, which
    does so when this process is interrupted.

    Parameters
    ----------
    n_jobs : int
        As for the work that follows; joblib uses the same processes for it.
    """
    from multiprocessing import resource_tracker

    from joblib import Parallel, delayed
    from joblib.externals.loky.backend import resource_tracker as loky_tracker

    if n_jobs == 1 or not hasattr(signal, "pthread_sigmask"):  # Windows
        return
    for tracker in (resource_tracker, loky_tracker):
        tracker.ensure_running()  # started by the first worker, it would unblock SIGINT for this process
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # which processes and threads inherit
    try:
        Parallel(n_jobs)(delayed(abs)(0) for _ in range(2))
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
