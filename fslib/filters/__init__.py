"""Filters: selectors that score features by how they go with the target, without fitting a learner."""

from fslib.filters.bayes import BayesGreedy, BayesScore, OutOfInformationWarning
from fslib.filters.discretized import Discretized
from fslib.filters.exhaustive import BayesExhaustive
from fslib.filters.fisher import FisherScore
from fslib.filters.information import MIGreedy, MIScore
from fslib.filters.mrmr import MRMR

__all__ = [
    "MRMR",
    "BayesExhaustive",
    "BayesGreedy",
    "BayesScore",
    "Discretized",
    "FisherScore",
    "MIGreedy",
    "MIScore",
    "OutOfInformationWarning",
]
