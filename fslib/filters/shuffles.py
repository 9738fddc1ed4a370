"""Shuffled targets: orders of a target that are equally likely if no feature is related to it."""

import numpy as np

from fslib.base import check_choice

SHUFFLES = ("rows", "within_groups", "whole_groups", "circular")
"""Ways of shuffling a target, see `shuffled_target`."""


def shuffled_target(y, rng, shuffle="rows", *, groups=None, time=None):
    """Target in another order, one of those that are equally likely if no feature is related to it.

    Parameters
    ----------
    y : array of shape (n,)
    rng : numpy.random.Generator
    shuffle : {"rows", "within_groups", "whole_groups", "circular"}
        "rows": any order, for independent rows. "within_groups": rows change places within their group only.
        "whole_groups": the groups change their values, for groups with one value each. "circular": the target is
        shifted against the features along time, the end coming to the beginning, which keeps how it depends on itself.
    groups : array of shape (n,), optional
        Group of each row; for the two ways of groups.
    time : array of shape (n,), optional
        Orders the rows for "circular"; without it they stand in order.

    Returns
    -------
    array of shape (n,)

    Raises
    ------
    ValueError
        If ``shuffle`` is unknown, ``groups`` are missing, ``groups`` or ``time`` have another length than y or would
        have no effect, or a group has several values under "whole_groups".

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> shuffled_target(np.array([0, 0, 1, 1, 2, 2]), rng, "whole_groups", groups=np.array(list("aabbcc")))
    array([2, 2, 0, 0, 1, 1])
    """
    check_choice("shuffle", shuffle, SHUFFLES)
    y = np.asarray(y)
    _refuse_unused(shuffle, groups, time)
    if shuffle == "rows":
        return rng.permutation(y)
    if shuffle == "circular":
        if time is not None and len(time) != len(y):
            raise ValueError(f"time holds {len(time)} values: give one for each of the {len(y)} rows.")
        order = np.arange(len(y)) if time is None else np.argsort(time, kind="stable")
        shuffled = np.empty_like(y)
        shuffled[order] = np.roll(y[order], rng.integers(len(y)))  # no shift counts too, or p would fall below 1 / n
        return shuffled
    if groups is None or len(groups) != len(y):
        raise ValueError(f"shuffle={shuffle!r} needs groups: one for each of the {len(y)} rows.")
    _, first, member = np.unique(groups, return_index=True, return_inverse=True)
    if shuffle == "whole_groups":
        if (y != y[first][member]).any():
            raise ValueError("A group has several values of y: pass shuffle='within_groups'.")
        return rng.permutation(y[first])[member]
    order = np.lexsort((rng.random(len(y)), member))  # rows by group, at random within it
    shuffled = np.empty_like(y)
    shuffled[np.argsort(member, kind="stable")] = y[order]
    return shuffled


def _refuse_unused(shuffle, groups, time):
    """Refuse groups or times that a shuffle does not use: its p-values would be those of another null hypothesis."""
    if groups is not None and not shuffle.endswith("groups"):
        raise ValueError(
            f"shuffle={shuffle!r} does not use groups: pass shuffle='whole_groups' if each has one value of y, "
            "'within_groups' if not, or leave them out."
        )
    if time is not None and shuffle != "circular":
        raise ValueError(f"shuffle={shuffle!r} does not use time: pass shuffle='circular', or leave it out.")
