"""Seeds of random draws, made from the run's seed and the name of what is drawn."""

import json
from zlib import crc32

import numpy as np


def trial_seed(root, *key):
    """Seed of one trial, from the run's root seed and the trial's own name.

    The seed does not depend on the trial's place in a list, so adding a method or a data set moves no other number.

    Parameters
    ----------
    root : int
        The run's seed, >= 0.
    *key : str or int
        What names the random draw, for instance ``"splice", "split", 3``.

    Returns
    -------
    int
        In [0, 2**32).

    Examples
    --------
    >>> trial_seed(0, "splice", 3) == trial_seed(0, "splice", 3)
    True
    >>> trial_seed(0, "splice", 3) == trial_seed(0, "splice", 4)
    False
    """
    name = json.dumps(key).encode()  # json, so that ("a", 12) and ("a1", 2) differ
    return int(np.random.SeedSequence([root, crc32(name)]).generate_state(1)[0])
