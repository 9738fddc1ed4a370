"""Tables of your own: read, checked, and split into features and target."""

from fslib.tables.defects import Defect, TableError
from fslib.tables.reading import read_table
from fslib.tables.usertable import UserTable

__all__ = ["Defect", "TableError", "UserTable", "read_table"]
