"""Codes that are kept in memory from one pass over the rows to the next, with as few bits as their levels need."""

import numpy as np


class KeptCodes:
    """Codes of columns of units of rows, kept until the room is used up.

    Greedy search reads every column in every pass, so what came first stays: replacing the least recently used would
    replace everything just before it is needed.

    Parameters
    ----------
    room : int
        Bytes.

    Examples
    --------
    >>> kept = KeptCodes(1000)
    >>> kept.has_room(n_rows=6, n_levels=3)
    True
    >>> kept.put((0, 5), [pack(np.array([2, 0, 1, 1, 0, 2]), 3)])      # unit 0, column 5, one block
    >>> (0, 5) in kept, unpack(kept.get((0, 5), 0), 6, 3)
    (True, array([2, 0, 1, 1, 0, 2], dtype=uint8))
    """

    _OVERHEAD = 200  # bytes of an array and its place in the dictionary

    def __init__(self, room):
        self.room = room
        self._blocks = {}

    def __contains__(self, key):
        return key in self._blocks

    def has_room(self, n_rows, n_levels, n_blocks=1):
        """Whether there is room for a column; if so, it is taken."""
        size = -(-n_rows * _bits(n_levels) // 8) + n_blocks * self._OVERHEAD
        if size > self.room:
            return False
        self.room -= size
        return True

    def put(self, key, blocks):
        """Keep the packed codes of a column, block after block; room must have been taken."""
        self._blocks[key] = blocks

    def get(self, key, block):
        """Packed codes of one block of a column."""
        return self._blocks[key][block]


def pack(codes, n_levels):
    """Put codes side by side into bytes: of 8, 4 or 2 stretches of the rows, each byte holds a code of each.

    Examples
    --------
    >>> pack(np.array([1, 0, 1, 1, 0, 1, 0, 0, 1]), 2)      # stretches of two rows, up to 8 of them
    array([19,  6], dtype=uint8)
    """
    bits = _bits(n_levels)
    if bits >= 8:
        return codes.astype(f"u{bits // 8}")
    size = -(-len(codes) * bits // 8)
    out = np.zeros(size, dtype=np.uint8)
    for i in range(8 // bits):
        some = codes[i * size : (i + 1) * size].astype(np.uint8)
        out[: len(some)] |= some << np.uint8(bits * i)
    return out


def unpack(packed, n_rows, n_levels):
    """Codes (n_rows,) from `pack`."""
    bits = _bits(n_levels)
    if bits >= 8:
        return packed
    out = np.empty((8 // bits, len(packed)), dtype=np.uint8)
    for i, some in enumerate(out):
        np.right_shift(packed, np.uint8(bits * i), out=some)
        some &= np.uint8((1 << bits) - 1)
    return out.ravel()[:n_rows]


def _bits(n_levels):
    """Bits of a code: 1, 2, 4, or whole bytes."""
    few = next((bits for bits in (1, 2, 4) if n_levels <= 1 << bits), 0)
    return few or 8 * np.min_scalar_type(int(n_levels) - 1).itemsize
