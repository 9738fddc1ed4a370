"""What notebooks show on one split, with the arguments of the quick and of the paper profile."""

import pytest

from fslib.papers.bayes.demonstrations import calibration_rows, exact_and_pairwise, first_available
from fslib.papers.bayes.items import LARGE_K

GRID = {"C": [1.0], "gamma": [0.3]}


def test_a_data_set_that_is_not_available_is_passed_over():
    assert first_available(["nus_wide_object", "semeion", "splice"]) in ("semeion", "splice")
    with pytest.raises(ValueError, match="none of the data sets"):
        first_available(["nus_wide_object"])


def test_no_sizes_means_those_of_the_paper():
    rows = exact_and_pairwise("splice", [], grid=GRID)
    assert sorted(rows["k"].unique()) == sorted(LARGE_K)
    training = rows[rows["metric"] == "smallest training error"].pivot(index="k", columns="method", values="value")
    assert (training.diff().dropna() <= 1e-12).all().all()  # more features never raise it
    assert (training["exact"] <= training["pairwise"] + 0.05).all()


def test_shares_and_predictions_are_probabilities_and_agree_on_average():
    rows = calibration_rows("splice", [2], n_bins=4, grid=GRID)
    assert rows["value"].between(0, 1).all() and rows["predicted"].between(0, 1).all()
    assert abs(rows["value"].mean() - rows["predicted"].mean()) < 0.05
