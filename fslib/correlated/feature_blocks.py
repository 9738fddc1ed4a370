"""Split features into blocks that a d x d matrix fits, so that correlated features stay together."""

import numpy as np


def feature_blocks(Z, max_size, random_state=0, max_iter=20):
    """Split in two by the larger absolute correlation with two centres, again and again until all blocks are small.

    A centre is the mean of its features, each signed to correlate with it, as in projective k-means: features that are
    each other's negative belong together.

    Parameters
    ----------
    Z : array of shape (n, d)
        Standardised columns.
    max_size : int
        Features of the largest block.
    random_state : int, Generator or None
    max_iter : int
        Rounds of each split.

    Returns
    -------
    list of arrays of int
        Ascending feature indices; together they are all features.

    Examples
    --------
    >>> a, b = np.array([-1.0, 1.0, 0.0]), np.array([1.0, 1.0, -2.0])
    >>> Z = np.column_stack([a, b, -a, -b]) / np.sqrt([2, 6, 2, 6])
    >>> feature_blocks(Z, 2)
    [array([0, 2]), array([1, 3])]
    """
    random = np.random.default_rng(random_state)
    waiting, done = [np.arange(Z.shape[1])], []
    while waiting:
        block = waiting.pop()
        if len(block) <= max_size:
            done.append(block)
        else:
            second = _second_half(Z[:, block], random, max_iter)
            waiting += [block[second], block[~second]]
    return sorted(done, key=lambda block: block[0])


def _second_half(Z, random, max_iter):
    """Mask of the features of the second centre; both sides have members."""
    d = Z.shape[1]
    first = int(random.integers(d))
    # the other centre starts at the feature that the first explains least
    centres = Z[:, [first, int(np.argmin(np.abs(Z.T @ Z[:, first])))]]
    second = np.zeros(d, dtype=bool)
    for _ in range(max_iter):
        correlation = Z.T @ centres
        before, second = second, np.abs(correlation[:, 1]) > np.abs(correlation[:, 0])
        if second.all() or not second.any():
            return np.arange(d) >= d // 2  # nothing to tell them apart
        if np.array_equal(before, second):
            break
        for side, mask in enumerate((~second, second)):
            centre = Z[:, mask] @ np.sign(correlation[mask, side])
            length = np.linalg.norm(centre)
            centres[:, side] = centre / length if length > 0 else centre
    return second
