"""The slider of Example 1: what it draws, by hand, and that moving it redraws."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from fslib.papers.bayes import example, prior


def test_at_the_share_of_the_paper_it_is_example_1():
    for feature in (0, 1):
        np.testing.assert_allclose(prior.joint_table(feature, example.P_POSITIVE), example.joint_table(feature))


@pytest.mark.parametrize(
    "p, errors",
    [(0.2, (0.2, 0.2)), (0.3, (0.18 + 0.07, 0.3)), (0.5, (0.3 + 0.05, 0.05 + 0.2)), (0.7, (0.3, 0.07 + 0.12))],
)
def test_bayes_errors_by_hand(p, errors):
    np.testing.assert_allclose(prior.criteria(p)[0], errors)


def test_the_figure_names_the_winners_and_ties():
    def titles(p):
        return [ax.get_title(loc="left") for ax in prior.draw(p).axes]

    assert titles(0.3) == ["smaller error: feature 1", "more information: feature 2"]
    assert titles(0.5)[0] == "smaller error: feature 2"
    assert titles(0.1)[0] == "smaller error: both"
    # by hand: feature 1 changes a decision from 1/5 on, and 0.5 p + 0.1 = 0.4 - 0.3 p at 3/8
    sides = {0.19: "both", 0.21: "feature 1", 0.37: "feature 1", 0.38: "feature 2"}
    assert {p: titles(p)[0].removeprefix("smaller error: ") for p in sides} == sides
    assert {titles(p)[1] for p in sides} == {"more information: feature 2"}


@pytest.mark.parametrize("p", [0, 1, -0.1])
def test_a_share_outside_is_refused(p):
    with pytest.raises(ValueError, match="between 0 and 1"):
        prior.joint_table(0, p)


def test_moving_the_slider_redraws(monkeypatch):
    assert isinstance(prior.slider(), Figure)
    drawn = []
    monkeypatch.setattr(prior, "shows_progress", lambda: True)
    monkeypatch.setattr(prior, "draw", drawn.append)
    control, _ = prior.slider(0.3).children
    control.value = 0.6
    assert drawn[0] == 0.3 and drawn[-1] == 0.6
