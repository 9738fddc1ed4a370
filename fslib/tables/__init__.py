"""Tables of your own: read, checked, and split into features and target.

Made by hand on pandas and pyarrow and not on skrub, whose ``ToFloat`` and ``TableVectorizer`` (release 0.11) cast
numbers to 32 bits, so that 16777217 becomes 16777216, and which reads 03/04/2021 as March 4 without a word, where a
note says here that the day may come first. Importing skrub takes 2.3 s of processor time where this package takes 1.7
s, most of it for scikit-learn, which selectors need in any case.
"""

from fslib.tables.defects import Defect, TableError
from fslib.tables.reading import read_table
from fslib.tables.usertable import UserTable

__all__ = ["Defect", "TableError", "UserTable", "read_table"]
