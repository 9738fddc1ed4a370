"""Filters: selectors that score features by how they go with the target, without fitting a learner."""

from fslib.filters.bayes import BayesGreedy, BayesScore, OutOfInformationWarning
from fslib.filters.discretized import Discretized
from fslib.filters.exhaustive import BayesExhaustive
from fslib.filters.fisher import FisherScore
from fslib.filters.information import MIGreedy, MIScore
from fslib.filters.information_greedy import InformationGreedy
from fslib.filters.mrmr import MRMR
from fslib.filters.permutation import permutation_test

__all__ = [
    "MRMR",
    "BayesExhaustive",
    "BayesGreedy",
    "BayesScore",
    "Discretized",
    "FisherScore",
    "InformationGreedy",
    "MIGreedy",
    "MIScore",
    "OutOfInformationWarning",
    "permutation_test",
]
