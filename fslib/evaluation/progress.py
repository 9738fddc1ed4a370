"""Where a progress bar reaches a reader: on terminals, and in notebooks that a person runs."""

import sys

RUNNERS = ("papermill", "fslib.reproduction.run.worker")
"""Programs that run notebooks into a log or a file, where a bar would only be noise."""


def shows_progress():
    """Whether a progress bar should be drawn.

    Returns
    -------
    bool
        True on a terminal, and in a Jupyter kernel unless one of :data:`RUNNERS` started it.

    Examples
    --------
    >>> shows_progress() in (True, False)
    True
    """
    if sys.stderr is not None and sys.stderr.isatty():
        return True
    return _in_kernel() and not _is_run_by_program()


def _in_kernel():
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and "IPKernelApp" in shell.config


def _is_run_by_program():
    import psutil  # every kernel has it (ipykernel needs it); the core of fslib does not

    try:
        words = [word for parent in psutil.Process().parents() for word in parent.cmdline()]
    except psutil.Error:
        return True
    return any(name in word for word in words for name in RUNNERS)
