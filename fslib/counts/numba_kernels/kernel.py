"""How kernels are compiled and kept on disk."""

from pickle import UnpicklingError

from numba import njit


class Kernel:
    """A function that Numba compiles when it is first called for some types, and keeps on disk if that is possible."""

    def __init__(self, function):
        self._function, self._compiled = function, njit(nogil=True, cache=True)(function)

    def __call__(self, *arguments):
        """Call the compiled function."""
        try:
            return self._compiled(*arguments)
        except (OSError, EOFError, UnpicklingError):  # the disk is full, or what was kept is damaged
            self._compiled = njit(nogil=True)(self._function)
            return self._compiled(*arguments)
