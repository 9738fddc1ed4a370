"""Panels, legends and labels that the recipes share."""

import math
from collections.abc import Iterable
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from fslib.names import metric
from fslib.plotting.style import PANEL_HEIGHT, TEXT_WIDTH

ARROWS = {True: " \N{UPWARDS ARROW}", False: " \N{DOWNWARDS ARROW}", None: ""}
"""Whether larger or smaller is better, behind the name of a metric."""


def shared_legend(fig: Figure, axes: Iterable[Any]) -> int:
    """One legend below all panels, each name once, in the order of first appearance; returns how many rows it has."""
    entries: dict[str, Any] = {}
    for ax in axes:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            entries.setdefault(label, handle)
    if not entries:
        return 0
    # about 13 characters fit into an inch at this size, and a handle is as wide as four
    fit = max(1, int(fig.get_figwidth() * 13 // (max(map(len, entries)) + 5)))
    n_rows = math.ceil(len(entries) / fit)
    fig.legend(entries.values(), entries.keys(), loc="outside lower center", ncols=math.ceil(len(entries) / n_rows))
    return n_rows


def panel_grid(n_panels: int, n_cols: int = 3, *, height: float = PANEL_HEIGHT) -> tuple[Figure, list[Any]]:
    """Figure at text width with ``n_panels`` axes in rows of ``n_cols``; places left over are removed."""
    n_cols = min(n_cols, n_panels)
    n_rows = math.ceil(n_panels / n_cols)
    fig, grid = plt.subplots(n_rows, n_cols, figsize=(TEXT_WIDTH, height * n_rows + 0.5), squeeze=False)
    axes = list(grid.flat)
    for ax in axes[n_panels:]:
        ax.remove()
    return fig, axes[:n_panels]


def better(metrics: Iterable[str]) -> str:
    """Say which direction is better, behind the label of an axis; empty for metrics without a direction.

    Examples
    --------
    >>> better(["error_0_1"]), better(["f1", "one_error"]), better(["criterion"])
    (' (smaller is better)', ' (better: \u2191 larger, \u2193 smaller)', '')
    """
    found = {metric(key).larger_is_better for key in metrics}
    if len(found - {None}) == 2:
        return " (better: \N{UPWARDS ARROW} larger, \N{DOWNWARDS ARROW} smaller)"
    return (
        {True: " (larger is better)", False: " (smaller is better)", None: ""}[found.pop()] if len(found) == 1 else ""
    )


def plain(text: Any) -> str:
    r"""Text that matplotlib draws as it is written: two dollars in the name of a reader's file are not a formula.

    Examples
    --------
    >>> plain("a $b$")
    'a \\$b\\$'
    """
    return str(text).replace("$", r"\$")
