"""Filters: selectors that score columns by how they go with the classes, without fitting a learner."""

from fslib.filters.fisher import FisherScore
from fslib.filters.mrmr import MRMR

__all__ = ["MRMR", "FisherScore"]
