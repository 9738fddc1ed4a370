"""Feature selection where many features correlate: modules, eliminations within them, factorisations, sparse paths."""

from fslib.correlated.coexpression import CoexpressionModules
from fslib.correlated.esvm_rfe import ESVMRFE
from fslib.correlated.fuzz_esvm import FuzzESVM
from fslib.correlated.fuzzy_forest import FuzzyForest
from fslib.correlated.hlr import HLR
from fslib.correlated.lasso import ElasticNetPath, LassoPath
from fslib.correlated.scanmf import SCANMF
from fslib.correlated.svm_rfe import SVMRFE

__all__ = [
    "ESVMRFE",
    "HLR",
    "SCANMF",
    "SVMRFE",
    "CoexpressionModules",
    "ElasticNetPath",
    "FuzzESVM",
    "FuzzyForest",
    "LassoPath",
]
