"""Parts of large arrays, taken one after the other in bounded memory."""


def stretches(n, size):
    """Slices of at most ``size`` that cover n; none if n is 0, and without the checks of scikit-learn's gen_batches.

    Examples
    --------
    >>> list(stretches(5, 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))


def split(columns, width):
    """Parts of an array, ``width`` long; the last one may be shorter.

    Examples
    --------
    >>> split([3, 4, 5], 2)
    [[3, 4], [5]]
    """
    return [columns[part] for part in stretches(len(columns), max(1, width))]


def take_rows(codes, rows):
    """Rows of an array (array of int, in ascending order); a view if they are consecutive."""
    first, last = rows[0], rows[-1]
    return codes[first : last + 1] if last - first + 1 == len(rows) else codes[rows]
