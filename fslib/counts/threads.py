"""Threads that share out a list of functions."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache

import numpy as np

from fslib.counts.stretches import stretches

_SHARE = 1 << 16  # samples that are worth a thread
_PAGE = 1 << 12  # bytes that a system hands out at a time, or a multiple
_here = threading.local()

PARTS = 4
"""Shares of the work for a thread."""


def run(functions, n_threads, turns=None):
    """Return what each function returns, in their order; a function that calls `run` does the work itself.

    Functions that wait for their turn need ``turns``, so that none waits for one that has failed or was not called.

    Examples
    --------
    >>> list(run([lambda: 1, lambda: 2], 2))
    [1, 2]
    """
    n_others = min(n_threads, len(functions)) - 1
    if n_others < 1 or getattr(_here, "is_working", False):
        return (function() for function in functions)
    results, left = [None] * len(functions), iter(enumerate(functions))  # the next one is given to one thread only

    def work():
        _here.is_working = True
        try:
            for i, function in left:
                results[i] = function()
        except BaseException as error:
            if turns is not None:
                turns.fail(error)
            raise
        finally:
            _here.is_working = False
            for _ in left:  # none, unless a function failed: then the others are not called
                pass

    # This thread works, too: to wake another one takes as long as some microseconds of counting.
    others = [_pool(n_threads - 1).submit(work) for _ in range(n_others)]
    try:
        work()
    finally:
        for other in others:
            other.exception()  # waits
    for other in others:
        other.result()
    return iter(results)


class Turns:
    """Lets functions that `run` calls pass one after the other, in their order.

    Examples
    --------
    >>> turns, passed = Turns(), []
    >>> def work(i):
    ...     with turns.take(i):
    ...         passed.append(i)
    >>> _ = list(run([lambda i=i: work(i) for i in range(5)], 2, turns))
    >>> passed
    [0, 1, 2, 3, 4]
    """

    def __init__(self):
        self._turn, self._error, self._changed = 0, None, threading.Condition()

    @contextmanager
    def take(self, turn):
        """Wait until those before have passed; raise the error if there was one."""
        with self._changed:
            self._changed.wait_for(lambda: self._turn == turn or self._error is not None)
            if self._error is not None:
                raise self._error
        yield
        with self._changed:
            self._turn += 1
            self._changed.notify_all()

    def fail(self, error):
        """Let nobody wait any longer."""
        with self._changed:
            self._error = error
            self._changed.notify_all()


def shares(n, n_threads):
    """Slices of the samples for threads, cut after whole words; several for each, since one may be slower."""
    size = max(1, n) if n_threads == 1 else max(_SHARE, -(-n // (PARTS * n_threads)))
    return list(stretches(n, 64 * -(-size // 64)))


def empty(shape, dtype, n_threads):
    """Array for threads to fill, of which the system has handed out the memory: they would wait for each other there.

    Examples
    --------
    >>> empty((2, 3), np.uint8, n_threads=2).shape
    (2, 3)
    """
    out = np.empty(shape, dtype=dtype)
    if n_threads > 1:
        out.reshape(-1).view(np.uint8)[::_PAGE] = 0
    return out


@lru_cache(maxsize=1)
def _pool(n_threads):
    """Threads, kept from call to call: to start some takes as long as a tenth of a second of counting in a search."""
    return ThreadPoolExecutor(n_threads, "fslib")


if hasattr(os, "register_at_fork"):  # a child has no threads, only the list of them
    os.register_at_fork(after_in_child=_pool.cache_clear)
