"""Threads that share out a list of functions."""

from concurrent.futures import ThreadPoolExecutor


def run(functions, n_threads):
    """Yield what each function returns, in their order.

    Examples
    --------
    >>> list(run([lambda: 1, lambda: 2], 2))
    [1, 2]
    """
    call = lambda function: function()
    if n_threads == 1 or len(functions) == 1:
        yield from map(call, functions)
    else:
        with ThreadPoolExecutor(n_threads) as pool:
            yield from pool.map(call, functions)
