"""One look for all figures: sizes, fonts, one colour and marker per method, files that do not change by chance.

Colours are those of Okabe and Ito, which stay apart for colour-blind readers; markers and dashes say the same thing
again for grey printing. The method a paper proposes is always vermilion.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd
from matplotlib.figure import Figure

from fslib.files import atomic_path
from fslib.names import canonical_method

TEXT_WIDTH = 7.0  # inches: an A4 page between its margins
PANEL_HEIGHT = 2.15

VERMILION, BLUE, GREEN, ORANGE = "#D55E00", "#0072B2", "#009E73", "#E69F00"
SKY, PURPLE, BLACK, GREY = "#56B4E9", "#CC79A7", "#222222", "#8C8C8C"
BROWN = "#8B5A2B"  # no colour of Okabe and Ito; for the controls of crowded figures
GREY_TEXT = "#5F5F5F"  # 6.3:1 on white; GREY is for lines only

STYLES: dict[str, tuple[str, str]] = {
    # Bayes optimal selection; the score variants are the light colours of their greedy searches
    "BayesGreedy": (VERMILION, "o"),
    "BayesScore": (ORANGE, "^"),
    "BayesExhaustive": (BLACK, "*"),
    "MIGreedy": (BLUE, "s"),
    "MIScore": (SKY, "v"),
    "MRMR": (GREEN, "D"),
    "FScore": (PURPLE, "X"),
    # many views
    "RRMVFS": (VERMILION, "o"),
    "RFS": (BLUE, "s"),
    "SSMVFS": (GREEN, "D"),
    "SMML": (ORANGE, "^"),
    "DSML-FS": (SKY, "v"),
    "WMCFS": (PURPLE, "X"),
    "CAT": (BLACK, "P"),
    "Single": (GREY, "."),
    # many labels
    "MLMLFS": (VERMILION, "o"),
    "MDDM": (PURPLE, "X"),
    "PMU": (BLUE, "s"),
    "MDMR": (GREEN, "D"),
    "SFUS": (ORANGE, "^"),
    "CMFS": (VERMILION, "o"),
    "MIFS": (BLUE, "s"),
    "FIMF": (GREEN, "D"),
    "ML-CIB": (VERMILION, "o"),
    "ML-CIB-FS": (VERMILION, "o"),
    "BR": (BLACK, "P"),
    "CC": (GREY, "."),
    "MLSMOTE": (BLUE, "s"),
    "BR-IRUS": (SKY, "v"),
    "COCOA": (GREEN, "D"),
    "MMIB": (PURPLE, "X"),
    # classes of unequal size
    "CSPCA": (VERMILION, "o"),
    "CSNMF": (ORANGE, "^"),
    "PCA": (BLACK, "P"),
    "NMF": (BLACK, "P"),
    "ADASYN-PCA": (BLUE, "s"),
    "ADASYN-NMF": (BLUE, "s"),
    "RU-PCA": (GREEN, "D"),
    "RU-NMF": (GREEN, "D"),
    "ML-CST": (SKY, "v"),
    "PCA-ML-CST": (SKY, "v"),
    "NMF-ML-CST": (SKY, "v"),
    "CCPDT": (PURPLE, "X"),
    "PCA-CCPDT": (PURPLE, "X"),
    "NMF-CCPDT": (PURPLE, "X"),
    "BSNMF": (VERMILION, "o"),
    "DNMF": (BLUE, "s"),
    "ABC-Sampling": (VERMILION, "o"),
    "PSO": (BLUE, "s"),
    "RU": (GREEN, "D"),
    "BIRF": (PURPLE, "X"),
    "ADASYN": (SKY, "v"),
    "SMOTE": (ORANGE, "^"),
    "Balanced SVM": (GREY, "."),
    "Baseline": (BLACK, "P"),
    # correlated features
    "SCANMF": (VERMILION, "o"),
    "LASSO": (GREEN, "D"),
    "Elastic Net": (SKY, "v"),
    "Fuzzy Forest": (PURPLE, "X"),
    "Fuzz-ESVM": (VERMILION, "o"),
    "ESVM-RFE": (ORANGE, "^"),
    "SVM-RFE": (BLUE, "s"),
    "HLR": (GREEN, "D"),
    "All features": (BLACK, "P"),
}
"""Colour and marker of each method of `fslib.names.METHODS`, in every figure of every paper."""

_SPARE_COLORS = (BLUE, ORANGE, GREEN, PURPLE, SKY, GREY, BLACK, BROWN)
_SPARE_MARKERS = ("h", "<", "d", "*", "p", ">", "8")
_SPARE = [  # neighbours differ in both
    (_SPARE_COLORS[i % len(_SPARE_COLORS)], _SPARE_MARKERS[i % len(_SPARE_MARKERS)])
    for i in range(len(_SPARE_COLORS) * len(_SPARE_MARKERS))
]

DASHES = ["-", (0, (4, 1.6)), (0, (1, 1.4)), (0, (5, 1.4, 1, 1.4)), (0, (7, 2)), (0, (3, 1, 1, 1, 1, 1))]
"""Dashes of lines; the first is solid."""


def use_style() -> None:
    """Set up figures and displayed tables for a notebook of this project; call it once, after the imports."""
    pd.set_option("display.max_colwidth", None)  # claims are sentences, and a cut one says nothing
    pd.set_option("display.max_rows", 60)
    pd.set_option("display.precision", 4)
    mpl.rcParams.update(mpl.rcParamsDefault | {"backend": mpl.rcParams["backend"]})
    mpl.rcParams.update(
        {
            "figure.figsize": (TEXT_WIDTH, 3.0),
            "figure.dpi": 110,
            "figure.constrained_layout.use": True,
            "figure.facecolor": "white",
            "font.family": "DejaVu Sans",  # ships with matplotlib, so every machine draws the same letters
            "font.size": 8.5,
            "axes.titlesize": 9,
            "axes.titlelocation": "left",
            "axes.titleweight": "bold",
            "axes.labelsize": 8.5,
            "axes.edgecolor": "#555555",
            "axes.linewidth": 0.7,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "axes.axisbelow": True,
            "grid.color": "#E6E6E6",
            "grid.linewidth": 0.6,
            "xtick.color": "#444444",
            "ytick.color": "#444444",
            "xtick.labelsize": 8,
            "ytick.labelsize": 8,
            "lines.linewidth": 1.4,
            "lines.markersize": 4.2,
            "legend.frameon": False,
            "legend.fontsize": 8.5,
            "savefig.bbox": None,  # the page width is kept; constrained layout has already made room
        }
    )


def method_style(methods: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Line style of each method, as keyword arguments of ``Axes.plot``.

    Known methods keep their colour in every figure; where two of them have the same, as methods of different papers
    may, the first in the alphabet keeps it. All others share the spare colours in alphabetical order, those that no
    method of the figure has first, so that a figure of your own does not change when its rows are reordered.

    Examples
    --------
    >>> method_style(["c-BayesGreedy"])["c-BayesGreedy"]
    {'color': '#D55E00', 'marker': 'o'}
    """
    names = {name: canonical_method(name) for name in methods}
    known: dict[str, tuple[str, str]] = {}
    for name in sorted(set(names.values()) & set(STYLES)):
        if STYLES[name] not in known.values():
            known[name] = STYLES[name]
    taken = set(known.values())
    colors = {color for color, _ in taken}
    free = sorted((style for style in _SPARE if style not in taken), key=lambda style: style[0] in colors)  # new first
    spare = iter(free * (1 + len(names)))
    others = {name: next(spare) for name in sorted(set(names.values()) - set(known))}
    found = {method: (known | others)[name] for method, name in names.items()}
    return {method: {"color": color, "marker": marker} for method, (color, marker) in found.items()}


def savefig(fig: Figure, path: str | os.PathLike, *, title: str | None = None) -> Path:
    """Write a figure so that the same figure is the same file: no date, and element names that do not depend on chance.

    Parameters
    ----------
    fig : matplotlib.figure.Figure
    path : path
        Ends in .svg, .pdf or .png. The folder is made; the file appears whole or not at all.
    title : str, optional
        Written into the metadata of the file.

    Returns
    -------
    pathlib.Path
    """
    path = Path(path)
    metadata: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix, {})
    if title is not None:
        metadata["Title"] = title
    with mpl.rc_context({"svg.hashsalt": "fslib"}), atomic_path(path) as part:
        fig.savefig(part, metadata=metadata)
    return path
