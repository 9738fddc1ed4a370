"""Paper "bayes", Example 1 with another share of positives: a figure, and a slider that redraws it."""

import numpy as np

from fslib.evaluation.progress import shows_progress
from fslib.filters.criteria import ZeroOne
from fslib.papers.bayes.example import joint_table, mutual_information

GRID = np.linspace(0.01, 0.99, 99)


def criteria(p_positive):
    """Bayes error and mutual information of both features.

    Returns
    -------
    errors : array of shape (2,)
    informations : array of shape (2,)
        In bits.

    Examples
    --------
    >>> errors, informations = criteria(0.3)
    >>> errors.round(2), informations.round(2)
    (array([0.25, 0.3 ]), array([0.08, 0.17]))
    """
    tables = [joint_table(feature, p_positive) for feature in (0, 1)]
    errors = np.array([-ZeroOne().value(table) for table in tables])
    return errors, np.array([mutual_information(table) for table in tables]) / np.log(2)


def draw(p_positive):
    """Both criteria against the share of positives, with the given share marked and its winners named.

    Parameters
    ----------
    p_positive : float

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> draw(0.3).axes[0].get_title(loc="left")
    'smaller error: feature 1'
    """
    import matplotlib.pyplot as plt  # figures need the extra "notebooks", the numbers above do not

    from fslib.plotting.style import BLUE, GREY, TEXT_WIDTH, VERMILION

    curves = [np.array(values) for values in zip(*map(criteria, GRID), strict=True)]
    fig, axes = plt.subplots(1, 2, figsize=(TEXT_WIDTH, 2.6))
    labels = ("Bayes error\n(smaller is better)", "mutual information, bits\n(larger is better)")
    for ax, curve, now, label in zip(axes, curves, criteria(p_positive), labels, strict=True):
        for feature, (color, dash) in enumerate(((VERMILION, "-"), (BLUE, "--"))):
            ax.plot(GRID, curve[:, feature], color=color, ls=dash, label=f"feature {feature + 1}")
        ax.axvline(p_positive, color=GREY, lw=0.8)
        ax.scatter([p_positive] * 2, now, color=(VERMILION, BLUE), zorder=3)
        ax.set(xlabel="share of positives", ylabel=label)
    axes[0].set_title(f"smaller error: {_winner(-criteria(p_positive)[0])}", loc="left")
    axes[1].set_title(f"more information: {_winner(criteria(p_positive)[1])}", loc="left")
    axes[0].legend()
    plt.close(fig)  # or a notebook would show it twice
    return fig


def _winner(values):
    return "both" if np.isclose(*values, rtol=0, atol=1e-12) else f"feature {1 + int(np.argmax(values))}"


def slider(p_positive=0.3):
    """Slider over the share of positives with the figure below it; the figure alone where there is no live kernel.

    Parameters
    ----------
    p_positive : float
        Where the slider starts, and what the static figure shows.

    Returns
    -------
    ipywidgets.VBox or matplotlib.figure.Figure
        The figure in a run by papermill and outside notebooks, so that a page made of the notebook shows something.

    Examples
    --------
    >>> slider(0.5).axes[1].get_title(loc="left")  # not in a notebook
    'more information: feature 2'
    """
    if not shows_progress():
        return draw(p_positive)
    import ipywidgets
    from IPython.display import display

    control = ipywidgets.FloatSlider(p_positive, min=0.02, max=0.98, step=0.02, description="P(Y = 1)")

    def redraw(p_positive):
        display(draw(p_positive))

    return ipywidgets.VBox([control, ipywidgets.interactive_output(redraw, {"p_positive": control})])
