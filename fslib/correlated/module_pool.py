"""How many features of each module enter the second phase."""

import numpy as np

LEAST = 10


def intra_sizes(sizes, n_wanted, intra_d=None, share=0.05, least=LEAST, spare=0):
    """Survivors of each module.

    Parameters
    ----------
    sizes : sequence of int
        Features of each module.
    n_wanted : int
        Features that the second phase is asked for.
    intra_d : int or None
        Survivors of a module, at most its size; None for ``max(least, ceil(share size))`` with the smallest share, at
        least the given one, whose pool holds ``n_wanted``.
    share : float
        In (0, 1].
    least : int
    spare : int
        Constant features outside all modules; only when all others are in the pool may they be counted.

    Returns
    -------
    list of int

    Raises
    ------
    ValueError
        If ``intra_d`` was given and the pool is too small.

    Examples
    --------
    >>> intra_sizes([400, 12, 5], 20), intra_sizes([400, 12, 5], 100), intra_sizes([400, 12, 5], 10, intra_d=4)
    ([20, 10, 5], [85, 10, 5], [4, 4, 4])
    """
    sizes = np.asarray(sizes, dtype=int)
    n_wanted = min(n_wanted, int(sizes.sum())) if spare else n_wanted
    if intra_d is not None:
        kept = np.minimum(sizes, intra_d)
        if kept.sum() < n_wanted:
            raise ValueError(
                f"intra_d={intra_d} leaves a pool of {kept.sum()} features of {len(sizes)} modules, fewer than the "
                f"{n_wanted} to select. Raise intra_d, or leave it None."
            )
        return kept.tolist()
    pool = lambda share: np.minimum(sizes, np.maximum(least, np.ceil(share * sizes - 1e-9).astype(int)))
    if pool(share).sum() < n_wanted:
        # the pool grows only where the share times some size passes a whole number
        steps = np.unique(np.concatenate([np.arange(1, size + 1) / size for size in sizes]))
        steps = steps[steps > share]
        share = steps[np.searchsorted([pool(step).sum() for step in steps], n_wanted)]
    return pool(share).tolist()
