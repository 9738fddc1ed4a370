"""Slices of a long axis that are handled one after the other, in bounded memory."""


def stretches(n, size):
    """Slices of at most ``size`` that cover n; none if n is 0, and without the checks of scikit-learn's gen_batches.

    Examples
    --------
    >>> list(stretches(5, 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))
