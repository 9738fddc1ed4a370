"""Text of a block of rows, as codes of the words that occur in it."""

import numpy as np


class CodedWords:
    """Text of one column and block; stands for the array of its cells, which are never made one by one.

    Parameters
    ----------
    codes : array of int, shape (m,)
    words : list
        Each different, each occurring.

    Examples
    --------
    >>> column = CodedWords(np.array([1, 0, 1]), ["red", "blue"])
    >>> len(column), np.asarray(column).tolist()
    (3, ['blue', 'red', 'blue'])
    """

    dtype = np.dtype(object)

    def __init__(self, codes, words):
        self.codes = codes
        self.words = np.empty(len(words), dtype=object)
        self.words[:] = words

    def __len__(self):
        return len(self.codes)

    def __array__(self, dtype=None, copy=None):
        return self.words.take(self.codes).astype(dtype or object, copy=False)

    def astype(self, kind):
        """Cells as another type, made word by word."""
        return self.words.astype(kind).take(self.codes)


def is_text(kind):
    """Whether an Arrow type is text."""
    import pyarrow as pa

    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def coded_words(column):
    """Text of an Arrow array, or None if it is something else.

    Parameters
    ----------
    column : pyarrow.Array
        Without empty cells.

    Returns
    -------
    CodedWords or None

    Examples
    --------
    >>> import pyarrow as pa
    >>> coded_words(pa.array(["red", "blue", "red"])).codes
    array([0, 1, 0], dtype=int32)
    >>> coded_words(pa.array([1, 2])) is None
    True
    """
    import pyarrow as pa

    if is_text(column.type):
        column = column.dictionary_encode()
    elif not (pa.types.is_dictionary(column.type) and is_text(column.type.value_type)):
        return None
    codes, words = column.indices.to_numpy(), column.dictionary
    occurring = np.bincount(codes, minlength=len(words)) > 0
    if not occurring.all():  # a block of a file may come with all words of the file
        codes, words = (np.cumsum(occurring) - 1).take(codes), words.filter(pa.array(occurring))
    return CodedWords(codes, words.to_pylist())
