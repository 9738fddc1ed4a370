"""Average ranks of methods over data sets, with a bar over those that do not differ significantly."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import scikit_posthocs
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator

from fslib.plotting.style import BLACK, GREY_TEXT, TEXT_WIDTH, method_style


def critical_difference_diagram(average_ranks: pd.Series, distance: float) -> Figure:
    """Draw average ranks on a line, 1 = best at the left, bars joining methods that lie closer than ``distance``.

    Each method has its marker at the end of its own line, so that methods of equal rank are all seen.

    Parameters
    ----------
    average_ranks : Series
        One per method, as in :class:`fslib.evaluation.stats.FriedmanResult`.
    distance : float
        Critical difference, from :func:`fslib.evaluation.stats.critical_difference`. The bars follow from it alone, so
        that figure and text cannot disagree.

    Returns
    -------
    Figure
    """
    ranks = average_ranks.astype(float)
    far = np.abs(np.subtract.outer(ranks.to_numpy(), ranks.to_numpy())) >= distance
    pvalues = pd.DataFrame(np.where(far, 0.0, 1.0), index=ranks.index, columns=ranks.index)  # only "differs or not"
    styles = method_style(ranks.index)
    fig, ax = plt.subplots(figsize=(TEXT_WIDTH, 1.1 + 0.22 * len(ranks)))
    drawn = scikit_posthocs.critical_difference_diagram(
        ranks,
        pvalues,
        ax=ax,
        label_fmt_left="{label} ({rank:.2f})  ",
        label_fmt_right="  ({rank:.2f}) {label}",
        color_palette={name: style["color"] for name, style in styles.items()},
        elbow_props={"linewidth": 1.0},
        crossbar_props={"color": BLACK, "linewidth": 2.5},
    )
    names = [
        *ranks.sort_values().index[: (len(ranks) + 1) // 2],
        *ranks.sort_values().index[(len(ranks) + 1) // 2 :][::-1],
    ]
    for name, elbow, label in zip(names, drawn["elbows"], drawn["labels"], strict=True):
        (end, *_), (height, *_) = elbow.get_data()
        ax.scatter(end, height, s=26, zorder=4, **styles[name])
        label.set_color(BLACK)  # colours of lines are too pale for text
    best, above = ranks.min(), 2.6  # a row above the numbers and the name of the axis
    ax.plot([best, best + distance], [above, above], color=GREY_TEXT, linewidth=2.5)
    ax.text(best + distance, above, f"  critical difference {distance:.2f}", color=GREY_TEXT, va="center")
    ax.set_xlabel("average rank (smaller is better)")
    ax.xaxis.set_label_position("top")
    ax.spines["top"].set_visible(True)
    ax.xaxis.set_major_locator(MultipleLocator(1))
    ax.grid(False)
    return fig
