"""Kernels compiled by Numba: what takes many calls of NumPy, in one pass and without the interpreter lock.

Importing this package needs Numba; `fslib.counts.compiled` does so for large tables. A word holds 64 samples in the
order of ``numpy.packbits``, on a little-endian machine. What a kernel calls stands in its own module, since Numba
compiles anew only what is in a file that changed.
"""

from numba import config

from fslib.counts.numba_kernels.bits import count_groups, count_sets, pack_groups, pack_levels, read_column
from fslib.counts.numba_kernels.losses import add_losses
from fslib.counts.numba_kernels.rows import mix_rows, pack_rows, scan_rows, take_rows
from fslib.counts.numba_kernels.sorting import count_mixed, count_mixed_large, split_cells

__all__ = [
    "ARE_COMPILED",
    "add_losses",
    "count_groups",
    "count_mixed",
    "count_mixed_large",
    "count_sets",
    "mix_rows",
    "pack_groups",
    "pack_levels",
    "pack_rows",
    "read_column",
    "scan_rows",
    "split_cells",
    "take_rows",
]

ARE_COMPILED = not config.DISABLE_JIT
"""Whether Numba compiles; it can be told not to."""
