"""The toys of section 2 do what the notebook says of them."""

import numpy as np
import pytest

from fslib.multiview import RRMVFS
from fslib.papers.rrmvfs import robustness
from fslib.papers.rrmvfs import theory as rrmvfs_toy


def test_two_samples_jump_where_the_line_turns():
    turn = 1 / (1 + 0.5**0.5)
    assert rrmvfs_toy.two_samples(turn - 0.02, turn - 0.02) == pytest.approx(1, abs=1e-4)
    assert rrmvfs_toy.two_samples(turn + 0.02, turn + 0.02) == pytest.approx(0, abs=1e-4)


def test_published_bound_fails_where_the_corrected_one_holds():
    z, beta = np.linspace(0.01, 10, 1000), 2.0
    assert (rrmvfs_toy.corrected_bound(z, beta) <= rrmvfs_toy.corrected_bound(beta, beta) + 1e-12).all()
    assert rrmvfs_toy.published_bound(4.0, beta) == 2.0 > rrmvfs_toy.published_bound(beta, beta) == 1.5


def test_squared_loss_with_penalties_times_twice_the_residual_is_the_same_model():
    X, y, views, relevant = rrmvfs_toy.make_views()
    columns = [np.arange(X.shape[1])[view] for view in views.values()]
    robust = RRMVFS(columns, gamma1=0.1, gamma2=0.1, max_iter=300, tol=1e-11).fit(X, y)
    assert set(robust.ranking_[:3]) == set(relevant)
    squared = robustness.squared_loss_twin(X, y, columns, 0.1, 0.1)
    np.testing.assert_allclose(squared, robust.coef_.T, atol=1e-5)
    sizes = 1.5 * robustness.residual_norms(X, y, columns, 0.1, 0.1)
    assert np.abs(robustness.squared_loss_twin(X, y, columns, 0.1, 0.1, sizes) - squared).max() > 1e-3


def test_only_a_norm_per_sample_turns_a_sample_down():
    X, y, _, _ = rrmvfs_toy.make_views()
    weights = robustness.sample_weights(X, y, wrong=0)
    assert weights.loc["RFS", "outlier"] < 0.25 and weights.loc["RFS", "outlier"] < weights.loc["RFS", "smallest other"]
    assert (weights.loc["RRMVFS"] == 1).all()


def test_outlier_drops_are_zero_without_outliers():
    rows = robustness.outlier_drops("labels", share=0.0, n_repeats=1, train_per_class=6)
    assert set(rows["method"]) == {"RRMVFS", "squared loss", "RFS"} and (rows["drop"] == 0).all()


def test_corrupted_samples_are_as_many_as_asked_for():
    X, y = np.zeros((40, 3)), np.repeat([0, 1], 20)
    rng = np.random.default_rng(0)
    _, labels = robustness._corrupt(X, y, "labels", 0.15, rng)
    values, same = robustness._corrupt(X, y, "values", 0.15, rng)
    assert (labels != y).sum() == 6 and (values != 0).all(axis=1).sum() == 6 and (same == y).all()
    assert (X == 0).all()


def test_noise_takes_the_place_of_one_view():
    rows = robustness.noise_view_weights("mor", [1.0], n_repeats=1, train_per_class=6)
    assert set(rows["view"]) == {"fou", "fac", "kar", "pix", "zer", "mor"} and sorted(rows["rank"]) == [
        1,
        2,
        3,
        4,
        5,
        6,
    ]
    assert rows.set_index("view").loc["mor", "rank"] == 1  # six columns of noise cannot fit the labels
