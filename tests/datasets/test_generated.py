"""Generated data have the structure that their description promises."""

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from fslib.datasets.generated import make_gisette_like


def test_probes_tell_nothing_and_near_copies_tell_the_same():
    data = make_gisette_like(1000, 240, n_factors=3, random_state=1)
    assert data.X.shape == (1000, 240)
    assert set(np.unique(data.X)) == {0, 1, 2}
    assert np.bincount(data.y).tolist() == [500, 500]
    information = np.array([mutual_info_score(x, data.y) for x in data.X.T])
    probe = data.factor < 0
    assert probe.sum() == 120
    # 2 n MI of a probe is chi-squared with 2 degrees of freedom: mean 2, 99.99 % of 120 below 30.
    assert 1.4 < 2000 * information[probe].mean() < 2.6
    assert 2000 * information[probe].max() < 30
    assert information[data.factor == 0].mean() > 10 * information[probe].mean()
    correlation = np.corrcoef(data.X[:, data.factor == 0].T)
    assert correlation.mean() > 0.2


def test_same_seed_same_data_and_another_seed_other_data():
    first = make_gisette_like(50, 120, random_state=3)
    np.testing.assert_array_equal(first.X, make_gisette_like(50, 120, random_state=3).X)
    assert (first.X != make_gisette_like(50, 120, random_state=4).X).any()
    assert "not Gisette itself" in first.DESCR


@pytest.mark.parametrize("bad", [{"n_samples": 0}, {"n_features": 0}, {"n_factors": 0}])
def test_sizes_must_be_positive(bad):
    with pytest.raises(ValueError, match="must be at least 1"):
        make_gisette_like(**bad)
