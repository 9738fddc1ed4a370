"""Figures: one look (`style`), panels and legends (`layout`), and the recipes that notebooks share (`recipes`)."""

from fslib.plotting.dendrogram import module_dendrogram
from fslib.plotting.layout import panel_grid, shared_legend
from fslib.plotting.ranks import critical_difference_diagram
from fslib.plotting.recipes import bars, convergence, curve_grid, heatmap
from fslib.plotting.scatter import class_scatter
from fslib.plotting.style import STYLES, TEXT_WIDTH, method_style, savefig, use_style
from fslib.plotting.tables import mark_best

__all__ = [
    "STYLES",
    "TEXT_WIDTH",
    "bars",
    "class_scatter",
    "convergence",
    "critical_difference_diagram",
    "curve_grid",
    "heatmap",
    "mark_best",
    "method_style",
    "module_dendrogram",
    "panel_grid",
    "savefig",
    "shared_legend",
    "use_style",
]
