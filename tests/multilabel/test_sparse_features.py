"""Selectors that count or correlate give the same for sparse X, and keep it sparse."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from fslib.multilabel import MDDM, MDMR, PMU
from fslib.multilabel.interactions import LabelInteractions, binarize

SELECTORS = [
    PMU(),
    PMU(reading="published"),
    MDMR(),
    MDMR("quoted"),
    MDMR(reading="published"),
    MDDM(),
    MDDM("spc"),
    MDDM(scale=False),
]


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 12)) * (rng.random((90, 12)) < np.linspace(0.05, 1, 12))  # from sparse to full
    X[:, 3] = np.abs(X[:, 3])
    X[:, 4] = np.where(X[:, 4] != 0, -1, 0)  # two values, of which 0 is the larger
    X[:, 5] = 7
    X[:, 6] = -np.abs(X[:, 6]) - (rng.random(90) < 0.7)  # median below 0
    y = (X[:, [2, 8, 11]] + rng.normal(size=(90, 3)) > 0).astype(float)
    y[rng.random(y.shape) < 0.2] = np.nan
    return X, y


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_matrix])
@pytest.mark.parametrize("selector", SELECTORS, ids=repr)
def test_sparse_equals_dense(selector, form, data):
    X, y = data
    selector.set_params(n_features_to_select=6)
    dense = selector.fit(X, y).ranking_
    assert_array_equal(selector.fit(form(X), y).ranking_, dense)


@pytest.mark.parametrize("keep_two_valued", [True, False])
def test_halves_of_sparse_features_carry_the_same_information(keep_two_valued, data):
    X, y = data
    dense = binarize(X, keep_two_valued=keep_two_valued)
    halves = binarize(sparse.csr_array(X), keep_two_valued=keep_two_valued)
    assert sparse.issparse(halves) and halves.nnz <= np.count_nonzero(X)
    turned = (halves.toarray() != dense).mean(axis=0)
    assert set(turned) <= {0.0, 1.0} and 1.0 in turned
    first, second = LabelInteractions(dense, y), LabelInteractions(halves, y)
    np.testing.assert_allclose(second.relevance(), first.relevance(), atol=1e-12)
    np.testing.assert_allclose(second.with_feature(6), first.with_feature(6), atol=1e-12)


@pytest.mark.parametrize("selector", SELECTORS[:1] + SELECTORS[2:4] + SELECTORS[5:6], ids=repr)
def test_sparse_labels_and_many_sparse_features(selector):
    """20 000 features of which a dense copy would take 800 MB."""
    rng = np.random.default_rng(0)
    X = sparse.random_array((5000, 20_000), density=2e-4, format="csr", rng=rng)
    y = sparse.csr_array((np.asarray(X[:, [5]].toarray()) != 0) | (rng.random((5000, 2)) < [0.01, 0.02]))
    chosen = selector.set_params(n_features_to_select=1).fit(X, y.astype(float)).get_support(indices=True)
    assert chosen.tolist() == [5]
