"""Feature selection and classification with many labels per sample, some of them unknown."""

from fslib.multilabel.mddm import MDDM
from fslib.multilabel.mdmr import MDMR
from fslib.multilabel.mlknn import MLkNN
from fslib.multilabel.mlmlfs import MLMLFS
from fslib.multilabel.pmu import PMU
from fslib.multilabel.sfus import SFUS

__all__ = ["MDDM", "MDMR", "MLMLFS", "PMU", "SFUS", "MLkNN"]
