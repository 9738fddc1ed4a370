"""The bars of the diagram join exactly the methods that lie closer than the critical difference."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from fslib.plotting import critical_difference_diagram


@pytest.mark.parametrize(
    "distance, expected",
    [(0.9, []), (1.1, [(1, 2), (3.5, 4.5)]), (1.6, [(1, 2), (2, 3.5), (3.5, 4.5)]), (5.0, [(1, 4.5)])],
)
def test_bars_cover_maximal_runs(distance, expected):
    ranks = pd.Series({"B": 2.0, "A": 1.0, "D": 4.5, "C": 3.5})
    figure = critical_difference_diagram(ranks, distance)
    bars = {tuple(np.sort(line.get_xdata())[[0, -1]]) for line in figure.axes[0].lines if _flat(line) and _below(line)}
    plt.close(figure)
    assert bars == set(expected)


def test_methods_of_equal_rank_are_all_seen():
    figure = critical_difference_diagram(pd.Series({"SMML": 2.4, "DSML-FS": 2.4, "RFS": 1.2, "CAT": 4.0}), 1.0)
    names = {text.get_position() for text in figure.axes[0].texts}
    places = [tuple(points.get_offsets()[0]) for points in figure.axes[0].collections if points.get_offsets()[0][1] < 0]
    assert len(set(places)) == 4 and names >= set(places)  # one beside each name
    assert figure.axes[0].get_xlabel() == "average rank (smaller is better)"
    plt.close(figure)


def _flat(line):
    return len(set(line.get_ydata())) == 1


def _below(line):
    return line.get_ydata()[0] < 0
