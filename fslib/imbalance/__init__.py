"""Imbalanced classes: extraction, ranking and sampling that give the minority class its weight."""

from fslib.imbalance.abc_sampling import ABCSampling
from fslib.imbalance.balanced_forest import BalancedIterativeRandomForest
from fslib.imbalance.bsnmf import BSNMF
from fslib.imbalance.ccpdt import CCPDT
from fslib.imbalance.csnmf import CSNMF
from fslib.imbalance.cspca import CSPCA
from fslib.imbalance.dnmf import DNMF
from fslib.imbalance.ml_cst import ml_cst
from fslib.imbalance.oversampling import ADASYNWithFallback
from fslib.imbalance.pso_sampling import PSOSampling

__all__ = [
    "BSNMF",
    "CCPDT",
    "CSNMF",
    "CSPCA",
    "DNMF",
    "ABCSampling",
    "ADASYNWithFallback",
    "BalancedIterativeRandomForest",
    "PSOSampling",
    "ml_cst",
]
