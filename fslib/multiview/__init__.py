"""Selectors for samples that are described by several views (groups of features)."""

from fslib.multiview.dsmlfs import DSMLFS
from fslib.multiview.rfs import RFS
from fslib.multiview.rrmvfs import RRMVFS
from fslib.multiview.smml import SMML
from fslib.multiview.ssmvfs import SSMVFS
from fslib.multiview.wmcfs import WMCFS

__all__ = ["DSMLFS", "RFS", "RRMVFS", "SMML", "SSMVFS", "WMCFS"]
