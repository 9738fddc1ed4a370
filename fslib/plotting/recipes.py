"""The recipes that notebooks share: curves in panels, convergence, bars and heat maps, from tidy rows to a figure."""

import textwrap
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from fslib.names import canonical_method, metric, metric_name
from fslib.plotting.layout import ARROWS, better, panel_grid, plain, shared_legend
from fslib.plotting.style import DASHES, GREY, STYLES, TEXT_WIDTH, method_style
from fslib.tidy import with_settings


def curve_grid(
    frame: pd.DataFrame,
    x: str,
    panels: str | Sequence[str],
    *,
    dashes: str | None = None,
    x_label: str | None = None,
    y_label: str | None = None,
    n_cols: int = 3,
    x_log: bool = False,
    y_log: bool = False,
) -> Figure:
    """Metric against ``x`` (mostly the number of features), one panel per data set or setting, one line per method.

    Parameters
    ----------
    frame : DataFrame
        Tidy rows. ``std``, where there is one, becomes a band of one standard deviation on both sides.
    x : str
        Column or setting key on the horizontal axis.
    panels : str or list of str
        Columns or setting keys; each combination that occurs is a panel, in order of appearance.
    dashes : str, optional
        Column or setting key told apart by the dashes of a line, such as "protocol".
    x_label, y_label : str, optional
        With units. By default the names of ``x`` and of the metric.
    n_cols : int
        Panels per row.
    x_log, y_log : bool
        Logarithmic axes.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If the frame is empty or a name is neither a column nor a setting key, or if two rows want the same point.
    """
    wanted = [panels] if isinstance(panels, str) else list(panels)
    rows = _columns(frame, [x, *wanted, *([dashes] if dashes else [])])
    styles = method_style(rows["method"].unique())
    known = [method for method in styles if canonical_method(method) in STYLES]
    below = set(styles) - set(known) if known else set()  # controls and variants of the methods of a paper
    arms = list(rows[dashes].unique()) if dashes else [None]
    groups = list(rows.groupby(wanted, sort=False, dropna=False))
    fig, axes = panel_grid(len(groups), n_cols)
    for ax, (names, panel) in zip(axes, groups, strict=True):
        ax.set_title(_title(dict(zip(wanted, names, strict=True)), min(n_cols, len(groups))))
        for number, arm in enumerate(arms):
            for order, method in enumerate(styles):
                line = panel[panel["method"] == method]
                if arm is not None:
                    line = line[line[dashes] == arm]
                # without `dashes`, dashes tell methods apart, as colour and marker do
                dash = DASHES[(number if dashes else order) % len(DASHES)]
                _band(ax, line.sort_values(x), x, label=method, dash=dash, below=method in below, **styles[method])
        if x_log:
            ax.set_xscale("log")
        elif pd.api.types.is_numeric_dtype(panel[x]) and (panel[x] % 1 == 0).all():  # no ticks at half a feature
            ax.xaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10], integer=True))
        if y_log:
            ax.set_yscale("log")
    if len(arms) > 1:
        for arm, dash in zip(arms, DASHES * len(arms), strict=False):
            axes[0].plot([], [], color=GREY, ls=dash, label=plain(arm))
    for i, ax in enumerate(axes):  # labels on the outer panels only; one for the whole figure would hit the legend
        if i + n_cols >= len(axes):
            ax.set_xlabel(x_label or x.replace("_", " "))
        if i % n_cols == 0:
            label = y_label or ", ".join(map(metric_name, rows["metric"].unique()))
            ax.set_ylabel(textwrap.fill(label + better(rows["metric"].unique()), 28))  # as long as a panel is high
    shared_legend(fig, axes)
    return fig


def _title(names: Mapping[str, Any], n_cols: int) -> str:
    """Name a panel: a number is shown with its key, a metric as readers know it, and what is too long is broken."""
    words = {
        key: metric_name(name) + ARROWS[metric(name).larger_is_better] if key == "metric" else str(name)
        for key, name in names.items()
    }
    parts = [f"{key} = {words[key]}" if isinstance(name, Real) else words[key] for key, name in names.items()]
    # bold letters: about 11.5 fit into an inch
    return plain(textwrap.fill(", ".join(parts), int(11.5 * TEXT_WIDTH / n_cols)))


def _columns(frame: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """Give the frame its setting keys as columns, or raise a ValueError that says what there is."""
    if frame.empty:
        raise ValueError("nothing to draw: the frame has no rows")
    rows = with_settings(frame) if "setting" in frame else frame
    if missing := [name for name in names if name not in rows]:
        raise ValueError(f"{missing} is neither a column nor a setting key; there are {sorted(rows.columns)}")
    return rows


def _band(ax: Any, line: pd.DataFrame, x: str, *, label: str, dash: Any, below: bool, color: str, marker: str) -> None:
    """Mean line with markers and, behind it, one standard deviation on both sides.

    A line ``below`` others is wider, so that another one that coincides with it is seen on top.
    """
    if line.empty:
        return
    if line[x].duplicated().any():
        raise ValueError(f"{line['method'].iloc[0]} has several rows at one {x}: name what differs in panels or dashes")
    at, mean = line[x].to_numpy(), line["value"].to_numpy(float)
    order: dict[str, Any] = {"lw": 2.4, "zorder": 1.9} if below else {}
    every = max(1, len(at) // 8)
    ax.plot(at, mean, color=color, marker=marker, ls=dash, label=label, markevery=every, mew=0, **order)
    if "std" in line and line["std"].notna().any():
        std = line["std"].to_numpy(float)
        ax.fill_between(at, mean - std, mean + std, color=color, alpha=0.13, lw=0)


def convergence(objectives: Mapping[str, Sequence[float]], *, y_label: str = "objective", gap: bool = False) -> Figure:
    """Objective after each iteration, one line per entry.

    Parameters
    ----------
    objectives : mapping of str to sequence of float
        Name to the values of iterations 1, 2, ...
    y_label : str
        With units.
    gap : bool
        Draw the distance to the smallest value of all entries on a logarithmic axis, which shows the speed. Without
        it, the axis is logarithmic only where positive values spread over more than two orders of magnitude.

    Returns
    -------
    matplotlib.figure.Figure
    """
    lowest = min(float(np.min(values)) for values in objectives.values())
    highest = max(float(np.max(values)) for values in objectives.values())
    styles = method_style(objectives)
    fig, ax = plt.subplots(figsize=(0.7 * TEXT_WIDTH, 2.3))
    for number, (name, values) in enumerate(objectives.items()):
        drawn = np.asarray(values, float) - (lowest if gap else 0.0)
        drawn = np.where(drawn > 0, drawn, np.nan) if gap else drawn  # the lowest point has no logarithm
        steps = np.arange(1, len(drawn) + 1)
        dash = DASHES[(number + number // len(DASHES)) % len(DASHES)]  # another beside each colour when colours recur
        every = max(1, len(drawn) // 10)
        first = number % every  # markers of lines that coincide stand side by side
        ax.plot(steps, drawn, label=name, ls=dash, markevery=(first, every), mew=0, **styles[name])
    if gap or highest > 100 * lowest > 0:  # one line that leaps would flatten all others
        ax.set_yscale("log")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    label = f"{y_label} above its lowest value" if gap else y_label
    ax.set(xlabel="iteration", ylabel=textwrap.fill(label, 28))
    if len(objectives) > 1:
        rows = shared_legend(fig, [ax])
        fig.set_figheight(fig.get_figheight() + 0.17 * rows)  # the legend takes no room from the curves
    return fig


def bars(frame: pd.DataFrame, groups: str, *, y_label: str | None = None, y_log: bool = False) -> Figure:
    """Draw grouped bars with one standard deviation as whisker: groups along the axis, one bar per method.

    Parameters
    ----------
    frame : DataFrame
        Tidy rows, one per group and method.
    groups : str
        Column or setting key along the horizontal axis, in order of appearance.
    y_label : str, optional
        With units.
    y_log : bool
        Logarithmic axis, for run times.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If the frame is empty, ``groups`` is neither a column nor a setting key, or a method has two rows for one group.
    """
    rows = _columns(frame, [groups])
    styles, names = method_style(rows["method"].unique()), list(rows[groups].unique())
    fig, ax = plt.subplots(figsize=(TEXT_WIDTH, 2.9))
    width = 0.82 / len(styles)
    for i, method in enumerate(styles):
        line = rows[rows["method"] == method].set_index(groups)
        if not line.index.is_unique:
            raise ValueError(f"{method} has several rows for one {groups}; filter the frame first")
        line = line.reindex(names)
        at = np.arange(len(names)) + (i - (len(styles) - 1) / 2) * width
        std = line["std"].fillna(0.0).to_numpy(float) if "std" in line else None
        whisker = {"elinewidth": 0.8, "ecolor": "#444444"}
        ax.bar(
            at,
            line["value"],
            0.92 * width,
            yerr=std,
            color=styles[method]["color"],
            label=plain(method),
            error_kw=whisker,
        )
    ax.set_xticks(range(len(names)), [plain(name) for name in names])
    ax.grid(axis="x", visible=False)
    if y_log:
        ax.set_yscale("log")
    ax.set_ylabel((y_label or ", ".join(map(metric_name, rows["metric"].unique()))) + better(rows["metric"].unique()))
    shared_legend(fig, [ax])
    return fig


def heatmap(table: pd.DataFrame, *, label: str, digits: int = 2) -> Figure:
    """Draw a table as coloured cells with the numbers inside: rows and columns as they come, one bar for the scale.

    Parameters
    ----------
    table : DataFrame
        Wide: one number per cell, missing cells stay blank.
    label : str
        What the numbers are, with units.
    digits : int
        Digits after the point.

    Returns
    -------
    matplotlib.figure.Figure
    """
    fig, ax = plt.subplots(figsize=(TEXT_WIDTH, 0.34 * len(table) + 1.1))
    names = [str(c) for c in table.columns]
    # about 13 characters fit into an inch; what does not fit side by side is slanted
    slant = max(map(len, names)) + 1 > 13 * 0.75 * TEXT_WIDTH / len(names)
    sns.heatmap(
        table.astype(float),
        ax=ax,
        annot=True,
        fmt=f".{digits}f",
        cmap="cividis",
        cbar_kws={"label": label, "pad": 0.01},
        xticklabels=list(map(plain, names)),
        yticklabels=list(map(plain, table.index)),
    )
    ax.tick_params(axis="x", rotation=30 if slant else 0)
    plt.setp(ax.get_xticklabels(), ha="right" if slant else "center")
    ax.tick_params(axis="y", rotation=0)
    return fig
