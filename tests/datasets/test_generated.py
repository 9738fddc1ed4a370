"""Generated data have the structure that their description promises."""

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from fslib.datasets.generated import make_expression_like, make_gisette_like


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


def test_expression_modules_correlate_within_and_not_between():
    data = make_expression_like(400, 300, n_modules=5, n_informative_modules=2, random_state=1)
    R = np.abs(np.corrcoef(data.X.T))
    np.fill_diagonal(R, np.nan)
    for module in range(1, 6):
        own = data.module == module
        # loadings of 0.6 to 0.95: products of two
        assert 0.25 < np.nanmin(R[np.ix_(own, own)]) and np.nanmax(R[np.ix_(own, own)]) < 0.95
    outside = data.module == 0
    assert np.nanmax(R[np.ix_(outside & ~data.informative, outside & ~data.informative)]) < 0.3
    sizes = np.bincount(data.module)
    assert sizes.tolist() == sorted(sizes, reverse=True) and sizes[1] > 6 * sizes[5]
    assert data.X.min() >= 0 and data.X.flags.c_contiguous


def test_expression_differs_between_classes_only_where_it_says():
    data = make_expression_like(4000, 200, n_modules=6, n_informative_modules=2, effect=1.0, random_state=0)
    assert np.bincount(data.y).tolist() == [2600, 1400]
    a, b = data.X[data.y == 0], data.X[data.y == 1]
    shift = np.abs(a.mean(axis=0) - b.mean(axis=0)) / a.std(axis=0)
    assert shift[~data.informative].max() < 0.13  # four standard errors
    assert shift[data.informative & (data.module == 0)].min() > 0.85
    assert 0.4 < shift[data.informative & (data.module > 0)].min()
    assert sorted(set(data.module[data.informative])) == [0, 1, 4]
    # neither level nor spread gives the informative features away
    for nuisance in (data.X.mean(axis=0), np.concatenate([a - a.mean(axis=0), b - b.mean(axis=0)]).std(axis=0)):
        assert abs(np.corrcoef(nuisance, data.informative)[0, 1]) < 0.25


def test_expression_is_the_same_for_the_same_seed_and_refuses_what_does_not_fit():
    first, second = (make_expression_like(20, 60, random_state=3, n_modules=3) for _ in range(2))
    assert np.array_equal(first.X, second.X)
    assert not np.array_equal(first.X, make_expression_like(20, 60, n_modules=3).X)
    for options, words in [
        ({"n_modules": 31}, "n_modules=31"),
        ({"n_informative_modules": 13}, "n_informative_modules=13"),
        ({"n_informative_alone": 31}, "n_informative_alone=31"),
        ({"minority": 0.01}, "minority=0.01"),
        ({"module_share": 0.1, "n_modules": 7}, "n_modules=7"),
        ({"module_share": 1.2}, "module_share=1.2"),
        ({"n_samples": 3}, "n_samples=3"),
    ]:
        with pytest.raises(ValueError, match=words):
            make_expression_like(**{"n_samples": 20, "n_features": 60} | options)
