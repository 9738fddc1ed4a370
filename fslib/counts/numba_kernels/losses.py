"""A kernel that adds up losses of small cells, which are looked up by their counts."""

import numpy as np

from fslib.counts.numba_kernels.kernel import Kernel


@Kernel
def add_losses(counts, K, size, table, out):
    """Add the losses of cells, one after the other.

    Parameters
    ----------
    counts : array of uint8, shape (cells * K, m)
        Samples of each class in each cell, below ``size``.
    K, size : int
    table : array of float, shape (size**K,)
        Loss of every cell; the counts are the digits of its place, that of class 0 first.
    out : array of float, shape (m,)
        Added to.
    """
    base = np.uint64(size)
    for cell in range(0, counts.shape[0], K):
        if K == 2:
            one, two = counts[cell], counts[cell + 1]
            for j in range(out.size):
                out[j] += table[base * np.uint64(one[j]) + np.uint64(two[j])]
        else:
            for j in range(out.size):
                place = np.uint64(0)
                for k in range(K):
                    place = base * place + np.uint64(counts[cell + k, j])
                out[j] += table[place]
