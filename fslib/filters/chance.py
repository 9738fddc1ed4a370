"""A warning about features with so many levels that they look informative and are not."""

import inspect
import warnings

import numpy as np

from fslib.counts.counter import mutual_information

MANY_LEVELS, SAMPLES_PER_LEVEL = 20, 5
"""A feature with so many levels, and fewer samples to a level than this, is compared with chance."""

_PERMUTATIONS, _CHECKED = 20, 50


def warn_of_chance(levels, y, n_classes):
    """Warn of features with so many levels that their information about the class is what chance gives.

    A feature with a level per sample, such as an identifier, has all information about the class in the training
    sample and none about other samples. Features with at least ``MANY_LEVELS`` levels and fewer than
    ``SAMPLES_PER_LEVEL`` samples to a level are compared with 20 permutations of the classes, the 50 of most levels.

    Parameters
    ----------
    levels : Levels
    y : array of int, shape (n,)
        Class codes.
    n_classes : int

    Warns
    -----
    UserWarning
        If the information of such a feature is within two standard deviations of the mean under permutation.
    """
    n_levels = levels.n_levels
    many = np.flatnonzero((n_levels >= MANY_LEVELS) & (n_levels * SAMPLES_PER_LEVEL > len(y)))
    if not len(many):
        return
    many = np.sort(many[np.argsort(-n_levels[many], kind="stable")[:_CHECKED]])
    counter, rng = levels.columns(many).counter(), np.random.default_rng(0)
    information = counter.score(mutual_information, y, n_classes)
    shuffled = [counter.score(mutual_information, rng.permutation(y), n_classes) for _ in range(_PERMUTATIONS)]
    ids = many[information <= np.mean(shuffled, axis=0) + 2 * np.std(shuffled, axis=0) + 1e-12]
    if len(ids):
        warnings.warn(
            f"{len(ids)} feature(s) of X have so many levels that they score no better than by chance (column "
            f"{ids[0]}: {n_levels[ids[0]]} levels, {len(y)} samples). Such a feature is probably an identifier: drop "
            "it, or discretise it.",
            UserWarning,
            stacklevel=_stack_level(),
        )


def _stack_level():
    """Where a warning of the calling function should point: at the nearest line outside this and sklearn's code."""
    frame, level = inspect.currentframe(), 0
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] in ("fslib", "sklearn"):
        frame, level = frame.f_back, level + 1
    return level
