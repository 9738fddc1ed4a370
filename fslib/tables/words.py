"""Words and names without what nobody sees: blanks around them, marks of no width, letters composed in two ways."""

import unicodedata

import numpy as np

INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200e\u200f\u2060\u00ad\ufeff"))
"""Marks without width or meaning for a word; joiners, which scripts and emoji need, are none of them."""


def tidy(text):
    """Text without blanks around it, runs of blanks as one, letters composed, marks of no width taken off.

    Examples
    --------
    >>> tidy(" a  b "), tidy("o\u0308l\u200b") == "\u00f6l"
    ('a b', True)
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(INVISIBLE)
    return " ".join(text.split())


def name_cells(codes, words, counts, bad):
    """Value and row of a few cells.

    Examples
    --------
    >>> name_cells(np.array([0, 1, 1]), ["1", "n/k"], np.array([1, 2]), [1])
    "row 2 ('n/k') and 1 more"
    """
    shown = [f"row {row + 1} ({word[:30]!r})" for row, word in list(first_cells(codes, words, bad).items())[:4]]
    more = int(counts[bad].sum()) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def first_cells(codes, words, bad):
    """Row and word where each of some words stands first, in the order of the rows.

    Examples
    --------
    >>> first_cells(np.array([0, 1, 1]), ["1", "n/k"], [1])
    {1: 'n/k'}
    """
    first = {int(np.flatnonzero(codes == i)[0]): words[i] for i in bad[:1000]}
    return dict(sorted(first.items()))
