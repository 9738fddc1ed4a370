"""Samples of several classes in the plane, training and test part told apart."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from fslib.plotting.layout import panel_grid, plain, shared_legend
from fslib.plotting.style import method_style

MARKERS = {"": "o", "train": "o", "test": "^"}


def class_scatter(panels: Mapping[str, Mapping[str, tuple[Any, Any]]], class_names: Mapping[int, str]) -> Figure:
    """Draw samples by two coordinates: colour and filling for the class, circle for training and triangle for test.

    Parameters
    ----------
    panels : dict of str to dict
        Title -> part ("train", "test", or "" if there is one part only) -> (coordinates (n, 2), classes (n,)).
    class_names : dict of int to str

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> import numpy as np
    >>> points, classes = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0, 1])
    >>> fig = class_scatter({"toy": {"train": (points, classes)}}, {0: "ALL", 1: "AML"})
    >>> fig.axes[0].get_xlabel()
    'first component'
    """
    styles = method_style(class_names.values())
    fig, axes = panel_grid(len(panels), 2)
    for ax, (title, parts) in zip(axes, panels.items(), strict=True):
        ax.set_title(plain(title))
        for part, (points, classes) in parts.items():
            for number, (code, name) in enumerate(class_names.items()):
                at = np.asarray(points)[np.asarray(classes) == code]
                color, label = styles[name]["color"], plain(f"{name}, {part}" if part else name)
                look = {"marker": MARKERS[part], "s": 18, "alpha": 0.8, "label": label, "edgecolors": color}
                ax.scatter(at[:, 0], at[:, 1], facecolors=color if number % 2 == 0 else "none", **look)
        ax.set_xlabel("first component")
        ax.set_ylabel("second component")
    shared_legend(fig, axes)
    return fig
