"""Objects out of an R workspace file (``.rda``, binary XDR form): as much of the format as the data sets here need.

The format is described in "R Internals", section 1.8, Serialization Formats.
"""

import bz2
import lzma
import struct

import numpy as np

SYMBOL, PAIRLIST, CHARS, INTEGERS, REALS, STRINGS, LIST, END, REFERENCE = 1, 2, 9, 13, 14, 16, 19, 254, 255


class Reader:
    """Reads one serialized item after the other; symbols are numbered, and later mentions refer to the number."""

    def __init__(self, data):
        self.data, self.position, self.symbols = data, 0, []

    def integer(self):
        (value,) = struct.unpack_from(">i", self.data, self.position)
        self.position += 4
        return value

    def array(self, dtype):
        count = self.integer()
        values = np.frombuffer(self.data, dtype, count, self.position)
        self.position += values.nbytes
        return values

    def item(self):
        """A vector as (values, attributes), text as str, a pairlist as dict, anything empty as None."""
        flags = self.integer()
        kind, has_attributes, has_tag = flags & 0xFF, flags & 0x200, flags & 0x400
        if kind == END:
            return None
        if kind == SYMBOL:
            self.symbols.append(self.item())
            return self.symbols[-1]
        if kind == REFERENCE:
            return self.symbols[(flags >> 8) - 1]
        if kind == CHARS:
            return self.array("S1").tobytes().decode("ascii")
        if kind == PAIRLIST:
            tag = self.item() if has_tag else None
            value = self.item()
            return {tag: value, **(self.item() or {})}
        if kind in (INTEGERS, REALS):
            values = self.array(">i4" if kind == INTEGERS else ">f8")
        elif kind in (STRINGS, LIST):
            values = [self.item() for _ in range(self.integer())]
        else:
            raise ValueError(f"R type {kind} at byte {self.position} is not read here")
        return values, (self.item() or {}) if has_attributes else {}


def read_workspace(compressed):
    """All objects of a bzip2- or xz-compressed workspace file, dict name -> (values, attributes)."""
    data = (lzma if compressed.startswith(b"\xfd7zXZ") else bz2).decompress(compressed)
    if not data.startswith(b"RDX2\nX\n"):
        raise ValueError("not an R workspace file of version 2 in XDR form")
    reader = Reader(data[7:])
    reader.position = 12  # format version, R version that wrote it, oldest R version that reads it
    return reader.item()


def read_data_frame(compressed, name):
    """Columns of a data frame, dict name -> array; a factor becomes its level names."""
    columns, attributes = read_workspace(compressed)[name]
    return {
        label: np.array(extra["levels"][0])[values - 1] if "levels" in extra else values.astype(float)
        for label, (values, extra) in zip(attributes["names"][0], columns, strict=True)
    }


def read_matrix(workspace, name):
    """A matrix of a workspace, rows and columns as R shows them."""
    values, attributes = workspace[name]
    return np.array(values).reshape(tuple(attributes["dim"][0]), order="F")
