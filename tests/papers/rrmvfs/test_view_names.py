"""CAT on groups of views: against the protocol's own trial, and the choice of the nearest groups by hand."""

import pandas as pd
import pytest
from numpy.testing import assert_allclose

from fslib.papers.rrmvfs import protocol
from fslib.papers.rrmvfs.view_names import COLUMNS, SCALERS, cat_by_scaling, nearest_views


@pytest.fixture(scope="module")
def found():
    return cat_by_scaling(1)


@pytest.mark.parametrize("views", [["fou", "mor"], ["fou", "fac", "kar", "mor"]])
def test_z_scores_are_the_protocol(found, views):
    options = {"dataset": "mfeat", "train_per_class": 12, "method": "CAT", "gammas": [], "max_iter": 1, "repeat": 0}
    rows = pd.DataFrame(protocol.run_trial(**options, views=views, seed=0))
    value = rows.query("protocol == 'published' and metric == 'accuracy'")["value"].iloc[0]
    mine = found.query("scaling == 'z-scores' and views == @name", local_dict={"name": "+".join(views)})["value"]
    assert_allclose(mine, value)


def test_every_group_is_there_under_every_scaling(found):
    assert found.groupby("scaling").size().to_dict() == dict.fromkeys(SCALERS, 15 + 15 + 1)


def test_the_four_views_contain_the_two():
    """The best pair alone has no four around it that fits: another pair is taken."""
    views = ["fou+fac", "kar+pix", "kar+pix+zer+mor", "fou+fac+kar+pix+zer+mor"]
    rows = [
        {"scaling": scaling, "views": group, "repeat": 0, "value": value}
        for scaling in SCALERS
        for group, value in zip(views, (0.8, 0.79, 0.9, 0.95), strict=True)
    ]
    published = dict(zip(COLUMNS, (0.8, 0.9, 0.95), strict=True))
    nearest = nearest_views(pd.DataFrame(rows), published, dict.fromkeys(COLUMNS, 0.02)).loc["min-max"]
    assert (nearest["two"], nearest["four"]) == ("kar+pix", "kar+pix+zer+mor")
    assert_allclose(nearest["worst"], 0.5)
    assert nearest["n_near"] == 1
