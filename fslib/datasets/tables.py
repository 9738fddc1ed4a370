"""Kept for callers of version 0.2: tables are read by `fslib.tables`."""

from fslib.tables import table_from_file

__all__ = ["table_from_file"]
