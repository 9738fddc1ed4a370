"""CSPCA against PCA, against its definition, and what class-scaled rows would do to a classifier."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler

from fslib.imbalance import CSPCA
from fslib.imbalance.class_costs import sample_costs


def data(n=60, n_rare=9, d=5, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) < n_rare
    X = rng.normal(size=(n, d)) * np.where(y[:, None], np.arange(d) + 1, d - np.arange(d)) + 3 * y[:, None]
    return X, y


@pytest.mark.parametrize("q", [3, 0.8])
def test_equal_classes_give_principal_components(q):
    X, _ = data()
    y = np.arange(60) % 2
    pca, ours = PCA(q).fit(X), CSPCA(n_components=q).fit(X, y)
    assert_allclose(abs(ours.components_), abs(pca.components_), rtol=1e-9, atol=1e-12)
    assert_allclose(ours.explained_variance_ratio_, pca.explained_variance_ratio_)
    assert_allclose(abs(ours.transform(X)), abs(pca.transform(X)), rtol=1e-9, atol=1e-12)


def test_equals_principal_components_of_repeated_rows():
    """A cost of 3 is a row that occurs three times."""
    X, y = data(48, 12)
    repeated = np.r_[X, X[y], X[y]]  # 36 of each class
    assert_allclose(
        abs(CSPCA(n_components=4).fit(X, y).components_), abs(PCA(4).fit(repeated).components_), rtol=1e-8, atol=1e-10
    )


@pytest.mark.parametrize("alpha", [0.0, 0.4])
def test_no_direction_has_more_weighted_variance(alpha):
    X, y = data()
    model = CSPCA(n_components=None, alpha=alpha).fit(X, y)
    costs = sample_costs(y, alpha)[1]
    variance = lambda w: costs @ ((X - np.average(X, axis=0, weights=costs)) @ w) ** 2
    found = [variance(w) for w in model.components_]
    assert_allclose(model.components_ @ model.components_.T, np.eye(5), atol=1e-12)
    assert_allclose(np.array(found) / sum(found), model.explained_variance_ratio_, rtol=1e-9)
    others = np.random.default_rng(0).normal(size=(500, 5))
    others /= np.linalg.norm(others, axis=1, keepdims=True)
    assert max(map(variance, others)) < found[0]
    others -= others @ model.components_[:1].T @ model.components_[:1]  # in the complement
    assert max(variance(w) for w in others) < found[1]


def test_published_reading_takes_components_of_scaled_rows():
    X, y = data()
    Z = StandardScaler().fit_transform(X)
    model = CSPCA(n_components=2, reading="published").fit(Z, y)
    scaled = np.where(y, 1 / 9, 1 / 51)[:, None] * Z
    assert_allclose(abs(model.components_), abs(PCA(2).fit(scaled).components_), rtol=1e-8)
    assert_allclose(model.transform(Z), Z @ model.components_.T, atol=1e-12)  # the rows themselves are not scaled
    corrected = CSPCA(n_components=2).fit(Z, y)
    assert abs(model.components_ - corrected.components_).max() > 0.02


def test_the_printed_sum_of_squares_is_largest_on_a_single_column():
    """Without cross terms, sum_ij (C_i X_ij w_j)^2 is a weighted mean of the columns' sums of squares."""
    X, y = data()
    squares = ((sample_costs(y)[1][:, None] * X) ** 2).sum(axis=0)
    w = np.random.default_rng(0).normal(size=(1000, 5))
    w /= np.linalg.norm(w, axis=1, keepdims=True)
    assert (w**2 @ squares).max() < squares.max()


@pytest.mark.parametrize("rounding", [0, 1e-15])
def test_share_of_variance(rounding):
    X = np.diag([2.0, 1.0, 1.0])  # with its mirror image: variances 4, 1, 1
    X, y = np.r_[X, -X], np.arange(6) < 3
    assert CSPCA(n_components=4 / 6 + rounding).fit(X, y).n_components_ == 1
    assert CSPCA(n_components=4 / 6 + 1e-6).fit(X, y).n_components_ == 2
    assert CSPCA(n_components=0.99).fit(X, y).n_components_ == 3


def test_a_share_drops_directions_without_variance():
    X, y = data()
    X = np.column_stack([X, X[:, 0], np.ones(60)])
    assert CSPCA(n_components=1 - 1e-13).fit(X, y).n_components_ == 5
    assert np.isfinite(CSPCA(n_components=2).fit(np.ones((6, 3)), np.arange(6) < 2).transform(np.ones((1, 3)))).all()


def test_more_features_than_samples():
    X, y = data(12, 4, 40)
    assert_allclose(CSPCA(n_components=None).fit(X, y).explained_variance_ratio_.sum(), 1)


def test_signs_do_not_depend_on_the_order_of_rows():
    X, y = data()
    order = np.random.default_rng(0).permutation(60)
    assert_allclose(
        CSPCA(n_components=3).fit(X[order], y[order]).components_,
        CSPCA(n_components=3).fit(X, y).components_,
        rtol=1e-9,
        atol=1e-12,
    )


@pytest.mark.parametrize("q", [0, 6, 1.0, 1.5, "mle", True])
def test_impossible_numbers_of_components(q):
    with pytest.raises(ValueError, match="n_components"):
        CSPCA(n_components=q).fit(*data())


@pytest.mark.parametrize("reading", ["corrected", "published"])
def test_scaling_training_rows_by_class_leaks_the_label(reading):
    """On noise: perfect on scaled training rows, one class for all rows as they come; our transform does neither."""
    rng = np.random.default_rng(0)
    X, y = rng.gamma(2.0, size=(600, 20)), np.arange(600) % 10 == 0
    train, test = np.arange(600) < 300, np.arange(600) >= 300
    scaled = np.where(y, 1 / 30, 1 / 270)[:, None] * X
    leaking = LogisticRegression(C=1e4).fit(scaled[train], y[train])
    assert roc_auc_score(y[train], leaking.decision_function(scaled[train])) > 0.99
    assert leaking.predict(X[test]).all()  # unscaled rows are so large that each looks like the rare class
    features = CSPCA(n_components=2, reading=reading).fit(X[train], y[train]).transform(X)
    honest = LogisticRegression().fit(features[train], y[train])
    assert roc_auc_score(y[train], honest.decision_function(features[train])) < 0.7


def test_classes_need_an_order_of_their_own():
    X, y = data()
    assert_array_equal(CSPCA().fit(X, np.where(y, "b", "a")).classes_, ["a", "b"])
