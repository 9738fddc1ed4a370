"""Feature selection and classification with many labels per sample, some of them unknown, most of them rare."""

from fslib.multilabel.binary_relevance import BinaryRelevance, LabelChain
from fslib.multilabel.cmfs import CMFS
from fslib.multilabel.cocoa import COCOA
from fslib.multilabel.fimf import FIMF
from fslib.multilabel.irus import InverseRandomUnderSampling
from fslib.multilabel.mddm import MDDM
from fslib.multilabel.mdmr import MDMR
from fslib.multilabel.mifs import MIFS
from fslib.multilabel.mlcib import MLCIB
from fslib.multilabel.mlcib_fs import MLCIBFS
from fslib.multilabel.mlknn import MLkNN
from fslib.multilabel.mlmlfs import MLMLFS
from fslib.multilabel.mlsmote import MLSMOTE
from fslib.multilabel.mmib import MMIB
from fslib.multilabel.pmu import PMU
from fslib.multilabel.sfus import SFUS

__all__ = [
    "CMFS",
    "COCOA",
    "FIMF",
    "MDDM",
    "MDMR",
    "MIFS",
    "MLCIB",
    "MLCIBFS",
    "MLMLFS",
    "MLSMOTE",
    "MMIB",
    "PMU",
    "SFUS",
    "BinaryRelevance",
    "InverseRandomUnderSampling",
    "LabelChain",
    "MLkNN",
]
