"""The published loop against its naive version, and what its literal "H - 1" does."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import spearmanr

from fslib.multilabel import MLMLFS
from fslib.multilabel.graph import knn_laplacian
from fslib.papers.mlmlfs.theory import distances_to_optimum, make_toy, published_loop

SHAPES = [(60, 8), (30, 50)]


@pytest.mark.parametrize(("n", "d"), SHAPES)
@pytest.mark.parametrize("missing", [0.0, 0.5])
@pytest.mark.parametrize("p", [0.6, 1.0])
def test_library_is_the_loop_written_out(n, d, missing, p):
    toy = make_toy(n, d, missing=missing)
    X = toy.X + 2  # the start refers to X as it is
    setting = {"alpha": 0.01, "lam": 1.0, "p": p}
    W, b, F = published_loop(X, toy.y, **setting, start=3)
    fitted = MLMLFS(**setting, reading="published", random_state=3).fit(X, toy.y)
    assert_allclose(fitted.coef_, W, atol=1e-7)
    assert_allclose(fitted.intercept_, b, atol=1e-7)
    assert_allclose(fitted.label_matrix_, F, atol=1e-7)
    assert spearmanr(fitted.scores_, np.linalg.norm(W, axis=1)).statistic > 1 - 1e-9
    if d > n:
        assert spearmanr(fitted.scores_, MLMLFS(**setting).fit(X, toy.y).scores_).statistic < 0.999


def test_the_term_that_h_minus_i_removes():
    """alpha L (H - I) F = 0 and alpha L (H - 1) F = alpha L F, because L 1 = 0."""
    rng = np.random.default_rng(0)
    X, F, g = rng.normal(size=(20, 3)), rng.normal(size=(20, 2)), rng.uniform(1, 2, size=20)
    L, H = knn_laplacian(X, 5).toarray(), np.eye(20) - np.outer(np.ones(20), g) / g.sum()
    assert_allclose(L @ (H - np.eye(20)) @ F, 0, atol=1e-13)
    assert_allclose(L @ (H - 1) @ F, L @ F, atol=1e-13)


def test_what_the_slip_and_the_missing_labels_cost():
    """With all labels known only the extra term keeps the published loop off the optimum; with few it stalls."""
    gaps = {
        missing: distances_to_optimum(toy.X, toy.y, iterations=(30, 100))
        for missing in (0.0, 0.8)
        for toy in [make_toy(missing=missing)]
    }
    assert (gaps[0.0]["continuation"] < 1e-6).all()
    assert gaps[0.0]["published loop"].between(1e-3, 5e-3).all()
    assert (gaps[0.8]["published loop"] > 0.1).all()
    assert (gaps[0.8]["continuation"] < 5e-3).all()
