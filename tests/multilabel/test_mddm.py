import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import eigh

from fslib.multilabel.mddm import MDDM


def make(missing=0.0):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 7)) * rng.uniform(0.1, 10, size=7)
    Y = (X[:, :3] > 0).astype(float)
    return X, np.where(rng.random(Y.shape) < missing, np.nan, Y)


def test_score_is_the_diagonal_of_the_centred_kernels_and_the_weighted_loading():
    X, Y = make()
    H = np.eye(40) - 1 / 40
    A = X.T @ H @ Y @ Y.T @ H @ X
    values, vectors = eigh(A)
    scores = MDDM(scale=False).fit(X, Y).scores_
    assert_allclose(scores, np.diag(A))
    assert_allclose(scores, vectors**2 @ values)


def test_spc_solves_its_own_generalised_problem():
    X, Y = make()
    H = np.eye(40) - 1 / 40
    B = (X.T @ H @ X + np.eye(7)) / 2
    values, vectors = eigh(X.T @ H @ Y @ Y.T @ H @ X, B)
    assert_allclose(vectors.T @ B @ vectors, np.eye(7), atol=1e-9)
    assert_allclose(MDDM(kind="spc", scale=False).fit(X, Y).scores_, vectors**2 @ values, rtol=1e-8)


def test_scaled_scores_do_not_depend_on_units():
    X, Y = make()
    assert_allclose(MDDM().fit(X * [1, 10, 1, 100, 1, 1, 1] + 3, Y).scores_, MDDM().fit(X, Y).scores_)


@pytest.mark.parametrize("kind", ["proj", "spc"])
def test_constant_columns_score_zero(kind):
    X, Y = make()
    X[:, 2] = 0.1
    assert MDDM(kind=kind).fit(X, Y).scores_[2] == pytest.approx(0, abs=1e-12)


def test_unknown_labels_contribute_nothing():
    X, Y = make(0.4)
    filled = np.where(np.isnan(Y), np.nanmean(Y, axis=0), Y)
    Xc = 2 * (X - X.min(axis=0)) / np.ptp(X, axis=0)
    Xc -= Xc.mean(axis=0)
    assert_allclose(MDDM().fit(X, Y).scores_, np.sum((Xc.T @ filled) ** 2, axis=1))


@pytest.mark.parametrize("kind", ["proj", "spc"])
def test_published_reading_takes_numbers_of_eigenvalues_for_numbers_of_features(kind):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(100, 60))
    Y = (X[:, -3:] > 0).astype(float)
    assert set(MDDM(kind=kind).fit(X, Y).ranking_[:3]) == {57, 58, 59}
    published = MDDM(kind=kind, reading="published").fit(X, Y)
    assert published.scores_ is None
    assert published.ranking_[:3].max() < 10  # large eigenvalues come out first, wherever the features are
